"""Whether the differences of pairs are around 0.

If nothing changed, each difference might as well have had the other sign. So the test counts all ways to
choose the signs whose sum is at least as far from 0.
"""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["sign_flip_p", "whole_steps"]

_STEPS = 10_000
"""Into how many steps the sum of the sizes is divided, where they are no whole numbers."""


def whole_steps(differences: Sequence[float]) -> list[int]:
    """The differences as whole numbers of one step, 0 only for 0.

    Small whole numbers stay as they are, others are rounded to a ten-thousandth of the sum of the sizes. Of
    rounded differences the test is as exact, for rounding does not know the signs.
    """
    largest = max(map(abs, differences), default=0.0)
    if largest == 0:
        return [0] * len(differences)
    shares = [one / largest for one in differences]
    total = sum(map(abs, shares))
    if largest * total <= _STEPS and all(one == int(one) for one in differences):
        return [int(one) for one in differences]
    steps = (round(share * _STEPS / total) for share in shares)
    return [step or (one > 0) - (one < 0) for step, one in zip(steps, differences, strict=True)]


def sign_flip_p(steps: Sequence[int]) -> float:
    """The two-sided p-value of whole numbers: the share of all their signs with a sum as far from 0, exactly.

    1.0 where they sum up to 0. For differences of 1 and -1 it is the exact McNemar test. Some hundred
    numbers take some milliseconds. Source: Fisher 1935, The Design of Experiments,
    section 21; sums are counted as in Pagano and Tritchler 1983.
    """
    sizes = [abs(one) for one in steps if one]
    far = abs(sum(steps))
    if far == 0:
        return 1.0
    # All signs sum up to sum(sizes) less twice the sum of those that are negative, which is at most:
    most = (sum(sizes) - far) // 2
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
