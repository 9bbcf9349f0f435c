"""The distance between answers, and the distance expected by chance."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, NamedTuple

Distance = Literal["nominal", "linear", "quadratic"]


class Chance(NamedTuple):
    """Two answers drawn alone, one from each of two piles: their mean distance, and that of its square.

    `rows` and `columns` hold the mean distance of an answer of one pile from the answers of the other.
    """

    expected: float
    squared: float
    rows: Mapping[Any, float]
    columns: Mapping[Any, float]


def finite_numbers(values: Iterable[object], what: str) -> list[float]:
    """The values as floats. Raises TypeError for what is no number, ValueError for what is not finite."""
    found = []
    for one in values:
        if not isinstance(one, int | float):
            raise TypeError(f"{what} needs numbers, found {one!r}")
        try:
            number = float(one)
        except OverflowError:
            number = math.inf
        if not math.isfinite(number):
            raise ValueError(f"{what} needs finite numbers, found {number}")
        found.append(number)
    return found


def in_unit_range(values: Sequence[float]) -> dict[float, float]:
    """Each value moved to 0 to 1, so that no distance exceeds 1 and large numbers lose no digits."""
    low, high = min(values) / 2, max(values) / 2  # halves, for the difference of two floats may be infinite
    return {one: (one / 2 - low) / (high - low) if high > low else 0.0 for one in values}


def distance(one: Any, other: Any, kind: Distance) -> float:
    """How far apart two answers are: 0 or 1 as classes, else the difference of the numbers or its square."""
    if kind == "nominal":
        return float(one != other)
    gap: float = abs(one - other)
    return gap if kind == "linear" else gap * gap


def by_chance(rows: Mapping[Any, int], columns: Mapping[Any, int], kind: Distance) -> Chance:
    """What distances come to by chance. The piles say how often each answer was given."""
    across, along = _shares(rows), _shares(columns)
    seen = list({**across, **along})
    if kind == "nominal":
        of_rows = {one: 1 - along.get(one, 0.0) for one in seen}
        of_columns = {one: 1 - across.get(one, 0.0) for one in seen}
        expected = sum(share * of_rows[one] for one, share in across.items())
        return Chance(expected, expected, of_rows, of_columns)
    first, second = _moments(across), _moments(along)
    square = first[2] - 2 * first[1] * second[1] + second[2]
    if kind == "linear":
        of_rows, of_columns = _mean_gaps(along, seen), _mean_gaps(across, seen)
        expected = sum(share * of_rows[one] for one, share in across.items())
        return Chance(expected, square, of_rows, of_columns)
    fourth = sum(sign * first[4 - k] * second[k] for k, sign in enumerate((1, -4, 6, -4, 1)))
    return Chance(square, fourth, _mean_squares(second, seen), _mean_squares(first, seen))


def _shares(counts: Mapping[Any, int]) -> dict[Any, float]:
    total = sum(counts.values())
    return {one: count / total for one, count in counts.items()}


def _moments(shares: Mapping[Any, float]) -> list[float]:
    """The means of the powers 0 to 4."""
    return [sum(share * one**power for one, share in shares.items()) for power in range(5)]


def _mean_squares(moments: Sequence[float], values: Iterable[Any]) -> dict[Any, float]:
    return {one: one * one - 2 * one * moments[1] + moments[2] for one in values}


def _mean_gaps(shares: Mapping[Any, float], values: Iterable[Any]) -> dict[Any, float]:
    """The mean difference of each value from a pile, in one walk up the values."""
    mean = sum(share * one for one, share in shares.items())
    gaps: dict[Any, float] = {}
    share_below = sum_below = 0.0
    for one in sorted(values):
        gaps[one] = one * share_below - sum_below + (mean - sum_below) - one * (1 - share_below)
        share_below += shares.get(one, 0.0)
        sum_below += shares.get(one, 0.0) * one
    return gaps
