"""What is simulated of the statistics of a comparison: one function for each kind of number.

See comparison_statistics.py, which makes tables of them.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from functools import cache
from statistics import fmean
from typing import Any, NamedTuple

from paired_populations import (  # type: ignore[import-not-found]  # beside this script
    NEAR_ONE,
    POPULATIONS,
    UNEQUAL,
    Population,
    Repeats,
    completion_pairs,
    equally,
    page_pairs,
)

from grice.stats.agreement import cluster_rate
from grice.stats.estimates import Estimate
from grice.stats.multiple import page_adjusted
from grice.stats.paired import PairedSums, paired_difference
from grice.stats.pass_k import mean_pass_at_k, mean_pass_hat_k
from grice.stats.planning import repeats_needed, scenarios_needed

Range = tuple[float, float]
MIDDLE: tuple[Range, Range] = ((0.2, 0.8), (0.2, 0.8))
RATES = (0.7, 0.8)
RATE = (0.0, 1.0)
PRIMARY = 0.03
"""At what p completion is shown when a page asks about more than completion."""
DRAWS = 400


class Cell(NamedTuple):
    """One setting, and how it is measured; `samples` of it make one number or several.

    `rates` are from where to where the true rates of both sides are drawn.
    """

    measure: str
    population: int
    n: int
    repeats: int | str
    samples: int
    rates: tuple[Range, Range] = MIDDLE

    @property
    def rng(self) -> random.Random:
        """The same numbers for the same setting."""
        where = "" if self.rates == MIDDLE else f" {self.rates}"
        return random.Random(f"{self.measure} {self.population} {self.n} {self.repeats}{where}")

    @property
    def counts(self) -> Repeats:
        """The repeats of a scenario on both sides."""
        return UNEQUAL[self.repeats] if isinstance(self.repeats, str) else equally(self.repeats)


def coverage(cell: Cell) -> tuple[float, float, float]:
    """Of the rate of one experiment, of the difference, and the mean width of the interval of this."""
    rng, held, rates_held, widths = cell.rng, 0, 0, []
    population = (POPULATIONS if cell.rates == MIDDLE else NEAR_ONE)[cell.population]
    for _ in range(cell.samples):
        rates = rng.uniform(*cell.rates[0]), rng.uniform(*cell.rates[1])
        pairs = completion_pairs(rng, population, rates, cell.n, cell.counts)
        found = paired_difference(pairs, bounds=RATE)
        assert found is not None
        assert found.low is not None
        assert found.high is not None
        held += found.low - 1e-9 <= rates[1] - rates[0] <= found.high + 1e-9
        widths.append(found.high - found.low)
        one = _rate_of_baseline(pairs)
        rates_held += one.low <= rates[0] <= one.high
    return rates_held / cell.samples, held / cell.samples, fmean(widths)


def _rate_of_baseline(pairs: Sequence[PairedSums]) -> Estimate:
    successes = [i < one.baseline for one in pairs for i in range(one.baseline_n)]
    clusters = [place for place, one in enumerate(pairs) for _ in range(one.baseline_n)]
    found = cluster_rate(successes, clusters)
    assert found is not None
    return found


def bootstrap_coverage(cell: Cell) -> tuple[float, float]:
    """Of the percentile interval of a cluster bootstrap over scenarios, and its mean width."""
    rng, held, widths = cell.rng, 0, []
    for _ in range(cell.samples):
        rates = rng.uniform(0.2, 0.8), rng.uniform(0.2, 0.8)
        pairs = completion_pairs(rng, POPULATIONS[cell.population], rates, cell.n, cell.counts)
        values = sorted(_difference(rng.choices(pairs, k=len(pairs))) for _ in range(DRAWS))
        low, high = values[round(DRAWS * 0.025)], values[round(DRAWS * 0.975) - 1]
        held += low - 1e-9 <= rates[1] - rates[0] <= high + 1e-9
        widths.append(high - low)
    return held / cell.samples, fmean(widths)


def _difference(pairs: Sequence[PairedSums]) -> float:
    now = sum(one.current for one in pairs) / sum(one.current_n for one in pairs)
    return now - sum(one.baseline for one in pairs) / sum(one.baseline_n for one in pairs)


def false_alarms(cell: Cell) -> tuple[float, float]:
    """The share of pairs without a change that show one: of completion alone, anywhere on the page."""
    rng, alone, page = cell.rng, 0, 0
    for _ in range(cell.samples):
        rate = rng.uniform(0.2, 0.8)
        measures = page_pairs(rng, POPULATIONS[cell.population], (rate, rate), cell.n, cell.counts)
        completion, *others = (_p(pairs) for pairs in measures)
        alone += completion <= 0.05
        first, rest = page_adjusted(completion, others)
        page += any(p is not None and p <= 0.05 for p in (first, *rest))
    return alone / cell.samples, page / cell.samples


def power(cell: Cell) -> tuple[float, float]:
    """The share of pairs with a true difference that show it as the page does: at 5 %, and at 3 %.

    Shown is what has both a small p and an interval that leaves out 0.
    """
    rng, shown, strict = cell.rng, 0, 0
    for _ in range(cell.samples):
        pairs = completion_pairs(rng, POPULATIONS[cell.population], RATES, cell.n, cell.counts)
        p = _p(pairs) if _apart(pairs) else 1.0
        shown += p <= 0.05
        strict += p <= PRIMARY
    return shown / cell.samples, strict / cell.samples


def _apart(pairs: Sequence[PairedSums]) -> bool:
    found = paired_difference(pairs, bounds=RATE)
    assert found is not None
    assert found.low is not None
    assert found.high is not None
    return found.low > 0 or found.high < 0


def _p(pairs: Sequence[PairedSums]) -> float:
    found = paired_difference(pairs, bounds=RATE)
    assert found is not None
    assert found.p is not None
    return found.p


def planning(cell: Cell) -> tuple[float | None, float | None, float | None, float | None]:
    """The median of the scenarios needed, the power these have, and the same of repeats."""
    rng, population, pilots = cell.rng, POPULATIONS[cell.population], 200
    drawn = [completion_pairs(rng, population, RATES, cell.n, cell.counts) for _ in range(pilots)]
    gap = RATES[1] - RATES[0]
    scenarios = _median([scenarios_needed(pairs, gap) for pairs in drawn])
    repeats = _median([repeats_needed(pairs, gap) for pairs in drawn])
    reached = _power_of(rng, population, scenarios, cell.counts, cell.samples)
    repeated = _power_of(rng, population, cell.n, equally(repeats), cell.samples) if repeats else None
    return scenarios, reached, repeats, repeated


def _median(values: Sequence[int | None]) -> int | None:
    return sorted(values, key=lambda one: 1e9 if one is None else one)[len(values) // 2]


def _power_of(
    rng: random.Random, population: Population, n: int | None, counts: Repeats, samples: int
) -> float | None:
    if n is None:
        return None
    drawn = (completion_pairs(rng, population, RATES, n, counts) for _ in range(samples))
    return fmean(_p(pairs) <= 0.05 for pairs in drawn)


def task_coverage(cell: Cell) -> tuple[float, float]:
    """Of pass@3 and pass^3 over tasks that were tried as often as said."""
    rng, held = cell.rng, [0, 0]
    population, trials = POPULATIONS[cell.population], int(cell.repeats)
    for sample in range(cell.samples):
        rate = (2 + sample % 7) / 10
        true = _true_of_three(cell.population, rate)
        drawn = [population.draw(rng, rate) for _ in range(cell.n)]
        tasks = [(sum(rng.random() < one for _ in range(trials)), trials) for one in drawn]
        for place, found in enumerate((mean_pass_at_k(tasks, 3), mean_pass_hat_k(tasks, 3))):
            assert found is not None
            held[place] += found.low <= true[place] <= found.high
    return held[0] / cell.samples, held[1] / cell.samples


@cache
def _true_of_three(population: int, rate: float) -> tuple[float, float]:
    """pass@3 and pass^3 of a large sample."""
    rng = random.Random(3)
    many = [POPULATIONS[population].draw(rng, rate) for _ in range(50_000)]
    return fmean(1 - (1 - one) ** 3 for one in many), fmean(one**3 for one in many)


MEASURES: dict[str, Callable[[Cell], Any]] = {
    one.__name__: one for one in (coverage, bootstrap_coverage, false_alarms, power, planning, task_coverage)
}


def measured(cell: Cell) -> Any:
    """What the cell says, in whichever process."""
    return MEASURES[cell.measure](cell)
