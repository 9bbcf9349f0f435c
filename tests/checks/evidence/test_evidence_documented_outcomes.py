"""Every example of the evidence rules has the outcome that is documented, in both profiles."""

from __future__ import annotations

import pytest

from grice.validation.validating import validate_checks


@pytest.mark.slow
@pytest.mark.parametrize("rule", ["evidence", "products", "policy"])
def test_every_example_has_its_documented_outcome(rule: str) -> None:
    validation = validate_checks(rule)
    assert validation.problems == ()
    assert validation.examples >= 60
    wrong = [
        (trial.example.id, trial.verdict.reason)
        for one in validation.measurements
        for trial in one.mismatches
    ]
    assert wrong == []
