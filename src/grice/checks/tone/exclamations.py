"""How often a reply exclaims."""

from __future__ import annotations

import re

from grice.checks.profiles import Profile
from grice.checks.tone.speech import Said, evidence_at, judge_wording, nothing_said, prose, unquoted
from grice.matching.argument_types import AtLeastZero
from grice.matching.context import Context
from grice.matching.matcher import matcher
from grice.matching.subjects import Speech
from grice.records import Evidence, Verdict, failed, passed
from grice.text import value_text
from grice.text.normalised import Normalised

MAX_EVIDENCE = 10

_MARKS = "!\u2757\u2755"
_RUN = re.compile(f"[?{_MARKS}]*[{_MARKS}][?{_MARKS}]*")
_BEFORE_NONE = frozenset("([{<#=/\\@&$%^*")
_NAMES = re.compile(r"(?i)\b(?:yahoo|joomla|jeopardy|yum|ahoy|mamma mia|guess|moulin rouge|wham|airplane)$")
_NAME_BEFORE = re.compile(r"[^\W\d_]['\w]*$")
_ENDS_BEFORE = re.compile('(?:^|[.!?:;\u2026\u3002\n"(\u00a4-])\\s*$')
_GOES_ON = re.compile(r"!(?:\s+[a-z]|['\u2019]s\b|,)")
_NOT_OVER = re.compile(r"\s+[a-z]")
_SUM = re.compile(r"\s*[=+*/-]")
_LONGEST_WORD = 40


def _marks(count: int) -> str:
    return f"{count} exclamation mark{'' if count == 1 else 's'}"


@matcher("toHaveAtMostExclamations", layer=1, describe="have at most {limit:exclamation mark}")
def have_at_most_exclamations(
    subject: Speech, ctx: Context, limit: AtLeastZero = 1, *, profile: Profile = "robust"
) -> Verdict:
    """The reply exclaims at most `limit` times.

    `robust` counts the marks that end what the reply says, each of "!!!", full-width and emoji marks too, and
    none in code, in quotation marks, in quoted lines, inside words and addresses, or in names ("Yahoo!").
    It works in every language. `seed` counts every "!". An empty text, or one of nothing but code and quotes,
    is `inconclusive`.
    """
    return judge_wording(subject, ctx, lambda told: _judged(told, limit, profile))


def _judged(told: Said, limit: int, profile: Profile) -> Verdict:
    if profile == "seed":
        places = [place for place, mark in enumerate(told.text) if mark == "!"]
        marks = [
            Evidence("!", told.turn, place, place + 1) if told.exact else Evidence("!", told.turn)
            for place in places[:MAX_EVIDENCE]
        ]
        return _verdict(len(places), limit, tuple(marks))
    normal = prose(told.text)
    text = unquoted(normal.text)
    nothing = nothing_said(text)
    if nothing is not None:
        return nothing
    found = [
        place
        for run in _RUN.finditer(text)
        if _exclaims(text, *run.span())
        for place in range(*run.span())
        if text[place] != "?"
    ]
    shown = tuple(_sentence(told, normal, place) for place in found[:MAX_EVIDENCE])
    return _verdict(len(found), limit, shown)


def _verdict(count: int, limit: int, evidence: tuple[Evidence, ...]) -> Verdict:
    if count <= limit:
        return passed(f"found {count}", evidence=evidence)
    quotes = ", ".join(dict.fromkeys(value_text(one.quote) for one in evidence if one.quote != "!"))
    more = ", ..." if quotes and count > len(evidence) else ""
    reason = f"found {_marks(count)}, expected at most {limit}"
    return failed(f"{reason}: {quotes}{more}" if quotes else reason, evidence=evidence)


def _sentence(told: Said, normal: Normalised, place: int) -> Evidence:
    """The mark with the few words before it."""
    text = normal.text
    start = max(0, place - _LONGEST_WORD)
    cut = max(text.rfind(one, start, place - 1) for one in ".!?\n") + 1 if place else 0
    start = max(start, cut)
    while start < place and text[start].isspace():
        start += 1
    return evidence_at(told, normal, start, place + 1)


def _exclaims(text: str, start: int, end: int) -> bool:
    """Whether the marks at this place end something that is said."""
    if not _is_plain(text[start:end]):
        return True
    before = text[start - 1] if start else ""
    after = text[end : end + 1]
    if not before or before in _BEFORE_NONE:
        return False
    if after and (after in "=/[{<#$\u00a4" or after.isdigit() or after.islower()):
        return False
    if after.isalpha() and not before.isalpha():
        return False
    if before.isspace() and (_NOT_OVER.match(text, end) or (after and not after.isspace())):
        return False  # a command (!!) or a mark before a word; the French end a sentence so
    if before.isdigit() and _SUM.match(text, end):
        return False  # a factorial
    return not _in_name(text, start, end)


def _is_plain(run: str) -> bool:
    return run.strip("!?") == ""


def _in_name(text: str, place: int, end: int) -> bool:
    """Whether the mark belongs to a name: `Yahoo! Mail`, `your Jeopardy! tickets`."""
    if end - place > 1:
        return False
    head = text[max(0, place - _LONGEST_WORD) : place]
    if _NAMES.search(head):
        return bool(text[end : end + _LONGEST_WORD].strip(" .\n"))
    word = _NAME_BEFORE.search(head)
    if word is None or not word[0][0].isupper() or not _GOES_ON.match(text, place):
        return False
    return not _ENDS_BEFORE.search(head[: word.start()])
