"""What is missing, moved or unequal is never taken for a change of the agent."""

from __future__ import annotations

from typing import Any

import pytest
from made_experiments import attempt, attempts, between, measure, repeated, soft
from made_experiments import judged as judgings

from grice.experiments.attempts import Attempt, CheckTally, attempt_of
from grice.experiments.comparison.records import Comparison, Grade
from grice.records import Conversation, Outcome, Result, Verdict
from grice.reporting.comparison.words import answer

JUDGED: dict[str, Any] = {"judged": judgings({"polite": "sha256:a", "correct": "sha256:b"})}
KEYS = [f"s{number:02}" for number in range(40)]


def row(outcome: str, times: int = 1, *, criterion: str = "polite", mode: str = "soft") -> CheckTally:
    return CheckTally("toSatisfy", mode, outcome, times, criterion)


def called(outcome: str = "pass", times: int = 1, *, mode: str = "hard") -> CheckTally:
    return CheckTally("toCallTool", mode, outcome, times)


def every_third(odd: str, *always: CheckTally) -> list[Attempt]:
    """Forty scenarios whose check of `polite` passed, but of each third, which came out `odd`."""
    return [
        attempt(key, checks=(row("pass" if number % 3 else odd), *always), **JUDGED)
        for number, key in enumerate(KEYS)
    ]


def aspect(found: Comparison, name: str) -> tuple[Grade, str]:
    one = next(one for one in found.comparability.aspects if one.name == name)
    return one.grade, one.reason


def names(found: Comparison) -> set[str]:
    return {one.name for one in found.comparability.aspects}


@pytest.mark.parametrize("lost", ["inconclusive", "error"])
def test_a_judge_that_cannot_tell_any_more_makes_no_sure_improvement(lost: str) -> None:
    found = between(every_third("fail", row("pass")), every_third(lost, row("pass")))
    assert measure(found, "polite").decision == "improved"
    assert found.comparability.level == "LOW"
    assert aspect(found, "Checks without an answer") == (
        "weakens",
        "polite 0 of 80 (0%), now 14 of 80 (18%)",
    )
    assert aspect(found, "What is missing") == (
        "weakens",
        "evaluation rate, polite: not shown if what is missing had come out the other way",
    )


def test_scenarios_without_an_answer_are_told_in_the_answer() -> None:
    found = between(every_third("fail"), every_third("inconclusive"))
    assert found.comparability.level == "LOW"
    assert "polite leaves out 14 of 40 scenarios: checks gave no answer." in answer(found)


@pytest.mark.slow
def test_one_criterion_that_broke_does_not_hide_among_many() -> None:
    many = tuple(row("pass", criterion=f"c{number}") for number in range(25))
    found = between(every_third("fail", *many), every_third("error", *many))
    assert aspect(found, "Checks without an answer") == ("weakens", "polite 0 of 40 (0%), now 14 of 40 (35%)")
    assert found.comparability.level == "LOW"


def test_a_single_error_among_many_answers_costs_nothing() -> None:
    sure = [attempt(key, checks=(row("pass", 12),), **JUDGED) for key in KEYS]
    one = [attempt(KEYS[0], checks=(row("pass", 11), row("error")), **JUDGED), *sure[1:]]
    assert aspect(between(sure, one), "Checks without an answer")[0] == "expected"
    assert between(sure, one).comparability.level == "HIGH"


def test_one_error_of_a_criterion_that_is_seldom_asked_is_flagged() -> None:
    rare = [attempt(key) for key in KEYS[2:]]
    sure = [attempt(key, checks=(row("pass"),), **JUDGED) for key in KEYS[:2]]
    one = [attempt(KEYS[0], checks=(row("error"),), **JUDGED), sure[1]]
    assert aspect(between(sure + rare, one + rare), "Checks without an answer")[0] == "flagged"


def with_marks(hard_ones: str) -> list[Attempt]:
    """Three repeats of 400 scenarios; 60 of them came out like this: `!` does not count."""
    return [
        attempt(
            f"s{number:03}",
            mark == "+",
            repeat=repeat,
            counts=mark != "!",
            **({"outcome": Outcome.ERROR, "failure": "error"} if mark == "!" else {}),
        )
        for number in range(400)
        for repeat, mark in enumerate(hard_ones if number < 60 else "+++", 1)
    ]


@pytest.mark.slow
def test_an_improvement_that_rests_on_lost_repeats_weakens() -> None:
    found = between(with_marks("++-"), with_marks("++!"))
    assert found.conclusion == "improved"
    assert found.comparability.level == "LOW"
    assert aspect(found, "What is missing") == (
        "weakens",
        "completion rate: not shown if what is missing had come out the other way",
    )


@pytest.mark.slow
def test_lost_repeats_that_may_hide_a_regression_are_flagged() -> None:
    found = between(with_marks("+++"), with_marks("++!"))
    assert found.conclusion == "no difference shown"
    assert aspect(found, "What is missing") == (
        "flagged",
        "completion rate: regressed if what is missing had failed",
    )
    assert found.comparability.level == "MEDIUM"


def test_what_is_shown_whatever_was_missing_stays_as_it_is() -> None:
    before = attempts("-" * 20 + "+" * 20)
    after = [*attempts("+" * 38), *(attempt(key, counts=False) for key in KEYS[38:])]
    found = between(before, after)
    assert found.conclusion == "improved"
    assert "What is missing" not in names(found)


def test_what_is_shown_of_a_part_of_the_scenarios_only_is_flagged() -> None:
    """The check is asked at the end, and half of the conversations do not get there any more."""
    before = [
        attempt(key, checks=(row("fail" if n < 10 else "pass"),), **JUDGED) for n, key in enumerate(KEYS)
    ]
    after = [attempt(key, checks=(row("pass"),) if n < 28 else (), **JUDGED) for n, key in enumerate(KEYS)]
    found = between(before, after)
    assert measure(found, "polite").left_out == 12
    assert aspect(found, "Values on both sides")[0] == "flagged"
    assert "polite (+35.7 points, 12 of 40 scenarios left out)" in answer(found)


def judged(polite: str, correct: str) -> list[Attempt]:
    """Forty scenarios; each check in its mode, and `polite` fails in each third."""
    return [
        attempt(
            key,
            polite == "soft" or bool(number % 3),
            checks=(
                row("pass" if number % 3 else "fail", mode=polite),
                row("pass", criterion="correct", mode=correct),
            ),
            **JUDGED,
        )
        for number, key in enumerate(KEYS)
    ]


def test_a_criterion_that_decides_no_longer_weakens() -> None:
    found = between(judged("hard", "hard"), judged("soft", "hard"))
    assert found.comparability.level == "LOW"
    assert aspect(found, "Hard checks") == (
        "weakens",
        "polite: hard in the baseline, soft in the other; completion is not like for like",
    )
    back = between(judged("soft", "hard"), judged("hard", "hard"))
    assert aspect(back, "Hard checks")[1].startswith("polite: hard in the current, soft in the other")
    assert aspect(between(judged("hard", "hard"), judged("hard", "hard")), "Hard checks")[0] == "same"


def test_one_of_two_hard_checks_of_a_kind_that_became_soft_weakens() -> None:
    before = attempts("++++++++--", checks=(called(times=2),))
    after = attempts("++++++++++", checks=(called(), called(mode="soft")))
    assert aspect(between(before, after), "Hard checks")[0] == "weakens"


def test_fewer_hard_checks_in_what_passed_are_flagged() -> None:
    found = between(
        attempts("++++++++--", checks=(called(times=2),)), attempts("++++++++++", checks=(called(),))
    )
    assert aspect(found, "Hard checks") == ("flagged", "not as many in each scenario: call_tool")


def test_checks_that_a_failure_cut_short_are_not_fewer() -> None:
    """A hard check that fails ends its test, and a longer conversation has more of them."""
    before = [
        *attempts("+++", checks=(called(times=5),)),
        attempt("s03", False, checks=(called(), called("fail"))),
        attempt("s04", turns=3, checks=(called(times=3),)),
    ]
    after = [*attempts("++++", checks=(called(times=5),)), attempt("s04", checks=(called(times=5),))]
    assert aspect(between(before, after), "Hard checks") == ("same", "the same")


def asked_for(text: str, keys: list[str], *, passed: bool = True) -> list[Attempt]:
    """Attempts as they are read from results with two hard checks, of which one asks for the text."""
    outcome = Outcome.PASS if passed else Outcome.FAIL
    made: list[Attempt] = []
    for key in keys:
        verdicts = [
            Verdict(Outcome.PASS, matcher="toMatch", claim="the reply to match /[a-z]/"),
            Verdict(outcome, matcher="toContain", claim=f"the reply to contain {text} for {key}"),
        ]
        result = Result(f"example:{key}", key, outcome, Conversation(), tuple(verdicts))
        made.append(attempt_of(result))
    return made


def test_a_hard_check_that_asks_for_less_is_flagged() -> None:
    before = [*asked_for("yes", KEYS[:20]), *asked_for("yes", KEYS[20:], passed=False)]
    found = between(before, asked_for("y", KEYS))
    assert found.conclusion == "improved"
    assert found.comparability.level == "MEDIUM"
    assert aspect(found, "Hard checks") == (
        "flagged",
        "they ask for something else in 20 of 20 scenarios that passed in both",
    )
    same = between(before, asked_for("yes", KEYS))
    assert aspect(same, "Hard checks") == ("same", "the same")
    assert same.comparability.level == "HIGH"


def test_one_test_that_was_changed_is_told() -> None:
    after = [*asked_for("y", KEYS[:1]), *asked_for("yes", KEYS[1:])]
    assert aspect(between(asked_for("yes", KEYS), after), "Hard checks")[0] == "expected"


def test_skips_on_one_side_lower_the_overlap_and_are_named() -> None:
    before = attempts("+-" * 20)
    after = [one if one.passed else attempt(one.key, outcome=Outcome.SKIPPED, counts=False) for one in before]
    grade, reason = aspect(between(before, after), "Scenarios")
    assert grade == "flagged"
    assert reason == (
        "20 shared, 20 skipped in the current only (s01, s03, s05, s07, s09 and 15 more), "
        "that is 50% of one side"
    )
    grade, reason = aspect(between(after, before), "Scenarios")
    assert (grade, "20 skipped in the baseline only" in reason) == ("flagged", True)
    assert between(after[:7], before[:7]).uncounted == ("s01", "s03", "s05")


def test_what_both_skip_is_no_part_of_the_overlap() -> None:
    side = [attempt("a"), attempt("b", outcome=Outcome.SKIPPED, counts=False)]
    assert aspect(between(side, side), "Scenarios") == ("same", "1 shared, 1 skipped in both (b)")


def test_another_mix_of_checks_is_no_better_quality() -> None:
    def side(greetings: int) -> list[Attempt]:
        rows = row("pass", greetings, criterion="greets"), row("fail", criterion="solves")
        return [attempt(key, checks=rows) for key in KEYS]

    rate = measure(between(side(1), side(4)), "evaluation rate")
    assert rate.difference is not None
    assert rate.alike is not None
    assert (round(rate.difference.value, 9), rate.alike.value, rate.decision) == (0.3, 0, "not shown")
    assert "with each scenario and each kind of check in it counted once it is +0.0 points" in rate.note


def test_a_scenario_with_many_repeats_on_both_sides_does_not_speak_for_the_others() -> None:
    def side(first: str, passed: int) -> list[Attempt]:
        others = [attempt(key, number <= passed) for number, key in enumerate(KEYS[1:], 1)]
        return [*repeated(KEYS[0], first * 100), *others]

    found = between(side("+", 0), side("-", 19))
    rate = measure(found, "completion rate")
    assert rate.difference is not None
    assert rate.alike is not None
    assert (round(rate.difference.value, 2), round(rate.alike.value, 2)) == (-0.58, 0.45)
    assert "with each scenario counted once it is +45.0 points" in answer(found)


def test_repeats_that_are_exchanged_between_scenarios_are_flagged() -> None:
    def side(easy: int, hard: int) -> list[Attempt]:
        marks = [("+" * easy) if number < 20 else ("-" * hard) for number in range(40)]
        return [one for key, mark in zip(KEYS, marks, strict=True) for one in repeated(key, mark)]

    found = between(side(1, 3), side(3, 1))
    assert aspect(found, "Repeats") == (
        "flagged",
        "up to 3 attempts a scenario; 40 of 40 scenarios more often on one side",
    )
    assert found.conclusion == "no difference shown"


def test_attempts_without_a_verdict_are_told_and_weaken() -> None:
    before = attempts("+" * 40)
    unsure = (CheckTally("toCallTool", "hard", "inconclusive", 1),)
    after = [attempt(key, outcome=Outcome.INCONCLUSIVE, failure="none", checks=unsure) for key in KEYS]
    found = between(before, after)
    assert found.conclusion == "regressed"
    told = "Hard checks could not tell, which counts as not passed: 40 attempts of the current."
    assert told in answer(found)
    assert aspect(found, "Attempts without a verdict")[0] == "weakens"
    assert between(after, before).comparability.level == "LOW"


def test_a_criterion_with_the_name_of_the_overall_rate_is_a_criterion() -> None:
    before = attempts("+" * 40, checks=soft("evaluation rate", 1, mode="hard"))
    after = attempts("-" * 40, checks=soft("evaluation rate", 0, 1, mode="hard"))
    found = between(before, after)
    (rate,) = [one for one in found.measures if one.name == "evaluation rate"]
    assert not rate.overall
    assert "Quality regressed: evaluation rate (-100.0 points)." in answer(found)
    assert soft_rate(between(before, before)) is None
    mixed = attempts("+" * 40, checks=(*soft("evaluation rate", 1), *soft("kind", 1)))
    assert soft_rate(between(mixed, mixed)) == "evaluation rate"


def soft_rate(found: Comparison) -> str | None:
    return next((one.name for one in found.measures if one.overall), None)


def test_what_is_not_shown_any_more_is_not_hidden_by_what_would_have_regressed() -> None:
    """Twenty attempts are lost: completion improved without them, and quality stayed as it was."""
    given: dict[str, Any] = {"checks": (row("pass"), called()), **JUDGED}
    scenarios = [f"s{number:02}" for number in range(60)]
    before = [attempt(key, number >= 20, **given) for number, key in enumerate(scenarios)]
    now = [attempt(key, number < 40, counts=number < 40, **given) for number, key in enumerate(scenarios)]
    found = between(before, now)
    assert measure(found, "completion rate").decision == "improved"
    grade, reason = aspect(found, "What is missing")
    assert grade == "weakens"
    assert reason.startswith("completion rate: not shown if ")
    assert reason.endswith("polite: regressed if what is missing had failed")
