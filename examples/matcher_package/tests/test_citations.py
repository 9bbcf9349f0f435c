import pytest

from grice import ExpectationFailed, LiveConversation, evaluate_assertions, expect
from grice.matchers import ArgumentError
from grice_citations import cite_sources
from grice_citations.demo import agent as answer


@pytest.fixture
def agent() -> object:
    return answer


def test_by_import(conversation: LiveConversation) -> None:
    reply = conversation.say("What does the Akismet plugin do?")
    expect(reply).to(cite_sources(at_least=2))
    expect(conversation.say("And the weather?")).not_to(cite_sources())


def test_by_name_in_data() -> None:
    asked = [{"path": "$.answer", "matcher": "toCiteSources", "expected": 1}]
    assert evaluate_assertions({"answer": "See https://example.org/a."}, asked).passed
    (result,) = evaluate_assertions({"answer": "I just know."}, asked).results
    assert result.message == '$.answer toCiteSources 1 expected citations, got "I just know." (found 0: none)'


def test_what_a_failure_says() -> None:
    with pytest.raises(ExpectationFailed, match="cite at least 1 source: "):
        expect("I just know.").to(cite_sources())


def test_wrong_arguments_are_refused_when_the_test_is_loaded() -> None:
    with pytest.raises(ArgumentError, match="at_least is a whole number from 1, found 0"):
        cite_sources(0)
    (result,) = evaluate_assertions("x", [{"matcher": "toCiteSources", "expected": "two"}]).results
    assert result.outcome == "error"
