"""Agreement beyond chance, with an interval that holds for few items and for perfect agreement.

It is one less the observed by the expected distance of answers. The interval is a score interval, as Wilson's
is for a rate: it holds every true value from which the observed one is less than 1.96 standard errors away,
where the error is that of the TRUE value. To have one for each true value, the observed answers are mixed
with such as agree by chance alone (below the observed value), or always (above it). So there is a width at
perfect agreement too, and no bound is outside -1 to 1. For two classes it is close to Donner and Eliasziw
1992. How often it holds the true value is simulated in benchmarks/judge_agreement.py.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any, NamedTuple

from grice.stats.clustering import design_effect
from grice.stats.distances import Chance
from grice.stats.estimates import Estimate
from grice.stats.intervals import Z95, furthest

__all__ = ["Unit", "beyond_chance"]


class Unit(NamedTuple):
    """One item: how many answers, their mean distance, and how it moves the distance expected by chance."""

    answers: int
    apart: float
    expected: float


def beyond_chance(
    units: Sequence[Unit],
    chance: Chance,
    piles: tuple[Mapping[Any, int], Mapping[Any, int]],
    clusters: Sequence[Hashable] | None,
) -> Estimate:
    """One less observed by expected distance, and its interval. `piles` are what `chance` draws from."""
    total = sum(unit.answers for unit in units)
    observed = sum(unit.answers * unit.apart for unit in units) / total
    value = _tidy(1 - observed / chance.expected, 12)
    moves = [unit.answers * (unit.apart - (1 - value) * unit.expected) for unit in units]
    effect = design_effect(moves, [unit.apart > 0 for unit in units], clusters)
    variance = _variance(units, chance, piles, value)
    reach = Z95**2 * effect / chance.expected**2

    def inside(true: float) -> bool:
        return (value - true) ** 2 <= reach * variance(true)

    low, high = (_tidy(furthest(inside, value, end), 8) for end in (-1.0, 1.0))
    return Estimate(value, min(low, value), max(high, value), len(units))


def _tidy(number: float, digits: int) -> float:
    """Rounded, for what is 0 in whole numbers is 8e-16 in floats; never the negative zero, a "-0.00"."""
    return round(number, digits) + 0.0


def _variance(
    units: Sequence[Unit], chance: Chance, piles: tuple[Mapping[Any, int], Mapping[Any, int]], value: float
) -> Callable[[float], float]:
    """The variance of the observed less the expected distance, given a true value."""
    kept, drawn, alike = _as_observed(units), _by_chance(units, chance, piles), _alike(units, chance, piles)

    def given(true: float) -> float:
        if true > value:
            share = (1 - true) / (1 - value)
            return share * kept(true) + (1 - share) * alike(true)
        if value > 0:
            share = max(true / value, 0.0)
            return share * kept(true) + (1 - share) * drawn(true)
        return max(kept(true), drawn(true))

    return given


def _as_observed(units: Sequence[Unit]) -> Callable[[float], float]:
    """For items as they are."""
    own = _weights(units)
    apart = sum(w * unit.apart**2 for w, unit in zip(own, units, strict=True))
    both = sum(w * unit.apart * unit.expected for w, unit in zip(own, units, strict=True))
    expected = sum(w * unit.expected**2 for w, unit in zip(own, units, strict=True))
    return lambda true: apart - 2 * (1 - true) * both + (1 - true) ** 2 * expected


def _by_chance(
    units: Sequence[Unit], chance: Chance, piles: tuple[Mapping[Any, int], Mapping[Any, int]]
) -> Callable[[float], float]:
    """For items whose answers are drawn by chance: Hoeffding's parts of the mean distance of m answers."""
    own, middle = _weights(units), chance.expected
    single = _spread(piles[0], chance.rows, middle) + _spread(piles[1], chance.columns, middle)
    paired = max(chance.squared - middle**2 - single, 0.0)
    singles = sum(w * 2 * single / unit.answers for w, unit in zip(own, units, strict=True))
    pairs = sum(
        w * 2 * paired / (unit.answers * (unit.answers - 1)) for w, unit in zip(own, units, strict=True)
    )
    return lambda true: pairs + true**2 * (singles + sum(own) * middle**2)


def _alike(
    units: Sequence[Unit], chance: Chance, piles: tuple[Mapping[Any, int], Mapping[Any, int]]
) -> Callable[[float], float]:
    """For items whose answers are all the same: one of the piles' answers, as often as it is there."""
    total = sum(piles[0].values()) + sum(piles[1].values())
    moved = sum(
        count * (chance.rows[one] + chance.columns[one] - chance.expected) ** 2
        for pile in piles
        for one, count in pile.items()
    )
    error = sum(_weights(units)) * moved / total
    return lambda true: (1 - true) ** 2 * error


def _weights(units: Sequence[Unit]) -> list[float]:
    """What each item's variance counts: the square of its share of the answers."""
    total = sum(unit.answers for unit in units)
    return [(unit.answers / total) ** 2 for unit in units]


def _spread(pile: Mapping[Any, int], means: Mapping[Any, float], middle: float) -> float:
    """The variance of the mean distances of the answers of a pile."""
    return sum(count * (means[one] - middle) ** 2 for one, count in pile.items()) / sum(pile.values())
