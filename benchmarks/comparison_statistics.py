"""How far the statistics of a comparison can be trusted, by simulation.

- How often the 95 % intervals of one experiment's rate, and of the difference of two, hold the true value.
- How often a difference is shown of pairs in which nothing changed: of completion alone, and anywhere on a
  page with completion, the evaluation rate and five criteria that correlate.
- How often a true difference of ten points is shown.
- How many scenarios and repeats are said to be needed, and how often they are enough.

    python benchmarks/comparison_statistics.py [--samples N] [--jobs N] [--write]

True rates are uniform in 0.2 to 0.8, and in 0.9 to 1.0, as of an assistant that nearly always passes. Seeded:
two runs print the same. 1,000 samples take some minutes; `--write` writes docs/_measured/power.md and
comparison_error.md instead of printing them. It ends with the bars; one that is missed makes the exit code 1.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import product
from pathlib import Path
from statistics import fmean
from typing import Any

from comparison_measures import (  # type: ignore[import-not-found]  # beside this script
    MIDDLE,
    Cell,
    Range,
    measured,
)
from paired_populations import (  # type: ignore[import-not-found]  # beside this script
    NEAR_ONE,
    POPULATIONS,
    UNEQUAL,
    Population,
)

FOLDER = Path(__file__).parent.parent / "docs" / "_measured"
SIZES, REPEATS = (10, 50, 500), (1, 3, 10)
POWER_SIZES, POWER_REPEATS = (25, 50, 100, 200, 500), (1, 3, 5, 10)
NEAR: tuple[Range, Range] = ((0.9, 1.0), (0.9, 1.0))
PAIRS_NEAR_ONE = ((1.0, 0.97), (0.98, 0.95), (1.0, 0.99), (0.99, 0.9), (0.97, 0.97))
KINDS = {
    "equal": "Scenarios that are all equally hard",
    "Beta": "Scenarios of all difficulties",
    "easy or hard": "Scenarios that are easy or hard, and pass 98 or 2 times in a hundred",
    "Beta, half change": "Scenarios of all difficulties, half of which change either way",
    "easy or hard, half change": "Scenarios that are easy or hard, half of which change either way",
}
Found = dict[tuple[int, int, int | str], Any]
"""Numbers by population, number of scenarios and repeats."""


class Bench:
    """Measures cells in processes, each with its own seed, so that their number changes nothing."""

    def __init__(self, samples: int, jobs: int) -> None:
        self.samples = samples
        self.bars: list[tuple[str, float, float, float, float]] = []
        self._pool = ProcessPoolExecutor(jobs)

    def grid(
        self,
        measure: str,
        sizes: Sequence[int],
        repeats: Sequence[int | str],
        populations: Sequence[int] = range(len(POPULATIONS)),
        share: float = 1,
        rates: tuple[Range, Range] = MIDDLE,
    ) -> Found:
        """By population, number of scenarios and repeats; `share` of the samples make each number."""
        keys, samples = list(product(populations, sizes, repeats)), round(self.samples * share)
        cells = [Cell(measure, place, n, count, samples, rates) for place, n, count in keys]
        return dict(zip(keys, self._pool.map(measured, cells), strict=True))

    def hold(self, what: str, found: Iterable[float], least: float, most: float = 1.0) -> None:
        """Note that all numbers found are to be from `least` to `most`."""
        numbers = list(found)
        self.bars.append((what, min(numbers), max(numbers), least, most))

    @property
    def is_held(self) -> bool:
        """Whether all bars are."""
        return all(least <= low and high <= most for _, low, high, least, most in self.bars)


def _part(name: str, says: str, lines: Iterable[str]) -> list[str]:
    """A table with a sentence on what it is, between markers by which a page can include it."""
    return [f"<!-- {name} -->", says, "", *lines, "", f"<!-- /{name} -->"]


def _row(*cells: object) -> str:
    return f"| {' | '.join(map(str, cells))} |"


def _head(*cells: object) -> Iterator[str]:
    yield _row(*cells)
    yield "|---" * len(cells) + "|"


def _by_size(
    found: Found,
    sizes: Sequence[int],
    titles: Sequence[str],
    kinds: Sequence[Population] = POPULATIONS,
) -> Iterator[str]:
    """One row a population and number of repeats, the columns of each title by size; then the means."""
    yield from _head("scenarios' rates", "repeats", *(f"{title}, n = {n}" for title in titles for n in sizes))
    populations = list(dict.fromkeys(population for population, _, _ in found))
    repeats = list(dict.fromkeys(count for _, _, count in found))
    columns = list(product(range(len(titles)), sizes))
    for population, count in product(populations, repeats):
        cells = (f"{found[population, n, count][which]:.3f}" for which, n in columns)
        yield _row(kinds[population].name, count, *cells)
    for count in repeats:
        means = (fmean(found[one, n, count][which] for one in populations) for which, n in columns)
        yield _row("mean", count, *(f"{one:.3f}" for one in means))


def _means(found: Found, sizes: Sequence[int]) -> list[float]:
    """The coverage of the difference, its mean over populations, by size and repeats."""
    settings = dict.fromkeys((n, count) for _, n, count in found if n in sizes)
    return [fmean(cell[1] for (_, *key), cell in found.items() if tuple(key) == one) for one in settings]


def coverage_tables(bench: Bench) -> Iterator[str]:
    """How often intervals hold the true value, those of a bootstrap beside them."""
    found, titles = bench.grid("coverage", SIZES, REPEATS), ("rate", "difference")
    bench.hold("mean coverage, rates from 0.2 to 0.8, n = 50 and 500", _means(found, SIZES[1:]), 0.93, 0.97)
    bench.hold("mean coverage, rates from 0.2 to 0.8, n = 10", _means(found, SIZES[:1]), 0.90)
    says = "**How often the 95 % intervals hold the true value**, with true rates from 20 to 80 %."
    yield from _part("coverage", says, _by_size(found, SIZES, titles))
    unequal = bench.grid("coverage", SIZES, list(UNEQUAL))
    says = "**The same of unequally many repeats on the two sides**, with true rates from 20 to 80 %."
    yield from _part("coverage unequal", says, _by_size(unequal, SIZES, titles))
    yield from near_one_tables(bench)
    again = bench.grid("bootstrap_coverage", SIZES[:2], REPEATS, share=0.2)
    says = (
        "**Beside a bootstrap over scenarios**, the mean coverage and width of intervals of the difference."
    )
    yield from _part("bootstrap", says, _beside(found, again))
    tasks = bench.grid("task_coverage", (10, 50, 200), (3, 5, 10), range(3), share=0.5)
    says = "**How often the intervals of pass@3 and pass^3 hold the true value**, of one experiment."
    yield from _part("tasks", says, _by_size(tasks, (10, 50, 200), ("pass@3", "pass^3")))


def near_one_tables(bench: Bench) -> Iterator[str]:
    """How often intervals hold the true value where nearly all passes."""
    found = bench.grid("coverage", SIZES, [*REPEATS, *UNEQUAL], rates=NEAR)
    bench.hold("mean coverage, rates from 0.9 to 1.0", _means(found, SIZES), 0.93)
    says = "**How often the 95 % intervals hold the true value**, with true rates from 90 to 100 %."
    yield from _part("coverage near 1", says, _by_size(found, SIZES, ("rate", "difference"), NEAR_ONE))
    by_rates = {
        one: bench.grid("coverage", SIZES, REPEATS, rates=((one[0], one[0]), (one[1], one[1])))
        for one in PAIRS_NEAR_ONE
    }
    cells = [cell[1] for each in by_rates.values() for cell in each.values()]
    bench.hold("coverage of any single pair of rates from 0.9 to 1.0", cells, 0.90)

    def lines() -> Iterator[str]:
        yield from _head(
            "true rates", "repeats", *(f"{kind}, n = {n}" for kind in ("mean", "least") for n in SIZES)
        )
        for (rates, each), count in product(by_rates.items(), REPEATS):
            columns = [[each[one, n, count][1] for one in range(len(NEAR_ONE))] for n in SIZES]
            shown = [*map(fmean, columns), *map(min, columns)]
            yield _row(f"{rates[0]:.2f}, {rates[1]:.2f}", count, *(f"{one:.3f}" for one in shown))

    says = (
        "**How often the interval of the difference holds the true one, rate by rate**: the mean over the "
        "kinds of scenarios above, and the least of these."
    )
    yield from _part("coverage near 1, rate by rate", says, lines())


def _beside(ours: Found, theirs: Found) -> Iterator[str]:
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
    shown = [share for one in found.values() for share in one]
    says = (
        "**How often a difference is shown of two experiments in which nothing changed**: of completion "
        "alone, and of anything on a page that corrects for asking about more."
    )
    yield from _part("false alarms", says, _by_size(found, SIZES, titles))
    moved = [place for place, one in enumerate(POPULATIONS) if one.interact]
    found = bench.grid("false_alarms", SIZES, REPEATS, moved)
    bench.hold("false alarms", [*shown, *(share for one in found.values() for share in one)], 0.0, 0.065)
    says = "**The same where half of the scenarios change, and the mean does not.**"
    yield from _part("false alarms, scenarios change", says, _by_size(found, SIZES, titles))


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

    says = (
        "**How many scenarios or repeats are said to be needed** to show ten points, 70 to 80 %, four times "
        "in five: the median of 200 pilots of so many scenarios and repeats, and how often so many then show "
        "it."
    )
    yield from _part("planning", says, lines())


def power_tables(bench: Bench) -> Iterator[str]:
    """The share of experiments that show a true difference of ten points."""
    found = bench.grid("power", POWER_SIZES, POWER_REPEATS)
    for place, population in enumerate(POPULATIONS):

        def lines(place: int = place) -> Iterator[str]:
            yield from _head("scenarios", *(f"repeats: {count}" for count in POWER_REPEATS))
            for n in POWER_SIZES:
                cells = (found[place, n, count] for count in POWER_REPEATS)
                yield _row(n, *(f"{alone:.2f} ({strict:.2f})" for alone, strict in cells))

        says = (
            f"**{KINDS[population.name]}**: how often a true gain of ten points, 70 to 80 %, is shown; in "
            "brackets, where more than completion is asked about."
        )
        yield from _part(population.name, says, lines())


def bars_table(bench: Bench) -> Iterator[str]:
    """What is asked of the numbers above, and whether they hold it."""

    def lines() -> Iterator[str]:
        yield from _head("what", "least", "most", "asked", "held")
        for what, low, high, least, most in bench.bars:
            is_held = "yes" if least <= low and high <= most else "NO"
            yield _row(what, f"{low:.3f}", f"{high:.3f}", f"{least:.3f} to {most:.3f}", is_held)

    yield from _part("bars", "**What is asked of these numbers**, and what they are.", lines())


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
        "comparison_error.md": (coverage_tables, false_alarm_tables, planning_table, bars_table),
        "power.md": (power_tables,),
    }
    for name, parts in pages.items():
        text = "\n".join([header, *(line for part in parts for line in part(bench))]) + "\n"
        if asked.write:
            (FOLDER / name).write_text(text, encoding="utf-8")
        else:
            print(f"{name}\n{text}", flush=True)
    if asked.write:
        print("\n".join(bars_table(bench)))
    sys.exit(0 if bench.is_held else 1)


if __name__ == "__main__":
    main()
