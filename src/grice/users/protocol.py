"""The protocol of players: how a conversation gets the messages of its user."""

from __future__ import annotations

from collections.abc import Coroutine
from typing import Any, ClassVar, Literal, Protocol

import msgspec

from grice.matching.protocols import BoundLLM
from grice.records import Conversation


class UserConfigError(ValueError):
    """A user cannot be played so: the text names the setting, what was found and what was expected."""

    __module__ = "grice"


Done = Literal["no", "goal_reached", "gave_up"]


class SimulatorError(Exception):
    """The player of the user gave no usable message. The agent is not to blame."""

    __module__ = "grice"


class UserMove(msgspec.Struct, frozen=True, omit_defaults=True):
    """The user's next move: it says `message`, or is `done` (then nothing is sent). `reason` says why."""

    message: str = ""
    done: Done = "no"
    reason: str = ""


class UserSupport(msgspec.Struct, frozen=True):
    """What a player receives for one conversation.

    `llm` plays the user where an LLM does; asking it raises LLMError with instructions when there is none.
    `seed` is for random draws and for LLMs that take one. `first` is the number of the first turn that the
    player may make: what was said before it was said by somebody else.
    """

    llm: BoundLLM | None = None
    seed: int = 0
    first: int = 1


class Player(Protocol):
    """Plays the user of one conversation.

    `faults` are the rules that it broke and then did better, in words; `asked` counts the moves that it made
    or tried to.
    """

    faults: list[str]
    asked: int

    def move(self, conversation: Conversation, topic: str) -> UserMove | Coroutine[Any, Any, UserMove]:
        """The next move; `topic` is the current topic, "" without a graph.

        Raises SimulatorError, or LLMError where an LLM gave no answer.
        """
        ...


class UserPlan(Protocol):
    """How a user is played, in any number of conversations; none of them changes it.

    `kind` is who plays: simulator, script, prober or function. `max_turns` None is no limit of its own.
    """

    kind: ClassVar[str]

    @property
    def goal(self) -> str: ...  # noqa: D102
    @property
    def persona_name(self) -> str: ...  # noqa: D102
    @property
    def max_turns(self) -> int | None: ...  # noqa: D102

    def start(self, support: UserSupport) -> Player:
        """Make the player for one conversation."""
        ...
