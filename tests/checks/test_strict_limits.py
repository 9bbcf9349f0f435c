# ruff: noqa: E501 - tables, one case a line

"""take_less_than and use_fewer_tokens_than do not allow the limit itself."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from refusals import refusal_of
from turns_judged import FAILED, USER, conversation_of, verdict_on

from grice import ScriptedModel, expect
from grice.checks.telemetry import take_less_than, use_fewer_tokens_than
from grice.matchers import answer_within, stay_within_tokens
from grice.records import Exchange, Reply, Turn
from grice.running.live import LiveConversation


def took(*durations):
    return conversation_of(*(Turn(n, (USER,), duration=one) for n, one in enumerate(durations, 1)))


def request_of(input_tokens, output_tokens, duration=None):
    usage = {"input_tokens": input_tokens, "output_tokens": output_tokens}
    content = [{"type": "text", "text": "Hello"}]
    return Exchange({"messages": [{"role": "user", "content": "Hi"}]}, {"content": content, "usage": usage}, duration=duration)  # fmt: skip


SPENT = conversation_of(Turn(1, (USER,), exchanges=(request_of(100, 20),)), Turn(2, (USER,), exchanges=(request_of(50, 5), request_of(60, 5))))  # fmt: skip


@pytest.mark.parametrize(
    ("subject", "seconds", "outcome", "reason"),
    [
        (request_of(1, 1, 2.0), 2.5, "pass", "the model took 2.000 s"),
        (request_of(1, 1, 2.0), 2, "fail", "the model took 2.000 s, expected less than 2 s"),
        (request_of(1, 1), 2, "inconclusive", "the request to the model was not timed"),
        (took(2.0).turns[0], 2, "fail", "turn 1 took 2.000 s; expected less than 2 s"),
        (Reply(took(2.0, 1.0), 2), 2, "pass", "turn 2 took 1.000 s"),
        (took(1.0, 2.0), 2, "fail", "turn 2 took 2.000 s, the slowest of 2 turns; expected less than 2 s"),
        (took(1.0, None), 2, "pass", "turn 1 took 1.000 s (1 not timed)"),
        (took(None), 2, "inconclusive", "the turn was not timed"),
        (took(math.nan), 2, "inconclusive", "the turn was not timed"),
        (Turn(1, (USER,), failure=FAILED, duration=0.5), 2, "inconclusive", "the agent gave no answer in turn 1: boom; turn 1 took 0.500 s"),
        ("text", 2, "error", "take_less_than judges an Exchange, a Reply, a Turn or a Conversation, found str"),
    ],
)  # fmt: skip
def test_seconds(subject, seconds, outcome, reason):
    verdict = verdict_on(subject, take_less_than(seconds))
    assert (verdict.outcome, verdict.reason, verdict.layer) == (outcome, reason, 0)


@pytest.mark.parametrize(
    ("subject", "matcher", "outcome", "reason"),
    [
        (SPENT.turns[0], use_fewer_tokens_than(121), "pass", "120 tokens"),
        (SPENT.turns[0], use_fewer_tokens_than(120), "fail", "120 tokens, expected fewer than 120; about 1 for the messages, 20 for the reply"),
        (SPENT.turns[0].exchanges[0], use_fewer_tokens_than(100, of="input"), "fail", "100 tokens of input, expected fewer than 100; about 1 for the messages"),
        (Reply(SPENT, 2), use_fewer_tokens_than(11, of="output"), "pass", "10 tokens of output"),
        (SPENT, use_fewer_tokens_than(30, of="output"), "fail", "30 tokens of output, expected fewer than 30; 3 requests, the biggest is request 1 of turn 1 with 20"),
        (SPENT, use_fewer_tokens_than(241), "pass", "240 tokens"),
        (took(1.0), use_fewer_tokens_than(10), "inconclusive", "no request to the model is on record"),
        (Exchange({}), use_fewer_tokens_than(1, of="output"), "inconclusive", "no reply of the model is on record"),
        (Exchange({}, {"content": [{"type": "text", "text": "x" * 40}]}), use_fewer_tokens_than(10, of="output"), "fail", "about 10 tokens of output, expected fewer than 10"),
        ("text", use_fewer_tokens_than(10), "error", "use_fewer_tokens_than judges an Exchange, a Reply, a Turn or a Conversation, found str"),
    ],
)  # fmt: skip
def test_tokens(subject, matcher, outcome, reason):
    verdict = verdict_on(subject, matcher)
    assert (verdict.outcome, verdict.reason, verdict.layer) == (outcome, reason, 0)


@given(spent=st.integers(0, 50), limit=st.integers(1, 50))
def test_only_the_limit_itself_tells_them_apart(spent, limit):
    request = request_of(spent, 0)
    strict = verdict_on(request, use_fewer_tokens_than(limit)).outcome
    loose = verdict_on(request, stay_within_tokens(limit, of="total")).outcome
    assert (strict, loose) == ("pass" if spent < limit else "fail", "pass" if spent <= limit else "fail")
    conversation = took(float(spent))
    strict = verdict_on(conversation, take_less_than(limit)).outcome
    loose = verdict_on(conversation, answer_within(limit)).outcome
    assert (strict, loose) == ("pass" if spent < limit else "fail", "pass" if spent <= limit else "fail")


@pytest.mark.parametrize("limit", [0, -1, math.nan, math.inf, True, None, "1"])
def test_a_limit_is_a_number_of_seconds(limit):
    problem = f"seconds is a number above 0, found {limit!r}"
    assert refusal_of(take_less_than, limit) == problem


def test_a_limit_is_a_number_of_tokens():
    assert refusal_of(use_fewer_tokens_than, 0) == "limit is a whole number from 1, found 0"
    problem = "of is 'input', 'output' or 'total', found 'totl' (did you mean 'total'?)"
    assert refusal_of(use_fewer_tokens_than, 9, of="totl") == problem


def test_the_words_of_a_claim():
    assert take_less_than(2.5).words == "take less than 2.5 s"
    assert use_fewer_tokens_than(1_000).words == "use fewer than 1,000 total tokens"
    assert use_fewer_tokens_than(9, of="input").words == "use fewer than 9 input tokens"


def test_a_live_conversation():
    model = ScriptedModel("Hello")

    def agent(messages):
        request = {"model": "m", "max_tokens": 5, "messages": [{"role": "user", "content": "Hi"}]}
        return model.client.messages.create(**request).content[0].text

    with LiveConversation(agent, model=model) as conversation:
        reply = conversation.say("Hi")
        expect(reply).to(take_less_than(60))
        expect(reply).to(use_fewer_tokens_than(1_000))
        expect(conversation).not_to(use_fewer_tokens_than(1))
