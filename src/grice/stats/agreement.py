"""How far two or more agree, beyond chance, with intervals that hold for few items and for perfect agreement.

The interval of kappa and alpha is a score interval, as Wilson's is for a rate: it holds every true value from
which the observed one is less than two standard errors away, where the error is that of the TRUE value. To
have one for every true value, the observed answers are mixed with such as agree by chance alone (below the
observed value), or always (above it). So it has a width at perfect agreement, and never leaves -1 to 1.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any, Literal, NamedTuple

from grice.stats.clustering import Design, design_of
from grice.stats.distances import Chance, Distance, by_chance, distance, in_unit_range, numbers
from grice.stats.estimates import Estimate
from grice.stats.intervals import furthest, score_bounds

__all__ = [
    "agreement_rate",
    "bounded_mean",
    "cluster_rate",
    "cohen_kappa",
    "krippendorff_alpha",
    "why_no_alpha",
]

Level = Literal["nominal", "ordinal", "interval"]


def cluster_rate(successes: Sequence[bool], clusters: Sequence[Hashable] | None = None) -> Estimate | None:
    """The share of successes, from 0 to 1, with an interval that knows that items of a cluster are alike.

    `clusters` name each item's. Without them, or with one item in each, it is Wilson's interval. None
    without items. Source: Wilson 1927, at the effective sample size (Dean and Pagano 2015).
    """
    return bounded_mean([float(bool(one)) for one in successes], clusters)


def agreement_rate(
    pairs: Sequence[tuple[Hashable, Hashable]], *, clusters: Sequence[Hashable] | None = None
) -> Estimate | None:
    """The share of pairs, from 0 to 1, that give the same answer; pairs with a None in them do not count."""
    answered, of = _answered(pairs, clusters)
    return cluster_rate([one == other for one, other in answered], of)


def bounded_mean(values: Sequence[float], clusters: Sequence[Hashable] | None = None) -> Estimate | None:
    """The mean of values from 0 to 1, with the interval of a rate at the effective sample size; None without.

    Raises ValueError for a value outside 0 to 1.
    """
    if not all(0 <= one <= 1 for one in values):
        raise ValueError("values are from 0 to 1")
    n = len(values)
    if n == 0:
        return None
    mean = sum(values) / n
    design = design_of([one - mean for one in values], _rarer(values, mean), clusters)
    effect = design.effect
    if any(0 < one < 1 for one in values):
        # Values between the ends vary less than those of a coin would.
        effect *= (sum((one - mean) ** 2 for one in values) + 1 / n) / (n * mean * (1 - mean) + 1 / n)
    low, high = score_bounds(mean, max(n / effect, 1.0), design.critical)
    return Estimate(mean, low, high, n)


def _rarer(values: Sequence[float], mean: float) -> list[bool]:
    """Which items say something about the spread: those on the side where fewer are."""
    return [one > mean for one in values] if mean < 0.5 else [one < mean for one in values]


def cohen_kappa(
    pairs: Sequence[tuple[Hashable, Hashable]],
    *,
    clusters: Sequence[Hashable] | None = None,
    weights: Literal["linear", "quadratic"] | None = None,
) -> Estimate | None:
    """Cohen's kappa of two raters over the items that both answered, from -1 to 1, with its 95 % interval.

    0 is what chance gives, 1 perfect agreement. With `weights` the answers are numbers, and a disagreement
    weighs as their difference or its square. Pairs with a None in them do not count. None where it is
    undefined: no pairs, or both always gave one and the same answer. Raises TypeError for weighted answers
    that are no numbers, ValueError where `clusters` are not as many as the pairs. Source: Cohen 1960 and
    1968; the interval for two classes is close to that of Donner and Eliasziw 1992.
    """
    answered, of = _answered(pairs, clusters)
    if not answered:
        return None
    kind: Distance = weights or "nominal"
    if kind != "nominal":
        moved = in_unit_range(
            numbers([one for pair in answered for one in pair], f"kappa with {kind} weights")
        )
        answered = [(moved[one], moved[other]) for one, other in answered]  # type: ignore[index]
    rows, columns = Counter(one for one, _ in answered), Counter(other for _, other in answered)
    chance = by_chance(rows, columns, kind)
    if chance.expected <= 1e-12:
        return None
    n = len(answered)
    units = [
        _Unit(
            2,
            distance(one, other, kind),
            chance.rows[one] + chance.columns[other] - chance.expected,
        )
        for one, other in answered
    ]
    both = {one: (rows[one] + columns[one]) / (2 * n) for one in rows | columns}
    return _beyond_chance(units, chance, (rows, columns), both, of)


def krippendorff_alpha(
    ratings: Sequence[Mapping[Any, Any]],
    *,
    level: Level = "nominal",
    clusters: Sequence[Hashable] | None = None,
) -> Estimate | None:
    """Krippendorff's alpha of any number of raters, at most 1, with its 95 % interval; `n` counts units.

    Each unit is one mapping from rater to answer; a rater who is not in it, or whose answer is None, did not
    rate it. Units with fewer than two answers do not count. 0 is what chance gives. None where it is
    undefined, for which `why_no_alpha` has the reason. `ordinal` and `interval` answers are numbers.
    Raises TypeError where they are not, ValueError where `clusters` are not as many as the units. Source:
    Krippendorff 2011, "Computing Krippendorff's Alpha-Reliability".
    """
    groups, of = _paired_units(ratings, clusters)
    scaled = _scaled(groups, level)
    pile = Counter(one for group in scaled for one in group)
    if len(pile) < 2:
        return None
    kind: Distance = "nominal" if level == "nominal" else "quadratic"
    drawn = by_chance(pile, pile, kind)
    total = pile.total()
    again = total / (total - 1)  # a pair is drawn without putting the first back
    means = {one: mean * again for one, mean in drawn.rows.items()}
    chance = Chance(drawn.expected * again, drawn.squared * again, means, means)
    units = [
        _Unit(
            len(group),
            _apart(group, kind),
            2 * sum(means[one] for one in group) / len(group) - chance.expected,
        )
        for group in scaled
    ]
    shares = {one: count / total for one, count in pile.items()}
    return _beyond_chance(units, chance, (pile, pile), shares, of)


def why_no_alpha(ratings: Sequence[Mapping[Any, Any]]) -> str | None:
    """Why Krippendorff's alpha is undefined for the ratings; None where it is defined."""
    groups, _ = _paired_units(ratings, None)
    if not groups:
        raters = {rater for unit in ratings for rater, value in unit.items() if value is not None}
        if len(raters) < 2:
            return f"agreement takes two raters, found {len(raters)}"
        return f"no item has the answers of two raters, though there are {len(raters)} raters"
    if len({one for group in groups for one in group}) < 2:
        return f"all answers are the same, {groups[0][0]!r}: nothing shows whether raters agree by more than chance"
    return None


def _answered(
    pairs: Sequence[tuple[Hashable, Hashable]], clusters: Sequence[Hashable] | None
) -> tuple[list[tuple[Hashable, Hashable]], list[Hashable] | None]:
    """The pairs of which both are there, and the clusters of those."""
    whole = [one is not None and other is not None for one, other in pairs]
    kept = [(one, other) for (one, other), there in zip(pairs, whole, strict=True) if there]
    return kept, _chosen(clusters, whole)


def _chosen(clusters: Sequence[Hashable] | None, kept: Sequence[bool]) -> list[Hashable] | None:
    if clusters is None:
        return None
    if len(clusters) != len(kept):
        raise ValueError(f"every item has a cluster: found {len(clusters)} for {len(kept)} items")
    return [cluster for cluster, there in zip(clusters, kept, strict=True) if there]


def _paired_units(
    ratings: Sequence[Mapping[Any, Any]], clusters: Sequence[Hashable] | None
) -> tuple[list[list[Any]], list[Hashable] | None]:
    groups = [[one for one in unit.values() if one is not None] for unit in ratings]
    paired = [len(group) > 1 for group in groups]
    return [group for group in groups if len(group) > 1], _chosen(clusters, paired)


def _scaled(groups: Sequence[Sequence[Any]], level: Level) -> Sequence[Sequence[Hashable]]:
    """The answers on the scale on which a disagreement is the square of a difference: ordinal by their ranks."""
    if level == "nominal" or not groups:
        return groups
    flat = numbers([one for group in groups for one in group], f"alpha at the level {level}")
    place: Mapping[float, float] = {one: one for one in flat}
    if level == "ordinal":
        counts, below = Counter(flat), 0
        ranks: dict[float, float] = {}
        for one in sorted(counts):
            ranks[one] = below + counts[one] / 2
            below += counts[one]
        place = ranks
    moved = in_unit_range(list(place.values()))
    return [[moved[place[float(one)]] for one in group] for group in groups]


def _apart(group: Sequence[Any], kind: Distance) -> float:
    """The mean distance of two answers of a unit."""
    m = len(group)
    if kind == "nominal":
        return 1 - sum(count * (count - 1) for count in Counter(group).values()) / (m * (m - 1))
    mean = sum(group) / m
    return float(2 * sum((one - mean) ** 2 for one in group) / (m - 1))


class _Unit(NamedTuple):
    """One item: how many answers, their mean distance, and how it moves the distance that chance gives."""

    answers: int
    apart: float
    expected: float


def _beyond_chance(
    units: Sequence[_Unit],
    chance: Chance,
    piles: tuple[Mapping[Hashable, int], Mapping[Hashable, int]],
    shares: Mapping[Hashable, float],
    clusters: Sequence[Hashable] | None,
) -> Estimate:
    """One less observed by expected distance, and its interval."""
    total = sum(unit.answers for unit in units)
    observed = sum(unit.answers * unit.apart for unit in units) / total
    value = 1 - observed / chance.expected
    moves = [unit.answers * (unit.apart - (1 - value) * unit.expected) for unit in units]
    design = design_of(moves, [unit.apart > 0 for unit in units], clusters)
    low, high = _interval(value, chance.expected, _errors(units, chance, piles, shares, value), design)
    return Estimate(value, low, high, len(units))


def _errors(
    units: Sequence[_Unit],
    chance: Chance,
    piles: tuple[Mapping[Hashable, int], Mapping[Hashable, int]],
    shares: Mapping[Hashable, float],
    value: float,
) -> Callable[[float], float]:
    """The variance of the observed distance less the expected, if `true` were the true value."""
    total = sum(unit.answers for unit in units)
    own = [(unit.answers / total) ** 2 for unit in units]
    apart = sum(w * unit.apart**2 for w, unit in zip(own, units, strict=True))
    crossed = sum(w * unit.apart * unit.expected for w, unit in zip(own, units, strict=True))
    expected = sum(w * unit.expected**2 for w, unit in zip(own, units, strict=True))
    single = _spread(piles[0], chance.rows, chance.expected) + _spread(
        piles[1], chance.columns, chance.expected
    )
    paired = max(chance.squared - chance.expected**2 - single, 0.0)
    # Of m answers drawn by chance: Hoeffding's parts of the variance of their mean distance.
    singles = sum(w * 2 * single / unit.answers for w, unit in zip(own, units, strict=True))
    doubles = sum(
        w * 2 * paired / (unit.answers * (unit.answers - 1)) for w, unit in zip(own, units, strict=True)
    )
    alike = sum(own) * sum(
        share * (chance.rows[one] + chance.columns[one] - chance.expected) ** 2
        for one, share in shares.items()
    )
    centre = sum(own) * chance.expected**2

    def kept(true: float) -> float:
        return apart - 2 * (1 - true) * crossed + (1 - true) ** 2 * expected

    def drawn(true: float) -> float:
        return doubles + true**2 * (singles + centre)

    def error(true: float) -> float:
        if true > value:
            share = (1 - true) / (1 - value)
            return share * kept(true) + (1 - share) * (1 - true) ** 2 * alike
        if value > 0:
            share = max(true / value, 0.0)
            return share * kept(true) + (1 - share) * drawn(true)
        return max(kept(true), drawn(true))

    return error


def _spread(pile: Mapping[Hashable, int], means: Mapping[Hashable, float], expected: float) -> float:
    """The variance of the mean distances of the answers of a pile."""
    return sum(count * (means[one] - expected) ** 2 for one, count in pile.items()) / sum(pile.values())


def _interval(
    value: float, expected: float, error: Callable[[float], float], design: Design
) -> tuple[float, float]:
    reach = design.critical**2 * design.effect / expected**2

    def inside(true: float) -> bool:
        return (value - true) ** 2 <= reach * error(true)

    return furthest(inside, value, -1.0), furthest(inside, value, 1.0)
