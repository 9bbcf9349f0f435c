"""Intervals of a rate."""

from __future__ import annotations

from collections.abc import Callable
from math import sqrt

Z95 = 1.959963984540054
"""How many standard errors a 95 % interval reaches: the normal distribution's quantile of 0.975."""


def wilson(successes: int, n: int, confidence: float = 0.95) -> tuple[float, float]:
    """The Wilson score interval of a rate, `successes` of `n`: its lower and upper bound, from 0 to 1.

    It holds for independent trials, and stays within 0 and 1 and of some width for rates of 0 and 1 too;
    there is no continuity correction. Raises ValueError for `n` under 1, successes outside 0 to `n`, and a
    confidence that is not between 0 and 1. Source: Wilson 1927; Brown, Cai and DasGupta 2001.
    """
    for name, value in (("successes", successes), ("n", n)):
        if isinstance(value, bool) or not isinstance(value, int):
            raise TypeError(f"{name} is an integer, found {value!r}")
    if n < 1:
        raise ValueError(f"n is a number of trials from 1, found {n}: without any there is no rate")
    if not 0 <= successes <= n:
        raise ValueError(f"successes is from 0 to n, which is {n}, found {successes}")
    if not 0 < confidence < 1:
        raise ValueError(f"confidence is between 0 and 1, as 0.95 is, found {confidence!r}")
    from statistics import NormalDist

    return score_bounds(successes / n, n, NormalDist().inv_cdf((1 + confidence) / 2))


def score_bounds(rate: float, n: float, z: float = Z95) -> tuple[float, float]:
    """Wilson's bounds of a rate, at `z` standard errors; `n` may be an effective number of trials."""
    z2 = z * z
    centre = rate + z2 / (2 * n)
    spread = z * sqrt(rate * (1 - rate) / n + z2 / (4 * n * n))
    whole = 1 + z2 / n
    low = 0.0 if rate <= 0 else (centre - spread) / whole
    high = 1.0 if rate >= 1 else (centre + spread) / whole
    return low, high


def furthest(inside: Callable[[float], bool], start: float, end: float) -> float:
    """The last value that is `inside` on the way from `start`, which is, to `end`: a bound, by halving."""
    if start == end or inside(end):
        return end
    for _ in range(50):
        middle = (start + end) / 2
        start, end = (middle, end) if inside(middle) else (start, middle)
    return start
