"""Gates: what keeps one, what does not, and that what was never measured keeps none."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from airline_attempts import airline_experiment
from made_experiments import attempt, attempts, experiment, soft
from msgspec import structs

from grice.experiments.attempts import Attempt, CheckTally
from grice.experiments.gates.declared import GateOptions, declared_gates
from grice.experiments.gates.judging import judge_gates
from grice.experiments.gates.records import Gate, GateReport, GateResult
from grice.experiments.results import ExperimentResults
from grice.records import Outcome
from grice.running.journal.form import JournalError


def nobody(wanted: str) -> ExperimentResults:
    raise JournalError(f"{wanted}: there is no such run")


def report(
    results: ExperimentResults,
    *gates: str,
    baseline: ExperimentResults | None = None,
    rule: str = "",
    bundles: tuple[str, ...] = (),
    allow_unfinished: bool = False,
) -> GateReport:
    options = GateOptions(gates, bundles, "main", rule)
    find: Callable[[str], ExperimentResults] = nobody if baseline is None else lambda _: baseline
    return judge_gates(declared_gates(None, options).gates, results, find, allow_unfinished=allow_unfinished)


def result(results: ExperimentResults, gate: str, **more: object) -> GateResult:
    *_, found = report(results, gate, **more).results  # type: ignore[arg-type]
    return found


def told(found: GateResult) -> tuple[str, str]:
    state = "pass" if found.passed else "missing" if found.missing else "fail"
    return state, found.found


def passing(passed: int, total: int) -> ExperimentResults:
    """So many scenarios, each run once."""
    return experiment("a", attempts("+" * passed + "-" * (total - passed)))


def checked(*checks: CheckTally, **fields: object) -> ExperimentResults:
    """Ten attempts with these checks each."""
    return experiment("a", attempts("+" * 10, checks=checks, **fields))


def tally(outcome: str, times: int = 1, **fields: object) -> CheckTally:
    given = {"matcher": "toSatisfy", "mode": "soft", "criterion": "friendly", "layer": 3, **fields}
    return CheckTally(outcome=outcome, times=times, **given)  # type: ignore[arg-type]


# -- completion and its rules


def test_a_gate_is_kept_at_its_limit() -> None:
    assert told(result(passing(8, 10), "completion=0.8")) == ("pass", "80% (8/10)")
    assert told(result(passing(7, 10), "completion=0.8")) == ("fail", "70% (7/10)")
    found = result(passing(39, 47), "completion=0.8")
    assert (found.found, found.wanted) == ("83% (39/47)", "at least 80%")
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
    assert found.found == "76% (76/100); 95 % interval 66.8% to 83.3%"  # Wilson's
    assert found.wanted == "at least 80% (rule shown)"
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
        "missing",
        (
            "no change: 100% to 100% over 1 scenario, and fewer than 6 never show a difference; "
            "too little is known for the rule shown"
        ),
    )


def test_completion_is_of_what_counts_and_the_rest_counts_against_it() -> None:
    held = attempts("++++") + [attempt(f"x{n}", False, counts=False) for n in range(4)]
    said = "100% (4/4); 50% if the 4 that do not count had failed"
    assert told(result(experiment("a", held), "completion=0.5")) == ("pass", said)
    assert told(result(experiment("a", held), "completion=0.9")) == ("missing", said)
    found = result(experiment("a", held), "completion=0.9")
    assert (found.actual, found.worst) == (1.0, 0.5)
    assert told(result(experiment("a", held), "not_counted=0.4")) == (
        "fail",
        "50% (4/8 conversations do not count)",
    )
    skipped = [attempt("s", outcome=Outcome.SKIPPED)]
    assert told(result(experiment("a", skipped), "completion=0")) == (
        "missing",
        "was never measured: no conversation counts",
    )
    assert told(result(experiment("a", skipped), "not_counted=1"))[0] == "missing"


# -- checks


def test_the_evaluation_rate_is_of_soft_checks() -> None:
    results = checked(tally("pass", 3), tally("fail", 1), tally("fail", 5, mode="hard"))
    assert told(result(results, "evaluation=0.75")) == ("pass", "75% (30/40)")
    assert told(result(checked(tally("pass", mode="hard")), "evaluation=0")) == (
        "missing",
        "was never measured: there is no soft check",
    )


def test_a_criterion_is_of_answers_from_both_modes() -> None:
    results = checked(tally("pass", 2), tally("fail", mode="hard"), tally("inconclusive"))
    said = "66.7% (20/30); 50% if the 10 without an answer had failed"
    assert told(result(results, "criteria.friendly=0.5")) == ("pass", said)
    assert told(result(results, "criteria.friendly=0.66")) == ("missing", said)
    assert told(result(results, "criteria.friendly=0.7")) == ("fail", said)
    assert told(result(results, "unanswered=0.2")) == ("fail", "25% (10/40 checks gave no answer)")


def test_a_criterion_that_nobody_judged_is_missing() -> None:
    assert told(result(checked(tally("pass")), "criteria.freindly=0")) == (
        "missing",
        "was never judged (did you mean 'friendly'?)",
    )


@pytest.mark.parametrize(
    ("outcome", "said"),
    [
        ("error", "has no answer: 10 checks broke"),
        ("inconclusive", "has no answer: 10 checks could not tell"),
        ("skipped", "has no answer: 10 checks did not apply"),
    ],
)
def test_a_criterion_without_any_answer_is_missing(outcome: str, said: str) -> None:
    assert told(result(checked(tally(outcome)), "criteria.friendly=0")) == ("missing", said)


def test_a_broken_judge_is_seen_also_where_it_keeps_the_conversation_from_counting() -> None:
    broken = attempt("x", False, outcome=Outcome.ERROR, counts=False, checks=(tally("error", mode="hard"),))
    results = experiment("a", [attempt("s"), broken])
    assert told(result(results, "criteria.friendly=0")) == ("missing", "has no answer: 1 check broke")


def test_layers_go_by_name_and_number_and_matchers_by_name() -> None:
    results = checked(tally("pass", 3, layer=1), tally("fail", 1, layer=3), tally("pass", layer=None))
    assert told(result(results, "layers.rules=1")) == ("pass", "100% (30/30)")
    assert result(results, "layers.1=1").gate.name == "layers.rules"
    assert told(result(results, "layers.judges=0.1")) == ("fail", "0% (0/10)")
    assert told(result(results, "layers.0=0")) == ("missing", "was never checked")
    assert told(result(results, "matchers.toSatisfy=0.8")) == ("pass", "80% (40/50)")
    assert told(result(results, "matchers.toSatisfi=0")) == (
        "missing",
        "was never checked (did you mean 'toSatisfy'?)",
    )


# -- judges, turns, tokens


def test_a_judge_has_the_median_of_its_points() -> None:
    scores = [(3.0, 5.0), (3.6,), (3.8, 4.0)]
    results = experiment("a", [attempt(f"s{n}", scores={"tone": one}) for n, one in enumerate(scores)])
    assert told(result(results, "judges.tone=3.8")) == ("pass", "3.8 points (median of 5 scores)")
    assert told(result(results, "judges.tone=3.9"))[0] == "fail"
    assert told(result(results, "judges.ton=1")) == ("missing", "was never judged (did you mean 'tone'?)")


def test_the_judges_of_the_seed_go_by_the_names_of_their_prompts() -> None:
    results = experiment("a", [attempt("s", scores={"toSoundNatural": (4.0,), "naturalness": (2.0,)})])
    assert told(result(results, "judges.naturalness=3")) == ("pass", "3 points (median of 2 scores)")


def test_a_judge_without_points_is_missing() -> None:
    broken = checked(tally("error", matcher="toSoundNatural", criterion=""))
    assert told(result(broken, "judges.naturalness=1")) == ("missing", "has no answer: 10 checks broke")
    half = checked(tally("error", 2, matcher="toSoundNatural", criterion=""), scores={"naturalness": (5.0,)})
    # One of the two has points: a judge that could not tell may have given them.
    said = "5 points (median of 10 scores); 3 points if the 10 without an answer had got 1 point"
    assert told(result(half, "judges.naturalness=3")) == ("pass", said)
    assert told(result(half, "judges.naturalness=3.1")) == ("missing", said)


def test_clarifiers_count_by_round() -> None:
    results = experiment("a", [attempt("s1", clarifying=((3.0, 1),)), attempt("s2", clarifying=((1.5, 2),))])
    assert told(result(results, "clarifier_efficiency=2")) == ("pass", "2 turns (mean of 3 rounds)")
    assert told(result(results, "clarifier_efficiency=1.9"))[0] == "fail"
    assert told(result(passing(1, 1), "clarifier_efficiency=2"))[0] == "missing"


def test_a_percentile_is_below_its_limit_by_nearest_rank() -> None:
    fast = [attempt(f"s{n}", turns=1, latencies=(1.0,)) for n in range(19)]
    slow = [attempt("slow", turns=1, latencies=(5.0,))]
    assert told(result(experiment("a", fast + slow), "latency_p95=5")) == ("pass", "1 s (p95 of 20 turns)")
    slower = [*fast, *slow, attempt("slower", turns=1, latencies=(5.0,))]
    assert told(result(experiment("a", slower), "latency_p95=5")) == ("fail", "5 s (p95 of 21 turns)")
    assert told(result(passing(1, 1), "latency_p95=5")) == (
        "missing",
        "was never measured: no turn has times",
    )


def test_flakiness_is_of_scenarios_with_repeats() -> None:
    steady = [attempt("s1", repeat=1), attempt("s1", repeat=2), attempt("s2", False)]
    shaky = [attempt("s3", repeat=1), attempt("s3", False, repeat=2)]
    assert told(result(experiment("a", steady + shaky), "flakiness=0.5")) == (
        "pass",
        "50% (1/2 scenarios pass now and then; 1 was run once)",
    )
    assert told(result(experiment("a", steady + shaky), "flakiness=0.4"))[0] == "fail"
    assert told(result(passing(5, 5), "flakiness=1")) == (
        "missing",
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
    assert {told(one)[0] for one in found.results} == {"missing"}
    assert found.results[1].found == "was never checked: no to_meet(chat), no toUseToolsFor"


# -- against a baseline


def test_a_drop_that_is_shown_fails() -> None:
    before, now = experiment("a", attempts("+" * 40)), experiment("b", attempts("+" * 28 + "-" * 12))
    found = result(now, "regression.completion=0.02", baseline=before)
    assert told(found)[0] == "fail"
    assert found.found.startswith("a drop of 30 points: 100% to 70% over 40 scenarios; 95 % interval ")
    assert found.wanted == "a drop of at most 2 points (rule shown)"
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
    assert found.found.startswith("a rise of 50 points: 50% to 100% over 40 scenarios")


def test_regressions_of_soft_checks_and_criteria() -> None:
    before = experiment("a", attempts("+" * 30, checks=soft("kind", 2)), criteria={"kind": "sha256:1"})
    now = experiment("b", attempts("+" * 30, checks=soft("kind", 1, 1)), criteria={"kind": "sha256:1"})
    found = report(now, "regression.evaluation=0.1", "regression.criteria.kind=0.1", baseline=before)
    assert [told(one)[0] for one in found.results] == ["fail", "fail"]
    assert all(one.found.startswith("a drop of 50 points: 100% to 50%") for one in found.results)


def test_a_criterion_that_was_changed_or_is_new_cannot_be_compared() -> None:
    before = experiment("a", attempts("+" * 9, checks=soft("kind", 1)), criteria={"kind": "sha256:1"})
    fields = {"kind": "sha256:2", "brief": "sha256:3"}
    now = experiment("b", attempts("+" * 9, checks=soft("kind", 1) + soft("brief", 1)), criteria=fields)
    gates = [f"regression.criteria.{name}=0.1" for name in ("kind", "brief", "breif")]
    found = report(now, *gates, baseline=before)
    assert [told(one) for one in found.results] == [
        ("missing", "cannot be compared: the criterion was changed"),
        ("missing", "cannot be compared: the baseline was never judged by this criterion"),
        ("missing", "was never judged in both"),
    ]


def test_an_invalid_comparison_keeps_no_gate() -> None:
    before = experiment("a", attempts("+" * 9), topic_graph_hash="sha256:1")
    now = experiment("b", attempts("+" * 9), topic_graph_hash="sha256:2")
    found = report(now, "regression.completion=1", baseline=before)
    assert told(found.results[0])[0] == "missing"
    assert found.results[0].found.startswith("cannot be compared: ")
    assert any(note.startswith("comparability INVALID: Topic graph: ") for note in found.notes)


def test_a_baseline_that_is_not_there_keeps_no_gate() -> None:
    found = report(passing(5, 5), "regression.completion=1", "tokens_p95.max_rise=1")
    assert [told(one) for one in found.results] == [
        ("missing", "cannot be told: the baseline was not found: main: there is no such run")
    ] * 2


def test_tokens_may_rise_so_far_over_the_baseline() -> None:
    before = experiment("a", [attempt("s", turns=1, tokens=(1000,))])
    now = experiment("b", [attempt("s", turns=1, tokens=(1200,))])
    found = result(now, "tokens_p95.max_rise=0.2", baseline=before)
    assert told(found) == ("pass", "20% more: 1,000 tokens (p95 of 1 turn) to 1,200 tokens (p95 of 1 turn)")
    assert told(result(now, "tokens_p95.max_rise=0.19", baseline=before))[0] == "fail"
    assert told(result(before, "tokens_p95.max_rise=0", baseline=now))[0] == "pass"
    untold = experiment("c", [attempt("s", turns=1)])
    assert told(result(now, "tokens_p95.max_rise=0.2", baseline=untold)) == (
        "missing",
        "cannot be compared: the baseline was never measured: no turn has tokens",
    )
    nothing = experiment("c", [attempt("s", turns=1, tokens=(0,))])
    assert told(result(now, "tokens_p95.max_rise=9", baseline=nothing))[0] == "missing"


def test_a_baseline_is_named() -> None:
    notes = report(passing(20, 20), "regression.completion=0", baseline=experiment("b", attempts("+"))).notes
    assert notes[0] == "baseline main: exp_b 'b'"


@pytest.mark.parametrize("gate", ["regression.completion=0", "latency_p95.max_rise=0.2"])
def test_an_experiment_that_is_its_own_baseline_keeps_no_gate(gate: str) -> None:
    same = experiment("a", attempts("+" * 20, turns=1, latencies=(1.0,)))
    found = result(same, gate, baseline=same)
    assert told(found) == ("missing", "cannot be told: the baseline main is this experiment itself")
    other = experiment("b", attempts("+" * 20, turns=1, latencies=(1.0,)))
    assert result(same, gate, baseline=other).passed


def test_a_run_of_two_agents_is_said_to_be_mixed() -> None:
    whole = passing(20, 20)
    later = structs.replace(whole.experiment, agent="app:v2", timestamp="2026-11-20T11:00:00.000Z")
    mixed = replace(whole, heads=(structs.replace(whole.experiment, agent="app:v1"), later))
    said = "it was resumed after changes, and is of 2 agents"
    assert report(mixed, "completion=0.5").notes == (said,)
    assert report(whole, "completion=0.5").notes == ()


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
        ("finished", "missing", said),
        ("completion", "pass", "100% (10/10)"),
    ]
    allowed = report(results, "completion=0.5", allow_unfinished=True)
    assert (allowed.passed, allowed.notes) == (True, (said,))


def test_an_empty_experiment_fails() -> None:
    found = report(experiment("a", []), "completion=0", "not_counted=1", "unanswered=1")
    assert [told(one)[0] for one in found.results] == ["missing"] * 4
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


def test_the_same_agent_again_keeps_a_regression_gate_and_a_worse_one_does_not() -> None:
    before, again = airline_experiment("a", {0, 1}), airline_experiment("b", {2, 3})
    assert result(again, "regression.completion=0", baseline=before).passed
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
