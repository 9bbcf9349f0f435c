"""Client-side tools whose answers are recorded and played again."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from grice.records import ToolCall
from grice.running.tool_answers import Answer, ToolAnswer
from grice.wire.cassettes import Call, Cassette, unreadable

__all__ = ["recorded_tools"]


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
        raise unreadable(recorded, "a tool", error) from error
