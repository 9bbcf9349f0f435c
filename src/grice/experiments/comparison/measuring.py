"""The figures of two experiments side by side, over the scenarios that they share, with their differences."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, median
from typing import Literal

from msgspec.structs import replace

from grice.experiments.attempts import Attempt, CheckTally
from grice.experiments.comparison.pairing import Pair
from grice.experiments.comparison.records import Measure, RunSpread
from grice.records import Outcome
from grice.stats.estimates import mean_and_deviation
from grice.stats.paired import Difference, PairedSums, paired_difference

Sum = tuple[float, int]

"""A sum of values, and how many they are."""

Kind = tuple[str, str]

"""The criterion and the matcher of a check, both "" for what is no check."""

Sums = Mapping[Kind, Sum]

"""Such sums by kind of check."""

NO_CHECK: Kind = "", ""


@dataclass(frozen=True)
class Figure:
    """What is measured, and `take`, how it is read from one attempt: sums of its values and their number.

    What has no answer, an error or inconclusive, is none of them. `overall` is that of all soft checks
    together. `points` reads the single values, of which a note tells the median.
    """

    family: Literal["completion", "quality", "efficiency"]
    name: str
    take: Callable[[Attempt], Sums]
    kind: Literal["rate", "mean"] = "rate"
    unit: str = ""
    better: Literal["higher", "lower"] = "higher"
    overall: bool = False
    points: Callable[[Attempt], Sequence[float]] | None = None


@dataclass(frozen=True)
class SoftChecks:
    """The kinds of soft checks, as (criterion, matcher), that both experiments made and that are the same.

    `left_out` counts the soft checks of other kinds.
    """

    kinds: frozenset[Kind]
    left_out: int = 0

    def take(self, attempt: Attempt) -> Sum:
        """Those that passed, and those that gave an answer."""
        return total(self.by_kind(attempt).values())

    def by_kind(self, attempt: Attempt) -> Sums:
        """The same, kind by kind."""
        return _answers(self._rows(attempt))

    def _rows(self, attempt: Attempt) -> list[CheckTally]:
        rows = (row for row in attempt.checks if row.mode == "soft")
        return [row for row in rows if (row.criterion, row.matcher) in self.kinds]


def soft_checks(before: Iterable[Attempt], after: Iterable[Attempt], left_out: frozenset[str]) -> SoftChecks:
    """The kinds of soft checks that both sides made, without those of the criteria that are left out."""
    old, new = _soft_kinds(before), _soft_kinds(after)
    both = frozenset(kind for kind in old.keys() & new.keys() if kind[0] not in left_out)
    rest = sum(times for side in (old, new) for kind, times in side.items() if kind not in both)
    return SoftChecks(both, rest)


def _soft_kinds(attempts: Iterable[Attempt]) -> Mapping[Kind, int]:
    kinds: Counter[Kind] = Counter()
    for attempt in attempts:
        for row in attempt.checks:
            if row.mode == "soft":
                kinds[row.criterion, row.matcher] += row.times
    return kinds


def _answers(rows: Iterable[CheckTally]) -> Sums:
    found: dict[Kind, Sum] = {}
    for row in rows:
        if row.outcome in ("pass", "fail"):
            kind = row.criterion, row.matcher
            passed, answered = found.get(kind, (0, 0))
            found[kind] = passed + (row.times if row.outcome == "pass" else 0), answered + row.times
    return found


def unanswered(attempts: Iterable[Attempt], left_out: frozenset[str]) -> int:
    """How many soft checks and checks of criteria gave no answer, without criteria that are left out."""
    rows = (row for one in attempts for row in one.checks if row.outcome in ("inconclusive", "error"))
    return sum(
        row.times for row in rows if (row.mode == "soft" or row.criterion) and row.criterion not in left_out
    )


def _one(value: float, count: int = 1) -> Sums:
    return {NO_CHECK: (value, count)} if count else {}


def completed(attempt: Attempt) -> bool:
    """Whether it is known if it passed: its hard checks could tell."""
    return attempt.outcome is not Outcome.INCONCLUSIVE


COMPLETION = Figure("completion", "completion rate", lambda attempt: _one(attempt.passed, completed(attempt)))

"""By hard checks only."""

EFFICIENCY = (
    Figure("efficiency", "avg turns", lambda attempt: _one(attempt.turns), "mean", "turns", "lower"),
    Figure("efficiency", "avg topics", lambda attempt: _topics(attempt), "mean", "topics", "lower"),
    Figure("efficiency", "backtracking rate", lambda attempt: _returned(attempt), better="lower"),
    Figure(
        "efficiency",
        "tokens a turn",
        lambda attempt: _one(sum(attempt.tokens), len(attempt.tokens)),
        "mean",
        "tokens",
        "lower",
    ),
    Figure(
        "efficiency",
        "seconds a turn",
        lambda attempt: _one(math.fsum(attempt.latencies), len(attempt.latencies)),
        "mean",
        "seconds",
        "lower",
    ),
)

"""What conversations cost: topics of those that followed a graph, tokens and seconds of turns that tell."""


def _topics(attempt: Attempt) -> Sums:
    return _one(len(set(attempt.topics))) if attempt.visits else {}


def _returned(attempt: Attempt) -> Sums:
    return _one(attempt.returned) if attempt.visits else {}


def evaluation_figure(checks: SoftChecks) -> Figure:
    """The share of soft checks that passed."""
    return Figure("quality", "evaluation rate", checks.by_kind, overall=True)


def criterion_figures(attempts: Iterable[Attempt], left_out: frozenset[str]) -> list[Figure]:
    """One for each criterion that was used, from hard and soft checks, without those that are left out."""
    used = {row.criterion for attempt in attempts for row in attempt.checks if row.criterion}
    return [_criterion_figure(name) for name in sorted(used - left_out)]


def _criterion_figure(name: str) -> Figure:
    def rows(attempt: Attempt) -> list[CheckTally]:
        return [row for row in attempt.checks if row.criterion == name]

    return Figure("quality", name, lambda attempt: _answers(rows(attempt)))


def score_figures(attempts: Iterable[Attempt], left_out: frozenset[str]) -> list[Figure]:
    """The mean of the points that judges gave, one for each criterion, else matcher, that has any."""
    scored = {name for attempt in attempts for name in attempt.scores}
    return [_score_figure(name) for name in sorted(scored - left_out)]


def _score_figure(name: str) -> Figure:
    def points(attempt: Attempt) -> Sequence[float]:
        return attempt.scores.get(name, ())

    def take(attempt: Attempt) -> Sums:
        return _one(math.fsum(points(attempt)), len(points(attempt)))

    return Figure("quality", f"{name} score", take, "mean", "points", points=points)


def sums_of(figure: Figure, pairs: Iterable[Pair]) -> list[PairedSums]:
    """What each scenario gave, of those that have a value on both sides."""
    return [_sums(row) for row in _rows(figure, pairs) if row[0] and row[1]]


def measure(figure: Figure, pairs: Sequence[Pair]) -> Measure:
    """The figure over the scenarios with a value on both sides, and its difference, not yet decided."""
    rows = _rows(figure, pairs)
    both = [row for row in rows if row[0] and row[1]]
    if not both:
        before, after = _merged(one for one, _ in rows), _merged(one for _, one in rows)
        return _measured(figure, before, after, None, "no scenario has a value on both sides")
    alone = sum(bool(before) is not bool(after) for before, after in rows)
    left_out = (
        f"{alone} of {len(pairs)} scenarios have values on one side only and are left out" if alone else ""
    )
    bounds = (0.0, 1.0) if figure.kind == "rate" else (1.0, 5.0) if figure.unit == "points" else None
    found = _measured(
        figure,
        _merged(one for one, _ in both),
        _merged(one for _, one in both),
        paired_difference(list(map(_sums, both)), bounds=bounds),
        "; ".join(one for one in (_medians(figure, pairs), left_out) if one),
    )
    return replace(found, alike=_alike(both, bounds), left_out=alone)


def _medians(figure: Figure, pairs: Sequence[Pair]) -> str:
    """`median 5, now 4.5`, of the scenarios with a value on both sides; "" of what has no points."""
    take = figure.points
    if take is None:
        return ""
    sides = [
        [[point for one in side for point in take(one)] for side in (pair.baseline, pair.current)]
        for pair in pairs
    ]
    old, new = (median(point for row in sides if all(row) for point in row[side]) for side in (0, 1))
    return f"median {old:g}, now {new:g}"


def without_chance(measure: Measure) -> Measure:
    """The same of tests that say the same whenever they are run: its difference is what it is."""
    found = measure.difference
    if found is None:
        return measure
    plain = Difference(found.value, found.value, found.value, None, found.n, found.changed, "", _NO_CHANCE)
    return replace(measure, difference=plain, alike=None)


_NO_CHANCE = "scripted and run once: what differs is counted, and no chance is reckoned with"


def _alike(rows: Sequence[tuple[Sums, Sums]], bounds: tuple[float, float] | None) -> Difference | None:
    """The difference with each scenario counted once, and in it each kind of check that both sides have.

    None where all scenarios have as many values of each kind on both sides. Otherwise a side with more values
    of hard scenarios, or of a hard kind, has a lower rate though nothing changed.
    """
    if len({_counts(side) for row in rows for side in row}) == 1:
        return None
    means = [PairedSums(old, 1, new, 1) for row in rows for old, new in _mean_of_kinds(*row)]
    found = paired_difference(means, bounds=bounds)
    if found is None:
        return Difference(0.0, None, None, None, 0, 0, "none", "both sides have other kinds of checks")
    return found


def _counts(side: Sums) -> frozenset[tuple[Kind, int]]:
    return frozenset((kind, count) for kind, (_, count) in side.items())


def _mean_of_kinds(before: Sums, after: Sums) -> Iterator[tuple[float, float]]:
    """The means over the kinds that both sides of a scenario have; nothing where they share none."""
    kinds = sorted(before.keys() & after.keys())
    if kinds:
        yield (
            fmean(map(_mean, (before[one] for one in kinds))),
            fmean(map(_mean, (after[one] for one in kinds))),
        )


def _mean(one: Sum) -> float:
    return one[0] / one[1]


def measure_apart(figure: Figure, before: Iterable[Attempt], after: Iterable[Attempt]) -> Measure:
    """The figure of each side over all its attempts, where no scenario is shared: without a difference."""
    sums = _merged(map(figure.take, before)), _merged(map(figure.take, after))
    return _measured(figure, *sums, None, "over all scenarios of each side, none of which is shared")


def _rows(figure: Figure, pairs: Iterable[Pair]) -> list[tuple[Sums, Sums]]:
    return [
        (_merged(map(figure.take, one.baseline)), _merged(map(figure.take, one.current))) for one in pairs
    ]


def _sums(row: tuple[Sums, Sums]) -> PairedSums:
    return PairedSums(*total(row[0].values()), *total(row[1].values()))


def total(sums: Iterable[Sum]) -> Sum:
    """All of them together."""
    every = list(sums)
    return math.fsum(value for value, _ in every), sum(count for _, count in every)


def _merged(sums: Iterable[Sums]) -> Sums:
    """Those of several attempts together, kind by kind."""
    found: dict[Kind, list[Sum]] = {}
    for one in sums:
        for kind, values in one.items():
            found.setdefault(kind, []).append(values)
    return {kind: total(values) for kind, values in found.items()}


def _measured(figure: Figure, old: Sums, new: Sums, difference: Difference | None, note: str) -> Measure:
    is_rate = figure.kind == "rate"
    before, after = total(old.values()), total(new.values())
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
        note=note,
        overall=figure.overall,
    )


def run_spreads(
    pairs: Iterable[Pair], side: Literal["baseline", "current"], figures: Iterable[Figure]
) -> tuple[RunSpread, ...]:
    """The spread of each figure over the repeats of that side; nothing where there is only one."""
    runs: dict[int, list[Attempt]] = {}
    for pair in pairs:
        for attempt in pair.baseline if side == "baseline" else pair.current:
            runs.setdefault(attempt.repeat, []).append(attempt)
    if len(runs) < 2:
        return ()
    ordered = [runs[number] for number in sorted(runs)]
    return tuple(_spreads(ordered, figures))


def _spreads(runs: list[list[Attempt]], figures: Iterable[Figure]) -> Iterator[RunSpread]:
    for figure in figures:
        values = [value for run in runs if (value := _value(run, figure)) is not None]
        if values:
            yield RunSpread(figure.name, tuple(values), *mean_and_deviation(values))


def _value(run: Iterable[Attempt], figure: Figure) -> float | None:
    value, count = total(one for attempt in run for one in figure.take(attempt).values())
    return value / count if count else None
