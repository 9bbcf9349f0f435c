"""The tone rules do on their examples what the examples say."""

from functools import cache

import pytest

from grice.checks.rules import RULES
from grice.validation.validating import validate_checks

validated = cache(validate_checks)
TONE = [rule.name for rule in RULES if rule.module.startswith("tone.")]


@pytest.mark.parametrize("name", TONE)
def test_every_example_has_its_documented_outcome(name):
    validation = validated(name)
    assert validation.problems == ()
    wrong = [
        (trial.profile, trial.example.id, trial.documented, trial.verdict.outcome, trial.verdict.reason)
        for measured in validation.measurements
        for trial in measured.mismatches
    ]
    assert wrong == []


@pytest.mark.parametrize("name", TONE)
def test_the_robust_profile_is_right_on_nearly_all_and_the_seed_on_fewer(name):
    measured = {one.profile: one for one in validated(name).measurements}
    assert measured["robust"].n >= 50
    assert len(measured["robust"].faults) / measured["robust"].n < 0.06
    assert len(measured["seed"].faults) > 5 * len(measured["robust"].faults)


@pytest.mark.parametrize("name", TONE)
def test_the_examples_hold_both_outcomes_and_replies_without_anything_to_judge(name):
    robust = next(one for one in validated(name).measurements if one.profile == "robust")
    right = [trial.example.right.value for trial in robust.trials]
    assert min(right.count("pass"), right.count("fail")) >= 12
    assert "inconclusive" in right
