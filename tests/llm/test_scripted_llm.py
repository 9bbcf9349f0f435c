"""ScriptedLLM: answers by purpose and subject, and what is said when script and requests do not fit."""

import asyncio
import re
import threading

import msgspec
import pytest
from llm_requests import JUDGED, MESSAGES, PLAIN, ask, error_of

from grice import LLMError, LLMMetadata, LLMRequest, LLMResponse
from grice.llm import ScriptedLLM, bind_llm


def request(purpose, subject=""):
    return LLMRequest(MESSAGES, purpose, subject)


def test_lists_are_used_up_and_single_answers_are_always_given():
    llm = ScriptedLLM({"user": ["Hi", "Bye"], "criterion": {"satisfied": True}})
    assert [ask(llm).text, ask(llm).text] == ["Hi", "Bye"]
    for _ in range(3):
        assert ask(llm, JUDGED).parsed == {"satisfied": True}
    assert "the 2 for 'user' are used up" in error_of(llm)
    assert [one.purpose for one in llm.requests] == ["user", "user", *["criterion"] * 3, "user"]


def test_the_answers_for_a_subject_go_first():
    llm = ScriptedLLM({"criterion": {"satisfied": True}, "criterion:friendly: really": {"satisfied": False}})
    assert ask(llm, request("criterion", "friendly: really")).parsed == {"satisfied": False}
    assert ask(llm, request("criterion", "brief")).parsed == {"satisfied": True}


def test_what_an_answer_can_be():
    given = LLMResponse("given", metadata=LLMMetadata(model="other"))

    async def later(asked):
        return {"later": asked.subject}

    answers = ['{"broken', {"a": 1}, [1, 2], lambda asked: asked.purpose, later, given]
    llm = ScriptedLLM({"topic": answers}, name="script")
    responses = [ask(llm, request("topic", "rooms")) for _ in answers]
    assert [one.text for one in responses] == [
        '{"broken',
        '{"a":1}',
        "[1,2]",
        "topic",
        '{"later":"rooms"}',
        "given",
    ]
    assert [one.parsed for one in responses[:3]] == [msgspec.UNSET, {"a": 1}, [1, 2]]
    assert responses[0].metadata == LLMMetadata(provider="scripted", model="script")
    assert responses[-1] == given


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        (TimeoutError("too slow"), "TimeoutError: too slow"),
        (LLMError("no tokens left"), "no tokens left"),
        (ValueError, "ValueError: "),
        (KeyboardInterrupt(), "KeyboardInterrupt: "),
        (lambda asked: OSError("from a function"), "OSError: from a function"),
        (lambda asked: None, "the LLM scripted returned None"),
    ],
)
def test_failures_can_be_scripted(entry, said):
    assert error_of(ScriptedLLM({"user": entry})).startswith(said)


def test_an_unscripted_request_says_what_is_scripted():
    llm = ScriptedLLM({"grounding": ["x"], "criterion:brief": "x"})
    assert error_of(llm, JUDGED) == (
        "the scripted LLM was asked for 'criterion:friendly', for which no answer is scripted; there are "
        "answers for 'grounding', 'criterion:brief'"
    )
    assert error_of(ScriptedLLM({})).endswith("there are answers for nothing")


def test_answers_that_are_left_over_are_an_error():
    llm = ScriptedLLM({"user": ["a", "b"], "topic": [], "criterion": "x"})
    ask(llm)
    with pytest.raises(LLMError, match=re.escape("1 of 2 for 'user'; there was 1 request ('user')")):
        llm.verify()
    assert llm.unused == {"user": 1}
    ask(llm)
    llm.verify()


def test_as_a_context_manager_it_verifies_at_its_end():
    with pytest.raises(LLMError, match="2 of 2 for 'user'"), ScriptedLLM({"user": ["a", "b"]}):
        pass
    with pytest.raises(KeyError), ScriptedLLM({"user": ["a", "b"]}):
        raise KeyError("what went wrong first")
    with ScriptedLLM({"user": ["a"]}) as llm:
        ask(llm)


@pytest.mark.parametrize(
    ("answers", "said"),
    [
        ({"criterium": "x"}, "'criterium' is no purpose of asking an LLM (did you mean 'criterion'?)"),
        ({"groundin:facts": "x"}, "(did you mean 'grounding'?)"),
        ({7: "x"}, "7 is no purpose"),
        (["x"], "a script is a mapping of purposes to answers, found ['x']"),
        ({"user": 5}, "user: an answer is a text"),
        ({"user": ["a", None]}, "user: an answer is a text"),
    ],
)
def test_what_is_no_script(answers, said):
    with pytest.raises(ValueError, match=re.escape(said)):
        ScriptedLLM(answers)


def test_two_threads_never_get_the_same_answer():
    llm, got = ScriptedLLM({"user": [str(number) for number in range(400)]}), []

    async def many():
        return [(await llm.ask(PLAIN)).text for _ in range(100)]

    threads = [threading.Thread(target=lambda: got.extend(asyncio.run(many()))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert sorted(map(int, got)) == list(range(400))
    llm.verify()


def test_it_is_bound_already():
    llm = ScriptedLLM({})
    assert bind_llm(llm) is llm
