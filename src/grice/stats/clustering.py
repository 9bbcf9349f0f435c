"""What items that belong together say less than items that stand alone: design effects."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import cache
from math import atan, cos, pi, sin, sqrt
from typing import NamedTuple

__all__ = ["Design", "critical_value", "design_of"]

_Z = 1.959963984540054
# How many clusters with something to tell the worst case weighs as much as. Chosen by simulation
# (benchmarks/judge_agreement.py --coverage).
_WORST_CASE_WEIGHT = 1.0


class Design(NamedTuple):
    """How items were drawn.

    `effect` is how many times larger a variance is than that of as many independent items, and `critical`
    how many standard errors a 95 % interval reaches.
    """

    effect: float = 1.0
    critical: float = _Z


def design_of(
    influences: Sequence[float], informative: Sequence[bool], clusters: Sequence[Hashable] | None
) -> Design:
    """The design effect of items in clusters, for an estimate that is moved by `influences` around 0.

    It is the sum of squares of the clusters' totals over that of the items. Without differences between
    items nothing shows how alike those of one cluster are, so the estimate is drawn to the worst case, in
    which a cluster says no more than one of its items; the fewer clusters with an `informative` item there
    are, the further. An item said twice in its cluster changes nothing. Raises ValueError where `clusters`
    are not as many as the items. Source: Kish 1965; Liang and Zeger 1986; Korn and Graubard 1998 for t.
    """
    if clusters is None:
        return Design()
    if len(clusters) != len(influences):
        raise ValueError(f"every item has a cluster: found {len(clusters)} for {len(influences)} items")
    totals: dict[Hashable, float] = {}
    sizes: dict[Hashable, int] = {}
    telling: set[Hashable] = set()
    for cluster, influence, tells in zip(clusters, influences, informative, strict=True):
        totals[cluster] = totals.get(cluster, 0.0) + influence
        sizes[cluster] = sizes.get(cluster, 0) + 1
        if tells:
            telling.add(cluster)
    count = len(sizes)
    if count == len(clusters):
        return Design()
    worst = sum(size * size for size in sizes.values()) / len(clusters)
    own = sum(one * one for one in influences)
    seen = (
        sum(one * one for one in totals.values()) / own * count / (count - 1) if own and count > 1 else worst
    )
    weight = len(telling) if own else 0
    effect = (weight * seen + _WORST_CASE_WEIGHT * worst) / (weight + _WORST_CASE_WEIGHT)
    return Design(effect, critical_value(max(count - 1, 1)))


@cache
def critical_value(degrees: int) -> float:
    """The value that Student's t with `degrees` of freedom exceeds, either way, one time in twenty.

    Source: Abramowitz and Stegun 1964, 26.7.3 to 26.7.5.
    """
    if degrees > 100:
        z2 = _Z * _Z
        first = (z2 + 1) / (4 * degrees)
        second = ((5 * z2 + 16) * z2 + 3) / (96 * degrees**2)
        return _Z * (1 + first + second)
    low, high = _Z, 13.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if _within(middle, degrees) < 0.95 else (low, middle)
    return (low + high) / 2


def _within(t: float, degrees: int) -> float:
    """The probability that Student's t is between -t and t."""
    angle = atan(t / sqrt(degrees))
    cosine, odd = cos(angle), degrees % 2
    term = cosine if odd else 1.0
    total = term if degrees > 1 else 0.0
    for power in range(2 + odd, degrees - 1, 2):
        term *= (power - 1) / power * cosine * cosine
        total += term
    return 2 / pi * (angle + sin(angle) * total) if odd else sin(angle) * total
