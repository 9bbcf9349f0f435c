"""Student's t distribution, for few items whose spread is estimated from the same items."""

from __future__ import annotations

import math
from functools import lru_cache

_SMALL = 1e-300
_STEPS = 10_000


def t_two_sided(t: float, freedom: float) -> float:
    """The probability of a value at least as far from 0 as `t`, either way, at so many degrees of freedom.

    It is the regularised incomplete beta function at freedom / (freedom + t^2). Raises ValueError for degrees
    of freedom that are not above 0. Source: Abramowitz and Stegun 1964, 26.7.1.
    """
    if not freedom > 0:
        raise ValueError(f"degrees of freedom are above 0, found {freedom}")
    if math.isinf(t):
        return 0.0
    square = t * t
    return _incomplete_beta(freedom / 2, 0.5, freedom / (freedom + square), square / (freedom + square))


@lru_cache(maxsize=4096)
def t_quantile(probability: float, freedom: float) -> float:
    """The value that t stays under with a probability, which is between 0 and 1; found by halving.

    Raises ValueError for another probability and for degrees of freedom that are not above 0.
    """
    if not 0 < probability < 1:
        raise ValueError(f"a probability between 0 and 1 has a quantile, found {probability}")
    if probability == 0.5:
        return 0.0
    outside = 2 * min(probability, 1 - probability)
    low, high = 0.0, 1.0
    while t_two_sided(high, freedom) > outside:
        low, high = high, 2 * high
    while high - low > 1e-13 * high:
        middle = (low + high) / 2
        if middle in (low, high):
            break
        low, high = (middle, high) if t_two_sided(middle, freedom) > outside else (low, middle)
    return high if probability > 0.5 else -high


def _incomplete_beta(a: float, b: float, x: float, rest: float) -> float:
    """The regularised incomplete beta function at `x`; `rest` is 1 - x, given apart to lose no digits."""
    if x <= 0:
        return 0.0
    if rest <= 0:
        return 1.0
    front = math.exp(
        math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log(rest)
    )
    # The fraction converges fast on the near side of the mean only.
    if x < (a + 1) / (a + b + 2):
        return front * _fraction(a, b, x) / a
    return 1 - front * _fraction(b, a, rest) / b


def _fraction(a: float, b: float, x: float) -> float:
    """Its continued fraction, by the modified method of Lentz. Source: DLMF 8.17.22; Thompson 1986."""
    ratio = 1 / _nonzero(1 - (a + b) * x / (a + 1))
    above, value = 1.0, ratio
    for m in range(1, _STEPS):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        step = 1.0
        for term in (even, odd):
            ratio = 1 / _nonzero(1 + term * ratio)
            above = _nonzero(1 + term / above)
            step = ratio * above
            value *= step
        if abs(step - 1) < 1e-15:
            break
    return value


def _nonzero(number: float) -> float:
    return number if abs(number) > _SMALL else _SMALL
