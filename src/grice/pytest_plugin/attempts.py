"""The conversations that a test has held or looked at, and how their played users behaved."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from grice.identity import Redaction
from grice.records import Outcome, Result, Verdict

if TYPE_CHECKING:
    from grice.running.reading import Readable

__all__ = [
    "HELD",
    "HELD_ADDRESS",
    "PLAYED",
    "TestAttempt",
    "conduct_lines",
    "end_held",
    "held_by",
    "keep",
    "redaction_of_test",
    "tell_conversation",
]


@dataclass(eq=False)
class TestAttempt:
    """The `repeat`th conversation of a test. Its verdicts stand in the test's log from `first` to `last`.

    `conduct` are the verdicts on who played the user, `problem` is what ended this run of several.
    """

    conversation: Readable
    first: int
    repeat: int = 1
    conduct: tuple[Verdict, ...] = ()
    last: int | None = None
    problem: BaseException | None = None


HELD = pytest.StashKey[list[TestAttempt]]()

HELD_ADDRESS = pytest.StashKey[str]()
"""The fixed model address that a test's conversation had, "" without one."""

PLAYED = pytest.StashKey[Result]()
"""The result of an item from a file."""


def keep(item: pytest.Item, held: TestAttempt) -> None:
    """Keep a conversation of the test until its last report."""
    item.stash.setdefault(HELD, []).append(held)


def held_by(item: pytest.Item) -> list[TestAttempt]:
    """The conversations of the test's last run, in order."""
    return item.stash.get(HELD, [])


def end_held(item: pytest.Item) -> None:
    """Forget the conversations of the test: it is run again, or over."""
    if HELD in item.stash:
        del item.stash[HELD]
    if PLAYED in item.stash:
        del item.stash[PLAYED]


def redaction_of_test(item: pytest.Item) -> Redaction:
    """What takes out of texts the secrets of the test's conversations."""
    from grice.matching.redacted import redaction_of

    played = item.stash.get(PLAYED, None)
    held = [one.conversation.record for one in held_by(item)]
    return redaction_of(*held, played.conversation if played is not None else None)


def tell_conversation(item: pytest.Item, error: BaseException) -> None:
    """Show what was said beside a failure that does not say it, where users were played."""
    from grice.agents import AgentFailed
    from grice.matching.failure import ExpectationFailed

    if isinstance(error, ExpectationFailed | AgentFailed | pytest.skip.Exception | pytest.exit.Exception):
        return
    held = held_by(item)
    for one in [one for one in held if one.problem is not None][:1] or held[:1]:
        turns = one.conversation.turns
        if one.conversation.record.simulations and turns:
            from grice.pytest_plugin.failures import told
            from grice.reporting.layout import transcript_rows
            from grice.reporting.text import WIDTH

            rows = transcript_rows(turns, marked=None, width=WIDTH)
            title = "grice conversation" + (f" of run {one.repeat}" if len(held) > 1 else "")
            item.add_report_section("call", title, told("\n".join(map(str, rows))))


def conduct_lines(item: pytest.Item) -> Iterator[str]:
    """What the played users of the test did not keep to, a line each."""
    redaction: Redaction | None = None
    for one in held_by(item):
        for verdict in one.conduct:
            if verdict.outcome not in (Outcome.PASS, Outcome.SKIPPED):
                run = f"run {one.repeat}: " if one.repeat > 1 else ""
                turn = f"turn {verdict.turn}: " if verdict.turn else ""
                redaction = redaction or redaction_of_test(item)
                yield redaction.text(
                    f"{run}{turn}{verdict.outcome}: expected {verdict.claim}: {verdict.reason}"
                )
