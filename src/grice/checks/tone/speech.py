"""What a reply itself says: its prose without code and without quotations."""

from __future__ import annotations

import re
from collections.abc import Callable

import msgspec

from grice.checks.structure.envelope_parts import shown_texts, spoken_text
from grice.matching.context import Context
from grice.matching.subjects import nothing_in, text_of
from grice.records import Evidence, Reply, Turn, Verdict, fold_all, inconclusive
from grice.text.normalised import Normalised, normalise

UNKNOWN_HISTORY = "the turns before this one are not known: judge a Reply, or a turn of a conversation"

_LEFT_OUT = "\u00a4"  # neither a letter, a digit nor white space: what is left out ends every phrase
_FENCE = re.compile(r"(?m)^[ \t]*(`{3,}|~{3,})")
_INLINE_CODE = re.compile(r"`[^`\n]+`")
_QUOTED_LINE = re.compile(r"(?m)^[ \t]{0,3}>[^\n]*")
_MAX_QUOTE = 600
_MAX_APOSTROPHES = 12
_PAIRS = {"\u00ab": "\u00bb", "\u300c": "\u300d", "\u300e": "\u300f", "\u300a": "\u300b"}
_OPENS = re.compile("[\"'\u00ab\u300c\u300e\u300a]")


class Said(msgspec.Struct, frozen=True):
    """What the user reads of a reply: its text, or lead and detail of its envelope.

    `exact` says that offsets into `text` are offsets into the text of the subject. `turn` counts from 1.
    """

    text: str
    exact: bool = True
    turn: int | None = None


def judge_wording(subject: object, ctx: Context, judged: Callable[[Said], Verdict]) -> Verdict:
    """Judge by a rule on wording: the text, and lead and detail of the data where they differ.

    Both have to hold then, and the reason names each. Raises Unsuitable for what has no text.
    """
    number = ctx.turn.number if ctx.turn is not None else None
    verdicts = []
    for told in _wordings(subject, number):
        nothing = nothing_in(told.text)
        verdicts.append(judged(told) if nothing is None else nothing)
    if len(verdicts) == 1:
        return verdicts[0]
    outcome = fold_all(one.outcome for one in verdicts)
    named = zip(("the text", "lead and detail"), verdicts, strict=True)
    reasons = {name: one.reason for name, one in named if one.outcome is outcome}
    if len(reasons) > 1 and len(set(reasons.values())) == 1:
        reasons = {"both": verdicts[0].reason}
    said = "; ".join(f"{name}: {reason}" for name, reason in reasons.items())
    reason = f"the text and the envelope differ; {said}"
    evidence = tuple(place for one in verdicts if one.outcome is outcome for place in one.evidence)
    return Verdict(outcome, reason, evidence)


def earlier_said(ctx: Context, told: Said, window: int | None = None) -> list[Said] | None:
    """The texts of the turns before, oldest first, without empty ones; None when the turns are not known.

    Of a turn with a text and an envelope that differ it is what is like `told`. `window` counts turns that
    said something.
    """
    if ctx.conversation is None or ctx.turn is None:
        return None
    found: list[Said] = []
    for turn in reversed(ctx.earlier_turns()):
        if window is not None and len(found) == window:
            break
        several = _wordings(turn, turn.number)
        spoken = several[0 if told.exact else -1]
        if spoken.text.strip():
            found.append(spoken)
    return found[::-1]


def _wordings(subject: object, number: int | None) -> list[Said]:
    """The text and lead and detail, where they differ; else what there is of them."""
    whole = text_of(subject)
    if not isinstance(subject, Reply | Turn):
        spoken = spoken_text(subject)
        return [Said(spoken, spoken == whole, number)]
    text, spoken = shown_texts(subject)
    found = [Said(text, exact=True, turn=number)] if text else []
    if spoken:
        found.append(Said(spoken, exact=False, turn=number))
    return found or [Said(whole, exact=True, turn=number)]


def prose(text: str) -> Normalised:
    """The text as prose; code and lines of block quotes are left out, at the same offsets."""
    blanked = _QUOTED_LINE.sub(_leave_out, _INLINE_CODE.sub(_leave_out, _without_fences(text)))
    return normalise(blanked)


def unquoted(text: str) -> str:
    """A prose text of the same length in which what stands in quotation marks is left out.

    Quotation marks around the whole text quote nothing.
    """
    parts: list[str] = []
    done = place = 0
    whole = len(text.strip())
    while (opening := _OPENS.search(text, place)) is not None:
        start = opening.start()
        end = _end_of_quote(text, start)
        place = start + 1
        if end - start < 2 or end - start >= whole:
            continue
        parts += [text[done : start + 1], _LEFT_OUT * (end - start - 2), text[end - 1]]
        done = place = end
    return "".join(parts) + text[done:] if parts else text


def nothing_said(text: str) -> Verdict | None:
    """The verdict on a text that has nothing but code and quotations; None for any other."""
    if text.strip(f"{_LEFT_OUT} \n\"'"):
        return None
    return inconclusive("the text has nothing but code and quotes: there is nothing to look at")


def evidence_at(told: Said, normal: Normalised, start: int, end: int, note: str = "") -> Evidence:
    """The place in the original of `normal.text[start:end]`, with its words."""
    first, last = normal.span(start, end)
    quote = told.text[first:last]
    if not told.exact:
        return Evidence(quote, told.turn, note=note)
    return Evidence(quote, told.turn, first, last, note=note)


def _leave_out(found: re.Match[str]) -> str:
    return _LEFT_OUT * len(found[0])


def _without_fences(text: str) -> str:
    """The text with its fenced code left out; a fence that nobody closes runs to the end."""
    if "```" not in text and "~~~" not in text:
        return text
    parts: list[str] = []
    done = 0
    opened: re.Match[str] | None = None
    for fence in _FENCE.finditer(text):
        if opened is None:
            parts.append(text[done : fence.start()])
            opened, done = fence, fence.start()
        elif fence[1][0] == opened[1][0] and len(fence[1]) >= len(opened[1]):
            parts.append(_blank(text[done : fence.end()]))
            opened, done = None, fence.end()
    parts.append(_blank(text[done:]) if opened is not None else text[done:])
    return "".join(parts)


def _blank(text: str) -> str:
    return re.sub(r"[^\n]", _LEFT_OUT, text)


def _end_of_quote(text: str, start: int) -> int:
    """Where the quotation that opens at `start` ends, `start` when nothing is quoted there."""
    mark = text[start]
    before = text[start - 1] if start else " "
    after = text[start + 1 : start + 2]
    if mark in "\"'" and (before.isalnum() or not after or after.isspace()):
        return start  # an apostrophe, inches, or a mark that closes what nobody opened
    limit = min(len(text), start + _MAX_QUOTE)
    line_end = text.find("\n", start, limit)
    limit = line_end if line_end >= 0 else limit
    closing = _PAIRS.get(mark, mark)
    place = text.find(closing, start + 1, limit)
    for _ in range(_MAX_APOSTROPHES):
        if place < 0:
            break
        follows = text[place + 1 : place + 2]
        if mark != "'" or not (follows.isalnum() or text[place - 1].isspace()):
            return place + 1
        place = text.find(closing, place + 1, limit)
    return start
