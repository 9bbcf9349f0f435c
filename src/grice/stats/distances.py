"""How far apart answers are, and how far apart they would be by chance."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from typing import Literal, NamedTuple

__all__ = ["Chance", "Distance", "by_chance", "distance", "in_unit_range", "numbers"]

Distance = Literal["nominal", "linear", "quadratic"]


class Chance(NamedTuple):
    """Answers drawn by chance from two piles: `expected` is the mean distance, `squared` that of its square.

    `rows` and `columns` hold the mean distance of an answer of one pile from the answers of the other.
    """

    expected: float
    squared: float
    rows: Mapping[Hashable, float]
    columns: Mapping[Hashable, float]


def numbers(values: Sequence[object], what: str) -> list[float]:
    """The values as floats. Raises TypeError for what is no number, ValueError for what is not finite."""
    for one in values:
        if not isinstance(one, int | float):
            raise TypeError(f"{what} needs numbers, found {one!r}")
    found = [float(one) for one in values if isinstance(one, int | float)]
    if not all(map(math.isfinite, found)):
        raise ValueError(f"{what} needs finite numbers")
    return found


def in_unit_range(values: Sequence[float]) -> dict[float, float]:
    """Each value moved to 0 to 1, so that no distance exceeds 1 and large numbers lose no digits."""
    low, high = min(values), max(values)
    return {one: (one - low) / (high - low) if high > low else 0.0 for one in values}


def distance(one: Hashable, other: Hashable, kind: Distance) -> float:
    """How far apart two answers are: 0 or 1 for classes, else by their numbers."""
    if kind == "nominal":
        return float(one != other)
    gap = abs(one - other)  # type: ignore[operator]
    return float(gap if kind == "linear" else gap * gap)


def by_chance(rows: Mapping[Hashable, int], columns: Mapping[Hashable, int], kind: Distance) -> Chance:
    """What distances come to when an answer of each pile is drawn alone. Piles count answers."""
    across, along = _shares(rows), _shares(columns)
    seen = {**across, **along}
    if kind == "nominal":
        of_rows = {one: 1 - along.get(one, 0.0) for one in seen}
        of_columns = {one: 1 - across.get(one, 0.0) for one in seen}
        expected = sum(share * of_rows[one] for one, share in across.items())
        return Chance(expected, expected, of_rows, of_columns)
    first, second = _moments(across), _moments(along)
    if kind == "linear":
        of_rows, of_columns = _mean_gaps(along, seen), _mean_gaps(across, seen)
        expected = sum(share * of_rows[one] for one, share in across.items())
        return Chance(expected, first[2] - 2 * first[1] * second[1] + second[2], of_rows, of_columns)
    of_rows, of_columns = _mean_squares(second, seen), _mean_squares(first, seen)
    expected = first[2] - 2 * first[1] * second[1] + second[2]
    squared = sum(sign * first[4 - k] * second[k] for k, sign in enumerate((1, -4, 6, -4, 1)))
    return Chance(expected, squared, of_rows, of_columns)


def _shares(counts: Mapping[Hashable, int]) -> dict[Hashable, float]:
    total = sum(counts.values())
    return {one: count / total for one, count in counts.items()}


def _moments(shares: Mapping[Hashable, float]) -> list[float]:
    """The means of the powers 0 to 4."""
    return [sum(share * one**k for one, share in shares.items()) for k in range(5)]  # type: ignore[operator]


def _mean_squares(moments: Sequence[float], values: Mapping[Hashable, float]) -> dict[Hashable, float]:
    return {one: one * one - 2 * one * moments[1] + moments[2] for one in values}  # type: ignore[operator]


def _mean_gaps(shares: Mapping[Hashable, float], values: Mapping[Hashable, float]) -> dict[Hashable, float]:
    """The mean absolute difference of each value from a pile, in one walk up the values in order."""
    mean = sum(share * one for one, share in shares.items())  # type: ignore[operator]
    gaps: dict[Hashable, float] = {}
    below = under = 0.0
    for one in sorted(values):  # type: ignore[type-var]
        gaps[one] = one * below - under + (mean - under) - one * (1 - below)  # type: ignore[operator]
        below += shares.get(one, 0.0)
        under += shares.get(one, 0.0) * one  # type: ignore[operator]
    return gaps
