"""A conversation as plain text, the way failures and reports show it."""

from __future__ import annotations

from collections.abc import Iterator

from grice.records import AgentFailure, Conversation, Message, ToolCall, Turn
from grice.text import shorten, visible

__all__ = ["call_text", "transcript", "value_text"]

ROLE_WIDTH = 11
MAX_TEXT = 2_000
MAX_ARGUMENT = 200
MAX_TURNS = 20


def transcript(turns: tuple[Turn, ...], *, marked: int | None = None, keep: int = MAX_TURNS) -> str:
    """The turns as text, one message a row, with the agent's side of turn `marked` behind `>`.

    Text of agents is shown as text: control characters become visible escapes, long messages are cut with
    their length named, and of a long conversation only the last `keep` turns up to the marked one are shown.
    """
    end = (
        len(turns)
        if marked is None
        else max((i + 1 for i, t in enumerate(turns) if t.number == marked), default=0)
    )
    end = max(end, min(len(turns), keep))
    start = max(0, end - keep)
    lines = [f"     ... {start} earlier turn{'s' if start > 1 else ''}"] if start else []
    for turn in turns[start:end]:
        lines += _turn_lines(turn, marked=turn.number == marked)
    if end < len(turns):
        lines.append(f"     ... {len(turns) - end} later turns")
    return "\n".join(lines)


def _turn_lines(turn: Turn, *, marked: bool) -> Iterator[str]:
    number = f"{turn.number:>2}"
    for message in turn.messages:
        agents = message.role != "user"
        yield from _rows(number, message.role, _message_text(message), marked=marked and agents)
        number = "  "
    if turn.failure is not None:
        yield from _rows(number, "failure", _failure_text(turn.failure), marked=True)


def _rows(number: str, role: str, text: list[str], *, marked: bool) -> Iterator[str]:
    marker = ">" if marked else " "
    for line in text:
        yield f"{marker}{number}  {role:<{ROLE_WIDTH}}{line}".rstrip()
        number, role = "  ", ""


def _message_text(message: Message) -> list[str]:
    lines = [f"-> {call_text(call)}" for call in message.tool_calls]
    if message.content or not lines:
        lines += visible(shorten(message.content, MAX_TEXT)).split("\n")
    if message.is_error:
        lines[0] = f"error: {lines[0]}"
    return lines


def _failure_text(failure: AgentFailure) -> list[str]:
    return visible(shorten(f"{failure.kind}: {failure.message}", MAX_TEXT)).split("\n")


def call_text(call: ToolCall) -> str:
    """A tool call as it would be written: `book(room='Blue', people=10)`."""
    name = visible(call.name, newlines=False)
    if call.raw_arguments is not None:
        return f"{name}(malformed arguments: {value_text(call.raw_arguments)})"
    arguments = (
        f"{visible(key, newlines=False)}={value_text(value)}" for key, value in call.arguments.items()
    )
    return f"{name}({', '.join(arguments)})"


def value_text(value: object) -> str:
    """A value for a message: its repr on one line, cut when long."""
    return shorten(visible(repr(value), newlines=False), MAX_ARGUMENT)


def whole_transcript(conversation: Conversation) -> str:
    """Every turn of the conversation."""
    return transcript(conversation.turns, keep=len(conversation.turns))
