"""Matchers on texts: contain (lists too), match, start with, end with, be valid JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from grice.matching.argument_types import Text
from grice.matching.context import Context
from grice.matching.equality import json_equal
from grice.matching.limits import Limits, limits_in_force
from grice.matching.matcher import ArgumentError, Arguments, Prefilter, Unsuitable, matcher
from grice.matching.subjects import Speech, nothing_in, text_of, value_of
from grice.matching.verdicts import OTHER_CASE
from grice.records import (
    Evidence,
    JsonValue,
    Reply,
    Turn,
    Verdict,
    clean_text,
    errored,
    failed,
    inconclusive,
    passed,
)
from grice.text import did_you_mean, fold, fold_with_offsets, value_text

if TYPE_CHECKING:
    from grice.matching.patterns import Pattern


MAX_HINTED = 100_000


def _check_contain(expected: JsonValue, *, after: str | None = None, ignore_case: bool = False) -> None:
    if (after is not None or ignore_case) and not isinstance(expected, str):
        raise ArgumentError(f"after and ignore_case are for texts, expected is {value_text(expected)}")


def _prefilter_contain(
    expected: JsonValue, *, after: str | None = None, ignore_case: bool = False
) -> Prefilter | None:
    if not isinstance(expected, str) or not expected or after is not None or ignore_case:
        return None
    return lambda text: expected in text


@matcher(
    "toContain",
    layer=1,
    prefilter=_prefilter_contain,
    describe="contain {expected}[ after {after}][ignore_case?, in any case]",
    check=_check_contain,
    wants=("a value that contains it", "a value that does not contain it"),
)
def contain(
    subject: Speech | Sequence[Any],
    ctx: Context,
    expected: JsonValue,
    *,
    after: Text | None = None,
    ignore_case: bool = False,
) -> Verdict:
    """The text contains the text `expected`; the list has an element that equals `expected`.

    With `after`, only the text after the first occurrence of that separator counts; without the separator
    there is nothing to look at. `ignore_case` also takes curly quotes for straight ones. What is empty
    or white space only is `inconclusive`, except as a value at a path. Anything but a text or a list is an
    `error` under both polarities: nothing can be in it.
    """
    if isinstance(subject, (list, tuple)):
        if after is not None or ignore_case:
            return errored("after and ignore_case are for texts, found a list")
        return _has_element(subject, expected)
    text = _text_to_search(subject)
    if not isinstance(expected, str):
        return errored(f"a text contains texts only, expected is {value_text(expected)}")
    if not ctx.as_value and not expected:
        return errored("expected is a text that is not empty, found ''")
    if (nothing := _nothing_in(text, ctx)) is not None:
        return nothing
    return _has_text(text, expected, after, ignore_case=ignore_case)


def _text_to_search(subject: object) -> str:
    if isinstance(subject, (str, Reply, Turn)):
        return text_of(subject)
    raise Unsuitable(f"a text, a Reply, a Turn or a list, found {value_text(subject)}")


def _nothing_in(text: str, ctx: Context) -> Verdict | None:
    """The verdict when nobody said anything; None when there is something to look at."""
    return None if ctx.as_value else nothing_in(text)


def _has_element(values: list[Any] | tuple[Any, ...], expected: object) -> Verdict:
    for index, one in enumerate(values):
        if json_equal(one, expected):
            return passed(f"element {index} is {value_text(one)}")
    if not values:
        return failed("the list is empty", trivially_true=True)
    which = (
        "its only element does not equal it"
        if len(values) == 1
        else f"none of its {len(values)} elements equals it"
    )
    return failed(f"{which}: {value_text(values)}")


def _has_text(text: str, expected: str, after: str | None, *, ignore_case: bool) -> Verdict:
    start = 0
    if after is not None:
        separator = text.find(after)
        if separator < 0:
            return inconclusive(f"{value_text(after)} does not occur, so there is nothing after it")
        start = separator + len(after)
        nothing = nothing_in(text[start:], f"the text after {value_text(after)}")
        if nothing is not None:
            return nothing
    span = _find_folded(text, expected, start) if ignore_case else _find(text, expected, start)
    if span is None:
        near = None if ignore_case or len(text) > MAX_HINTED else _find_folded(text, expected, start)
        return failed(_why_missing(text, expected, start, near))
    quote = text[max(0, span[0] - 20) : span[1] + 20]
    reason = f"found at character {span[0]}: {value_text(quote)}" if expected else "every text contains ''"
    evidence = (Evidence(text[span[0] : span[1]], None, *span),)
    return passed(reason, evidence=evidence, trivially_true=not expected)


def _find(text: str, expected: str, start: int) -> tuple[int, int] | None:
    position = text.find(expected, start)
    return None if position < 0 else (position, position + len(expected))


def _find_folded(text: str, expected: str, start: int) -> tuple[int, int] | None:
    wanted = fold(expected)
    if not wanted or wanted not in fold(text[start:]):
        return None
    folded, offsets = fold_with_offsets(text[start:])
    position = folded.find(wanted)
    return start + offsets[position], start + offsets[position + len(wanted) - 1] + 1


def _why_missing(text: str, expected: str, start: int, near: tuple[int, int] | None) -> str:
    if start and text.find(expected, 0, start) >= 0:
        return f"{value_text(expected)} occurs only before the separator"
    if near is not None:
        found = text[near[0] : near[1]]
        if found.casefold() == expected.casefold():
            return f"{OTHER_CASE} {value_text(found)}; ignoreCase finds that too"
        return f"found {value_text(found)}: case, quotes or invisible characters differ"
    if start:
        return f"the text after the separator is {value_text(text[start:])}"
    return f"the text is {value_text(text)}"


@matcher(
    "toContainEqual",
    layer=1,
    describe="contain an element equal to {expected}",
    wants=("an equal element", "no equal element"),
)
def contain_equal(subject: Speech | Sequence[Any], ctx: Context, expected: JsonValue) -> Verdict:
    """The list has an element that equals `expected`; of a text, a single character.

    On lists it is `contain`, which compares as deeply; it is here for those who know it from Jest.
    Anything but a text or a list is an `error` under both polarities: nothing can be in it.
    Source: Jest's toContainEqual.
    """
    if isinstance(subject, (list, tuple)):
        return _has_element(subject, expected)
    text = _text_to_search(subject)
    if isinstance(expected, str) and len(expected) == 1 and expected in text:
        return passed(f"character {text.index(expected)} is {value_text(expected)}")
    return failed(f"none of its characters is it: {value_text(text)}")


def _check_match(pattern: str, *, flags: str = "") -> None:
    from grice.matching.patterns import PatternError

    try:
        _compiled(pattern, flags, limits_in_force())
    except PatternError as error:
        raise ArgumentError(str(error)) from None


def _compiled(pattern: str, flags: str, limits: Limits) -> Pattern:
    return _compiled_within(pattern, flags, limits.regex_max_source_len, limits.regex_allowed_flags)


@lru_cache(maxsize=256)
def _compiled_within(pattern: str, flags: str, max_source: int, allowed_flags: str) -> Pattern:
    from grice.matching.patterns import compile_pattern

    return compile_pattern(pattern, flags, max_source=max_source, allowed_flags=allowed_flags)


def _read_match(expected: JsonValue) -> Arguments:
    """The arguments in a file: the pattern, or `{source, flags}`."""
    from grice.matching.json_text import json_text

    if isinstance(expected, str):
        return (expected,), {}
    if not isinstance(expected, Mapping):
        raise ArgumentError(f"expected a pattern or {{source, flags}}, found {json_text(expected)}")
    for name, value in expected.items():
        if name not in ("source", "flags"):
            hint = did_you_mean(str(name), ("source", "flags"))
            raise ArgumentError(f"unknown field {name!r}{hint}: a pattern has source and flags")
        if not isinstance(value, str) and not (name == "flags" and value is None):
            raise ArgumentError(f"{name}: expected a string, found {json_text(value)}")
    if "source" not in expected:
        raise ArgumentError(f"missing field 'source' in {json_text(expected)}")
    return (expected["source"],), {"flags": expected.get("flags") or ""}


def _prefilter_match(pattern: str, *, flags: str = "") -> Prefilter | None:
    from grice.matching.patterns import matches_everything

    if matches_everything(pattern, flags):
        return None
    search = _compiled(pattern, flags, limits_in_force()).search
    return lambda text: search(text) is not None


_PATTERN_SCHEMA = {
    "anyOf": [
        {"type": "string"},
        {
            "type": "object",
            "properties": {"source": {"type": "string"}, "flags": {"type": "string", "pattern": "^[imsu]*$"}},
            "required": ["source"],
            "additionalProperties": False,
        },
    ]
}


@matcher(
    "toMatch",
    layer=1,
    prefilter=_prefilter_match,
    describe="match /{pattern!s}/{flags!s}",
    check=_check_match,
    read=_read_match,
    schema=_PATTERN_SCHEMA,
    wants=("match", "no match"),
)
def match(subject: Speech, ctx: Context, pattern: str, *, flags: str = "") -> Verdict:
    """Some part of the text matches the regular expression, on RE2, which cannot hang.

    Patterns are written as in JavaScript; `flags` are its i, m, s and u. A pattern that RE2 cannot express
    is an `error` under both polarities, as is a subject that is no text. What is empty or white space only is
    `inconclusive`, except as a value at a path. Only the first 100,000 characters are tested, and the
    verdict says when more were there. A pattern that every text matches, such as an empty one, passes and is
    marked trivially true.
    """
    from grice.matching.patterns import PatternError, is_settled, matches_everything

    text = clean_text(text_of(subject))
    limits = ctx.bounds
    try:
        span = _compiled(pattern, flags, limits).search(text[: limits.regex_max_test_str_len])
    except PatternError as error:
        return errored(str(error))
    if (nothing := _nothing_in(text, ctx)) is not None:
        return nothing
    most = limits.regex_max_test_str_len
    untested = f"the first {most:,} of {len(text):,} characters; the rest was not tested"
    cut = len(text) > most
    if span is None:
        return inconclusive(f"no match in {untested}") if cut else failed(f"the text is {value_text(text)}")
    found = text[span[0] : span[1]]
    if span[0] == 0 and matches_everything(pattern, flags):
        return passed("the pattern matches every text", trivially_true=True)
    reason = f"found {value_text(found)} at character {span[0]}"
    if cut and not is_settled(pattern, span, max_subject=most):
        return inconclusive(f"{reason}, at the end of {untested}")
    if not cut:
        return passed(reason, evidence=(Evidence(found, None, *span),))
    return passed(
        f"{reason} of {untested}", evidence=(Evidence(found, None, *span, note=f"tested: {untested}"),)
    )


@matcher(
    "toStartWith",
    layer=1,
    prefilter=lambda expected: lambda text: text.startswith(expected),
    wants=("it at the start", "it not at the start"),
)
def start_with(subject: Speech, ctx: Context, expected: Text) -> Verdict:
    """The text begins with `expected`, case and white space included.

    What is empty is `inconclusive`, except as a value at a path; a subject that is no text is an `error`.
    Source: jest-extended's toStartWith.
    """
    text = text_of(subject)
    if (nothing := _nothing_in(text, ctx)) is not None:
        return nothing
    if text.startswith(expected):
        return passed(f"it starts with {value_text(text[: len(expected)])}")
    return failed(f"it starts with {value_text(text[: max(len(expected), 20)])}")


@matcher(
    "toEndWith",
    layer=1,
    prefilter=lambda expected: lambda text: text.endswith(expected),
    wants=("it at the end", "it not at the end"),
)
def end_with(subject: Speech, ctx: Context, expected: Text) -> Verdict:
    """The text ends with `expected`, case and white space included.

    What is empty is `inconclusive`, except as a value at a path; a subject that is no text is an `error`.
    Source: jest-extended's toEndWith.
    """
    text = text_of(subject)
    if (nothing := _nothing_in(text, ctx)) is not None:
        return nothing
    if text.endswith(expected):
        return passed(f"it ends with {value_text(text[-len(expected) :])}")
    return failed(f"it ends with {value_text(text[-max(len(expected), 20) :])}")


@matcher("toBeValidJson", layer=1, describe="be valid JSON", wants=("valid JSON", "anything but valid JSON"))
def be_valid_json(subject: Speech, ctx: Context) -> Verdict:
    """The whole text is one JSON value (RFC 8259); NaN, comments and code fences are not JSON.

    What is empty is `inconclusive`, except as a value at a path; a subject that is no text is an `error`.
    """
    text = text_of(value_of(subject))
    if (nothing := _nothing_in(text, ctx)) is not None:
        return nothing
    from grice.matching.json_parsing import json_problem

    problem = json_problem(text)
    return passed(f"it is JSON: {value_text(text)}") if problem is None else failed(problem)
