"""The first looks of rules are those that the docs show."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from grice.checks.first_looks import first_look
from grice.checks.rules import RULES

PAGE = (Path(__file__).parents[2] / "docs" / "_measured" / "held_out_first.md").read_text("utf-8")


def rows(part: str) -> list[list[str]]:
    """The cells of the rows of a table."""
    found = re.search(f"<!-- {part} -->(.*?)<!-- /{part} -->", PAGE, re.DOTALL)
    assert found is not None
    cells = [[one.strip(" *") for one in row.strip("|").split("|")] for row in found[1].strip().split("\n")]
    return cells[2:]


def documented() -> dict[tuple[str, str], tuple[int, int] | None]:
    """By rule and profile how many of how many were right in the last blind round.

    None where the rule was written anew since, with its rows in sight: that is no first look.
    """
    last: dict[tuple[str, str], tuple[int, int] | None] = {}
    for rule, *cells in rows("rules"):
        for number, cell in enumerate(cells):
            if cell != "-":
                right, n = cell.split("/")
                last[rule, "seed" if number < 3 else "robust"] = int(right), int(n)
    for name, n, seed, robust, *_ in rows("detectors"):
        rule = name.split(",")[0]
        if seed != "-":
            last[rule, "seed"] = int(seed), int(n)
        last[rule, "robust"] = int(robust), int(n)
    for name, n, right, *_ in rows("claims"):
        last[name.split(",")[0], "robust"] = None if "short rule" in name else (int(right), int(n))
    return last


@pytest.mark.parametrize("rule", RULES, ids=lambda one: one.name)
def test_a_rule_has_the_first_look_of_the_docs(rule) -> None:
    for profile in rule.profiles:
        found = first_look(rule.name, profile)
        figure = None if found is None else (found.successes, found.n)
        assert figure == documented()[rule.name, profile], profile


def test_what_nobody_measured_has_none() -> None:
    assert first_look("toContain", "robust") is None
