"""Judges, prompts and texts of criteria are compared criterion by criterion, scenario by scenario."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from made_experiments import attempt, between, experiment, soft
from msgspec.structs import replace

from grice.experiments.attempts import Attempt, CheckTally
from grice.experiments.comparison.comparing import compare
from grice.experiments.comparison.records import Comparison, Grade
from grice.experiments.judge_requests import Judging
from grice.experiments.unfinished import why_mixed
from grice.running.journal.experiment import ModelUsed

MARK = "sha256:a"


def judged(how: Callable[[int], list[Judging]], *, mode: str = "soft", repeats: int = 1) -> list[Attempt]:
    """Forty scenarios; `how` gives the judgings of each."""
    return [
        attempt(
            f"s{n:02}",
            repeat=repeat,
            judged=tuple(how(n)),
            checks=tuple(row for one in how(n) for row in soft(one.subject, 1, mode=mode)),
        )
        for n in range(40)
        for repeat in range(1, repeats + 1)
    ]


def polite(model: str = "A", *, version: int = 2, mark: str = MARK) -> Judging:
    return Judging("polite", model, "criterion", version, mark)


def grade(found: Comparison, name: str) -> tuple[Grade, str]:
    one = next(one for one in found.comparability.aspects if one.name == name)
    return one.grade, one.reason


@pytest.mark.parametrize(
    ("swapped", "wanted"),
    [
        (4, ("flagged", "another model judged polite in 4 of 40 scenarios")),
        (5, ("weakens", "another model judged polite in 5 of 40 scenarios")),
    ],
)
def test_two_judges_that_swap_scenarios(swapped: int, wanted: tuple[Grade, str]) -> None:
    """Both sides name the same two models."""
    before = judged(lambda n: [polite("A" if n < 20 else "B")])
    after = judged(lambda n: [polite("A" if n < 20 - swapped else "B")])
    assert grade(between(before, after), "Judge LLM") == wanted


@pytest.mark.parametrize(
    ("alone", "wanted"),
    [
        (40, ("weakens", "only the {} asked one")),
    ],
)
def test_what_nobody_judged_on_one_side_was_judged_otherwise(alone: int, wanted: tuple[Grade, str]) -> None:
    before = judged(lambda _: [polite()])
    after = [replace(one, judged=()) if n < alone else one for n, one in enumerate(before)]
    assert grade(between(before, after), "Judge LLM") == (wanted[0], wanted[1].format("baseline"))
    assert grade(between(after, before), "Judge LLM") == (wanted[0], wanted[1].format("current"))
    assert grade(between(after, after), "Judge LLM")[0] == "same"


def test_a_check_of_which_a_judge_is_asked_as_needed_was_not_judged_otherwise() -> None:
    """A judge that gave no answer is missing; claims with a source need none; rows may be plain checks."""
    rows = (
        CheckTally("toSatisfy", "soft", "error", 1, "polite"),
        CheckTally("toBeSupportedBy", "soft", "pass", 1, "polite"),
        CheckTally("toMeet", "soft", "pass", 1, "polite", bundle="chat"),
        CheckTally("toContain", "soft", "pass", 1),
    )
    before = judged(lambda _: [polite()])
    for row in rows:
        after = [replace(one, judged=(), checks=(row,)) if n < 20 else one for n, one in enumerate(before)]
        assert grade(between(before, after), "Judge LLM")[0] == "same"


def test_two_criteria_whose_judges_are_exchanged() -> None:
    def side(first: str, second: str) -> list[Attempt]:
        return judged(lambda _: [polite(first), Judging("short", second, "criterion", 2)], mode="hard")

    found = between(side("A", "B"), side("B", "A"))
    told = "another model judged polite in 40 of 40 scenarios, short in 40 of 40 scenarios"
    assert grade(found, "Judge LLM") == ("weakens", f"{told}; it decides hard checks: polite")
    same = between(side("A", "B"), side("A", "B"))
    assert grade(same, "Judge LLM") == ("same", "identical: A, B")


def test_repeats_are_held_against_each_other_by_their_shares() -> None:
    mixed = judged(lambda _: [polite("A")], repeats=2)
    half = [
        one if one.repeat == 1 else other
        for one, other in zip(mixed, judged(lambda _: [polite("B")], repeats=2), strict=True)
    ]
    assert grade(between(half, half), "Judge LLM")[0] == "same"
    assert grade(between(mixed, half), "Judge LLM") == ("weakens", "A, now A, B")


def test_a_judge_that_is_not_named_everywhere_cannot_be_told() -> None:
    after = judged(lambda n: [polite("A" if n < 5 else "")])
    assert grade(between(judged(lambda _: [polite()]), after), "Judge LLM") == (
        "flagged",
        "cannot be told: its model was not recorded of polite in 35 of 40 scenarios",
    )
    nobody = judged(lambda _: [polite("")])
    assert grade(between(nobody, nobody), "Judge LLM")[0] == "flagged"


def test_a_judge_that_never_says_its_name_has_the_declared_one() -> None:
    def side(model: str) -> Any:
        head = {"models": {"judge": ModelUsed("judge", "openai", model)}}
        return experiment(model, judged(lambda _: [polite("")]), **head)

    assert grade(compare(side("A"), side("A")), "Judge LLM") == ("same", "identical: A")
    assert grade(compare(side("A"), side("B")), "Judge LLM") == ("weakens", "A, now B")


def test_versions_of_prompts_are_compared_by_criterion() -> None:
    def side(odd: int) -> list[Attempt]:
        return judged(lambda n: [polite(version=1 + (n % 2 == odd))])

    assert grade(between(side(0), side(1)), "Judge prompts") == (
        "weakens",
        "another version judged polite in 40 of 40 scenarios",
    )
    assert grade(between(side(0), side(0)), "Judge prompts") == (
        "same",
        "identical: criterion 1, criterion 2",
    )


def test_the_judge_of_an_added_criterion_is_no_other_judge() -> None:
    before = judged(lambda _: [polite()])
    after = judged(lambda _: [polite(), Judging("grounded", "B", "grounding", 1)])
    found = between(before, after)
    assert grade(found, "Criteria") == ("flagged", "added, not compared: grounded")
    assert grade(found, "Judge LLM") == ("same", "identical where both asked one")
    assert grade(found, "Judge prompts") == ("same", "identical where both asked one")


@pytest.mark.parametrize(
    ("other", "name", "wanted", "changed"),
    [
        (
            25,
            "Criteria",
            ("flagged", "modified, not compared: polite"),
            ("polite",),
        ),
        (
            4,
            "Criteria",
            ("flagged", "judges were asked another text: polite in 4 of 40 scenarios"),
            (),
        ),
        (0, "Criteria", ("same", "identical"), ()),
    ],
)
def test_texts_of_a_criterion_that_swap_scenarios(
    other: int, name: str, wanted: tuple[Grade, str], changed: tuple[str, ...]
) -> None:
    """Both sides have both texts."""
    before = judged(lambda n: [polite(mark="strict" if n < 30 else "soft")])
    after = judged(lambda n: [polite(mark="strict" if n < 30 - other else "soft")])
    found = between(before, after)
    assert grade(found, name) == wanted
    assert found.criteria_changed == changed


# -- one experiment


@pytest.mark.parametrize(
    ("how", "said"),
    [
        (lambda n: [polite("A" if n < 9 else "B")], "polite: judged by 2 models (A, B)"),
        (
            lambda n: [polite(version=1 + n % 2)],
            "polite: judged with 2 prompts (criterion 1, criterion 2)",
        ),
        (lambda n: [polite(mark="xy"[n % 2])], "polite: asked in 2 wordings"),
        (lambda n: [polite("A"), Judging("short", "B", "criterion", 2)], ""),
        (lambda n: [polite("A"), polite("B")], ""),
        (lambda n: [polite("A" if n < 9 else "")], ""),
    ],
)
def test_what_was_judged_now_so_and_now_so_is_mixed(how: Callable[[int], list[Judging]], said: str) -> None:
    """Two criteria with a judge each are meant so, and so are two judges that are asked everywhere."""
    assert why_mixed(experiment("a", judged(how))) == said
