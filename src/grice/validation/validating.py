"""Measure many rules at once: those that Grice ships, or the examples of a user's folder."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import inf
from pathlib import Path

import msgspec

from grice.checks.profiles import PROFILES, Profile
from grice.checks.rule_names import UnknownCheck
from grice.checks.rules import RULES
from grice.files.document import FileErrors
from grice.files.folders import files_named
from grice.records import Outcome
from grice.text import did_you_mean
from grice.validation.example_reading import read_examples
from grice.validation.examples import Example
from grice.validation.measured_rules import MeasuredRule, find_rule
from grice.validation.measuring import Measurement, Trial, measure

_ENDINGS = (".jsonl", ".json")


class Validation(msgspec.Struct, frozen=True):
    """The result of a validation: a measurement per rule and profile, and what could not be read.

    `left_out` counts examples of other rules than the one that was asked for; `shipped` says that they are
    those of Grice.
    """

    measurements: tuple[Measurement, ...] = ()
    problems: tuple[str, ...] = ()
    left_out: int = 0
    shipped: bool = False

    @property
    def examples(self) -> int:
        """How many different examples were tried."""
        tried = {
            (one.rule, trial.example.file, trial.example.id)
            for one in self.measurements
            for trial in one.trials
        }
        return len(tried)

    @property
    def complete(self) -> bool:
        """Whether everything could be read, and something was tried."""
        return not self.problems and self.examples > 0

    @property
    def as_documented(self) -> bool:
        """Whether every outcome is the documented one."""
        return not any(one.mismatches for one in self.measurements)


def validate_checks(
    name: str = "", folder: Path | None = None, *, profiles: Sequence[Profile] = PROFILES
) -> Validation:
    """Measure rules on labelled examples: all that Grice ships with their examples, or the chosen ones.

    `name` is a rule or a matcher. `folder` holds a user's own examples, or is one such file; then `name` is
    the rule of those that name none, and of all of a file. An example that says only what is right holds
    `robust` to that, and `seed` where no other profile is asked for. Raises UnknownCheck for a name that is
    no rule.
    """
    wanted = find_rule(name) if name else None
    if folder is None:
        return _of_shipped([wanted.name] if wanted else [one.name for one in RULES], profiles)
    return _of_folder(wanted, folder, profiles)


def _of_shipped(names: Sequence[str], profiles: Sequence[Profile]) -> Validation:
    measured: list[Measurement] = []
    problems: list[str] = []
    for name in names:
        try:
            rule = find_rule(name)
        except UnknownCheck as broken:
            problems.append(str(broken))
            continue
        if not rule.examples:
            problems.append(f"{rule.name} is no rule with examples of its own: name a folder of examples")
            continue
        try:
            examples = read_examples(rule.examples, rule, always=True)
        except FileErrors as wrong:
            problems += map(str, wrong.errors)
            continue
        measured += _measured(rule, profiles, [_held_to(rule.profiles, one) for one in examples])
    if not measured and not problems:
        problems = [_without_profile(", ".join(names), profiles)]
    return Validation(tuple(measured), tuple(problems), shipped=True)


def _held_to(profiles: Sequence[Profile], example: Example) -> Example:
    """The example, and where just the truth was given, that these profiles have to give it."""
    if not example.truth_only:
        return example
    return msgspec.structs.replace(example, documented=dict.fromkeys(profiles, example.right))


def _of_folder(rule: MeasuredRule | None, folder: Path, profiles: Sequence[Profile]) -> Validation:
    files, wrong = files_named([folder], _is_of_examples, "no .jsonl or .json files below this folder")
    if wrong:
        return Validation(problems=tuple(map(str, wrong)))
    try:
        examples = read_examples(files, rule, always=rule is not None and not folder.is_dir())
    except FileErrors as error:
        return Validation(problems=tuple(map(str, error.errors)))
    if len(profiles) == 1:  # who asks for one profile wants to know of that one
        examples = [_held_to(profiles, one) for one in examples]
    names = dict.fromkeys(one.rule for one in examples)
    rules = sorted(map(find_rule, names), key=_by_layer) if rule is None else [rule]
    measured = [one for each in rules for one in _measured(each, profiles, examples)]
    left_out = sum(one.rule != rule.name for one in examples) if rule is not None else 0
    problems = () if any(one.n for one in measured) else (_nothing(rule, list(names), profiles),)
    return Validation(tuple(measured), problems, left_out)


def _by_layer(rule: MeasuredRule) -> float:
    """The layer of a rule; those without one come last."""
    return inf if rule.layer is None else rule.layer


def _measured(
    rule: MeasuredRule, profiles: Sequence[Profile], examples: Sequence[Example]
) -> list[Measurement]:
    """A measurement for each profile that the rule has."""
    return [measure(rule, profile, examples) for profile in profiles if profile in rule.profiles]


def _nothing(rule: MeasuredRule | None, names: Sequence[str], profiles: Sequence[Profile]) -> str:
    """Why nothing was tried."""
    if rule is not None and rule.name not in names:
        found = ", ".join(names) or "no rule"
        return f"nothing was examined: the examples are of {found}{did_you_mean(rule.name, names)}"
    if rule is not None and not set(profiles) & set(rule.profiles):
        return _without_profile(rule.name, profiles)
    asked = " and ".join(profiles)
    return f"nothing was examined: no example says what is right under the profile {asked}"


def _is_of_examples(name: str) -> bool:
    return name.endswith(_ENDINGS)


def _without_profile(names: str, profiles: Sequence[Profile]) -> str:
    """That nothing was tried, since the rules do not have what was asked for."""
    return f"nothing was examined: {names} has no profile {' or '.join(profiles)}"


RIGHT, WRONG, FIXED, KNOWN, MEASURED, NOT_TRIED = "pass", "FAIL", "FIXED", "known", "wrong", "-"

MEANINGS = {
    WRONG: "not as expected, fails the command",
    FIXED: "right where a fault is documented, fails the command",
    KNOWN: "wrong as documented, does not fail the command",
    MEASURED: "only measured: no example says what this profile gives, does not fail the command",
    NOT_TRIED: "not tried",
}

"""What the results of a row say, but for the one that is right. Those in capitals decide the exit code."""

EXPECTED = {
    Outcome.FAIL: "alarm",
    Outcome.PASS: "no alarm",
    **{one: one.value for one in (Outcome.INCONCLUSIVE, Outcome.SKIPPED, Outcome.ERROR)},
}

"""What is right on an example, in words that nobody takes for its result."""


class ListedExample(msgspec.Struct, frozen=True):
    """An example, and how it was classified under each profile, in the order of `profiles`."""

    example: Example
    results: tuple[str, ...]
    found: tuple[str, ...]


def listed(measured: Sequence[Measurement], profiles: Sequence[Profile]) -> Iterator[ListedExample]:
    """The examples of one rule, in their order."""
    trials: dict[tuple[str, str, int], dict[Profile, Trial]] = {}
    for one in measured:
        for trial in one.trials:
            example = trial.example
            trials.setdefault((example.file, example.id, example.line), {})[one.profile] = trial
    for by_profile in trials.values():
        found = [by_profile.get(profile) for profile in profiles]
        example = next(iter(by_profile.values())).example
        outcomes = tuple("" if one is None else one.verdict.outcome.value for one in found)
        yield ListedExample(example, tuple(map(_result, found)), outcomes)


def _result(trial: Trial | None) -> str:
    if trial is None:
        return NOT_TRIED
    if not trial.as_documented:
        return FIXED if trial.is_right else WRONG
    if trial.is_right:
        return RIGHT
    return MEASURED if trial.documented is None else KNOWN
