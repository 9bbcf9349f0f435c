"""The tables on held-out examples and on real replies, which the docs show, are those of today."""

import importlib.util
from pathlib import Path

import pytest

from grice.checks.rules import RULES
from grice.validation import validate_checks

pytestmark = pytest.mark.slow  # every example of every rule is judged

ROOT = Path(__file__).parent.parent.parent
SHORT = 25
PER_RULE = 10
"""Held-out examples that a rule has at least."""


@pytest.fixture(scope="module")
def generator():
    spec = importlib.util.spec_from_file_location("generate_measured", ROOT / "tools/generate_measured.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def validation_of_rules():
    return validate_checks(profiles=["robust"])


@pytest.fixture(scope="module")
def held_out(generator):
    return validate_checks(folder=generator.EXAMPLES)


def test_every_rule_has_held_out_examples_that_can_be_read(held_out):
    assert held_out.problems == ()
    counted = {one.rule: one.n for one in held_out.measurements if one.profile == "robust"}
    assert {rule.name for rule in RULES if counted.get(rule.name, 0) < PER_RULE} == set()


def test_no_held_out_reply_is_an_example_of_its_rule(validation_of_rules, held_out):
    own = {text for one in validation_of_rules.measurements for text in _texts(one)}
    held = {text for one in held_out.measurements for text in _texts(one)}
    assert own
    assert held
    assert own & held == set()


def _texts(measurement):
    """The replies of the examples, but for those of a few words, which anybody would write."""
    found = ((measurement.rule, trial.example.text) for trial in measurement.trials)
    return [one for one in found if len(one[1] or "") > SHORT]


def test_the_table_on_held_out_examples_is_not_stale(generator, held_out):
    """Run `make generate` when this fails."""
    assert generator.generate_held_out(held_out) == generator.HELD_OUT.read_text("utf-8")


def test_the_tables_of_studies_are_not_stale(generator):
    """Run `make generate` when this fails."""
    assert generator.generate_studies(generator.FOLDER) == generator.STUDIES.read_text("utf-8")


@pytest.mark.parametrize(
    "name", ["contradictions.md", "held_out.md", "held_out_first.md", "judges.md", "studies.md"]
)
def test_the_docs_include_only_parts_that_are_there(generator, name):
    written = (generator.FOLDER / name).read_text("utf-8")
    for page in sorted((ROOT / "docs").glob("*.md")):
        lines = page.read_text("utf-8").splitlines()
        for place, line in enumerate(lines):
            if line.startswith("```{include}") and f"_measured/{name}" in line:
                marks = [one.split(":", 2)[2].strip().strip("\"'") for one in lines[place + 1 : place + 3]]
                assert len(marks) == 2
                assert all(mark in written for mark in marks), f"{page.name}:{place + 1}: {marks}"
