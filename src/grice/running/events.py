"""What a run tells its observers, as it happens."""

from __future__ import annotations

import msgspec

from grice.records import Classification, Result, Termination, Turn


class RunStarted(msgspec.Struct, frozen=True, tag=True):
    """A run begins: its name, the number of conversations to hold, and how many were finished before."""

    experiment: str
    planned: int
    finished_before: int = 0


class ConversationStarted(msgspec.Struct, frozen=True, tag=True):
    """A conversation begins. `id` is the stable id, `key` the scenario's, `repeat` counts from 1."""

    id: str
    key: str
    repeat: int = 1


class TurnFinished(msgspec.Struct, frozen=True, tag=True):
    """A turn has ended; `turn` has its messages, tool calls, requests and topic."""

    id: str
    repeat: int
    turn: Turn


class TopicChanged(msgspec.Struct, frozen=True, tag=True):
    """The conversation moved to another topic, with the turn of that number; `before` is "" at first."""

    id: str
    repeat: int
    turn: int
    before: str
    now: Classification


class SimulationEnded(msgspec.Struct, frozen=True, tag=True):
    """A played user has stopped."""

    id: str
    repeat: int
    turns: int
    termination: Termination
    reason: str = ""


class ConversationFinished(msgspec.Struct, frozen=True, tag=True):
    """A conversation was held and judged, and its line stands in the journal.

    `notes` say what was recorded or rewritten beside it.
    """

    result: Result
    notes: tuple[str, ...] = ()


class RunFinished(msgspec.Struct, frozen=True, tag=True):
    """Nothing more comes. `complete` says that everything planned was finished."""

    experiment: str
    finished: int
    complete: bool


Event = (
    RunStarted
    | ConversationStarted
    | TurnFinished
    | TopicChanged
    | SimulationEnded
    | ConversationFinished
    | RunFinished
)
