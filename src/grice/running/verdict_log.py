"""The verdicts of one test."""

from __future__ import annotations

import threading
from collections.abc import Callable, Coroutine
from inspect import CORO_CREATED, getcoroutinestate
from pathlib import PurePath
from typing import Any

from grice.agents import AgentFailed
from grice.matching.expectation import Begun, UncalledExpectation
from grice.matching.verdicts import strictly
from grice.matching.waiting import PendingVerdict
from grice.records import Conversation, Outcome, Verdict, errored
from grice.running.reading import Readable

Check = Coroutine[Any, Any, Verdict]
Complete = Callable[[Verdict], Verdict]

_NOT_SETTLED = errored("the check has not answered")
_NEVER_AWAITED = errored("the check was never made: write `await` before expect(...) and evaluate(...)")
_NEVER_ENDED = errored("the check was not awaited to its end: it was cancelled, or its task left alone")


class VerdictLog:
    """The verdicts of one test, in order. `name` is the test's, `conversation` the one that it holds.

    `judge` finds the judge of its checks when the first one wants it, `embedder` what compares texts for
    them, `entailment` what tells contradictions. `forgotten` are the verdicts on checks that nobody awaited
    to their end. With `strict` a hard verdict that is trivially true fails.
    """

    def __init__(
        self,
        name: str = "",
        judge: Callable[[], Any] | None = None,
        embedder: Callable[[], Any] | None = None,
        entailment: Callable[[], Any] | None = None,
        *,
        strict: bool = False,
    ) -> None:
        self.name = name
        self.strict = strict
        self.conversation: Readable | None = None
        self.verdicts: list[Verdict] = []
        self._judge = judge
        self._embedder = embedder
        self._entailment = entailment
        self._pending: list[tuple[int, PendingVerdict]] = []
        self._awaited: list[tuple[Check, list[Verdict], Complete]] = []
        self.forgotten: list[Verdict] = []
        self._begun: list[Begun] = []
        self._lock = threading.Lock()  # a test's threads may check at the same time

    def add(self, verdict: Verdict) -> None:
        """Keep a verdict."""
        with self._lock:
            self.verdicts.append(strictly(verdict) if self.strict else verdict)

    def add_later(self, pending: PendingVerdict) -> None:
        """Keep a place for a verdict that is not there yet."""
        with self._lock:
            self._pending.append((len(self.verdicts), pending))
            self.verdicts.append(_NOT_SETTLED)

    def add_awaited(self, check: Check, made: list[Verdict], complete: Complete) -> None:
        """Keep a check that is to be awaited, and the list that its verdict goes into.

        `complete` makes a verdict of an answer that is not its own.
        """
        with self._lock:
            self._awaited.append((check, made, complete))

    def add_begun(self, begun: Begun) -> None:
        """Keep an expectation that begins: in the end a matcher of it has to have been called."""
        self._begun.append(begun)

    def begin_again(self) -> None:
        """Forget what the test began in a run that is over; its verdicts stay."""
        self._begun.clear()
        self.forgotten.clear()

    def tell_uncalled(self) -> None:
        """Warn of each expectation that checked nothing.

        With `strict`, and where warnings are errors, it is an error of the test. It is asked of one that went
        through: where one broke off, so may its last line have.
        """
        uncalled = [one for one in self._begun if not one.called]
        self._begun.clear()
        for one in uncalled:
            try:
                if not self.strict:
                    one.warn()
                    continue
            except UncalledExpectation:
                pass
            claim = f"{PurePath(one.file).name}:{one.line} to check something"
            self.forgotten.append(Verdict(Outcome.ERROR, one.problem, claim=claim, mode=one.mode))
            self.verdicts.append(self.forgotten[-1])

    def settle(self) -> None:
        """Wait for every verdict that is not there yet; a check not awaited to its end is an error."""
        for check, made, complete in self._awaited:
            if not made:
                begun = getcoroutinestate(check) != CORO_CREATED
                if not begun:
                    check.close()
                self.forgotten.append(complete(_NEVER_ENDED if begun else _NEVER_AWAITED))
                self.verdicts.append(self.forgotten[-1])
        self._awaited.clear()
        while self._pending:
            place, pending = self._pending[0]
            self.verdicts[place] = pending.settle()
            del self._pending[0]

    def give_up(self) -> None:
        """Forget the verdicts that are not there yet, and end their checks: nobody waits for them."""
        for place, pending in reversed(self._pending):
            pending.give_up()
            del self.verdicts[place]
        self._pending.clear()

    def find_judge(self) -> Any:
        """The judge of this test's checks, None without one."""
        return self._judge() if self._judge is not None else None

    def find_embedder(self) -> Any:
        """What compares texts for this test's checks, or its name; None without one."""
        return self._embedder() if self._embedder is not None else None

    def find_entailment(self) -> Any:
        """What tells contradictions for this test's checks; None without one."""
        return self._entailment() if self._entailment is not None else None


def broken_verdict(record: Conversation, error: BaseException) -> Verdict:
    """The verdict for an agent that failed, a script that did not fit, or a user who could not be played."""
    from grice.users.protocol import SimulatorError  # few conversations have such a user

    turns = record.turns
    if isinstance(error, SimulatorError):
        return Verdict(Outcome.ERROR, str(error), claim="the user to be played", turn=len(turns) or None)
    failure = turns[-1].failure if turns else None
    reason = failure.message if failure is not None else str(error)
    agent_failed = isinstance(error, AgentFailed) and (failure is None or failure.kind != "script")
    claim = "the agent to answer" if agent_failed else "the conversation to play as scripted"
    return Verdict(Outcome.ERROR, reason, claim=claim, turn=len(turns) or None)
