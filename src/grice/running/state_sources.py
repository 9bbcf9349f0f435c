"""Where the state that conversations change is read, for suites, scenario sets and `@simulated`."""

from __future__ import annotations

import inspect
import threading
from collections.abc import Callable, Collection, Hashable, Mapping
from functools import partial
from pathlib import Path

from grice.records import Scenario, State, StateChange, StateReading
from grice.text import value_text

Read = Callable[[], StateReading]

_LOCK = threading.Lock()
_GOING_ON: dict[object, set[SimulatedState]] = {}

_DISTURBED = (
    "another conversation went on meanwhile and reads the same state, so who changed it cannot be told: give "
    "its function a parameter `scenario` and have it return what is this conversation's only, or hold one at "
    "a time with concurrency = 1"
)


class SimulatedState(State):
    """The state before a conversation and after it, for checks that look at the finished conversation.

    `shared` is what it reads that other conversations read too: had one of them gone on meanwhile, a check of
    it is an `error`.
    """

    def __init__(self, read: Read, shared: Collection[object]) -> None:
        self._shared = shared
        self._after: StateReading | None = None
        self._disturbed = False
        with _LOCK:
            for key in shared:
                others = _GOING_ON.setdefault(key, set())
                for one in others:
                    one._disturbed = self._disturbed = True
                others.add(self)
        try:
            super().__init__(read)
        except BaseException:  # it was given up
            self._leave()
            raise

    def end(self) -> None:
        """Read the state after the conversation."""
        try:
            self._after = self._read()
        finally:
            self._leave()

    def _leave(self) -> None:
        with _LOCK:
            for key in self._shared:
                others = _GOING_ON.get(key, set())
                others.discard(self)
                if not others:
                    _GOING_ON.pop(key, None)

    def change(self) -> StateChange:
        """The state as it was before the conversation, and as it was after it."""
        if self._disturbed:
            return StateChange(self.before, StateReading(problem=_DISTURBED))
        return StateChange(self.before, self._after or self._read())


def simulated_state(source: object, root: Path, scenario: Scenario | None) -> SimulatedState:
    """Read the state before a conversation; a function with a parameter gets the scenario. Never raises."""
    shared: list[object] = []

    def of_scenario(found: object) -> object:
        if callable(found) and _asks_for_scenario(found):
            return partial(found, scenario)
        shared.append(found if isinstance(found, Hashable) else id(found))
        return found

    read = state_reader(source, root, of_scenario)
    return SimulatedState(read, shared)


def state_reader(
    source: object, root: Path, prepared: Callable[[object], object] = lambda found: found
) -> Read:
    """What reads the state; one that names nothing that is there says so in each reading.

    `source` is a function, an address, the name of a function as `module:name`, or several by name;
    `prepared` makes of each what is read.
    """
    from grice.checks.state import reader_of
    from grice.wire.load import load_object

    def found(one: object) -> object:
        if isinstance(one, str) and not one.lower().startswith(("http://", "https://")):
            one = load_object(one, root=root, what="state", error=ValueError)
        return prepared(one)

    try:
        if isinstance(source, Mapping):
            return reader_of({name: found(one) for name, one in source.items()})
        return reader_of(found(source))
    except (ValueError, TypeError) as error:
        return partial(StateReading, problem=str(error))


def check_source(source: object) -> None:
    """Raise ValueError for what is no source of a state."""
    several = source.values() if isinstance(source, Mapping) and source else [source]
    if not all(isinstance(one, str) or callable(one) for one in several):
        raise ValueError(
            "state: expected a function, an address, a function's name as 'module:name', or several of these "
            f"by name, found {value_text(source)}"
        )


def _asks_for_scenario(function: Callable[..., object]) -> bool:
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return False
    plain = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return sum(one.kind in plain and one.default is one.empty for one in parameters) == 1
