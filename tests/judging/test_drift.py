"""What moved between two snapshots of judges, in decimal arithmetic."""

from __future__ import annotations

from decimal import Context, Decimal, localcontext
from statistics import median

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grice.judging.drift import (
    Drift,
    JudgeState,
    Level,
    Scores,
    Shift,
    Snapshot,
    compare,
    exact,
    level_of,
    obstacles,
    plain,
)

ANCHORS = {"a1": "sha256:1", "a2": "sha256:2"}


def scores(*anchors: list[object], failures: tuple[str, ...] = ()) -> Scores:
    """A scenario: a list of samples an anchor, None where the answer is missing."""
    return Scores(
        tuple(tuple(None if one is None else exact(one) for one in each) for each in anchors), failures
    )


def snapshot(anchors: dict[str, str] | None = None, /, **scenarios: Scores) -> Snapshot:
    """One judge of that many scenarios."""
    state = JudgeState("m", "naturalness", 1, "hash", scenarios=scenarios)
    return Snapshot(ANCHORS if anchors is None else anchors, {"naturalness": state})


def compared(before: Scores, now: Scores) -> Drift:
    return compare(snapshot(greeting=before), snapshot(greeting=now))


def shift(before: Scores, now: Scores) -> Shift:
    (one,) = compared(before, now).shifts
    return one


@pytest.mark.parametrize(
    ("before", "now", "delta", "level", "dropped"),
    [
        (4.1, 3.6, "-0.5", "warning", True),  # 4.1 - 3.6 is 0.4999... in binary
        (3.6, 4.1, "0.5", "warning", False),
        (4.1, 3.61, "-0.49", "info", False),
        (4.1, 3.8, "-0.3", "info", False),
        (4.1, 3.81, "-0.29", "steady", False),
        (4.4, 3.4, "-1", "critical", True),
        (1.1, 2.1, "1", "critical", False),
        (4, 4.0, "0", "steady", False),
        (3.7, 3.2000000000000006, "-0.4999999999999994", "info", False),
    ],
)
def test_a_change_is_exact_and_only_a_drop_is_an_alarm(
    before: float, now: float, delta: str, level: Level, dropped: bool
) -> None:
    one = shift(scores([before]), scores([now]))
    assert (plain(one.delta), one.level, one.dropped) == (delta, level, dropped)


def test_a_median_of_zero_is_a_score_like_any_other() -> None:
    yes_no = JudgeState(graded=False, scenarios={"s": scores([0])})
    now = JudgeState(graded=False, scenarios={"s": scores([1])})
    (one,) = compare(Snapshot(ANCHORS, {"kind": yes_no}), Snapshot(ANCHORS, {"kind": now})).shifts
    assert (one.delta, one.level, one.dropped) == (1, "critical", False)


def test_the_median_of_an_even_number_is_the_mean_of_the_middle_two() -> None:
    assert scores([4.1, 3.6], [4.2, 3.9]).median == Decimal("4.0")
    assert scores([4.1], [4.2]).median == Decimal("4.15")
    assert scores([]).median is None


@given(st.lists(st.decimals(1, 5, places=3), min_size=1, max_size=9))
def test_the_median_is_that_of_the_standard_library(numbers: list[Decimal]) -> None:
    assert Scores((tuple(numbers),)).median == median(numbers)


@given(st.floats(1, 5), st.floats(1, 5))
def test_a_change_both_ways_is_the_same_but_for_its_sign(first: float, second: float) -> None:
    there, back = shift(scores([first]), scores([second])), shift(scores([second]), scores([first]))
    assert there.delta == -back.delta
    assert there.level == back.level
    assert not (there.dropped and back.dropped)


def test_the_precision_that_a_program_sets_changes_nothing() -> None:
    with localcontext(Context(prec=2)):
        one = shift(scores([4.123, 4.127]), scores([3.626]))
        assert (plain(one.delta), one.level, one.dropped) == ("-0.499", "info", False)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), float("-inf"), None, "4", True])
def test_what_is_no_finite_number_is_no_score(value: object) -> None:
    assert exact(value) is None


@pytest.mark.parametrize(
    ("number", "shown"), [("4.10", "4.1"), ("4.0", "4"), ("100", "100"), ("0.0", "0"), ("-0.50", "-0.5")]
)
def test_numbers_are_written_without_zeros_at_their_end(number: str, shown: str) -> None:
    assert plain(Decimal(number)) == shown


@pytest.mark.parametrize(
    ("delta", "level"),
    [("0.3", "info"), ("-0.5", "warning"), ("1.0", "critical"), ("-0.9999", "warning"), ("0.2999", "steady")],
)
def test_levels_begin_at_their_thresholds(delta: str, level: Level) -> None:
    assert level_of(Decimal(delta)) == level


# -- noise


@pytest.mark.parametrize(
    ("before", "now", "within"),
    [
        (scores([4, 4.2, 3.4]), scores([3.5]), True),
        (scores([4, 4.2, 3.6]), scores([3.5]), False),
        (scores([4]), scores([3.5]), None),
        (scores([4, 4.2], [3]), scores([3]), None),
        # of several anchors: their difference is no noise
        (scores([2, 2], [4, 4], [5, 5]), scores([2, 2], [3, 3], [5, 5]), False),
        (scores([2, 2], [4, 3], [5, 5]), scores([2, 2], [3, 3], [5, 5]), True),
    ],
)
def test_a_change_may_lie_within_what_samples_differ_by(
    before: Scores, now: Scores, within: bool | None
) -> None:
    assert shift(before, now).within_noise is within


# -- what cannot be compared


@pytest.mark.parametrize(
    ("before", "now", "said"),
    [
        (
            Snapshot({}, {}),
            snapshot(a=scores([4])),
            "the baseline is empty: it holds no scores of any scenario",
        ),
        (snapshot(), snapshot(a=scores([4])), "the baseline is empty: it holds no scores of any scenario"),
        (snapshot(a=scores([4])), snapshot(), "there is no anchor to judge"),
        (
            snapshot(a=scores([4]), b=scores([4])),
            snapshot(a=scores([4])),
            "naturalness: this run has no anchor of the scenario b",
        ),
        (
            snapshot(a=scores([4])),
            snapshot(a=scores([4]), b=scores([4]), c=scores([4])),
            "naturalness: the baseline has nothing of the scenarios b, c",
        ),
        (
            snapshot({"a1": "1", "a2": "2", "a3": "3"}, a=scores([4])),
            snapshot({"a0": "0", "a2": "2", "a3": "x"}, a=scores([4])),
            "the anchors are not those of the baseline (added: a0; removed: a1; changed: a3)",
        ),
        (
            snapshot(a=scores([4])),
            Snapshot(ANCHORS, {"naturalness": JudgeState(graded=False, scenarios={"a": scores([1])})}),
            "the judge naturalness gave scores from 1 to 5 in the baseline and gives yes or no now",
        ),
    ],
)
def test_what_is_not_the_same_set_is_not_compared(before: Snapshot, now: Snapshot, said: str) -> None:
    drift = compare(before, now)
    assert (drift.problems, drift.shifts) == ((said,), ())
    assert obstacles(before, now) == [said]


def test_a_judge_on_one_side_only_is_told() -> None:
    other = Snapshot(ANCHORS, {"guidance": JudgeState(scenarios={"a": scores([4])})})
    assert compare(other, snapshot(a=scores([4]))).problems == (
        "the baseline has nothing of the judge naturalness",
        "the baseline has the judge guidance, and this run has no anchor of it",
    )


def test_an_anchor_without_any_answer_leaves_its_scenario_out() -> None:
    before = snapshot(a=scores([4], [4]), b=scores([4]))
    now = snapshot(a=scores([4], [None], failures=("anchor a2: no answer",)), b=scores([3]))
    drift = compare(before, now)
    assert drift.problems == (
        "the judge naturalness gave no answer for the scenario a: anchor a2: no answer",
    )
    assert [(one.scenario, one.dropped) for one in drift.shifts] == [("b", True)]


@pytest.mark.parametrize(
    ("now", "certain"),
    [
        (scores([4, 4, None]), True),
        (scores([3, 3, None]), True),
        (scores([3, 4, None]), False),
        (scores([4, None]), False),
    ],
)
def test_answers_that_are_missing_count_where_they_could_decide(now: Scores, certain: bool) -> None:
    drift = compared(scores([4, 4, 4]), now)
    assert (not drift.problems) == certain
    assert drift.shifts[0].certain is certain


# -- what changed


def test_what_changed_about_a_judge_is_told_and_is_no_problem() -> None:
    held = {"a": scores([4])}
    before = JudgeState("m1", "criterion", 1, "aaa", "sha256:f1", True, 1, held)
    now = JudgeState("m2", "criterion", 2, "bbb", "sha256:f2", True, 3, {"a": scores([4, 4, 4])})
    drift = compare(Snapshot(ANCHORS, {"kind": before}), Snapshot(ANCHORS, {"kind": now}))
    assert drift.problems == ()
    assert [(one.what, one.before, one.now) for one in drift.changes] == [
        ("model", "m1", "m2"),
        ("prompt", "criterion version 1, aaa", "criterion version 2, bbb"),
        ("criterion", "f1", "f2"),
        ("samples", "1", "3"),
    ]


def test_the_deepest_drop_comes_first() -> None:
    drift = compare(
        snapshot(a=scores([4]), b=scores([5]), c=scores([3])),
        snapshot(a=scores([3.4]), b=scores([2]), c=scores([5])),
    )
    assert [one.scenario for one in drift.drops] == ["b", "a"]


def test_a_set_is_the_same_in_any_order() -> None:
    there, back = Snapshot({"a": "1", "b": "2"}, {}), Snapshot({"b": "2", "a": "1"}, {})
    assert there.fingerprint == back.fingerprint != Snapshot({"a": "1"}, {}).fingerprint
