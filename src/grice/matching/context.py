"""What a matcher may look at besides its subject."""

from __future__ import annotations

import operator
from typing import Any

import msgspec

from grice.matching.limits import Limits, limits_in_force
from grice.records import Conversation, Exchange, Reply, State, Turn
from grice.records.verdict import Mode


class Context(msgspec.Struct, frozen=True):
    """Where the subject of a check comes from: both are None for a bare text or value.

    `as_value` says that the subject is a value in some data, such as one at a path, and not what somebody
    said: an empty text is then a value like others, where otherwise it is nothing to look at. `judge` is the
    judge of the test, for matchers that want one; None without one. `negated` says that the answer is going
    to be negated: a matcher of several things then says whether any of them holds, so that its negation
    passes where none does. Of a conversation the turns before the number `since` are not judged. `mode` is
    the caller's choice: in a soft verdict, which changes nothing, who judges need not have earned it. `noun`
    is how a claim names the subject. With `outcome_only` a verdict on values at a path says no more than its
    outcome: who counts thousands reads no reasons.
    """

    conversation: Conversation | None = None
    turn: Turn | None = None
    limits: Limits | None = None
    as_value: bool = False
    judge: Any = None
    negated: bool = False
    since: int = 1
    mode: Mode = "hard"
    noun: str = "the value"
    outcome_only: bool = False

    @property
    def bounds(self) -> Limits:
        """The limits that hold: those given, else those in force."""
        return self.limits if self.limits is not None else limits_in_force()

    def earlier_turns(self, window: int | None = None) -> tuple[Turn, ...]:
        """The turns before this one, oldest first; only the last `window` of them when given."""
        if self.conversation is None or self.turn is None:
            return ()
        earlier = self.conversation.turns[: self.turn.number - 1]
        return earlier if window is None else earlier[max(0, len(earlier) - window) :]


class ResolvedSubject(msgspec.Struct, frozen=True):
    """A subject as a matcher sees it: the value to judge, and where it comes from."""

    subject: object
    context: Context


def resolve_subject(subject: object, recorded: object = None, mode: Mode = "hard") -> ResolvedSubject:
    """How matchers see what was given to `expect`: a live conversation becomes its record.

    `recorded` is the conversation of the test that runs, if it has one: a request to the model is looked up
    there, for a request does not know where it comes from.
    """
    if isinstance(subject, str):
        return ResolvedSubject(subject, Context(mode=mode, noun="the text"))
    if isinstance(subject, Reply):
        record = subject.conversation.record
        turn = record.turns[subject.number - 1] if 0 < subject.number <= len(record.turns) else None
        return ResolvedSubject(subject, Context(record, turn, mode=mode, noun="the reply"))
    if isinstance(subject, Turn):
        return ResolvedSubject(subject, Context(None, subject, mode=mode, noun="the turn"))
    if isinstance(subject, Exchange):
        return _resolved_exchange(subject, record_of(recorded), mode)
    if isinstance(subject, State):
        return ResolvedSubject(subject.change(), Context(mode=mode, noun="the state"))
    conversation = record_of(subject)
    if conversation is not None:
        return ResolvedSubject(conversation, Context(conversation, mode=mode, noun="the conversation"))
    return ResolvedSubject(subject, Context(mode=mode))


def _resolved_exchange(exchange: Exchange, record: Conversation | None, mode: Mode) -> ResolvedSubject:
    turns = record.turns if record is not None else ()
    for same in (operator.is_, operator.eq):  # equal requests may have been sent twice
        for turn in reversed(turns):
            for number, one in enumerate(turn.exchanges, 1):
                if same(one, exchange):
                    noun = f"request {number} to the model"
                    return ResolvedSubject(exchange, Context(record, turn, mode=mode, noun=noun))
    return ResolvedSubject(exchange, Context(mode=mode, noun="the request to the model"))


def record_of(subject: object) -> Conversation | None:
    """The record of a conversation or live conversation; None for anything else."""
    if isinstance(subject, Conversation):
        return subject
    record = getattr(subject, "record", None)
    return record if isinstance(record, Conversation) else None
