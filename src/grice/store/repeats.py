"""The repeats of one test in a run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import Connection, select

from grice.store.tables import conversations

_held = conversations.c


class RepeatRow(NamedTuple):
    """A repeat of a test: its conversation and its outcome."""

    id: str
    repeat: int
    outcome: str
    counts: bool


def repeats_of(connection: Connection, run: str, stable_id: str) -> list[RepeatRow]:
    """The repeats of a test in a run, the first one first; [] where the run has no such test."""
    columns = (_held.id, _held.repeat, _held.outcome, _held.counts)
    query = select(*columns).where(_held.run_id == run, _held.stable_id == stable_id).order_by(_held.repeat)
    return [RepeatRow(*row) for row in connection.execute(query)]


def pair_of_repeats(
    before: Sequence[RepeatRow], now: Sequence[RepeatRow]
) -> tuple[RepeatRow | None, RepeatRow | None]:
    """Choose the two repeats to show side by side: one that passed and one that did not, else the first ones.

    None for a run that has no repeat of the test.
    """
    for passes_before in (True, False):
        old, new = _first(before, passes_before), _first(now, not passes_before)
        if old is not None and new is not None:
            return old, new
    return next(iter(before), None), next(iter(now), None)


def _first(repeats: Sequence[RepeatRow], passed: bool) -> RepeatRow | None:
    return next((one for one in repeats if one.counts and (one.outcome == "pass") is passed), None)
