"""The claims of a reply: which of its sentences say something that facts can settle, and their clauses."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import lru_cache
from operator import attrgetter
from typing import Any

import msgspec

from grice.checks.evidence.lexicon import Lexicon
from grice.checks.evidence.terms import Reading, Term, read_text
from grice.text.normalised import Normalised
from grice.text.quantities import Quantity
from grice.text.sentences import sentences
from grice.text.times import Moment
from grice.text.words import Word

__all__ = ["Claim", "Clause", "claims_of"]

MAX_INTERJECTION = 2
"""Words that may stand beside an interjection ("Thanks so much,") for it to be one still."""

_CUT = re.compile(
    r"[;!?]+|,(?!\d)|[()\[\]]|\s[-\u2013\u2014]+\s|\u2014|\.\s"
    r"|\b(?:and|but|while|whereas|which|plus|though|although|however|yet|or|because|so|as well as"
    r"|(?<!come )(?<!comes )(?<!ship )(?<!ships )with)\b",
    re.IGNORECASE,
)
_CUT_AT_COLONS = re.compile(rf":\s|{_CUT.pattern}", re.IGNORECASE)
_AFTER_COMMAND = frozenset(
    (
        *("your", "the", "a", "an", "our", "it", "this", "that", "these", "them", "him", "her", "my", "all"),
        *("to", "on", "out", "for", "at", "up", "by", "with", "into", "from", "us", "me", "both", "some"),
        *("sure", "any", "if", "whether"),
    )
)
"""What follows a verb that asks the user to do something, where it is no noun."""


class Clause(msgspec.Struct, frozen=True, gc=False):
    """A part of a claim with one thing to say.

    A `soft` one says what the speaker thinks, does or wishes the user: only its amounts, dates and ids are
    facts, and only what facts speak against counts of a benefit; `personal` says it is what the speaker
    thinks or does. A `wish` says what the user may want, which is no condition. `start` and `end` are its
    place in the prose.
    """

    start: int
    end: int
    soft: bool
    personal: bool
    wish: bool
    terms: Sequence[Term]
    quantities: Sequence[Quantity]
    moments: Sequence[Moment]
    stems: Sequence[str]
    tokens: Sequence[Word]


class Claim(msgspec.Struct, frozen=True, gc=False):
    """A sentence that says something: its `text`, its place in the prose, its clauses."""

    text: str
    start: int
    end: int
    clauses: Sequence[Clause]
    stems: frozenset[str]


def claims_of(prose: Normalised, lexicon: Lexicon, *, strict: bool = False) -> list[Claim]:
    """The sentences of a reply that claim something.

    Questions, greetings, thanks, offers and invitations claim nothing. What somebody thinks, advises or does
    is soft: only amounts, dates and ids in it are held against facts. `strict` is for texts that are there to
    claim, such as the reasons for a product: nothing in them is soft but what the speaker says of himself.
    """
    found = _claims_of(prose.text, lexicon, strict)
    if prose.original is prose.text or "#" not in prose.original:
        return list(found)
    return [_as_heading(one) if _is_heading(one, prose) else one for one in found]


MAX_MARKS = 12
"""Characters in which the marks of a heading stand before it."""


def _is_heading(claim: Claim, prose: Normalised) -> bool:
    start = prose.offsets[claim.start]
    marks = prose.original[max(0, start - MAX_MARKS) : start].rpartition("\n")[2]
    return marks.lstrip().startswith("#")


def _as_heading(claim: Claim) -> Claim:
    """A heading: what it is about is no claim, but its amounts are."""
    clauses = [msgspec.structs.replace(one, soft=True, personal=True) for one in claim.clauses]
    return msgspec.structs.replace(claim, clauses=clauses)


@lru_cache(maxsize=8)
def _claims_of(text: str, lexicon: Lexicon, strict: bool) -> tuple[Claim, ...]:
    """The claims. They are remembered: several checks look at one reply."""
    reading = read_text(text, lexicon)
    found: list[Claim] = []
    cursor = 0
    for sentence in sentences(text, lexicon.pack.code):
        start = _place_of(sentence, text, cursor)
        cursor = start + len(sentence)
        claim = _claim(reading, start, min(cursor, len(text)), lexicon, strict=strict)
        if claim is not None:
            found.append(claim)
    return tuple(found)


def _place_of(sentence: str, text: str, cursor: int) -> int:
    place = text.find(sentence, cursor)
    if place < 0:  # pieces of it were joined
        place = text.find(sentence[:12], cursor)
    return place if place >= 0 else cursor


def _claim(reading: Reading, start: int, end: int, lexicon: Lexicon, *, strict: bool) -> Claim | None:
    text = reading.text[start:end]
    tokens = range(*_between(reading.tokens, start, end))
    stems = [reading.stems[place] for place in tokens]
    asks = text.rstrip(" \"')*").endswith("?")
    if not tokens or (asks and not lexicon.hedges.begin(stems)):
        return None
    clauses: list[Clause] = []
    soft = False
    for begin, stop in _cuts(text, start, at_colons=lexicon.soft.begin(stems)):
        clause = _clause(reading, begin, stop, lexicon)
        if clause is None:
            continue
        if _asks_for(clause, lexicon):
            break
        if not clauses and (not strict or lexicon.soft.begin(clause.stems)):
            opening = _opening(clause, stems, reading.text, lexicon)
            if opening == "interjection":
                stems = stems[len(clause.stems) :]
                continue
            if opening == "nothing":
                return None
            clause = _behind_head(clause, lexicon) if opening == "headed" else clause
            soft = opening == "soft"
        if soft and clauses:
            soft = _stays_soft(clause, begin, reading.text, lexicon)
        linked = clause.tokens[0].text in _SO
        wish = lexicon.wishes.begin(clause.stems[1:] if linked else clause.stems)
        benefit = wish or (not strict and _is_benefit(clause, reading.text, lexicon))
        clauses.append(msgspec.structs.replace(clause, soft=soft or benefit, personal=soft, wish=wish))
    if not clauses:
        return None
    clauses = _with_opener(clauses, text, lexicon)
    return Claim(text, start, end, clauses, frozenset(stems))


def _with_opener(clauses: list[Clause], text: str, lexicon: Lexicon) -> list[Clause]:
    """The clauses, soft too where they only lead up to more: "For weekend hikes, I'd go with ...", "To
    update it:".
    """
    first = clauses[0]
    if len(clauses) == 1 and text.rstrip().endswith(":"):
        return [msgspec.structs.replace(first, soft=True, personal=True)]
    if len(clauses) > 1 and first.tokens[0].text in _OPENERS and lexicon.soft.begin(clauses[1].stems):
        return [msgspec.structs.replace(one, soft=True, personal=True) for one in clauses[:2]] + clauses[2:]
    return clauses


_OPENERS = frozenset(("for", "with", "given", "since", "as", "in", "on", "at", "to", "from", "based"))


def _stays_soft(clause: Clause, begin: int, text: str, lexicon: Lexicon) -> bool:
    """Whether a clause of a soft sentence is soft too: not so "I'm not sure, but it was founded in 1994",
    and not "I've checked: it's open".
    """
    turns = text[begin : begin + 3].casefold() == "but" or text[begin] in ":;"
    turns = turns or (text[begin] == "," and [word.text for word in clause.tokens[:2]] in _THEY_ARE)
    return not turns or lexicon.soft.begin(clause.stems)


def _behind_head(clause: Clause, lexicon: Lexicon) -> Clause:
    """The clause without the interjection that heads it: "Good news: it's in stock"."""
    length = lexicon.silent.length(clause.stems)
    length += lexicon.reporting.length(clause.stems, length)
    if length >= len(clause.tokens):
        return clause
    start = clause.tokens[length].start
    return msgspec.structs.replace(
        clause,
        start=start,
        terms=[one for one in clause.terms if one.start >= start],
        stems=clause.stems[length:],
        tokens=clause.tokens[length:],
    )


def _commands(clause: Clause, text: str, lexicon: Lexicon) -> bool:
    """Whether a clause tells the user what to do: check the size chart, so keep it upright."""
    said = [word.text for word in clause.tokens[:3]]
    if len(said) > 1 and said[0] in _SO and said[1] in lexicon.imperatives:
        return True
    if len(said) > 1 and said[0] in _STEPS and text[clause.tokens[1].start].isupper():
        return True
    said = [*(said[1:] if said[0] in _LINKS else said), "", ""]
    return said[0] in lexicon.pointers or (said[0] in lexicon.imperatives and said[1] in _AFTER_COMMAND)


_THEY_ARE = [
    [pronoun, verb]
    for pronoun, verbs in (
        ("they", "are were have"),
        ("it", "is was has"),
        ("he", "is was"),
        ("she", "is was"),
    )
    for verb in verbs.split()
]
"""How a clause begins that goes on about a thing, where the one before it said what somebody thinks."""

_STEPS = frozenset(("open", "go", "click", "tap", "press", "select", "choose", "visit", "enter", "restart"))
"""Verbs that ask for a step when a name is behind them: open Settings."""

_SO = frozenset(("so", "then"))
_LINKS = frozenset(("so", "then", "just", "and", "but", "also"))


def _asks_for(clause: Clause, lexicon: Lexicon) -> bool:
    """Whether a clause asks the user for something; "please note" tells."""
    return clause.tokens[0].text == "please" and not lexicon.telling.begin(clause.stems[1:])


def _is_benefit(clause: Clause, text: str, lexicon: Lexicon) -> bool:
    """Whether a clause says what something is good for, what would be, or what to do."""
    if lexicon.benefits.begin(clause.stems) or clause.stems[0] == "if" or _commands(clause, text, lexicon):
        return True
    return any(word.text in lexicon.hypothetical for word in clause.tokens)


def _opening(clause: Clause, stems: Sequence[str], text: str, lexicon: Lexicon) -> str:
    """What the beginning makes of a sentence: nothing, an interjection before more, something soft, or ""."""
    silent = lexicon.silent.length(clause.stems) or _praise(clause, text, lexicon)
    behind = len(clause.stems) - silent
    if silent and behind > 1 and ":" in text[clause.tokens[silent - 1].end : clause.tokens[silent].start]:
        return "headed"
    if silent and behind <= MAX_INTERJECTION:
        goes_on = len(stems) > len(clause.stems) and not text[clause.end : clause.end + 1].isalnum()
        return "interjection" if goes_on else "nothing"
    if silent > 1:
        return "headed" if lexicon.reporting.length(clause.stems, silent) else "nothing"
    if lexicon.hedges.begin(clause.stems):
        return ""
    return "soft" if _commands(clause, text, lexicon) or lexicon.soft.begin(clause.stems) else ""


def _praise(clause: Clause, text: str, lexicon: Lexicon) -> int:
    """The words of a clause that only praises before the sentence goes on: "Wonderful, ..."."""
    short = len(clause.stems) <= MAX_INTERJECTION and text[clause.end : clause.end + 1] in (",", "!")
    praises = short and clause.terms and all(one.stem in lexicon.opinion for one in clause.terms)
    return len(clause.stems) if praises and clause.end < len(text) else 0


def _cuts(text: str, start: int, *, at_colons: bool = False) -> Iterator[tuple[int, int]]:
    cursor = 0
    for cut in (_CUT_AT_COLONS if at_colons else _CUT).finditer(text):
        # the word that begins a clause stays with it: "which means ..."
        if cut.start() > cursor:
            yield start + cursor, start + cut.start()
            cursor = cut.start()
    yield start + cursor, start + len(text)


def _clause(reading: Reading, start: int, end: int, lexicon: Lexicon) -> Clause | None:
    places = list(range(*_between(reading.tokens, start, end)))
    while places and reading.tokens[places[0]].text in ("and", "but", "or", "plus"):
        places.pop(0)
    if not places:
        return None
    return Clause(
        start,
        end,
        False,
        False,
        False,
        _slice(reading.terms, start, end),
        _slice(reading.quantities, start, end),
        _slice(reading.moments, start, end),
        [reading.stems[place] for place in places],
        [reading.tokens[place] for place in places],
    )


def _between(found: Sequence[Any], start: int, end: int) -> tuple[int, int]:
    """The places, from and to, of those that start in a part of the text. They are in order."""
    by_start = attrgetter("start")
    return bisect_left(found, start, key=by_start), bisect_left(found, end, key=by_start)


def _slice(found: Sequence[Any], start: int, end: int) -> Sequence[Any]:
    return found[slice(*_between(found, start, end))]
