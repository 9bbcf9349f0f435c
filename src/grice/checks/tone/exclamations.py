"""How often a reply exclaims."""

from __future__ import annotations

import re

from grice.checks.profiles import Profile, check_profile
from grice.checks.tone.speech import Said, evidence_at, prose, said, unquoted
from grice.matching.context import Context
from grice.matching.matcher import ArgumentError, matcher
from grice.matching.subjects import Speech, nothing_in
from grice.records import Evidence, Verdict, failed, inconclusive, passed
from grice.text import value_text
from grice.text.normalised import Normalised

__all__ = ["have_at_most_exclamations"]

MAX_EVIDENCE = 10

_MARK = re.compile("[!\u2757\u2755]")
_BEFORE_NONE = frozenset("([{<#=/\\@&$%^*")
_NAMES = re.compile(r"(?i)\b(?:yahoo|joomla|jeopardy|yum|ahoy|mamma mia|guess|moulin rouge|wham|airplane)$")
_NAME_BEFORE = re.compile(r"[^\W\d_]['\w]*$")
_ENDS_BEFORE = re.compile("(?:^|[.!?:;\u2026\u3002\n\"(\u00a4-])\\s*$")
_GOES_ON = re.compile(r"!(?:\s+[a-z]|['\u2019]s\b|,)")
_LONGEST_WORD = 40


def _check(limit: object = 1, *, profile: object = "robust") -> None:
    check_profile(profile)
    if isinstance(limit, bool) or not isinstance(limit, int) or limit < 0:
        raise ArgumentError(f"the limit is a number of exclamation marks from 0 up, found {value_text(limit)}")


def _describe(limit: int = 1, *, profile: Profile = "robust") -> str:
    return f"have at most {_marks(limit)}"


def _marks(count: int) -> str:
    return f"{count} exclamation mark{'' if count == 1 else 's'}"


@matcher("toHaveAtMostExclamations", layer=1, describe=_describe, check=_check)
def have_at_most_exclamations(
    subject: Speech, ctx: Context, limit: int = 1, *, profile: Profile = "robust"
) -> Verdict:
    """The reply exclaims at most `limit` times.

    `robust` counts the marks that end what the reply says, each of "!!!", full-width and emoji marks too, and
    none in code, in quotation marks, in quoted lines, inside words and addresses, or in names ("Yahoo! mail").
    It works in every language. `seed` counts every "!". An empty text, or one of nothing but code and quotes,
    is `inconclusive`. Source: seed 001, layer 1B.
    """
    told = said(subject, ctx)
    nothing = nothing_in(told.text)
    if nothing is not None:
        return nothing
    if profile == "seed":
        places = [place for place, mark in enumerate(told.text) if mark == "!"]
        marks = [
            Evidence("!", told.turn, place, place + 1) if told.exact else Evidence("!", told.turn)
            for place in places[:MAX_EVIDENCE]
        ]
        return _verdict(len(places), limit, tuple(marks))
    normal = prose(told.text)
    text = unquoted(normal.text)
    if not text.strip("\u00a4 \n\"'"):
        return inconclusive("the text has nothing but code and quotes: there is nothing to count in")
    found = [mark.start() for mark in _MARK.finditer(text) if _exclaims(text, mark.start())]
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


def _exclaims(text: str, place: int) -> bool:
    """Whether the mark at this place ends something that is said."""
    if text[place] != "!":
        return True
    before = text[place - 1] if place else ""
    after = text[place + 1 : place + 2]
    if not before or before in _BEFORE_NONE:
        return False
    if after and (after in "=/[{<#\u00a4" or after.isdigit() or after.islower()):
        return False
    if after.isalpha() and not before.isalpha():
        return False
    if before.isspace() and after and not after.isspace() and after not in "!?":
        return False
    if before.isdigit() and re.match(r"!\s*[=+*/-]", text[place : place + 5]):
        return False  # a factorial
    return not _in_name(text, place)


def _in_name(text: str, place: int) -> bool:
    """Whether the mark belongs to a name: `Yahoo! Mail`, `your Jeopardy! tickets`."""
    head = text[max(0, place - _LONGEST_WORD) : place]
    if _NAMES.search(head):
        return text[place + 1 : place + 2] != "!" and bool(text[place + 1 :].strip(" .\n"))
    word = _NAME_BEFORE.search(head)
    if word is None or not word[0][0].isupper() or not _GOES_ON.match(text, place):
        return False
    return not _ENDS_BEFORE.search(head[: word.start()])
