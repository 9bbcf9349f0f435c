"""Whether as many scenarios were gained as lost."""

from __future__ import annotations

__all__ = ["mcnemar_exact"]


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
