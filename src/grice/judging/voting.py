"""Combine several answers into one: votes by majority, scores by their median."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from grice.judging.criterion import HIGHEST, LOWEST

T = TypeVar("T")


def winner(votes: Sequence[T | None]) -> T | None:
    """The answer with most votes; None for a tie.

    A vote that is None is missing. With votes missing there is a winner only when they could not have changed
    it.
    """
    missing = votes.count(None)
    for one in votes:
        if one is not None:
            strongest = max((votes.count(rival) for rival in votes if rival not in (None, one)), default=0)
            if votes.count(one) > strongest + missing:
                return one
    return None


def median(scores: Sequence[float]) -> float:
    """The true median: of an even number of scores the mean of the two in the middle."""
    ordered = sorted(scores)
    half = len(ordered) // 2
    if len(ordered) % 2:
        return ordered[half]
    return round((ordered[half - 1] + ordered[half]) / 2, 9)


def bounds(scores: Sequence[float | None]) -> tuple[float, float]:
    """The lowest and the highest possible median; None stands for a missing score."""
    low = [float(LOWEST) if one is None else one for one in scores]
    high = [float(HIGHEST) if one is None else one for one in scores]
    return median(low), median(high)


def score_text(score: float) -> str:
    """A score in as few digits as are exact, so that 3.6999999 does not look like 3.7."""
    short = f"{score:g}"
    return short if float(short) == score else repr(score)
