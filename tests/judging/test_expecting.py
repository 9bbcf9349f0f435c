"""The judges as methods of expect and evaluate, and values for .to(...)."""

import asyncio
import threading

import pytest
from judged import NO, YES, booking, reply, scripted

from grice import CriterionError, ExpectationFailed, Judge, criterion, evaluate, expect, use_judge
from grice.matchers import claim, satisfy, sound_natural
from grice.matching.recording import CURRENT

KIND = criterion("kind", "The reply is kind.")
PRICE = {"type": "prices", "text": "costs 80 euros", "source": "", "grounded": False}


class Kept:
    """Keeps the verdicts under test, so that they are not those of this test run."""

    name = "a test"

    def __init__(self):
        self.verdicts = []

    def add(self, verdict):
        self.verdicts.append(verdict)


@pytest.fixture(autouse=True)
def kept():
    recorder = Kept()
    token = CURRENT.set(recorder)
    yield recorder
    CURRENT.reset(token)


def test_a_reply_is_judged_hard():
    llm = scripted(criterion=YES, naturalness={"requirement": "r", "reasons": ["warm"], "score": 4})
    name = "kind"  # the plugin looks up names that stand in the call, and this test declares none
    with use_judge(Judge(llm, criteria=[KIND])):
        assert expect(reply()).to_satisfy(name).criterion == "kind"
        assert expect(reply()).to(satisfy(KIND)).outcome == "pass"
        assert expect(reply()).to_sound_natural(at_least=4).score == 4
        with pytest.raises(ExpectationFailed) as failed:
            expect(reply()).not_to_sound_natural()
    assert str(failed.value).startswith("not sound natural (at least 3.7 of 5): 4 of 5, wanted")
    assert "4 of 5, wanted at least 3.7: warm" in str(failed.value)
    assert failed.value.verdict.uncalibrated


def test_a_failure_says_what_was_claimed():
    found = {"requirement": "r", "claims": [PRICE]}
    with use_judge(scripted(forbidden_claims=found)), pytest.raises(ExpectationFailed) as failed:
        expect(reply()).not_to_claim("prices")
    assert "1 of 1 claims not grounded: prices 'costs 80 euros'" in str(failed.value)
    with use_judge(scripted(forbidden_claims=found)):
        assert expect(reply()).to(claim("prices")).outcome == "pass"


def test_a_conversation_reaches_its_goal():
    achieved = {"requirement": "r", "reasoning": "booked", "achieved": True}
    with use_judge(scripted(goal=achieved)):
        assert expect(booking()).to_have_achieved_goal("Book a room").reason == "booked"


def test_a_soft_judgement_is_recorded_and_not_marked():
    with use_judge(scripted(criterion=NO)):
        verdict = evaluate(reply()).to_satisfy(KIND)
    assert (str(verdict.outcome), verdict.mode, verdict.uncalibrated) == ("fail", "soft", False)


def test_no_judge_is_an_error_in_both_polarities():
    with use_judge(Judge(None)):
        for method in (expect(reply()).to_sound_natural, expect(reply()).not_to_sound_natural):
            with pytest.raises(ExpectationFailed, match="judge_llm") as failed:
                method()
            assert failed.value.verdict.outcome == "error"


def test_code_runs_in_the_thread_of_the_test_and_the_judge_does_not_hold_it_up():
    threads = []

    def look(turn):
        threads.append(threading.current_thread())
        return True

    async def answer(request):
        await asyncio.sleep(0)
        threads.append(threading.current_thread())
        return YES

    with use_judge(scripted(criterion=answer)):
        expect(reply()).to_satisfy(KIND, look)
    assert threads[0] is threading.current_thread()
    assert threads[1] is not threading.current_thread()


def test_wrong_arguments_are_an_error_verdict_or_refused_at_once():
    with pytest.raises(ExpectationFailed, match="no criterion is given"):
        expect(reply()).to_satisfy()
    with pytest.raises(CriterionError):
        criterion("kind")
    assert sound_natural().judged
