"""Whether two experiments can be compared, aspect by aspect."""

from __future__ import annotations

from typing import Any

import pytest
from made_experiments import attempt, attempts, experiment, judged, soft
from msgspec.structs import replace

from grice.experiments.attempts import Attempt, CheckTally
from grice.experiments.comparison.comparability import level_of
from grice.experiments.comparison.comparing import compare
from grice.experiments.comparison.records import Aspect, Comparison, Grade, Level
from grice.experiments.results import ExperimentResults
from grice.records import TopicVisit
from grice.running.journal.experiment import ModelUsed

TEN = attempts("+++++-----")
JUDGED: dict[str, Any] = {
    "checks": soft("kind", 1),
    "judged": judged(),
}


def aspect(found: Comparison, name: str) -> tuple[Grade, str]:
    one = next(one for one in found.comparability.aspects if one.name == name)
    return one.grade, one.reason


def by_heads(name: str, before: dict[str, Any], after: dict[str, Any]) -> tuple[Grade, str]:
    """The grade of the aspect where only the heads differ."""
    return aspect(compare(experiment("a", TEN, **before), experiment("b", TEN, **after)), name)


def by_attempts(name: str, before: list[Attempt], after: list[Attempt]) -> tuple[Grade, str]:
    """The grade of the aspect where only the attempts differ."""
    return aspect(compare(experiment("a", before), experiment("b", after)), name)


@pytest.mark.parametrize(
    ("grades", "level"),
    [
        ((), "HIGH"),
        (("same", "expected"), "HIGH"),
        (("same", "flagged"), "MEDIUM"),
        (("flagged", "weakens"), "LOW"),
        (("weakens", "forbids", "same"), "INVALID"),
    ],
)
def test_the_level_is_that_of_the_worst_grade(grades: tuple[Grade, ...], level: Level) -> None:
    assert level_of([Aspect("any", grade, "") for grade in grades]) == level


def test_two_runs_of_another_agent_are_comparable() -> None:
    found = compare(experiment("a", TEN, agent="v1"), experiment("b", TEN, agent="v2"))
    assert found.comparability.level == "HIGH"
    assert aspect(found, "Agent") == ("expected", "v1, now v2; commit a, now b")


def test_the_seeds_example_of_comparability() -> None:
    """That a few scenarios differ leaves HIGH, so it is `expected`."""
    before = [attempt(f"s{number}", checks=soft("kind", 3)) for number in range(46)]
    after = [attempt(f"s{number}", checks=soft("kind", 3)) for number in range(1, 48)]
    head = {"topic_graph_hash": "sha256:graph", "criteria": {"kind": "sha256:kind"}}
    found = compare(experiment("a", before, **head), experiment("b", after, **head))
    assert aspect(found, "Topic graph") == ("same", "identical")
    assert aspect(found, "Criteria") == ("same", "identical")
    assert aspect(found, "Scenarios") == ("expected", "45 shared, 2 added, 1 removed")
    assert found.comparability.level == "HIGH"


@pytest.mark.parametrize(
    ("before", "after", "grade", "reason"),
    [
        ("", "", "same", "neither follows one"),
        ("x", "x", "same", "identical"),
        ("x", "y", "forbids", "another graph: topics, and the ways between them, are not the same"),
        ("x", "", "forbids", "only the baseline follows one"),
        ("", "y", "forbids", "only the current follows one"),
    ],
)
def test_another_topic_graph_forbids(before: str, after: str, grade: Grade, reason: str) -> None:
    found = by_heads("Topic graph", {"topic_graph_hash": before}, {"topic_graph_hash": after})
    assert found == (grade, reason)


def test_a_graph_that_was_not_recorded_is_no_same_graph() -> None:
    walked = attempts("+-", visits=(TopicVisit(1, "greeting", 1, 2),))
    grade, reason = by_attempts("Topic graph", walked, walked)
    assert grade == "flagged"
    assert reason.startswith("cannot be told: 2 attempts of the baseline visited topics of a graph that")


@pytest.mark.parametrize(
    ("before", "after", "grade"),
    [
        (10, range(10), "same"),
        (10, range(9), "expected"),
        (10, range(8), "expected"),
        (10, range(7), "flagged"),
        (10, range(5), "flagged"),
        (10, range(4), "weakens"),
        (4, range(20), "weakens"),
        (4, range(4, 8), "forbids"),
    ],
)
def test_a_small_overlap_of_scenarios_weakens(before: int, after: range, grade: Grade) -> None:
    old, new = [attempt(f"s{n}") for n in range(before)], [attempt(f"s{n}") for n in after]
    assert by_attempts("Scenarios", old, new)[0] == grade


@pytest.mark.parametrize(
    ("before", "after", "reason"),
    [
        ([], TEN, "none is shared: the baseline experiment has no results"),
        (TEN, [], "none is shared: the current experiment has no results"),
        (
            TEN,
            attempts("+", counts=False),
            "none is shared: the current experiment has no attempt that counts",
        ),
        (TEN, [attempt("other")], "none is shared: 10 in the baseline, 1 other in the current"),
        (
            [attempt("a"), attempt("b", counts=False)],
            [attempt("a", counts=False), attempt("b")],
            "none is shared: no scenario has an attempt that counts on both sides",
        ),
    ],
)
def test_nothing_shared_is_told_apart(before: list[Attempt], after: list[Attempt], reason: str) -> None:
    found = compare(experiment("a", before), experiment("b", after))
    assert aspect(found, "Scenarios") == ("forbids", reason)
    assert (found.comparability.level, found.conclusion) == ("INVALID", "not comparable")


def test_edited_scenarios_are_expected() -> None:
    edited = [replace(TEN[0], fingerprint="other"), *TEN[1:]]
    assert by_attempts("Scenario data", TEN, edited) == (
        "expected",
        "1 of the 10 shared scenarios edited: compared by key all the same",
    )


def test_what_only_added_scenarios_have_lowers_nothing() -> None:
    called = CheckTally("toCallTool", "hard", "pass", 1)
    conduct = (CheckTally("conduct", "soft", "pass", 1),)
    asked = {**JUDGED, "checks": (*soft("kind", 1, mode="hard"), called), "conduct": conduct}
    head: dict[str, Any] = {"models": {"user": ModelUsed("user", "openai", "gpt")}, "user_hash": "sha256:u"}
    ten = attempts("+++++-----", simulated=False)
    before, new = experiment("a", ten), attempt("new", **asked)
    found = compare(before, experiment("b", [*ten, new], **head))
    assert found.comparability.level == "HIGH"
    assert aspect(found, "Judge LLM") == ("same", "no judge was asked")
    assert aspect(found, "Simulated user") == ("same", "none")
    shared = [*ten[1:], replace(new, id=ten[0].id, key=ten[0].key)]
    assert compare(before, experiment("b", shared, **head)).comparability.level == "LOW"
    assert compare(before, experiment("b", ten, **head)).comparability.level == "LOW"  # nobody can tell where


def test_renamed_files_are_told_by_the_names_that_stay() -> None:
    moved = [replace(one, id=f"moved {one.id}") for one in TEN]
    grade, reason = by_attempts("Scenarios", TEN, moved)
    assert grade == "forbids"
    assert reason.startswith("none is shared: 10 in the baseline, 10 others in the current; 10 have the same")
    assert reason.endswith("was one of these moved or renamed?")
    others = [attempt("another")]
    assert by_attempts("Scenarios", TEN, others)[1].endswith("1 other in the current")


def test_whether_the_agent_changed_may_not_be_known() -> None:
    same = {"agent": "bot:new", "git_commit": None}
    assert by_heads("Agent", same, same) == (
        "expected",
        "bot:new in both; whether its code or prompt changed is not known",
    )


def test_lines_that_cannot_be_read_are_told_of_the_side_that_has_them() -> None:
    found = compare(experiment("a", TEN), experiment("b", TEN, rest={"damaged": 1}))
    told = "1 line of the current cannot be read: results may be missing"
    assert aspect(found, "Finished") == ("weakens", told)
    assert by_attempts("Scenario data", TEN, TEN)[0] == "same"


def asked(criteria: dict[str, str], *, mode: str = "soft") -> list[Attempt]:
    """Attempts whose judge was asked these criteria, by fingerprint."""
    rows = tuple(row for name in criteria for row in soft(name, 2, 1, mode=mode))
    return attempts("++++++----", **{**JUDGED, "checks": rows, "judged": judged(criteria)})


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ({"kind": "1"}, {"kind": "1", "brief": "2"}, "added, not compared: brief"),
        ({"kind": "1", "brief": "2"}, {"kind": "1"}, "removed, not compared: brief"),
        ({"kind": "1", "brief": "2"}, {"kind": "1", "brief": "3"}, "modified, not compared: brief"),
    ],
)
def test_criteria_that_differ_are_left_out_and_the_rest_is_compared(
    before: dict[str, str], after: dict[str, str], told: str
) -> None:
    found = compare(experiment("a", asked(before)), experiment("b", asked(after)))
    assert aspect(found, "Criteria") == ("flagged", told)
    names = [one.name for one in found.measures if one.family == "quality"]
    assert (found.comparability.level, names) == ("MEDIUM", ["evaluation rate", "kind"])
    hard = by_attempts("Criteria", asked(before, mode="hard"), asked(after, mode="hard"))
    assert hard == ("weakens", f"{told}; completion rests on brief")


def test_criteria_are_known_from_heads_first() -> None:
    rows = attempts("+-+-", checks=soft("kind", 2))
    before = experiment("a", rows, criteria={"kind": "1", "unused": "8"})
    after = experiment("b", rows, criteria={"kind": "2", "unused": "9"})
    assert compare(before, after).criteria_changed == ("kind",)


def test_one_name_in_two_modules_of_which_one_side_ran_one_makes_nothing_modified() -> None:
    rows = attempts("+-+-", checks=soft("kind", 2))
    both = experiment("a", rows, criteria={"kind": ("1", "2")})
    one = experiment("b", rows, criteria={"kind": ("2",)})
    assert compare(both, one).criteria_changed == compare(one, both).criteria_changed == ()
    other = experiment("c", rows, criteria={"kind": ("2", "3")})
    assert compare(both, other).criteria_changed == ("kind",)


def test_criteria_that_nobody_can_tell_apart_are_flagged() -> None:
    rows = attempts("+-+-", checks=soft("kind", 2))
    found = compare(experiment("a", rows), experiment("b", rows, criteria={"kind": "2"}))
    grade, reason = aspect(found, "Criteria")
    assert grade == "flagged"
    assert reason.startswith("cannot be told whether they are the same: kind; declare them in the settings ")
    assert [one.name for one in found.measures if one.family == "quality"] == ["evaluation rate", "kind"]


def test_rows_of_bundles_need_no_fingerprint() -> None:
    side = attempts(
        "+-+-", checks=(CheckTally("toBeNatural", "soft", "pass", 2, "naturalness", bundle="chat"),)
    )
    assert by_attempts("Criteria", side, side) == ("same", "identical, 1 of them by name only")
    own = [replace(one, checks=(*one.checks, *soft("kind", 1)), judged=judged({"kind": "x"})) for one in side]
    assert by_attempts("Criteria", own, own) == (
        "same",
        "identical, 1 of them by name only",
    )


ROWS = tuple(CheckTally("toMeet", "soft", "pass", 1, f"row {number}", bundle="chat") for number in range(9))
PARTS = tuple(CheckTally("toFollowPolicy", "soft", "pass", 1, f"refunds in {n} days") for n in range(9))


@pytest.mark.parametrize("parts", [ROWS, PARTS])
def test_parts_of_checks_of_grices_own_are_known_by_name(parts: tuple[CheckTally, ...]) -> None:
    kind = attempts("+-+-", checks=soft("kind", 1))
    both = attempts("+-+-", checks=(*soft("kind", 1), *parts))
    assert by_attempts("Criteria", both, both) == ("same", "identical, 10 of them by name only")
    told = ", ".join(sorted({row.criterion for row in parts})[:5])
    assert by_attempts("Criteria", kind, both) == ("flagged", f"added, not compared: {told} and 4 more")


@pytest.mark.parametrize(
    ("name", "change", "grade"),
    [
        ("Judge LLM", {}, "same"),
        ("Judge LLM", {"judged": judged(model="other")}, "weakens"),
        ("Judge LLM", {"judged": judged(model="")}, "flagged"),
        ("Judge LLM", {"judged": ()}, "weakens"),
        ("Judge prompts", {"judged": judged(version=3)}, "weakens"),
        ("Judge calibration", {"uncalibrated": 1}, "flagged"),
    ],
)
def test_another_judge_weakens(name: str, change: dict[str, Any], grade: Grade) -> None:
    found = by_attempts(name, attempts("+-", **JUDGED), attempts("+-", **{**JUDGED, **change}))
    assert found[0] == grade


def test_a_judge_that_decides_hard_checks_is_named() -> None:
    hard = {**JUDGED, "checks": soft("kind", 1, mode="hard")}
    found = by_attempts(
        "Judge LLM", attempts("+-", **hard), attempts("+-", **{**hard, "judged": judged(model="new")})
    )
    assert found == ("weakens", "gpt, now new; it decides hard checks: kind")


USER = {"models": {"user": ModelUsed("user", "openai", "gpt")}, "prompts": {"user": 1}, "user_hash": "x"}


@pytest.mark.parametrize(
    ("name", "before", "after", "grade"),
    [
        ("User LLM", USER, USER, "same"),
        ("User LLM", USER, {}, "weakens"),
        ("User LLM", USER, {**USER, "models": {"user": ModelUsed("user", "openai", "new")}}, "weakens"),
        ("User prompts", USER, {**USER, "prompts": {"user": 2}}, "weakens"),
        ("Simulated user", USER, USER, "same"),
        ("Simulated user", USER, {**USER, "user_hash": "y"}, "weakens"),
        ("Simulated user", USER, {**USER, "user_hash": ""}, "flagged"),
        ("Simulated user", {}, {}, "same"),
        ("Seed", {"seed": 1}, {"seed": 2}, "expected"),
        ("Seed", {"seed": 1}, {"seed": 1}, "same"),
        ("Grice version", {}, {"grice_version": "2.0"}, "flagged"),
        ("Grice version", {"grice_version": ""}, {"grice_version": ""}, "same"),
        ("Grice version", {"grice_version": ""}, {}, "flagged"),
        ("Working copy", {}, {"git_dirty": True}, "expected"),
        ("Code in the configuration", {"opaque": ("polite",)}, {"opaque": ("polite",)}, "expected"),
        ("Agent", {"git_commit": "x"}, {"git_commit": "x"}, "same"),
        ("Agent", {"git_commit": "x", "git_dirty": True}, {"git_commit": "x"}, "expected"),
        ("Agent", {"git_commit": None}, {"git_commit": None}, "expected"),
    ],
)
def test_what_heads_tell(name: str, before: dict[str, Any], after: dict[str, Any], grade: Grade) -> None:
    assert by_heads(name, before, after)[0] == grade


def test_a_run_that_was_resumed_after_changes_weakens() -> None:
    whole = experiment("b", TEN)
    later = replace(whole.experiment, git_commit="c", timestamp="2026-11-21T10:00:00.000Z")
    resumed = ExperimentResults((whole.experiment, later), whole.attempts)
    wanted = ("weakens", "the current experiment was resumed after changes: 2 commits")
    assert aspect(compare(experiment("a", TEN), resumed), "One configuration") == wanted


def test_unequal_repeats_are_flagged() -> None:
    twice = [*TEN, *(replace(one, repeat=2) for one in TEN)]
    assert by_attempts("Repeats", TEN, twice) == (
        "flagged",
        "each scenario once, now 2 attempts a scenario, not the same in 10 scenarios",
    )
    assert by_attempts("Repeats", twice, twice)[0] == "same"


@pytest.mark.parametrize(
    ("head", "rest", "grade"),
    [
        ({}, {}, "same"),
        ({"planned": None}, {}, "flagged"),
        ({"planned": None}, {"unfinished": ("s10",)}, "weakens"),
        ({"planned": 11}, {}, "weakens"),
        ({}, {"unfinished": ("s03",)}, "weakens"),
    ],
)
def test_unfinished_work_weakens(head: dict[str, Any], rest: dict[str, Any], grade: Grade) -> None:
    found = compare(experiment("a", TEN), experiment("b", TEN, rest=rest, **head))
    assert aspect(found, "Finished")[0] == grade


def test_a_little_unfinished_work_is_flagged() -> None:
    many = attempts("+" * 40)
    found = compare(experiment("a", many), experiment("b", many, planned=41))
    assert aspect(found, "Finished") == ("flagged", "the current experiment lacks 1 of 41 attempts")


def test_damaged_lines_weaken() -> None:
    found = compare(experiment("a", TEN, rest={"damaged": 1}), experiment("b", TEN))
    assert aspect(found, "Finished")[0] == "weakens"


@pytest.mark.parametrize(
    ("before", "after", "grade"),
    [
        ((9, 1), (9, 1), "same"),
        ((95, 5), (90, 10), "expected"),
        ((9, 1), (7, 3), "weakens"),
        ((0, 0), (9, 1), "flagged"),
    ],
)
def test_users_that_behave_otherwise_weaken(
    before: tuple[int, int], after: tuple[int, int], grade: Grade
) -> None:
    old, new = (attempts("+-", conduct=soft("honest", *counts)) for counts in (before, after))
    assert by_attempts("User conduct", old, new)[0] == grade
