"""Messages into turns."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from grice.formats.anthropic import BESIDE_RESULTS
from grice.formats.calls import REQUESTOR
from grice.formats.pairing import CallPlace, pair_results
from grice.records import JsonValue, Message, ToolCall, Turn


def starts_turn(message: Message) -> bool:
    """Whether a turn starts with the message: one of the user that is not said beside tool results.

    A user who only calls own tools has said nothing to the agent yet.
    """
    if message.role != "user" or (message.tool_calls and not message.content):
        return False
    return not message.metadata.get(BESIDE_RESULTS)


def turns_of(messages: Iterable[Message]) -> tuple[Turn, ...]:
    """The messages grouped into turns numbered from 1, with the answers filled into their tool calls.

    Every user message starts a turn, but not what stands beside tool results in one raw message. What comes
    before the first one is a turn without user, unless it is only system messages: these open the first turn.
    `Turn.tool_calls` are the agent's, with the results of the tool messages that answer them, also when the
    answer comes in a later turn; `Message.tool_calls` stay as they came. Calls of the user's own tools are
    only in the message that made them.
    """
    ordered = tuple(messages)
    if not ordered:
        return ()
    filled = _filled_calls(ordered)
    starts = [index for index, message in enumerate(ordered) if starts_turn(message)]
    first = starts[0] if starts else len(ordered)
    if any(message.role != "system" for message in ordered[:first]) or not starts:
        starts.insert(0, 0)
    else:
        starts[0] = 0
    turns: list[Turn] = []
    for number, (start, end) in enumerate(zip(starts, [*starts[1:], len(ordered)], strict=True), start=1):
        calls = tuple(call for index in range(start, end) for call in filled.get(index, ()))
        turns.append(Turn(number, ordered[start:end], calls))
    return tuple(turns)


def parse_result(text: str) -> JsonValue:
    """What a tool returned: the value of JSON text, else the text."""
    try:
        return msgspec.json.decode(text)
    except (ValueError, RecursionError):
        return text


def _filled_calls(messages: tuple[Message, ...]) -> dict[int, list[ToolCall]]:
    filled = {
        index: list(message.tool_calls)
        for index, message in enumerate(messages)
        if message.tool_calls and not _is_by_user(message)
    }
    if filled:
        for answer, place in pair_results(messages).items():
            if place.message in filled:
                filled[place.message][place.call] = _answered(filled, place, messages[answer])
    return filled


def _is_by_user(message: Message) -> bool:
    return message.role == "user" and message.tool_calls[0].metadata.get(REQUESTOR) == "user"


def _answered(filled: dict[int, list[ToolCall]], place: CallPlace, answer: Message) -> ToolCall:
    call = filled[place.message][place.call]
    if answer.is_error:
        return msgspec.structs.replace(call, error=answer.content)
    return msgspec.structs.replace(call, result=parse_result(answer.content))
