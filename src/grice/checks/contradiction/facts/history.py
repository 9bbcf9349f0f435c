"""A talk as it goes: what was stated, what tools told, and what contradicts."""

from __future__ import annotations

from decimal import Decimal

import msgspec

from grice.checks.contradiction.facts.conflicts import clash, same_bounds, same_subject
from grice.checks.contradiction.facts.hearing import (
    Heard,
    answered,
    bounds,
    corrects,
    heard_in,
    shifts,
    tells,
    touches,
)
from grice.checks.contradiction.facts.ledger import Ledger
from grice.checks.contradiction.facts.stated_facts import statements_of
from grice.checks.contradiction.facts.stated_reading import Statement
from grice.checks.contradiction.facts.stated_results import Result, moment_key, result_of
from grice.checks.contradiction.facts.stated_words import StatedWords
from grice.checks.evidence.lexicon import Lexicon
from grice.checks.evidence.terms import read_text
from grice.records import Turn
from grice.text.normalised import normalise
from grice.text.packs.tables import listed
from grice.text.quantities import Quantity
from grice.text.times import Moment
from grice.text.words import stem

__all__ = ["Conflict", "History"]

MAX_BESIDE = 20
"""Statements of one attribute of one thing that a later one is held against, the last ones."""

MAX_BACK = 200
"""Turns over which is looked for what explains a new value."""

MAX_RECENT = 4

MAX_ASKED = 300

MAX_HEARD = 4_000

MAX_NUMBERS = 150

_SUMS = listed("price total subtotal refund balance fee charge discount tax deposit credit")


class Conflict(msgspec.Struct, frozen=True, gc=False):
    """Two statements that cannot both hold."""

    earlier: Statement
    later: Statement


class History:
    """What was stated so far. Turns are taken in order; `take` gives what contradicts in the next one."""

    def __init__(self, words: StatedWords, lexicon: Lexicon, *, tool_results: bool, system: str = "") -> None:
        self.stated = self.compared = self.corrected = 0
        self._words, self._lexicon, self._tool_results = words, lexicon, tool_results
        self._focus: tuple[frozenset[str], frozenset[str]] = (frozenset(), frozenset())
        self._beside: dict[tuple[str, str], list[Statement]] = {}
        self._told: dict[str, list[tuple[int, Result, Statement]]] = {}
        self._results: list[tuple[int, Result]] = []
        self._heard: dict[int, Heard] = {}
        self._calls: dict[str, int] = {}
        self._text = ""
        self._ledger = Ledger(words, lexicon, tool_results=tool_results)
        self._seen: set[str] = set()
        self._numbers: set[Decimal] = set()
        self._moments: set[str] = set()
        if system:
            self._know(normalise(system[:MAX_HEARD]).text)

    def take(self, turn: Turn, text: str) -> list[Conflict]:
        """What contradicts in a reply, against all before it and itself."""
        before = self.stated, self.compared, self.corrected
        self._listen(turn)
        for call in turn.tool_calls:
            self._calls[call.name] = self._calls.get(call.name, 0) + 1
            result = result_of(call, self._calls[call.name], turn.number, self._words, self._lexicon)
            self._add_result(turn.number, result)
        statements, self._focus, subjects = statements_of(
            text, turn.number, self._words, self._lexicon, self._focus, normalise(turn.user[-MAX_ASKED:]).text
        )
        self._text = text
        heard = self._heard.get(turn.number)
        if heard is not None and (heard.new_names or heard.changes):
            self._heard[turn.number] = answered(heard, text, subjects, self._words, self._lexicon)
        found: list[Conflict] = []
        for one in statements:
            self.stated += 1
            conflict = self._against_results(one) if self._tool_results else None
            conflict = conflict or self._against_earlier(one)
            if conflict is not None and not any(same_words(conflict, other) for other in found):
                found.append(conflict)
            self._beside.setdefault(one.key, []).append(one)
            if len(self._beside[one.key]) > 4 * MAX_BESIDE:
                del self._beside[one.key][:MAX_BESIDE]
        taken = self._ledger.take(turn, text, self._results)
        self.stated = max(self.stated, before[0] + taken.stated)
        self.compared = max(self.compared, before[1] + taken.compared)
        self.corrected = max(self.corrected, before[2] + taken.corrected)
        for earlier, later in taken.pairs:
            conflict = Conflict(earlier, later)
            if not any(same_words(conflict, other) for other in found):
                found.append(conflict)
        self._know(normalise(text).text)
        return found

    def _add_result(self, turn: int, result: Result) -> None:
        self._results.append((turn, result))
        self._numbers |= result.numbers
        self._moments |= result.moments
        self._seen |= result.known
        for one in result.statements:
            self._told.setdefault(one.attribute, []).append((len(self._results), result, one))

    def _know(self, text: str) -> None:
        reading = read_text(text, self._lexicon)
        self._seen.update(reading.stems)
        self._numbers.update(bounds(reading.quantities))
        self._moments.update(map(moment_key, reading.moments))

    def _listen(self, turn: Turn) -> None:
        user = turn.user[:MAX_HEARD]
        if not user:
            return
        text = normalise(user).text
        heard, names = heard_in(
            text,
            self._words,
            self._lexicon,
            numbers=self._numbers,
            moments=self._moments,
            seen=self._seen,
        )
        self._heard[turn.number] = heard
        self._focus = (names, names) if names else self._focus
        self._know(text)

    # what was said before

    def _against_earlier(self, one: Statement) -> Conflict | None:
        beside = [
            other
            for other in self._beside.get(one.key, ())[-2 * MAX_BESIDE :]
            if same_subject(other, one) and same_bounds(other, one) and self._comparable(other, one)
        ]
        found: Statement | None = None
        for other in reversed(beside[-MAX_BESIDE:]):
            apart = clash(other, one)
            if apart is None:
                continue
            self.compared += 1
            if not apart:
                return None
            found = found or other
        if found is None:
            return None
        if corrects(one, self._text):
            self.corrected += 1
            return None
        return None if self._is_explained(found, one) else Conflict(found, one)

    def _comparable(self, one: Statement, other: Statement) -> bool:
        if one.turn != other.turn:
            return one.topic == other.topic or self._is_only(one, other)
        apart = one.start != other.start
        return apart and not (one.listed and other.listed and (one.inherited or not one.topic))

    def _is_only(self, one: Statement, other: Statement) -> bool:
        """Whether what leaves its names out can only mean the other: nothing else of the kind was named."""
        topics = {
            each.topic
            for each in (*self._beside.get(one.key, ()), other)
            if each.topic >= min(one.topic, other.topic, key=len)
        }
        return len(topics) <= 2

    def _is_explained(self, one: Statement, other: Statement) -> bool:
        """Whether something between two statements makes the later one no contradiction."""
        same = one.turn == other.turn
        for turn, result in reversed(self._results):
            if turn < one.turn or (turn == one.turn and not same):
                break
            if tells(result, other) or (result.changes and touches(result, one, other)):
                return True
        for turn in range(other.turn, max(one.turn, other.turn - MAX_BACK), -1):
            heard = self._heard.get(turn)
            if heard is not None and shifts(heard, one, other):
                return True
        return False

    # what tools told

    def _against_results(self, one: Statement) -> Conflict | None:
        if (
            one.kind == "money"
            and one.value
            and not one.qualifiers <= {f"per {getattr(one.value, 'period', '')}", "past"}
        ):
            return None
        known = [
            (place, result, told)
            for place, result, told in self._told.get(one.attribute, ())[-200:]
            if _same_kind(one, told) and _of_record(one, told, result) and not self._is_of_more(one, told)
        ]
        if not known:
            return None
        outcomes = [(place, told, clash_with(one, told)) for place, _, told in known]
        outcomes = [each for each in outcomes if each[2] is not None]
        if not outcomes:
            return None
        self.compared += 1
        last = outcomes[-1][0]
        if any(not apart and len(told.names & one.topic) >= _most(one, known) for _, told, apart in outcomes):
            return None
        latest = [told for place, told, _ in outcomes if place == last]
        most = max(len(told.names & one.topic) for told in latest)
        latest = [told for told in latest if len(told.names & one.topic) == most]
        named = bool(latest[-1].names & one.topic)
        if len({told.shown for told in latest}) > 1 or (not named and self._is_known(one)):
            return None
        since = self._results[last:]
        if any(
            result.changes and touches(result, latest[-1], one) for _, result in since
        ) or self._shifted_since(latest[-1], one):
            return None
        if corrects(one, self._text):
            self.corrected += 1
            return None
        return Conflict(latest[-1], one)

    def _is_of_more(self, one: Statement, told: Statement) -> bool:
        """Whether a bare number is of something that is not spoken of: total_baggages."""
        if told.kind != "number" or one.kind != "money":
            return False
        leaf = told.path.rpartition(".")[2].partition("[")[0].replace("-", "_").casefold().split("_")
        own = {stem(part, self._words.pack) for part in leaf if part not in self._words.attributes}
        plain = {stem(part, self._words.pack) for part in self._words.generic}
        return bool(own & told.topic - plain - one.topic)

    def _shifted_since(self, told: Statement, one: Statement) -> bool:
        return any(
            heard.changes or heard.new_data
            for turn in range(told.turn + 1, one.turn + 1)
            if (heard := self._heard.get(turn)) is not None
        )

    def _recent(self) -> set[Decimal]:
        """The numbers of the last results, of which sums are made."""
        return {number for _, result in self._results[-MAX_RECENT:] for number in result.numbers}

    def _is_known(self, one: Statement) -> bool:
        """Whether the value stands elsewhere in what is known, or is computed from it."""
        value = one.value
        if isinstance(value, Moment):
            return moment_key(value) in self._moments
        if isinstance(value, frozenset):
            return False
        if not isinstance(value, Quantity):
            return False
        bounds = [each for each in (value.low, value.high) if each is not None]
        return any(
            each in self._numbers
            or (
                one.kind == "money"
                and not _SUMS.isdisjoint(one.attribute.split("+"))
                and _is_derived(each, self._recent())
            )
            for each in bounds
        )


def same_words(one: Conflict, other: Conflict) -> bool:
    """Whether two contradictions are between the same sentences."""
    return (one.earlier.quote, one.later.quote) == (other.earlier.quote, other.later.quote)


def clash_with(one: Statement, told: Statement) -> bool | None:
    """Whether what is said excludes what a tool told; numbers without a unit are in that of what is said."""
    value = told.value
    if told.kind == "number" and isinstance(value, Quantity) and isinstance(one.value, Quantity):
        if one.value.comparison or one.value.low is None or one.value.low != one.value.high:
            return None
        if one.kind not in ("money", "quantity count") and one.value.unit not in (
            "%",
            "",
            "\u00b0C",
            "\u00b0F",
            "/5",
        ):
            return None
        value = msgspec.structs.replace(one.value, low=value.low, high=value.high)
    return clash(msgspec.structs.replace(told, value=value), one)


def _same_kind(one: Statement, told: Statement) -> bool:
    return one.kind == told.kind or (told.kind == "number" and one.kind.startswith(("money", "quantity")))


def _of_record(one: Statement, told: Statement, result: Result) -> bool:
    """Whether a statement is of the record that a field stands in."""
    around = told.topic | told.names
    if not one.topic <= around | result.known:
        return False
    if told.names and one.topic and not one.topic & told.names:
        return False
    return told.topic <= one.topic | result.known - {"x"} if not told.names else bool(one.topic & told.names)


def _most(one: Statement, known: list[tuple[int, Result, Statement]]) -> int:
    """How much of the name of the record that is meant most is in what is said."""
    return max(len(told.names & one.topic) for _, _, told in known)


def _is_derived(value: Decimal, numbers: set[Decimal]) -> bool:
    """Whether an amount is a sum, difference, multiple or share of known ones."""
    known = list(numbers)[:MAX_NUMBERS]
    pool = set(known)
    if any(value - one in pool or one - value in pool for one in known if one):
        return True
    return any(one * times == value or value * times == one for one in known if one for times in range(2, 13))
