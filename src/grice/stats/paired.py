"""Compare two experiments over the same scenarios: the difference, its interval, and its p-value.

The unit is the scenario. Values of one scenario are not independent of each other, as repeats are not, so
they are summed up before anything is estimated. How often the intervals hold the true difference, and how
often p is at most 0.05 though nothing changed, is simulated in benchmarks/comparison_statistics.py.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

import msgspec

from grice.stats.intervals import score_bounds
from grice.stats.student import t_quantile, t_two_sided

_EXACT_STEPS = 100_000

"""Up to how many steps of a common denominator the sum of the sizes may be, to be counted exactly."""

_ROUNDED_STEPS = 10_000

"""Into how many steps it is divided, at least, where differences have no such denominator."""

_LARGEST_DENOMINATOR = 1000

_ROUNDING = 1e-9


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
        if common > _EXACT_STEPS * _LARGEST_DENOMINATOR or abs(part - Fraction(one)) > _ROUNDING * abs(one):
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


def mcnemar_exact(gained: int, lost: int) -> float:
    """The exact McNemar test: the two-sided p-value of `gained` and `lost` scenarios, from 0 to 1.

    It is the probability that a fair coin divides gained + lost throws at least as unevenly; 1.0 where
    nothing changed. Fewer than six changes never reach 0.05. Raises ValueError for counts below 0. Source:
    McNemar 1947, in its exact binomial form.
    """
    if gained < 0 or lost < 0:
        raise ValueError(f"gained and lost are counts from 0, found {gained} and {lost}")
    changes, fewer = gained + lost, min(gained, lost)
    ways = total = 1
    for k in range(fewer):
        ways = ways * (changes - k) // (k + 1)
        total += ways
    return min(2 * total / (1 << changes), 1.0)


LEAST_CHANGES = 6

"""How many scenarios have to change for p to be 0.05 or less: five all one way happen 2 times in 32."""

_MOST = 250

"""Of up to how many changed scenarios all signs are counted. Of more, Student's t says the same."""

_NOISE = 1e-12


class _Sums(NamedTuple):
    """The numbers of values, and the means of both sides."""

    baseline_n: int
    current_n: int
    baseline: float
    current: float

    @property
    def pooled(self) -> float:
        """The mean of all values."""
        size = self.baseline_n + self.current_n
        return (self.baseline * self.baseline_n + self.current * self.current_n) / size


def paired_difference(
    pairs: Sequence[PairedSums], *, bounds: tuple[float, float] | None = None
) -> Difference | None:
    """The current mean minus that of the baseline, with its 95 % interval and p-value; None without pairs.

    Each mean is over all values of its side, so that a scenario counts as often as it has values. `bounds`
    are the least and the greatest that ONE value can be, (0, 1) for a rate.

    `p` is exact where each scenario has as many values on both sides: McNemar's for one pass or fail each,
    else of all ways to exchange the sides of scenarios. For unequally many values, and above 250 changed
    scenarios, it is of Student's t over scenarios. The interval is Student's t over scenarios. Within bounds
    it has a width also where nothing changed, for others might have: the fewer scenarios changed, the more is
    added, as variable as coins are. It also reaches as far as Wilson's intervals of what scenarios gained and
    of what they lost allow: 0 changes of 50 leave 7 points open either way. Without bounds it is None where
    all scenarios changed alike. Raises ValueError for counts under 1, and for values that are not finite or
    out of bounds. Source: Fisher 1935, section 21; McNemar 1947; Liang and Zeger 1986; the addition by
    simulation, after Bonett and Price 2012; gains and losses after Newcombe 1998.
    """
    _check(pairs, bounds)
    if not pairs:
        return None
    sums, n, changed = _sums(pairs), len(pairs), changed_scenarios(pairs)
    value = sums.current - sums.baseline
    if n == 1:
        why = "one scenario says nothing of others"
        return Difference(value, None, None, None, n, changed, "none", why)
    error = _error(pairs, sums, bounds)
    p, test, why = _tested(pairs, sums, error, single=_is_single(pairs, bounds))
    if error == 0:
        alike = "; all changed by the same amount" if changed else ""
        return Difference(value, None, None, p, n, changed, test, f"{why}{alike}: no interval")
    reach = t_quantile(0.975, n - 1) * error
    low, high = value - reach, value + reach
    if bounds is not None:
        width = float(bounds[1] - bounds[0])
        below, above = _reach_by_score(pairs, sums, width)
        low, high = max(min(low, value - below), -width), min(max(high, value + above), width)
    return Difference(value, low, high, p, n, changed, test, why)


def changed_scenarios(pairs: Sequence[PairedSums]) -> int:
    """How many scenarios have different means on both sides."""
    return sum(
        not math.isclose(one.baseline * one.current_n, one.current * one.baseline_n, rel_tol=_NOISE)
        for one in pairs
    )


def unseen_variance(pairs: Sequence[PairedSums], mean: float, bounds: tuple[float, float]) -> float:
    """The variance that unseen scenarios may add to values within bounds, for one value.

    That of coins with that mean, drawn to the middle as if four scenarios more were half and half, times
    four, and divided by one more than the scenarios that changed.
    """
    n, width = len(pairs), bounds[1] - bounds[0]
    share = ((mean - bounds[0]) / width * n + 2) / (n + 4)
    return 4 * share * (1 - share) * width**2 / (1 + changed_scenarios(pairs))


def _check(pairs: Sequence[PairedSums], bounds: tuple[float, float] | None) -> None:
    low, high = bounds or (-math.inf, math.inf)
    if not low < high:
        raise ValueError(f"bounds are the least and the greatest value, found {bounds}")
    for pair in pairs:
        for total, count in ((pair.baseline, pair.baseline_n), (pair.current, pair.current_n)):
            if count < 1:
                raise ValueError(f"every scenario has a value on both sides, found {pair}")
            if not math.isfinite(total):
                raise ValueError(f"sums are finite, found {pair}")
            # As float errors allow: 0.1 + 0.2 is more than 0.3.
            if not (low - abs(low) * _NOISE) * count <= total <= (high + abs(high) * _NOISE) * count:
                raise ValueError(f"values are from {low} to {high}, found {pair}")


def _sums(pairs: Sequence[PairedSums]) -> _Sums:
    before, now = sum(one.baseline_n for one in pairs), sum(one.current_n for one in pairs)
    return _Sums(
        before,
        now,
        math.fsum(one.baseline for one in pairs) / before,
        math.fsum(one.current for one in pairs) / now,
    )


def _error(pairs: Sequence[PairedSums], sums: _Sums, bounds: tuple[float, float] | None) -> float:
    """The standard error of the difference; 0 where all scenarios changed alike and values have no bounds."""
    n = len(pairs)
    moves = [_move(one, sums, sums.baseline, sums.current) for one in pairs]
    variance = math.fsum(one * one for one in moves)
    if bounds is not None:
        unseen = unseen_variance(pairs, sums.pooled, bounds)
        variance += unseen * (1 / sums.baseline_n + 1 / sums.current_n) / n
        if not _equally_many(pairs):
            variance = max(variance, _variance_by_chance(pairs, sums, bounds))
    elif math.sqrt(variance) <= _NOISE * max(abs(sums.baseline), abs(sums.current)):
        return 0.0
    return math.sqrt(variance * n / (n - 1))


def _equally_many(pairs: Sequence[PairedSums]) -> bool:
    """Whether each scenario has as many values on both sides, so that these can be exchanged."""
    return all(one.baseline_n == one.current_n for one in pairs)


def _variance_by_chance(pairs: Sequence[PairedSums], sums: _Sums, bounds: tuple[float, float]) -> float:
    """The variance of the difference if passes and fails of a scenario fell to the sides by chance.

    Where one side has few values of each scenario and happens to have no fail, scenarios look alike. The
    values of the other side show that this was luck. Source: Mantel and Haenszel 1959.
    """
    low, high = bounds
    variance = 0.0
    for one in pairs:
        size = one.baseline_n + one.current_n
        passes = (one.baseline + one.current - low * size) / (high - low)
        ways = one.baseline_n * one.current_n * passes * (size - passes)
        variance += ways / (size * size * (size - 1))
    return variance * ((high - low) * (1 / sums.baseline_n + 1 / sums.current_n)) ** 2


def _move(pair: PairedSums, sums: _Sums, baseline: float, current: float) -> float:
    """How far a scenario moves the difference, where its values are expected to be those means."""
    return _sum_of(
        pair.current / sums.current_n,
        -current * pair.current_n / sums.current_n,
        -pair.baseline / sums.baseline_n,
        baseline * pair.baseline_n / sums.baseline_n,
    )


def _sum_of(*terms: float) -> float:
    """The sum, 0 where only rounding errors of floats are left: they have signs too, and are no change."""
    total = math.fsum(terms)
    return total if abs(total) > _NOISE * math.fsum(map(abs, terms)) else 0.0


def _reach_by_score(pairs: Sequence[PairedSums], sums: _Sums, width: float) -> tuple[float, float]:
    """How far below and above the difference the true one may lie, by what scenarios gained and by what lost.

    Each of the two is a share with Wilson's interval, which has a width also where nothing was gained or
    lost, and they are put together as Newcombe puts two rates. A scenario counts as one trial, and as more
    where changes are seen to be parts of a scenario, with one whole change more than were seen.
    """
    n = len(pairs)
    moves = [one * n / width for one in _moves(pairs, sums)]
    gains, losses = [max(one, 0.0) for one in moves], [max(-one, 0.0) for one in moves]
    gained, lost = min(math.fsum(gains) / n, 1.0), min(math.fsum(losses) / n, 1.0)
    coins = n * (gained * (1 - gained) + lost * (1 - lost))
    seen = math.fsum([(one - gained) ** 2 for one in gains] + [(one - lost) ** 2 for one in losses])
    part = seen / coins if coins > 0 else 1.0
    weights = [one.baseline_n / sums.baseline_n + one.current_n / sums.current_n for one in pairs]
    # More than 1 where few scenarios have most of the values.
    whole = n * math.fsum(one * one for one in weights) / 4
    changed = sum(one != 0 for one in moves)
    trials = max(n * (changed + 1) / (changed * part + whole), 1.0)
    gain, loss = score_bounds(gained, trials), score_bounds(lost, trials)
    below, above = math.hypot(gained - gain[0], loss[1] - lost), math.hypot(gain[1] - gained, lost - loss[0])
    return below * width, above * width


def _is_single(pairs: Sequence[PairedSums], bounds: tuple[float, float] | None) -> bool:
    """Whether each scenario has one pass or fail on both sides."""
    if bounds is None or tuple(bounds) != (0, 1):
        return False
    return all(
        one.baseline_n == one.current_n == 1 and {one.baseline, one.current} <= {0, 1} for one in pairs
    )


def _tested(
    pairs: Sequence[PairedSums], sums: _Sums, error: float, *, single: bool
) -> tuple[float, str, str]:
    """The p-value, the test it is of, and why that one."""
    if single:
        gained = sum(one.current > one.baseline for one in pairs)
        lost = sum(one.current < one.baseline for one in pairs)
        why = "each scenario has one pass or fail on both sides"
        return mcnemar_exact(gained, lost), "exact McNemar", _with_changes(why, gained + lost)
    why = _why_scenarios(pairs)
    distance = (sums.current - sums.baseline) / error if error > 0 else math.inf
    by_t = t_two_sided(distance, len(pairs) - 1), "paired t over scenarios"
    if not _equally_many(pairs) and error > 0:
        return *by_t, f"{why}; sides with unequally many values cannot be exchanged"
    differences = _differences(pairs, sums)
    changed = sum(one != 0 for one in differences)
    if changed > _MOST and error > 0:
        return *by_t, f"{why}; there are many"
    test = "exact sign-flip permutation over scenarios"
    return sign_flip_p(differences), test, _with_changes(why, changed)


def _moves(pairs: Sequence[PairedSums], sums: _Sums) -> list[float]:
    """How far each scenario moves the difference, if nothing changed; they add up to it."""
    return [_move(one, sums, sums.pooled, sums.pooled) for one in pairs]


def _differences(pairs: Sequence[PairedSums], sums: _Sums) -> list[float]:
    """How far each scenario moves the difference if nothing changed, in any unit."""
    if _equally_many(pairs):
        return [_sum_of(one.current, -one.baseline) for one in pairs]
    return _moves(pairs, sums)


def _why_scenarios(pairs: Sequence[PairedSums]) -> str:
    if any(one.baseline_n > 1 or one.current_n > 1 for one in pairs):
        return "values of the same scenario are not independent, so scenarios are compared"
    return "each scenario has one value on both sides"


def _with_changes(why: str, changed: int) -> str:
    if changed == 0:
        return f"{why}; none changed"
    if changed < LEAST_CHANGES:
        return f"{why}; {changed} changed, and fewer than {LEAST_CHANGES} never show a difference at 5 %"
    return why


class PairedSums(msgspec.Struct, frozen=True):
    """The values of one scenario in both experiments: their sums and numbers.

    For a rate the values are 1 and 0, for a mean any numbers: `baseline` 2.0 of `baseline_n` 3 are two passes
    in three repeats. Both counts are at least 1.
    """

    baseline: float
    baseline_n: int
    current: float
    current_n: int


class Difference(msgspec.Struct, frozen=True):
    """`value` is the current mean minus that of the baseline, with its 95 % interval from `low` to `high`.

    `p` is the probability of a difference so large, either way, if nothing had changed. `test` names how it
    was found, `why` says in words why so. `n` is the number of scenarios, `changed` of those in which the two
    differ. `low`, `high` and `p` are None where too little is known, and `why` says what is missing.
    """

    value: float
    low: float | None
    high: float | None
    p: float | None
    n: int
    changed: int
    test: str
    why: str
