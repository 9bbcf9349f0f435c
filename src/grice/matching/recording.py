"""Where verdicts go: the recorder of the running conversation or test. And who judges and compares there."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from contextvars import ContextVar
from typing import Any, Protocol, TypeGuard

from grice import _runner
from grice.matching.context import record_of
from grice.matching.waiting import PendingVerdict
from grice.records import Exchange, Reply, Turn, Verdict


class Recorder(Protocol):
    """Takes the verdicts of one test. `name` is the test's, for messages; "" when it has none.

    One that has an attribute `conversation` (live or a record) lets requests to the model be looked up there,
    one with `add_begun` is told of expectations as they begin, and for one that is `strict` what is
    trivially true fails.
    """

    @property
    def name(self) -> str: ...  # noqa: D102
    def add(self, verdict: Verdict) -> None: ...  # noqa: D102


class WaitingRecorder(Recorder, Protocol):
    """A recorder that takes verdicts before they are there, and has a judge for the checks of its test."""

    def add_later(self, pending: PendingVerdict) -> None: ...  # noqa: D102
    def add_awaited(  # noqa: D102
        self, check: Coroutine[Any, Any, Verdict], made: list[Verdict], complete: Callable[[Verdict], Verdict]
    ) -> None: ...
    def find_judge(self) -> Any: ...  # noqa: D102


CURRENT: ContextVar[Recorder | None] = ContextVar("grice_recorder", default=None)
"""The recorder of the code that runs now, for subjects that belong to no conversation."""

JUDGE: ContextVar[Any] = ContextVar("grice_judge", default=None)
"""The judge of the code that runs now, where no recorder has one."""

ENTAILMENT: ContextVar[Any] = ContextVar("grice_entailment", default=None)
"""What tells contradictions for the code that runs now; it goes before the project's."""

EMBEDDER: ContextVar[Any] = ContextVar("grice_embedder", default=None)
"""The embedder of the code that runs now, or its name; it goes before the project's."""


def find_recorder(subject: object) -> Recorder | None:
    """The recorder for a verdict on `subject`: its conversation's, else the context's, else the runner's."""
    recorder: Recorder | None = None
    if isinstance(subject, Reply):
        recorder = getattr(subject.conversation, "recorder", None)
    elif not isinstance(subject, (str, Exchange, Turn)) and record_of(subject) is not None:
        recorder = getattr(subject, "recorder", None)
    if recorder is None:
        recorder = CURRENT.get()
    if recorder is None and _runner.find is not None:
        recorder = _runner.find()
    return recorder


def find_judge(recorder: Recorder | None) -> Any:
    """The judge for a check that the recorder records: the context's, else the recorder's; None without."""
    judge = JUDGE.get()
    if judge is None and waits(recorder):
        judge = recorder.find_judge()
    return judge


def find_embedder(subject: object) -> Any:
    """The embedder for a check of that subject, or its name: the context's, else the recorder's.

    None without one. A recorder that has one finds it by `find_embedder()`, which may raise what is wrong
    with a setting.
    """
    return _found(EMBEDDER, "find_embedder", subject)


def find_entailment(subject: object) -> Any:
    """What tells contradictions for a check of that subject, found the same way by `find_entailment()`."""
    return _found(ENTAILMENT, "find_entailment", subject)


def _found(context: ContextVar[Any], name: str, subject: object) -> Any:
    """What the context has, else what the recorder finds under the name."""
    found = context.get()
    if found is None:
        find = getattr(find_recorder(subject), name, None)
        found = find() if callable(find) else None
    return found


def waits(recorder: Recorder | None) -> TypeGuard[WaitingRecorder]:
    """Whether it is a WaitingRecorder."""
    return hasattr(recorder, "add_later") and hasattr(recorder, "find_judge")
