"""How often a check is right on labelled examples."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import msgspec

from grice.checks.profiles import Profile
from grice.matching.context import resolve_subject
from grice.matching.judge import judge
from grice.matching.matcher import ArgumentError
from grice.matching.verdicts import error_text
from grice.records import Outcome, Verdict, errored
from grice.stats.agreement import cohen_kappa
from grice.stats.estimates import Estimate
from grice.stats.rates import Confusion, Rate, rate
from grice.validation.examples import Example
from grice.validation.measured_rules import MeasuredRule, matcher_for

UNDECIDED = (Outcome.INCONCLUSIVE, Outcome.SKIPPED, Outcome.ERROR)

"""The outcomes that are neither an alarm nor its absence."""


class Trial(msgspec.Struct, frozen=True):
    """A check tried on an example under a profile: its verdict."""

    example: Example
    profile: Profile
    verdict: Verdict

    @property
    def documented(self) -> Outcome | None:
        """The documented outcome of the profile; None where there is none."""
        return self.example.documented.get(self.profile)

    @property
    def as_documented(self) -> bool:
        """Whether the outcome is the documented one; also true where none is documented."""
        documented = self.documented
        return documented is None or self.example.allows(self.verdict.outcome, documented)

    @property
    def is_right(self) -> bool:
        """Whether the outcome, one of five, is the right one."""
        return self.example.allows(self.verdict.outcome, self.example.right)


class Undecided(msgspec.Struct, frozen=True):
    """The number of trials with an outcome that decides nothing, and of those where that was right."""

    found: int = 0
    right: int = 0


class Measurement(msgspec.Struct, frozen=True):
    """The results of a rule under a profile.

    An alarm is the outcome `fail`: `alarms` counts them against the examples for which it is right. One that
    should have failed and was not decided is a missed one. `right` counts exact outcomes.
    """

    rule: str
    matcher: str
    layer: int | None
    profile: Profile
    trials: tuple[Trial, ...]
    alarms: Confusion
    undecided: Mapping[Outcome, Undecided]

    @property
    def n(self) -> int:
        """How many examples were tried."""
        return len(self.trials)

    @property
    def precision(self) -> Rate | None:
        """Of the alarms, the share that is right; None without alarms."""
        return self.alarms.precision

    @property
    def recall(self) -> Rate | None:
        """Of what should be an alarm, the share that is; None where nothing should."""
        return self.alarms.recall

    @property
    def accuracy(self) -> Rate | None:
        """The share of the examples whose outcome, one of five, is right; None without examples."""
        return rate(sum(one.is_right for one in self.trials), self.n)

    @property
    def mismatches(self) -> tuple[Trial, ...]:
        """The trials whose outcome is not the documented one."""
        return tuple(one for one in self.trials if not one.as_documented)

    @property
    def faults(self) -> tuple[Trial, ...]:
        """The trials whose outcome is wrong, as documented or not."""
        return tuple(one for one in self.trials if not one.is_right)


def measure(rule: MeasuredRule, profile: Profile, examples: Iterable[Example]) -> Measurement:
    """Try the rule under a profile on the examples that cover this profile."""
    trials = tuple(
        try_on(rule, profile, one)
        for one in examples
        if one.rule == rule.name and one.covers(profile) and _can_ask(rule, profile, one)
    )
    return Measurement(
        rule.name,
        rule.factory.name,
        rule.layer,
        profile,
        trials,
        _alarms(trials),
        {outcome: _undecided(trials, outcome) for outcome in UNDECIDED},
    )


def _can_ask(rule: MeasuredRule, profile: Profile, example: Example) -> bool:
    """Whether the profile takes the arguments; where its outcome is documented it has to."""
    if profile in example.documented:
        return True
    try:
        matcher_for(rule.factory, example.args, profile)
    except ArgumentError:
        return False
    return True


def try_on(rule: MeasuredRule, profile: Profile, example: Example) -> Trial:
    """The verdict on one example. Never raises."""
    try:
        made = matcher_for(rule.factory, example.args, profile)
        seen = resolve_subject(example.subject)
    except Exception as error:  # the check is somebody's code
        return Trial(example, profile, errored(f"the check cannot be made: {error_text(error)}"))
    return Trial(example, profile, judge(made, seen.subject, seen.context))


def _alarms(trials: Sequence[Trial]) -> Confusion:
    pairs = [(one.verdict.outcome is Outcome.FAIL, one.example.right is Outcome.FAIL) for one in trials]
    return Confusion(
        true_alarms=pairs.count((True, True)),
        false_alarms=pairs.count((True, False)),
        missed=pairs.count((False, True)),
        true_quiet=pairs.count((False, False)),
    )


def _undecided(trials: Sequence[Trial], outcome: Outcome) -> Undecided:
    found = [one for one in trials if one.verdict.outcome is outcome]
    return Undecided(len(found), sum(one.is_right for one in found))


class Attribution(msgspec.Struct, frozen=True):
    """A part of a rule, and how often the outcome that it decided was right."""

    part: str
    right: int
    wrong: int


def confusion(one: Measurement) -> dict[Outcome, Counter[Outcome]]:
    """Count the outcomes found, by the right outcome."""
    counts: dict[Outcome, Counter[Outcome]] = {}
    for trial in one.trials:
        counts.setdefault(trial.example.right, Counter())[trial.verdict.outcome] += 1
    return {outcome: counts[outcome] for outcome in Outcome if outcome in counts}


def alarm_kappa(one: Measurement) -> Estimate | None:
    """Cohen's kappa of alarm or none, from -1 to 1; None where all examples are of one class."""
    pairs = [
        (trial.verdict.outcome is Outcome.FAIL, trial.example.right is Outcome.FAIL) for trial in one.trials
    ]
    return cohen_kappa(pairs)


def attributions(one: Measurement) -> list[Attribution]:
    """The parts of the rule that decided, the most frequent first; [] for a rule that names no parts.

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
