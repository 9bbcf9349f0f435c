"""The sources of facts of some turns: what the agent could know, and what the user said."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import UNSET

from grice.claims.fact_store import Source
from grice.records import JsonValue, ToolCall, Turn

MAX_ARGUMENT = 12
"""Words that an argument has at most; longer ones are what the agent thought or wrote itself."""


def _calls(turns: Sequence[Turn]) -> Iterator[tuple[str, ToolCall]]:
    """The calls of some turns, each with how the paths of its facts begin: its tool, and how many calls of it
    there were (`get_order#2`).
    """
    counts: dict[str, int] = {}
    for turn in turns:
        for call in turn.tool_calls:
            counts[call.name] = counts.get(call.name, 0) + 1
            yield f"{call.name}#{counts[call.name]}", call


def told_of(turns: Sequence[Turn]) -> list[Source]:
    """What the agent was told in some turns: what tools returned, failures too."""
    return [one for root, call in _calls(turns) for one in _answers(root, call)]


def _answers(root: str, call: ToolCall) -> Iterator[Source]:
    if call.result is not UNSET:
        yield root, call.result
    if call.error is not None:
        yield root, call.error


def known_of(turns: Sequence[Turn]) -> list[Source]:
    """What an agent can know in some turns: its instructions, which tools it called and with what, and what
    they returned; the newest last.
    """
    if not any(True for _, call in _calls(turns) for _ in _answers("", call)):
        return []
    known: list[Source] = [
        ("system", one.content)
        for turn in turns
        for one in turn.messages
        if one.role == "system" and one.content
    ]
    for root, call in _calls(turns):
        if call.error is None:
            known += [("$", f"{call.name.replace('_', ' ')}."), *_argument_sources(root, call)]
        known += _answers(root, call)
    return known


def _argument_sources(root: str, call: ToolCall) -> list[Source]:
    asked = {key: one for key, one in call.arguments.items() if not _is_prose(one)}
    return [(root, {"asked with": asked})] if asked else []


def _is_prose(value: JsonValue) -> bool:
    return isinstance(value, str) and value.count(" ") >= MAX_ARGUMENT


def user_sources(turns: Sequence[Turn]) -> list[Source]:
    """What the user said in some turns, and what tools were asked with."""
    said: list[Source] = []
    for turn in turns:
        said += [("user", one.content) for one in turn.messages if one.role == "user" and one.content]
        said += [one for call in turn.tool_calls for one in _argument_sources(call.name, call)]
    return said
