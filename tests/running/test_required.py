"""A test that is to pass in several of its runs: what decides, and what decides nothing."""

import pytest

from grice import Conversation, Outcome, Result, Verdict
from grice.running.outcomes import required

PASS, FAIL, ERROR, SKIPPED = map(Outcome, ("pass", "fail", "error", "skipped"))


def run(outcome, *, counts=True, failure="none", spoiled=""):
    verdicts = (Verdict(outcome),)
    return Result(
        "example:1",
        "it",
        outcome,
        Conversation(),
        verdicts,
        failure,
        counts=counts,
        spoiled=spoiled,
        duration=1.0,
    )


GOOD = run(PASS)
BAD = run(FAIL, failure="assertion")
SLOW = run(ERROR, failure="timeout")
DOWN = run(ERROR, counts=False, failure="error")
HELPED = run(PASS, counts=False, spoiled="helped")
LEFT_OUT = run(SKIPPED, counts=False)


@pytest.mark.parametrize(
    ("runs", "needed", "outcome", "failure", "counts"),
    [
        ([GOOD, GOOD, BAD], 2, "pass", "none", True),
        ([GOOD, BAD, BAD], 2, "fail", "assertion", True),
        ([GOOD, SLOW, SLOW], 2, "fail", "timeout", True),
        ([GOOD, DOWN, BAD], 2, "error", "error", False),
        ([GOOD, GOOD, DOWN], 2, "pass", "none", True),
        ([DOWN, BAD, BAD], 2, "fail", "assertion", True),
        ([GOOD, LEFT_OUT], 2, "error", "error", False),
        ([LEFT_OUT, LEFT_OUT], 1, "skipped", "none", False),
        ([GOOD, HELPED], 2, "pass", "none", False),
        ([HELPED, HELPED, BAD], 2, "pass", "none", False),
        ([HELPED, GOOD, GOOD], 2, "pass", "none", True),
        ([HELPED, BAD, BAD], 2, "fail", "assertion", True),
        ([HELPED, DOWN, BAD], 2, "error", "error", False),
    ],
)
def test_runs_that_say_nothing_about_the_agent_decide_nothing(runs, needed, outcome, failure, counts):
    for order in (runs, runs[::-1]):
        found = required(order, needed)
        assert (found.outcome, found.failure, found.counts) == (outcome, failure, counts)


def test_the_result_is_that_of_a_run_which_decides_with_a_verdict_on_their_number():
    found = required([GOOD, BAD, SLOW], 2)
    assert [one.outcome for one in found.verdicts] == [FAIL, FAIL]
    assert (found.verdicts[-1].claim, found.verdicts[-1].reason) == (
        "at least 2 of 3 runs to pass",
        "1 of 3 runs passed",
    )
    assert found.duration == 3.0


def test_how_many_say_nothing_is_told():
    assert required([GOOD, DOWN, LEFT_OUT], 2).verdicts[-1].reason == (
        "1 of 3 runs passed, and 2 say nothing about the agent"
    )
