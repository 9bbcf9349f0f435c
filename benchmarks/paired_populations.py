"""Pairs of experiments over the same scenarios, drawn from populations whose true rates are known.

A scenario passes with a rate of its own in each experiment; its repeats are independent trials at that rate.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import NamedTuple

from grice.stats.paired import PairedSums

CRITERIA = 5
HARD = 0.02
"""At which rate hard scenarios pass, and easy ones fail."""

Draw = Callable[[random.Random, float], float]
Repeats = Callable[[random.Random], tuple[int, int]]


class Population(NamedTuple):
    """How scenarios differ: `draw` gives one's rate, whose mean over scenarios is the true rate.

    Where they `interact`, half of the scenarios draw their rate in the current experiment anew. Elsewhere all
    that pass or fail are moved alike.
    """

    name: str
    draw: Draw
    interact: bool = False

    def scenario(self, rng: random.Random, before: float, now: float) -> tuple[float, float]:
        """The rates of one scenario in both experiments, where the means are those."""
        own = self.draw(rng, before)
        if self.interact and rng.random() < 0.5:
            return own, self.draw(rng, now)
        if now >= before:
            return own, own + (1 - own) * (now - before) / (1 - before)
        return own, own * now / before


def _alike(_: random.Random, mean: float) -> float:
    return mean


def _beta(rng: random.Random, mean: float) -> float:
    if mean >= 1:
        return 1.0
    return rng.betavariate(2 * mean, 2 * (1 - mean))


def _two_kinds(rng: random.Random, mean: float) -> float:
    return 1 - HARD if rng.random() < (mean - HARD) / (1 - 2 * HARD) else HARD


POPULATIONS = (
    Population("equal", _alike),
    Population("Beta", _beta),
    Population("easy or hard", _two_kinds),
    Population("Beta, half change", _beta, interact=True),
    Population("easy or hard, half change", _two_kinds, interact=True),
)
"""Equal scenarios; rates from a Beta distribution with parameters that sum up to 2 (an intra-scenario
correlation of one third); scenarios that pass 98 or 2 times in a hundred."""


def _always_or_never(rng: random.Random, mean: float) -> float:
    return float(rng.random() < mean)


NEAR_ONE = (
    Population("equal", _alike),
    Population("Beta", _beta),
    Population("always or never", _always_or_never),
    Population("Beta, half change", _beta, interact=True),
    Population("always or never, half change", _always_or_never, interact=True),
)
"""For true rates near 1, which two kinds of 98 and 2 in a hundred cannot have."""


def equally(repeats: int) -> Repeats:
    """As many repeats of each scenario on both sides."""
    return lambda _: (repeats, repeats)


def _one_to_five(rng: random.Random) -> tuple[int, int]:
    return rng.randint(1, 5), rng.randint(1, 5)


UNEQUAL: dict[str, Repeats] = {"1 and 10": lambda _: (1, 10), "1 to 5 at random": _one_to_five}


def completion_pairs(
    rng: random.Random, population: Population, rates: tuple[float, float], n: int, repeats: Repeats
) -> list[PairedSums]:
    """Passes of `n` scenarios."""
    found = []
    for _ in range(n):
        before, now = population.scenario(rng, *rates)
        first, second = repeats(rng)
        found.append(PairedSums(_passes(rng, before, first), first, _passes(rng, now, second), second))
    return found


def _passes(rng: random.Random, rate: float, trials: int) -> int:
    return sum(rng.random() < rate for _ in range(trials))


def page_pairs(
    rng: random.Random, population: Population, rates: tuple[float, float], n: int, repeats: Repeats
) -> list[list[PairedSums]]:
    """Completion, the evaluation rate and five criteria of `n` scenarios.

    In half of the attempts a criterion holds where the attempt passes, else by the scenario's rate; the
    evaluation rate is over all criteria.
    """
    measures: list[list[PairedSums]] = [[] for _ in range(CRITERIA + 2)]
    for _ in range(n):
        scenario = population.scenario(rng, *rates)
        counts = repeats(rng)
        first, second = (_attempts(rng, rate, trials) for rate, trials in zip(scenario, counts, strict=True))
        sums = zip(
            [first[0], sum(first[1:]), *first[1:]], [second[0], sum(second[1:]), *second[1:]], strict=True
        )
        for place, (before, now) in enumerate(sums):
            each = CRITERIA if place == 1 else 1
            measures[place].append(PairedSums(before, each * counts[0], now, each * counts[1]))
    return measures


def _attempts(rng: random.Random, rate: float, trials: int) -> list[int]:
    """How many attempts passed, and how many each criterion held in."""
    held = [0] * (CRITERIA + 1)
    for _ in range(trials):
        passed = rng.random() < rate
        held[0] += passed
        for place in range(1, CRITERIA + 1):
            held[place] += passed if rng.random() < 0.5 else rng.random() < rate
    return held
