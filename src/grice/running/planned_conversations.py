"""Conversations that are to be held, as runs know them, and what came of each."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple, Protocol

from msgspec.structs import replace

from grice.matching.verdicts import says_little
from grice.records import MODEL_ADDRESS, Conversation, Outcome, Result, Verdict
from grice.records.verdict import Mode
from grice.running.events import ConversationFinished, ConversationStarted, Event

Observe = Callable[[Event], None]


class Named(Protocol):
    """A conversation that begins, as journals name it. `repeat` counts from 1."""

    @property
    def id(self) -> str: ...  # noqa: D102
    @property
    def key(self) -> str: ...  # noqa: D102
    @property
    def repeat(self) -> int: ...  # noqa: D102
    @property
    def group(self) -> str: ...  # noqa: D102 - the scenario set, else the name of the file


class Held(NamedTuple):
    """What came of a conversation. `notes` say what was recorded or rewritten beside it, one a line."""

    result: Result
    notes: Sequence[str] = ()


class Work(Named, Protocol):
    """A conversation that is to be held and judged."""

    def hold(self, observe: Observe) -> Coroutine[Any, Any, Held | None]:
        """What came of it; None where the budget ended it, which is no result."""
        ...


class PlainWork(Named, Protocol):
    """A conversation that can be held by who waits for it."""

    def play(self) -> Held:
        """What came of it."""
        ...


def play_each(
    works: Iterable[PlainWork],
    *,
    finish: Callable[[Result], None],
    observe: Observe,
    begin: Callable[[PlainWork], None],
) -> None:
    """Hold one conversation after the other, in this very thread."""
    for work in works:
        begin(work)
        observe(ConversationStarted(work.id, work.key, work.repeat))
        held = work.play()
        finish(held.result)
        observe(ConversationFinished(held.result, tuple(held.notes)))


def outline_of(result: Result) -> Result:
    """The result without what was said; passes that say nothing more than that are one record for all."""
    said = result.conversation
    address = said.metadata.get(MODEL_ADDRESS)
    bare = Conversation(
        id=said.id,
        name=said.name,
        termination=said.termination,
        metadata={} if address is None else {MODEL_ADDRESS: address},
        simulations=() if result.counts else said.simulations,  # they say why it does not count
    )
    return replace(result, conversation=bare, verdicts=tuple(map(_outlined, result.verdicts)), conduct=())


def _outlined(verdict: Verdict) -> Verdict:
    if verdict.outcome is not Outcome.PASS or says_little(verdict):
        return replace(verdict, evidence=(), detail={}, selection=None)
    if verdict.judgement is not None or verdict.uncalibrated or verdict.parts or not verdict.matcher:
        return verdict
    return _pass(verdict.matcher, verdict.mode, verdict.criterion, verdict.layer, verdict.negated)


@lru_cache(maxsize=1_024)
def _pass(matcher: str, mode: Mode, criterion: str, layer: int | None, negated: bool) -> Verdict:
    return Verdict(
        Outcome.PASS, matcher=matcher, mode=mode, criterion=criterion, layer=layer, negated=negated
    )
