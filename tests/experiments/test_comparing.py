"""Two experiments side by side: pairing, figures, decisions, changes."""

from __future__ import annotations

from typing import Any

import pytest
from airline_attempts import airline_attempts, airline_experiment
from made_experiments import attempt, attempts, between, experiment, judged, kinds, measure, repeated, soft
from msgspec.structs import replace

from grice.experiments.attempts import Attempt, CheckTally
from grice.experiments.comparison.comparing import compare
from grice.records import Outcome, TopicVisit


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
    assert names == ["one (venues)", "one (talks)", "two (example:3)", "two (example:4)"]


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
    asked = {"checks": (*soft("kind", 1, 1), CheckTally("toCallTool", "hard", "pass", 1))}
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


@pytest.mark.parametrize(
    ("name", "before", "after", "drawn"),
    [
        ("seconds a turn", {"latencies": (0.010,)}, {"latencies": (0.004,)}, "─"),
        ("seconds a turn", {"latencies": (0.110,)}, {"latencies": (0.050,)}, "▲▲"),
        ("tokens a turn", {"tokens": (20,)}, {"tokens": (11,)}, "─"),
        ("tokens a turn", {"tokens": (20,)}, {"tokens": (9,)}, "▲▲"),
        ("tokens a turn", {"tokens": (1000,)}, {"tokens": (900,)}, "▲"),
    ],
)
def test_a_mean_that_differs_by_next_to_nothing_has_no_arrow(
    name: str, before: dict[str, Any], after: dict[str, Any], drawn: str
) -> None:
    """However sure the difference is; see SIZES."""
    first, second = attempts("+" * 20, **before), attempts("+" * 20, **after)
    # Not all by the same amount: otherwise there is no interval.
    second[0] = replace(second[0], **{key: (value[0] * 1.01,) for key, value in after.items()})
    assert measure(between(first, second), name).arrow == drawn


def test_of_what_did_not_change_only_that_is_noted() -> None:
    """The test, and why it was taken, stand with the statistics."""
    turns = measure(between(attempts("+-+-"), attempts("+-+-")), "avg turns")
    assert turns.note == "nothing changed"
    longer = measure(between(attempts("+-+-"), attempts("+-+-", turns=9)), "avg turns")
    assert longer.note == "every scenario changed by the same amount: no interval"
    assert longer.difference is not None
    assert "each scenario has one value" in longer.difference.why


@pytest.mark.slow
def test_a_small_difference_that_is_shown_is_a_filled_arrow() -> None:
    before = "-" * 9 + "+-" * 300
    assert arrow(before, "+" * 9 + "+-" * 300) == "▲"


def test_criteria_that_differ_are_left_out_of_everything() -> None:
    marks = judged({"kind": "1", "brief": "2", "old": "3"})
    checks = (*soft("kind", 2), *soft("brief", 0, 2), *soft("old", 0, 2))
    before = attempts("+" * 12, checks=checks, judged=marks)
    changed = judged({"kind": "1", "brief": "other", "new": "4"})
    after = attempts("+" * 12, checks=(*soft("kind", 2), *soft("brief", 2), *soft("new", 2)), judged=changed)
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
    assert "not in the evaluation rate: 96 soft checks that cannot be compared" in found.notes


def test_a_criterion_is_compared_where_both_have_an_answer() -> None:
    before = [attempt("a", checks=soft("kind", 1, 1)), attempt("b", checks=soft("kind", 5))]
    broken = (CheckTally("toSatisfy", "soft", "error", 2, "kind"),)
    after = [attempt("a", checks=soft("kind", 2)), attempt("b", checks=broken)]
    kind = measure(between(before, after), "kind")
    assert (kind.baseline_count, kind.current_count) == ((1, 2), (2, 2))
    assert kind.decision == "not decided"
    assert kind.note.startswith("one scenario ")
    assert kind.note.endswith("; 1 of 2 scenarios have values on one side only and are left out")


def test_a_criterion_without_any_answer_is_not_hidden() -> None:
    broken = (CheckTally("toSatisfy", "soft", "error", 2, "kind"),)
    side = attempts("+-", checks=broken)
    kind = measure(between(side, side), "kind")
    assert (kind.baseline, kind.current, kind.decision, kind.arrow) == (None, None, "not decided", "")
    assert kind.note == "no scenario has a value on both sides"


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
    assert "with each scenario counted once it is +0.0 points" in kind.note
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


def test_nothing_is_shown_where_each_scenario_counted_once_may_show_nothing() -> None:
    """Both tests show it, and so does the interval over all attempts, but not that of scenarios."""
    rows = [(0, 1, 1), (3, 4, 4), (0, 0, 4), (2, 4, 4), (0, 1, 4), (3, 4, 4), (3, 3, 3), (3, 4, 4)]

    def side(which: int) -> list[Attempt]:
        marks = [("+" * row[which]).ljust(row[2], "-") for row in rows]
        return [one for key, mark in enumerate(marks) for one in repeated(f"s{key}", mark)]

    rate = measure(between(side(0), side(1)), "completion rate")
    assert rate.difference is not None
    assert rate.alike is not None
    assert (rate.difference.p, rate.alike.p) == (0.03125, 0.03125)
    assert rate.difference.low is not None
    assert rate.alike.low is not None
    assert rate.difference.low > 0 > rate.alike.low
    assert rate.decision == "not shown"
    assert "with each scenario counted once it is" in rate.note
    assert rate.note.endswith("(-0.3 to +62.8), which does not show the same")
