"""What repeats of the same scenarios say: the rate of each run, how far they lie apart, pass@k and pass^k."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from grice.stats.agreement import rate_of_clusters
from grice.stats.estimates import Estimate
from grice.stats.rates import Share


class RunRates(NamedTuple):
    """One rate over the runs of an experiment, of which each is one repeat of all its scenarios.

    `deviation` is the sample standard deviation of the rates, which are from 0 to 1.
    """

    runs: dict[int, Share]
    mean: float
    deviation: float


def run_rates(repeats: Mapping[int, Share]) -> RunRates | None:
    """The rates of the repeats that have one; None where there are fewer than two."""
    from grice.stats.estimates import mean_and_deviation

    runs = {number: one for number, one in sorted(repeats.items()) if one.total}
    if len(runs) < 2:
        return None
    mean, deviation = mean_and_deviation([one.passed / one.total for one in runs.values()])
    return None if deviation is None else RunRates(runs, mean, deviation)


def wavering(attempts: Mapping[str, Share]) -> dict[str, Share]:
    """Of the shares by scenario those that passed now and then, the least steady first, else by scenario."""
    found = {id_: one for id_, one in attempts.items() if one.wavers}
    return dict(sorted(found.items(), key=lambda pair: (_unevenness(pair[1]), pair[0])))


def _unevenness(share: Share) -> float:
    """0 where as many passed as failed, up to 1; the same for 1 of 3 and 2 of 3."""
    return abs(2 * share.passed - share.total) / share.total


class RepeatRow(NamedTuple):
    """For k attempts: means over the scenarios that were run at least k times, with 95 % intervals."""

    k: int
    scenarios: int
    at_least_one: Estimate
    all: Estimate


def repeat_rows(attempts: Sequence[tuple[int, int]]) -> list[RepeatRow]:
    """A row for k = 1, 2, 3, 4, 5, 10 and so on up to the most repeats.

    `attempts` has passed and total of each scenario; those run fewer than k times are not in row k. Nothing
    when no scenario was run more than once. For k = 1, where all were run equally often, both are the rate
    over all attempts, and have the interval that it has as a rate.
    """
    most = max((total for _, total in attempts), default=0)
    if most < 2:
        return []
    from grice.stats.pass_k import mean_pass_at_k, mean_pass_hat_k

    rows: list[RepeatRow] = []
    one = rate_of_clusters(attempts)
    evenly = len({total for _, total in attempts}) == 1
    if one is not None and evenly:
        rows.append(RepeatRow(1, len(attempts), one, one))
    for k in sorted({*(k for k in _SIZES if k < most), most} - {row.k for row in rows}):
        at_least_one, every = mean_pass_at_k(attempts, k), mean_pass_hat_k(attempts, k)
        if at_least_one is not None and every is not None:
            rows.append(RepeatRow(k, at_least_one.n, at_least_one, every))
    return rows


_SIZES = (1, 2, 3, 4, 5, 10, 20, 50, 100)
