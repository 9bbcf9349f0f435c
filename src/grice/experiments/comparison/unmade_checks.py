"""What is shown of completion if a pass without the check that the other side failed by were none.

Whether a hard check is made may depend on what the agent says, so a few that are not made are no sign of
another test. They matter where they decide.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import msgspec

from grice.experiments.attempts import Attempt
from grice.experiments.comparison.check_kinds import CheckKind, failed_kinds, kinds_of, named_kinds
from grice.experiments.comparison.deciding import decide
from grice.experiments.comparison.measuring import COMPLETION, measure
from grice.experiments.comparison.pairing import Pair
from grice.experiments.comparison.records import Aspect, Measure
from grice.records import Outcome

__all__ = ["unmade_checks_that_decide"]


def unmade_checks_that_decide(
    hard_checks: Aspect, measures: Sequence[Measure], pairs: Sequence[Pair]
) -> Aspect | None:
    """The aspect of hard checks where completion is not shown with them failed; None where it is.

    `measures` are decided.
    """
    (before,) = [one for one in measures if one.family == "completion"]
    unmade = frozenset[CheckKind]().union(*map(_unmade, pairs))
    if hard_checks.grade == "weakens" or before.decision not in ("improved", "regressed") or not unmade:
        return None
    counted = measure(COMPLETION, [_as_failed(pair) for pair in pairs])
    after = decide([counted if one is before else one for one in measures])
    if any(one.family == "completion" and one.decision == before.decision for one in after):
        return None
    told = [] if hard_checks.grade == "same" else [hard_checks.reason]
    told.append(f"{before.name}: not shown if passes without {named_kinds(unmade)}, failed on the other side")
    return Aspect(hard_checks.name, "weakens", f"{'; '.join(told)}, were none")


def _unmade(pair: Pair) -> frozenset[CheckKind]:
    """The kinds of checks that one side failed, and without which an attempt of the other passed."""
    return frozenset().union(
        *(_lacking(one, pair.baseline) for one in pair.current),
        *(_lacking(one, pair.current) for one in pair.baseline),
    )


def _lacking(one: Attempt, others: Sequence[Attempt]) -> frozenset[CheckKind]:
    return failed_kinds(others) - kinds_of([one], "hard") if one.passed else frozenset()


def _as_failed(pair: Pair) -> Pair:
    return replace(
        pair,
        baseline=tuple(_judged(one, pair.current) for one in pair.baseline),
        current=tuple(_judged(one, pair.baseline) for one in pair.current),
    )


def _judged(one: Attempt, others: Sequence[Attempt]) -> Attempt:
    return msgspec.structs.replace(one, outcome=Outcome.FAIL) if _lacking(one, others) else one
