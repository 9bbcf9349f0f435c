"""How likely an agent passes when a task is tried several times, from trials that were made."""

from __future__ import annotations

from math import comb

__all__ = ["pass_at_k", "pass_hat_k"]


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


def _check(n: int, c: int, k: int) -> None:
    for name, value in (("n", n), ("c", c), ("k", k)):
        if isinstance(value, bool) or not isinstance(value, int):
            raise TypeError(f"{name} is an integer, found {value!r}")
    if n < 1:
        raise ValueError(f"n is a number of trials from 1, found {n}")
    if not 0 <= c <= n:
        raise ValueError(f"c is the number of the {n} trials that passed, found {c}")
    if not 1 <= k <= n:
        raise ValueError(f"k is from 1 to n, the {n} trials that were made, found {k}")
