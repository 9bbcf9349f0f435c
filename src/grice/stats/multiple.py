"""Correct p-values of several questions at once, so that one false answer in all stays at 5 %."""

from __future__ import annotations

from collections.abc import Sequence


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """Holm's adjusted p-values, in the order given: one at most 0.05 is shown at 5 % for all together.

    None is nothing to test, and takes no part. Raises ValueError for what is no probability. Source: Holm
    1979.
    """
    return page_adjusted(None, p_values)[1]


def page_adjusted(
    primary: float | None, others: Sequence[float | None], *, share: float = 0.6
) -> tuple[float | None, list[float | None]]:
    """Adjusted p-values of a whole page with one primary question: one at most 0.05 is shown at 5 % in all.

    The primary is tested at `share` of the 5 %, the others share the rest in equal parts. What is rejected
    passes its part on: the primary to the others, each of these to the others that are left, the last one to
    the primary. Without others the primary has all, without a primary it is Holm's procedure. None is nothing
    to test, and takes no part. Raises ValueError for what is no probability, and for a share that is not
    between 0 and 1. Source: Bretz, Maurer, Brannath and Posch 2009, "A graphical approach to sequentially
    rejective multiple test procedures".
    """
    if not 0 < share < 1:
        raise ValueError(f"share is between 0 and 1, found {share}")
    for one in (primary, *others):
        if one is not None and not 0 <= one <= 1:
            raise ValueError(f"a p-value is from 0 to 1, found {one}")
    # Parts are equal, so that the least of the others is always the next of them.
    left = sorted((p, place) for place, p in enumerate(others) if p is not None)
    adjusted: list[float | None] = [None] * len(others)
    first, at_least = primary, 0.0
    while left:
        part = 1.0 if first is None else 1 - share
        smallest, place = left[0]
        if first is not None and first / share < smallest * len(left) / part:
            at_least = _raised(at_least, first / share)
            primary, first = at_least, None
        else:
            at_least = _raised(at_least, smallest * len(left) / part)
            adjusted[place] = at_least
            del left[0]
    if first is not None:
        primary = _raised(at_least, first)
    return primary, adjusted


def _raised(at_least: float, p: float) -> float:
    """What is tested later is never adjusted to less."""
    return min(max(at_least, p), 1.0)
