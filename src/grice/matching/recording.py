"""Where verdicts go: the recorder of the running conversation or test."""

from __future__ import annotations

from contextvars import ContextVar
from typing import Protocol

from grice import _runner
from grice.matching.context import record_of
from grice.records import Exchange, Reply, Turn, Verdict

__all__ = ["CURRENT", "Recorder", "find_recorder"]


class Recorder(Protocol):
    """Takes the verdicts of one test. `name` is the test's, for messages; "" when it has none.

    One that has an attribute `conversation` (live or a record) lets requests to the model be looked up there.
    """

    @property
    def name(self) -> str: ...  # noqa: D102
    def add(self, verdict: Verdict) -> None: ...  # noqa: D102


CURRENT: ContextVar[Recorder | None] = ContextVar("grice_recorder", default=None)
"""The recorder of the code that runs now, for subjects that belong to no conversation."""


def find_recorder(subject: object) -> Recorder | None:
    """The recorder for a verdict on `subject`: its conversation's, else the context's, else the runner's."""
    recorder: Recorder | None = None
    if isinstance(subject, Reply):
        recorder = getattr(subject.conversation, "recorder", None)
    elif not isinstance(subject, str | Exchange | Turn) and record_of(subject) is not None:
        recorder = getattr(subject, "recorder", None)
    if recorder is None:
        recorder = CURRENT.get()
    if recorder is None and _runner.find is not None:
        recorder = _runner.find()
    return recorder
