"""The figures of two experiments side by side, over the scenarios that they share, with their differences."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from msgspec.structs import replace

from grice.experiments.attempts import Attempt, CheckTally
from grice.experiments.comparison.pairing import Pair
from grice.experiments.comparison.records import Measure
from grice.stats.differences import Difference, PairedSums
from grice.stats.paired import paired_difference

__all__ = [
    "COMPLETION",
    "EFFICIENCY",
    "Figure",
    "SoftChecks",
    "criterion_figures",
    "evaluation_figure",
    "measure",
    "measure_apart",
    "soft_checks",
    "sums_of",
]

Sum = tuple[float, int]
"""A sum of values, and how many they are."""


@dataclass(frozen=True)
class Figure:
    """What is measured, and `take`, how it is read from one attempt: the sum of its values and their number.

    `unanswered` counts the checks that have no value; None where there are none such.
    """

    family: Literal["completion", "quality", "efficiency"]
    name: str
    take: Callable[[Attempt], Sum]
    kind: Literal["rate", "mean"] = "rate"
    unit: str = ""
    better: Literal["higher", "lower"] = "higher"
    unanswered: Callable[[Attempt], int] | None = None


@dataclass(frozen=True)
class SoftChecks:
    """The kinds of soft checks, as (criterion, matcher), that both experiments made and that are the same.

    `left_out` counts the soft checks of other kinds.
    """

    kinds: frozenset[tuple[str, str]]
    left_out: int = 0

    def take(self, attempt: Attempt) -> Sum:
        """Those that passed, and those that gave an answer."""
        return _answers(
            row for row in attempt.checks if row.mode == "soft" and (row.criterion, row.matcher) in self.kinds
        )


def soft_checks(before: Iterable[Attempt], after: Iterable[Attempt], left_out: frozenset[str]) -> SoftChecks:
    """The kinds of soft checks that both sides made, without those of the criteria that are left out."""
    old, new = _soft_kinds(before), _soft_kinds(after)
    both = frozenset(kind for kind in old.keys() & new.keys() if kind[0] not in left_out)
    rest = sum(times for side in (old, new) for kind, times in side.items() if kind not in both)
    return SoftChecks(both, rest)


def _soft_kinds(attempts: Iterable[Attempt]) -> Mapping[tuple[str, str], int]:
    kinds: Counter[tuple[str, str]] = Counter()
    for attempt in attempts:
        for row in attempt.checks:
            if row.mode == "soft":
                kinds[row.criterion, row.matcher] += row.times
    return kinds


def _answers(rows: Iterable[CheckTally]) -> Sum:
    passed = answered = 0
    for row in rows:
        if row.outcome in ("pass", "fail"):
            answered += row.times
            passed += row.times if row.outcome == "pass" else 0
    return passed, answered


COMPLETION = Figure("completion", "completion rate", lambda attempt: (attempt.passed, 1))
"""By hard checks only."""

EFFICIENCY = (
    Figure("efficiency", "avg turns", lambda attempt: (attempt.turns, 1), "mean", "turns", "lower"),
    Figure("efficiency", "avg topics", lambda attempt: _topics(attempt), "mean", "topics", "lower"),
    Figure("efficiency", "backtracking rate", lambda attempt: _returned(attempt), better="lower"),
    Figure(
        "efficiency",
        "tokens a turn",
        lambda attempt: (sum(attempt.tokens), len(attempt.tokens)),
        "mean",
        "tokens",
        "lower",
    ),
    Figure(
        "efficiency",
        "seconds a turn",
        lambda attempt: (math.fsum(attempt.latencies), len(attempt.latencies)),
        "mean",
        "seconds",
        "lower",
    ),
)
"""What conversations cost: topics of those that followed a graph, tokens and seconds of turns that tell."""


def _topics(attempt: Attempt) -> Sum:
    return (len(set(attempt.topics)), 1) if attempt.visits else (0, 0)


def _returned(attempt: Attempt) -> Sum:
    return (attempt.returned, 1) if attempt.visits else (0, 0)


def evaluation_figure(checks: SoftChecks) -> Figure:
    """The share of soft checks that passed."""
    return Figure("quality", "evaluation rate", checks.take)


def criterion_figures(attempts: Iterable[Attempt], left_out: frozenset[str]) -> list[Figure]:
    """One for each criterion that was used, from hard and soft checks, without those that are left out."""
    used = {row.criterion for attempt in attempts for row in attempt.checks if row.criterion}
    return [_criterion_figure(name) for name in sorted(used - left_out)]


def _criterion_figure(name: str) -> Figure:
    def rows(attempt: Attempt) -> list[CheckTally]:
        return [row for row in attempt.checks if row.criterion == name]

    def unanswered(attempt: Attempt) -> int:
        return sum(row.times for row in rows(attempt) if row.outcome in ("inconclusive", "error"))

    return Figure("quality", name, lambda attempt: _answers(rows(attempt)), unanswered=unanswered)


def sums_of(figure: Figure, pairs: Iterable[Pair]) -> list[PairedSums]:
    """What each scenario gave, of those that have a value on both sides."""
    return _both(_rows(figure, pairs))


def measure(figure: Figure, pairs: Sequence[Pair]) -> Measure:
    """The figure over the scenarios with a value on both sides, and its difference, not yet decided."""
    rows = _rows(figure, pairs)
    sums = _both(rows)
    notes = [_unanswered(figure, pairs)]
    if not sums:
        before, after = _total(one for one, _ in rows), _total(one for _, one in rows)
        notes.insert(0, "no scenario has a value on both sides")
        return _measured(figure, before, after, None, notes)
    alone = sum(bool(before[1]) is not bool(after[1]) for before, after in rows)
    if alone:
        notes.insert(0, f"{alone} of {len(pairs)} scenarios have values on one side only and are left out")
    before = _total((one.baseline, one.baseline_n) for one in sums)
    after = _total((one.current, one.current_n) for one in sums)
    bounds = (0.0, 1.0) if figure.kind == "rate" else None
    found = _measured(figure, before, after, paired_difference(sums, bounds=bounds), notes)
    return replace(found, alike=_alike(sums, bounds))


def _alike(sums: Sequence[PairedSums], bounds: tuple[float, float] | None) -> Difference | None:
    """The difference with each scenario counted once; None where each has as many values on both sides.

    A side with more values of hard scenarios has a lower rate though no scenario changed.
    """
    if all(one.baseline_n == one.current_n for one in sums):
        return None
    means = [PairedSums(one.baseline / one.baseline_n, 1, one.current / one.current_n, 1) for one in sums]
    return paired_difference(means, bounds=bounds)


def measure_apart(figure: Figure, before: Iterable[Attempt], after: Iterable[Attempt]) -> Measure:
    """The figure of each side over all its attempts, where no scenario is shared: without a difference."""
    sums = _total(map(figure.take, before)), _total(map(figure.take, after))
    return _measured(figure, *sums, None, ["over all scenarios of each side, none of which is shared"])


def _rows(figure: Figure, pairs: Iterable[Pair]) -> list[tuple[Sum, Sum]]:
    return [(_total(map(figure.take, one.baseline)), _total(map(figure.take, one.current))) for one in pairs]


def _both(rows: Iterable[tuple[Sum, Sum]]) -> list[PairedSums]:
    return [PairedSums(*before, *after) for before, after in rows if before[1] and after[1]]


def _total(sums: Iterable[Sum]) -> Sum:
    every = list(sums)
    return math.fsum(total for total, _ in every), sum(count for _, count in every)


def _measured(
    figure: Figure, before: Sum, after: Sum, difference: Difference | None, notes: Iterable[str]
) -> Measure:
    is_rate = figure.kind == "rate"
    return Measure(
        figure.family,
        figure.name,
        figure.kind,
        figure.unit,
        figure.better,
        before[0] / before[1] if before[1] else None,
        after[0] / after[1] if after[1] else None,
        (round(before[0]), before[1]) if is_rate else None,
        (round(after[0]), after[1]) if is_rate else None,
        difference,
        note="; ".join(note for note in notes if note),
    )


def _unanswered(figure: Figure, pairs: Iterable[Pair]) -> str:
    """How many checks gave no answer, where any did not."""
    if figure.unanswered is None:
        return ""
    before = after = 0
    for pair in pairs:
        before += sum(map(figure.unanswered, pair.baseline))
        after += sum(map(figure.unanswered, pair.current))
    return (
        f"{before} checks of the baseline and {after} of the current gave no answer"
        if before or after
        else ""
    )
