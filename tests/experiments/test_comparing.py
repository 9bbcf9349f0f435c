"""Two experiments side by side: pairing, figures, decisions, changes."""

from __future__ import annotations

import re
from typing import Any

import pytest
from airline_attempts import airline_attempts, airline_experiment
from made_experiments import attempt, attempts, experiment, soft
from msgspec.structs import replace

from grice.experiments.attempts import Attempt, CheckTally
from grice.experiments.comparison.comparing import compare
from grice.experiments.comparison.records import Comparison, Measure, ScenarioChange
from grice.records import Outcome, TopicVisit


def between(before: list[Attempt], after: list[Attempt], **head: Any) -> Comparison:
    return compare(experiment("a", before, **head), experiment("b", after, **head))


def measure(found: Comparison, name: str) -> Measure:
    return next(one for one in found.measures if one.name == name)


def kinds(found: Comparison) -> list[tuple[str, str]]:
    return [(one.kind, one.key) for one in found.changes]


def repeated(key: str, passed: str, **fields: Any) -> list[Attempt]:
    """Repeats of one scenario."""
    marks = enumerate(passed, 1)
    return [attempt(key, mark == "+", repeat=number, **fields) for number, mark in marks]


def test_an_identical_pair_is_neutral_all_over() -> None:
    side = attempts("++-+-+++--", checks=soft("kind", 3, 1), latencies=(0.5, 1.5), tokens=(100, 120))
    found = between(side, side)
    assert found.conclusion == "no difference shown"
    assert found.changes == ()
    assert {one.arrow for one in found.measures} == {"─"}
    assert all(one.difference is not None and one.difference.value == 0 for one in found.measures)
    assert not {"improved", "regressed"} & {one.decision for one in found.measures}


def test_real_runs_of_one_agent_are_not_different() -> None:
    found = compare(airline_experiment("first", {0, 1}), airline_experiment("second", {2, 3}))
    completion = measure(found, "completion rate")
    assert (completion.baseline_count, completion.current_count) == ((29, 78), (26, 78))
    assert found.conclusion == "no difference shown"
    assert found.comparability.level == "HIGH"
    assert (found.shared, found.baseline.attempts) == (39, 78)


def with_failures(points: float) -> list[Attempt]:
    """All trials, of which so many points of a hundred failed that had passed."""
    made = airline_attempts(range(4))
    passed = [place for place, one in enumerate(made) if one.passed]
    for place in passed[:: max(len(passed) // round(points / 100 * len(made)), 1)][
        : round(points / 100 * len(made))
    ]:
        made[place] = replace(made[place], outcome=Outcome.FAIL, failure="assertion", why="it broke")
    return made


def test_real_runs_with_fifteen_points_of_failures_regressed() -> None:
    baseline = airline_experiment("whole", range(4))
    worse = airline_experiment("worse", range(4), lambda _: with_failures(15))
    found = compare(baseline, worse)
    completion = measure(found, "completion rate")
    assert completion.baseline_count == (55, 156)
    assert completion.current_count == (32, 156)
    assert (completion.decision, completion.arrow) == ("regressed", "▼▼")
    assert found.conclusion == "regressed"
    assert compare(worse, baseline).conclusion == "improved"
    assert {one.kind for one in found.changes} <= {"newly failing", "passes less often"}


def test_scenarios_are_paired_by_stable_id() -> None:
    before = [attempt("gone"), attempt("kept"), attempt("edited"), attempt("broken", counts=False)]
    after = [attempt("kept", False), attempt("edited", fingerprint="new"), attempt("broken"), attempt("new")]
    found = between(before, after)
    assert (found.shared, found.added, found.removed) == (2, ("new",), ("gone",))
    assert (found.edited, found.uncounted) == (("edited",), ("broken",))
    assert measure(found, "completion rate").baseline_count == (2, 2)
    assert kinds(found) == [("newly failing", "kept")]
    assert (found.baseline.scenarios, found.current.scenarios) == (3, 4)


def test_a_key_that_several_scenarios_have_is_shown_with_its_set_or_id() -> None:
    before = [
        replace(attempt("one", set_name="venues"), id="example:1"),
        replace(attempt("one", set_name="talks"), id="example:2"),
        replace(attempt("two", set_name="venues"), id="example:3"),
        replace(attempt("two", set_name="venues"), id="example:4"),
    ]
    after = [replace(one, outcome=Outcome.FAIL) for one in before]
    names = [one.key for one in between(before, after).changes]
    assert names == ["one (talks)", "one (venues)", "two (example:3)", "two (example:4)"]


def test_one_good_scenario_more_is_no_improvement() -> None:
    found = between(attempts("++++------"), attempts("+++++-----"))
    completion = measure(found, "completion rate")
    assert (completion.decision, completion.arrow) == ("not shown", "△")
    assert found.conclusion == "no difference shown"
    assert found.advice


def test_what_is_shown_is_decided_and_drawn() -> None:
    found = between(attempts("-" * 15 + "+" * 15), attempts("+" * 30))
    completion = measure(found, "completion rate")
    assert completion.difference is not None
    assert completion.difference.test == "exact McNemar"
    assert completion.difference.p == pytest.approx(2**-14)
    assert completion.adjusted_p == pytest.approx(2**-14)  # there is nothing else to ask
    assert (completion.decision, completion.arrow, found.conclusion) == ("improved", "▲▲", "improved")
    assert found.advice == ()


def sides(kind: tuple[int, int], brief: tuple[int, int], count: int = 30) -> list[Attempt]:
    """Scenarios with four soft checks of two criteria each, of which so many passed in each, by turns."""
    return [
        attempt(
            f"s{n:02}",
            checks=(
                *soft("kind", kind[n % 2], 4 - kind[n % 2]),
                *soft("brief", brief[n % 2], 4 - brief[n % 2]),
            ),
        )
        for n in range(count)
    ]


def test_some_better_and_some_worse_is_mixed() -> None:
    found = between(sides((1, 2), (3, 4)), sides((3, 4), (1, 2)))
    assert [one.name for one in found.measures if one.family == "quality"] == [
        "evaluation rate",
        "brief",
        "kind",
    ]
    assert measure(found, "kind").decision == "improved"
    assert measure(found, "brief").decision == "regressed"
    assert measure(found, "evaluation rate").arrow == "─"
    assert found.conclusion == "mixed"


def test_every_question_of_the_page_makes_the_others_harder() -> None:
    """Alone, six scenarios that all improved are p = 0.031; with criteria beside it that is not enough."""
    before, after = attempts("------++++"), attempts("++++++++++")
    assert between(before, after).conclusion == "improved"
    asked = {"checks": soft("kind", 1, 1)}
    crowded = between(attempts("------++++", **asked), attempts("++++++++++", **asked))
    completion = measure(crowded, "completion rate")
    assert completion.adjusted_p == pytest.approx(2 * 0.5**6 / 0.6)
    assert (completion.decision, crowded.conclusion) == ("not shown", "no difference shown")


def test_fewer_turns_point_up_and_are_only_described() -> None:
    before, after = attempts("+" * 20, turns=8), attempts("+" * 20, turns=4)
    after = [replace(one, turns=4 + number % 2) for number, one in enumerate(after)]
    found = between(before, after)
    turns = measure(found, "avg turns")
    assert (turns.baseline, turns.current, turns.unit) == (8, 4.5, "turns")
    assert (turns.decision, turns.arrow) == ("not decided", "▲▲")
    assert "only described" in turns.note
    assert found.conclusion == "no difference shown"
    assert measure(between(after, before), "avg turns").arrow == "▼▼"


def test_topics_tokens_and_seconds_are_measured_where_they_were_recorded() -> None:
    straight = tuple(TopicVisit(number, topic, number, number) for number, topic in enumerate("abc", 1))
    back = (*straight, TopicVisit(4, "a", 4, 4))
    fields: dict[str, Any] = {"latencies": (1.0, 3.0), "tokens": (10, 20)}
    head = {"topic_graph_hash": "sha256:x"}
    before = attempts("+-+-", visits=straight, **fields)
    after = attempts("+-+-", visits=back, **fields)
    found = between(before, after, **head)
    shown = {one.name: (one.baseline, one.current) for one in found.measures if one.family == "efficiency"}
    assert shown == {
        "avg turns": (5, 5),
        "avg topics": (3, 3),
        "backtracking rate": (0, 1),
        "tokens a turn": (15, 15),
        "seconds a turn": (2, 2),
    }
    plain = between(attempts("+-"), attempts("+-"))
    assert [one.name for one in plain.measures] == ["completion rate", "avg turns"]


def arrow(before: str, after: str) -> str:
    return measure(between(attempts(before), attempts(after)), "completion rate").arrow


@pytest.mark.parametrize(
    ("lost", "gained", "drawn"),
    [
        (0, 1, "─"),
        (0, 2, "△"),
        (2, 0, "▽"),
        (0, 9, "▲"),
        (9, 0, "▼"),
        (0, 10, "▲▲"),
        (10, 0, "▼▼"),
        (5, 5, "─"),
    ],
)
def test_arrows_say_how_large_and_whether_it_is_shown(lost: int, gained: int, drawn: str) -> None:
    """Of 100 scenarios, so that one is a point."""
    before = "+" * lost + "-" * gained
    rest = "+-" * ((100 - len(before)) // 2) + "+" * (len(before) % 2)
    assert arrow(before + rest, "-" * lost + "+" * gained + rest) == drawn


def test_a_small_difference_that_is_shown_is_a_filled_arrow() -> None:
    before = "-" * 9 + "+-" * 300
    assert arrow(before, "+" * 9 + "+-" * 300) == "▲"


def test_criteria_that_differ_are_left_out_of_everything() -> None:
    marks = {"criteria": {"kind": "1", "brief": "2", "old": "3"}}
    checks = (*soft("kind", 2), *soft("brief", 0, 2), *soft("old", 0, 2))
    before = attempts("+" * 12, checks=checks, **marks)
    changed = {"kind": "1", "brief": "other", "new": "4"}
    after = attempts(
        "+" * 12, checks=(*soft("kind", 2), *soft("brief", 2), *soft("new", 2)), criteria=changed
    )
    found = between(before, after)
    assert (found.criteria_added, found.criteria_removed, found.criteria_changed) == (
        ("new",),
        ("old",),
        ("brief",),
    )
    quality = [(one.name, one.baseline, one.current) for one in found.measures if one.family == "quality"]
    assert quality == [("evaluation rate", 1, 1), ("kind", 1, 1)]
    assert found.conclusion == "no difference shown"
    assert found.changes == ()
    assert "96 soft checks of kinds that cannot be compared are not in the evaluation rate" in found.notes


def test_a_criterion_is_compared_where_both_have_an_answer() -> None:
    before = [attempt("a", checks=soft("kind", 1, 1)), attempt("b", checks=soft("kind", 5))]
    broken = (CheckTally("toSatisfy", "soft", "error", 2, "kind"),)
    after = [attempt("a", checks=soft("kind", 2)), attempt("b", checks=broken)]
    kind = measure(between(before, after), "kind")
    assert (kind.baseline_count, kind.current_count) == ((1, 2), (2, 2))
    assert kind.decision == "not decided"
    assert kind.note.startswith("one scenario ")
    assert kind.note.endswith(
        "; 1 of 2 scenarios have values on one side only and are left out; "
        "0 checks of the baseline and 2 of the current gave no answer"
    )


def test_a_criterion_without_any_answer_is_not_hidden() -> None:
    broken = (CheckTally("toSatisfy", "soft", "error", 2, "kind"),)
    side = attempts("+-", checks=broken)
    kind = measure(between(side, side), "kind")
    assert (kind.baseline, kind.current, kind.decision, kind.arrow) == (None, None, "not decided", "")
    assert "gave no answer" in kind.note


def test_more_values_of_hard_scenarios_are_no_regression() -> None:
    """No scenario changed: the agent only talked longer where it is bad at it."""
    before = [
        attempt(f"s{n:02}", checks=soft("kind", 0, 2) if n % 2 else soft("kind", 20)) for n in range(40)
    ]
    after = [attempt(f"s{n:02}", checks=soft("kind", 0, 20) if n % 2 else soft("kind", 2)) for n in range(40)]
    found = between(before, after)
    kind = measure(found, "kind")
    assert kind.difference is not None
    assert kind.alike is not None
    assert (round(kind.difference.value, 2), kind.alike.value) == (-0.82, 0)
    assert kind.decision == "not shown"
    assert "with each counted once it is not shown" in kind.note
    assert found.conclusion == "no difference shown"


def test_repeats_that_are_lost_where_it_is_hard_make_no_improvement() -> None:
    """Both sides pass half of the scenarios; of those that it fails the current one has one attempt left."""
    before = [one for n in range(40) for one in repeated(f"s{n:02}", "+++" if n % 2 else "---")]
    after = [one for n in range(40) for one in repeated(f"s{n:02}", "+++" if n % 2 else "-")]
    completion = measure(between(before, after), "completion rate")
    assert (completion.baseline, completion.current) == (0.5, 0.75)
    assert completion.decision == "not shown"


def test_a_hard_criterion_counts_for_its_rate_and_not_for_the_evaluation_rate() -> None:
    side = attempts("+-", checks=(*soft("kind", 1, 1, mode="hard"), *soft("kind", 2)))
    found = between(side, side)
    assert measure(found, "kind").baseline_count == (6, 8)
    assert measure(found, "evaluation rate").baseline_count == (4, 4)


def test_another_graph_decides_nothing_and_still_shows_the_figures() -> None:
    before = experiment("a", attempts("-" * 20), topic_graph_hash="sha256:x")
    after = experiment("b", attempts("+" * 20), topic_graph_hash="sha256:y")
    found = compare(before, after)
    completion = measure(found, "completion rate")
    assert (found.comparability.level, found.conclusion) == ("INVALID", "not comparable")
    assert (completion.baseline, completion.current, completion.decision) == (0, 1, "not decided")
    assert (completion.difference, completion.arrow, completion.adjusted_p) == (None, "", None)
    assert found.advice == ()
    assert completion.note == "not comparable"


def test_nothing_shared_shows_each_side_by_itself() -> None:
    found = between([attempt("a"), attempt("b", False)], [attempt("c")])
    completion = measure(found, "completion rate")
    assert (completion.baseline_count, completion.current_count) == ((1, 2), (1, 1))
    assert completion.difference is None
    assert (found.shared, found.conclusion) == (0, "not comparable")


def test_two_empty_experiments_are_not_comparable() -> None:
    found = between([], [])
    assert found.conclusion == "not comparable"
    assert measure(found, "completion rate").baseline is None


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


def test_what_is_inconclusive_is_called_so() -> None:
    after = [attempt("a", outcome=Outcome.INCONCLUSIVE, failure="none", why="it could not tell")]
    assert between([attempt("a")], after).changes[0].after == "inconclusive: it could not tell"


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


def test_repeats_are_runs_with_a_mean_and_a_sample_deviation() -> None:
    """Seed 003, section 9.2, of 1,000 scenarios: 78.7, 76.5 and 80.2 % are 78.5 % and 1.9 points."""
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


def test_what_would_be_shown_alone_is_told() -> None:
    asked = {"checks": soft("kind", 1, 1)}
    found = between(attempts("------++++", **asked), attempts("++++++++++", **asked))
    assert found.advice[0] == (
        "completion rate: asked alone it would be shown; beside the others it takes more scenarios"
    )


def test_few_scenarios_that_are_all_alike_do_not_count_as_sure() -> None:
    (advice,) = between(attempts("+" * 10), attempts("+" * 10)).advice
    needed = re.search(r"(\d+) scenarios like these", advice)
    assert needed is not None
    assert int(needed[1]) > 50


def test_a_difference_that_is_ruled_out_needs_no_advice() -> None:
    side = [one for n in range(2000) for one in repeated(f"s{n:04}", "+-"[n % 2])]
    (advice,) = between(side, side).advice
    assert advice == "completion rate: nothing is open, a difference of 5.0 points either way is ruled out"


def test_the_same_experiment_and_the_same_code_are_noted() -> None:
    side = experiment("a", attempts("+-"))
    assert "both are the same experiment" in compare(side, side).notes
    other = experiment("b", attempts("+-"), git_commit="a")
    assert any("the same commit and configuration" in note for note in compare(side, other).notes)
    dirty = experiment("b", attempts("+-"), git_commit="a", git_dirty=True)
    assert not any("the same commit" in note for note in compare(side, dirty).notes)


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


def test_the_order_of_attempts_does_not_matter() -> None:
    before, after = airline_attempts({0, 1}), airline_attempts({2, 3})
    assert between(before, after) == between(before[::-1], after[::-1])
