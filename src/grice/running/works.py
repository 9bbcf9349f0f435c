"""Conversations that are to be held, as runs know them, and what came of each."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterable, Sequence
from typing import Any, NamedTuple, Protocol

from grice.records import Result
from grice.running.events import ConversationFinished, ConversationStarted, Event

__all__ = ["Held", "Named", "Observe", "PlainWork", "Work", "play_each"]

Observe = Callable[[Event], None]


class Named(Protocol):
    """A conversation that begins, as journals name it. `repeat` counts from 1."""

    @property
    def id(self) -> str: ...  # noqa: D102
    @property
    def key(self) -> str: ...  # noqa: D102
    @property
    def repeat(self) -> int: ...  # noqa: D102
    @property
    def group(self) -> str: ...  # noqa: D102 - the scenario set, else the name of the file


class Held(NamedTuple):
    """What came of a conversation. `notes` say what was recorded or rewritten beside it, one a line."""

    result: Result
    notes: Sequence[str] = ()


class Work(Named, Protocol):
    """A conversation that is to be held and judged."""

    def hold(self, observe: Observe) -> Coroutine[Any, Any, Held | None]:
        """What came of it; None where the budget ended it, which is no result."""
        ...


class PlainWork(Named, Protocol):
    """A conversation that can be held by who waits for it."""

    def play(self) -> Held:
        """What came of it."""
        ...


def play_each(
    works: Iterable[PlainWork],
    *,
    finish: Callable[[Result], None],
    observe: Observe,
    begin: Callable[[PlainWork], None],
) -> None:
    """Hold one conversation after the other, in this very thread."""
    for work in works:
        begin(work)
        observe(ConversationStarted(work.id, work.key, work.repeat))
        held = work.play()
        finish(held.result)
        observe(ConversationFinished(held.result, tuple(held.notes)))
