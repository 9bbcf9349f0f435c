"""The conversations that a test has held or looked at, and how their played users behaved."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from grice.identity import Redaction
from grice.records import Outcome, Result, Verdict

if TYPE_CHECKING:
    from grice.agents.server import Server
    from grice.running.reading import Readable


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

SECTIONS = pytest.StashKey[list[tuple[str, str]]]()
"""What the report of a failed test shows besides its failure."""

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
    """Show beside a failure what was said, where it does not say that, and the causes on record."""
    from grice.agents import AgentFailed
    from grice.checks.causes import SHOWN, cause_lines
    from grice.matching.failure import ExpectationFailed
    from grice.reporting.layout import transcript_rows
    from grice.reporting.text import WIDTH
    from grice.wire import ScriptError

    if isinstance(error, pytest.skip.Exception | pytest.exit.Exception):
        return
    played = item.stash.get(PLAYED, None)
    if played is not None and _wants_hints(item):  # its transcript is part of the failure
        _add_section(item, f"grice: {SHOWN}", cause_lines(played.conversation))
    if isinstance(error, AgentFailed) and (server := _server_of(item)):
        _add_section(item, "grice: the server", server.why_gone().splitlines())
    held = held_by(item)
    for one in [one for one in held if one.problem is not None][:1] or held[:1]:
        if not one.conversation.turns:
            continue
        of_run = f" of run {one.repeat}" if len(held) > 1 else ""
        if not isinstance(error, ExpectationFailed | AgentFailed | ScriptError):
            rows = transcript_rows(one.conversation.turns, marked=None, width=WIDTH)
            _add_section(item, f"grice: the conversation{of_run}", rows)
        if _wants_hints(item):
            _add_section(item, f"grice: {SHOWN}{of_run}", cause_lines(one.conversation.record))


def hint_lines(item: pytest.Item) -> Iterator[str]:
    """What the records of a test that passed show of what may be wrong, a line each."""
    if not held_by(item) or not _wants_hints(item):
        return
    from grice.checks.causes import cause_lines

    redaction: Redaction | None = None
    for one in held_by(item):
        for line in cause_lines(one.conversation.record, read=False):
            redaction = redaction or redaction_of_test(item)
            yield redaction.text(f"run {one.repeat}: {line}" if one.repeat > 1 else line)


def _server_of(item: pytest.Item) -> Server | None:
    from grice.pytest_plugin.projects import settings_of

    return settings_of(item.config, item.path).find_server()


def _wants_hints(item: pytest.Item) -> bool:
    from grice.pytest_plugin.projects import settings_of

    return settings_of(item.config, item.path).hints == "on"


def _add_section(item: pytest.Item, title: str, lines: Sequence[object]) -> None:
    if lines:
        from grice.pytest_plugin.failures import told

        item.stash.setdefault(SECTIONS, []).append((title, told("\n".join(map(str, lines)))))


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
