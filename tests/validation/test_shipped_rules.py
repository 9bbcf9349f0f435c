"""The rules do what their examples document, and the docs say how often that is right."""

import importlib.util
import inspect
from pathlib import Path

import pytest

from grice.checks.profiles import PROFILES
from grice.checks.rules import RULES
from grice.validation import validate_checks

pytestmark = pytest.mark.slow  # every example of every rule is judged

ROOT = Path(__file__).parent.parent.parent
LEAST = 30
"""Examples a rule has at least, under its robust profile."""


@pytest.fixture(scope="module")
def validation():
    return validate_checks()


@pytest.fixture(scope="module")
def generator():
    spec = importlib.util.spec_from_file_location("generate_measured", ROOT / "tools/generate_measured.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_example_file_can_be_read(validation):
    assert validation.problems == ()


def test_every_outcome_is_as_documented(validation):
    wrong = [
        f"{trial.example.id} {trial.profile}: documented {trial.documented}, found {trial.verdict.outcome}, "
        f"{trial.verdict.reason}"
        for one in validation.measurements
        for trial in one.mismatches
    ]
    assert wrong == []


@pytest.mark.parametrize("name", [rule.name for rule in RULES])
def test_a_rule_has_enough_examples_that_should_fail_and_that_should_not(validation, name):
    (one,) = [one for one in validation.measurements if (one.rule, one.profile) == (name, "robust")]
    should_fail = one.alarms.true_alarms + one.alarms.missed
    assert one.n >= LEAST
    assert should_fail >= 5
    assert one.n - should_fail >= 5
    assert all(trial.example.why for trial in one.trials)


@pytest.mark.parametrize("name", [rule.name for rule in RULES])
def test_a_rule_takes_its_profile_by_name_and_robust_is_the_default(name):
    rule = next(one for one in RULES if one.name == name)
    parameter = inspect.signature(rule.factory.function).parameters.get("profile")
    if parameter is None:
        assert rule.profiles == ("robust",)
    else:
        assert rule.profiles == PROFILES
        assert (parameter.kind, parameter.default) == (parameter.KEYWORD_ONLY, "robust")


def test_the_measured_tables_of_the_docs_are_not_stale(validation, generator):
    """Run `make generate` when this fails."""
    assert generator.generate(validation) == generator.TARGET.read_text("utf-8")


def test_the_docs_include_only_measured_parts_that_are_there(generator):
    written = generator.TARGET.read_text("utf-8")
    for page in sorted((ROOT / "docs").glob("*.md")):
        lines = page.read_text("utf-8").splitlines()
        for place, line in enumerate(lines):
            if line.startswith("```{include}") and "_measured/rules.md" in line:
                marks = [one.split(":", 2)[2].strip().strip("\"'") for one in lines[place + 1 : place + 3]]
                assert len(marks) == 2
                assert all(mark in written for mark in marks), f"{page.name}:{place + 1}: {marks}"
