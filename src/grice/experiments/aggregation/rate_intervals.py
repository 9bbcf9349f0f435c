"""How sure the rates of an experiment are, and where its claims had the fewest sources."""

from __future__ import annotations

from collections.abc import Iterable

from grice.experiments.aggregation.summary import Share, Summary
from grice.stats.agreement import cluster_rate
from grice.stats.estimates import Estimate

__all__ = ["rate_interval", "worst_grounded"]


def rate_interval(scenarios: Iterable[Share]) -> Estimate | None:
    """The rate over all scenarios with its 95 % interval; None of nothing.

    There is a share for each scenario. What belongs to one (its repeats, its checks) is alike, and counts as
    a cluster.
    """
    successes: list[bool] = []
    clusters: list[int] = []
    for number, one in enumerate(scenarios):
        successes += [True] * one.passed + [False] * (one.total - one.passed)
        clusters += [number] * one.total
    return cluster_rate(successes, clusters)


def worst_grounded(summary: Summary, most: int = 5) -> list[tuple[str, Share]]:
    """The keys of the scenarios with the highest rates of claims without a source, at most so many.

    Those with every claim grounded are not among them.
    """
    found = [(id_, one) for id_, one in summary.claims_of.items() if one.passed < one.total]
    found.sort(key=lambda pair: (pair[1].rate, -pair[1].total, pair[0]))
    return [(summary.keys[id_], one) for id_, one in found[:most]]
