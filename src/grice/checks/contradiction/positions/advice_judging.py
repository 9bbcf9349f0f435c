"""The advice of a conversation held against itself, open question by open question."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from grice.checks.contradiction.positions.acknowledging import Admission
from grice.checks.contradiction.positions.advice_held import AdviceReader, Opinion
from grice.checks.contradiction.positions.advice_walk import keys_of
from grice.checks.contradiction.positions.matters import Matter
from grice.checks.contradiction.positions.premises import takes_up, tells_facts
from grice.checks.contradiction.positions.topics_held import Told
from grice.checks.contradiction.stances import Acknowledgement, Pairs, Position, SelfContradiction, Stance
from grice.text import value_text
from grice.text.packs.pack import LanguagePack
from grice.text.words import words

__all__ = ["AdviceReversal", "advice_of", "advice_outcome", "advice_reversals"]

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


def advice_outcome(
    told: Sequence[Told], pairs: Pairs, first: int, pack: LanguagePack
) -> SelfContradiction | None:
    """What becomes of the advice of a conversation, None where fewer than two pieces can be compared.

    `first` is the number of the first turn that is judged.
    """
    reader = advice_of(told, pack)
    found = sorted(
        advice_reversals(reader, told, pairs, first, pack), key=lambda one: (one.later, one.matter.place)
    )
    chosen = next((one for one in found if one.admission is None), found[0] if found else None)
    if chosen is not None:
        return _reversed(told, reader, chosen)
    return _agreeing(told, reader, first) or _apart(told, reader, first)


def _reversed(told: Sequence[Told], reader: AdviceReader, one: AdviceReversal) -> SelfContradiction:
    first, second = told[one.earlier], told[one.later]
    reason = (
        f"turn {first.turn} {_says(one.first)} ({_quote(first, one.first)}) and turn {second.turn} "
        f"{_says(one.second)} ({_quote(second, one.second)}) on {value_text(one.matter.words)}"
    )
    stances = _stances(told, reader, one.matter.place)
    pair = (first.turn, second.turn)
    if one.admission is None:
        reason = f"{reason}, and does not say that it changed its mind or was wrong"
        return SelfContradiction("contradiction", reason, stances, pair)
    place, admission = one.admission
    start, end = _span(told[place], admission.start, admission.end)
    said = Acknowledgement(told[place].turn, told[place].text[start:end], start, end)
    reason = f"{reason}, acknowledged in turn {said.turn} by {value_text(said.quote)}"
    return SelfContradiction("acknowledged_change", reason, stances, pair, said)


def _agreeing(told: Sequence[Told], reader: AdviceReader, first: int) -> SelfContradiction | None:
    """The matter that most replies advise on, two at least and one that is judged."""
    fitting = [
        (sum(one.sign != 0 for one in held.values()), -place)
        for place, held in enumerate(reader.held)
        if any(told[at].turn >= first and one.sign for at, one in held.items())
    ]
    count, place = max(fitting, default=(0, 0))
    if count < 2:
        return None
    held = {at: one for at, one in sorted(reader.held[-place].items()) if one.sign}
    turns = ", ".join(str(told[at].turn) for at in held)
    about = f"on {value_text(reader.matters[-place].words)}"
    said = {_says(one) for one in held.values()}
    if len(said) == 1:
        reason = f"turns {turns} agree {about}: each {said.pop()}"
    else:
        reason = f"turns {turns} differ {about} only for another case, or after what the user or a tool said"
    return SelfContradiction("consistent", reason, _stances(told, reader, -place))


def _apart(told: Sequence[Told], reader: AdviceReader, first: int) -> SelfContradiction | None:
    """That the pieces of advice are about different things, which take nothing back."""
    places = sorted(
        {at for held in reader.held for at, one in held.items() if one.sign and one.confidence >= CLEAR}
    )
    if len(places) < 2 or told[places[-1]].turn < first:
        return None
    turns = ", ".join(str(told[at].turn) for at in places)
    reason = f"turns {turns} answer different questions: none takes another back"
    return SelfContradiction("consistent", reason, _stances(told, reader, None))


def _says(one: Opinion) -> str:
    if one.chosen:
        return f"chooses {value_text(one.chosen)}"
    return "says yes" if one.sign > 0 else "says no"


def _quote(told: Told, held: Opinion) -> str:
    start, end = _span(told, held.start, held.end)
    return value_text(" ".join(told.text[start:end].split()))


def _span(told: Told, start: int, end: int) -> tuple[int, int]:
    if told.reading is None or end <= start:
        return 0, 0
    return told.reading.prose.span(start, end)


def _stances(told: Sequence[Told], reader: AdviceReader, matter: int | None) -> tuple[Stance, ...]:
    """One for each reply: on the matter, else on the first other one that it advises on."""
    order = [matter] if matter is not None else []
    order += [place for place in range(len(reader.matters)) if place != matter]
    return tuple(_stance(one, reader, order) for one in told)


def _stance(one: Told, reader: AdviceReader, order: Sequence[int]) -> Stance:
    place = next((place for place in order if one.place in reader.held[place]), None)
    if place is None:
        return Stance(one.turn, "unclear", rule=one.problem or "no words of a stance")
    held = reader.held[place][one.place]
    start, end = _span(one, held.start, held.end)
    about = held.chosen or reader.matters[place].words
    position: Position = "mixed" if not held.sign else "yes" if held.sign > 0 or held.chosen else "no"
    return Stance(one.turn, position, start, end, held.confidence, about, held.rule)
