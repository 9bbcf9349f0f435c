"""Conversations that are to be held, as runs know them, and what came of each."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple, Protocol

from msgspec.structs import replace

from grice.matching.verdicts import says_little
from grice.records import MODEL_ADDRESS, Conversation, Outcome, Result, Termination, Verdict
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
        """What came of it. Raises NotHeld."""
        ...


class NotHeld(Exception):
    """A work cannot be held now. It stays unfinished, and the others go on."""


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
        try:
            held = work.play()
        except NotHeld:
            continue
        finish(held.result)
        observe(ConversationFinished(held.result, tuple(held.notes)))


def outline_of(result: Result) -> Result:
    """The result without what was said; passes that say nothing more than that are one record for all."""
    said = result.conversation
    address = said.metadata.get(MODEL_ADDRESS)
    if address is None and result.counts:
        bare = _ended(said.termination)
    else:
        bare = Conversation(
            termination=said.termination,
            metadata={} if address is None else {MODEL_ADDRESS: address},
            simulations=() if result.counts else said.simulations,  # they say why it does not count
        )
    kinds = tuple(map(_kind_of, result.verdicts))
    plain = all(kind is not None for kind in kinds)
    verdicts = _passes(kinds) if plain else tuple(map(_outlined, result.verdicts, kinds))
    return replace(result, conversation=bare, verdicts=verdicts, conduct=())


_Kind = tuple[str, Mode, str, int | None, bool]
"""What stays of a pass that says nothing more than that."""


def _kind_of(verdict: Verdict) -> _Kind | None:
    if verdict.outcome is not Outcome.PASS or says_little(verdict):
        return None
    if verdict.judgement is not None or verdict.uncalibrated or verdict.parts or not verdict.matcher:
        return None
    return verdict.matcher, verdict.mode, verdict.criterion, verdict.layer, verdict.negated


def _outlined(verdict: Verdict, kind: _Kind | None) -> Verdict:
    if kind is not None:
        return _passes((kind,))[0]
    if verdict.outcome is not Outcome.PASS or says_little(verdict):
        return replace(verdict, evidence=(), detail={}, selection=None)
    return verdict


@lru_cache(maxsize=1_024)
def _passes(kinds: tuple[_Kind, ...]) -> tuple[Verdict, ...]:
    return tuple(
        Verdict(Outcome.PASS, matcher=matcher, mode=mode, criterion=criterion, layer=layer, negated=negated)
        for matcher, mode, criterion, layer, negated in kinds
    )


@lru_cache(maxsize=64)
def _ended(termination: Termination | None) -> Conversation:
    return Conversation(termination=termination)
