"""What is told of criteria that cannot be told apart, and of those that nothing was judged by."""

from __future__ import annotations

from typing import Any

from made_experiments import attempts, experiment, soft

from grice.experiments.comparison.comparing import compare
from grice.experiments.comparison.records import Comparison, Grade


def aspect(found: Comparison, name: str) -> tuple[Grade, str]:
    one = next(one for one in found.comparability.aspects if one.name == name)
    return one.grade, one.reason


def test_code_of_criteria_that_nothing_was_judged_by_is_not_told() -> None:
    head: dict[str, Any] = {
        "criteria": {"kind": "1", "asks": "2"},
        "opaque": ("criterion asks", "criterion kind", "user play"),
    }
    found = compare(
        experiment("a", attempts("+-", checks=soft("kind", 2)), **head),
        experiment("b", attempts("+-", checks=soft("kind", 2)), **head),
    )
    told = "known by its own source only, not by what it calls: criterion kind, user play"
    assert aspect(found, "Code in the configuration") == ("expected", told)
    alone = {**head, "opaque": ("criterion asks",)}
    none = compare(experiment("a", attempts("+-"), **alone), experiment("b", attempts("+-"), **alone))
    assert aspect(none, "Criteria")[1] == "none on either side"
    assert "Code in the configuration" not in {one.name for one in none.comparability.aspects}
