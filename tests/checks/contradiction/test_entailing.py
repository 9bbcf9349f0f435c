"""Entailment: a model says what no rule could tell, and never overrules one."""

from __future__ import annotations

from typing import Any

import pytest

from grice.checks.contradiction.self_contradiction import avoid_self_contradiction, self_contradiction
from grice.claims.entailment import Compared, EntailmentError
from grice.formats import read_conversation
from grice.judging.entailment import JudgeEntailment
from grice.judging.judge import Judge
from grice.llm import ScriptedLLM
from grice.matching.context import resolve_subject
from grice.matching.judge import judge
from grice.matching.recording import ENTAILMENT
from grice.records import Judgement, Sample, Verdict

SOUP = "The soup contains only plants from our garden."
FISH = "The soup contains fish from the harbour."


class Model:
    """Gives every pair the same score, and keeps what it was asked."""

    name, threshold = "tiny", 0.9

    def __init__(self, score: float) -> None:
        self.score = score
        self.asked: list[tuple[str, str]] = []

    def compare(self, pairs: Any) -> Compared:
        self.asked += pairs
        judgement = Judgement("entailment", 0, "ab", self.name, (Sample({"contradiction": self.score}),))
        return Compared([self.score] * len(pairs), judgement)


class Broken:
    """A model that gives no answer."""

    name, threshold = "broken", 0.9

    def compare(self, pairs: Any) -> Compared:
        raise EntailmentError("the model is gone")


def talk(*said: str) -> list[dict[str, str]]:
    return [
        {"role": "assistant" if place % 2 else "user", "content": text} for place, text in enumerate(said)
    ]


def checked(model: object, *said: str) -> Verdict:
    """The verdict of the check where a project configures the model."""
    token = ENTAILMENT.set(model)
    try:
        seen = resolve_subject(read_conversation(talk(*said)))
        return judge(avoid_self_contradiction(), seen.subject, seen.context)
    finally:
        ENTAILMENT.reset(token)


def test_it_decides_what_rules_leave_undetermined_and_is_named_with_its_score():
    model = Model(0.95)
    found = self_contradiction(talk("Vegan?", SOUP, "Sure?", FISH), entailment=model)
    assert (found.outcome, found.step, found.score) == ("contradiction", "entailment", 0.95)
    assert found.pair == (1, 2)
    assert found.reason.endswith("(entailment, 0.95)")
    assert model.asked == [(SOUP, FISH)]


def test_as_far_below_the_middle_as_its_threshold_is_above_nothing_is_a_reversal():
    found = self_contradiction(talk("Vegan?", SOUP, "Sure?", FISH), entailment=Model(0.05))
    assert (found.outcome, found.step, found.score) == ("consistent", "entailment", 0.05)


@pytest.mark.parametrize("score", [0.11, 0.5, 0.89])
def test_between_the_two_a_model_cannot_tell(score):
    verdict = checked(Model(score), "Vegan?", SOUP, "Sure?", FISH)
    assert (verdict.outcome, "tiny cannot tell" in verdict.reason) == ("inconclusive", True)
    assert verdict.judgement is not None


@pytest.mark.parametrize("score", [float("nan"), -0.1, 1.5])
def test_what_is_no_probability_is_an_error(score):
    verdict = checked(Model(score), "Vegan?", SOUP, "Sure?", FISH)
    assert (verdict.outcome, "a score from 0 to 1" in verdict.reason) == ("error", True)


def test_it_is_not_asked_about_a_reversal_that_a_tool_may_explain_nor_of_a_language_without_rules():
    model = Model(0.0)
    call = {"id": "c1", "type": "function", "function": {"name": "get_weather", "arguments": "{}"}}
    question = {"role": "user", "content": "Is breakfast included?"}
    between = [
        question,
        {"role": "assistant", "content": "Yes, breakfast is included in the rate."},
        question,
        {"role": "assistant", "content": "", "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c1", "content": "sunny"},
        {"role": "assistant", "content": "No, breakfast is not included in the rate."},
    ]
    german = "Nein, das Brot ist leider nicht vegan, denn darin ist Honig."
    for said in (between, talk("Vegan?", SOUP, "And?", FISH, "Und das Brot?", german)):
        found = self_contradiction(said, entailment=model)
        assert (found.outcome, model.asked) == ("undetermined", [])


@pytest.mark.parametrize(
    ("second", "outcome"),
    [("No, a penguin is a fish.", "contradiction"), ("Yes, it has wings.", "consistent")],
)
@pytest.mark.parametrize("score", [0.0, 1.0])
def test_it_never_overrules_a_rule(second, outcome, score):
    model = Model(score)
    said = talk("Is a penguin a bird?", "Yes, a penguin is a bird.", "Sure?", second)
    found = self_contradiction(said, entailment=model)
    assert (found.outcome, found.score, model.asked) == (outcome, None, [])


def test_what_excuses_a_reversal_holds_for_it_too():
    said = talk("Vegan?", SOUP, "Sure?", f"I was wrong about the soup. {FISH}")
    assert self_contradiction(said, entailment=Model(1.0)).outcome == "acknowledged"


def test_it_is_asked_only_about_statements_of_two_replies_that_share_words():
    model = Model(1.0)
    found = self_contradiction(
        talk("Vegan?", f"{SOUP} {SOUP}", "And?", "Would the soup be right for you?"), entailment=model
    )
    assert (found.outcome, model.asked) == ("undetermined", [])


def test_it_is_asked_about_a_bounded_number_of_pairs():
    model = Model(0.0)
    said = [text for number in range(40) for text in ("Next?", f"The soup {number} contains plant {number}.")]
    self_contradiction(talk(*said, "And?", FISH), entailment=model)
    assert len(model.asked) <= 32


def test_the_verdict_carries_the_model_and_its_calibration():
    verdict = checked(Model(0.95), "Vegan?", SOUP, "Sure?", FISH)
    assert verdict.outcome == "fail"
    assert verdict.judgement is not None
    assert (verdict.judgement.model, verdict.detail["score"]) == ("tiny", 0.95)


def test_a_model_that_gives_no_answer_is_an_error_and_no_score():
    verdict = checked(Broken(), "Vegan?", SOUP, "Sure?", FISH)
    assert (verdict.outcome, verdict.reason) == ("error", "the model is gone")
    with pytest.raises(EntailmentError, match="gone"):
        self_contradiction(talk("Vegan?", SOUP, "Sure?", FISH), entailment=Broken())


def answer(*contradictions: bool) -> dict[str, Any]:
    pairs = [
        {"number": number, "reasoning": "so", "contradiction": one}
        for number, one in enumerate(contradictions, 1)
    ]
    return {"requirement": "both cannot hold", "pairs": pairs}


@pytest.mark.parametrize(("contradicts", "outcome"), [(True, "fail"), (False, "pass")])
def test_the_judge_may_be_asked_in_the_place_of_a_model(contradicts, outcome):
    llm = ScriptedLLM({"entailment": answer(contradicts)})
    verdict = checked(JudgeEntailment(Judge(llm)), "Vegan?", SOUP, "Sure?", FISH)
    assert verdict.outcome == outcome
    assert verdict.judgement is not None
    assert verdict.judgement.prompt == "entailment"
    assert SOUP in str(llm.requests[0].messages)


@pytest.mark.parametrize(
    "given", [{"requirement": "x"}, answer(), answer(True, False), {"requirement": "x", "pairs": "none"}]
)
def test_a_judge_that_does_not_answer_each_pair_is_an_error(given):
    verdict = checked(
        JudgeEntailment(Judge(ScriptedLLM({"entailment": [given, given]}))), "V?", SOUP, "S?", FISH
    )
    assert verdict.outcome == "error"
    assert "malformed" in verdict.reason


def test_half_of_the_samples_of_a_judge_decide_nothing():
    half = ScriptedLLM({"entailment": [answer(True), answer(False)]})
    verdict = checked(JudgeEntailment(Judge(half, samples=2)), "Vegan?", SOUP, "Sure?", FISH)
    assert (verdict.outcome, verdict.detail["score"]) == ("inconclusive", 0.5)


@pytest.mark.parametrize(("samples", "contradict"), [(3, 2), (51, 26), (99, 50)])
def test_the_smallest_majority_is_enough(samples, contradict):
    most = ScriptedLLM({"entailment": [answer(number < contradict) for number in range(samples)]})
    verdict = checked(JudgeEntailment(Judge(most, samples=samples)), "Vegan?", SOUP, "Sure?", FISH)
    assert verdict.outcome == "fail"
