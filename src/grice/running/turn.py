"""The turn that is going on."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from msgspec import UNSET

from grice.agents import read_tool_call
from grice.records import AgentFailure, AgentResponse, Exchange, JsonValue, Message, ToolCall, Turn
from grice.running.tool_answers import ToolAnswer, answered, tool_message

__all__ = ["OpenTurn"]


class OpenTurn:
    """Collects what happens in one turn.

    `messages` is everything that was said, for the record; `sent` is what the agent is sent for it, in which
    a call that was answered twice (pending, then confirmed) has its final answer only.
    """

    def __init__(self, number: int, user: str, metadata: dict[str, JsonValue]) -> None:
        first = Message("user", user, metadata=metadata)
        self.number = number
        self.messages = [first]
        self.sent = [first]
        self.exchanges: list[Exchange] = []
        self.pending: list[ToolCall] = []
        self.duration = 0.0
        self.failure: AgentFailure | None = None
        self._calls: list[ToolCall] = []
        self._signalled: list[ToolCall] = []
        self._data: JsonValue = None
        self._metadata: dict[str, JsonValue] = {}
        self._last_answered: list[ToolCall] = []
        self._before_answer = 1
        self._asking: Message | None = None

    def signal(
        self,
        name: str,
        arguments: object = None,
        result: object = UNSET,
        error: object = None,
        id: str = "",  # noqa: A002 - the field's name
    ) -> None:
        """Take note of a tool call that the agent reports while it runs."""
        call = read_tool_call(
            {"name": name, "arguments": arguments, "result": result, "error": error, "id": id}
        )
        self._signalled.append(msgspec.structs.replace(call, source="signal"))

    def take(self, response: AgentResponse) -> None:
        """Take the agent's response; `pending` is then what its client has to answer."""
        self._data = response.data if response.data is not None else self._data
        self._metadata = {**self._metadata, **response.metadata}
        done: list[ToolCall] = []
        pending: list[ToolCall] = []
        for call in response.tool_calls:
            signalled = self._pop_signalled(call)
            merged = _merge(call, signalled)
            (done if merged.answered or signalled is not None else pending).append(
                self._numbered(merged, done, pending)
            )
        done = [self._numbered(call, done, pending) for call in self._signalled] + done
        self._signalled = []
        self._calls += [*done, *pending]
        if done:
            self._record_done(done)
        if pending:
            self._asking = Message("assistant", response.text, tuple(pending))
            self.messages.append(self._asking)
        elif response.text or not done:
            self._append(Message("assistant", response.text))
        self.pending = pending

    def answer(self, answers: Sequence[ToolAnswer]) -> None:
        """Answer the pending calls, in order."""
        calls = [answered(call, one) for call, one in zip(self.pending, answers, strict=True)]
        if self._asking is not None:
            self.sent.append(self._asking)
            self._asking = None
        self._before_answer = len(self.sent)
        self._settle(calls)

    def answer_again(self, answers: Sequence[ToolAnswer]) -> None:
        """Replace the answers of the calls that were answered last: the user confirmed or rejected them."""
        calls = [answered(call, one) for call, one in zip(self._last_answered, answers, strict=True)]
        del self.sent[self._before_answer :]
        self._settle(calls)

    @property
    def last_answered(self) -> list[ToolCall]:
        """The calls that the client answered last."""
        return self._last_answered

    def freeze(self) -> Turn:
        """The turn as a record."""
        left_over = tuple(self._numbered(call, [], []) for call in self._signalled)  # of an agent that failed
        return Turn(
            self.number,
            tuple(self.messages),
            tuple(self._calls) + left_over,
            tuple(self.exchanges),
            data=self._data,
            failure=self.failure,
            duration=self.duration,
            metadata=self._metadata,
        )

    def _settle(self, calls: list[ToolCall]) -> None:
        final = {call.id: call for call in calls}
        self._calls = [final.get(call.id, call) for call in self._calls]
        for call in calls:
            self._append(tool_message(call))
        self._last_answered = calls
        self.pending = []

    def close(self) -> list[Message]:
        """What the agent is sent of this turn from now on; a call that nobody answered is left out."""
        if self._asking is not None and self._asking.content:
            self.sent.append(Message("assistant", self._asking.content))
        self._asking = None
        return self.sent

    def _record_done(self, done: list[ToolCall]) -> None:
        self.messages.append(Message("assistant", tool_calls=tuple(done)))
        settled = [call for call in done if call.answered]
        if settled:
            self.sent.append(Message("assistant", tool_calls=tuple(settled)))
        for call in settled:
            self._append(tool_message(call))

    def _append(self, message: Message) -> None:
        self.messages.append(message)
        self.sent.append(message)

    def _pop_signalled(self, call: ToolCall) -> ToolCall | None:
        for index, signalled in enumerate(self._signalled):
            if call.id and signalled.id:
                same = call.id == signalled.id
            else:
                same = call.name == signalled.name and call.arguments == signalled.arguments
            if same:
                return self._signalled.pop(index)
        return None

    def _numbered(self, call: ToolCall, *others: list[ToolCall]) -> ToolCall:
        if call.id:
            return call
        number = len(self._calls) + sum(map(len, others)) + 1
        return msgspec.structs.replace(call, id=f"call_{self.number}_{number}")


def _merge(returned: ToolCall, signalled: ToolCall | None) -> ToolCall:
    if signalled is None:
        return returned
    return msgspec.structs.replace(
        returned,
        id=returned.id or signalled.id,
        result=signalled.result if returned.result is UNSET else returned.result,
        error=signalled.error if returned.error is None else returned.error,
    )
