"""What is true outside of a conversation, such as the rows of a database, before and after it."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from grice.records.capture import JsonValue


class StateReading(msgspec.Struct, frozen=True):
    """What was read of a state once: its value, or in `problem` why it could not be read."""

    value: JsonValue = None
    problem: str = ""


class StateChange(msgspec.Struct, frozen=True):
    """A state before and after; what happened in between is judged by the difference."""

    before: StateReading
    after: StateReading


class State:
    """A state that is read once when this is made, and again by each check. `read` never raises."""

    __module__ = "grice"

    def __init__(
        self, read: Callable[[], StateReading], *, too_early: Callable[[], str] = lambda: ""
    ) -> None:
        """Use `state(source)`. `too_early` says why nothing can have happened yet, "" when it can."""
        self._read = read
        self._too_early = too_early
        self.before = read()

    def change(self) -> StateChange:
        """The state as it was, and as it is now."""
        problem = self._too_early()
        return StateChange(self.before, StateReading(problem=problem) if problem else self._read())
