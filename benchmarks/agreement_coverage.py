"""How often the intervals of grice.stats hold the true value: 95 times in a hundred is what they promise.

Samples are drawn from populations whose true value is known, alone or in clusters of five items whose
intra-cluster correlation is 0.3: each item is, with the probability of the square root of 0.3, its cluster's
common draw. Seeded, so that two runs print the same. Run by `judge_agreement.py --coverage [SAMPLES]`; 400
samples take some minutes.
"""

from __future__ import annotations

import math
import random
import sys
from collections.abc import Callable, Iterator, Sequence
from statistics import fmean
from typing import Any, NamedTuple

from grice.stats.agreement import bounded_mean, cluster_rate, cohen_kappa, krippendorff_alpha
from grice.stats.bias import length_bias, paired_difference
from grice.stats.correction import corrected_rate
from grice.stats.estimates import Estimate

SIZES = (10, 20, 50, 100, 200)
CLUSTER = 5
CORRELATION = 0.3
Z2 = 1.959963984540054**2

Draw = Callable[[random.Random], Any]
Estimator = Callable[[list[Any], list[int] | None], Estimate | None]


class Population(NamedTuple):
    """What items are drawn from, and the true value there."""

    name: str
    draw: Draw
    true: float


class Covered(NamedTuple):
    """The share of samples whose interval holds the truth, the mean width, the share with an estimate."""

    share: float
    width: float
    defined: float


def covered(population: Population, estimator: Estimator, n: int, clustered: bool, samples: int) -> Covered:
    """Of `samples` samples of `n` items."""
    rng = random.Random(f"{population.name} {n} {clustered}")
    widths, held = [], 0
    for _ in range(samples):
        found = estimator(*_sample(rng, population.draw, n, clustered))
        if found is not None:
            widths.append(found.high - found.low)
            held += found.low - 1e-9 <= population.true <= found.high + 1e-9
    return Covered(held / len(widths), fmean(widths), len(widths) / samples)


def _sample(rng: random.Random, draw: Draw, n: int, clustered: bool) -> tuple[list[Any], list[int] | None]:
    if not clustered:
        return [draw(rng) for _ in range(n)], None
    items, clusters = [], []
    for cluster in range(n // CLUSTER):
        common = draw(rng)
        for _ in range(CLUSTER):
            items.append(common if rng.random() < math.sqrt(CORRELATION) else draw(rng))
            clusters.append(cluster)
    return items, clusters


def chance_corrected(kappa: float, shares: Sequence[float]) -> Draw:
    """Two answers: alike with probability `kappa`, else each by chance."""
    classes = range(len(shares))

    def draw(rng: random.Random) -> tuple[int, int]:
        one = rng.choices(classes, shares)[0]
        return one, one if rng.random() < kappa else rng.choices(classes, shares)[0]

    return draw


def seen_by(knowing: Sequence[float], shares: Sequence[float], missing: float = 0.0) -> Draw:
    """One answer of each rater, who knows the truth with a probability and else guesses."""
    classes = range(len(shares))

    def draw(rng: random.Random) -> dict[int, int]:
        truth = rng.choices(classes, shares)[0]
        return {
            rater: truth if rng.random() < knows else rng.choices(classes, shares)[0]
            for rater, knows in enumerate(knowing)
            if rng.random() >= missing
        }

    return draw


def graded(correlation: float, raters: int, missing: float = 0.0) -> Draw:
    """Scores from 1 to 5: rounded normal values that correlate."""

    def draw(rng: random.Random) -> dict[int, int]:
        common = math.sqrt(correlation) * rng.gauss(0, 1)
        own = math.sqrt(1 - correlation)
        return {
            rater: min(5, max(1, round(3.3 + 1.1 * (common + own * rng.gauss(0, 1)))))
            for rater in range(raters)
            if rng.random() >= missing
        }

    return draw


def _pair(draw: Draw) -> Draw:
    return lambda rng: tuple(draw(rng).values())


def _graded(estimator: Estimator, raters: int, missing: float = 0.0) -> list[Population]:
    """Their true values are those of a large sample."""
    found = []
    for correlation in (0.0, 0.3, 0.5, 0.7, 0.9):
        drawn = graded(correlation, raters, missing)
        whole = graded(correlation, raters)
        rng = random.Random(4)
        units = [whole(rng) for _ in range(60_000)]
        many = [tuple(unit.values()) for unit in units] if raters == 2 else units
        true = estimator(many, None)
        name = f"scores that correlate by {correlation}"
        found.append(Population(name, _pair(drawn) if raters == 2 else drawn, true.value if true else 0.0))
    return found


def studies() -> Iterator[tuple[str, list[Population], Estimator]]:
    """Every estimate with the populations it is tried on."""
    yield "rate", [_coin(p) for p in (0.5, 0.6, 0.7, 0.8, 0.9, 0.95)], cluster_rate
    margins = ((0.5, 0.5), (0.7, 0.3), (0.85, 0.15))
    kappas = [
        Population(f"{kappa} {shares}", chance_corrected(kappa, shares), kappa)
        for kappa in (0.0, 0.2, 0.4, 0.6, 0.8, 0.9)
        for shares in (*margins, (0.5, 0.3, 0.2))
    ]
    yield "kappa", kappas, lambda items, of: cohen_kappa(items, clusters=of)

    def linear(items: list[Any], of: list[int] | None) -> Estimate | None:
        return cohen_kappa(items, clusters=of, weights="linear")

    def quadratic(items: list[Any], of: list[int] | None) -> Estimate | None:
        return cohen_kappa(items, clusters=of, weights="quadratic")

    yield "kappa, linear weights", _graded(linear, 2), linear
    yield "kappa, quadratic weights", _graded(quadratic, 2), quadratic
    alphas = [
        Population(f"{knows} {shares}", seen_by((knows,) * 3, shares, missing=0.2), knows**2)
        for knows in (0.0, 0.5, 0.7, 0.8, 0.9, 0.95)
        for shares in margins
    ]
    yield "alpha", alphas, lambda items, of: krippendorff_alpha(items, clusters=of)

    def ordinal(items: list[Any], of: list[int] | None) -> Estimate | None:
        return krippendorff_alpha(items, clusters=of, level="ordinal")

    def interval(items: list[Any], of: list[int] | None) -> Estimate | None:
        return krippendorff_alpha(items, clusters=of, level="interval")

    yield "alpha, ordinal", _graded(ordinal, 3, 0.2), ordinal
    yield "alpha, interval", _graded(interval, 3, 0.2), interval
    yield "self-consistency", _consistencies(), bounded_mean
    yield "longer preferred", _preferences(), _preferred
    yield "length bias", _lengths(), _length_biased


def _coin(p: float) -> Population:
    return Population(f"{p}", lambda rng: rng.random() < p, p)


def _consistencies() -> list[Population]:
    """The share of agreeing pairs among three answers, each `right` with a probability."""

    def of(right: float) -> Population:
        def draw(rng: random.Random) -> float:
            return 1.0 if sum(rng.random() < right for _ in range(3)) in (0, 3) else 1 / 3

        return Population(f"{right}", draw, right**2 + (1 - right) ** 2)

    return [of(right) for right in (0.5, 0.7, 0.8, 0.9, 0.95, 0.98)]


def _preferences() -> list[Population]:
    """The judge prefers the longer reply where people do not (`up`), and the other way (`down`)."""

    def of(up: float, down: float) -> Population:
        def draw(rng: random.Random) -> tuple[bool, bool]:
            drawn, same = rng.random(), rng.random() < 0.5
            return (True, False) if drawn < up else (False, True) if drawn < up + down else (same, same)

        return Population(f"{up} {down}", draw, up - down)

    return [of(up, down) for up in (0.02, 0.1, 0.3) for down in (0.02, 0.1)]


def _preferred(items: list[Any], of: list[int] | None) -> Estimate | None:
    return paired_difference([one - other for one, other in items], of)


def _lengths() -> list[Population]:
    """A judge who errs one time in ten, and passes long texts with a probability whatever they are."""

    def of(bias: float) -> Population:
        def draw(rng: random.Random) -> tuple[float, bool, bool]:
            length, good = rng.random(), rng.random() < 0.7
            lenient = length > 0.5 and rng.random() < bias
            return length, lenient or (good if rng.random() < 0.9 else not good), good

        # It would have failed 0.7 * 0.1 + 0.3 * 0.9 of them.
        return Population(f"{bias}", draw, bias * 0.34)

    return [of(bias) for bias in (0.0, 0.2, 0.5, 0.9)]


def _length_biased(items: list[Any], of: list[int] | None) -> Estimate | None:
    lengths, judged, labelled = zip(*items, strict=True)
    return length_bias(lengths, judged, labelled, of)


def print_coverage(samples: int) -> None:
    """The table of all estimates, alone and in clusters: the mean over the populations, and the worst."""
    print(f"Share of {samples} samples a population whose interval holds the truth: mean, worst; mean width")
    print("| estimate | items | " + " | ".join(f"n = {n}" for n in SIZES) + " |")
    print("|---" * (2 + len(SIZES)) + "|")
    for name, populations, estimator in studies():
        for clustered in (False, True):
            cells = [_cell(populations, estimator, n, clustered, samples) for n in SIZES]
            print(f"| {name} | {'clusters' if clustered else 'alone'} | {' | '.join(cells)} |", flush=True)
    margins = [Population(f"{k}", chance_corrected(k, (0.7, 0.3)), k) for k in (0.2, 0.6, 0.9)]
    cells = [_cell(margins, _bootstrapped, n, False, samples // 4) for n in SIZES[:3]]
    print("| kappa by percentile bootstrap, for comparison | alone | " + " | ".join(cells) + " | | |")
    print()
    _print_corrections(samples)


def _cell(populations: list[Population], estimator: Estimator, n: int, clustered: bool, samples: int) -> str:
    found = [covered(one, estimator, n, clustered, samples) for one in populations]
    mean, worst = fmean(one.share for one in found), min(one.share for one in found)
    return f"{mean:.3f}, {worst:.2f}; {fmean(one.width for one in found):.2f}"


def _bootstrapped(items: list[Any], _: list[int] | None) -> Estimate | None:
    rng, value = random.Random(0), cohen_kappa(items)
    again = [cohen_kappa(rng.choices(items, k=len(items))) for _ in range(200)]
    values = sorted(one.value for one in again if one is not None)
    return None if value is None else Estimate(value.value, values[5], values[-6], len(items))


def _print_corrections(samples: int) -> None:
    print("Corrected pass rates, true rates 0.1 to 0.97, sensitivity 0.7 to 0.97, specificity 0.6 to 0.95:")
    print("| judged | known passes | known fails | Fieller (here) | Lang and Reiczigel 2014 |")
    print("|---|---|---|---|---|")
    for n, passes, fails in ((50, 20, 20), (100, 30, 15), (200, 50, 50), (1000, 60, 40), (1000, 200, 200)):
        ours, theirs = [], []
        for right in (0.7, 0.8, 0.9, 0.97):
            for quiet in (0.6, 0.8, 0.95):
                for true in (0.1, 0.3, 0.5, 0.7, 0.9, 0.97):
                    one, other = _corrections(n, (passes, right), (fails, quiet), true, samples)
                    ours.append(one)
                    theirs.append(other)
        cells = [
            f"{fmean(a.share for a in found):.3f}, {min(a.share for a in found):.2f}; "
            f"{fmean(a.width for a in found):.2f}"
            for found in (ours, theirs)
        ]
        print(f"| {n} | {passes} | {fails} | " + " | ".join(cells) + " |", flush=True)


def _corrections(
    n: int, passes: tuple[int, float], fails: tuple[int, float], true: float, samples: int
) -> tuple[Covered, Covered]:
    rng = random.Random(f"{n} {passes} {fails} {true}")
    observed = true * passes[1] + (1 - true) * (1 - fails[1])
    intervals: list[list[tuple[float, float]]] = [[], []]
    for _ in range(samples):
        passed, right, quiet = (
            sum(rng.random() < p for _ in range(k)) for k, p in ((n, observed), passes, fails)
        )
        sensitivity, specificity = (right, passes[0]), (quiet, fails[0])
        found = corrected_rate(passed, n, sensitivity=sensitivity, specificity=specificity)
        if found is not None:
            intervals[0].append((found.low, found.high))
            intervals[1].append(_lang_reiczigel(passed, n, sensitivity, specificity))
    ours, theirs = (_summary(found, true, samples) for found in intervals)
    return ours, theirs


def _summary(found: list[tuple[float, float]], true: float, samples: int) -> Covered:
    held = fmean(low <= true <= high for low, high in found)
    return Covered(held, fmean(high - low for low, high in found), len(found) / samples)


def _lang_reiczigel(
    passed: int, n: int, sensitivity: tuple[int, int], specificity: tuple[int, int]
) -> tuple[float, float]:
    """Lang and Reiczigel 2014, Preventive Veterinary Medicine 113."""
    size, p = n + Z2, (passed + Z2 / 2) / (n + Z2)
    ns, nq = sensitivity[1] + 2, specificity[1] + 2
    s, q = (sensitivity[0] + 1) / ns, (specificity[0] + 1) / nq
    youden = s + q - 1
    if youden <= 0:
        return 0.0, 1.0
    middle = (p + q - 1) / youden
    shift = 2 * Z2 * (middle * s * (1 - s) / ns - (1 - middle) * q * (1 - q) / nq)
    errors = p * (1 - p) / size + middle**2 * s * (1 - s) / ns + (1 - middle) ** 2 * q * (1 - q) / nq
    reach = math.sqrt(Z2 * errors) / youden
    return min(max(middle + shift - reach, 0.0), 1.0), min(max(middle + shift + reach, 0.0), 1.0)


if __name__ == "__main__":
    print_coverage(int(sys.argv[1]) if len(sys.argv) > 1 else 400)
