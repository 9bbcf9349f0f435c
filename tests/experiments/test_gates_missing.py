"""What is missing counts against a gate: no gate is kept that it could break."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from made_experiments import attempt, attempts, experiment, repeated
from made_experiments import judged as judgings
from msgspec import structs

from grice.experiments.attempts import Attempt, CheckTally
from grice.experiments.gates.declared import GateOptions, declared_gates
from grice.experiments.gates.judging import judge_gates
from grice.experiments.gates.records import GateReport, GateResult
from grice.experiments.results import ExperimentResults
from grice.records import Outcome
from grice.reporting.documents.gates import gates_json

FEW = ", and fewer than 6 never show a difference; too little is known"


def report(
    results: ExperimentResults, *gates: str, rule: str = "", baseline: ExperimentResults | None = None
) -> GateReport:
    declared = declared_gates(None, GateOptions(gates, (), "main" if baseline else "", rule)).gates
    return judge_gates(declared, results, lambda _: baseline or results)


def told(
    results: ExperimentResults, gate: str, *, rule: str = "", baseline: ExperimentResults | None = None
) -> tuple[str, str]:
    (found,) = report(results, gate, rule=rule, baseline=baseline).results
    return state(found), found.found


def state(found: GateResult) -> str:
    return "pass" if found.passed else "missing" if found.missing else "fail"


def check(outcome: str, times: int = 1, *, mode: str = "soft", criterion: str = "polite") -> CheckTally:
    return CheckTally("toSatisfy", mode, outcome, times, criterion, 3)


def one_each(outcomes: str) -> list[Attempt]:
    """A scenario for each mark with one check: `+` holds, `-` does not, `?` could not tell, `!` broke."""
    words = {"+": "pass", "-": "fail", "?": "inconclusive", "!": "error"}
    return [attempt(f"s{n:03}", checks=(check(words[mark]),)) for n, mark in enumerate(outcomes)]


def lost(key: str, **fields: Any) -> Attempt:
    """An attempt that says nothing about the agent."""
    return attempt(key, False, **{"outcome": Outcome.ERROR, "counts": False, "turns": 0, **fields})


def with_lost(number: int, total: int) -> list[Attempt]:
    return [lost(f"s{n:03}") if n < number else attempt(f"s{n:03}") for n in range(total)]


# -- rates


@pytest.mark.slow
@pytest.mark.parametrize("gate", ["completion", "criteria.polite", "evaluation", "layers.judges"])
def test_one_of_five_hundred_moves_a_rate_by_a_fifth_of_a_point(gate: str) -> None:
    hard = CheckTally("toContain", "hard", "pass", 1)
    done = [structs.replace(one, checks=(*one.checks, hard)) for one in one_each("+" * 499)]
    held = [*done, lost("s499", checks=(check("error"),))]
    said = "100% (499/499); 99.8% if the 1 that does not count had failed"
    assert told(experiment("a", held), f"{gate}=0.99") == ("pass", said)
    assert told(experiment("a", held), f"{gate}=1") == ("missing", said)


@pytest.mark.parametrize("mark", ["?", "!"])
@pytest.mark.parametrize("gate", ["criteria.polite", "evaluation", "layers.judges", "matchers.toSatisfy"])
def test_checks_without_an_answer_count_as_failed(gate: str, mark: str) -> None:
    results = experiment("a", one_each("+" + mark * 39))
    said = "100% (1/1); 2.5% if the 39 without an answer had failed"
    assert told(results, f"{gate}=0.95") == ("missing", said)
    few = experiment("a", one_each("+" * 39 + mark))
    assert told(few, f"{gate}=0.95") == (
        "pass",
        "100% (39/39); 97.5% if the 1 without an answer had failed",
    )


def test_a_figure_that_is_under_its_limit_anyway_is_not_missing() -> None:
    assert told(experiment("a", one_each("+--?")), "criteria.polite=0.5")[0] == "fail"


def test_what_the_simulated_user_spoiled_counts_as_failed_whatever_it_was() -> None:
    spoiled = [lost(f"x{n}", spoiled="helped", checks=(check("pass"),)) for n in range(10)]
    results = experiment("a", [*one_each("+" * 30), *spoiled])
    said = "100% (30/30); 75.0% if the 10 that do not count had failed"
    assert told(results, "criteria.polite=0.9") == ("missing", said)


def test_what_broke_off_before_its_checks_has_those_of_its_scenario_or_set() -> None:
    done = [attempt(f"s{n}", set_name="rooms", checks=(check("pass", 2),)) for n in range(9)]
    others = [attempt(f"y{n}", set_name="prices") for n in range(20)]
    broke = [lost("s0", repeat=2), lost("x", set_name="rooms"), lost("z", set_name="prices"), lost("else")]
    assert told(experiment("a", [*done, *others, *broke]), "criteria.polite=0.8") == (
        "pass",
        "100% (18/18); 81.8% if the 2 that do not count had failed",
    )


def test_what_broke_off_and_is_of_no_set_has_the_checks_of_most_of_the_run() -> None:
    rare = [attempt(f"r{n}", checks=(check("pass", criterion="brief"),)) for n in range(2)]
    results = experiment("a", [*one_each("+" * 6), *rare, lost("x"), lost("y")])
    said = "100% (6/6); 75.0% if the 2 that do not count had failed"
    assert told(results, "criteria.polite=0.8") == ("missing", said)
    assert told(results, "criteria.brief=1") == ("pass", "100% (2/2)")


def test_a_long_conversation_is_no_measure_for_one_that_broke_off() -> None:
    lengths = [1, 1, 1, 1, 16]  # four on average
    done = [attempt(f"s{n}", set_name="rooms", checks=(check("pass", k),)) for n, k in enumerate(lengths)]
    results = experiment("a", [*done, lost("x", set_name="rooms")])
    assert told(results, "criteria.polite=0.8") == (
        "pass",
        "100% (20/20); 83.3% if the 1 that does not count had failed",
    )


def test_where_most_conversations_do_not_count_no_check_is_known() -> None:
    results = experiment("a", [*one_each("++++"), *(lost(f"x{n}") for n in range(5))])
    for gate in ("criteria.polite=0", "evaluation=0", "layers.judges=0", "uncalibrated=9"):
        assert told(results, gate) == ("missing", "is not known: 5 conversations do not count, and 4 do")


def test_what_was_skipped_is_left_out_on_purpose() -> None:
    skipped = [attempt(f"x{n}", outcome=Outcome.SKIPPED) for n in range(40)]
    held = experiment("a", [*attempts("++++"), *skipped])
    assert told(held, "completion=1") == ("pass", "100% (4/4; 40 skipped)")
    did_not_apply = [attempt("x", checks=(check("skipped", 9),))]
    results = experiment("a", [*one_each("++++"), *did_not_apply])
    assert told(results, "criteria.polite=1") == ("pass", "100% (4/4)")


def test_the_rule_looks_at_the_interval_of_the_worst_case() -> None:
    results = experiment("a", with_lost(20, 100))
    assert told(results, "completion=0.95", rule="shown") == (
        "missing",
        "100% (80/80); 80.0% if the 20 that do not count had failed; 95 % interval 71.1% to 86.7%",
    )
    assert told(experiment("a", with_lost(1, 100)), "completion=0.95", rule="shown")[0] == "pass"


# -- judges, turns, repeats


def test_judgements_without_points_had_the_fewest() -> None:
    given = [attempt(f"s{n}", scores={"polite": (4.0,)}, checks=(check("pass"),)) for n in range(9)]
    few = experiment("a", [*given, attempt("x", checks=(check("error", 8),))])
    said = "4 points (median of 9 scores); 4 points if the 8 without an answer had got 1 point"
    assert told(few, "judges.polite=3.7") == ("pass", said)
    many = experiment("a", [*given, attempt("x", checks=(check("error", 10),))])
    assert told(many, "judges.polite=3.7")[0] == "missing"


def test_a_judge_that_could_not_tell_and_gave_points_has_them() -> None:
    given = [attempt(f"s{n}", scores={"polite": (4.0,)}, checks=(check("inconclusive"),)) for n in range(9)]
    assert told(experiment("a", given), "judges.polite=4") == ("pass", "4 points (median of 9 scores)")


def turns(missing: int, *, slow: int = 0) -> list[Attempt]:
    """A hundred turns of one second, so many of them untold and so many of nine seconds."""
    told = (1.0,) * (100 - missing - slow) + (9.0,) * slow
    return [attempt("s", turns=100, latencies=told, tokens=(10,) * (100 - missing))]


@pytest.mark.parametrize("gate", ["latency_p95=5", "tokens_p95=10"])
def test_turns_without_a_value_are_over_the_limit(gate: str) -> None:
    assert told(experiment("a", turns(5)), gate)[0] == "pass"
    status, said = told(experiment("a", turns(6)), gate)
    what = "times" if gate.startswith("latency") else "tokens"
    assert status == "missing"
    assert said.endswith(f"(p95 of 94 of 100 turns); anything if the 6 turns without {what} had more")


def test_a_worst_case_without_end_is_told_in_json_too() -> None:
    for number, worst in ((6, "infinite"), (0, None)):
        found = json.loads(gates_json(report(experiment("a", turns(number)), "tokens_p95=10")))
        assert found["gates"][0]["worst"] == worst


def test_slow_turns_leave_less_room_for_missing_ones() -> None:
    assert told(experiment("a", turns(2, slow=3)), "latency_p95=5")[0] == "pass"
    assert told(experiment("a", turns(2, slow=4)), "latency_p95=5") == (
        "missing",
        "1 s (p95 of 98 of 100 turns); 9 s if the 2 turns without times had more",
    )


def test_conversations_that_do_not_count_have_a_turn_at_least() -> None:
    results = experiment("a", [*turns(0), *(lost(f"x{n}") for n in range(6))])
    assert told(results, "latency_p95=5") == (
        "missing",
        "1 s (p95 of 100 turns); anything if the 6 turns without times had more",
    )
    slow = [lost(f"x{n}", turns=1, latencies=(9.0,)) for n in range(6)]
    assert told(experiment("a", [*turns(0), *slow]), "latency_p95=5") == (
        "missing",
        "1 s (p95 of 100 turns); 9 s with the 6 turns of attempts that do not count",
    )


def test_a_percentile_may_not_rise_by_what_is_missing_on_either_side() -> None:
    before, now = turns(0), turns(0)
    assert told(experiment("b", now), "tokens_p95.max_rise=0", baseline=experiment("a", before))[0] == "pass"
    gate = "tokens_p95.max_rise=0.2"
    status, said = told(experiment("b", turns(6)), gate, baseline=experiment("a", before))
    assert (status, said.split("; ")[1]) == (
        "missing",
        "anything, now if the 6 turns without tokens had more",
    )
    status, said = told(experiment("b", now), gate, baseline=experiment("a", turns(96)))
    assert (status, said.split("; ")[1]) == (
        "missing",
        "anything, then if the 96 turns without tokens had none",
    )


def test_a_scenario_that_lost_a_repeat_may_be_flaky() -> None:
    steady = [one for n in range(9) for one in repeated(f"s{n}", "++")]
    results = experiment("a", [*steady, *repeated("x", "++"), lost("x", repeat=3)])
    condition = "if the 1 that does not count had gone the other way"
    said = f"0% (0/10 scenarios pass now and then); 10.0% {condition}"
    assert told(results, "flakiness=0.1") == ("pass", said)
    assert told(results, "flakiness=0.05") == ("missing", said)


def test_flakiness_is_not_known_where_most_scenarios_were_run_once() -> None:
    results = experiment("a", [*repeated("s00", "++"), *attempts("+" * 40)[1:]])
    assert told(results, "flakiness=0.05") == ("missing", "is not known: 39 of 40 scenarios were run once")
    half = experiment("a", [*repeated("s00", "++"), *repeated("s01", "++"), *attempts("++++")[2:]])
    assert told(half, "flakiness=0.05") == (
        "pass",
        "0% (0/2 scenarios pass now and then; 2 were run once)",
    )


def test_clarifiers_are_not_known_where_most_checks_broke() -> None:
    checks = (CheckTally("toClarifyEfficiently", "soft", "error", 2),)
    results = experiment("a", [attempt("s", clarifying=((1.0, 1),)), attempt("x", checks=checks)])
    assert told(results, "clarifier_efficiency=2") == (
        "missing",
        "is not known: 2 checks broke, more than found a round",
    )


# -- regressions


def test_what_does_not_count_now_counts_as_failed_against_a_baseline() -> None:
    before = experiment("a", with_lost(0, 40))
    status, said = told(experiment("b", with_lost(30, 40)), "regression.completion=0.02", baseline=before)
    assert status == "missing"
    assert said.startswith(
        "no change: 100% to 100% over 10 scenarios; a drop of 75 points if the 30 that do not count had "
        "failed; 95 % interval of the change "
    )
    (one,) = report(
        experiment("b", with_lost(1, 40)), "regression.completion=0", rule="shown", baseline=before
    ).results
    assert (one.passed, one.open) == (True, True)


def test_what_did_not_count_then_counts_as_passed_in_the_baseline() -> None:
    now = experiment("b", attempts("-" * 10 + "+" * 30))
    before = [lost(f"s{n:02}") if n < 10 else attempt(f"s{n:02}") for n in range(40)]
    status, said = told(now, "regression.completion=0.02", baseline=experiment("a", before))
    assert status == "missing"
    assert "a drop of 25 points if the 10 that do not count of the baseline had passed" in said


def test_lost_repeats_may_have_failed() -> None:
    """400 scenarios, three times each; a repeat of sixty of them says nothing now."""
    before = [one for n in range(400) for one in repeated(f"s{n:03}", "+++")]
    now = [lost(one.key, repeat=3) if one.repeat == 3 and one.key < "s060" else one for one in before]
    status, said = told(experiment("b", now), "regression.completion=0", baseline=experiment("a", before))
    assert status == "missing"
    assert "a drop of 5 points if the 60 that do not count had failed" in said


@pytest.mark.slow
@pytest.mark.parametrize("gate", ["regression.criteria.polite", "regression.evaluation"])
@pytest.mark.parametrize("mark", ["?", "!"])
def test_a_judge_that_does_not_tell_any_more_hides_no_drop(gate: str, mark: str) -> None:
    criteria = {"polite": "sha256:1"}
    before = experiment("a", one_each("+" * 40), criteria=criteria)
    now = experiment("b", one_each("+" * 26 + mark * 14), criteria=criteria)
    status, said = told(now, f"{gate}=0.02", baseline=before)
    assert status == "missing"
    assert said.startswith(
        "no change: 100% to 100% over 26 scenarios; a drop of 35 points if the 14 without "
    )
    one = experiment("b", one_each("+" * 39 + mark), criteria=criteria)
    assert told(one, f"{gate}=0", baseline=before)[0] == "missing"
    assert told(one, f"{gate}=0", rule="shown", baseline=before)[0] == "pass"


def test_a_baseline_that_could_not_tell_may_have_passed() -> None:
    undecided = [attempt(f"s{n:02}", outcome=Outcome.INCONCLUSIVE) for n in range(20)]
    before = experiment("a", [*undecided, *attempts("+" * 40)[20:]])
    now = experiment("b", attempts("-" * 20 + "+" * 20))
    status, said = told(now, "regression.completion=0.02", baseline=before)
    assert status == "missing"
    assert "a drop of 50 points if the 20 without an answer of the baseline had passed" in said
    both = experiment("b", [lost("s39"), *attempts("-" * 20 + "+" * 19)])
    _, said = told(both, "regression.completion=0.02", baseline=before)
    assert (
        "if the 1 that does not count had failed and the 20 without an answer of the baseline had passed"
        in said
    )


@pytest.mark.parametrize("number", [1, 2, 3, 5])
def test_fewer_than_six_scenarios_show_nothing(number: int) -> None:
    before, now = experiment("a", attempts("+" * number)), experiment("b", attempts("-" * number))
    status, said = told(now, "regression.completion=0.02", baseline=before)
    assert status == "missing"
    assert said.endswith(f"over {number} scenario{'' if number == 1 else 's'}{FEW}")


def test_six_scenarios_may_show_it() -> None:
    before, now = experiment("a", attempts("++++++")), experiment("b", attempts("------"))
    assert told(now, "regression.completion=0.02", baseline=before)[0] == "fail"


# -- what the comparison is worth


def test_a_rise_is_not_told_of_what_cannot_be_compared() -> None:
    before = experiment("a", [attempt("s", turns=1, tokens=(9,))], topic_graph_hash="sha256:1")
    now = experiment("b", [attempt("s", turns=1, tokens=(8,))], topic_graph_hash="sha256:2")
    status, said = told(now, "tokens_p95.max_rise=0.2", baseline=before)
    assert (status, said.split(":")[0]) == ("missing", "cannot be compared")
    other = experiment("c", [attempt("x", turns=1, tokens=(9,))])
    assert told(now, "tokens_p95.max_rise=9", baseline=other)[0] == "missing"


def test_a_rise_is_over_the_scenarios_that_both_have() -> None:
    before = [attempt(f"s{n}", turns=1, tokens=(100,)) for n in range(9)]
    added = [attempt("long", turns=1, tokens=(9000,))]
    now = experiment("b", [*before, *added])
    p95 = "100 tokens (p95 of 9 turns)"
    assert told(now, "tokens_p95.max_rise=0", baseline=experiment("a", before)) == (
        "pass",
        f"no change: {p95} to {p95}, over the 9 scenarios that both have",
    )


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
    assert told(now, gate, baseline=before) == ("fail", "LOW: Judge LLM")
    (found,) = report(now, gate, baseline=before).results
    assert found.wanted == "at least MEDIUM"
    assert told(now, "regression.validity=LOW", baseline=before)[0] == "pass"
    plain = json.loads(gates_json(report(now, gate, baseline=before)))["gates"][0]
    assert (plain["actual"], plain["bound"], plain["limit"]) == ("LOW", "at least", "MEDIUM")
    again = replace(before, heads=(structs.replace(before.experiment, id="exp_again"),))
    assert told(again, "regression.validity=HIGH", baseline=before) == ("pass", "HIGH")


def test_a_doubt_has_the_level_that_it_costs() -> None:
    held = judged("two").attempts
    now = experiment("b", held, criteria={"polite": "sha256:1"}, planned=31)
    found = report(now, "regression.completion=0.02", baseline=judged("one"))
    levels = {note.split(":")[1].strip(): note.split(":")[0] for note in found.notes[1:]}
    assert levels == {"Judge LLM": "comparability LOW", "Finished": "comparability MEDIUM"}


def test_a_drop_that_was_measured_is_not_called_missing() -> None:
    """Four scenarios fail now, and the baseline lost repeats."""
    before = [one for n in range(20) for one in repeated(f"s{n:02}", "+-")]
    before = [
        lost(one.key, repeat=one.repeat) if one.repeat == 2 and one.key < "s10" else one for one in before
    ]
    now = [one for n in range(20) for one in repeated(f"s{n:02}", "--" if n < 4 else "+-")]
    (found,) = report(
        experiment("b", now), "regression.completion=0.02", rule="point", baseline=experiment("a", before)
    ).results
    assert (found.passed, found.missing) == (False, False)
    assert found.worst is not None
    assert found.worst > 0.02
