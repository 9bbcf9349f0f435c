"""The stances of a conversation held against each other: contradiction, acknowledged change, or neither."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from grice.checks.contradiction.positions.acknowledging import Admission
from grice.checks.contradiction.positions.advice_judging import advice_outcome
from grice.checks.contradiction.positions.claims import Holding
from grice.checks.contradiction.positions.clauses import content, read_clauses
from grice.checks.contradiction.positions.propositions import Proposition, proposition_of
from grice.checks.contradiction.positions.topics_held import Reader, Told, Topic, read_turns
from grice.checks.contradiction.stances import Acknowledgement, Pairs, SelfContradiction, Stance
from grice.records import Turn
from grice.text import value_text
from grice.text.packs import pack_of
from grice.text.packs.pack import LanguagePack

__all__ = ["judged"]


CLEAR = 0.6
"""The least confidence of the two stances of a reversal."""


class _Reversal(msgspec.Struct, frozen=True):
    """Two replies (by their place) that hold the opposite of a topic, and what excuses the later one."""

    topic: Topic
    earlier: int
    later: int
    admission: tuple[int, Admission] | None = None


def judged(
    turns: Sequence[Turn],
    *,
    pairs: Pairs,
    proposition: str,
    agreement: bool,
    language: str | None,
    since: int = 1,
    only_last: bool = False,
) -> SelfContradiction:
    """What becomes of the stances of the replies.

    `since` is the number of the first turn that is judged, earlier ones are only compared with; `only_last`
    judges the last turn alone.
    """
    told = list(read_turns(turns, language, agreement=agreement))
    pack = pack_of("en")
    nothing = _nothing(told, turns, only_last=only_last)
    if nothing or pack is None:
        return SelfContradiction("undetermined", nothing)
    only = proposition_of(proposition, pack) if proposition else None
    if only is not None:
        only = msgspec.structs.replace(only, opinion=not only.deictic, words=proposition, sign=only.sign)
    reader = Reader(pack, only)
    for one in told:
        reader.read(one)
    first = since if not only_last else turns[-1].number
    reversals = sorted(
        _reversals(reader, told, pairs, first, pack), key=lambda one: (one.later, one.topic.place)
    )
    found = _outcome(told, reader, reversals, first)
    if only is not None or found.outcome == "contradiction":
        return found
    return _either(found, advice_outcome(told, pairs, first, pack))


def _either(found: SelfContradiction, advised: SelfContradiction | None) -> SelfContradiction:
    """What stances and advice come to together: a reversal of either counts."""
    if advised is None or (found.outcome == "acknowledged_change" and advised.pair in (None, found.pair)):
        return found
    if advised.pair is not None or found.outcome == "undetermined":
        return advised
    return found


def _nothing(told: Sequence[Told], turns: Sequence[Turn], *, only_last: bool) -> str:
    """Why nothing can be compared, "" where something can."""
    if only_last and (not told or told[-1].turn != turns[-1].number):
        return "the reply is empty: there is nothing to look at"
    read = [one for one in told if one.reading is not None]
    if len(read) >= 2 and not (only_last and told[-1].reading is None):
        return ""
    problem = next((one.problem for one in reversed(told) if one.problem), "")
    if problem:
        return problem
    if not told:
        return "no assistant turn has a text: there is nothing to compare"
    if only_last:
        return "no reply before this one has a text: there is nothing to compare it with"
    return f"only turn {told[0].turn} has a reply: two are compared"


def _reversals(
    reader: Reader, told: Sequence[Told], pairs: Pairs, first: int, pack: LanguagePack
) -> Iterator[_Reversal]:
    admitted = [(one.place, admission) for one in told for admission in one.admissions]
    for topic in reader.topics.all:
        if len(topic.held) >= 2:
            yield from _of_topic(topic, told, pairs, first, admitted, pack)


def _of_topic(
    topic: Topic,
    told: Sequence[Told],
    pairs: Pairs,
    first: int,
    admitted: Sequence[tuple[int, Admission]],
    pack: LanguagePack,
) -> Iterator[_Reversal]:
    """The reversals on one topic; behind one that was acknowledged, what was held before it is forgotten."""
    latest: dict[int, int] = {}
    floor = 0
    for place in sorted(topic.held):
        held = topic.held[place]
        if held.sign == 0 or held.confidence < CLEAR:
            continue
        before = latest.get(-held.sign)
        if before is not None and before >= floor and _compared(before, place, pairs):
            excuse = next(
                (
                    one
                    for one in admitted
                    if before < one[0] <= place and _about(one[1], topic.proposition, pack)
                ),
                None,
            )
            if excuse is not None or _reverses(topic, before, place, told):
                if told[place].turn >= first:
                    yield _Reversal(topic, before, place, excuse)
                if excuse is not None:
                    floor = excuse[0]
        latest[held.sign] = place


def _compared(before: int, place: int, pairs: Pairs) -> bool:
    if pairs == "first_two":
        return (before, place) == (0, 1)
    return pairs == "all" or place == before + 1


def _about(admission: Admission, proposition: Proposition, pack: LanguagePack) -> bool:
    """Whether what is given up can be the stance: it says not of what, or shares a word with it."""
    if not admission.about:
        return True
    reading = read_clauses(admission.about, pack)
    keys = {key for clause in reading.clauses for _, key in content(clause.words, pack)}
    return not keys or bool(keys & proposition.keys)


def _reverses(topic: Topic, before: int, place: int, told: Sequence[Told]) -> bool:
    """Whether the later of two opposite stances takes back the earlier one, and nothing explains it."""
    earlier, later = topic.held[before], topic.held[place]
    if later.narrowed or (earlier.narrowed and earlier.position == "no"):
        return False
    proposition = topic.proposition
    if proposition.opinion and not proposition.personal:
        return True
    if earlier.temporal or later.temporal:
        return False
    return not any(_changes(one, proposition) for one in told[before + 1 : place + 1])


def _changes(one: Told, proposition: Proposition) -> bool:
    """Whether the facts may have changed with this turn: by tools, or by what the user says."""
    return one.called_tools or (one.asked.changes and bool(one.asked.keys - proposition.keys))


def _outcome(
    told: Sequence[Told], reader: Reader, reversals: Sequence[_Reversal], first: int
) -> SelfContradiction:
    bare = next((one for one in reversals if one.admission is None), None)
    if bare is not None:
        return _reversed(told, bare, reader)
    if reversals:
        return _reversed(told, reversals[0], reader)
    topic = _main_topic(reader, told, first)
    stances = _stances(told, topic, reader)
    if topic is None and (apart := _different_questions(told, reader, first)):
        return SelfContradiction("consistent", apart, stances)
    if topic is None:
        reason = _why_undetermined(told, reader, first)
        return SelfContradiction("undetermined", reason, stances)
    held = [(place, one) for place, one in sorted(topic.held.items()) if one.sign]
    turns = ", ".join(str(told[place].turn) for place, _ in held)
    signs = {one.position for _, one in held}
    about = f"on {value_text(topic.proposition.words)}"
    if len(signs) == 1:
        reason = f"turns {turns} all say {signs.pop()} {about}"
    else:
        why = "only under a condition, in part, or after what the user or a tool said"
        reason = f"turns {turns} differ {about} {why}"
    return SelfContradiction("consistent", reason, stances)


def _main_topic(reader: Reader, told: Sequence[Told], first: int) -> Topic | None:
    """The topic that most replies take a stance on, two at least and one that is judged."""
    fitting = [
        (sum(one.sign != 0 for one in topic.held.values()), -topic.place, topic)
        for topic in reader.topics.all
        if not topic.stated
        and any(told[place].turn >= first and one.sign for place, one in topic.held.items())
    ]
    fitting = [one for one in fitting if one[0] >= 2]
    return max(fitting, key=lambda one: one[:2])[2] if fitting else None


def _different_questions(told: Sequence[Told], reader: Reader, first: int) -> str:
    """That the answers are to different questions, which take nothing back; "" with fewer than two."""
    answers = [
        told[place].turn
        for place, topic in sorted(reader.questions.items())
        if place in topic.held and topic.held[place].sign and topic.held[place].confidence >= CLEAR
    ]
    if len(answers) < 2 or answers[-1] < first:
        return ""
    return f"turns {', '.join(map(str, answers))} answer different questions: none takes another back"


def _why_undetermined(told: Sequence[Told], reader: Reader, first: int) -> str:
    held = {place for topic in reader.topics.all if not topic.stated for place in topic.held}
    problems = [one for one in told if one.problem]
    also = f" ({problems[0].problem})" if problems else ""
    if not held:
        return f"no reply takes a stance that can be told{also}"
    turns = ", ".join(str(told[place].turn) for place in sorted(held))
    if len(held) == 1:
        return f"only turn {turns} takes a stance that can be told{also}"
    which = "the judged reply and none before it" if first > told[0].turn else "no two replies"
    return f"{which} take a stance on the same question{also}"


def _reversed(told: Sequence[Told], one: _Reversal, reader: Reader) -> SelfContradiction:
    earlier, later = one.topic.held[one.earlier], one.topic.held[one.later]
    first, second = told[one.earlier], told[one.later]
    reason = (
        f"turn {first.turn} says {earlier.position} ({_quote(first, earlier)}) and turn {second.turn} says "
        f"{later.position} ({_quote(second, later)}) on {value_text(one.topic.proposition.words)}"
    )
    stances = _stances(told, one.topic, reader)
    pair = (first.turn, second.turn)
    if one.admission is None:
        reason = f"{reason}, and does not say that it changed its mind or was wrong"
        return SelfContradiction("contradiction", reason, stances, pair)
    place, admission = one.admission
    said = _acknowledgement(told[place], admission)
    reason = f"{reason}, acknowledged in turn {said.turn} by {value_text(said.quote)}"
    return SelfContradiction("acknowledged_change", reason, stances, pair, said)


def _acknowledgement(told: Told, admission: Admission) -> Acknowledgement:
    start, end = _span(told, admission.start, admission.end)
    return Acknowledgement(told.turn, told.text[start:end], start, end)


def _quote(told: Told, held: Holding) -> str:
    start, end = _span(told, held.start, held.end)
    return value_text(" ".join(told.text[start:end].split()))


def _span(told: Told, start: int, end: int) -> tuple[int, int]:
    if told.reading is None or end <= start:
        return 0, 0
    return told.reading.prose.span(start, end)


def _stances(told: Sequence[Told], topic: Topic | None, reader: Reader) -> tuple[Stance, ...]:
    """One for each reply: on the topic, else on the first other one that it takes a stance on."""
    others: dict[int, tuple[Topic, Holding]] = {}
    for other in reader.topics.all:
        for place, holding in other.held.items():
            if not other.stated:
                others.setdefault(place, (other, holding))
    made: list[Stance] = []
    for one in told:
        if topic is not None and one.place in topic.held:
            found: tuple[Topic, Holding] | None = (topic, topic.held[one.place])
        else:
            found = others.get(one.place)
        if found is None:
            made.append(Stance(one.turn, "unclear", rule=one.problem or "no words of a stance"))
            continue
        about, held = found
        start, end = _span(one, held.start, held.end)
        made.append(
            Stance(one.turn, held.position, start, end, held.confidence, about.proposition.words, held.rule)
        )
    return tuple(made)
