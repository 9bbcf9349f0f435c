"""Two conversations of one test beside each other, turn by turn, and where they part."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest
from typing import NamedTuple

from grice.records import Conversation, Outcome, Result, Turn
from grice.reporting.document import Answer, Tone
from grice.reporting.text import marked_turn


class TurnPair(NamedTuple):
    """The turns of one number, None where a conversation has none of it, and whether they say the same."""

    number: int
    before: Turn | None
    now: Turn | None
    same: bool


class SideBySide(NamedTuple):
    """Two conversations, aligned. `first` is the number of the first turn that differs, 0 where none does.

    `before_marked` and `now_marked` are the turns in which the tests failed, None where they did not.
    """

    pairs: tuple[TurnPair, ...]
    first: int
    before_marked: int | None
    now_marked: int | None


def side_by_side(before: Result, now: Result) -> SideBySide:
    """The two conversations, a pair for each turn.

    Turns are the same that say and do the same: ids of calls, times and what the model was told may differ.
    """
    pairs = tuple(_pairs(before.conversation, now.conversation))
    first = next((one.number for one in pairs if not one.same), 0)
    return SideBySide(pairs, first, marked_turn(before.verdicts), marked_turn(now.verdicts))


def side_by_side_answer(before: Result, now: Result, found: SideBySide) -> Answer:
    """What became of the test, and where the two conversations part."""
    passed = before.outcome is Outcome.PASS, now.outcome is Outcome.PASS
    tones: dict[tuple[bool, bool], Tone] = {(True, False): "bad", (False, True): "good"}
    again = "still " if before.outcome is now.outcome else "now "
    what = f"{now.key} {_WAS[before.outcome]} before, and {again}{_IS[now.outcome]}"
    where = f"The first turn that differs is {found.first}." if found.first else "No turn differs."
    return Answer(what, tones.get(passed, ""), where)


def _pairs(before: Conversation, now: Conversation) -> Iterator[TurnPair]:
    for number, (old, new) in enumerate(zip_longest(before.turns, now.turns), 1):
        yield TurnPair(
            number,
            old,
            new,
            old is not None and new is not None and _words_and_deeds(old) == _words_and_deeds(new),
        )


def _words_and_deeds(turn: Turn) -> object:
    """What was said and done in the turn."""
    messages = [
        (one.role, one.content, one.is_error, tuple((call.name, call.arguments) for call in one.tool_calls))
        for one in turn.messages
    ]
    calls = [(one.name, one.arguments, one.result, one.error) for one in turn.tool_calls]
    failure = None if turn.failure is None else (turn.failure.kind, turn.failure.message)
    return messages, calls, turn.data, failure


_WAS = {
    Outcome.PASS: "passed",
    Outcome.FAIL: "failed",
    Outcome.INCONCLUSIVE: "was inconclusive",
    Outcome.ERROR: "ended in an error",
    Outcome.SKIPPED: "was skipped",
}
_IS = {
    Outcome.PASS: "passes",
    Outcome.FAIL: "fails",
    Outcome.INCONCLUSIVE: "is inconclusive",
    Outcome.ERROR: "ends in an error",
    Outcome.SKIPPED: "is skipped",
}
