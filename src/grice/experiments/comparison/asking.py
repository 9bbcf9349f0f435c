"""Whether checks asked the same on both sides, as far as their fingerprints tell."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from grice.experiments.attempts import Attempt
from grice.experiments.comparison.pairing import Pair

__all__ = ["OTHER_NUMBERS", "Asking", "asking_of"]

OTHER_NUMBERS = 0.1
"""What differs in more of the scenarios than this is flagged, or weakens; in fewer it may be chance."""

Asked = Callable[[Attempt], str]
"""The fingerprint of what an attempt was asked, "" where it was asked nothing."""


@dataclass(frozen=True)
class Asking:
    """Of how many scenarios both sides were asked something.

    In `known` of them some attempt of each side was asked the same, or those that can be held against each
    other were not: such as passed in as many turns. These are `compared`, and `other` of them were asked
    something else.
    """

    asked: int = 0
    known: int = 0
    compared: int = 0
    other: int = 0


def asking_of(pairs: Iterable[Pair], asked: Asked) -> Asking:
    """How what was asked compares.

    A check that fails may end its test, and a test asks more in more turns. So attempts that were asked
    something else say so only where both passed in as many turns, with the same data of the scenario; those
    that were asked the same say so always.
    """
    both = known = compared = other = 0
    for pair in pairs:
        before, after = (_marks(side, asked) for side in (pair.baseline, pair.current))
        if before and after:
            both += 1
            alike = not before.isdisjoint(after)
            told = _asks_the_same(pair, asked)
            compared += told is not None
            other += told is False
            known += alike or told is False
    return Asking(both, known, compared, other)


def _marks(attempts: Iterable[Attempt], asked: Asked) -> set[str]:
    return {mark for one in attempts if (mark := asked(one))}


def _asks_the_same(pair: Pair, asked: Asked) -> bool | None:
    """Whether attempts that can be held against each other were asked the same; None where there are none."""
    before, after = _passed(pair.baseline, asked), _passed(pair.current, asked)
    both = before.keys() & after.keys()
    return any(before[one] & after[one] for one in both) if both else None


def _passed(attempts: Iterable[Attempt], asked: Asked) -> dict[tuple[int, str], set[str]]:
    """What was asked of attempts that passed, by their turns and the data of the scenario."""
    found: dict[tuple[int, str], set[str]] = {}
    for one in attempts:
        if one.passed and (mark := asked(one)):
            found.setdefault((one.turns, one.fingerprint), set()).add(mark)
    return found
