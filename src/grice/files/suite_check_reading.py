"""The checks of a suite file: what each looks at, its matcher, its path."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any, Literal, cast, get_args

import msgspec

from grice.files.locate import JsonPath
from grice.files.suite_records import SuiteCheck, Target
from grice.files.suite_subjects import subject_problem
from grice.identity import canonical_json
from grice.matching.assertions.assertion import FIELDS, read_fields, record_of_fields, selector_of
from grice.matching.assertions.evaluation import OutputType, legacy_assertion
from grice.matching.assertions.registry import find_matcher, is_known, matcher_from_data, matcher_names
from grice.matching.json_text import json_text
from grice.matching.limits import Limits
from grice.matching.selector import Parse
from grice.records import JsonValue
from grice.text import did_you_mean, shorten, visible
from grice.text.suggest import nearest

ON = ("reply", "reply.data", "tool_calls", "exchange N", "prompt", "conversation", "state")
"""What a check may look at; N is a number from 1, or -1 for the last."""

PARSES: tuple[str, ...] = get_args(Parse)
CHECK_FIELDS = ("on", *FIELDS, "parse")

_TARGETS = {
    "reply": Target("reply"),
    "reply.data": Target("data"),
    "tool_calls": Target("tool_calls"),
    "prompt": Target("prompt"),
    "conversation": Target("conversation"),
    "state": Target("state"),
}
_NOT_NULL = {"id": "a string", "path": "a JSON path", "options": "an object", "description": "a string"}
_EXCHANGE = re.compile(r"exchange (-?[1-9][0-9]{0,5})")

Mode = Literal["hard", "soft"]
Problem = tuple[str, str, bool]
"""The field that is wrong ("" is the check itself), what is wrong, and whether with the name of the field."""


def read_check(
    raw: JsonValue, place: JsonPath, mode: Mode, line: Callable[[JsonPath, str], int]
) -> SuiteCheck | list[Problem]:
    """The check that an object of `expect` or `evaluate` says, or everything that is wrong with it.

    `line` tells on which line a field of the object at a place stands.
    """
    if not isinstance(raw, dict):
        return [
            ("", f"expected a check, an object with a matcher, found {json_text(raw)}{_named(raw)}", False)
        ]
    fields = cast("dict[str, Any]", raw)
    if problem := _shorthand(fields) or _pattern_with_slashes(fields):
        return [problem]
    matcher, found = read_fields(fields, CHECK_FIELDS)
    problems = [_problem(one.field, one.message) for one in found]
    wrong = {one.field for one in found}
    problems += [
        (name, f"expected {kind}, found null", False)
        for name, kind in _NOT_NULL.items()
        if fields.get(name, "") is None and name not in wrong
    ]
    target = _target(fields.get("on", "reply"))
    if isinstance(target, str):
        problems.append(("on", target, False))
    parse: Any = fields.get("parse", "auto")
    if parse not in PARSES:
        hint = did_you_mean(parse, PARSES) if isinstance(parse, str) else ""
        problems.append(("parse", f"expected {_listed(PARSES)}, found {json_text(parse)}{hint}", False))
    if problems or matcher is None or isinstance(target, str):
        return problems
    at = selector_of(record_of_fields(fields), cast("Parse", parse), fields.get("on", "reply"))
    if unfit := subject_problem(matcher, target, at):
        return [("on" if "on" in fields else "matcher", unfit, False)]
    return SuiteCheck(
        matcher=matcher,
        target=target,
        at=at,
        mode=mode,
        id=fields.get("id", ""),
        description=fields.get("description", ""),
        place=place,
        line=line(place, "matcher"),
    )


def _named(raw: JsonValue) -> str:
    """What to write instead of the name of a matcher alone."""
    if not isinstance(raw, str) or not is_known(raw):
        return ""
    expected = ", expected: ..." if find_matcher(raw).needs_arguments else ""
    return f"; write {{matcher: {raw}{expected}}}"


def _shorthand(fields: dict[str, Any]) -> Problem | None:
    """`toContain: Hello`, a matcher as the name of a field: what to write instead."""
    if "matcher" in fields:
        return None
    named = [name for name in fields if is_known(name)]
    if len(named) > 1:
        return named[1], f"these are two checks, {named[0]} and {named[1]}: write each as an item", True
    for name, value in fields.items():
        field = name in CHECK_FIELDS or nearest(name, CHECK_FIELDS)
        meant = name if is_known(name) else "" if field else nearest(name, matcher_names())
        if meant:
            others = {one: fields[one] for one in fields if one in CHECK_FIELDS and one != "expected"}
            written = _flow({"matcher": meant, **_expected(meant, value), **others})
            return name, f"a matcher is no field: write {written}", True
    return None


def _expected(matcher: str, value: JsonValue) -> dict[str, JsonValue]:
    if value is None or (value is True and not find_matcher(matcher).needs_arguments):
        return {}
    pattern = _pattern(value) if matcher == "toMatch" else None
    return {"expected": value if pattern is None else pattern}


_SLASHES = re.compile(r"/(.+)/([dgimsuvy]*)", re.DOTALL)


def _pattern(expected: JsonValue) -> dict[str, str] | None:
    """A pattern that is written as JavaScript writes it, `/x/i`, as its source and flags."""
    found = _SLASHES.fullmatch(expected) if isinstance(expected, str) else None
    if not found:
        return None
    return {"source": found[1], "flags": found[2]} if found[2] else {"source": found[1]}


def _pattern_with_slashes(fields: dict[str, Any]) -> Problem | None:
    if fields.get("matcher") != "toMatch" or (pattern := _pattern(fields.get("expected"))) is None:
        return None
    literal = _flow({"source": fields["expected"]})
    instead = f"write expected: {_flow(pattern)}; for the slashes as text {literal}"
    return "expected", f"a pattern has no slashes around it: {instead}", False


_PLAIN_TEXT = re.compile(r"[A-Za-z$][\w$.]*(?: \w+)*")
_NO_TEXT = ("true", "false", "null", "yes", "no", "on", "off", "y", "n")


def _flow(value: JsonValue) -> str:
    """A value as it stands in YAML on one line, cut when long."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{name}: {_flow(one)}" for name, one in value.items()) + "}"
    if isinstance(value, str) and _PLAIN_TEXT.fullmatch(value) and value.lower() not in _NO_TEXT:
        return shorten(value, 60)
    return visible(json_text(value), newlines=False)


def _problem(name: str, said: str) -> Problem:
    if said.startswith("unknown field"):
        shown = shorten(visible(name, newlines=False), 60)
        return name, said.replace("unknown field", f"unknown field '{shown}'", 1), True
    return name, said, False


def _target(on: object) -> Target | str:
    """What the check looks at, or what is wrong with `on`."""
    if isinstance(on, str):
        if on in _TARGETS:
            return _TARGETS[on]
        if numbered := _EXCHANGE.fullmatch(on):
            return Target("exchange", int(numbered[1]))
        if on.startswith("exchange"):
            return f"expected a number from 1, or -1 for the last: 'exchange 1'; found {json_text(on)}"
    hint = did_you_mean(on, ON) if isinstance(on, str) else ""
    return f"expected {_listed(ON)}, found {json_text(on)}{hint}"


def _listed(names: tuple[str, ...]) -> str:
    return f"{', '.join(names[:-1])} or {names[-1]}"


def expected_output_check(
    expected: JsonValue,
    output_type: OutputType,
    place: JsonPath,
    line: Callable[[JsonPath, str], int],
    *,
    trims: bool = False,
) -> SuiteCheck:
    """The one hard check that an expected output of the object at `place` is.

    With `trims` the white space around the reply and around the expected text is left out.
    """
    if trims and isinstance(expected, str):
        expected = expected.strip()
    assertion = legacy_assertion(expected, output_type)
    return SuiteCheck(
        matcher=matcher_from_data({"matcher": assertion.matcher, "expected": assertion.expected}),
        target=Target("trimmed" if trims else "reply"),
        at=selector_of(assertion, "text" if output_type == "string" else "json", "reply"),
        id=assertion.id,
        place=(*place, "expected_output"),
        line=line(place, "expected_output"),
    )


def size_problem(checks: Iterator[JsonValue], limits: Limits) -> str:
    """What is wrong with the size of the checks of one scenario as JSON, "" when nothing is."""
    written = list(checks)
    try:
        size = len(msgspec.json.encode(written))
    except ValueError:  # a lone surrogate
        size = len(canonical_json(written))
    if size <= limits.max_assertion_json_bytes:
        return ""
    return (
        f"the checks take {size:,} bytes as JSON, at most {limits.max_assertion_json_bytes:,} are allowed "
        "(GRICE_MAX_ASSERTION_JSON_BYTES)"
    )
