"""A reply: one turn of a conversation, seen from the agent's side."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from grice.records.capture import JsonValue
from grice.records.conversation import Conversation, Message, ToolCall, Turn
from grice.records.exchange import Exchange


@runtime_checkable
class HasRecord(Protocol):
    """Anything that has the record of a conversation: the record itself, or a live conversation."""

    @property
    def record(self) -> Conversation:
        """The record as it stands now."""
        ...


class Reply:
    """The agent's side of one turn. It knows its turn and its conversation.

    `text` is the agent's last answer in the turn.
    """

    __slots__ = ("conversation", "number")

    def __init__(self, conversation: HasRecord, number: int) -> None:
        self.conversation = conversation
        self.number = number

    @property
    def turn(self) -> Turn:
        """The turn this reply belongs to. Raises LookupError when the conversation has no such turn."""
        turns = self.conversation.record.turns
        if not 0 < self.number <= len(turns):
            raise LookupError(f"the conversation has {len(turns)} turns, not a turn {self.number}")
        return turns[self.number - 1]

    @property
    def text(self) -> str:
        """The agent's last answer in this turn, "" when that has no text, see `Turn.text`."""
        return self.turn.text

    @property
    def full_text(self) -> str:
        """Everything the agent said in this turn, one message a line, see `Turn.full_text`."""
        return self.turn.full_text

    @property
    def messages(self) -> tuple[Message, ...]:
        """All messages of this turn, the user's first."""
        return self.turn.messages

    @property
    def tool_calls(self) -> tuple[ToolCall, ...]:
        """The tool calls of this turn, in order."""
        return self.turn.tool_calls

    @property
    def exchanges(self) -> tuple[Exchange, ...]:
        """What was sent to the model in this turn."""
        return self.turn.exchanges

    @property
    def input_tokens(self) -> int | None:
        """The tokens that the model was sent in this turn, None when no reply of it says."""
        return self.turn.input_tokens

    @property
    def output_tokens(self) -> int | None:
        """The tokens of the model's replies in this turn, None when none of them says."""
        return self.turn.output_tokens

    @property
    def data(self) -> JsonValue:
        """The structured payload of the agent's last response, None when it has none."""
        return self.turn.data

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        turns = self.conversation.record.turns
        text = turns[self.number - 1].text if 0 < self.number <= len(turns) else ""
        return f"<Reply to turn {self.number}: {text[:60]!r}>"
