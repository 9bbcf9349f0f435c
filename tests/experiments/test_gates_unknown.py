"""An interval of everything that could be says nothing, so no regression gate is kept by it."""

from __future__ import annotations

import pytest
from gated import result, told
from made_experiments import attempts, experiment


def states(each: int, limit: str, rule: str) -> tuple[str, str, str]:
    """A regression gate where so many scenarios are lost, and as many gained, of no others."""
    before = experiment("a", attempts("+" * each + "-" * each))
    now = experiment("b", attempts("-" * each + "+" * each))
    found = result(now, f"regression.completion={limit}", baseline=before, rule=rule)
    return *told(found), found.interval


@pytest.mark.parametrize("limit", ["0", "0.5", "1"])
@pytest.mark.parametrize("rule", ["point", "shown", "ruled_out"])
def test_an_interval_of_everything_keeps_no_gate(rule: str, limit: str) -> None:
    assert states(3, limit, rule)[:2] == (
        "fail",
        "no change (50.0% to 50.0%, 6 scenarios); too little is known",
    )


@pytest.mark.parametrize(
    ("rule", "limit", "state"),
    [("shown", "0", "pass"), ("ruled_out", "0.9", "fail"), ("ruled_out", "0.91", "pass")],
)
def test_an_interval_that_leaves_a_little_out_is_held_to_the_limit(rule: str, limit: str, state: str) -> None:
    found, said, interval = states(4, limit, rule)
    assert (found, interval) == (state, "-90.6 to +90.6")
    assert said.endswith(", 8 scenarios)")
