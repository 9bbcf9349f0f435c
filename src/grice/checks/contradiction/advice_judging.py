"""The advice of a conversation held against itself, open question by open question."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from grice.checks.contradiction.acknowledging import Admission
from grice.checks.contradiction.advice_held import AdviceReader, Opinion
from grice.checks.contradiction.advising import keys_of
from grice.checks.contradiction.matters import Matter
from grice.checks.contradiction.premises import takes_up, tells_facts
from grice.checks.contradiction.stances import Pairs
from grice.checks.contradiction.topics_held import Told
from grice.text.packs.pack import LanguagePack
from grice.text.words import words

__all__ = ["AdviceReversal", "advice_of", "advice_reversals"]

CLEAR = 0.6


class AdviceReversal(msgspec.Struct, frozen=True):
    """Two replies, by their place, that advise the opposite on a matter, and what excuses the later one."""

    matter: Matter
    earlier: int
    later: int
    first: Opinion
    second: Opinion
    admission: tuple[int, Admission] | None = None


def advice_of(told: Sequence[Told], pack: LanguagePack) -> AdviceReader:
    """What the replies advise."""
    reader = AdviceReader(pack)
    for one in told:
        if one.reading is not None:
            reader.read(one.place, one.user, one.reading)
    return reader


def advice_reversals(
    reader: AdviceReader, told: Sequence[Told], pairs: Pairs, first: int, pack: LanguagePack
) -> Iterator[AdviceReversal]:
    """The reversals of advice that nothing but an acknowledgement explains."""
    for matter, held in zip(reader.matters, reader.held, strict=True):
        latest: dict[int, int] = {}
        floor = 0
        for place in sorted(held):
            later = held[place]
            if not later.sign or later.confidence < CLEAR:
                continue
            before = latest.get(-later.sign)
            if before is not None and before >= floor and _compared(before, place, pairs):
                excuse = _excuse(told, matter, before, place, pack)
                explained = held[before].narrowed or later.narrowed or _explained(reader, told, before, place)
                if (excuse is not None or not explained) and told[place].turn >= first:
                    yield AdviceReversal(matter, before, place, held[before], later, excuse)
                if excuse is not None or explained:
                    floor = place if excuse is None else excuse[0]
            latest[later.sign] = place


def _compared(before: int, place: int, pairs: Pairs) -> bool:
    if pairs == "first_two":
        return (before, place) == (0, 1)
    return pairs == "all" or place == before + 1


def _excuse(
    told: Sequence[Told], matter: Matter, before: int, place: int, pack: LanguagePack
) -> tuple[int, Admission] | None:
    for one in told[before + 1 : place + 1]:
        for admission in one.admissions:
            keys = {key for word in words(admission.about) for key in keys_of(word.text, pack)}
            if not keys or keys & matter.keys.keys():
                return one.place, admission
    return None


def _explained(reader: AdviceReader, told: Sequence[Told], before: int, place: int) -> bool:
    """Whether a tool was called for it, or the reply takes up what the user newly told, since then."""
    if told[place].called_tools:
        return True
    brought: set[str] = set()
    facts = False
    for one in told[before + 1 : place + 1]:
        if tells_facts(one.user):
            facts = True
            brought |= reader.brought.get(one.place, frozenset())
    return facts and takes_up(told[place].text.replace("\u2019", "'"), brought, reader.pack)
