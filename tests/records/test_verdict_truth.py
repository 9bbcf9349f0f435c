"""A verdict as a condition: a pass is true, a fail is false, and what is neither raises in words."""

import pytest

from grice import evaluate, expect
from grice.matching.waiting import PendingVerdict
from grice.records import Outcome, Verdict, errored, failed, inconclusive, passed, skipped

UNRECORDED = pytest.mark.filterwarnings("ignore::grice.UnrecordedVerdict")


def test_a_pass_is_true_and_a_fail_false_soft_ones_too() -> None:
    assert passed()
    assert not failed("no")
    assert Verdict(Outcome.PASS, mode="soft")
    assert not Verdict(Outcome.FAIL, mode="soft")


@UNRECORDED
def test_an_assert_on_a_soft_check_that_failed_fails() -> None:
    with pytest.raises(AssertionError):
        assert evaluate("you said hi").to_contain("zzz")
    assert evaluate("you said hi").to_contain("hi")
    assert expect("you said hi").to_contain("hi")


@pytest.mark.parametrize("made", [inconclusive("nothing said"), errored("it broke"), skipped("not here")])
def test_what_is_neither_raises_and_says_which_and_why(made: Verdict) -> None:
    with pytest.raises(ValueError, match=f"neither true nor false, it is {made.outcome}: {made.reason}"):
        bool(made)


@UNRECORDED
def test_the_words_name_what_was_expected() -> None:
    with pytest.raises(ValueError, match="expected the text to contain 'a': the text is empty"):
        assert evaluate("").to_contain("a")


@pytest.mark.parametrize("answer", [passed(), failed("no")])
def test_a_pending_verdict_is_waited_for(answer: Verdict) -> None:
    async def check() -> Verdict:
        return answer

    pending = PendingVerdict(check, lambda: None, lambda verdict: verdict)
    assert bool(pending) is (answer.outcome is Outcome.PASS)


def test_its_words_in_a_failed_assert_are_short() -> None:
    made = Verdict(Outcome.FAIL, "no", matcher="toContain", claim="the reply to contain 'x'")
    told = "reason='no', matcher='toContain', claim=\"the reply to contain 'x'\""
    assert repr(made) == f"Verdict(outcome=<Outcome.FAIL: 'fail'>, {told})"
