"""Gates: what keeps one, what does not, and that what was never measured keeps none."""

from __future__ import annotations

from dataclasses import replace

import pytest
from gated import checked, nobody, passing, report, result, tally, told
from made_experiments import attempt, attempts, experiment
from msgspec import structs

from grice.experiments.attempts import Attempt
from grice.experiments.gates.judging import judge_gates
from grice.experiments.gates.records import Gate
from grice.experiments.results import ExperimentResults
from grice.records import Outcome

# -- completion and its rules


def test_a_gate_is_kept_at_its_limit() -> None:
    assert told(result(passing(8, 10), "completion=0.8")) == ("pass", "80.0% (8/10)")
    assert told(result(passing(7, 10), "completion=0.8")) == ("fail", "70.0% (7/10)")
    found = result(passing(39, 47), "completion=0.8")
    assert (found.found, found.wanted) == ("83.0% (39/47)", "at least 80%")
    assert found.actual == pytest.approx(39 / 47)


@pytest.mark.parametrize(
    ("passed", "point", "shown", "ruled_out"),
    [
        (50, "fail", "fail", "fail"),  # the interval ends below 80 %
        (76, "fail", "pass", "fail"),  # 80 % is in it
        (84, "pass", "pass", "fail"),
        (95, "pass", "pass", "pass"),  # it begins above 80 %
    ],
)
def test_a_rule_says_how_sure_it_has_to_be(passed: int, point: str, shown: str, ruled_out: str) -> None:
    results = passing(passed, 100)
    for rule, state in (("point", point), ("shown", shown), ("ruled_out", ruled_out)):
        found = result(results, "completion=0.8", rule=rule)
        assert (rule, told(found)[0]) == (rule, state)


def test_the_interval_stands_beside_a_figure_that_it_decides() -> None:
    found = result(passing(76, 100), "completion=0.8", rule="shown")
    assert found.found == "76.0% (76/100), which may be chance"
    assert found.interval == "66.8% to 83.3%"  # Wilson's
    assert (found.passed, found.open, found.wanted) == (True, True, "at least 80% (rule shown)")
    assert (round(found.low or 0, 3), round(found.high or 0, 3)) == (0.668, 0.833)


def test_repeats_of_a_scenario_make_an_interval_no_surer() -> None:
    once = experiment("a", attempts("++++++++--"))
    often = experiment("b", [replaced for one in once.attempts for replaced in _repeated(one, 20)])
    first, second = (result(one, "completion=0.5", rule="ruled_out") for one in (once, often))
    assert second.low is not None
    assert second.low < 0.55
    assert (first.passed, second.passed) == (False, False)


def _repeated(one: Attempt, times: int) -> list[Attempt]:
    return [structs.replace(one, repeat=number + 1) for number in range(times)]


def test_one_scenario_shows_nothing() -> None:
    found = result(passing(1, 1), "regression.completion=0", baseline=experiment("b", attempts("+")))
    assert told(found) == (
        "fail",
        ("no change (100% to 100%, 1 scenario, fewer than 6 never show a difference); too little is known"),
    )


def test_completion_is_of_what_counts() -> None:
    held = attempts("++++") + [attempt(f"x{n}", False, counts=False) for n in range(4)]
    assert told(result(experiment("a", held), "completion=0.4", max_missing="0.4")) == (
        "fail",
        "100% (4/4), 4 missing (max_missing 0.4)",
    )
    skipped = [attempt("s", outcome=Outcome.SKIPPED)]
    assert told(result(experiment("a", skipped), "completion=0")) == (
        "none",
        "was never measured: no conversation counts and could be told",
    )


def test_completion_without_any_hard_check_was_never_checked() -> None:
    soft_only = experiment("a", attempts("+" * 12, checks=(tally("fail"),)))
    said = "was never checked: no conversation has a hard check"
    assert told(result(soft_only, "completion=0")) == ("none", said)
    unsaid = experiment("a", [attempt("s", outcome=Outcome.INCONCLUSIVE)])
    assert told(result(unsaid, "completion=0")) == ("none", said)
    # That a hard check broke where nothing counts changes nothing.
    broken = attempt("x", False, counts=False, checks=(tally("error", mode="hard"),))
    lost = experiment("a", [*soft_only.attempts, broken])
    assert told(result(lost, "completion=0")) == ("none", said)


def test_what_completion_does_not_show_stands_in_its_line() -> None:
    hard = attempts("+" * 9 + "-", checks=(tally("pass", mode="hard"),))
    some = [attempt(f"x{n}", checks=(tally("fail"),)) for n in range(2)]
    said = "91.7% (11/12; 2 without a hard check)"
    assert told(result(experiment("a", [*hard, *some]), "completion=0.9")) == ("pass", said)


# -- checks


def test_the_evaluation_rate_is_of_soft_checks() -> None:
    results = checked(tally("pass", 3), tally("fail", 1), tally("fail", 5, mode="hard"))
    assert told(result(results, "evaluation=0.75")) == ("pass", "75.0% (30/40)")
    assert told(result(checked(tally("pass", mode="hard")), "evaluation=0")) == (
        "none",
        "was never measured: there is no soft check",
    )


def test_a_criterion_is_of_answers_from_both_modes() -> None:
    results = checked(tally("pass", 2), tally("fail", mode="hard"), tally("inconclusive"))
    said = "66.7% (20/30), 10 missing (max_missing 0.25)"
    assert told(result(results, "criteria.friendly=0.66", max_missing="0.25")) == ("pass", said)
    assert told(result(results, "criteria.friendly=0.7", max_missing="0.25")) == ("fail", said)


def test_a_criterion_that_nobody_judged_is_missing() -> None:
    assert told(result(checked(tally("pass")), "criteria.freindly=0")) == (
        "none",
        "was never judged (did you mean 'friendly'?)",
    )


@pytest.mark.parametrize(
    ("outcome", "said"),
    [
        ("error", "has no answer: 10 checks broke"),
        ("inconclusive", "has no answer: 10 checks could not tell"),
        ("skipped", "does not apply: 10 checks skipped"),
    ],
)
def test_a_criterion_without_any_answer_is_missing(outcome: str, said: str) -> None:
    assert told(result(checked(tally(outcome)), "criteria.friendly=0")) == ("none", said)


def test_a_broken_judge_is_seen_also_where_it_keeps_the_conversation_from_counting() -> None:
    broken = attempt("x", False, outcome=Outcome.ERROR, counts=False, checks=(tally("error", mode="hard"),))
    results = experiment("a", [attempt("s"), broken])
    assert told(result(results, "criteria.friendly=0")) == ("none", "has no answer: 1 check broke")


def test_layers_go_by_name_and_number_and_matchers_by_name() -> None:
    results = checked(tally("pass", 3, layer=1), tally("fail", 1, layer=3), tally("pass", layer=None))
    assert told(result(results, "layers.rules=1")) == ("pass", "100% (30/30)")
    assert result(results, "layers.1=1").gate.name == "layers.rules"
    assert told(result(results, "layers.judges=0.1")) == ("fail", "0% (0/10)")
    assert told(result(results, "layers.0=0")) == ("none", "was never checked")
    assert told(result(results, "matchers.toSatisfy=0.8")) == ("pass", "80.0% (40/50)")
    assert told(result(results, "matchers.toSatisfi=0")) == (
        "none",
        "was never checked (did you mean 'satisfy'?)",
    )


@pytest.mark.parametrize("written", ["call_tool", "to_call_tool", "toCallTool"])
@pytest.mark.parametrize("recorded", ["toCallTool", "to_call_tool", "call_tool"])
def test_a_matcher_may_be_written_in_any_way(written: str, recorded: str) -> None:
    results = checked(tally("pass", 3, matcher=recorded), tally("fail", 1, matcher=recorded))
    found = result(results, f"matchers.{written}=0.8")
    assert (found.gate.name, *told(found)) == ("matchers.call_tool", "fail", "75.0% (30/40)")
    pointed = checked(tally("pass", matcher=recorded, criterion=""), scores={recorded: (4.0,)})
    assert told(result(pointed, f"judges.{written}=4")) == ("pass", "4 points (median of 10 scores)")
    # A criterion of that name is another thing than a matcher that is called alike.
    both = tally("pass", matcher=recorded, criterion=""), tally("pass", criterion=written)
    scores = {recorded: (1.0,)} | {written: (4.0,) * (1 + (recorded == written))}
    assert result(checked(*both, scores=scores), f"judges.{written}=4").passed


# -- judges, turns, tokens


def test_a_judge_has_the_median_of_its_points() -> None:
    scores = [(3.0, 5.0), (3.6,), (3.8, 4.0)]
    results = experiment("a", [attempt(f"s{n}", scores={"tone": one}) for n, one in enumerate(scores)])
    assert told(result(results, "judges.tone=3.8")) == ("pass", "3.8 points (median of 5 scores)")
    assert told(result(results, "judges.tone=3.9"))[0] == "fail"
    assert told(result(results, "judges.ton=1")) == ("none", "was never judged (did you mean 'tone'?)")


def test_the_judges_of_the_seed_go_by_the_names_of_their_prompts() -> None:
    results = experiment("a", [attempt("s", scores={"toSoundNatural": (4.0,), "naturalness": (2.0,)})])
    assert told(result(results, "judges.naturalness=3")) == ("pass", "3 points (median of 2 scores)")


def test_a_judge_without_points_is_missing() -> None:
    broken = checked(tally("error", matcher="toSoundNatural", criterion=""))
    assert told(result(broken, "judges.naturalness=1")) == ("none", "has no answer: 10 checks broke")


def test_clarifiers_count_by_round() -> None:
    results = experiment("a", [attempt("s1", clarifying=((3.0, 1),)), attempt("s2", clarifying=((1.5, 2),))])
    assert told(result(results, "clarifier_efficiency=2")) == ("pass", "2 turns (mean of 3 rounds)")
    assert told(result(results, "clarifier_efficiency=1.9"))[0] == "fail"
    assert told(result(passing(1, 1), "clarifier_efficiency=2"))[0] == "none"


def test_a_percentile_is_below_its_limit_by_nearest_rank() -> None:
    fast = [attempt(f"s{n}", turns=1, latencies=(1.0,)) for n in range(19)]
    slow = [attempt("slow", turns=1, latencies=(5.0,))]
    assert told(result(experiment("a", fast + slow), "latency_p95=5")) == ("pass", "1 s (p95 of 20 turns)")
    slower = [*fast, *slow, attempt("slower", turns=1, latencies=(5.0,))]
    assert told(result(experiment("a", slower), "latency_p95=5")) == ("fail", "5 s (p95 of 21 turns)")
    assert told(result(passing(1, 1), "latency_p95=5")) == (
        "none",
        "was never measured: no turn has times",
    )


def test_flakiness_is_of_scenarios_with_repeats() -> None:
    steady = [attempt("s1", repeat=1), attempt("s1", repeat=2), attempt("s2", False)]
    shaky = [attempt("s3", repeat=1), attempt("s3", False, repeat=2)]
    assert told(result(experiment("a", steady + shaky), "flakiness=0.5")) == (
        "pass",
        "50.0% (1/2 scenarios pass now and then; 1 was run once)",
    )
    assert told(result(experiment("a", steady + shaky), "flakiness=0.4"))[0] == "fail"
    assert told(result(passing(5, 5), "flakiness=1")) == (
        "none",
        "was never measured: no scenario was run more than once (--repeat)",
    )


def test_a_run_of_few_scenarios_is_not_the_suite() -> None:
    held = [
        attempt("s1", repeat=1),
        attempt("s1", repeat=2),
        attempt("s2"),
        attempt("x", False, counts=False),
    ]
    assert told(result(experiment("a", held), "scenarios=2")) == ("pass", "2 scenarios")
    assert told(result(experiment("a", held), "scenarios=3")) == ("fail", "2 scenarios")


def test_uncalibrated_verdicts_are_counted_and_noted() -> None:
    found = report(experiment("a", [attempt("s", uncalibrated=2)]), "uncalibrated=0")
    assert told(found.results[0]) == ("fail", "2 hard verdicts by judges without a card")
    assert found.notes == ("2 hard verdicts are of judges that nobody compared with people",)
    assert result(passing(1, 1), "uncalibrated=0").passed


def test_that_conversations_failed_is_noted_where_no_gate_is_on_completion() -> None:
    held = experiment("a", [attempt("s"), attempt("t", False)])
    said = "1 of 2 conversations did not pass, and no gate is on completion"
    assert report(held, "scenarios=2").notes == (said,)
    assert report(held, "scenarios=2", "completion=0.5").notes == ()


# -- bundles


def test_a_bundle_is_judged_on_its_own_rows_and_on_its_matchers_elsewhere() -> None:
    checks = (
        tally("pass", 2, matcher="toUseToolsFor", criterion="tools", bundle="chat"),
        tally("fail", 7, matcher="toUseToolsFor", criterion="tools", bundle="recommend"),
        tally("pass", 1, matcher="toUseToolsFor", criterion=""),
        tally("fail", 1, matcher="toMeet", criterion="memory", bundle="chat"),
    )
    assert _row(checked(*checks), "chat", "chat.tools") == ("pass", "100% (30/30)")
    assert _row(checked(*checks), "recommend", "recommend.tools") == ("fail", "12.5% (10/80)")


def _row(results: ExperimentResults, bundle: str, name: str) -> tuple[str, str]:
    found = {one.gate.name: one for one in report(results, bundles=(bundle,)).results}
    return told(found[name])


def test_the_points_of_another_bundle_do_not_count() -> None:
    scores = {"chat": {"guidance": (2.0,)}, "recommend": {"guidance": (4.5,)}}
    results = experiment("a", [attempt("s", bundle_scores=scores, scores={"toGuideUser": (4.1,)})])
    assert _row(results, "recommend", "recommend.guidance") == ("pass", "4.3 points (median of 2 scores)")


def test_a_bundle_that_was_never_used_keeps_none_of_its_gates() -> None:
    found = report(passing(3, 3), bundles=("chat", "recommend"))
    assert {told(one)[0] for one in found.results} == {"none"}
    assert found.results[2].found == "was never checked: no meet(chat), no use_tools_for"


# -- the experiment as a whole


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (
            {"done": 7},
            "3 of 10 conversations were not finished: give the same command and --resume exp_a",
        ),
        ({"unfinished": ("red", "blue (repeat 2)")}, "begun and not finished: red, blue (repeat 2)"),
        ({"damaged": 1}, "1 line of the journal cannot be read"),
    ],
)
def test_an_experiment_that_is_not_whole_keeps_no_gate(change: dict[str, object], said: str) -> None:
    results = replace(passing(10, 10), **change)  # type: ignore[arg-type]
    found = report(results, "completion=0.5")
    assert not found.passed
    assert [(one.gate.name, *told(one)) for one in found.results] == [
        ("finished", "none", said),
        ("completion", "pass", "100% (10/10)"),
    ]
    allowed = report(results, "completion=0.5", allow_unfinished=True)
    assert (allowed.passed, allowed.notes) == (True, (said,))


def test_all_that_keeps_an_experiment_from_being_whole_stands_in_one_line() -> None:
    results = replace(passing(10, 10), done=7, unfinished=("red",), damaged=1)
    found = report(results, "completion=0.5")
    assert [one.gate.name for one in found.results] == ["finished", "completion"]
    assert found.results[0].found == (
        "3 of 10 conversations were not finished: give the same command and --resume exp_a; "
        "1 line of the journal cannot be read; begun and not finished: red"
    )
    assert (found.whole, found.passed) == (False, False)
    assert report(results, "completion=0.5", allow_unfinished=True).whole


def test_an_empty_experiment_fails() -> None:
    found = report(experiment("a", []), "completion=0", "scenarios=0")
    assert [told(one)[0] for one in found.results] == ["none"] * 3
    assert [one.gate.name for one in found.declared] == ["completion", "scenarios"]
    assert found.results[0].found == "no conversation was finished"


def test_without_gates_nothing_passes() -> None:
    found = judge_gates((), passing(5, 5), nobody)
    assert (found.results, found.passed) == ((), False)


def test_notes_of_the_journal_are_passed_on() -> None:
    results = replace(passing(5, 5), notes=("main.jsonl:7: the last line is torn",))
    assert report(results, "completion=0").notes == ("main.jsonl:7: the last line is torn",)


def test_a_gate_remembers_who_declared_it() -> None:
    found = result(passing(5, 5), "completion=0.5")
    assert found.gate == Gate("completion", 0.5, "at least", origin="--gate completion=0.5")
