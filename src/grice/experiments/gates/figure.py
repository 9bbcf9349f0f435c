"""A figure that a gate is held against."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["Figure", "count_of", "missing"]


class Figure(NamedTuple):
    """A figure in its unit, None where it is missing.

    `about` are the words behind it, as ` (39/47)`, or those on why there is none. `low` and `high` are its
    95 % interval, None where it has none. `worst` is the figure with everything that is missing counted
    against the gate, and its `about` says what that is; None where nothing is missing.
    """

    value: float | None
    about: str
    low: float | None = None
    high: float | None = None
    worst: Figure | None = None


def missing(why: str) -> Figure:
    """No figure, and why."""
    return Figure(None, why)


def count_of(number: int, noun: str) -> str:
    """A number of things: `1 turn`, `3 turns`."""
    return f"{number} {noun}{'' if number == 1 else 's'}"
