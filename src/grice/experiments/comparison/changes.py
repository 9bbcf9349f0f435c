"""What changed for single scenarios. One flips by chance now and then: these are described, not tested."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from statistics import fmean
from typing import Literal

from grice.experiments.attempts import Attempt
from grice.experiments.comparison.measuring import SoftChecks, completed
from grice.experiments.comparison.pairing import Pair
from grice.experiments.comparison.records import ScenarioChange

SMALLEST = 0.02
"""A scenario's rate of soft checks changed from this difference on: two points."""

_Completion = Literal["newly passing", "newly failing", "passes more often", "passes less often"]
_Quality = Literal["quality improved", "quality regressed"]

_ORDER = (
    "newly passing",
    "newly failing",
    "passes more often",
    "passes less often",
    "quality improved",
    "quality regressed",
)


def scenario_changes(pairs: Iterable[Pair], checks: SoftChecks) -> tuple[ScenarioChange, ...]:
    """Every change, by kind, the largest first, else in the order of the run.

    Newly passing is a scenario that never passed and now always does, newly failing one the other way round;
    one that does so now and then passes more or less often. Quality is the share of those soft checks of the
    scenario that passed.
    """
    found = [
        change
        for pair in pairs
        for change in (_completion(pair), _quality(pair, checks))
        if change is not None
    ]
    found.sort(key=lambda one: (_ORDER.index(one.kind), -abs(one.current - one.baseline)))
    return tuple(found)


def _completion(pair: Pair) -> ScenarioChange | None:
    """None too where one side could not tell."""
    old, new = ([one for one in side if completed(one)] for side in (pair.baseline, pair.current))
    if not old or not new or (before := _rate(old)) == (after := _rate(new)):
        return None
    return ScenarioChange(
        pair.id,
        pair.name,
        _kind(before, after),
        before,
        after,
        len(old),
        len(new),
        _why(old),
        _why(new),
        fmean(one.turns for one in old),
        fmean(one.turns for one in new),
    )


def _kind(before: float, after: float) -> _Completion:
    if (before, after) == (0, 1):
        return "newly passing"
    if (before, after) == (1, 0):
        return "newly failing"
    return "passes more often" if after > before else "passes less often"


def _rate(attempts: Sequence[Attempt]) -> float:
    return sum(one.passed for one in attempts) / len(attempts)


def _why(attempts: Iterable[Attempt]) -> str:
    """The most frequent reason of those that did not pass: `max_turns: no end after 10 turns`."""
    reasons = Counter(_reason(one) for one in attempts if not one.passed)
    return reasons.most_common(1)[0][0] if reasons else ""


def _reason(attempt: Attempt) -> str:
    kind = attempt.outcome.value if attempt.failure == "none" else attempt.failure
    return f"{kind}: {attempt.why}" if attempt.why and attempt.why != kind else kind


def _quality(pair: Pair, checks: SoftChecks) -> ScenarioChange | None:
    before, after = _soft(pair.baseline, checks), _soft(pair.current, checks)
    if not before[1] or not after[1]:
        return None
    old, new = before[0] / before[1], after[0] / after[1]
    if round(abs(new - old), 9) < SMALLEST:
        return None
    kind: _Quality = "quality improved" if new > old else "quality regressed"
    return ScenarioChange(pair.id, pair.name, kind, old, new, before[1], after[1])


def _soft(attempts: Iterable[Attempt], checks: SoftChecks) -> tuple[float, int]:
    taken = [checks.take(one) for one in attempts]
    return sum(passed for passed, _ in taken), sum(count for _, count in taken)
