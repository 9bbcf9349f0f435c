"""The versions of the prompt differ as they should, and the same one never differs from itself."""

from __future__ import annotations

import pytest

import grice
from bookshop.app import PROMPTS, version
from bookshop.criteria import CRITERIA
from grice import ExperimentResults
from measured import orders
from standin.model import HABITS, StandInModel


def measured(name: str, repeat: int = 3) -> ExperimentResults:
    run = grice.run(
        agent=version(name),
        checks=[orders.test_settles_it],
        criteria=CRITERIA,
        repeat=repeat,
        journal=False,
        name=name,
    )
    return ExperimentResults.of(run)


@pytest.fixture(scope="module")
def results() -> dict[str, ExperimentResults]:
    return {name: measured(name) for name in ("v1", "v2", "v3", "v1_reworded")}


def test_every_scenario_counts_three_times(results: dict[str, ExperimentResults]) -> None:
    for one in results.values():
        assert len(one.table("scenarios")) == 40
        assert {row["attempts"] for row in one.table("scenarios")} == {3}


def test_the_same_prompt_gives_the_same_run(results: dict[str, ExperimentResults]) -> None:
    again = {row["stable_id"]: row["passed"] for row in measured("v1").table("scenarios")}
    assert again == {row["stable_id"]: row["passed"] for row in results["v1"].table("scenarios")}


def test_repeats_of_a_scenario_differ(results: dict[str, ExperimentResults]) -> None:
    passed = [row["passed"] for row in results["v1"].table("scenarios")]
    assert set(passed) >= {1, 2, 3}


def test_v2_completes_more_and_is_less_brief(results: dict[str, ExperimentResults]) -> None:
    comparison = grice.compare(results["v1"], results["v2"])
    decided = {one.name: one.decision for one in comparison.measures}
    assert decided["completion rate"] == "improved"
    assert decided["next_step"] == "improved"
    assert decided["brief"] == "regressed"


def test_v3_completes_more_and_is_as_brief(results: dict[str, ExperimentResults]) -> None:
    comparison = grice.compare(results["v1"], results["v3"])
    decided = {one.name: one.decision for one in comparison.measures}
    assert comparison.conclusion == "improved"
    assert decided["completion rate"] == decided["next_step"] == "improved"
    assert decided["brief"] == "not shown"


def test_other_words_with_the_same_instructions_show_no_difference(
    results: dict[str, ExperimentResults],
) -> None:
    comparison = grice.compare(results["v1"], results["v1_reworded"])
    assert comparison.conclusion == "no difference shown"
    assert {one.decision for one in comparison.measures} <= {"not shown", "not decided"}


@pytest.mark.parametrize(
    ("name", "habits"),
    [
        ("v1", {"is brief", "is friendly"}),
        ("v2", {"looks it up", "does it", "says what is next", "asks needlessly", "is friendly"}),
        ("v3", set(HABITS)),
        ("v1_reworded", {"is brief", "is friendly"}),
    ],
)
def test_the_stand_in_knows_the_instructions_of_a_prompt(name: str, habits: set[str]) -> None:
    prompt = (PROMPTS / f"{name}.md").read_text(encoding="utf-8")
    assert {habit for habit, (_, _, words) in HABITS.items() if words in prompt} == habits


@pytest.mark.parametrize("habit", HABITS)
def test_the_dice_fall_as_often_as_the_table_says(habit: str) -> None:
    without, with_it, words = HABITS[habit]
    for prompt, often in (("", without), (words, with_it)):
        seen = [StandInModel(f"scenario {n}, time 1").does(habit, prompt) for n in range(2000)]
        assert sum(seen) / 2000 == pytest.approx(often, abs=0.05)
