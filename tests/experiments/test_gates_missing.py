"""What is missing: a gate is kept where its figure keeps the limit, and no more is missing than may be."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from gated import passing, report, result, told
from made_experiments import attempt, attempts, experiment, repeated
from made_experiments import judged as judgings
from msgspec import structs

from grice.experiments.attempts import Attempt, CheckTally
from grice.experiments.results import ExperimentResults
from grice.records import Outcome
from grice.reporting.documents.gates import gates_json


def check(outcome: str, times: int = 1, *, mode: str = "soft", criterion: str = "polite") -> CheckTally:
    return CheckTally("toSatisfy", mode, outcome, times, criterion, 3)


def one_each(outcomes: str) -> list[Attempt]:
    """A scenario for each mark with one check: `+` holds, `-` does not, `?` could not tell, `!` broke."""
    words = {"+": "pass", "-": "fail", "?": "inconclusive", "!": "error"}
    return [attempt(f"s{n:03}", checks=(check(words[mark]),)) for n, mark in enumerate(outcomes)]


def lost(key: str, **fields: Any) -> Attempt:
    """An attempt that says nothing about the agent."""
    return attempt(key, False, **{"outcome": Outcome.ERROR, "counts": False, "turns": 0, **fields})


# -- the rule


def test_one_that_is_missing_is_one_too_many_unless_it_is_allowed() -> None:
    results = experiment("a", [*attempts("+" * 499), lost("x")])
    said = "100% (499/499), 1 missing (max_missing {})"
    assert told(result(results, "completion=0.8")) == ("fail", said.format(0))
    assert told(result(results, "completion=0.8", max_missing="1")) == ("pass", said.format(1))
    assert told(result(results, "completion=0.8", max_missing="0.002")) == ("pass", said.format(0.002))
    assert told(result(results, "completion=0.8", max_missing="0.001"))[0] == "fail"


def test_a_share_is_of_all_that_was_to_be_measured() -> None:
    results = experiment("a", [*attempts("+" * 9), lost("x")])
    assert result(results, "completion=1", max_missing="0.1").passed  # one of ten
    assert not result(results, "completion=1", max_missing="0.099").passed


def test_a_figure_beyond_its_limit_fails_whatever_may_be_missing() -> None:
    found = result(experiment("a", one_each("+--?")), "criteria.polite=0.5", max_missing="9")
    assert (*told(found), found.missing, found.max_missing) == (
        "fail",
        "33.3% (1/3), 1 missing (max_missing 9)",
        1,
        9,
    )


def test_nothing_that_was_measured_keeps_no_gate_however_much_may_be_missing() -> None:
    found = result(experiment("a", one_each("??!")), "criteria.polite=0", max_missing="9")
    assert (*told(found), found.missing) == (
        "none",
        "has no answer: 1 check broke, 2 checks could not tell",
        3,
    )


def test_where_nothing_is_missing_nothing_is_said_of_it() -> None:
    found = result(passing(9, 9), "completion=1", max_missing="0.5")
    assert (found.found, found.missing, found.max_missing) == ("100% (9/9)", 0, 0.5)


# -- what is missing of what


def test_of_completion_conversations_that_do_not_count_or_could_not_be_told_are_missing() -> None:
    undecided = attempt("y", outcome=Outcome.INCONCLUSIVE)
    results = experiment("a", [*attempts("+++-"), undecided, lost("x")])
    assert told(result(results, "completion=0.7", max_missing="2")) == (
        "pass",
        "75.0% (3/4), 2 missing (max_missing 2)",
    )


@pytest.mark.parametrize("mark", ["?", "!"])
@pytest.mark.parametrize("gate", ["criteria.polite", "evaluation", "layers.judges", "matchers.toSatisfy"])
def test_of_rates_checks_without_an_answer_are_missing(gate: str, mark: str) -> None:
    results = experiment("a", one_each("+" * 8 + mark * 2))
    said = "100% (8/8), 2 missing (max_missing {})"
    assert told(result(results, f"{gate}=1")) == ("fail", said.format(0))
    assert told(result(results, f"{gate}=1", max_missing="0.2")) == ("pass", said.format(0.2))


def test_of_a_conversation_that_does_not_count_what_it_recorded_is_missing_and_nothing_is_guessed() -> None:
    spoiled = [lost(f"x{n}", spoiled="helped", checks=(check("pass", 2),)) for n in range(2)]
    results = experiment("a", [*one_each("++++"), *spoiled, lost("y")])
    assert result(results, "criteria.polite=1").missing == 4
    assert result(results, "criteria.brief=1").missing == 0
    only = experiment("a", spoiled)
    assert told(result(only, "criteria.polite=0")) == (
        "none",
        "has no answer: 4 checks in a conversation that does not count",
    )


@pytest.mark.parametrize("failure", ["error", "timeout", "max_turns"])
def test_what_the_agent_broke_off_has_failed_and_misses_no_check(failure: str) -> None:
    ended = [attempt(f"x{n}", False, failure=failure, outcome=Outcome.ERROR) for n in range(5)]
    results = experiment("a", [*one_each("+" * 5), *ended])
    assert told(result(results, "criteria.polite=1")) == ("pass", "100% (5/5)")
    hard = [*attempts("+" * 5), *ended]
    assert told(result(experiment("a", hard), "completion=0.8")) == ("fail", "50.0% (5/10)")


def test_what_was_skipped_is_not_missing() -> None:
    skipped = [attempt(f"x{n}", outcome=Outcome.SKIPPED, checks=(check("error"),)) for n in range(40)]
    assert told(result(experiment("a", [*attempts("++++"), *skipped]), "completion=1"))[1] == "100% (4/4)"
    did_not_apply = attempt("x", checks=(check("skipped", 9),))
    results = experiment("a", [*one_each("++++"), did_not_apply, *skipped])
    assert told(result(results, "criteria.polite=1")) == ("pass", "100% (4/4)")


def test_of_a_judge_judgements_without_points_are_missing() -> None:
    given = [attempt(f"s{n}", scores={"polite": (4.0,)}, checks=(check("pass"),)) for n in range(9)]
    results = experiment("a", [*given, attempt("x", checks=(check("error", 2), check("skipped", 3)))])
    said = "4 points (median of 9 scores), 2 missing (max_missing {})"
    assert told(result(results, "judges.polite=3.7")) == ("fail", said.format(0))
    assert told(result(results, "judges.polite=3.7", max_missing="2")) == ("pass", said.format(2))


def test_a_judge_that_could_not_tell_and_gave_points_has_them() -> None:
    given = [attempt(f"s{n}", scores={"polite": (4.0,)}, checks=(check("inconclusive"),)) for n in range(9)]
    found = result(experiment("a", given), "judges.polite=4")
    assert told(found) == ("pass", "4 points (median of 9 scores)")


@pytest.mark.parametrize("gate", ["latency_p95=5", "tokens_p95=10"])
def test_of_percentiles_turns_without_a_value_are_missing(gate: str) -> None:
    whole = attempt("s", turns=9, latencies=(1.0,) * 9, tokens=(10,) * 9)
    part = attempt("t", turns=3, latencies=(1.0,), tokens=(10,))
    results = experiment("a", [whole, part, lost("x", turns=1)])
    assert told(result(results, gate))[1].endswith("(p95 of 10 turns), 3 missing (max_missing 0)")
    assert not result(results, gate).passed
    assert result(results, gate, max_missing="3").passed


def test_of_flakiness_repeats_that_say_nothing_are_missing() -> None:
    steady = [one for n in range(9) for one in repeated(f"s{n}", "++")]
    results = experiment("a", [*steady, lost("s0", repeat=3)])
    said = "0% (0/9 scenarios pass now and then), 1 missing (max_missing 0)"
    assert told(result(results, "flakiness=0.1")) == ("fail", said)
    assert result(results, "flakiness=0.1", max_missing="1").passed


def test_of_clarifiers_checks_that_broke_are_missing_and_those_without_a_round_are_not() -> None:
    none = CheckTally("toClarifyEfficiently", "soft", "inconclusive", 5)
    broke = structs.replace(none, outcome="error", times=2)
    asked = attempt("s", clarifying=((1.0, 1),), checks=(none,))
    assert result(experiment("a", [asked]), "clarifier_efficiency=2").passed
    found = result(experiment("a", [asked, attempt("x", checks=(broke,))]), "clarifier_efficiency=2")
    assert told(found) == ("fail", "1 turn (mean of 1 round), 2 missing (max_missing 0)")


@pytest.mark.parametrize("gate", ["scenarios=1", "uncalibrated=0"])
def test_of_plain_numbers_nothing_is_missing(gate: str) -> None:
    results = experiment("a", [*one_each("++?"), lost("x")])
    assert (result(results, gate).passed, result(results, gate, max_missing="3").max_missing) == (True, 0)


@pytest.mark.parametrize("gate", ["scenarios=0", "uncalibrated=9"])
def test_plain_numbers_of_nothing_keep_no_gate(gate: str) -> None:
    said = "was never measured: no conversation counts"
    assert told(result(experiment("a", [lost("x")]), gate)) == ("none", said)


# -- regressions


def test_of_a_drop_what_is_missing_on_either_side_is_missing() -> None:
    before = experiment("a", [lost("s38"), lost("s39"), *attempts("+" * 38)])
    now = experiment("b", [*attempts("+" * 39)[1:], lost("s00"), lost("new")])
    found = result(now, "regression.completion=0.02", baseline=before)
    assert (found.passed, found.missing) == (False, 2)  # `new` and s39 are on one side alone
    assert found.found.endswith(", 37 scenarios), 2 missing (max_missing 0)")
    assert result(now, "regression.completion=0.02", baseline=before, max_missing="0.05").passed


@pytest.mark.parametrize("gate", ["regression.criteria.polite", "regression.evaluation"])
@pytest.mark.parametrize("mark", ["?", "!"])
def test_a_judge_that_does_not_tell_any_more_hides_no_drop(gate: str, mark: str) -> None:
    criteria = {"polite": "sha256:1"}
    before = experiment("a", one_each("+" * 20), criteria=criteria)
    now = experiment("b", one_each("+" * 16 + mark * 4), criteria=criteria)
    found = result(now, f"{gate}=0.02", baseline=before)
    assert (found.passed, found.missing) == (False, 4)
    assert result(now, f"{gate}=0.02", baseline=before, max_missing="0.1").passed  # 4 of 40


def test_points_that_are_missing_hide_no_fall_of_a_judge() -> None:
    given = [attempt(f"s{n}", scores={"polite": (4.0,)}, checks=(check("pass"),)) for n in range(9)]
    broke = structs.replace(given[-1], scores={}, checks=(check("error"),))
    found = result(
        experiment("b", [*given[:-1], broke]), "regression.judges.polite=1", baseline=experiment("a", given)
    )
    assert (found.passed, found.missing, found.actual) == (False, 1, 0)


def turns(told: int) -> list[Attempt]:
    return [attempt("s", turns=9, tokens=(10,) * told)]


@pytest.mark.parametrize(("before", "now"), [(9, 8), (8, 9)])
def test_of_a_rise_turns_without_a_value_on_either_side_are_missing(before: int, now: int) -> None:
    sides = experiment("a", turns(before)), experiment("b", turns(now))
    found = result(sides[1], "tokens_p95.max_rise=0.2", baseline=sides[0])
    assert (found.passed, found.missing) == (False, 1)
    assert result(sides[1], "tokens_p95.max_rise=0.2", baseline=sides[0], max_missing="1").passed


@pytest.mark.parametrize("number", [1, 2, 3, 5])
def test_fewer_than_six_scenarios_show_nothing(number: int) -> None:
    before, now = experiment("a", attempts("+" * number)), experiment("b", attempts("-" * number))
    status, said = told(result(now, "regression.completion=0.02", baseline=before))
    assert status == "fail"
    few = "fewer than 6 never show a difference); too little is known"
    assert said.endswith(f", {number} scenario{'' if number == 1 else 's'}, {few}")


def test_six_scenarios_may_show_it() -> None:
    before, now = experiment("a", attempts("++++++")), experiment("b", attempts("------"))
    found = result(now, "regression.completion=0.02", baseline=before)
    assert (found.passed, "too little" in found.found) == (False, False)


# -- what the comparison is worth


def test_a_rise_is_not_told_of_what_cannot_be_compared() -> None:
    before = experiment("a", [attempt("s", turns=1, tokens=(9,))], topic_graph_hash="sha256:1")
    now = experiment("b", [attempt("s", turns=1, tokens=(8,))], topic_graph_hash="sha256:2")
    status, said = told(result(now, "tokens_p95.max_rise=0.2", baseline=before))
    assert (status, said.split(":")[0]) == ("none", "cannot be compared")
    other = experiment("c", [attempt("x", turns=1, tokens=(9,))])
    assert told(result(now, "tokens_p95.max_rise=9", baseline=other))[0] == "none"


def test_a_rise_is_over_the_scenarios_that_both_have() -> None:
    before = [attempt(f"s{n}", turns=1, tokens=(100,)) for n in range(9)]
    now = experiment("b", [*before, attempt("long", turns=1, tokens=(9000,))])
    p95 = "100 tokens (p95 of 9 turns)"
    found = result(now, "tokens_p95.max_rise=0", baseline=experiment("a", before))
    assert told(found) == ("pass", f"no change: {p95} to {p95}")


def test_a_rise_tells_the_doubts_about_the_comparison() -> None:
    before = experiment("a", [attempt("s", turns=1, tokens=(9,))], planned=10)
    found = report(experiment("b", before.attempts), "tokens_p95.max_rise=0.2", baseline=before)
    assert any(note.startswith("comparability LOW: Finished: ") for note in found.notes)


def judged(model: str, **head: Any) -> ExperimentResults:
    checks = (check("pass"),)
    held = attempts("+" * 30, checks=checks, judged=judgings({"polite": "sha256:1"}, model=model))
    return experiment(model, held, criteria={"polite": "sha256:1"}, **head)


def test_a_comparison_has_to_be_worth_something() -> None:
    before, now = judged("one"), judged("two")
    gate = "regression.validity=MEDIUM"
    assert told(result(now, gate, baseline=before)) == ("fail", "LOW: Judge LLM")
    (found,) = report(now, gate, baseline=before).results
    assert found.wanted == "at least MEDIUM"
    assert result(now, "regression.validity=LOW", baseline=before).passed
    plain = json.loads(gates_json(report(now, gate, baseline=before)))["gates"][0]
    assert (plain["actual"], plain["bound"], plain["limit"]) == ("LOW", "at least", "MEDIUM")
    again = replace(before, heads=(structs.replace(before.experiment, id="exp_again"),))
    assert told(result(again, "regression.validity=HIGH", baseline=before)) == ("pass", "HIGH")


def test_a_doubt_has_the_level_that_it_costs() -> None:
    held = judged("two").attempts
    now = experiment("b", held, criteria={"polite": "sha256:1"}, planned=31)
    found = report(now, "regression.completion=0.02", baseline=judged("one"))
    levels = {note.split(":")[1].strip(): note.split(":")[0] for note in found.notes[1:]}
    assert levels == {"Judge LLM": "comparability LOW", "Finished": "comparability MEDIUM"}
