"""Regression gates: an experiment held against a baseline."""

from __future__ import annotations

from dataclasses import replace

import pytest
from airline_attempts import airline_experiment
from gated import passing, report, result, told
from made_experiments import attempt, attempts, experiment, soft
from msgspec import structs

from grice.experiments.attempts import Attempt
from grice.experiments.results import ExperimentResults
from grice.records import Outcome


def test_a_drop_that_is_shown_fails() -> None:
    before, now = experiment("a", attempts("+" * 40)), experiment("b", attempts("+" * 28 + "-" * 12))
    found = result(now, "regression.completion=0.02", baseline=before)
    assert told(found)[0] == "fail"
    assert found.found.startswith("30 points less (100% to 70.0%, 40 scenarios)")
    assert found.wanted == "at most 2 points less"
    assert found.actual == pytest.approx(0.3)


def test_a_drop_that_may_be_chance_is_kept_unless_it_has_to_be_ruled_out() -> None:
    before, now = experiment("a", attempts("+" * 40)), experiment("b", attempts("+" * 39 + "-"))
    states = {
        rule: told(result(now, "regression.completion=0", baseline=before, rule=rule))[0]
        for rule in ("point", "shown", "ruled_out")
    }
    assert states == {"point": "fail", "shown": "pass", "ruled_out": "fail"}
    assert result(now, "regression.completion=0.2", baseline=before, rule="ruled_out").passed


def test_better_is_no_regression() -> None:
    before, now = experiment("a", attempts("-" * 20 + "+" * 20)), experiment("b", attempts("+" * 40))
    found = result(now, "regression.completion=0", baseline=before, rule="ruled_out")
    assert told(found)[0] == "pass"
    assert found.found.startswith("50 points more (50.0% to 100%, 40 scenarios)")


def test_regressions_of_soft_checks_and_criteria() -> None:
    before = experiment("a", attempts("+" * 30, checks=soft("kind", 2)), criteria={"kind": "sha256:1"})
    now = experiment("b", attempts("+" * 30, checks=soft("kind", 1, 1)), criteria={"kind": "sha256:1"})
    found = report(now, "regression.evaluation=0.1", "regression.criteria.kind=0.1", baseline=before)
    assert [told(one)[0] for one in found.results] == ["fail", "fail"]
    assert all(one.found.startswith("50 points less (100% to 50.0%") for one in found.results)


def test_a_criterion_that_was_changed_or_is_new_cannot_be_compared() -> None:
    before = experiment("a", attempts("+" * 9, checks=soft("kind", 1)), criteria={"kind": "sha256:1"})
    fields = {"kind": "sha256:2", "brief": "sha256:3"}
    now = experiment("b", attempts("+" * 9, checks=soft("kind", 1) + soft("brief", 1)), criteria=fields)
    gates = [f"regression.criteria.{name}=0.1" for name in ("kind", "brief", "breif")]
    found = report(now, *gates, baseline=before)
    assert [told(one) for one in found.results] == [
        ("none", "cannot be compared: the criterion was changed"),
        ("none", "cannot be compared: one side was never judged by this criterion"),
        ("none", "was never judged in both"),
    ]


def test_an_invalid_comparison_keeps_no_gate() -> None:
    before = experiment("a", attempts("+" * 9), topic_graph_hash="sha256:1")
    now = experiment("b", attempts("+" * 9), topic_graph_hash="sha256:2")
    found = report(now, "regression.completion=1", baseline=before)
    assert told(found.results[0])[0] == "none"
    assert found.results[0].found.startswith("cannot be compared: ")
    assert any(note.startswith("comparability INVALID: Topic graph: ") for note in found.notes)


def test_a_baseline_that_is_not_there_keeps_no_gate() -> None:
    found = report(passing(5, 5), "regression.completion=1", "tokens_p95.max_rise=1")
    assert [told(one) for one in found.results] == [
        ("none", "the baseline main is not there or cannot be read")
    ] * 2
    assert found.notes == ("baseline main: there is no such run",)


def test_tokens_may_rise_so_far_over_the_baseline() -> None:
    before = experiment("a", [attempt("s", turns=1, tokens=(1000,))])
    now = experiment("b", [attempt("s", turns=1, tokens=(1200,))])
    found = result(now, "tokens_p95.max_rise=0.2", baseline=before)
    assert told(found) == ("pass", "20% more: 1,000 tokens (p95 of 1 turn) to 1,200 tokens (p95 of 1 turn)")
    assert told(result(now, "tokens_p95.max_rise=0.19", baseline=before))[0] == "fail"
    assert told(result(before, "tokens_p95.max_rise=0", baseline=now))[0] == "pass"
    untold = experiment("c", [attempt("s", turns=1)])
    assert told(result(now, "tokens_p95.max_rise=0.2", baseline=untold)) == (
        "none",
        "cannot be compared: the baseline was never measured: no turn has tokens",
    )
    nothing = experiment("c", [attempt("s", turns=1, tokens=(0,))])
    assert told(result(now, "tokens_p95.max_rise=9", baseline=nothing))[0] == "none"


def test_a_baseline_is_named() -> None:
    notes = report(passing(20, 20), "regression.completion=0", baseline=experiment("b", attempts("+"))).notes
    assert notes[0] == "baseline main: exp_b 'b'"


def test_a_baseline_that_was_recorded_later_is_told() -> None:
    before = passing(20, 20)
    later = replace(
        before, heads=(structs.replace(before.experiment, id="exp_b", timestamp="2026-11-21T10:00:00.000Z"),)
    )
    said = "the baseline is the later of the two"
    assert said in report(before, "regression.completion=0", baseline=later).notes
    assert said not in report(later, "regression.completion=0", baseline=before).notes


@pytest.mark.parametrize("gate", ["regression.completion=0", "latency_p95.max_rise=0.2"])
def test_an_experiment_that_is_its_own_baseline_keeps_no_gate(gate: str) -> None:
    same = experiment("a", attempts("+" * 20, turns=1, latencies=(1.0,)))
    found = result(same, gate, baseline=same)
    assert told(found) == ("none", "the baseline main is this experiment itself")
    other = experiment("b", attempts("+" * 20, turns=1, latencies=(1.0,)))
    assert result(same, gate, baseline=other).passed


def test_a_run_of_two_agents_is_said_to_be_mixed() -> None:
    whole = passing(20, 20)
    later = structs.replace(whole.experiment, agent="app:v2", timestamp="2026-11-20T11:00:00.000Z")
    mixed = replace(whole, heads=(structs.replace(whole.experiment, agent="app:v1"), later))
    said = "it was resumed after changes, and is of 2 agents"
    assert report(mixed, "completion=0.5").notes == (said,)
    assert report(whole, "completion=0.5").notes == ()


def test_the_same_agent_again_keeps_a_regression_gate_and_a_worse_one_does_not() -> None:
    before, again = airline_experiment("a", {0, 1}), airline_experiment("b", {2, 3})
    found = result(again, "regression.completion=0", rule="shown", baseline=before)
    assert (found.passed, found.open) == (True, True)
    strict = result(again, "regression.completion=0", baseline=before)
    assert not strict.passed
    assert strict.found.endswith(", which may be chance")
    whole = airline_experiment("whole", range(4))

    def fewer(all_of_them: list[Attempt]) -> list[Attempt]:
        """A failure for every second success: some 18 points less."""
        passed = [one for one in all_of_them if one.passed]
        lost = {(one.id, one.repeat) for one in passed[::2]}
        return [
            structs.replace(one, outcome=Outcome.FAIL) if (one.id, one.repeat) in lost else one
            for one in all_of_them
        ]

    worse = result(airline_experiment("c", range(4), fewer), "regression.completion=0.05", baseline=whole)
    assert told(worse)[0] == "fail"


def test_completion_that_was_never_checked_on_one_side_cannot_be_compared() -> None:
    soft_only, hard = attempts("+" * 9, checks=soft("kind", 1)), attempts("+" * 9)
    for before, now, side in ((hard, soft_only, "current experiment"), (soft_only, hard, "baseline")):
        found = result(experiment("b", now), "regression.completion=1", baseline=experiment("a", before))
        said = f"never checked in the {side}: no conversation there has a hard check (expect)"
        assert told(found) == ("none", f"cannot be compared: {said}")


def test_soft_checks_that_differ_cannot_be_compared() -> None:
    before = experiment("a", attempts("+" * 9, checks=soft("kind", 1)), criteria={"kind": "sha256:1"})
    changed = experiment("b", attempts("+" * 9, checks=soft("kind", 1)), criteria={"kind": "sha256:2"})
    said = "cannot be compared: no soft check is the same in both"
    assert told(result(changed, "regression.evaluation=0.1", baseline=before)) == ("none", said)


def test_scripted_tests_that_were_run_once_leave_nothing_to_chance_however_few() -> None:
    before = experiment("a", attempts("+++", simulated=False))
    same, worse = (experiment("b", attempts(marks, simulated=False)) for marks in ("+++", "++-"))
    found = result(same, "regression.completion=0", baseline=before)
    assert (*told(found), found.interval) == ("pass", "no change (100% to 100%, 3 scenarios)", "")
    assert told(result(worse, "regression.completion=0", baseline=before)) == (
        "fail",
        "33.3 points less (100% to 66.7%, 3 scenarios)",
    )
    played = experiment("c", attempts("+++"))
    assert told(result(played, "regression.completion=0", baseline=before))[0] == "fail"


# -- the points of a judge


def rated(name: str, *points: float, subject: str = "naturalness") -> ExperimentResults:
    """Thirty scenarios, with one turn each that a judge gave these points in turn."""
    given = [points[number % len(points)] for number in range(30)]
    return experiment(name, [attempt(f"s{n:02}", scores={subject: (one,)}) for n, one in enumerate(given)])


@pytest.mark.parametrize("subject", ["naturalness", "toSoundNatural"])
def test_the_points_of_a_judge_may_fall_so_far_below_the_baseline(subject: str) -> None:
    before = rated("a", 5, 4.8, subject=subject)
    now = rated("b", 4.5, 3.9, subject=subject)
    found = result(now, "regression.judges.naturalness=0.5", baseline=before)
    assert told(found) == ("fail", "0.7 points less (4.9 to 4.2, 30 scenarios)")
    assert found.wanted == "at most 0.5 points less"
    assert found.actual == pytest.approx(0.7)
    assert found.interval.startswith("-0.")
    assert result(now, "regression.judges.naturalness=0.7", baseline=before).passed
    better = result(before, "regression.judges.naturalness=0", baseline=now)
    assert (better.passed, better.found[:15]) == (True, "0.7 points more")


def test_of_two_ways_in_which_a_judge_was_asked_the_one_that_fell_most_decides() -> None:
    before, now = (
        experiment(
            name,
            [attempt(f"s{n}", scores={"naturalness": (4.0,), "toSoundNatural": (point,)}) for n in range(9)],
        )
        for name, point in (("a", 4.0), ("b", 3.0))
    )
    found = result(now, "regression.judges.naturalness=0.5", baseline=before)
    assert (found.passed, found.actual) == (False, 1)


def test_a_fall_of_points_that_may_be_chance_is_told() -> None:
    before = rated("a", 5, 4, 5)
    now = experiment("b", [*before.attempts[:-1], attempt("s29", scores={"naturalness": (1.0,)})])
    found = result(now, "regression.judges.naturalness=0.01", baseline=before)
    assert (found.passed, found.found.endswith(", which may be chance")) == (False, True)
    patient = result(now, "regression.judges.naturalness=0.01", baseline=before, rule="shown")
    assert (patient.passed, patient.open) == (True, True)


def test_a_judge_that_only_one_side_asked_keeps_no_gate() -> None:
    found = result(rated("b", 5), "regression.judges.guidance=4", baseline=rated("a", 5))
    assert told(found) == ("none", "was never judged in both")
    typo = result(rated("b", 5), "regression.judges.naturalnes=4", baseline=rated("a", 5))
    assert told(typo)[1] == "was never judged in both (did you mean 'naturalness'?)"
