"""The turn that is going on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec
from msgspec import UNSET

from grice.agents import read_tool_call
from grice.records import (
    AgentFailure,
    AgentResponse,
    Attachment,
    Classification,
    Exchange,
    JsonValue,
    Message,
    ToolCall,
    Turn,
)
from grice.running.tool_answers import ToolAnswer, answered, tool_message
from grice.wire.seen_calls import seen_calls, unreported


class OpenTurn:
    """Collects what happens in one turn.

    `messages` is everything that was said, for the record; `sent` is what the agent is sent for it, in which
    a call that was answered twice (pending, then confirmed) has its final answer only, and a call that nobody
    answered does not occur. What the agent signals belongs to the turn even after its end.

    A round is what the agent says from being asked to its last response: one response, or several, taken as
    they come. `settle` ends it.
    """

    def __init__(
        self,
        number: int,
        user: str,
        metadata: dict[str, JsonValue],
        attachments: tuple[Attachment, ...] = (),
        unseen: JsonValue = None,
    ) -> None:
        first = Message("user", user, metadata=metadata, attachments=attachments)
        self.number = number
        self.messages = [first]
        self.sent = [first]
        self.exchanges: list[tuple[Exchange, Exchange]] = []  # as it came, and with its turn
        self.duration = 0.0
        self.classified: Classification | None = None
        self._failure: AgentFailure | None = None
        self._data: JsonValue = None
        self._metadata: dict[str, JsonValue] = {"unseen": unseen} if unseen else {}
        self._calls: list[ToolCall] = []
        self._signalled: list[ToolCall] = []
        self._retellable: list[int] = []  # where in `_calls` those stand that were signalled in this round
        self._said = False  # whether there is a message of this round
        self._over = False
        self._asked: list[int] = []  # where in `_calls` those stand that the client was asked last
        self._asking: Message | None = None  # the message that asked, until the client answers
        self._before_answers = 1
        self._reported = 0  # how often the agent signalled something
        self._seen: tuple[int, list[ToolCall]] = 0, []  # in so many exchanges
        self._closed: tuple[int, Turn] | None = None  # the record once closed, and `_reported` of then

    def signal(
        self,
        name: str,
        arguments: object = None,
        result: object = UNSET,
        error: object = None,
        id: str = "",  # noqa: A002 - the field's name
    ) -> None:
        """Take note of a tool call that the agent reports while it runs, or of the result of one."""
        call = msgspec.structs.replace(
            read_tool_call(
                {"name": name, "arguments": arguments, "result": result, "error": error, "id": id}
            ),
            source="signal",
        )
        if call.answered:
            begun = self._pop_signalled(call, [one for one in self._signalled if not one.answered])
            if begun is None and self._complete(call):
                return
            call = call if begun is None else _merged(call, begun)
        self._signalled.append(call)
        self._reported += 1

    def take(self, response: AgentResponse) -> None:
        """Take a response of the agent. Raises RuntimeError when the turn has ended without it."""
        if self._over:
            raise RuntimeError("the turn has ended")
        if response.data is not None:
            self._data = response.data
        if response.metadata:
            self._metadata = {**self._metadata, **response.metadata}
        done, pending = self._sorted(response.tool_calls)
        if done:
            self._record(done)
        if pending:
            self._ask(Message("assistant", response.text, self._numbered(pending)))
        elif response.text:
            self._append(Message("assistant", response.text))
        self._said = self._said or bool(done or pending or response.text)

    def settle(self) -> None:
        """End the round: `pending` is what the client has to answer now. An agent that said "" said so."""
        if not self._said:
            self._append(Message("assistant"))
        self._said = False
        self._retellable = []

    def _ask(self, message: Message) -> None:
        """Leave the calls of the message, the last that were numbered, to the client."""
        if self._asking is None:
            self._asking = message
            self._asked = []
        else:  # it asked before in this round: its client answers all at once
            texts = [text for text in (self._asking.content, message.content) if text]
            self._asking = Message(
                "assistant", "\n".join(texts), (*self._asking.tool_calls, *message.tool_calls)
            )
        self._asked += range(len(self._calls) - len(message.tool_calls), len(self._calls))
        self.messages.append(message)

    @property
    def pending(self) -> list[ToolCall]:
        """The calls that wait for their client's answer."""
        return [self._calls[place] for place in self._asked] if self._asking is not None else []

    @property
    def asked(self) -> list[ToolCall]:
        """The calls that the agent left to its client last, answered or not."""
        return [self._calls[place] for place in self._asked]

    def answer(self, answers: Sequence[ToolAnswer | None]) -> None:
        """Answer the calls that the client was asked, in order; None leaves the answer that a call has.

        Calls that were answered already get new answers (the user confirmed or rejected them): these replace
        the old ones, and what was said about those, in what the agent is sent.
        """
        if self._asking is not None:
            self.sent.append(self._asking)
            self._asking = None
            self._before_answers = len(self.sent)
        del self.sent[self._before_answers :]
        for place, answer in zip(self._asked, answers, strict=True):
            if answer is not None:
                self._calls[place] = answered(self._calls[place], answer)
                self.messages.append(tool_message(self._calls[place]))
            self.sent.append(tool_message(self._calls[place]))

    def add_exchange(self, exchange: Exchange) -> None:
        """Take note of what the agent's model was asked and said."""
        self.exchanges.append((exchange, msgspec.structs.replace(exchange, turn=self.number)))
        self._reported += 1

    def replace_exchange(self, old: Exchange, new: Exchange) -> bool:
        """Put another record of an exchange in the place of the first; whether it was here."""
        for place, (added, _) in enumerate(self.exchanges):
            if added is old:
                self.exchanges[place] = new, msgspec.structs.replace(new, turn=self.number)
                self._reported += 1
                return True
        return False

    def stop(self, failure: AgentFailure | None = None) -> None:
        """End a turn whose agent gave no response: what it signalled is kept, and why it failed."""
        self._failure = failure
        self._over = True
        if self._signalled:
            done, _ = self._sorted(())
            self.messages += _told(self._numbered(done))

    def freeze(self) -> Turn:
        """The turn so far as a record; of a closed turn the same one, until the agent signals a call late."""
        if self._closed is None:
            return self._frozen()
        reported, frozen = self._closed
        if reported != self._reported:
            reported = self._reported
            frozen = self._frozen()
            self._closed = reported, frozen
        return frozen

    def _frozen(self) -> Turn:
        calls = (*self._calls, *self._signalled)
        exchanges = tuple([kept for _, kept in self.exchanges])
        if len(exchanges) > 1:
            if self._seen[0] != len(exchanges):
                self._seen = len(exchanges), seen_calls(exchanges)
            calls = (*calls, *unreported(self._seen[1], calls))
        return Turn(
            self.number,
            tuple(self.messages),
            calls,
            exchanges,
            self._data,
            self._failure,
            self.duration,
            self._metadata,
            self.classified,
        )

    def reopen(self) -> None:
        """Go on with a turn that has ended: a failure before is history."""
        self._failure = None
        self._over = self._said = False
        self._retellable = []

    def close(self) -> list[Message]:
        """End the turn for good: what the agent is sent of it from now on, without unanswered calls."""
        if self._asking is not None and self._asking.content:
            self.sent.append(Message("assistant", self._asking.content))
        reported = self._reported
        self._closed = reported, self._frozen()
        return self.sent

    def _sorted(self, calls: Iterable[ToolCall]) -> tuple[list[ToolCall], list[ToolCall]]:
        """What the agent did itself (signalled or with a result), and what it leaves to its client."""
        done: list[ToolCall] = []
        pending: list[ToolCall] = []
        for call in calls:
            signalled = self._pop_signalled(call, self._signalled)
            if signalled is not None:
                done.append(_merged(call, signalled))
            elif not self._retold(call):
                (done if call.answered else pending).append(call)
        done = self._signalled + done
        self._signalled = []
        return done, pending

    def _pop_signalled(self, call: ToolCall, candidates: Iterable[ToolCall]) -> ToolCall | None:
        for signalled in candidates:
            if _same(call, signalled):
                self._signalled.remove(signalled)
                return signalled
        return None

    def _retold(self, call: ToolCall) -> bool:
        """Whether the call was signalled, and recorded, before an earlier message of this round."""
        place = next((at for at in self._retellable if _same(call, self._calls[at])), None)
        if place is not None:
            self._retellable.remove(place)
            self._answer_at(place, call)
        return place is not None

    def _complete(self, call: ToolCall) -> bool:
        """Whether this is the result, perhaps a late one, of a call whose beginning was recorded."""
        begun = (at for at, one in enumerate(self._calls) if one.source == "signal" and not one.answered)
        place = next((at for at in begun if _same(call, self._calls[at])), None)
        if place is not None:
            self._answer_at(place, call)
        return place is not None

    def _answer_at(self, place: int, call: ToolCall) -> None:
        """Add the answer that `call` has to a recorded call that has none."""
        if call.answered and not self._calls[place].answered:
            known = self._calls[place]
            self._calls[place] = msgspec.structs.replace(known, result=call.result, error=call.error)
            self.messages.append(tool_message(self._calls[place]))
            self.sent += _told((self._calls[place],))
            self._reported += 1

    def _numbered(self, calls: Iterable[ToolCall]) -> tuple[ToolCall, ...]:
        """The calls, kept, with an id for each that has none."""
        start = len(self._calls)
        for call in calls:
            named = call
            if not call.id:
                named = msgspec.structs.replace(call, id=f"call_{self.number}_{len(self._calls) + 1}")
            self._calls.append(named)
        return tuple(self._calls[start:])

    def _record(self, done: list[ToolCall]) -> None:
        start = len(self._calls)
        calls = self._numbered(done)
        self._retellable += [start + at for at, call in enumerate(calls) if call.source == "signal"]
        self.messages += _told(calls)
        self.sent += _told(tuple(call for call in calls if call.answered))

    def _append(self, message: Message) -> None:
        self.messages.append(message)
        self.sent.append(message)


def _told(calls: tuple[ToolCall, ...]) -> list[Message]:
    """The messages that tell of these calls and their results."""
    if not calls:
        return []
    results = [tool_message(call) for call in calls if call.answered]
    return [Message("assistant", tool_calls=calls), *results]


def _same(call: ToolCall, earlier: ToolCall) -> bool:
    """Whether two reports may be of one call, the second of which may leave the arguments out."""
    if call.id and earlier.id:
        return call.id == earlier.id
    return call.name == earlier.name and call.arguments in ({}, earlier.arguments)


def _merged(call: ToolCall, earlier: ToolCall) -> ToolCall:
    """One call from what was said of it twice; what was said last counts."""
    return msgspec.structs.replace(
        call,
        id=call.id or earlier.id,
        arguments=call.arguments or earlier.arguments,
        result=earlier.result if call.result is UNSET else call.result,
        error=earlier.error if call.error is None else call.error,
    )
