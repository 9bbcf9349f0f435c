"""Verdicts as summaries count them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from grice.records import Outcome, Verdict


class CheckRow(NamedTuple):
    """One check in plain values."""

    criterion: str
    matcher: str
    mode: str
    outcome: str
    layer: int | None = None
    negated: bool = False


def check_rows(verdicts: Iterable[Verdict]) -> Iterator[CheckRow]:
    """The checks of these verdicts: one a criterion where there are several."""
    return (row for verdict in verdicts for row, _ in checks_in(verdict))


def checks_in(verdict: Verdict) -> Sequence[tuple[CheckRow, Verdict]]:
    """The checks of a verdict, each with the verdict, or the part of it, that it is."""
    parts = verdict.parts and [part for part in verdict.parts if part.criterion]
    if not parts:
        outcome = verdict.outcome._value_  # half the cost of value, for a million verdicts
        criterion, matcher = verdict.criterion, verdict.matcher
        row = CheckRow(criterion, matcher, verdict.mode, outcome, verdict.layer, verdict.negated)
        return ((row, verdict),)
    found: list[tuple[CheckRow, Verdict]] = []
    for part in parts:
        mode = part.mode if verdict.mode == "hard" else verdict.mode  # a hard one may have soft parts
        layer = verdict.layer if part.layer is None else part.layer
        matcher, negated = part.matcher or verdict.matcher, verdict.negated or part.negated
        row = CheckRow(part.criterion, matcher, mode, part.outcome.value, layer, negated)
        found.append((row, part))
    return found


def single(verdicts: Iterable[Verdict]) -> Iterator[Verdict]:
    """The verdicts, those that are made of others replaced by their parts."""
    for verdict in verdicts:
        if verdict.parts:
            yield from single(verdict.parts)
        else:
            yield verdict


def count_softened(verdicts: Iterable[Verdict]) -> int:
    """How many checks of bundles are soft because of the first look of their rule; skipped ones are none."""
    return sum(
        bool(part.softened) and part.outcome is not Outcome.SKIPPED for one in verdicts for part in one.parts
    )


def count_uncalibrated(verdicts: Iterable[Verdict]) -> int:
    """How many hard verdicts an LLM gave that nobody has compared with people's; errors are none."""
    return sum(one.uncalibrated and one.outcome is not Outcome.ERROR for one in verdicts)
