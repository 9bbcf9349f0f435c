"""The judge settles claims that the rules on evidence find in no fact."""

import json

import pytest
from judged import reply, scripted, verdict_on

from grice.checks.evidence.policy import follow_policy
from grice.checks.evidence.support import be_supported_by
from grice.checks.shop.products import ground_products
from grice.judging.judge import NO_JUDGE
from grice.judging.verifying import ask_judge
from grice.matching.assertions.registry import matcher_from_data
from grice.matching.judged_by import judges_of
from grice.matching.matcher import ArgumentError

FACTS = {"name": "Blue Room", "seats": 12, "view": "harbour"}
SEA = "The Blue Room overlooks the sea."
TWO = f"{SEA} It smells of fresh lavender."


def answer(said, reason="the view is of the harbour"):
    return {
        "requirement": "the room has a view of water",
        "reasoning": reason,
        "source": "view: harbour",
        "answer": said,
    }


def checked(text, *answers, facts=FACTS, **options):
    llm = scripted(verification=list(answers))
    return verdict_on(text, be_supported_by(facts, verifier=ask_judge, **options), llm), llm


@pytest.mark.parametrize(
    ("said", "outcome", "part"),
    [
        ("supported", "pass", "pass"),
        ("contradicted", "fail", "fail"),
        ("unsupported", "fail", "inconclusive"),
    ],
)
def test_the_judge_decides_what_is_in_no_fact(said, outcome, part):
    verdict, llm = checked(SEA, answer(said))
    assert (verdict.outcome, [one.outcome for one in verdict.parts]) == (outcome, [part])
    assert verdict.detail[said] == 1
    assert "view: harbour" in str(llm.requests[0].messages)


def test_the_reason_of_the_judge_is_told_and_the_verdict_is_marked():
    verdict, _ = checked(SEA, answer("contradicted"))
    assert "so says the verifier: the view is of the harbour" in verdict.reason
    assert verdict.uncalibrated
    (part,) = verdict.parts
    assert (part.criterion, part.reason, part.layer) == (SEA, "the view is of the harbour", 3)
    assert part.judgement.samples[0].answer["source"] == "view: harbour"
    assert judges_of(verdict) == [f"{SEA}: judged by scripted, prompt verification v1, uncalibrated"]


def test_every_open_claim_is_asked_about_and_the_worst_decides():
    verdict, llm = checked(f"The Blue Room seats 12. {TWO}", answer("supported"), answer("contradicted"))
    assert verdict.outcome == "fail"
    assert [one.outcome for one in verdict.parts] == ["pass", "fail"]
    assert len(llm.requests) == 2


def test_nobody_is_asked_where_the_rules_can_tell():
    verdict, llm = checked("The Blue Room seats 12.", answer("contradicted"))
    assert (verdict.outcome, verdict.uncalibrated, verdict.parts, llm.requests) == ("pass", False, (), [])


def test_without_a_judge_it_is_an_error_that_says_what_to_do():
    for judged in (True, False):
        verdict = verdict_on(SEA, be_supported_by(FACTS, verifier=ask_judge), None, judged=judged)
        assert (verdict.outcome, verdict.reason, verdict.uncalibrated) == ("error", NO_JUDGE, False)


def test_an_answer_that_is_malformed_twice_is_an_error_and_the_others_are_kept():
    broken = {"answer": "maybe"}
    verdict, _ = checked(TWO, answer("supported"), broken, broken, broken)
    assert verdict.outcome == "error"
    assert "malformed" in verdict.reason
    assert "error" in [one.outcome for one in verdict.parts]


def test_the_judge_settles_reasons_for_products_and_policy():
    envelope = {
        "mode": "recommend",
        "lead": "Here.",
        "products": [{"id": "b1", "why": ["Overlooks the sea"]}],
    }
    records = [{"id": "b1", **FACTS}, {"id": "b2", "name": "Red Room"}]
    for said, outcome in (("supported", "pass"), ("contradicted", "fail")):
        shown = verdict_on(
            json.dumps(envelope),
            ground_products(records=records, verifier=ask_judge),
            scripted(verification=[answer(said)]),
        )
        assert (shown.outcome, len(shown.parts), shown.uncalibrated) == (outcome, 1, True)
        told = verdict_on(
            "Returns must be in unworn condition.",
            follow_policy({"returns": {"window_days": 30}}, verifier=ask_judge),
            scripted(verification=[answer(said)]),
        )
        assert (told.outcome, len(told.parts), told.uncalibrated) == (outcome, 1, True)


def test_the_results_of_tools_are_the_facts_by_default():
    llm = scripted(verification=[answer("supported")] * 2)
    verdict = verdict_on(reply(), be_supported_by(verifier=ask_judge), llm)
    assert verdict.outcome == "pass"


def test_a_verifier_is_for_python_only():
    for data in (
        {"matcher": "toBeSupportedBy", "expected": {"facts": FACTS, "verifier": "ask_judge"}},
        {"matcher": "toFollowPolicy", "expected": FACTS, "options": {"verifier": "ask_judge"}},
        {"matcher": "toGroundProducts", "options": {"verifier": "ask_judge"}},
    ):
        with pytest.raises(ArgumentError, match="which only Python can give"):
            matcher_from_data(data)
