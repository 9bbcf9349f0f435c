"""One attempt in a runner of one's own: its verdicts are collected, and come to a Result."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import Token
from types import TracebackType
from typing import Self

from grice.agents import AgentFailed
from grice.files.scenario_sets import scenario_fingerprint
from grice.identity import stable_id, stable_path
from grice.matching.context import record_of
from grice.matching.failure import ExpectationFailed
from grice.matching.recording import CURRENT, Recorder
from grice.matching.verdicts import error_text
from grice.records import Conversation, Outcome, Result, Scenario, Verdict
from grice.running.journal.form import Begun
from grice.running.outcomes import ending_of
from grice.running.tool_answers import ToolsError
from grice.running.verdict_log import VerdictLog, broken_verdict
from grice.users.protocol import SimulatorError
from grice.wire import ScriptError

__all__ = ["RecordedAttempt", "check_repeat", "check_text"]

_PLAYED = (AgentFailed, ScriptError, ToolsError, SimulatorError)
"""What a conversation raises where it cannot go on."""


class RecordedAttempt:
    """A context manager that collects the verdicts of its block and keeps their Result.

    `result` is what it came to, None while it goes on. `begin` is told when the block begins, `end` when it
    ends, with None where it was interrupted. See `Recording.attempt`. Raises TypeError for what is no
    conversation, no scenario, key or number, and ValueError for an empty key and a repeat below 1.
    """

    def __init__(
        self,
        begin: Callable[[Begun], None],
        end: Callable[[Begun, Result | None], None],
        scenario: Scenario | str,
        conversation: object,
        *,
        repeat: int = 1,
        suite: str = "",
    ) -> None:
        if record_of(conversation) is None:
            raise TypeError(
                f"an attempt is made of a Conversation, found {type(conversation).__name__}; "
                "grice.read_conversation(messages) makes one of a list of messages"
            )
        if not isinstance(scenario, Scenario):
            check_text("an attempt is made at a Scenario, or at its key, which", scenario)
        check_repeat(repeat)
        if not isinstance(suite, str):
            raise TypeError(f"suite is a text, found {type(suite).__name__}")
        self.result: Result | None = None
        self._begin, self._end = begin, end
        self._scenario = scenario
        self._conversation = conversation
        self._begun = _begun(scenario, suite, repeat)
        self._log = VerdictLog(self._begun.key)
        self._token: Token[Recorder | None] | None = None

    def __enter__(self) -> Self:
        self._begin(self._begun)
        self._token = CURRENT.set(self._log)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        if self._token is not None:
            CURRENT.reset(self._token)
        if error is not None and not isinstance(error, Exception):
            self._end(self._begun, None)
            return False  # interrupted: it was not finished
        record = record_of(self._conversation) or Conversation()
        verdicts = _verdicts(self._log, record, self._begun.key, error)
        self.result = _result(self._begun, self._scenario, record, verdicts)
        self._end(self._begun, self.result)
        return isinstance(error, (AssertionError, *_PLAYED))


def check_text(what: str, given: object) -> None:
    """Raise TypeError for what is no text, ValueError for an empty one."""
    if not isinstance(given, str):
        raise TypeError(f"{what} is a text, found {type(given).__name__}")
    if not given.strip():
        raise ValueError(f"{what} is not empty, found {given!r}")


def check_repeat(given: object, where: str = "") -> None:
    """Raise TypeError for what is no number, ValueError for one below 1."""
    if isinstance(given, bool) or not isinstance(given, int):
        raise TypeError(f"{where}repeats are numbers from 1, found {type(given).__name__}")
    if given < 1:
        raise ValueError(f"{where}repeats count from 1, found {given}")


def _begun(scenario: Scenario | str, suite: str, repeat: int) -> Begun:
    key, set_name = (scenario, "") if isinstance(scenario, str) else (scenario.key, scenario.set_name)
    return Begun(stable_id(stable_path(suite or set_name, scenario=key)), key, repeat, set_name)


def _verdicts(
    log: VerdictLog, record: Conversation, key: str, raised: Exception | None
) -> tuple[Verdict, ...]:
    log.settle()
    claim = f"{key} to hold"
    match raised:
        case None:
            log.tell_uncalled()
        case ExpectationFailed():
            if raised.verdict not in log.verdicts:
                log.add(raised.verdict)
        case AssertionError():
            log.add(Verdict(Outcome.FAIL, str(raised) or "an assertion does not hold", claim=claim))
        case AgentFailed() | ScriptError() | ToolsError() | SimulatorError():
            log.add(broken_verdict(record, raised))
        case _:
            log.add(Verdict(Outcome.ERROR, f"the runner raised {error_text(raised)}", claim=claim))
    return tuple(log.verdicts)


def _result(
    begun: Begun, scenario: Scenario | str, record: Conversation, verdicts: tuple[Verdict, ...]
) -> Result:
    known = scenario if isinstance(scenario, Scenario) else None
    ending = ending_of(record, verdicts)
    return Result(
        id=begun.id,
        key=begun.key,
        outcome=ending.outcome,
        conversation=record,
        verdicts=verdicts,
        failure=ending.failure,
        description=str(known.get("name") or "") if known is not None else "",
        file=known.file if known is not None else "",
        fingerprint=scenario_fingerprint(known) if known is not None else "",
        repeat=begun.repeat,
        set_name=known.set_name if known is not None else "",
        counts=ending.counts,
    )
