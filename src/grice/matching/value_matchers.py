"""Matchers on texts and values: contain, equal, match."""

from __future__ import annotations

from bisect import bisect_left

from grice.matching.context import Context
from grice.matching.equality import first_difference, json_equal
from grice.matching.matcher import matcher
from grice.matching.patterns import MAX_SUBJECT, PatternError, is_settled, search
from grice.matching.subjects import Speech, nothing_in, text_of, value_of
from grice.records import Evidence, JsonValue, Verdict, clean_text, errored, failed, inconclusive, passed
from grice.text import fold, fold_with_offsets, shorten, value_text

__all__ = ["contain", "equal", "match"]

SHOWN_WHOLE = 100


def _describe_contain(expected: str, *, after: str | None = None, ignore_case: bool = False) -> str:
    words = f"contain {value_text(expected)}"
    if after is not None:
        words += f" after {value_text(after)}"
    return f"{words}, in any case" if ignore_case else words


@matcher("toContain", describe=_describe_contain)
def contain(
    subject: Speech,
    ctx: Context,
    expected: str,
    *,
    after: str | None = None,
    ignore_case: bool = False,
) -> Verdict:
    """The text contains `expected`.

    With `after`, only the text after the first occurrence of that separator counts; without the separator
    there is nothing to look at. `ignore_case` also takes curly quotes for straight ones. Text that is empty
    or white space only is `inconclusive`. Source: seed 000, layers 1 and 4.
    """
    if not isinstance(expected, str) or not expected:
        return errored(f"expected is a text that is not empty, found {value_text(expected)}")
    text = text_of(subject)
    if after is not None and (not isinstance(after, str) or not after):
        return errored(f"after is a text that is not empty, found {value_text(after)}")
    nothing, start = nothing_in(text), 0
    if nothing is None and after is not None:
        separator = text.find(after)
        if separator < 0:
            return inconclusive(f"{value_text(after)} does not occur, so there is nothing after it")
        start = separator + len(after)
        nothing = nothing_in(text[start:], f"the text after {value_text(after)}")
    if nothing is not None:
        return nothing
    span = _find_folded(text, expected, start) if ignore_case else _find(text, expected, start)
    if span is None:
        near = None if ignore_case else _find_folded(text, expected, start)
        return failed(_why_missing(text, expected, start, near))
    quote = text[max(0, span[0] - 20) : span[1] + 20]
    reason = f"found at character {span[0]}: {value_text(quote)}"
    return passed(reason, evidence=(Evidence(text[span[0] : span[1]], None, *span),))


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
        return f"found {value_text(text[near[0] : near[1]])}: case, quotes or invisible characters differ"
    if start:
        return f"the text after the separator is {value_text(text[start:])}"
    return f"the text is {value_text(text)}"


@matcher("toEqual", describe=lambda expected: f"equal {value_text(expected)}")
def equal(subject: Speech | JsonValue, ctx: Context, expected: object) -> Verdict:
    """The value is the same JSON value as `expected`; of a reply or turn, its text.

    Booleans are not numbers, 1 equals 1.0, key order does not count. Any object with its own `==`, such as
    those of dirty-equals, works as expected value, nested too. Source: seed 002.
    """
    value = value_of(subject)
    if json_equal(value, expected):
        return passed(f"it is {value_text(value)}")
    return failed(_why_unequal(value, expected))


def _why_unequal(value: object, expected: object) -> str:
    place = first_difference(value, expected)
    if isinstance(place.actual, str) and isinstance(place.expected, str):
        at = _common_length(place.actual, place.expected)
        if at > SHOWN_WHOLE:
            actual, wanted = (text[at - 20 : at + 60] for text in (place.actual, place.expected))
            where = "" if place.path == "$" else f"{place.path} "
            return (
                f"{where}differs from character {at}: found ...{value_text(actual)}, "
                f"expected ...{value_text(wanted)}"
            )
    if place.path == "$":
        return f"found {value_text(value)}"
    return f"at {place.path}: found {value_text(place.actual)}, expected {value_text(place.expected)}"


def _common_length(one: str, other: str) -> int:
    """How many characters at their beginnings two different texts have in common."""
    sizes = range(1, min(len(one), len(other)) + 1)
    return bisect_left(sizes, True, key=lambda size: one[:size] != other[:size])


@matcher(
    "toMatch",
    describe=lambda pattern, *, flags="": f"match /{shorten(pattern, 200)}/{flags}",
)
def match(subject: Speech, ctx: Context, pattern: str, *, flags: str = "") -> Verdict:
    """Some part of the text matches the regular expression, on RE2, which cannot hang.

    `flags` are JavaScript's i, m, s and u. A pattern that RE2 cannot express is an `error` under both
    polarities; text that is empty or white space only is `inconclusive`. Only the first 100,000 characters
    are tested, and the verdict says when more were there.
    Source: seed 002.
    """
    text = clean_text(text_of(subject))
    try:
        span = search(pattern, flags, text)
    except PatternError as error:
        return errored(str(error))
    nothing = nothing_in(text)
    if nothing is not None:
        return nothing
    untested = f"the first {MAX_SUBJECT:,} of {len(text):,} characters; the rest was not tested"
    cut = len(text) > MAX_SUBJECT
    if span is None:
        return inconclusive(f"no match in {untested}") if cut else failed(f"the text is {value_text(text)}")
    found = text[span[0] : span[1]]
    reason = f"found {value_text(found)} at character {span[0]}"
    if cut and not is_settled(pattern, span):
        return inconclusive(f"{reason}, at the end of {untested}")
    return passed(f"{reason} of {untested}" if cut else reason, evidence=(Evidence(found, None, *span),))
