"""Completion where conversations have no hard check: what nobody checked is neither held nor lost."""

from __future__ import annotations

from made_experiments import attempts, between, measure, soft

from grice.experiments.attempts import CheckTally
from grice.reporting.comparison.answer import answer

CALLED = (CheckTally("toCallTool", "hard", "pass", 1),)
SOFT = attempts("+" * 12, checks=soft("kind", 0, 1))


def test_a_suite_of_soft_checks_has_no_completion() -> None:
    found = between(SOFT, SOFT)
    completion = measure(found, "completion rate")
    assert (completion.baseline, completion.current, completion.difference) == (None, None, None)
    assert completion.decision == "not decided"
    assert "Completion was never checked: no conversation has a hard check (expect)." in answer(found)
    assert "100%" not in answer(found)
    assert not any(one.startswith("completion") for one in found.advice)


def test_one_side_alone_decides_nothing() -> None:
    hard = attempts("-" * 12, checks=(*soft("kind", 0, 1), *CALLED))
    for before, after, side, other in (
        (SOFT, hard, "baseline", "current experiment"),
        (hard, SOFT, "current experiment", "baseline"),
    ):
        found = between(before, after)
        assert measure(found, "completion rate").decision == "not decided"
        assert found.conclusion == "no difference shown"
        assert (
            f"Completion was never checked in the {side}: no conversation there has a hard check (expect). "
            f"In the {other} it is 0%."
        ) in answer(found)


def test_repeats_without_a_hard_check_have_no_spread_of_completion() -> None:
    again = [*SOFT, *(attempts("+" * 12, checks=soft("kind", 1), repeat=2))]
    assert [one.name for one in between(again, again).baseline_runs] == ["evaluation rate"]
