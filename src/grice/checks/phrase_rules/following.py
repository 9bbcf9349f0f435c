"""The matcher `follow_rules`: a reply breaks none of the rules on wording that users wrote."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib import import_module
from os import PathLike
from typing import Any

import msgspec

from grice.checks.phrase_rules.rule import PhraseRule
from grice.checks.phrase_rules.rule_book import Breach, RulesFile, Scene, TestedRule, book_of
from grice.checks.tool_flow.status import ToolStatus, status_for
from grice.matching.context import Context
from grice.matching.matcher import ArgumentError, Arguments, matcher
from grice.matching.subjects import Speech, nothing_in, text_of
from grice.records import (
    Evidence,
    Reply,
    Turn,
    Verdict,
    clean_text,
    errored,
    failed,
    inconclusive,
    passed,
    skipped,
)
from grice.text import did_you_mean, shorten, value_text
from grice.typed import problems_in, problems_of, schemas_of

MAX_PROBLEMS = 20
MAX_SHOWN = 10
_LOADER = "grice.files.phrase_rule_files"  # on a floor above, so it is imported when a file is named


def _rule_schema() -> dict[str, Any]:
    """The JSON Schema of a rule, whole in itself."""
    _, definitions = schemas_of(PhraseRule)

    def whole(part: Any) -> Any:
        if isinstance(part, list):
            return [whole(one) for one in part]
        if not isinstance(part, dict):
            return part
        rest = {name: whole(one) for name, one in part.items() if name != "$ref"}
        name = part.get("$ref", "").removeprefix("#/$defs/")
        return {**whole(definitions[name]), **rest} if name else rest

    return dict(whole(definitions["PhraseRule"]))


_ONE = [{"type": "string", "minLength": 1}, _rule_schema()]
_SCHEMA: Mapping[str, Any] = {
    "anyOf": [
        *_ONE,
        {"type": "array", "items": {"anyOf": _ONE}, "minItems": 1},
        {"type": "object", "required": ["rules"]},
    ],
}


def _check(*rules: object, **_: object) -> None:
    if not rules:
        raise ArgumentError("no rules are given: name a file of rules, or give PhraseRules")
    problems: list[str] = []
    resolved = _resolved(rules, problems)
    for rule in (one for one in rules if isinstance(one, PhraseRule)):
        problems += _problems_of(rule)
    first: dict[str, int] = {}
    if not problems:
        for place, rule in enumerate(resolved):
            if first.setdefault(rule.id, place) != place:
                problems.append(f"the id {value_text(rule.id)} is that of two rules")
    if problems:
        more = f"\nand {len(problems) - MAX_PROBLEMS} more" if len(problems) > MAX_PROBLEMS else ""
        raise ArgumentError("\n".join(problems[:MAX_PROBLEMS]) + more)


@lru_cache(maxsize=4096)
def _problems_of(rule: PhraseRule) -> tuple[str, ...]:
    """What is wrong with a rule made in Python, its examples included."""
    return tuple(f"rule {value_text(rule.id)}: {one}" for one in problems_of(rule, TestedRule))


@lru_cache(maxsize=4096)
def _of_json(data: bytes) -> tuple[tuple[PhraseRule, ...], tuple[str, ...]]:
    """The rules that an object says, with `rules` or one, and what is wrong with them."""
    value = msgspec.json.decode(data)
    several = "rules" in value
    wrong = problems_in(value, RulesFile if several else TestedRule)
    if not wrong:
        return tuple(msgspec.convert(one, PhraseRule) for one in value.get("rules", [value])), ()
    name = "" if several else f"rule {value_text(value.get('id'))}: "
    return (), tuple(f"{name}{one}" for one in wrong)


def _resolved(given: Sequence[object], problems: list[str]) -> tuple[PhraseRule, ...]:
    """The rules that are given as values, data or paths of files; what is wrong goes to problems."""
    rules: list[PhraseRule] = []
    for one in given:
        if isinstance(one, PhraseRule):
            rules.append(one)
        elif isinstance(one, str | PathLike):
            try:
                rules += _of_file(os.fspath(one))
            except (ValueError, OSError) as error:
                problems.append(str(error))
        elif isinstance(one, Mapping):
            made, wrong = _of_json(msgspec.json.encode(dict(one), enc_hook=value_text))
            problems += wrong
            rules += made
        else:
            problems.append(
                f"a rule is a PhraseRule, an object or the path of a file of rules, found {value_text(one)}"
            )
    return tuple(rules)


def _of_file(path: str) -> tuple[PhraseRule, ...]:
    """The rules of a file, read again when it has changed."""
    try:
        status = os.stat(path)
    except OSError:
        return _loaded(path, 0, 0)
    return _loaded(path, status.st_mtime_ns, status.st_size)


@lru_cache(maxsize=32)
def _loaded(path: str, changed: int, size: int) -> tuple[PhraseRule, ...]:
    rules: tuple[PhraseRule, ...] = import_module(_LOADER).load_rules(path)
    return rules


def _read(expected: Any) -> Arguments:
    """A path, a rule, or a list of them; an object with `rules` may hold `toolStatus` too."""
    if isinstance(expected, dict) and "rules" in expected:
        named = {"toolStatus": "tool_status", "tool_status": "tool_status"}
        unknown = [name for name in expected if name != "rules" and name not in named]
        if unknown:
            hint = did_you_mean(str(unknown[0]), ("rules", "toolStatus")) or "; known are rules, toolStatus"
            raise ArgumentError(f"expected has an unknown field {value_text(unknown[0])}{hint}")
        rules = expected["rules"]
        kwargs = {named[name]: value for name, value in expected.items() if name != "rules"}
        return tuple(rules) if isinstance(rules, list) else (rules,), kwargs
    if isinstance(expected, list):
        if not expected:
            raise ArgumentError("expected is an empty list: name a file of rules, or give rules")
        return tuple(expected), {}
    return (expected,), {}


def _describe(*rules: object, tool_status: ToolStatus | None = None) -> str:
    shown = [
        value_text(one.id) if isinstance(one, PhraseRule)
        else value_text(one.get("id", "...")) if isinstance(one, Mapping)
        else f"of {value_text(os.fspath(one))}" if isinstance(one, str | PathLike)
        else value_text(one)
        for one in rules[:MAX_SHOWN]
    ]  # fmt: skip
    more = ", ..." if len(rules) > MAX_SHOWN else ""
    under = f" (tool status {tool_status})" if tool_status is not None else ""
    several = len(rules) > 1 or any(isinstance(one, str | PathLike) for one in rules)
    return f"follow the rule{'s' if several else ''} {', '.join(shown)}{more}{under}"


@matcher(
    "toFollowRules",
    layer=1,
    describe=_describe,
    check=_check,
    read=_read,
    schema=_SCHEMA,
)
def follow_rules(
    subject: Speech,
    ctx: Context,
    *rules: PhraseRule | str | PathLike[str] | Mapping[str, Any],
    tool_status: ToolStatus | None = None,
) -> Verdict:
    """The reply breaks none of the rules on wording: PhraseRules, or the paths of files of them.

    Paths are taken from the current folder. A rule applies where its `when` and its language do; where none
    does it is `skipped`. `tool_status` defaults to that of the turn's last answered call; of a bare text no
    calls are known, so rules about tools do not apply to it. A rule that fails one of its own examples is an
    `error`.
    """
    text = clean_text(text_of(subject))
    nothing = nothing_in(text)
    if nothing is not None:
        return nothing
    problems: list[str] = []
    known = _resolved(rules, problems)
    if problems:
        return errored("\n".join(problems[:MAX_PROBLEMS]))
    book = book_of(known)
    scene = Scene(status_for(subject, tool_status), _called(subject))
    found = list(book.breaches(text, scene))
    breaches = [one for one in found if not one.undecided]
    if breaches:
        turn = ctx.turn.number if ctx.turn is not None else None
        return _broken(breaches, text, turn)
    if found:
        return inconclusive(f"rule {value_text(found[0].rule.id)}: {found[0].undecided}")
    applying = book.applying(text, scene)
    if not applying:
        return skipped(f"none of {len(known)} rules applies (tool status {scene.tool_status})")
    return passed(f"{applying} of {len(known)} rules apply, none is broken")


def _called(subject: object) -> frozenset[str] | None:
    if not isinstance(subject, Reply | Turn):
        return None
    return frozenset(call.name for call in subject.tool_calls)


def _broken(breaches: Sequence[Breach], text: str, turn: int | None) -> Verdict:
    evidence = tuple(
        Evidence(text[start:end], turn, start, end, note=one.rule.id)
        for one in breaches[:MAX_SHOWN]
        for start, end in one.spans
    )
    said = [_breach_text(one, text) for one in breaches[:MAX_SHOWN]]
    more = f"; and {len(breaches) - MAX_SHOWN} more rules" if len(breaches) > MAX_SHOWN else ""
    return failed(f"{'; '.join(said)}{more}", evidence=evidence)


def _breach_text(breach: Breach, text: str) -> str:
    quotes = ", ".join(value_text(text[start:end]) for start, end in breach.spans)
    why = f" ({shorten(breach.rule.why, 200)})" if breach.rule.why else ""
    return f"rule {value_text(breach.rule.id)} is broken by {quotes}{why}"
