"""pass@k and pass^k: how likely an agent passes a task that is tried several times."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from math import comb

from grice.stats.agreement import bounded_mean
from grice.stats.estimates import Estimate
from grice.stats.rates import Rate, rate


def pass_at_k(n: int, c: int, k: int) -> float:
    """pass@k: the probability, from 0 to 1, that at least one of `k` trials of a task passes.

    `c` of `n` trials passed. It is the share of the ways to choose `k` of the `n` trials that hold one that
    passed, 1 - C(n-c, k) / C(n, k), which is unbiased; 1 - (1 - c/n)^k is not. Over several tasks it is the
    mean of theirs. Raises ValueError for `k` outside 1 to `n` and `c` outside 0 to `n`. Source: Chen et al.
    2021, "Evaluating Large Language Models Trained on Code", section 2.1.
    """
    _check(n, c, k)
    chosen = comb(n, k)
    return (chosen - comb(n - c, k)) / chosen


def pass_hat_k(n: int, c: int, k: int) -> float:
    """pass^k: the probability, from 0 to 1, that all of `k` trials of a task pass.

    `c` of `n` trials passed. It is the share of the ways to choose `k` of the `n` trials that hold only such
    that passed, C(c, k) / C(n, k), which is unbiased; (c/n)^k is not. Over several tasks it is the mean of
    theirs; with k = 1 it is the pass rate, as pass@1 is. Raises ValueError for `k` outside 1 to `n` and `c`
    outside 0 to `n`. Source: Yao et al. 2024, "tau-bench", section 3.
    """
    _check(n, c, k)
    return comb(c, k) / comb(n, k)


def mean_pass_at_k(tasks: Sequence[tuple[int, int]], k: int) -> Estimate | None:
    """pass@k over tasks, each (trials that passed, trials), with its 95 % interval; the unit is the task.

    Tasks with fewer than `k` trials do not show it and are left out: `n` counts the others. None without any.
    Raises ValueError as `pass_at_k` does.
    """
    return _mean(pass_at_k, tasks, k)


def mean_pass_hat_k(tasks: Sequence[tuple[int, int]], k: int) -> Estimate | None:
    """pass^k over tasks, each (trials that passed, trials), with its 95 % interval; the unit is the task.

    Tasks with fewer than `k` trials do not show it and are left out: `n` counts the others. None without any.
    Raises ValueError as `pass_hat_k` does.
    """
    return _mean(pass_hat_k, tasks, k)


def flaky(attempts: Sequence[tuple[int, int]]) -> Rate | None:
    """The share of scenarios that pass now and then, each (attempts that passed, attempts).

    Scenarios with one attempt cannot show it and are left out. None without any other. Raises ValueError for
    counts that cannot be.
    """
    for passed, n in attempts:
        _check(n, passed, 1)
    repeated = [(passed, n) for passed, n in attempts if n > 1]
    return rate(sum(0 < passed < n for passed, n in repeated), len(repeated))


def _mean(
    of_one: Callable[[int, int, int], float], tasks: Sequence[tuple[int, int]], k: int
) -> Estimate | None:
    for passed, n in tasks:
        _check(n, passed, 1)
    _check_whole("k", k)
    if k < 1:
        raise ValueError(f"k is a number of trials from 1, found {k}")
    return bounded_mean(array("d", (of_one(n, passed, k) for passed, n in tasks if n >= k)))


def _check(n: int, c: int, k: int) -> None:
    for name, value in (("n", n), ("c", c), ("k", k)):
        _check_whole(name, value)
    if n < 1:
        raise ValueError(f"n is a number of trials from 1, found {n}")
    if not 0 <= c <= n:
        raise ValueError(f"c is the number of the {n} trials that passed, found {c}")
    if not 1 <= k <= n:
        raise ValueError(f"k is from 1 to n, the {n} trials that were made, found {k}")


def _check_whole(name: str, value: object) -> None:
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"{name} is an integer, found {value!r}")
