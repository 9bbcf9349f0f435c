"""What repeats of the same scenarios say: pass@k and pass^k."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

__all__ = ["RepeatRow", "repeat_rows"]


class RepeatRow(NamedTuple):
    """For k attempts: means over the scenarios that were run at least k times."""

    k: int
    scenarios: int
    at_least_one: float
    all: float


def repeat_rows(attempts: Sequence[tuple[int, int]]) -> list[RepeatRow]:
    """A row for k = 1, 2, 3, 4, 5, 10 and so on up to the most repeats.

    `attempts` has passed and total of each scenario; those run fewer than k times are not in row k. Nothing
    when no scenario was run more than once.
    """
    most = max((total for _, total in attempts), default=0)
    if most < 2:
        return []
    from grice.stats import pass_at_k, pass_hat_k

    rows: list[RepeatRow] = []
    for k in sorted({*(k for k in _SIZES if k < most), most}):
        long_enough = [(total, passed) for passed, total in attempts if total >= k]
        at_least_one = [pass_at_k(total, passed, k) for total, passed in long_enough]
        every = [pass_hat_k(total, passed, k) for total, passed in long_enough]
        count = len(long_enough)
        rows.append(RepeatRow(k, count, sum(at_least_one) / count, sum(every) / count))
    return rows


_SIZES = (1, 2, 3, 4, 5, 10, 20, 50, 100)
