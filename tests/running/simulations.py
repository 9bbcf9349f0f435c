"""Conversations in which users are played by LLMs with a script."""

from __future__ import annotations

from itertools import count
from typing import Any

from grice import ScriptedLLM
from grice.running.live import LiveConversation
from grice.running.support import Support
from grice.running.verdict_log import VerdictLog

GOAL = "Book a room for ten people"


def says(message: str, done: str = "no", reason: str = "so it is") -> dict[str, str]:
    """An answer of the LLM that plays the user."""
    return {"message": message, "done": done, "reason": reason}


def user(*messages: str, done: str = "goal_reached", **more: Any) -> ScriptedLLM:
    """An LLM that plays a user who says these, and then is done."""
    return ScriptedLLM({"user": [*map(says, messages), says("", done)], **more})


def endless() -> ScriptedLLM:
    """An LLM that plays a user who always has something new to say."""
    numbers = count(1)
    return ScriptedLLM({"user": lambda _: says(f"And then there is question {next(numbers)}")})


def echo(text: str) -> str:
    """An agent that repeats what it hears."""
    return f"You said: {text}"


def live(
    agent: Any = echo, llm: Any = None, *, judge: Any = None, kind: Any = LiveConversation, **given: Any
) -> Any:
    """A conversation with the LLM that plays its user; what Support has may be given by name."""
    users, topics = given.pop("users", ()), given.pop("topics", ())
    support = Support(
        find_llm=lambda: llm if llm is not None else user("I need a room"),
        find_users=lambda: users,
        find_topics=lambda: topics,
        scenario=given.pop("scenario", None),
        seed=given.pop("seed", 0),
    )
    log = VerdictLog("test", judge=(lambda: judge) if judge is not None else None)
    return kind(agent, find_support=lambda: support, recorder=log, **given)


def said(conversation: Any) -> list[str]:
    """What the user said, turn by turn."""
    return [turn.user for turn in conversation.record.turns]
