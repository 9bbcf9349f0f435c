"""Scripted tests that were run once: what newly fails and passes is told first, and nothing of chance."""

from __future__ import annotations

from typing import Any

import pytest
from made_experiments import attempt, attempts, between, judged, measure, soft

from grice.experiments.attempts import Attempt, CheckTally, attempt_of
from grice.experiments.comparison.records import Comparison, Conclusion
from grice.records import Conversation, Outcome, Result, Simulation
from grice.reporting.comparison.answer import answer
from grice.reporting.documents.comparison import comparison_document
from grice.reporting.renderers.markdown import document_markdown

CALLED = (CheckTally("toCallTool", "hard", "pass", 1),)


def scripted(passed: str, **fields: Any) -> list[Attempt]:
    return attempts(passed, simulated=False, **fields)


def test_three_of_ten_that_newly_fail_are_named_first() -> None:
    found = between(scripted("+" * 10), scripted("+" * 7 + "---", why="call book_room: it called nothing"))
    assert answer(found) == "3 tests newly fail: s07, s08, s09. Completion: 100% to 70.0%."
    assert [one.key for one in found.newly_failing] == ["s07", "s08", "s09"]
    assert {one.after for one in found.newly_failing} == {"assertion: call book_room: it called nothing"}
    assert (found.scripted, found.conclusion, found.advice) == (True, "regressed", ())
    page = document_markdown(comparison_document(found))
    assert "### ✗ Grice: 3 tests newly fail: s07, s08, s09.\n\nCompletion: 100% to 70.0%.\n" in page
    assert "chance" not in page.partition("<summary>Statistics")[0]


def test_there_is_no_interval_and_no_test() -> None:
    found = between(scripted("+" * 10), scripted("+" * 7 + "---"))
    completion = measure(found, "completion rate")
    assert completion.difference is not None
    assert (completion.difference.p, completion.adjusted_p, completion.decision) == (None, None, "regressed")
    assert "| Completion rate | 100% | 70.0% | 10, 10 | -30.0pp | ▼▼ regressed |" in document_markdown(
        comparison_document(found)
    )


@pytest.mark.parametrize(
    ("before", "after", "said", "conclusion"),
    [
        ("++", "++", "No test newly fails.", "no difference shown"),
        ("--+", "+++", "No test newly fails; 2 tests newly pass: s00, s01.", "improved"),
        ("+-", "-+", "1 test newly fails: s00; 1 newly passes: s01.", "mixed"),
        ("+", "-", "1 test newly fails: s00.", "regressed"),
    ],
)
def test_what_newly_passes_comes_second(before: str, after: str, said: str, conclusion: Conclusion) -> None:
    found = between(scripted(before), scripted(after))
    assert answer(found).startswith(f"{said} Completion: ")
    assert found.conclusion == conclusion


def test_a_played_user_or_a_repeat_leaves_it_to_chance() -> None:
    again = [*scripted("++"), attempt("s00", repeat=2, simulated=False)]
    for before, after in (
        (scripted("++"), [*scripted("+"), attempt("s01", False)]),
        (again, again),
    ):
        found = between(before, after)
        assert not found.scripted
        assert "test newly" not in answer(found)


def test_what_newly_fails_by_chance_or_not_is_told_before_what_is_shown() -> None:
    found = between(attempts("+" * 10), attempts("+" * 7 + "---"))
    assert answer(found).startswith("3 scenarios newly fail: s07, s08, s09. No difference in completion is ")


def rate(before: tuple[int, int], after: tuple[int, int], **fields: Any) -> Comparison:
    sides = (scripted("+" * 20, checks=(*CALLED, *soft("kind", *one)), **fields) for one in (before, after))
    return between(*sides)


def test_soft_checks_of_scripted_tests_are_counted_too() -> None:
    assert answer(rate((4, 0), (4, 0))).endswith("All soft evaluations: 100% in both.")
    fell = rate((4, 0), (2, 2))
    assert "Quality regressed: all soft evaluations (-50.0 points), kind (-50.0 points)." in answer(fell)
    assert "interval" not in answer(fell)
    assert fell.conclusion == "regressed"


def test_what_a_judge_said_is_left_to_chance() -> None:
    found = rate((4, 0), (4, 0), judged=judged())
    assert "No difference in quality is shown: all soft evaluations 100% in both (95 % interval" in answer(
        found
    )


def test_results_say_whether_a_user_was_played() -> None:
    plain = Result("example:1", "a", Outcome.PASS, Conversation())
    by = [Simulation(1, 2, "goal_reached", user=user) for user in ("simulator", "script")]
    users = [Result("example:1", "a", Outcome.PASS, Conversation(simulations=(one,))) for one in by]
    assert [attempt_of(one).simulated for one in (plain, *users)] == [False, True, False]


# -- points of judges


def scored(points: float, *, spread: float = 0.1) -> list[Attempt]:
    """Twenty scenarios whose judge gave about so many points."""
    given = [points + spread * (number % 3 - 1) for number in range(20)]
    return [
        attempt(f"s{n:02}", checks=CALLED, scores={"naturalness": (one,)}, judged=judged())
        for n, one in enumerate(given)
    ]


def test_a_fall_of_the_points_of_a_judge_is_shown() -> None:
    found = between(scored(4.8), scored(4.2))
    score = measure(found, "naturalness score")
    assert score.baseline == pytest.approx(4.8, abs=0.01)
    assert score.current == pytest.approx(4.2, abs=0.01)
    assert (score.family, score.unit, score.decision, score.arrow) == ("quality", "points", "regressed", "▼")
    assert score.difference is not None
    assert score.difference.low is not None
    assert score.difference.low < -0.6 < (score.difference.high or 0.0) < 0
    assert score.note == "median 4.8, now 4.2"
    assert "Quality regressed: naturalness score (-0.6 points)." in answer(found)


def test_points_that_stay_are_not_shown_to_fall() -> None:
    score = measure(between(scored(4.8), scored(4.8)), "naturalness score")
    assert (score.decision, score.arrow) == ("not shown", "─")


def test_points_of_a_criterion_that_changed_are_left_out() -> None:
    sides = [
        attempts("++++", checks=soft("tone", 1), scores={"tone": (4.5,)}, judged=judged({"tone": mark}))
        for mark in ("sha256:x", "sha256:y")
    ]
    found = between(*sides)
    assert found.criteria_changed == ("tone",)
    assert not [one for one in found.measures if one.unit == "points"]


def test_an_added_test_that_fails_is_named_and_is_no_good_news() -> None:
    before, added = scripted("--"), attempt("new", False, simulated=False)
    found = between(before, [*scripted("++"), added, attempt("fine", simulated=False)])
    assert (found.added, found.added_failing) == (("fine", "new"), ("new",))
    said = "No test newly fails; 2 tests newly pass: s00, s01; 1 added test fails: new."
    assert answer(found).startswith(said)
    document = comparison_document(found)
    assert document.answer is not None
    assert document.answer.tone == ""
    assert "Of these fail (1): `new`" in document_markdown(document)
