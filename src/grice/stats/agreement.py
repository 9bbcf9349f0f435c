"""How well people, or a judge and people, agree: as a rate, and beyond chance."""

from __future__ import annotations

import math
from array import array
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from itertools import chain, repeat
from typing import Any, Literal, NamedTuple, get_args

from grice.stats.clustering import design_effect, drawn_effect, of_kept
from grice.stats.estimates import Estimate
from grice.stats.intervals import Z95, furthest, score_bounds

Level = Literal["nominal", "ordinal", "interval"]

"""What answers are: classes, numbers of which only the order counts, or numbers whose differences count."""

Weights = Literal["linear", "quadratic"]

"""What a disagreement of scores weighs: their difference or its square."""

_Distance = Literal["nominal", "linear", "quadratic"]


def cluster_rate(successes: Sequence[bool], clusters: Sequence[Hashable] | None = None) -> Estimate | None:
    """The share of successes, from 0 to 1, with a 95 % interval that allows for likeness within clusters.

    `clusters` name the cluster of each item. Without them, or with one item in each, it is Wilson's interval;
    else Wilson's at the effective number of items. None without items. Raises ValueError where `clusters` are
    not as many as the items. Source: Wilson 1927; Dean and Pagano 2015.
    """
    return bounded_mean(array("d", map(bool, successes)), clusters)


def rate_of_clusters(counts: Collection[tuple[int, int]]) -> Estimate | None:
    """The `cluster_rate` of clusters of which each is (successes, items): it holds no items, however many.

    Clusters without items do not count.
    """
    n = sum(items for _, items in counts)
    if n == 0:
        return None
    mean = sum(passed for passed, _ in counts) / n
    of_success, of_failure = 1.0 - mean, 0.0 - mean

    def gaps(passed: int, items: int) -> Iterable[float]:
        return chain(repeat(of_success, passed), repeat(of_failure, items - passed))

    count = sum(items > 0 for _, items in counts)
    squares = sum(gap * gap for gap in chain.from_iterable(gaps(*one) for one in counts))
    effect = 1.0
    if count < n:
        effect = drawn_effect(
            count,
            worst=sum(items * items for _, items in counts) / n,
            together=sum(total * total for total in (sum(gaps(*one)) for one in counts)),
            apart=squares,
            heard=sum(passed > 0 if mean < 0.5 else passed < items for passed, items in counts),
        )
    return _estimate(mean, n, squares, effect)


def bounded_mean(values: Sequence[float], clusters: Sequence[Hashable] | None = None) -> Estimate | None:
    """The mean of values from 0 to 1, with the interval that a rate has; None without values.

    Values between 0 and 1 vary less than successes do, and count for more items. Raises ValueError for a
    value outside 0 to 1, and where `clusters` are not as many as the values.
    """
    n = len(values)
    if not all(0 <= one <= 1 for one in values):
        raise ValueError("values are from 0 to 1")
    if n == 0:
        return None
    mean = sum(values) / n
    gaps = array("d", (one - mean for one in values))
    telling = bytearray(gap > 0 if mean < 0.5 else gap < 0 for gap in gaps)
    effect = design_effect(gaps, telling, clusters)
    return _estimate(mean, n, sum(gap * gap for gap in gaps), effect)


def _estimate(mean: float, n: int, squares: float, effect: float) -> Estimate:
    """The mean of values whose gaps to it have that sum of squares, drawn apart by the effect of clusters."""
    coin = mean * (1 - mean)
    if coin > 0:
        # Against as many successes. Three items as variable as those keep equal values from being certainty.
        effect *= (squares + 3 * coin) / ((n + 3) * coin)
    low, high = score_bounds(mean, max(n / effect, 1.0))
    return Estimate(mean, low, high, n)


def agreement_rate(
    pairs: Sequence[tuple[Hashable, Hashable]], *, clusters: Sequence[Hashable] | None = None
) -> Estimate | None:
    """The share of pairs, from 0 to 1, whose two answers are the same; pairs with a None do not count.

    None without pairs. Raises ValueError where `clusters` are not as many as the pairs.
    """
    answered, of = _answered_units(pairs, clusters)
    return cluster_rate([one == other for one, other in answered], of)


def cohen_kappa(
    pairs: Sequence[tuple[Hashable, Hashable]],
    *,
    clusters: Sequence[Hashable] | None = None,
    weights: Weights | None = None,
) -> Estimate | None:
    """Cohen's kappa of two raters, from -1 to 1, with its 95 % interval: 0 is chance, 1 perfect agreement.

    With `weights` the answers are numbers, and a disagreement weighs as their difference or its square. Pairs
    with a None do not count. None where it is undefined: no pair, or one answer only. Raises
    TypeError for weighted answers that are no numbers, ValueError for such as are not finite, for other
    weights, and where `clusters` are not as many as the pairs. Source: Cohen 1960 and 1968.
    """
    _check("weights", weights, (None, *get_args(Weights)))
    answered, of = _answered_units(pairs, clusters)
    if weights is not None:
        flat = _finite_numbers((one for pair in answered for one in pair), f"kappa with {weights} weights")
        moved = _in_unit_range(flat) if flat else {}
        answered = [(moved[float(one)], moved[float(other)]) for one, other in answered]
    if _same_answer(answered):
        return None
    kind: _Distance = weights or "nominal"
    rows, columns = Counter(one for one, _ in answered), Counter(other for _, other in answered)
    chance = by_chance(rows, columns, kind)
    units = [
        Unit(2, _distance(one, other, kind), chance.rows[one] + chance.columns[other] - chance.expected)
        for one, other in answered
    ]
    return beyond_chance(units, chance, (rows, columns), of)


def krippendorff_alpha(
    ratings: Sequence[Mapping[Any, Any]],
    *,
    level: Level = "nominal",
    clusters: Sequence[Hashable] | None = None,
) -> Estimate | None:
    """Krippendorff's alpha of any number of raters, from -1 to 1, with its 95 % interval; `n` counts units.

    Each unit maps raters to answers; a rater who is not in it, or whose answer is None, did not rate it, and
    units with fewer than two answers do not count. 0 is chance, 1 perfect agreement. None where it is
    undefined: nothing rated twice, or one answer only. Answers `ordinal` and `interval` are numbers: raises
    TypeError where they are not, ValueError where they are not finite, for another level, and where
    `clusters` are not as many as the units. Source: Krippendorff 2011, "Computing
    Krippendorff's Alpha-Reliability".
    """
    _check("level", level, get_args(Level))
    groups, of = _rated_twice(ratings, clusters)
    groups = _scaled(groups, level)
    pile = Counter(one for group in groups for one in group)
    if len(pile) < 2:
        return None
    kind: _Distance = "nominal" if level == "nominal" else "quadratic"
    chance = _without_return(by_chance(pile, pile, kind), pile.total())
    units = [
        Unit(
            len(group),
            _mean_distance(group, kind),
            2 * sum(chance.rows[one] for one in group) / len(group) - chance.expected,
        )
        for group in groups
    ]
    return beyond_chance(units, chance, (pile, pile), of)


def _check(name: str, value: object, known: Sequence[object]) -> None:
    if value not in known:
        raise ValueError(f"{name} is one of {', '.join(map(repr, known))}, found {value!r}")


def _answered_units(
    pairs: Sequence[tuple[Any, Any]], clusters: Sequence[Hashable] | None
) -> tuple[list[tuple[Any, Any]], list[Hashable] | None]:
    """The pairs that have both answers, and their clusters."""
    kept = [index for index, (one, other) in enumerate(pairs) if one is not None and other is not None]
    return [pairs[index] for index in kept], of_kept(clusters, len(pairs), kept)


def _same_answer(pairs: Sequence[tuple[Any, Any]]) -> bool:
    """Whether all answers are one and the same, or there are none."""
    return len({one for pair in pairs for one in pair}) < 2


def _rated_twice(
    ratings: Sequence[Mapping[Any, Any]], clusters: Sequence[Hashable] | None
) -> tuple[list[list[Any]], list[Hashable] | None]:
    """The answers to each unit that has two or more, and the clusters of those."""
    groups = [[one for one in unit.values() if one is not None] for unit in ratings]
    kept = [index for index, group in enumerate(groups) if len(group) > 1]
    return [groups[index] for index in kept], of_kept(clusters, len(groups), kept)


def _scaled(groups: list[list[Any]], level: Level) -> list[list[Any]]:
    """The answers as numbers whose squared differences are the distances: for ordinal, middle ranks."""
    if level == "nominal" or not groups:
        return groups
    flat = _finite_numbers((one for group in groups for one in group), f"alpha at the level {level}")
    places = {one: one for one in flat}
    if level == "ordinal":
        below = 0
        for one, count in sorted(Counter(flat).items()):
            places[one] = below + count / 2
            below += count
    moved = _in_unit_range(list(places.values()))
    return [[moved[places[float(one)]] for one in group] for group in groups]


def _without_return(chance: _Chance, total: int) -> _Chance:
    """Chance for two answers of one pile of `total`: the second is drawn from what the first left."""
    more = total / (total - 1)
    means = {one: mean * more for one, mean in chance.rows.items()}
    return _Chance(chance.expected * more, chance.squared * more, means, means)


def _mean_distance(group: Sequence[Any], kind: _Distance) -> float:
    """The mean distance of two of the answers."""
    m = len(group)
    if kind == "nominal":
        return 1 - sum(count * (count - 1) for count in Counter(group).values()) / (m * (m - 1))
    mean = sum(group) / m
    return float(2 * sum((one - mean) ** 2 for one in group) / (m - 1))


class Unit(NamedTuple):
    """One item: how many answers, their mean distance, and how it moves the distance expected by chance."""

    answers: int
    apart: float
    expected: float


def beyond_chance(
    units: Sequence[Unit],
    chance: _Chance,
    piles: tuple[Mapping[Any, int], Mapping[Any, int]],
    clusters: Sequence[Hashable] | None,
) -> Estimate:
    """One minus observed by expected distance, and its interval. `piles` are what `chance` draws from."""
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
    units: Sequence[Unit], chance: _Chance, piles: tuple[Mapping[Any, int], Mapping[Any, int]], value: float
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
    units: Sequence[Unit], chance: _Chance, piles: tuple[Mapping[Any, int], Mapping[Any, int]]
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
    units: Sequence[Unit], chance: _Chance, piles: tuple[Mapping[Any, int], Mapping[Any, int]]
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


class _Chance(NamedTuple):
    """Two answers drawn alone, one from each of two piles: their mean distance, and that of its square.

    `rows` and `columns` hold the mean distance of an answer of one pile from the answers of the other.
    """

    expected: float
    squared: float
    rows: Mapping[Any, float]
    columns: Mapping[Any, float]


def _finite_numbers(values: Iterable[object], what: str) -> list[float]:
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


def _in_unit_range(values: Sequence[float]) -> dict[float, float]:
    """Each value moved to 0 to 1, so that no distance exceeds 1 and large numbers lose no digits."""
    low, high = min(values) / 2, max(values) / 2  # halves, for the difference of two floats may be infinite
    return {one: (one / 2 - low) / (high - low) if high > low else 0.0 for one in values}


def _distance(one: Any, other: Any, kind: _Distance) -> float:
    """How far apart two answers are: 0 or 1 as classes, else the difference of the numbers or its square."""
    if kind == "nominal":
        return float(one != other)
    gap: float = abs(one - other)
    return gap if kind == "linear" else gap * gap


def by_chance(rows: Mapping[Any, int], columns: Mapping[Any, int], kind: _Distance) -> _Chance:
    """What distances come to by chance. The piles say how often each answer was given."""
    across, along = _shares(rows), _shares(columns)
    seen = list({**across, **along})
    if kind == "nominal":
        of_rows = {one: 1 - along.get(one, 0.0) for one in seen}
        of_columns = {one: 1 - across.get(one, 0.0) for one in seen}
        expected = sum(share * of_rows[one] for one, share in across.items())
        return _Chance(expected, expected, of_rows, of_columns)
    first, second = _moments(across), _moments(along)
    square = first[2] - 2 * first[1] * second[1] + second[2]
    if kind == "linear":
        of_rows, of_columns = _mean_gaps(along, seen), _mean_gaps(across, seen)
        expected = sum(share * of_rows[one] for one, share in across.items())
        return _Chance(expected, square, of_rows, of_columns)
    fourth = sum(sign * first[4 - k] * second[k] for k, sign in enumerate((1, -4, 6, -4, 1)))
    return _Chance(square, fourth, _mean_squares(second, seen), _mean_squares(first, seen))


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
