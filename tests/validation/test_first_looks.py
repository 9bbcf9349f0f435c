"""The first looks of rules are those that the docs show, of the last round that was blind."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from grice.checks.first_looks import first_look
from grice.checks.rules import RULES

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "_measured" / "held_out_first.md").read_text("utf-8")
ROUND = ROOT / "benchmarks" / "first_looks" / "round_4"


def documented() -> dict[tuple[str, str], tuple[str, str]]:
    """By rule and profile how many outcomes and how many alarms were right in that round, as the docs say."""
    found = re.search("<!-- round 4 -->(.*?)<!-- /round 4 -->", PAGE, re.DOTALL)
    assert found is not None
    _, _, *rows = found[1].strip().split("\n")
    cells = [[one.strip() for one in row.strip("|").split("|")] for row in rows]
    return {
        (rule, profile): (figure, alarms)
        for rule, seed, robust, of_seed, of_robust, *_ in cells
        for profile, figure, alarms in (("seed", seed, of_seed), ("robust", robust, of_robust))
        if figure != "-"
    }


def test_the_docs_have_every_rule_in_each_profile() -> None:
    assert set(documented()) == {(rule.name, profile) for rule in RULES for profile in rule.profiles}


@pytest.mark.parametrize("rule", RULES, ids=lambda one: one.name)
def test_a_rule_has_the_first_look_of_the_docs(rule) -> None:
    for profile in rule.profiles:
        found = first_look(rule.name, profile)
        assert found is not None
        told = f"{found.right}/{found.n}", f"{found.right_alarms}/{found.alarms}"
        assert told == documented()[rule.name, profile], profile


@pytest.mark.parametrize("rule", RULES, ids=lambda one: one.name)
def test_a_first_look_counts_every_row_and_every_fault(rule) -> None:
    rows = [json.loads(row) for row in (ROUND / f"{rule.name}.jsonl").read_text("utf-8").splitlines()]
    found = first_look(rule.name, "robust")
    assert found is not None
    assert found.n == len(rows)
    assert found.faults == sum(row.get("robust", row.get("expected")) == "fail" for row in rows)


def test_a_first_look_says_both_what_was_right_and_what_was_found() -> None:
    assert str(first_look("tool-flow", "robust")) == "right in 8 of 8 alarms; found 8 of 12 faults"


def test_what_nobody_measured_has_none() -> None:
    assert first_look("toContain", "robust") is None
