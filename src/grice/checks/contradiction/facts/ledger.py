"""The values that a talk has given so far, and which of them a new one contradicts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal

import msgspec

from grice.checks.contradiction.facts.fields import Fields
from grice.checks.contradiction.facts.hearing import bounds, tells
from grice.checks.contradiction.facts.mentions import Mention, mentions_of
from grice.checks.contradiction.facts.pairs import Wish, admits, both_hold, excused, same_thing, wished
from grice.checks.contradiction.facts.segments import page_of
from grice.checks.contradiction.facts.stated_reading import Statement
from grice.checks.contradiction.facts.stated_results import Result, moment_key
from grice.checks.contradiction.facts.stated_words import StatedWords
from grice.checks.contradiction.facts.sums import Weekdays, mismatches
from grice.checks.evidence.lexicon import Lexicon
from grice.checks.evidence.terms import read_text
from grice.records import Turn
from grice.text.normalised import normalise

__all__ = ["Ledger", "Taken"]

MAX_BESIDE = 24
"""Values with one key that a new one is held against, the last ones."""

MAX_USER = 4_000
MAX_WISHES = 60


class Taken(msgspec.Struct, frozen=True):
    """What a reply brought: pairs of which one is wrong, and how many values were given and compared."""

    pairs: Sequence[tuple[Statement, Statement]]
    stated: int
    compared: int
    corrected: int


class Ledger:
    """What was said so far. Turns are taken in order."""

    def __init__(self, words: StatedWords, lexicon: Lexicon, *, tool_results: bool) -> None:
        self._words, self._lexicon = words, lexicon
        self._given: dict[tuple[str, str], list[Mention]] = {}
        self._wishes: list[Wish] = []
        self._seen: set[str] = set()
        self._numbers: set[Decimal] = set()
        self._moments: set[str] = set()
        self._weekdays = Weekdays()
        self._fields = Fields(words, lexicon) if tool_results else None
        self._compared = self._corrected = 0
        self._fresh: Sequence[Mention] = ()

    def take(self, turn: Turn, text: str, results: Sequence[tuple[int, Result]]) -> Taken:
        """What a reply brings. `results` are those of all tools so far, with their turns."""
        self._compared = self._corrected = 0
        asked = self._listen(turn)
        if self._fields is not None:
            self._fields.add(turn)
        page = page_of(text, self._words, self._lexicon)
        found = mentions_of(page, turn.number, self._words, asked)
        self._fresh = found
        pairs = [*mismatches(page, turn.number), *self._weekdays.take(page, turn.number)]
        for one in found:
            pair = self._against_earlier(one, page.text, results)
            if pair is None and self._fields is not None:
                pair = self._fields.against(one, self._numbers, self._moments)
            if pair is not None:
                pairs.append(pair)
            beside = self._given.setdefault(one.key, [])
            beside.append(one)
            if len(beside) > 4 * MAX_BESIDE:
                del beside[:MAX_BESIDE]
        self._seen.update(token.stem for token in page.tokens)
        return Taken(pairs, len(found), self._compared, self._corrected)

    def _listen(self, turn: Turn) -> Sequence[str]:
        """Note what the user says; gives its words and their stems."""
        text = normalise(turn.user[:MAX_USER]).text
        reading = read_text(text, self._lexicon)
        pack = self._lexicon.pack
        stems = frozenset(
            one
            for word, one in zip(reading.tokens, reading.stems, strict=True)
            if word.text not in pack.stop_words and word.text not in self._words.generic
        )
        numbers = frozenset(bounds(reading.quantities))
        moments = frozenset(map(moment_key, reading.moments))
        names = frozenset(
            one
            for word, one in zip(reading.tokens, reading.stems, strict=True)
            if one in stems
            and (
                (any(map(str.isdigit, word.text)) and not word.text.isdigit())
                or (word.start and text[word.start].isupper())
            )
        )
        self._wishes.append(
            wished(
                turn.number,
                text,
                stems,
                self._seen,
                (numbers, moments),
                names,
                frozenset(word.text for word in reading.tokens),
            )
        )
        del self._wishes[:-MAX_WISHES]
        self._numbers |= numbers
        self._moments |= moments
        self._seen |= stems
        return sorted({*(word.text for word in reading.tokens), *stems})

    def _against_earlier(
        self, one: Mention, text: str, results: Sequence[tuple[int, Result]]
    ) -> tuple[Statement, Statement] | None:
        beside = self._given.get(one.key, ())[-MAX_BESIDE:]
        if not beside:
            return None
        every = [*beside, one]
        single = len({each.names for each in every if each.names}) <= 1 and (
            len({each.variants for each in every if each.variants}) <= 1
        )
        found: list[Mention] = []
        for other in reversed(beside):
            if not same_thing(other, one, single=single):
                continue
            holds = both_hold(other, one)
            if holds is None:
                continue
            self._compared += 1
            if holds:
                return None
            found.append(other)
        if not found or self._is_one_of_several(found, one):
            return None
        later = one.statement
        if admits(text, one.at, one.at + len(later.quote)):
            self._corrected += 1
            return None
        if excused(found[0], one, self._wishes) or _told(found[0], one, results):
            return None
        return found[0].statement, later

    def _is_one_of_several(self, found: Sequence[Mention], one: Mention) -> bool:
        """Whether one reply gave several values of the kind, so that nobody can tell which is meant."""
        turns = {one.statement.turn, found[0].statement.turn}
        for turn in turns:
            given = [
                each
                for each in (*self._given.get(one.key, ())[-MAX_BESIDE:], *self._fresh)
                if each.statement.turn == turn
                and each.key == one.key
                and not (each.names and one.names and not each.names & one.names)
                and each.variants <= one.variants | found[0].variants
            ]
            values = [each for each in given if both_hold(each, one) is False and each is not one]
            if len({each.statement.shown for each in given}) > 2 or (
                turn != one.statement.turn and len({each.statement.shown for each in values}) > 1
            ):
                return True
            if turn == one.statement.turn != found[0].statement.turn and any(
                both_hold(each, found[0]) for each in given
            ):
                return True
        return False


def _told(one: Mention, other: Mention, results: Sequence[tuple[int, Result]]) -> bool:
    """Whether a tool's result between two values explains the later one."""
    same = one.statement.turn == other.statement.turn
    for turn, result in reversed(results):
        if turn < one.statement.turn or (turn == one.statement.turn and not same):
            return False
        if same and turn == one.statement.turn:
            continue
        if tells(result, other.statement):
            return True
        parts = {part for name in one.names for part in re.findall(r"[a-z]+|\d+", name)}
        shared = (other.words | one.words | parts | {one.statement.attribute}) & result.known
        if result.changes and (shared or other.statement.kind in ("money", "availability", "quantity count")):
            return True
    return False
