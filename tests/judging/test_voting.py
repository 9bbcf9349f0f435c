"""Several answers make one: votes by majority, scores by their true median."""

import asyncio
import itertools
import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st
from judged import NO, YES, reply, scripted, verdict_on

from grice.judging.criterion import criterion
from grice.judging.satisfy_criteria import satisfy
from grice.judging.voting import bounds, median, winner
from grice.records import LLMMetadata, LLMResponse

KIND = criterion("kind", "The reply is kind.")
GRADED = criterion("kind", "The reply is kind.", at_least=3.7)
DOWN = ConnectionError("down")


def grade(score):
    return {"requirement": "r", "reasoning": f"grade {score:g}", "quote": "", "score": score}


@pytest.mark.parametrize(
    ("answers", "outcome", "reason"),
    [
        ([YES, YES, YES], "pass", "3 of 3 votes: it is kind"),
        ([NO, YES, YES], "pass", "2 of 3 votes: it is kind"),
        ([YES, NO, NO], "fail", "2 of 3 votes: it is curt"),
        ([YES, NO], "inconclusive", "the votes are tied: 1 pass, 1 fail"),
        ([YES, DOWN, YES], "pass", "2 of 3 votes: it is kind"),
        ([NO, YES, DOWN], "error", "1 of 3 votes are missing and could decide (1 pass, 1 fail): the judge"),
        (
            [YES, DOWN],
            "error",
            "1 of 2 votes are missing and could decide (1 pass): the judge gave no answer",
        ),
        ([DOWN, DOWN], "error", "2 of 2 votes are missing: the judge gave no answer: ConnectionError: down"),
        ([YES, YES, YES, NO, DOWN], "pass", "3 of 5 votes: it is kind"),
        ([YES, YES, NO, DOWN, DOWN], "error", "2 of 5 votes are missing and could decide (2 pass, 1 fail)"),
    ],
)
def test_the_majority_decides(answers, outcome, reason):
    verdict = verdict_on(reply(), satisfy(KIND), scripted(criterion=answers), samples=len(answers))
    assert verdict.outcome == outcome
    assert verdict.reason.startswith(reason)
    assert len(verdict.judgement.samples) == len(answers)
    assert [bool(one.error) for one in verdict.judgement.samples] == [one is DOWN for one in answers]


@pytest.mark.parametrize(
    ("answers", "outcome", "score", "spread"),
    [
        ([4, 3, 5], "pass", 4, 2),
        ([3.4, 4, 3.4, 4], "pass", 3.7, 0.6),
        ([3.6, 3.8], "pass", 3.7, 0.2),
        ([3, 4], "fail", 3.5, 1),
        ([4, 4, None], "pass", 4, 0),
        ([2, 3, None], "fail", 2.5, 1),
        ([3, 4, None], "error", None, 1),
        ([None, None], "error", None, None),
        ([5, None], "error", None, 0),
    ],
)
def test_the_median_decides(answers, outcome, score, spread):
    llm = scripted(criterion=[DOWN if one is None else grade(one) for one in answers])
    verdict = verdict_on(reply(), satisfy(GRADED, samples=len(answers)), llm)
    assert (verdict.outcome, verdict.score) == (outcome, score)
    assert verdict.judgement.spread == spread
    if outcome == "error":
        missing = answers.count(None)
        assert verdict.reason.startswith(f"{missing} of {len(answers)} scores are missing: the judge gave no")


def test_a_score_just_below_its_gate_is_not_shown_as_the_gate():
    llm = scripted(criterion=grade(3.6999999999))
    verdict = verdict_on(reply(), satisfy(criterion("near", "Be near.", at_least=3.7)), llm)
    assert verdict.outcome == "fail"
    assert verdict.reason.startswith("3.6999999999 of 5, wanted at least 3.7: ")


def test_the_reason_is_that_of_the_answer_nearest_to_the_median():
    llm = scripted(criterion=[grade(5), grade(2), grade(4)])
    verdict = verdict_on(reply(), satisfy(GRADED, samples=3), llm)
    assert verdict.reason == "4 of 5, the median of 5, 2, 4, wanted at least 3.7: grade 4"


def test_samples_are_requests_of_their_own_in_order():
    llm = scripted(criterion=YES)
    verdict_on(
        reply(), satisfy(KIND, criterion("brief", "Be brief.")), llm, samples=2, seed=7, temperature=0.5
    )
    found = [(one.subject, one.sample, one.seed, one.temperature) for one in llm.requests]
    assert found == [("kind", 0, 7, 0.5), ("kind", 1, 8, 0.5), ("brief", 0, 7, 0.5), ("brief", 1, 8, 0.5)]
    again = scripted(criterion=YES)
    verdict_on(
        reply(), satisfy(KIND, criterion("brief", "Be brief.")), again, samples=2, seed=7, temperature=0.5
    )
    assert again.requests == llm.requests


def test_all_are_asked_before_any_has_answered():
    asked, everybody = [], []

    async def answer(request):
        if not everybody:
            everybody.append(asyncio.Event())
        asked.append(request)
        if len(asked) == 6:
            everybody[0].set()
        await everybody[0].wait()
        return YES

    three = [criterion(name, "Be it.") for name in "abc"]
    verdict = verdict_on(reply(), satisfy(three), scripted(criterion=answer), samples=2)
    assert verdict.outcome == "pass"
    assert [one.subject for one in asked] == ["a", "a", "b", "b", "c", "c"]


def test_the_number_of_samples_of_a_call_goes_before_the_judges():
    llm = scripted(criterion=YES)
    verdict_on(reply(), satisfy(KIND, samples=1), llm, samples=5)
    assert len(llm.requests) == 1
    assert (llm.requests[0].seed, llm.requests[0].temperature) == (None, None)


def test_a_judgement_adds_up_what_its_samples_cost():
    import json

    def answer(replayed):
        cost = LLMMetadata("p", "judge-1", 10.0, 100, 20, replayed=replayed)
        return LLMResponse(json.dumps(YES), metadata=cost)

    llm = scripted(
        criterion=[
            answer(True),
            LLMResponse("no", metadata=LLMMetadata(model="judge-1", input_tokens=7)),
            answer(True),
        ]
    )
    judgement = verdict_on(reply(), satisfy(KIND), llm, samples=2).judgement
    assert (judgement.model, judgement.prompt, judgement.version) == ("judge-1", "criterion", 1)
    assert (judgement.input_tokens, judgement.output_tokens, judgement.latency_ms) == (207, 40, 20.0)
    assert (judgement.score, judgement.spread, judgement.replayed) == (None, None, False)
    assert [one.answer for one in judgement.samples] == [YES, YES]
    assert [one.repaired for one in judgement.samples] == [False, True]
    whole = verdict_on(reply(), satisfy(KIND), scripted(criterion=answer(True)), samples=2).judgement
    assert whole.replayed


# -- against a reference


@given(st.lists(st.floats(1, 5), min_size=1, max_size=7))
def test_the_median_is_the_true_one(scores):
    assert median(scores) == pytest.approx(statistics.median(scores), abs=1e-8)


@given(st.lists(st.sampled_from(["a", "b", None]), min_size=1, max_size=6))
def test_a_winner_wins_whatever_the_missing_votes_say(votes):
    missing = votes.count(None)
    given_votes = [vote for vote in votes if vote is not None]
    outcomes = set()
    for filled in itertools.product("ab", repeat=missing):
        whole = [*given_votes, *filled]
        counts = {one: whole.count(one) for one in "ab"}
        outcomes.add(None if counts["a"] == counts["b"] else max(counts, key=lambda one: counts[one]))
    certain = outcomes.pop() if len(outcomes) == 1 else None
    assert winner(votes) == (certain if given_votes else None)


def test_missing_scores_are_taken_at_their_lowest_and_highest():
    assert bounds([4.0, None, 2.0]) == (2.0, 4.0)
    assert bounds([None]) == (1.0, 5.0)
    assert bounds([3.0]) == (3.0, 3.0)
