"""Biases of a judge: the order of replies, their length, and chance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from math import sqrt
from statistics import median

import msgspec

from grice.stats.agreement import bounded_mean, cluster_rate
from grice.stats.clustering import design_effect, of_kept
from grice.stats.estimates import Estimate
from grice.stats.intervals import Z95, furthest


class PositionBias(msgspec.Struct, frozen=True):
    """The effect of the order of two replies on a judge.

    `changed` is the share of pairs whose verdict changes when their order does. `first` is the share of all
    answers that choose the reply shown first: 0.5 for a judge that does not care. Both are from 0 to 1.
    """

    changed: Estimate
    first: Estimate


def position_bias(
    pairs: Sequence[tuple[Hashable, Hashable]],
    *,
    first: Hashable = "1",
    second: Hashable = "2",
    clusters: Sequence[Hashable] | None = None,
) -> PositionBias | None:
    """Measure how often a judge changes its verdict with the order of the replies, and whether it prefers the
    first.

    Each pair is the reply it chose in their order, and the one it chose with the order swapped. Choices name
    the REPLY, not the place: `first` is the one shown first in their order, and second after the swap. Any
    other choice is a tie, and half a choice of either place. Pairs with a None in them do not count. None
    without pairs. Source of the interval of `first`: Tango 1998.
    """
    kept = [index for index, pair in enumerate(pairs) if None not in pair]
    if not kept:
        return None
    of = of_kept(clusters, len(pairs), kept)
    answers = [pairs[index] for index in kept]
    changed = cluster_rate([one != other for one, other in answers], of)
    # +1 where both answers choose the first place, -1 where both choose the second, halves with a tie.
    leans = [_lean(one, first, second) - _lean(other, first, second) for one, other in answers]
    lean = paired_difference([one / 2 for one in leans], of)
    if changed is None or lean is None:
        return None
    return PositionBias(
        changed, Estimate((1 + lean.value) / 2, (1 + lean.low) / 2, (1 + lean.high) / 2, lean.n)
    )


def _lean(choice: Hashable, first: Hashable, second: Hashable) -> int:
    return 1 if choice == first else -1 if choice == second else 0


def length_bias(
    lengths: Sequence[float],
    judged: Sequence[bool],
    labelled: Sequence[bool],
    clusters: Sequence[Hashable] | None = None,
) -> Estimate | None:
    """How much more a judge favours long texts than people do, from -2 to 2; 0 is no bias.

    It is the judge's pass rate less people's among the longer texts, minus the same among the shorter. Texts
    of the median length go with the half that is smaller without them. None where there are no two lengths.
    Raises ValueError for sequences of different lengths. Source of the interval: Tango 1998 in each half,
    joined as in Zou and Donner 2008.
    """
    _same_lengths(lengths=lengths, judged=judged, labelled=labelled)
    if not lengths:
        return None
    halves = _halves(lengths)
    if halves is None:
        return None
    gaps = [float(bool(one)) - float(bool(other)) for one, other in zip(judged, labelled, strict=True)]
    long, short = (
        paired_difference([gaps[index] for index in half], of_kept(clusters, len(gaps), half))
        for half in halves
    )
    if long is None or short is None:
        return None
    low = sqrt((long.value - long.low) ** 2 + (short.high - short.value) ** 2)
    high = sqrt((long.high - long.value) ** 2 + (short.value - short.low) ** 2)
    value = long.value - short.value
    return Estimate(value, max(value - low, -2.0), min(value + high, 2.0), len(gaps))


def _halves(lengths: Sequence[float]) -> tuple[list[int], list[int]] | None:
    """The items that are longer and those that are shorter; None where all are as long."""
    middle = median(lengths)
    longer = sum(one > middle for one in lengths)
    shorter = sum(one < middle for one in lengths)
    if longer == shorter == 0:
        return None
    long = [
        index for index, one in enumerate(lengths) if one > middle or (one == middle and longer < shorter)
    ]
    chosen = set(long)
    return long, [index for index in range(len(lengths)) if index not in chosen]


def paired_difference(
    differences: Sequence[float], clusters: Sequence[Hashable] | None = None
) -> Estimate | None:
    """The mean of differences of paired answers, each from -1 to 1, with a score interval; None without any.

    Source: Tango 1998, "Equivalence test and confidence interval for the difference in proportions for the
    paired-sample design", at the effective sample size.
    """
    n = len(differences)
    if n == 0:
        return None
    value = sum(differences) / n
    effect = design_effect([one - value for one in differences], [one != 0 for one in differences], clusters)
    size = max(n / effect, 1.0)
    up = sum(one for one in differences if one > 0) / n * size
    down = -sum(one for one in differences if one < 0) / n * size
    return Estimate(value, *_tango(up, down, size), n)


def _tango(up: float, down: float, n: float) -> tuple[float, float]:
    """The bounds of (up - down) / n: `up` items differ one way and `down` the other."""

    def inside(true: float) -> bool:
        a, b, c = 2 * n, (2 * n - up + down) * true - up - down, -down * true * (1 - true)
        other = (sqrt(max(b * b - 4 * a * c, 0.0)) - b) / (2 * a)
        spread = n * max(2 * other + true * (1 - true), 0.0)
        return (up - down - n * true) ** 2 <= Z95 * Z95 * spread

    return furthest(inside, (up - down) / n, -1.0), furthest(inside, (up - down) / n, 1.0)


def self_consistency(
    answers: Sequence[Sequence[Hashable]], clusters: Sequence[Hashable] | None = None
) -> Estimate | None:
    """How often two answers to the same item agree, from 0 to 1: the mean over items of the share of pairs.

    Each item has the answers that a judge gave when asked several times. Items with fewer than two answers
    that are not None do not count; None without any.
    """
    given = [[one for one in item if one is not None] for item in answers]
    kept = [index for index, item in enumerate(given) if len(item) > 1]
    shares = []
    for index in kept:
        m = len(given[index])
        shares.append(sum(k * (k - 1) for k in Counter(given[index]).values()) / (m * (m - 1)))
    return bounded_mean(shares, of_kept(clusters, len(answers), kept))


def _same_lengths(**given: Sequence[object]) -> None:
    if len({len(one) for one in given.values()}) > 1:
        found = ", ".join(f"{len(one)} {name}" for name, one in given.items())
        raise ValueError(f"every item has a value in each, found {found}")
