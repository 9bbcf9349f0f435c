"""Whether the differences of pairs are around 0.

If nothing changed, each difference might as well have had the other sign. So the test counts all ways to
choose the signs whose sum is at least as far from 0.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

__all__ = ["Steps", "sign_flip_p", "whole_steps"]

_EXACT_STEPS = 100_000
"""Up to how many steps of a common denominator the sum of the sizes may be, to be counted exactly."""

_ROUNDED_STEPS = 10_000
"""Into how many steps it is divided, at least, where differences have no such denominator."""

_LARGEST_DENOMINATOR = 1000
_NOISE = 1e-9


class Steps(NamedTuple):
    """Differences as whole numbers of one step, 0 only for 0.

    Where they were rounded, sums that were equal may lie up to `tolerance` steps apart, and not further.
    """

    steps: list[int]
    tolerance: float = 0.0


def whole_steps(differences: Sequence[float]) -> Steps:
    """The differences as whole numbers of one step.

    Ratios of small counts are multiples of one part of their common denominator, exactly. Others are rounded
    to steps so small that all roundings together are about a hundredth of the sum's standard deviation.
    """
    largest = max(map(abs, differences), default=0.0)
    if largest == 0:
        return Steps([0] * len(differences))
    return _exact(differences) or _rounded(differences, largest)


def _exact(differences: Sequence[float]) -> Steps | None:
    """None where they are no ratios of small counts, or have too large a common denominator."""
    parts: list[Fraction] = []
    common = 1
    for one in differences:
        part = Fraction(one).limit_denominator(_LARGEST_DENOMINATOR)
        common = math.lcm(common, part.denominator)
        if common > _EXACT_STEPS * _LARGEST_DENOMINATOR or abs(part - Fraction(one)) > _NOISE * abs(one):
            return None
        parts.append(part)
    steps = [int(part * common) for part in parts]
    least = math.gcd(*steps)
    if sum(map(abs, steps)) > _EXACT_STEPS * least:
        return None
    return Steps([one // least for one in steps])


def _rounded(differences: Sequence[float], largest: float) -> Steps:
    shares = [one / largest for one in differences]
    scale = max(_ROUNDED_STEPS, 25 * len(shares) ** 1.5) / math.fsum(map(abs, shares))
    whole = (round(one * scale) for one in shares)
    steps = [step or (one > 0) - (one < 0) for step, one in zip(whole, differences, strict=True)]
    # The sum less one with other signs is twice the sum of those that were turned.
    rests = [one * scale - step for one, step in zip(shares, steps, strict=True)]
    above, below = (2 * math.fsum(max(sign * one, 0.0) for one in rests) for sign in (1, -1))
    return Steps(steps, max(above, below))


def sign_flip_p(differences: Sequence[float]) -> float:
    """The two-sided p-value of differences: the share of all their signs with a sum at least as far from 0.

    1.0 where they sum up to 0. For differences of 1 and -1 it is the exact McNemar test, and it is exact for
    ratios of small counts; of others, sums that rounding cannot tell from theirs count as equal to it, so
    that it is rather too large than too small. Some hundred numbers take some milliseconds. Source: Fisher
    1935, The Design of Experiments, section 21; sums are counted as in Pagano and Tritchler 1983.
    """
    steps, tolerance = whole_steps(differences)
    sizes = [abs(one) for one in steps if one]
    far = abs(sum(steps)) - tolerance
    if far <= 0:
        return 1.0
    # All signs sum up to sum(sizes) less twice the sum of those that are negative, which is at most:
    most = int((sum(sizes) - far) // 2)
    # One long number holds in how many ways each sum comes about, `width` bits for each: adding it to itself
    # shifted by a size counts the sums without that size and with it.
    width = len(sizes) + 1
    kept = (1 << (most + 1) * width) - 1
    ways = 1
    for size in sorted(sizes):
        ways = (ways + (ways << size * width)) & kept
    return min(2 * _sum_of_fields(ways, width, most + 1) / (1 << len(sizes)), 1.0)


def _sum_of_fields(number: int, width: int, fields: int) -> int:
    """The sum of the fields, `width` bits each, that the number is made of."""
    data = number.to_bytes((fields * width + 7) // 8, "little")
    mask, total = (1 << width) - 1, 0
    for start in range(0, fields * width, width):
        part = int.from_bytes(data[start // 8 : (start + width + 7) // 8], "little")
        total += (part >> start % 8) & mask
    return total
