"""An agent that does again what a record says: it answers as the turns do, and sends their requests."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from grice.agents import AgentContext
from grice.records import AgentResponse, JsonValue, ToolCall, Turn


def replaying(turns: Sequence[Turn], answered_by_client: Mapping[str, JsonValue]) -> Callable[..., Any]:
    """A factory of an agent that plays these turns, one a message of the user.

    A call with the result that the client gives for its tool is left to it; the others come answered.
    """

    def agent(context: AgentContext) -> Callable[[list[dict[str, Any]]], Any]:
        return _Replay(turns, answered_by_client, context.model).chat

    return agent


class _Replay:
    def __init__(self, turns: Sequence[Turn], client: Mapping[str, JsonValue], model: Any) -> None:
        self._turns = iter(turns)
        self._client = client
        self._model = model
        self._steps: list[list[AgentResponse]] = []

    def chat(self, messages: list[dict[str, Any]]) -> Any:
        """The next part of the turn: up to the calls that the client answers, or to its end."""
        if messages[-1]["role"] == "user" or not self._steps:
            self._begin(next(self._turns))
        step = self._steps.pop(0)
        return step[0] if len(step) == 1 else step

    def _begin(self, turn: Turn) -> None:
        for exchange in turn.exchanges:
            if exchange.reply is not None:
                self._model.respond(exchange.request, exchange.dialect or "anthropic")
        self._steps = [[]]
        rest = list(turn.tool_calls)
        for message in turn.messages:
            if message.role != "assistant":
                continue
            calls = tuple(_done(one, rest) for one in message.tool_calls)
            waits = bool(calls) and all(self._left_to_client(one) for one in calls)
            given = tuple(_bare(one) for one in calls) if waits else calls
            self._steps[-1].append(AgentResponse(message.content, given))
            if waits:
                self._steps.append([])
        last = self._steps[-1]
        if not last:
            last.append(AgentResponse("", data=turn.data))
        elif turn.data is not None:
            last[-1] = msgspec.structs.replace(last[-1], data=turn.data)

    def _left_to_client(self, call: ToolCall) -> bool:
        return call.answered and call.error is None and self._client.get(call.name, _NONE) == call.result


_NONE: Any = object()


def _done(call: ToolCall, rest: list[ToolCall]) -> ToolCall:
    """The call with its answer, taken out of the rest: ids repeat in real logs."""
    same = [one for one in rest if call.id and one.id == call.id] or [
        one for one in rest if one.name == call.name
    ]
    if not same:
        return call
    rest.remove(same[0])
    return same[0]


def _bare(call: ToolCall) -> ToolCall:
    return msgspec.structs.replace(call, result=msgspec.UNSET, error=None)
