"""Answering the tool calls that an agent leaves to its client."""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from grice.loops.background_loop import await_result
from grice.loops.deadline import call_within
from grice.records import JsonValue, Message, ToolCall, clean_json, clean_text
from grice.text import did_you_mean

if TYPE_CHECKING:
    from grice.wire.cassettes import Call, Cassette

Tools = Mapping[str, Any]

"""What a test supplies for client-side tools: a result, or a function of the arguments, by tool name."""


class ToolsError(Exception):
    """A client-side tool call that nothing answers, or an answer that no call asked for."""

    __module__ = "grice"


class ToolAnswer(msgspec.Struct, frozen=True):
    """The answer to one tool call: its content, and whether the tool failed."""

    content: JsonValue = None
    is_error: bool = False


Answer = Callable[[Sequence[ToolCall]], Sequence[ToolAnswer]]


def answer_with(tools: Tools) -> Answer:
    """A function that answers pending calls from `tools`.

    A function in `tools` is called with the arguments as keywords, an asynchronous one on the background
    loop; what it raises becomes the error of the call. Raises ToolsError for a tool that is not there.
    """

    def answer(calls: Sequence[ToolCall]) -> Sequence[ToolAnswer]:
        return [_answer_one(tools, call) for call in calls]

    return answer


async def answer_later(tools: Tools, calls: Sequence[ToolCall], seconds: float) -> Sequence[ToolAnswer]:
    """The answers of `tools`; an asynchronous function is awaited in this task.

    Raises DeadlineExceeded when a plain one takes more than `seconds`.
    """
    return [await _answer_one_later(tools, call, seconds) for call in calls]


async def _answer_one_later(tools: Tools, call: ToolCall, seconds: float) -> ToolAnswer:
    begun = call_within(seconds, _begun, tools, call)
    if isinstance(begun, ToolAnswer):
        return begun
    try:
        return as_answer(await begun)
    except Exception as error:
        return _failed(error)


def _answer_one(tools: Tools, call: ToolCall) -> ToolAnswer:
    begun = _begun(tools, call)
    if isinstance(begun, ToolAnswer):
        return begun
    try:
        return as_answer(await_result(begun, math.inf))
    except Exception as error:
        return _failed(error)


def _begun(tools: Tools, call: ToolCall) -> ToolAnswer | Awaitable[Any]:
    """The tool's answer, or what an asynchronous one returned."""
    if call.name not in tools:
        known = ", ".join(tools) or "none"
        raise ToolsError(
            f"the agent called {call.name!r}, which is not among the tools of this test "
            f"({known}){did_you_mean(call.name, tools)}"
        )
    tool = tools[call.name]
    if not callable(tool):
        return as_answer(tool)
    if call.raw_arguments is not None:
        return ToolAnswer(f"the arguments are not a JSON object: {call.raw_arguments}", is_error=True)
    try:
        result = tool(**call.arguments)
        return result if isinstance(result, Awaitable) else as_answer(result)
    except Exception as error:
        return _failed(error)


def _failed(error: Exception) -> ToolAnswer:
    return ToolAnswer(clean_text(f"{type(error).__name__}: {error}"), is_error=True)


def as_answer(result: object) -> ToolAnswer:
    """A tool's result as its answer; a ToolAnswer is one already."""
    if isinstance(result, ToolAnswer):
        return ToolAnswer(clean_json(result.content), result.is_error)
    return ToolAnswer(clean_json(result))


def answered(call: ToolCall, answer: ToolAnswer) -> ToolCall:
    """The call with its answer."""
    error = clean_text(_text(answer.content)) if answer.is_error else None
    return msgspec.structs.replace(call, result=answer.content, error=error)


def tool_message(call: ToolCall) -> Message:
    """The message that carries the answer of an answered call."""
    content = call.error if call.error is not None else _text(call.result)
    return Message("tool", content, tool_call_id=call.id, name=call.name, is_error=call.error is not None)


def _text(content: JsonValue) -> str:
    return content if isinstance(content, str) else msgspec.json.encode(content).decode()


def recorded_tools(answer: Answer, cassette: Cassette) -> Answer:
    """A function that answers pending calls from the cassette, and by `answer` where it has none.

    Calls are told apart by name and arguments, not by their ids. Nothing is recorded when `answer` raises.
    Raises NotRecorded when the cassette is strict and does not have a call.
    """
    if "tools" not in cassette.kinds:
        return answer

    def play_or_answer(calls: Sequence[ToolCall]) -> Sequence[ToolAnswer]:
        begun = [cassette.begin("tools", _asked(call), subject=call.name) for call in calls]
        live = [call for call, recorded in zip(calls, begun, strict=True) if not recorded.replayed]
        answers = list(answer(live)) if live else []
        if len(answers) != len(live):
            return answers  # the conversation says what is wrong with it
        asked = iter(answers)
        return [
            _played(recorded) if recorded.replayed else _kept(recorded, next(asked)) for recorded in begun
        ]

    return play_or_answer


def _asked(call: ToolCall) -> dict[str, object]:
    if call.raw_arguments is not None:
        return {"name": call.name, "raw_arguments": call.raw_arguments}
    return {"name": call.name, "arguments": call.arguments}


def _kept(recorded: Call, answer: ToolAnswer) -> ToolAnswer:
    recorded.record(msgspec.to_builtins(answer))
    return answer


def _played(recorded: Call) -> ToolAnswer:
    try:
        return msgspec.convert(recorded.response, ToolAnswer)
    except msgspec.ValidationError as error:
        from grice.wire.cassettes import unreadable

        raise unreadable(recorded, "a tool", error) from error
