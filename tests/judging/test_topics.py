"""classify_topic asks which topic a conversation is in."""

import asyncio

import pytest
from judged import booking, question_of, scripted

from grice.judging.judge import Judge
from grice.judging.topics import TopicCandidate, classify_topic
from grice.matching.protocols import LLMError
from grice.records import Conversation

GREETING = TopicCandidate("greeting", "First contact.", "make the user feel welcome")
RESULTS = TopicCandidate("results", "Rooms are presented.")
BARE = TopicCandidate("other")


def chosen(topic="results", **changed):
    return {
        "requirement": "r",
        "reasoning": "a room is named",
        "topic": topic,
        "confidence": "high",
        **changed,
    }


def classified(llm, *candidates, conversation=None, samples=1):
    judge = Judge(llm, samples=samples)
    candidates = candidates or (GREETING, RESULTS, BARE)
    return asyncio.run(classify_topic(judge, conversation or booking(), "greeting", candidates))


def test_the_judge_chooses_among_the_candidates():
    llm = scripted(topic=chosen())
    choice = classified(llm)
    assert (choice.topic, choice.confidence, choice.reason) == ("results", "high", "a room is named")
    assert choice.judgement.prompt == "topic"
    (request,) = llm.requests
    question = question_of(request)
    assert (
        "- greeting: First contact. What the chatbot is after in it: make the user feel welcome" in question
    )
    assert "- results: Rooms are presented.\n- other\n" in question
    assert "was in the topic greeting" in question
    assert request.schema["properties"]["topic"]["enum"] == ["greeting", "results", "other"]
    assert question.count('judged="yes">') == 2  # the last turn's call and text


def test_a_single_candidate_needs_no_question():
    llm = scripted()
    choice = classified(llm, RESULTS)
    assert (choice.topic, choice.confidence, choice.judgement) == ("results", "high", None)
    assert not llm.requests


def test_a_topic_that_is_no_candidate_is_repaired_once_and_then_an_error():
    llm = scripted(topic=[chosen("resulst"), chosen("results")])
    assert classified(llm).topic == "results"
    complaint = llm.requests[1].messages[-1]["content"]
    assert "topic: 'resulst' is not one of greeting, results, other (did you mean 'results'?)" in complaint
    for wrong in (chosen("resulst"), chosen(confidence="very"), chosen(confidence=None), "results"):
        with pytest.raises(LLMError, match="malformed"):
            classified(scripted(topic=wrong))


def test_votes_for_topics():
    votes = [chosen("greeting"), chosen("results", confidence="low"), chosen("results")]
    choice = classified(scripted(topic=votes), samples=3)
    assert (choice.topic, choice.confidence) == ("results", "low")
    with pytest.raises(LLMError, match="the votes for a topic are tied: greeting, results"):
        classified(scripted(topic=votes[:2]), samples=2)
    with pytest.raises(LLMError, match="the judge gave no answer: ConnectionError"):
        classified(scripted(topic=[*votes[:2], ConnectionError()]), samples=3)


def test_what_cannot_be_asked():
    with pytest.raises(ValueError, match="expected topics with different names"):
        asyncio.run(classify_topic(Judge(None), booking(), "", []))
    with pytest.raises(ValueError, match="different names"):
        classified(scripted(), RESULTS, RESULTS)
    with pytest.raises(ValueError, match="no turn yet"):
        classified(scripted(), conversation=Conversation())
    with pytest.raises(LLMError, match="judge_llm"):
        classified(None)
