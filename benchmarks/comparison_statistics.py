"""How far the statistics of a comparison can be trusted, by simulation.

- How often the 95 % intervals of one experiment's rate, and of the difference of two, hold the true value.
- How often a difference is shown of pairs in which nothing changed: of completion alone, and anywhere on a
  page with completion, the evaluation rate and five criteria that correlate.
- How often a true difference of ten points is shown.
- How many scenarios and repeats are said to be needed, and how often they are enough.

    python benchmarks/comparison_statistics.py [--samples N] [--jobs N] [--write]

True rates are uniform in 0.2 to 0.8. Seeded: two runs print the same. 1,000 samples take some minutes;
`--write` writes docs/_measured/power.md and comparison_error.md instead of printing them.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from itertools import product
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple

from paired_populations import (  # type: ignore[import-not-found]  # beside this script
    POPULATIONS,
    UNEQUAL,
    Population,
    Repeats,
    completion_pairs,
    equally,
    page_pairs,
)

from grice.stats.agreement import cluster_rate
from grice.stats.differences import PairedSums
from grice.stats.estimates import Estimate
from grice.stats.multiple import page_adjusted
from grice.stats.paired import paired_difference
from grice.stats.passing import mean_pass_at_k, mean_pass_hat_k
from grice.stats.planning import repeats_needed, scenarios_needed

FOLDER = Path(__file__).parent.parent / "docs" / "_measured"
SIZES, REPEATS = (10, 50, 500), (1, 3, 10)
POWER_SIZES, POWER_REPEATS = (25, 50, 100, 200, 500), (1, 3, 5, 10)
RATES = (0.7, 0.8)
RATE = (0.0, 1.0)
PRIMARY = 0.03
"""At what p completion is shown when a page asks about more than completion."""
DRAWS = 400


class Cell(NamedTuple):
    """One setting, and how it is measured; `samples` of it make one number or several."""

    measure: str
    population: int
    n: int
    repeats: int | str
    samples: int

    @property
    def rng(self) -> random.Random:
        """The same numbers for the same setting."""
        return random.Random(f"{self.measure} {self.population} {self.n} {self.repeats}")

    @property
    def counts(self) -> Repeats:
        """The repeats of a scenario on both sides."""
        return UNEQUAL[self.repeats] if isinstance(self.repeats, str) else equally(self.repeats)


def coverage(cell: Cell) -> tuple[float, float, float]:
    """Of the rate of one experiment, of the difference, and the mean width of the interval of this."""
    rng, held, rates_held, widths = cell.rng, 0, 0, []
    for _ in range(cell.samples):
        rates = rng.uniform(0.2, 0.8), rng.uniform(0.2, 0.8)
        pairs = completion_pairs(rng, POPULATIONS[cell.population], rates, cell.n, cell.counts)
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


class Bench:
    """Measures cells in processes, each with its own seed, so that their number changes nothing."""

    def __init__(self, samples: int, jobs: int) -> None:
        self.samples = samples
        self._pool = ProcessPoolExecutor(jobs)

    def grid(
        self,
        measure: str,
        sizes: Sequence[int],
        repeats: Sequence[int | str],
        populations: Sequence[int] = range(len(POPULATIONS)),
        share: float = 1,
    ) -> dict[tuple[int, int, int | str], Any]:
        """By population, number of scenarios and repeats; `share` of the samples make each number."""
        keys = list(product(populations, sizes, repeats))
        cells = [Cell(measure, place, n, count, round(self.samples * share)) for place, n, count in keys]
        return dict(zip(keys, self._pool.map(measured, cells), strict=True))


def _part(name: str, lines: Iterator[str]) -> list[str]:
    return [f"<!-- {name} -->", *lines, f"<!-- /{name} -->"]


def _row(*cells: object) -> str:
    return f"| {' | '.join(map(str, cells))} |"


def _head(*cells: object) -> Iterator[str]:
    yield _row(*cells)
    yield "|---" * len(cells) + "|"


def _by_size(
    found: dict[tuple[int, int, int | str], Any], sizes: Sequence[int], titles: Sequence[str]
) -> Iterator[str]:
    """One row a population and number of repeats, the columns of each title by size; then the means."""
    yield from _head("scenarios' rates", "repeats", *(f"{title}, n = {n}" for title in titles for n in sizes))
    populations = list(dict.fromkeys(population for population, _, _ in found))
    repeats = list(dict.fromkeys(count for _, _, count in found))
    columns = list(product(range(len(titles)), sizes))
    for population, count in product(populations, repeats):
        cells = (f"{found[population, n, count][which]:.3f}" for which, n in columns)
        yield _row(POPULATIONS[population].name, count, *cells)
    for count in repeats:
        means = (fmean(found[one, n, count][which] for one in populations) for which, n in columns)
        yield _row("mean", count, *(f"{one:.3f}" for one in means))


def coverage_tables(bench: Bench) -> Iterator[str]:
    """How often intervals hold the true value, those of a bootstrap beside them."""
    found = bench.grid("coverage", SIZES, REPEATS)
    yield from _part("coverage", _by_size(found, SIZES, ("rate", "difference")))
    unequal = bench.grid("coverage", SIZES, list(UNEQUAL))
    yield from _part("coverage unequal", _by_size(unequal, SIZES, ("rate", "difference")))
    again = bench.grid("bootstrap_coverage", SIZES[:2], REPEATS, share=0.2)
    yield from _part("bootstrap", _beside(found, again))
    tasks = bench.grid("task_coverage", (10, 50, 200), (3, 5, 10), range(3), share=0.5)
    yield from _part("tasks", _by_size(tasks, (10, 50, 200), ("pass@3", "pass^3")))


def _beside(
    ours: dict[tuple[int, int, int | str], Any], theirs: dict[tuple[int, int, int | str], Any]
) -> Iterator[str]:
    yield from _head("n", "repeats", "Student's t (here)", "mean width", "percentile bootstrap", "mean width")
    for n, count in product(SIZES[:2], REPEATS):
        cells = [
            f"{fmean(found[one, n, count][which] for one in range(len(POPULATIONS))):.3f}"
            for found, places in ((ours, (1, 2)), (theirs, (0, 1)))
            for which in places
        ]
        yield _row(n, count, *cells)


def false_alarm_tables(bench: Bench) -> Iterator[str]:
    """How often a difference is shown where nothing changed."""
    # Without a change, none interacts.
    still = [place for place, one in enumerate(POPULATIONS) if not one.interact]
    titles = ("completion", "page")
    found = bench.grid("false_alarms", SIZES, [*REPEATS, *UNEQUAL], still)
    yield from _part("false alarms", _by_size(found, SIZES, titles))
    moved = [place for place, one in enumerate(POPULATIONS) if one.interact]
    found = bench.grid("false_alarms", SIZES, REPEATS, moved)
    yield from _part("false alarms, scenarios change", _by_size(found, SIZES, titles))


def planning_table(bench: Bench) -> Iterator[str]:
    """What is said to be needed for ten points and 80 %, and what comes of it."""
    found = bench.grid("planning", (50, 200), (1, 3, 10), share=0.5)

    def lines() -> Iterator[str]:
        yield from _head(
            "scenarios' rates", "pilot", "repeats", "scenarios needed", "power", "repeats needed", "power"
        )
        for (population, n, count), cells in found.items():
            shown = ("none" if one is None else f"{one:.2f}" if one < 1 else int(one) for one in cells)
            yield _row(POPULATIONS[population].name, n, count, *shown)

    yield from _part("planning", lines())


def power_tables(bench: Bench) -> Iterator[str]:
    """The share of experiments that show a true difference of ten points."""
    found = bench.grid("power", POWER_SIZES, POWER_REPEATS)
    for place, population in enumerate(POPULATIONS):

        def lines(place: int = place) -> Iterator[str]:
            yield from _head("scenarios", *(f"repeats: {count}" for count in POWER_REPEATS))
            for n in POWER_SIZES:
                cells = (found[place, n, count] for count in POWER_REPEATS)
                yield _row(n, *(f"{alone:.2f} ({strict:.2f})" for alone, strict in cells))

        yield from _part(population.name, lines())


def main() -> None:
    """Print the tables, or write them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--samples", type=int, default=1000, help="samples a number (1000)")
    parser.add_argument("--jobs", type=int, default=2, help="processes (2)")
    parser.add_argument("--write", action="store_true", help="write the files of docs/_measured")
    asked = parser.parse_args()
    bench = Bench(asked.samples, asked.jobs)
    command = f"python benchmarks/comparison_statistics.py --samples {asked.samples} --write"
    header = f"<!-- Written by {command}; do not edit. -->"
    pages = {
        "comparison_error.md": (coverage_tables, false_alarm_tables, planning_table),
        "power.md": (power_tables,),
    }
    for name, parts in pages.items():
        text = "\n".join([header, *(line for part in parts for line in part(bench))]) + "\n"
        if asked.write:
            (FOLDER / name).write_text(text, encoding="utf-8")
        else:
            print(f"{name}\n{text}", flush=True)


if __name__ == "__main__":
    main()
