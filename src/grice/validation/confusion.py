"""What was found against what is right, how far that is agreement, and which part of a rule decided."""

from __future__ import annotations

from collections import Counter

import msgspec

from grice.records import Outcome
from grice.stats.agreement import cohen_kappa
from grice.stats.estimates import Estimate
from grice.validation.measuring import Measurement, Trial

__all__ = ["Attribution", "alarm_kappa", "attributions", "confusion"]


class Attribution(msgspec.Struct, frozen=True):
    """A part of a rule, and how often the outcome that it decided was right."""

    part: str
    right: int
    wrong: int


def confusion(one: Measurement) -> dict[Outcome, Counter[Outcome]]:
    """How often each outcome was found, by the one that is right."""
    counts: dict[Outcome, Counter[Outcome]] = {}
    for trial in one.trials:
        counts.setdefault(trial.example.right, Counter())[trial.verdict.outcome] += 1
    return {outcome: counts[outcome] for outcome in Outcome if outcome in counts}


def alarm_kappa(one: Measurement) -> Estimate | None:
    """Cohen's kappa of alarm or none, from -1 to 1; None where all is of one class."""
    pairs = [
        (trial.verdict.outcome is Outcome.FAIL, trial.example.right is Outcome.FAIL) for trial in one.trials
    ]
    return cohen_kappa(pairs)


def attributions(one: Measurement) -> list[Attribution]:
    """The parts of the rule that decided, those that did most first; a rule that names none has none.

    A matcher names them in the detail of its verdict: `{"rules": ["leading answer"]}`.
    """
    right: Counter[str] = Counter()
    wrong: Counter[str] = Counter()
    for trial in one.trials:
        (right if trial.is_right else wrong).update(_parts(trial))
    names = sorted({*right, *wrong}, key=lambda name: (-right[name] - wrong[name], name))
    return [Attribution(name, right[name], wrong[name]) for name in names]


def _parts(trial: Trial) -> list[str]:
    named = trial.verdict.detail.get("rules")
    return list(dict.fromkeys(map(str, named))) if isinstance(named, list) else []
