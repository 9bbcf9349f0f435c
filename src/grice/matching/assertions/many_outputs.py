"""The same assertions on many outputs: how many would pass, and which do not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import msgspec

from grice.matching.assertions.assertion import LoadedAssertion
from grice.matching.assertions.evaluation import evaluate_assertions, evaluate_outcomes
from grice.matching.assertions.results import AssertionResult
from grice.matching.limits import limits_in_force
from grice.matching.selector import Parse
from grice.records import Outcome, fold_all

MOST_SHOWN = 100
"""Outputs that did not pass of which everything is told; the others are counted."""


class AssertionTally(msgspec.Struct, frozen=True, rename={"assertion_id": "assertionId"}):
    """How many outputs have each outcome of one assertion; `unresolved` of them had nothing at the path."""

    assertion_id: str
    outcomes: dict[Outcome, int]
    unresolved: int = 0


class NotPassed(msgspec.Struct, frozen=True):
    """An output that did not pass: its place among them, from 0, what it is called, and why."""

    index: int
    name: str
    outcome: Outcome
    results: tuple[AssertionResult, ...]


class ManyEvaluations(msgspec.Struct, frozen=True, rename={"not_shown": "notShown"}):
    """What came of many outputs. `passed` only when there are some, and every one passed.

    `failing` are the first that did not pass, `not_shown` counts the others.
    """

    passed: bool
    total: int
    outcomes: dict[Outcome, int]
    assertions: tuple[AssertionTally, ...]
    failing: tuple[NotPassed, ...]
    not_shown: int = 0


def evaluate_many(
    outputs: Iterable[tuple[str, object]],
    assertions: Sequence[LoadedAssertion],
    *,
    parse: Parse = "auto",
    most_shown: int = MOST_SHOWN,
) -> ManyEvaluations:
    """Judge each output, given with what it is called. Of those that pass only the number is kept."""
    outcomes: Counter[Outcome] = Counter()
    tallies = [Counter[Outcome]() for _ in assertions]
    unresolved = [0 for _ in assertions]
    failing: list[NotPassed] = []
    limits = limits_in_force()
    for index, (name, output) in enumerate(outputs):
        bare = evaluate_outcomes(output, assertions, parse=parse, limits=limits)
        outcome = Outcome.ERROR if bare is None else fold_all(one.outcome for one in bare)
        told = [] if bare is None else [(one.outcome, one.unresolved) for one in bare]
        if bare is None or (outcome is not Outcome.PASS and len(failing) < most_shown):
            whole = evaluate_assertions(output, assertions, parse=parse, limits=limits)
            outcome = whole.outcome
            told = told or [(one.outcome, one.unresolved) for one in whole.results]
            if not whole.passed and len(failing) < most_shown:
                failing.append(NotPassed(index, name, outcome, whole.results))
        outcomes[outcome] += 1
        for place, (of_one, is_unresolved) in enumerate(told):
            tallies[place][of_one] += 1
            unresolved[place] += is_unresolved
    total = outcomes.total()
    counted = zip(assertions, tallies, unresolved, strict=True)
    return ManyEvaluations(
        passed=0 < outcomes[Outcome.PASS] == total,
        total=total,
        outcomes=dict(outcomes),
        assertions=tuple(AssertionTally(one.assertion.id, dict(own), none) for one, own, none in counted),
        failing=tuple(failing),
        not_shown=total - outcomes[Outcome.PASS] - len(failing),
    )
