"""Conversations, and users that are played in them by LLMs with a script."""

from __future__ import annotations

import asyncio
from typing import Any

from grice.llm import ScriptedLLM
from grice.records import Conversation, Message, Simulation, Turn
from grice.users.protocol import UserMove, UserSupport
from grice.users.settings import SimulatedUser

GOAL = "Book a room for ten people tomorrow"


def talk(*said: tuple[str, str], **fields: Any) -> Conversation:
    """A conversation of these turns: what the user said, and what the agent said."""
    turns = tuple(turn(number, *one) for number, one in enumerate(said, 1))
    return Conversation(turns=turns, **fields)


def turn(number: int, user: str, agent: str, **fields: Any) -> Turn:
    """One turn."""
    return Turn(number, (Message("user", user), Message("assistant", agent)), **fields)


def simulated(conversation: Conversation, **fields: Any) -> Conversation:
    """The conversation, all of it by a simulated user."""
    played = Simulation(1, len(conversation.turns), "goal_reached", "all is booked", **fields)
    return Conversation(turns=conversation.turns, simulations=(played,))


def says(message: str, done: object = "no", reason: str = "so it is") -> dict[str, Any]:
    """An answer of the LLM that plays the user."""
    return {"message": message, "done": done, "reason": reason}


class Played:
    """A simulated user with an LLM that answers from a script."""

    def __init__(self, *answers: Any, seed: int = 7, **settings: Any) -> None:
        self.llm = ScriptedLLM({"user": list(answers)})
        user = SimulatedUser(**{"goal": GOAL, **settings})
        self.player: Any = user.start(UserSupport(self.llm, seed))

    def move(self, conversation: Conversation | None = None, topic: str = "") -> UserMove:
        """The next move."""
        return asyncio.run(self.player.move(conversation or Conversation(), topic))

    def asked(self, number: int = -1) -> str:
        """What the LLM was told in one of the requests: its system and user message."""
        return "\n".join(str(message["content"]) for message in self.llm.requests[number].messages)
