"""Verdicts as summaries count them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from grice.records import Outcome, Verdict

__all__ = ["CheckRow", "check_rows", "checks_in", "count_uncalibrated", "single"]


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
    return (row for row, _ in checks_in(verdicts))


def checks_in(verdicts: Iterable[Verdict]) -> Iterator[tuple[CheckRow, Verdict]]:
    """The same, each with the verdict, or the part of one, that it is."""
    for verdict in verdicts:
        if not verdict.parts:
            one = verdict
            yield (
                CheckRow(one.criterion, one.matcher, one.mode, one.outcome.value, one.layer, one.negated),
                one,
            )
            continue
        for part in [part for part in verdict.parts if part.criterion] or [verdict]:
            mode = part.mode if verdict.mode == "hard" else verdict.mode  # a hard one may have soft parts
            layer = verdict.layer if part.layer is None else part.layer
            matcher, negated = part.matcher or verdict.matcher, verdict.negated or part.negated
            yield CheckRow(part.criterion, matcher, mode, part.outcome.value, layer, negated), part


def single(verdicts: Iterable[Verdict]) -> Iterator[Verdict]:
    """The verdicts, those that are made of others replaced by their parts."""
    for verdict in verdicts:
        if verdict.parts:
            yield from single(verdict.parts)
        else:
            yield verdict


def count_uncalibrated(verdicts: Iterable[Verdict]) -> int:
    """How many hard verdicts an LLM gave that nobody has compared with people's; errors are none."""
    return sum(one.uncalibrated and one.outcome is not Outcome.ERROR for one in verdicts)
