"""What a matcher may look at besides its subject."""

from __future__ import annotations

import msgspec

from grice.records import Conversation, Exchange, HasRecord, Reply, Turn

__all__ = ["Context", "context_of", "noun_of", "plain_subject"]


class Context(msgspec.Struct, frozen=True):
    """Where the subject of a check comes from. Both are None for a bare text or value."""

    conversation: Conversation | None = None
    turn: Turn | None = None

    def earlier_turns(self, window: int | None = None) -> tuple[Turn, ...]:
        """The turns before this one, oldest first; only the last `window` of them when given."""
        if self.conversation is None or self.turn is None:
            return ()
        earlier = self.conversation.turns[: self.turn.number - 1]
        return earlier if window is None else earlier[max(0, len(earlier) - window) :]


_NO_CONTEXT = Context()


def context_of(subject: object) -> Context:
    """The conversation and turn that `subject` belongs to, as far as it knows them."""
    if isinstance(subject, Reply):
        return Context(subject.conversation.record, subject.turn)
    if isinstance(subject, Turn):
        return Context(None, subject)
    if isinstance(subject, HasRecord):
        return Context(subject.record, None)
    return _NO_CONTEXT


def plain_subject(subject: object) -> object:
    """The subject as matchers receive it: a live conversation becomes its record."""
    if isinstance(subject, str | Reply | Turn | Exchange | list | dict):
        return subject
    return subject.record if isinstance(subject, HasRecord) else subject


def noun_of(subject: object) -> str:
    """How a message speaks of the subject."""
    if isinstance(subject, Reply):
        return "the reply"
    if isinstance(subject, str):
        return "the text"
    if isinstance(subject, Turn):
        return "the turn"
    if isinstance(subject, Exchange):
        return "the request to the model"
    return "the conversation" if isinstance(subject, HasRecord) else "the value"
