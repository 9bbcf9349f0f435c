"""What a comparison says beside its figures: changed scenarios, runs, advice, notes."""

from __future__ import annotations

import dataclasses
import re

import pytest
from airline_attempts import airline_attempts
from made_experiments import attempt, attempts, between, experiment, kinds, repeated, soft
from msgspec.structs import replace

from grice.experiments.attempts import Attempt, CheckTally
from grice.experiments.comparison.comparing import compare
from grice.experiments.comparison.records import ScenarioChange
from grice.experiments.gates.declared import GateOptions, declared_gates
from grice.experiments.gates.judging import judge_gates
from grice.records import Outcome


def test_changes_say_how_it_was_and_why_it_is() -> None:
    before = [
        attempt("budget", turns=7),
        attempt("urgent", False, failure="error", why="down"),
        attempt("same"),
    ]
    after = [attempt("budget", False, failure="max_turns", turns=10), attempt("urgent"), attempt("same")]
    passing, failing = between(before, after).changes
    assert passing == ScenarioChange(
        "example:urgent", "urgent", "newly passing", 0, 1, 1, 1, "error: down", "", 5, 5
    )
    assert failing == ScenarioChange(
        "example:budget", "budget", "newly failing", 1, 0, 1, 1, "", "max_turns", 7, 10
    )


def test_what_is_inconclusive_is_no_change() -> None:
    after = [attempt("a", outcome=Outcome.INCONCLUSIVE, failure="none", why="it could not tell")]
    assert between([attempt("a")], after).changes == ()


def test_repeats_pass_more_or_less_often() -> None:
    before = [*repeated("a", "++-"), *repeated("b", "---"), *repeated("c", "+++"), *repeated("d", "+--")]
    after = [*repeated("a", "+--"), *repeated("b", "+++"), *repeated("c", "---"), *repeated("d", "+++")]
    assert kinds(between(before, after)) == [
        ("newly passing", "b"),
        ("newly failing", "c"),
        ("passes more often", "d"),
        ("passes less often", "a"),
    ]


def test_the_most_frequent_reason_is_told() -> None:
    reasons = ("max_turns", "error", "max_turns")
    after = [attempt("a", False, repeat=number, failure=one) for number, one in enumerate(reasons, 1)]
    assert between(repeated("a", "+++"), after).changes[0].after == "max_turns"


def test_quality_of_scenarios_is_by_soft_checks_and_sorted_by_size() -> None:
    def side(*passed: int) -> list[Attempt]:
        return [attempt(f"s{n}", checks=soft("kind", one, 100 - one)) for n, one in enumerate(passed)]

    found = between(side(68, 72, 85, 90, 50), side(91, 88, 71, 78, 51))
    assert [(one.kind, one.baseline, one.current) for one in found.changes] == [
        ("quality improved", 0.68, 0.91),
        ("quality improved", 0.72, 0.88),
        ("quality regressed", 0.85, 0.71),
        ("quality regressed", 0.9, 0.78),
    ]


@pytest.mark.slow
def test_repeats_are_runs_with_a_mean_and_a_sample_deviation() -> None:
    """Of 1,000 scenarios: 78.7, 76.5 and 80.2 % are 78.5 % and 1.9 points."""
    passed = (787, 765, 802)
    side = [
        attempt(f"s{n:04}", n < passed[run - 1], repeat=run, checks=soft("kind", 1))
        for n in range(1000)
        for run in (1, 2, 3)
    ]
    completion, evaluation = between(side, side).baseline_runs
    assert (completion.name, completion.values) == ("completion rate", (0.787, 0.765, 0.802))
    assert completion.deviation is not None
    assert (round(completion.mean, 3), round(completion.deviation, 3)) == (0.785, 0.019)
    assert (evaluation.name, evaluation.values, evaluation.deviation) == ("evaluation rate", (1, 1, 1), 0)
    assert between(attempts("+-"), attempts("+-")).baseline_runs == ()


def test_advice_says_what_would_settle_it() -> None:
    before = [one for n in range(20) for one in repeated(f"s{n:02}", "+-")]
    marks = ("++", "+-", "+-", "--")
    after = [one for n in range(20) for one in repeated(f"s{n:02}", marks[n % 4])]
    found = between(before, after)
    assert found.conclusion == "no difference shown"
    (advice,) = found.advice
    assert advice.startswith("completion rate: to show a true difference of 5.0 points, four times in five, ")
    assert re.search(
        r"about \d+ scenarios like these, repeated as now, or \d+ attempts of each of these 20$", advice
    )


def test_without_repeats_the_attempts_needed_are_the_least_that_can_be() -> None:
    found = between(attempts("+-" * 20), attempts("++--" * 10))
    (advice,) = found.advice
    assert re.search(r"repeated as now, or at least \d+ attempts of each of these 40$", advice)


def test_what_would_be_shown_alone_is_told() -> None:
    asked = {"checks": (*soft("kind", 1, 1), CheckTally("toCallTool", "hard", "pass", 1))}
    found = between(attempts("------++++", **asked), attempts("++++++++++", **asked))
    assert found.advice[0] == (
        "completion rate: asked alone it would be shown; beside the others it takes more scenarios"
    )


def test_few_scenarios_that_are_all_alike_do_not_count_as_sure() -> None:
    (advice,) = between(attempts("+" * 10), attempts("+" * 10)).advice
    needed = re.search(r"(\d+) scenarios like these", advice)
    assert needed is not None
    assert int(needed[1]) > 50


@pytest.mark.slow
def test_a_difference_that_is_ruled_out_needs_no_advice() -> None:
    side = [one for n in range(2000) for one in repeated(f"s{n:04}", "+-"[n % 2])]
    (advice,) = between(side, side).advice
    assert advice == "completion rate: nothing is open, a difference of 5.0 points either way is ruled out"


def test_the_same_experiment_and_the_same_code_are_noted() -> None:
    side = experiment("a", attempts("+-"))
    assert compare(side, side).notes == ()  # the answer says it
    other = experiment("b", attempts("+-"), git_commit="a")
    assert any("the same commit and configuration" in note for note in compare(side, other).notes)
    dirty = experiment("b", attempts("+-"), git_commit="a", git_dirty=True)
    assert not any("the same commit" in note for note in compare(side, dirty).notes)


def test_a_baseline_that_is_later_is_noted_here_and_by_gates() -> None:
    earlier = experiment("a", attempts("+" * 10))
    head = replace(earlier.experiment, id="exp_b", timestamp="2026-11-20T10:00:00.001Z")
    later = dataclasses.replace(earlier, heads=(head,))
    note = "the baseline is the later of the two"
    assert note in compare(later, earlier).notes
    assert note not in compare(earlier, later).notes
    gates = declared_gates(None, GateOptions(("regression.completion=0.02",), (), "main", "")).gates
    assert note in judge_gates(gates, earlier, lambda _: later).notes
    assert note not in judge_gates(gates, later, lambda _: earlier).notes


def test_what_reading_left_out_is_noted() -> None:
    found = compare(
        experiment("a", attempts("+"), rest={"notes": ("0.jsonl:3: torn",)}), experiment("b", attempts("+"))
    )
    assert "baseline: 0.jsonl:3: torn" in found.notes


def test_keys_from_content_that_come_and_go_are_explained() -> None:
    found = between(
        [attempt("a"), attempt("scenario_5bf1f859")], [attempt("a"), attempt("scenario_c0caa103")]
    )
    assert any("known by its content" in note for note in found.notes)


def test_the_order_of_attempts_is_that_of_what_changed_and_matters_to_nothing_else() -> None:
    before, after = airline_attempts({0, 1}), airline_attempts({2, 3})
    one, other = between(before, after), between(before[::-1], after[::-1])
    assert sorted(map(repr, one.changes)) == sorted(map(repr, other.changes))
    assert replace(one, changes=()) == replace(other, changes=())


def test_what_newly_fails_stands_in_the_order_of_the_run() -> None:
    before = [attempt(name) for name in "abc"]
    after = [attempt(name, outcome=Outcome.FAIL) for name in "cab"]
    assert [one.key for one in between(before, after).newly_failing] == ["c", "a", "b"]
