"""Whether both sides made the same checks: kinds, numbers, what they asked, bodies of tests without any."""

from __future__ import annotations

import pytest
from made_experiments import attempts, between

from grice.experiments.attempts import Attempt, CheckTally, attempt_of
from grice.experiments.comparison.records import Comparison, Grade
from grice.records import Conversation, Message, Outcome, Result, Turn, Verdict

KEYS = range(40)


def check(
    matcher: str = "toContain", claim: str = "", *, mode: str = "hard", passed: bool = True, **fields: object
) -> Verdict:
    claim = claim or f"the reply to {matcher}"
    outcome = Outcome.PASS if passed else Outcome.FAIL
    return Verdict(outcome, "because", matcher=matcher, claim=claim, mode=mode, **fields)  # type: ignore[arg-type]


def body(passed: bool = True, code: str = "sha256:1") -> Verdict:
    """The word of a test's body in which no check was seen."""
    outcome, reason = (Outcome.PASS, "") if passed else (Outcome.FAIL, "assert 1 == 2")
    return Verdict(outcome, reason, claim="test_it to hold", detail={"code": code} if code else {})


def held(number: int, *verdicts: Verdict, turns: int = 1, data: str = "") -> Attempt:
    """The attempt at that scenario; its hard checks decide."""
    bad = any(one.mode == "hard" and one.outcome is Outcome.FAIL for one in verdicts)
    said = tuple(Turn(n, (Message("user", "a"), Message("assistant", "b"))) for n in range(1, turns + 1))
    return attempt_of(
        Result(
            f"example:{number}",
            f"s{number}",
            Outcome.FAIL if bad else Outcome.PASS,
            Conversation(turns=said),
            verdicts,
            "assertion" if bad else "none",
            fingerprint=data or f"of {number}",
        )
    )


def every(*verdicts: Verdict, turns: int = 1) -> list[Attempt]:
    return [held(number, *verdicts, turns=turns) for number in KEYS]


def grade(found: Comparison, name: str = "Hard checks") -> tuple[Grade, str]:
    one = next(one for one in found.comparability.aspects if one.name == name)
    return one.grade, one.reason


HARD = check("toCallTool")


# -- soft checks


@pytest.mark.parametrize(
    ("before", "after", "reason"),
    [
        (
            [check("toMatch", "to match dear", mode="soft")],
            [check("toMatch", "to match [Bb]ooked|No", mode="soft")],
            "match asks for something else in 40 of 40 scenarios that passed in both",
        ),
        (
            [check(mode="soft")],
            [check(mode="soft", negated=True)],
            "only in the baseline, not compared: contain; only in the current, not compared: not contain",
        ),
        (
            [check(mode="soft")],
            [check(mode="soft"), check("toMatch", mode="soft")],
            "only in the current, not compared: match",
        ),
    ],
)
def test_other_soft_checks_are_flagged(before: list[Verdict], after: list[Verdict], reason: str) -> None:
    found = between(every(HARD, *before), every(HARD, *after))
    assert grade(found, "Soft checks") == ("flagged", reason)
    assert grade(found) == ("same", "the same")
    assert found.comparability.level == "MEDIUM"


def test_the_same_soft_checks_are_the_same_whatever_came_of_them() -> None:
    before = [held(n, HARD, check(mode="soft", passed=n % 2 == 0)) for n in KEYS]
    found = between(before, every(HARD, check(mode="soft")))
    assert grade(found, "Soft checks") == ("same", "the same")
    assert found.comparability.level == "HIGH"
    assert grade(between(every(HARD), every(HARD)), "Soft checks") == ("same", "none on either side")


def test_a_few_other_soft_checks_are_told_only() -> None:
    after = [held(n, HARD, check(claim="another" if n < 4 else "", mode="soft")) for n in KEYS]
    found = between(every(HARD, check(mode="soft")), after)
    assert grade(found, "Soft checks") == (
        "expected",
        "contain asks for something else in 4 of 40 scenarios that passed in both",
    )
    rare = [held(n, HARD, check(mode="soft"), *[check("toMatch", mode="soft")] * (n < 4)) for n in KEYS]
    assert grade(between(every(HARD, check(mode="soft")), rare), "Soft checks") == (
        "expected",
        "only in the current, not compared: match",
    )


def test_soft_checks_of_which_there_are_more_by_chance_are_the_same() -> None:
    """Whether a check is made may depend on what the agent says."""

    def side(odd: int) -> list[Attempt]:
        return [held(n, HARD, *[check(mode="soft")] * (1 + (n % 2 == odd))) for n in KEYS]

    assert grade(between(side(0), side(1)), "Soft checks") == ("same", "the same")


def test_what_is_told_of_criteria_is_not_told_again() -> None:
    kind, brief = (check("toSatisfy", mode="soft", criterion=name) for name in ("kind", "brief"))
    found = between(every(HARD, kind, brief), every(HARD, kind))
    assert grade(found, "Criteria") == ("flagged", "removed, not compared: brief")
    assert grade(found, "Soft checks") == ("same", "the same")
    alone = between(every(HARD, brief), every(HARD, kind))
    assert grade(alone, "Soft checks") == ("same", "the same")


def test_a_check_that_became_soft_is_told_of_hard_checks_only() -> None:
    found = between(every(HARD, check()), every(HARD, check(mode="soft")))
    assert grade(found) == ("weakens", "hard on one side, soft on the other: contain")
    assert grade(found, "Soft checks") == ("same", "the same")


def test_a_soft_check_that_is_made_now_and_then_is_no_other_one() -> None:
    """By chance the two sides make it in other scenarios, or in few that can be held against each other."""

    def side(*places: int) -> list[Attempt]:
        rare = check("toMatch", mode="soft")
        return [held(n, HARD, check(mode="soft"), *[rare] * (n in places)) for n in KEYS]

    assert grade(between(side(1, 2), side(3)), "Soft checks") == ("same", "the same")
    assert grade(between(side(1, 2), side(2)), "Soft checks") == ("same", "the same")


def test_soft_checks_are_compared_where_no_scenario_passed_in_both() -> None:
    before = [held(n, check(mode="soft"), check("toCallTool", passed=False)) for n in KEYS]
    same, other = check(mode="soft"), check(claim="another", mode="soft")
    assert grade(between(before, every(same, HARD)), "Soft checks") == ("same", "the same")
    assert grade(between(before, every(other, HARD)), "Soft checks") == (
        "flagged",
        "what contain asks for can be compared in 0 of 40 scenarios only",
    )


# -- hard checks


@pytest.mark.parametrize(("dropped", "wanted"), [(5, "same"), (6, "weakens")])
def test_hard_checks_that_one_side_leaves_out_here_and_there(dropped: int, wanted: Grade) -> None:
    """Where the baseline failed the current makes no check at all. Fewer than six never show a difference."""
    soft = check(mode="soft")
    before = [held(n, soft, check("toCallTool", passed=n >= dropped)) for n in KEYS]
    after = [held(n, soft, *([] if n < dropped else [HARD])) for n in KEYS]
    assert grade(between(before, after))[0] == wanted


def test_a_hard_check_that_is_left_out_where_it_failed_weakens_though_others_are_made() -> None:
    before = [held(n, check(), check("toCallTool", passed=n >= 15)) for n in KEYS]
    after = [held(n, check(), *[HARD] * (n >= 15)) for n in KEYS]
    told = "passed in the {} without call_tool, made in the {}: 15 of 40 scenarios"
    assert grade(between(before, after)) == ("weakens", told.format("current", "baseline"))
    assert grade(between(after, before)) == ("flagged", told.format("baseline", "current"))


def test_a_hard_check_that_is_made_when_the_agent_gives_reason_to_is_not_left_out() -> None:
    def side(odd: int) -> list[Attempt]:
        return [held(n, check(), *[HARD] * (n % 2 == odd or n > 9)) for n in KEYS]

    assert grade(between(side(0), side(1))) == ("same", "the same")


def test_hard_checks_of_which_there_are_more_by_chance_are_the_same() -> None:
    def side(*more: int) -> list[Attempt]:
        return [held(n, *[check()] * (1 + (n in more)), HARD) for n in KEYS]

    assert grade(between(side(*range(0, 40, 2)), side(*range(1, 40, 2)))) == ("same", "the same")


def test_what_is_asked_is_compared_by_the_same_kinds_only() -> None:
    """A kind that is made now and then asks for more there, and hides nothing in the others."""

    def side(odd: int, claim: str) -> list[Attempt]:
        return [held(n, check(claim=claim), *[HARD] * (n % 2 == odd or n > 9)) for n in KEYS]

    told = "they ask for something else in 30 of 30 scenarios that passed in both"
    assert grade(between(side(0, "x"), side(1, "y"))) == ("flagged", told)


def test_the_verdict_of_an_agent_that_failed_is_no_kind_of_check() -> None:
    called = CheckTally("toCallTool", "hard", "pass", 1)
    broken = attempts("+-", checks=(called, CheckTally("", "hard", "fail", 1)))
    sound = attempts("+-", checks=(called,))
    assert grade(between(broken, sound))[0] == "same"
    found = grade(between(attempts("+-", checks=(CheckTally("", "hard", "fail", 1),)), sound))
    assert found == ("flagged", "only in the current: call_tool")


def test_a_hard_condition_of_a_graph_goes_by_its_name() -> None:
    asked = CheckTally("", "hard", "pass", 1, "asks for the date")
    found = grade(between(attempts("+" * 6, checks=(asked,)), attempts("+" * 6)))
    told = "passed in the current without asks for the date, made in the baseline: 6 of 6 scenarios"
    assert found == ("weakens", told)


def test_a_kind_of_hard_check_that_was_dropped_weakens_and_one_that_was_added_is_flagged() -> None:
    before, after = every(HARD), every(check("toMatch"))
    dropped = "passed in the current without call_tool, made in the baseline: 40 of 40 scenarios"
    added = "passed in the baseline without match, made in the current: 40 of 40 scenarios"
    assert grade(between(before, after)) == ("weakens", f"{dropped}; {added}")
    both = every(HARD, check("toMatch"))
    assert grade(between(before, both)) == ("flagged", added)


@pytest.mark.parametrize(
    ("scenarios", "made", "wanted"), [(8, 5, "flagged"), (8, 6, "weakens"), (80, 8, "flagged")]
)
def test_a_kind_that_is_made_in_few_scenarios_may_be_missing_by_chance(
    scenarios: int, made: int, wanted: Grade
) -> None:
    before = [held(n, check(), *[HARD] * (n < made)) for n in range(scenarios)]
    found = grade(between(before, [held(n, check()) for n in range(scenarios)]))
    assert found[0] == wanted
    assert "call_tool" in found[1]


def test_the_polarity_of_a_hard_check_belongs_to_its_kind() -> None:
    found = between(every(check(claim="x")), every(check(claim="x", negated=True)))
    assert grade(found) == (
        "weakens",
        (
            "passed in the current without contain, made in the baseline: 40 of 40 scenarios; "
            "passed in the baseline without not contain, made in the current: 40 of 40 scenarios"
        ),
    )


def test_a_check_that_a_failure_came_before_was_not_dropped() -> None:
    """An agent that fails everywhere comes to no check at all."""
    broken = every(Verdict(Outcome.FAIL, "it raised", claim="the agent to answer"))
    found = between(every(HARD), broken)
    assert grade(found) == ("flagged", "only in the baseline: call_tool")


def test_a_hard_check_that_was_skipped_was_not_made() -> None:
    skipped = Verdict(Outcome.SKIPPED, "no tools", matcher="toCallTool", claim="the reply to call x")
    assert grade(between(every(HARD), every(skipped)))[0] == "weakens"


def test_what_hard_checks_ask_for_may_not_be_known() -> None:
    before = [held(n, check(claim="long text", passed=n >= 15), turns=2) for n in KEYS]
    found = between(before, every(check(claim="''")))
    assert grade(found) == ("flagged", "what they ask for can be compared in 0 of 40 scenarios only")
    assert found.comparability.level == "MEDIUM"


def test_what_failed_on_both_sides_tells_that_the_same_was_asked() -> None:
    failed = every(check(claim="x", passed=False))
    assert grade(between(failed, every(check(claim="x", passed=False), turns=3))) == ("same", "the same")
    other = between(failed, every(check(claim="y", passed=False)))
    assert grade(other)[0] == "flagged"


def test_one_scenario_that_can_be_compared_does_not_speak_for_all() -> None:
    before = [held(n, check(claim="long text", passed=n < 3)) for n in KEYS]
    after = [held(n, check(claim="long text" if n < 3 else "''"), turns=1 + (n >= 3)) for n in KEYS]
    assert grade(between(before, after)) == (
        "flagged",
        "what they ask for can be compared in 3 of 40 scenarios only",
    )


# -- tests without a check of Grice


def test_the_code_of_a_body_tells_whether_the_same_was_asserted() -> None:
    found = between(every(body()), every(body()))
    assert grade(found) == ("same", "the same")
    assert found.comparability.level == "HIGH"
    assert grade(between(every(body()), every(body(code="sha256:2")))) == (
        "flagged",
        "they ask for something else in 40 of 40 scenarios that passed in both",
    )


def test_assertions_that_failed_are_known_by_the_code_too() -> None:
    failed = every(body(passed=False))
    assert grade(between(failed, every(body())))[0] == "same"
    assert grade(between(failed, every(body(code="sha256:2")))) == (
        "flagged",
        "what they ask for can be compared in 0 of 40 scenarios only",
    )


def test_assertions_without_known_code_cannot_be_compared() -> None:
    unknown = every(body(code=""))
    assert grade(between(unknown, unknown), "Test code") == ("flagged", "not known in 40 of 40 scenarios")
    few = [*unknown[:4], *every(body())[4:]]
    assert grade(between(few, few), "Test code") == ("expected", "not known in 4 of 40 scenarios")


def test_a_runner_that_has_no_names_of_checks_is_taken_at_its_claims() -> None:
    def told(claim: str) -> list[Attempt]:
        return every(Verdict(Outcome.PASS, "as wanted", claim=claim))

    assert grade(between(told("the room to be booked"), told("the room to be booked"))) == (
        "same",
        "the same",
    )
    assert grade(between(told("the room to be booked"), told("anything")))[0] == "flagged"
