"""What is missing, moved or unequal is never taken for a change of the agent."""

from __future__ import annotations

from typing import Any

import pytest
from made_experiments import attempt, attempts, between, measure, repeated, soft
from made_experiments import judged as judgings

from grice.experiments.attempts import Attempt, CheckTally, attempt_of
from grice.experiments.comparison.records import Comparison, Grade
from grice.records import Conversation, Outcome, Result, Verdict
from grice.reporting.comparison.answer import answer

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


@pytest.mark.parametrize("lost", ["inconclusive", "error"])
def test_checks_without_an_answer_are_left_out_and_told_once(lost: str) -> None:
    found = between(every_third("fail", row("pass")), every_third(lost, row("pass")))
    polite = measure(found, "polite")
    assert (polite.baseline_count, polite.current_count) == ((66, 80), (66, 66))
    assert (found.baseline.missing_checks, found.current.missing_checks) == (0, 14)
    told = "left out, as they gave no answer: 14 checks of the current"
    assert [one for one in found.notes if "no answer" in one] == [told]
    assert f"L{told[1:]}." in answer(found)
    assert found.comparability.level == "HIGH"


def test_attempts_that_could_not_tell_or_do_not_count_are_left_out_and_told() -> None:
    unsure = (CheckTally("toCallTool", "hard", "inconclusive", 1),)
    after = [
        attempt(KEYS[0], outcome=Outcome.INCONCLUSIVE, failure="none", checks=unsure),
        attempt(KEYS[1], outcome=Outcome.ERROR, failure="error", counts=False),
        *attempts("+" * 40)[2:],
    ]
    before = [attempt(KEYS[0], False), *attempts("+" * 40)[1:]]
    found = between(before, after)
    completion = measure(found, "completion rate")
    assert (completion.baseline_count, completion.current_count) == ((38, 38), (38, 38))
    assert completion.left_out == 1
    assert (found.baseline.missing_attempts, found.current.missing_attempts) == (0, 2)
    assert found.notes[0] == "left out, as they gave no answer: 2 attempts of the current"
    assert found.changes == ()


def test_nothing_is_said_of_what_is_missing_where_nothing_is() -> None:
    found = between(every_third("fail"), every_third("fail"))
    assert not any("no answer" in one for one in (*found.notes, answer(found)))


def test_what_was_skipped_is_not_missing() -> None:
    side = [attempt("a"), attempt("b", outcome=Outcome.SKIPPED, counts=False)]
    found = between([attempt("a"), attempt("b")], side)
    assert found.current.missing_attempts == 0


def test_what_is_shown_of_a_part_of_the_scenarios_says_so() -> None:
    """The check is asked at the end, and half of the conversations do not get there any more."""
    before = [
        attempt(key, checks=(row("fail" if n < 10 else "pass"),), **JUDGED) for n, key in enumerate(KEYS)
    ]
    after = [attempt(key, checks=(row("pass"),) if n < 28 else (), **JUDGED) for n, key in enumerate(KEYS)]
    found = between(before, after)
    assert measure(found, "polite").left_out == 12
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
    told = ("weakens", "hard on one side, soft on the other: polite")
    assert aspect(found, "Criteria") == told
    assert aspect(between(judged("soft", "hard"), judged("hard", "hard")), "Criteria") == told
    assert aspect(between(judged("hard", "hard"), judged("hard", "hard")), "Criteria")[0] == "same"


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


def test_skips_on_one_side_lower_the_overlap() -> None:
    before = attempts("+-" * 20)
    after = [one if one.passed else attempt(one.key, outcome=Outcome.SKIPPED, counts=False) for one in before]
    reason = "20 shared, 20 without an attempt that counts on both sides, that is 50% of one side"
    assert aspect(between(before, after), "Scenarios") == ("flagged", reason)
    assert aspect(between(after, before), "Scenarios") == ("flagged", reason)
    assert between(after[:7], before[:7]).uncounted == ("s01", "s03", "s05")


def test_what_both_skip_is_no_part_of_the_overlap() -> None:
    side = [attempt("a"), attempt("b", outcome=Outcome.SKIPPED, counts=False)]
    assert aspect(between(side, side), "Scenarios") == ("same", "1 shared")
    assert between(side, side).uncounted == ()


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
        "up to 3 attempts a scenario, now up to 3 attempts a scenario, not the same in 40 scenarios",
    )
    assert found.conclusion == "no difference shown"


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
