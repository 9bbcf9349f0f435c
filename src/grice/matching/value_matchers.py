"""Matchers on texts and values: contain, equal, match."""

from __future__ import annotations

from grice.matching.context import Context
from grice.matching.equality import json_equal
from grice.matching.matcher import matcher
from grice.matching.patterns import MAX_SUBJECT, PatternError, search
from grice.matching.subjects import Speech, text_of, value_of
from grice.matching.transcript import value_text
from grice.records import Evidence, JsonValue, Verdict, errored, failed, inconclusive, passed
from grice.text import fold_with_offsets

__all__ = ["contain", "equal", "match"]


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
    there is nothing to look at. `ignore_case` also takes curly quotes for straight ones. An empty text is
    `inconclusive`. Source: seed 000, layers 1 and 4.
    """
    if not isinstance(expected, str) or not expected:
        return errored(f"expected is a text that is not empty, found {value_text(expected)}")
    text = text_of(subject)
    if not text:
        return inconclusive("the text is empty: there is nothing to look at")
    start = 0
    if after is not None:
        separator = text.find(after)
        if separator < 0:
            return inconclusive(f"{value_text(after)} does not occur, so there is nothing after it")
        start = separator + len(after)
    span = _find_folded(text, expected, start) if ignore_case else _find(text, expected, start)
    if span is None:
        return failed(_why_missing(text, expected, start))
    quote = text[max(0, span[0] - 20) : span[1] + 20]
    reason = f"found at character {span[0]}: {value_text(quote)}"
    return passed(reason, evidence=(Evidence(text[span[0] : span[1]], start=span[0], end=span[1]),))


def _find(text: str, expected: str, start: int) -> tuple[int, int] | None:
    position = text.find(expected, start)
    return None if position < 0 else (position, position + len(expected))


def _find_folded(text: str, expected: str, start: int) -> tuple[int, int] | None:
    folded, offsets = fold_with_offsets(text[start:])
    wanted, _ = fold_with_offsets(expected)
    position = folded.find(wanted) if wanted else -1
    if position < 0:
        return None
    return start + offsets[position], start + offsets[position + len(wanted) - 1] + 1


def _why_missing(text: str, expected: str, start: int) -> str:
    if start and expected in text:
        return f"{value_text(expected)} occurs only before the separator"
    other_case = _find_folded(text, expected, start)
    if other_case is not None:
        return f"found {value_text(text[other_case[0] : other_case[1]])}: the case differs"
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
    return failed(f"found {value_text(value)}")


@matcher(
    "toMatch",
    describe=lambda pattern, *, flags="": f"match /{pattern}/{flags}",
)
def match(subject: Speech, ctx: Context, pattern: str, *, flags: str = "") -> Verdict:
    """Some part of the text matches the regular expression, on RE2, which cannot hang.

    `flags` are JavaScript's i, m, s and u. A pattern that RE2 cannot express is an `error` under both
    polarities. Only the first 100,000 characters are tested, and the verdict says when more were there.
    Source: seed 002.
    """
    text = text_of(subject)
    try:
        span = search(pattern, flags, text)
    except PatternError as error:
        return errored(str(error))
    if not text:
        return inconclusive("the text is empty: there is nothing to look at")
    cut = len(text) > MAX_SUBJECT
    if span is not None:
        found = text[span[0] : span[1]]
        return passed(
            f"found {value_text(found)} at character {span[0]}",
            evidence=(Evidence(found, start=span[0], end=span[1]),),
        )
    if cut:
        return inconclusive(
            f"no match in the first {MAX_SUBJECT:,} of {len(text):,} characters; the rest was not tested"
        )
    return failed(f"the text is {value_text(text)}")
