"""What an agent could know in some turns, and what it was told by the user, as sources of facts."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import UNSET

from grice.claims.store import Source
from grice.records import JsonValue, ToolCall, Turn

__all__ = ["heard_of", "known_of", "told_of"]

MAX_ARGUMENT = 12
"""Words that an argument has at most; longer ones are what the agent thought or wrote itself."""


def told_of(turns: Sequence[Turn]) -> list[Source]:
    """What the agent was told in some turns: what tools returned, failures too.

    The facts of a call begin with its tool and how many calls of it there were: `get_order#2`.
    """
    told: list[Source] = []
    counts: dict[str, int] = {}
    for turn in turns:
        for call in turn.tool_calls:
            counts[call.name] = counts.get(call.name, 0) + 1
            root = f"{call.name}#{counts[call.name]}"
            told += [(root, call.result)] if call.result is not UNSET else []
            told += [(root, call.error)] if call.error is not None else []
    return told


def known_of(turns: Sequence[Turn]) -> list[Source]:
    """What an agent can know in some turns: what tools returned, which it called and with what, and
    its instructions.
    """
    told = told_of(turns)
    if not told:
        return []
    for turn in turns:
        told += [("system", one.content) for one in turn.messages if one.role == "system" and one.content]
        for call in turn.tool_calls:
            if call.error is None:
                told += [("$", f"{call.name.replace('_', ' ')}."), *_asked(call)]
    return told


def _asked(call: ToolCall) -> list[Source]:
    asked = {key: one for key, one in call.arguments.items() if not _is_prose(one)}
    return [(call.name, {"asked with": asked})] if asked else []


def _is_prose(value: JsonValue) -> bool:
    return isinstance(value, str) and value.count(" ") >= MAX_ARGUMENT


def heard_of(turns: Sequence[Turn]) -> list[Source]:
    """What the user said in some turns, and what tools were asked with."""
    said: list[Source] = []
    for turn in turns:
        said += [("user", one.content) for one in turn.messages if one.role == "user" and one.content]
        said += [one for call in turn.tool_calls for one in _asked(call)]
    return said
