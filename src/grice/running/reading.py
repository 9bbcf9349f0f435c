"""Reading a conversation, whether it goes on or is finished."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import NoReturn

from grice.matching.recording import Recorder
from grice.records import Conversation, Exchange, Message, Reply, State, ToolCall, TopicVisit, Turn


class Readable(ABC):
    """What is read of a conversation in a test. `recorder` takes the verdicts on it."""

    recorder: Recorder | None

    @property
    @abstractmethod
    def record(self) -> Conversation:
        """The conversation, frozen."""

    def __str__(self) -> str:
        """The transcript so far."""
        return str(self.record)

    @property
    def turns(self) -> tuple[Turn, ...]:
        """The turns so far, those of the history included."""
        return self.record.turns

    @property
    def messages(self) -> tuple[Message, ...]:
        """All messages so far."""
        return self.record.messages

    @property
    def tool_calls(self) -> tuple[ToolCall, ...]:
        """All tool calls so far."""
        return self.record.tool_calls

    @property
    def exchanges(self) -> tuple[Exchange, ...]:
        """Everything that was sent to a recorded model so far."""
        return self.record.exchanges

    @property
    def last(self) -> Reply:
        """The last reply. Raises LookupError before the first turn."""
        if not self.turns:
            raise LookupError("the conversation has no turn yet: say something first")
        return Reply(self, len(self.turns))

    def called_tool(self, name: str) -> bool:
        """Whether any turn called the tool of that name."""
        return self.record.called_tool(name)

    @property
    def topic(self) -> str:
        """The current topic, that of the last turn; "" where no topics are followed, or before any turn."""
        turns = self.turns
        return turns[-1].topic if turns else ""

    @property
    def visits(self) -> tuple[TopicVisit, ...]:
        """The visits to topics so far, in order."""
        return self.record.visits


class FinishedConversation(Readable):
    """A conversation that arrives finished: it is looked at, and nothing more is said in it."""

    def __init__(
        self, record: Conversation, recorder: Recorder | None = None, state: State | None = None
    ) -> None:
        self._record = record
        self._state = state
        self.recorder = recorder

    @property
    def record(self) -> Conversation:
        """The conversation, frozen."""
        return self._record

    @property
    def state(self) -> State:
        """The state before and after, for `expect`. Raises LookupError where none was read."""
        if self._state is None:
            raise LookupError("no state was read: say where it is, as in @simulated(state=read_orders)")
        return self._state

    def say(self, *_: object, **__: object) -> NoReturn:
        """Raise RuntimeError: the conversation is finished. So do `answer`, `simulate` and `follow`."""
        raise RuntimeError(
            "this conversation arrived finished, so nothing more is said in it: look at it with expect() and "
            "evaluate(), or leave @simulated out and hold it here with conversation.simulate()"
        )

    answer = simulate = follow = say

    def __repr__(self) -> str:
        return f"<FinishedConversation {self._record.name or self._record.id}: {len(self.turns)} turns>"
