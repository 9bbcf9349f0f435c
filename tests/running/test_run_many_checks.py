"""`grice.run`: checks of every kind, and what they say of a finished conversation."""

import asyncio
import sys

import pytest

import grice
import grice.aio
from grice import (
    FinishedConversation,
    Outcome,
    ScriptedLLM,
    UserScript,
    Verdict,
    criterion,
    evaluate,
    expect,
    simulated,
)
from grice.matchers import contain, have_turn_count, satisfy

SCRIPT = UserScript("Hi", "A room for ten")
POLITE = "polite"  # the plugin looks up names that a test file spells out
TWO = [{"id": "small", "goal": "Four people"}, {"id": "large", "goal": "Thirty people"}]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """Where settings are looked up and runs are kept."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def agent(messages):
    return f"You said: {messages[-1]['content']}"


def run(given=TWO, checks=(), *, agent=agent, user=SCRIPT, journal=False, **options):
    return grice.run(given, agent, checks, user=user, journal=journal, **options)


def outcomes(found):
    return {one.key: str(one.outcome) for one in found.results}


def only(found):
    (result,) = found.results
    return result


def verdict_of(check):
    return only(run([TWO[0]], [check])).verdicts


def test_a_matcher_judges_the_whole_conversation():
    assert [one.outcome for one in verdict_of(have_turn_count(max=2))] == ["pass"]
    (verdict,) = verdict_of(have_turn_count(max=1))
    assert (verdict.outcome, verdict.mode, verdict.detail["actual"]) == ("fail", "hard", 2)
    assert [one.outcome for one in verdict_of(~have_turn_count(max=1))] == ["pass"]


def test_a_matcher_for_something_else_is_an_error():
    (verdict,) = verdict_of(contain("ten"))
    assert (verdict.outcome, verdict.mode) == ("error", "hard")


async def later_true(conversation):
    await asyncio.sleep(0)
    return True


async def later_false(conversation, scenario):
    return False


async def cancelled(conversation):
    raise asyncio.CancelledError


class Callable:
    def __call__(self, conversation):
        return True


class AsyncCallable:
    async def __call__(self, conversation):
        return False


@pytest.mark.parametrize(
    ("check", "outcome", "reason"),
    [
        (lambda c: True, "pass", "it returned True"),
        (lambda c: None, "pass", ""),
        (lambda c: False, "fail", "it returned False"),
        (lambda c, s: s.key == "small", "pass", "it returned True"),
        (lambda c: Verdict(Outcome.INCONCLUSIVE, "no idea"), "inconclusive", "no idea"),
        (lambda c: Verdict(Outcome.FAIL, "too short", claim="it is long"), "fail", "too short"),
        (later_true, "pass", "it returned True"),
        (later_false, "fail", "it returned False"),
        (Callable(), "pass", "it returned True"),
        (AsyncCallable(), "fail", "it returned False"),
        (lambda c: later_false(c, None), "fail", "it returned False"),
        (lambda c: 0, "error", "it returned 0, expected True, False, a Verdict or None"),
        (lambda c: c.turns, "error", "it returned ("),
        (lambda c: "no", "error", "it returned 'no'"),
        (lambda c: sys.exit(3), "error", "the check raised SystemExit: 3"),
        (cancelled, "error", "the check raised CancelledError"),
        (lambda c: 1 / 0, "error", "the check raised ZeroDivisionError: division by zero (test_run_many"),
    ],
)
def test_a_function_says_what_it_found(check, outcome, reason):
    (verdict,) = verdict_of(check)
    assert verdict.outcome == outcome
    assert verdict.reason.startswith(reason)
    assert verdict.claim


@pytest.mark.slow
def test_the_word_of_a_body_has_the_fingerprint_of_its_code():
    def one(conversation):
        assert conversation.turns

    def other(conversation):
        assert len(conversation.turns) == 1

    def fails(conversation):
        raise AssertionError

    def own(conversation):
        return Verdict(Outcome.PASS)

    codes = [verdict_of(body)[0].detail["code"] for body in (one, one, other, fails, own, Callable())]
    assert all(code.startswith("sha256:") for code in codes)
    assert codes[0] == codes[1]
    assert len(set(codes)) == 5
    (soft,) = verdict_of(lambda c: Verdict(Outcome.PASS, mode="soft"))
    assert soft.detail == {}


def test_a_body_that_asserts_has_a_word_of_its_own_beside_soft_checks():
    def asserts(conversation):
        evaluate(conversation.say("Hi")).to_contain("nothing of the kind")
        assert conversation.turns

    async def asserts_later(async_conversation):
        evaluate(await async_conversation.say("Hi")).to_contain("Hi")
        assert async_conversation.turns

    def has_a_hard_one(conversation):
        expect(conversation.say("Hi")).to_contain("Hi")
        assert conversation.turns

    def only_soft(conversation):
        evaluate(conversation.say("Hi")).to_contain("Hi")

    def says_nothing(conversation):
        evaluate("Hi").to_contain("Hi")
        assert not conversation.turns

    words = []
    for body in (asserts, asserts_later, has_a_hard_one, only_soft, says_nothing):
        result = only(run(None, [body], user=None))
        assert result.outcome == "pass"
        words.append([(one.mode, one.matcher, one.reason) for one in result.verdicts if not one.matcher])
    assert words == [[("hard", "", "")], [("hard", "", "")], [], [], []]


@pytest.mark.slow
def test_a_result_has_the_code_of_a_body_that_asserts():
    def asserts(conversation):
        expect(conversation.turns).to_have_length(2)
        assert conversation.turns

    def fails(conversation):
        raise AssertionError

    def breaks(messages):
        raise OSError("down")

    def checks(conversation):
        expect(conversation.turns).to_have_length(2)

    def code(*bodies, agent=agent):
        return only(run([TWO[0]], bodies, agent=agent)).asserts

    assert code(asserts).startswith("sha256:")
    assert code(asserts) == code(asserts, checks) == code(asserts, agent=breaks)
    assert len({code(asserts), code(fails), code(asserts, fails), code(checks)}) == 4
    assert code(checks) == code(have_turn_count(max=2)) == ""


def test_a_test_that_says_and_checks_nothing_tells_nothing():
    def test_it(conversation):
        pass

    async def test_later(async_conversation):
        pass

    for test in (test_it, test_later):
        result = only(run(None, [test], user=None))
        (verdict,) = result.verdicts
        assert (result.outcome, verdict.reason) == (
            "inconclusive",
            "nothing was said and nothing was checked",
        )

    def test_talking(conversation):
        assert conversation.say("Hi").text == "You said: Hi"

    assert only(run(None, [test_talking], user=None)).outcome == "pass"


def test_an_assertion_that_fails_names_its_line():
    def booked(conversation):
        assert "booked" in conversation.last.text, "it is not booked"

    (verdict,) = verdict_of(booked)
    assert verdict.outcome == "fail"
    line = booked.__code__.co_firstlineno + 1
    assert verdict.reason.startswith("it is not booked")
    assert verdict.reason.endswith(f" (test_run_many_checks.py, line {line})")


def test_a_function_may_skip_and_fail_as_under_pytest():
    (verdict,) = verdict_of(lambda c: pytest.skip("not today"))
    assert (verdict.outcome, verdict.reason) == ("skipped", "not today")
    (verdict,) = verdict_of(lambda c: pytest.fail("no"))
    assert (verdict.outcome, verdict.reason) == ("fail", "no")


def test_a_skipped_conversation_counts_nowhere():
    result = only(run([TWO[0]], [lambda c: pytest.skip("not today")]))
    assert (result.outcome, result.failure, result.counts) == ("skipped", "none", False)


def test_checks_inside_of_a_function_are_the_verdicts():
    def check(conversation):
        evaluate(conversation.turns[0].text).to_contain("nobody")
        expect(conversation).to_have_turn_count(exactly=2)
        expect(conversation.last).to_contain("eleven")
        raise AssertionError("not reached")

    verdicts = verdict_of(check)
    assert [(one.mode, str(one.outcome)) for one in verdicts] == [
        ("soft", "fail"),
        ("hard", "pass"),
        ("hard", "fail"),
    ]


def test_soft_checks_of_an_llm_are_waited_for_also_where_the_function_raises():
    answer = {"requirement": "x", "reasoning": "so", "satisfied": True, "quote": ""}

    async def slowly(request):
        await asyncio.sleep(0.01)
        return answer

    def check(conversation):
        evaluate(conversation.last).to_satisfy("It is polite.")
        raise KeyError("price")

    async def check_later(conversation):
        evaluate(conversation.last).to_satisfy("It is polite.")
        raise KeyError("price")

    judge = ScriptedLLM({"criterion": slowly})
    for one in (check, check_later):
        soft, hard = only(run([TWO[0]], [one], judge_llm=judge)).verdicts
        assert (soft.mode, soft.outcome, soft.reason) == ("soft", "pass", "so"), one
        assert hard.outcome == "error"


def test_one_check_that_fails_keeps_no_other_from_looking():
    def first(conversation):
        expect(conversation.last).to_contain("nobody")

    verdicts = only(run([TWO[0]], [first, lambda c: 1 / 0, lambda c: True])).verdicts
    assert sorted(str(one.outcome) for one in verdicts) == ["error", "fail", "pass"]


def test_a_finished_conversation_is_looked_at_and_nothing_is_said_in_it():
    def check(conversation):
        assert isinstance(conversation, FinishedConversation)
        conversation.say("More")

    (verdict,) = verdict_of(check)
    assert verdict.outcome == "error"
    assert "arrived finished" in verdict.reason


def test_without_checks_the_goal_is_judged():
    goal = {"requirement": "x", "reasoning": "all is booked", "achieved": True}
    result = only(run([TWO[0]], judge_llm=ScriptedLLM({"goal": goal})))
    assert (result.outcome, result.verdicts[0].matcher) == ("pass", "toHaveAchievedGoal")
    missing = only(run([TWO[0]]))
    assert (missing.outcome, missing.failure, missing.counts) == ("error", "error", False)


def test_criteria_are_named_by_checks():
    polite = criterion(POLITE, "The agent is polite.")
    answer = {"requirement": "x", "reasoning": "so", "satisfied": True, "quote": ""}
    judge = ScriptedLLM({"criterion:polite": answer})
    found = run([TWO[0]], [satisfy(POLITE)], judge_llm=judge, criteria=[polite])
    assert only(found).verdicts[0].criterion == "polite"
    assert found.experiment.criteria_hash

    @simulated(SCRIPT)
    def test_it(conversation):
        expect(conversation).to_satisfy(POLITE)

    assert only(run(None, [test_it], user=None, judge_llm=judge, criteria=[polite])).outcome == "pass"
