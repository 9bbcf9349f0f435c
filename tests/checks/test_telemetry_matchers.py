# ruff: noqa: E501 - tables, one case a line

"""stay_within_tokens, answer_within and ask_model count what a turn cost."""

import math

import pytest
from refusals import answers_of, refusal_of

from grice import ScriptedModel, expect
from grice.matchers import answer_within, ask_model, stay_within_tokens
from grice.matching.context import resolve_subject
from grice.matching.judge import judge
from grice.records import AgentFailure, Conversation, Exchange, Message, Reply, Turn
from grice.running.live import LiveConversation

USER = Message("user", "Hi")
HI = {"role": "user", "content": "Hi"}


def verdict_on(subject, matcher):
    seen = resolve_subject(subject)
    verdict = judge(matcher, seen.subject, seen.context)
    negated = judge(~matcher, seen.subject, seen.context)
    assert negated.outcome == {"pass": "fail", "fail": "pass"}.get(verdict.outcome, verdict.outcome)
    return verdict


def conversation_of(*turns):
    return Conversation(turns=tuple(Turn(n, (USER,), exchanges=tuple(one)) for n, one in enumerate(turns, 1)))


def timed(*durations):
    return Conversation(turns=tuple(Turn(n, (USER,), duration=one) for n, one in enumerate(durations, 1)))


# -- tokens

ANTHROPIC = Exchange(
    {"messages": [HI]},
    {"content": [{"type": "text", "text": "Hello"}], "usage": {"input_tokens": 100, "output_tokens": 20}},
)
CHAT = Exchange(
    {"messages": [HI]},
    {
        "choices": [{"message": {"role": "assistant", "content": "Hello"}}],
        "usage": {"prompt_tokens": 100, "completion_tokens": 20},
    },
    "openai_chat",
)
RESPONSES = Exchange({"input": "Hi"}, {"output": [], "usage": {"input_tokens": 100, "output_tokens": 20}}, "openai_responses")  # fmt: skip


@pytest.mark.parametrize("request_", [ANTHROPIC, CHAT, RESPONSES], ids=lambda one: one.dialect)
@pytest.mark.parametrize(
    ("limit", "options", "outcome", "reason"),
    [
        (100, {}, "pass", "100 tokens of input"),
        (99, {}, "fail", "100 tokens of input, 1 over the limit of 99; about 1 for the messages"),
        (20, {"of": "output"}, "pass", "20 tokens of output"),
        (19, {"of": "output"}, "fail", "20 tokens of output, 1 over the limit of 19"),
        (120, {"of": "total"}, "pass", "120 tokens"),
        (119, {"of": "total"}, "fail", "120 tokens, 1 over the limit of 119; about 1 for the messages, 20 for the reply"),
    ],
)  # fmt: skip
def test_reported_tokens_are_counted_in_every_dialect(request_, limit, options, outcome, reason):
    verdict = verdict_on(request_, stay_within_tokens(limit, **options))
    assert (verdict.outcome, verdict.reason) == (outcome, reason)


CALLED = [
    {"type": "text", "text": "Hello"},
    {"type": "tool_use", "id": "t", "name": "book", "input": {"n": 1}},
]
UNREPORTED = [
    Exchange({"messages": [HI]}, {"content": CALLED}),
    Exchange({"messages": [HI]}, {"choices": [{"message": {"role": "assistant", "content": "Hello", "tool_calls": [{"id": "t", "function": {"name": "book", "arguments": '{"n":1}'}}]}}]}, "openai_chat"),
    Exchange({"input": "Hi"}, {"output": [{"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Hello"}]}, {"type": "function_call", "call_id": "t", "name": "book", "arguments": '{"n":1}'}]}, "openai_responses"),
]  # fmt: skip


@pytest.mark.parametrize("request_", UNREPORTED, ids=lambda one: one.dialect)
def test_tokens_that_are_not_reported_are_estimated(request_):
    assert verdict_on(request_, stay_within_tokens(1)).reason == "about 1 token of input"
    verdict = verdict_on(request_, stay_within_tokens(4, of="output"))
    assert (verdict.outcome, verdict.reason) == ("fail", "about 5 tokens of output, 1 over the limit of 4")


BIG = {
    "system": "s" * 4_000,
    "messages": [{"role": "user", "content": "u" * 400}, {"role": "assistant", "content": "a" * 8_000}],
    "tools": [{"name": "t" * 791}],
}


@pytest.mark.parametrize(
    "request_",
    [
        Exchange(BIG),
        Exchange({**BIG, "system": None, "messages": [{"role": "system", "content": "s" * 2_000}, {"role": "developer", "content": "s" * 2_000}, *BIG["messages"]]}, dialect="openai_chat"),
        Exchange({"instructions": BIG["system"], "input": BIG["messages"], "tools": BIG["tools"]}, dialect="openai_responses"),
    ],
    ids=lambda one: one.dialect,
)  # fmt: skip
def test_the_reason_says_what_the_tokens_are_spent_on(request_):
    verdict = verdict_on(request_, stay_within_tokens(1_000))
    place = len(request_.messages) - 1
    assert verdict.reason == (
        "about 3,301 tokens of input, 2,301 over the limit of 1,000; "
        f"about 2,100 for the messages (the biggest is message {place}, assistant, with about 2,000), "
        "about 1,000 for the system prompt, about 201 for the tools"
    )


def test_the_biggest_of_several_requests_is_named():
    conversation = conversation_of([ANTHROPIC], [ANTHROPIC, Exchange(BIG)])
    reason = verdict_on(conversation, stay_within_tokens(3_000)).reason
    assert reason.startswith("about 3,501 tokens of input, 501 over the limit of 3,000; 3 requests, the biggest is request 2 of turn 2 with about 3,301: about 2,100 for")  # fmt: skip


@pytest.mark.parametrize(
    ("subject", "matcher", "outcome", "reason"),
    [
        ("x" * 40, stay_within_tokens(10), "pass", "about 10 tokens of input"),
        ("x" * 41, stay_within_tokens(10), "fail", "about 11 tokens of input, 1 over the limit of 10"),
        ("", stay_within_tokens(10), "inconclusive", "the text is empty: there is nothing to look at"),
        ([], stay_within_tokens(10), "inconclusive", "the message array is empty"),
        (BIG["messages"], stay_within_tokens(2_100), "pass", "about 2,100 tokens of input"),
        (tuple(BIG["messages"]), stay_within_tokens(2_000), "fail", "about 2,100 tokens of input, 100 over the limit of 2,000; about 2,100 for the messages (the biggest is message 1, assistant, with about 2,000)"),
        (Turn(1), stay_within_tokens(10), "inconclusive", "no request to the model is on record"),
        (conversation_of([]), stay_within_tokens(10), "inconclusive", "no request to the model is on record"),
        (conversation_of([ANTHROPIC], [CHAT]), stay_within_tokens(200), "pass", "200 tokens of input"),
        (conversation_of([ANTHROPIC], [CHAT]), stay_within_tokens(240, of="total"), "pass", "240 tokens"),
        (conversation_of([ANTHROPIC], [CHAT]).turns[1], stay_within_tokens(99), "fail", "100 tokens of input, 1 over"),
        (Reply(conversation_of([ANTHROPIC, CHAT]), 1), stay_within_tokens(200), "pass", "200 tokens of input"),
        (Exchange({"messages": [HI]}, error="429"), stay_within_tokens(1), "pass", "about 1 token of input"),
        (Exchange({"messages": [HI]}, error="429"), stay_within_tokens(1, of="total"), "pass", "about 1 token"),
        (Exchange({"messages": [HI]}), stay_within_tokens(1, of="output"), "inconclusive", "no reply of the model is on record"),
        (conversation_of([Exchange({"messages": [HI]}), ANTHROPIC]), stay_within_tokens(20, of="output"), "pass", "20 tokens of output"),
        (Exchange({"input": ["x"]}, {"usage": {"prompt_tokens": 7}}, "openai_embeddings"), stay_within_tokens(7), "pass", "7 tokens of input"),
        ("x", stay_within_tokens(9, of="output"), "error", "of='output' is for requests to a model: a text or an array is its input"),
        (5, stay_within_tokens(9), "error", "stay_within_tokens judges a text, an Exchange, a Reply"),
        ([5], stay_within_tokens(9), "error", "stay_within_tokens judges message arrays: message 0 "),
    ],
)  # fmt: skip
def test_tokens_of_every_subject(subject, matcher, outcome, reason):
    verdict = verdict_on(subject, matcher)
    assert verdict.outcome == outcome
    assert verdict.reason.startswith(reason)


@pytest.mark.parametrize(
    ("limit", "options", "problem"),
    [
        (0, {}, "limit is a whole number from 1, found 0"),
        (True, {}, "limit is a whole number from 1, found True"),
        (1.5, {}, "limit is a whole number from 1, found 1.5"),
        ("9", {}, "limit is a whole number from 1, found '9'"),
        (9, {"of": "inputs"}, "of is 'input', 'output' or 'total', found 'inputs' (did you mean 'input'?)"),
        (9, {"of": None}, "of is 'input', 'output' or 'total', found None"),
    ],
)
def test_a_limit_is_a_number_of_tokens(limit, options, problem):
    assert refusal_of(stay_within_tokens, limit, **options) == problem
    for subject in ("x", ANTHROPIC):
        assert answers_of(subject, "stay_within_tokens", limit, **options) == {("error", problem)}


PICTURE = {
    "type": "image",
    "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw0K" * 50_000},
}


def test_encoded_bytes_are_not_counted_as_text():
    request = Exchange({"messages": [{"role": "user", "content": [PICTURE]}]})
    assert verdict_on(request, stay_within_tokens(200)).outcome == "pass"


@pytest.mark.parametrize(
    "request_",
    [
        Exchange({"messages": [5, None, {"role": "robot"}], "tools": {"a": 1}}, {"content": 5}),
        Exchange({"messages": "x", "system": 5, "tools": "x"}, {"choices": [5, {}], "usage": "x"}),
        Exchange({"input": [[1, 2]]}, {"output": [5], "usage": {"input_tokens": "9"}}),
        Exchange({}, {"usage": {"input_tokens": True, "output_tokens": -5}}),
        Exchange({"messages": [{"role": "user", "content": math.nan}]}, {}),
    ],
)
def test_malformed_requests_are_estimated(request_):
    for of in ("input", "output", "total"):
        verdict = verdict_on(request_, stay_within_tokens(1_000, of=of))
        assert verdict.outcome == "pass", verdict.reason
        assert verdict.reason.startswith("about ")
    assert verdict_on(request_, stay_within_tokens(1)).outcome in ("pass", "fail")


# -- seconds


def asked(duration, reply=(), error=None):
    return Exchange({}, None if reply is None else {}, duration=duration, error=error)


FAILED = Turn(1, (USER,), failure=AgentFailure("raised", "KeyError: 'x'"), duration=0.5)


@pytest.mark.parametrize(
    ("subject", "limit", "outcome", "reason"),
    [
        (asked(1.5), 1.5, "pass", "the model took 1.500 s"),
        (asked(1.5), 1, "fail", "the model took 1.500 s, the limit is 1 s"),
        (asked(0.0004), 0.0001, "fail", "the model took 0.0004 s, the limit is 0.0001 s"),
        (asked(None), 1, "inconclusive", "the request to the model was not timed"),
        (asked(math.nan), 1, "inconclusive", "the request to the model was not timed"),
        (asked(-1.0), 1, "inconclusive", "the request to the model was not timed"),
        (asked(0.1, None, "reset"), 1, "inconclusive", "after 0.100 s the model had given no whole answer: reset"),
        (asked(0.1, None), 1, "inconclusive", "after 0.100 s the model had given no whole answer"),
        (asked(0.1, error="broke off"), 1, "inconclusive", "after 0.100 s the model had given no whole answer: broke off"),
        (asked(9.0, None, "reset"), 1, "fail", "the model took 9.000 s, the limit is 1 s"),
        (timed(0.5).turns[0], 1, "pass", "turn 1 took 0.500 s"),
        (timed(None).turns[0], 1, "inconclusive", "the turn was not timed"),
        (Reply(timed(0.5, 3.0), 2), 1, "fail", "turn 2 took 3.000 s; the limit is 1 s"),
        (timed(0.5, 3.0, 0.1), 3, "pass", "turn 2 took 3.000 s, the slowest of 3 turns"),
        (timed(0.5, 3.0, 0.1), 2, "fail", "turn 2 took 3.000 s, the slowest of 3 turns; the limit is 2 s"),
        (timed(None, 3.0, 0.1), 3, "pass", "turn 2 took 3.000 s, the slowest of 2 turns (1 not timed)"),
        (timed(None, None), 3, "inconclusive", "no turn was timed"),
        (FAILED, 1, "inconclusive", "the agent gave no answer in turn 1: KeyError: 'x'; turn 1 took 0.500 s"),
        (FAILED, 0.1, "fail", "turn 1 took 0.500 s; the limit is 0.1 s"),
        (Turn(1, exchanges=(asked(0.5), asked(0.25), asked(None)), duration=1.0), 0.9, "fail", "turn 1 took 1.000 s; the limit is 0.9 s; 0.750 s of it in 3 requests to the model"),
        ("text", 1, "error", "answer_within judges an Exchange, a Reply, a Turn or a Conversation, found str"),
        ([HI], 1, "error", "answer_within judges an Exchange, a Reply, a Turn or a Conversation, found list"),
    ],
)  # fmt: skip
def test_seconds(subject, limit, outcome, reason):
    verdict = verdict_on(subject, answer_within(limit))
    assert (verdict.outcome, verdict.reason) == (outcome, reason)


def test_the_slowest_turn_is_the_marked_one():
    assert verdict_on(timed(0.5, 3.0, 0.1), answer_within(2)).turn == 2


@pytest.mark.parametrize("limit", [0, -1, math.nan, math.inf, True, None, "1"])
def test_a_limit_is_a_number_of_seconds(limit):
    problem = f"seconds is a number above 0, found {limit!r}"
    assert refusal_of(answer_within, limit) == problem
    for subject in (asked(1.0), timed(1.0), timed(None)):
        assert answers_of(subject, "answer_within", limit) == {("error", problem)}


# -- requests

EMBEDDING = Exchange({"input": "x"}, dialect="openai_embeddings")
LOOP = conversation_of([ANTHROPIC], [CHAT, EMBEDDING, CHAT, RESPONSES], [])


@pytest.mark.parametrize(
    ("subject", "options", "outcome", "reason"),
    [
        (Reply(LOOP, 1), {"times": 1}, "pass", "asked once"),
        (Reply(LOOP, 2), {"times": 3}, "pass", "asked 3 times"),
        (Reply(LOOP, 2), {"at_most": 3}, "pass", "asked 3 times"),
        (Reply(LOOP, 2), {"at_most": 2}, "fail", "asked 3 times"),
        (Reply(LOOP, 2), {"times": 4}, "fail", "asked 3 times"),
        (Reply(LOOP, 2), {}, "pass", "asked 3 times"),
        (Reply(LOOP, 3), {}, "fail", "asked 0 times"),
        (Reply(LOOP, 3), {"times": 0}, "pass", "asked 0 times"),
        (LOOP.turns[1], {"at_most": 5}, "pass", "asked 3 times"),
        (LOOP.turns[2], {"at_most": 5}, "inconclusive", "no request to the model is on record: the agent's model may not be one that records them"),
        (LOOP, {"times": 4}, "pass", "asked 4 times (turn 1: 1, turn 2: 3)"),
        (LOOP, {"at_most": 3}, "fail", "asked 4 times (turn 1: 1, turn 2: 3)"),
        (conversation_of([]), {"at_most": 3}, "inconclusive", "no request to the model is on record: the agent's model may not be one that records them"),
        (conversation_of([EMBEDDING]), {"times": 0}, "pass", "asked 0 times"),
        (conversation_of([Exchange({}, error="429"), ANTHROPIC]), {"times": 2}, "pass", "asked 2 times (turn 1: 2)"),
        (ANTHROPIC, {}, "error", "ask_model judges a Reply, a Turn or a Conversation, found Exchange"),
        ("x", {}, "error", "ask_model judges a Reply, a Turn or a Conversation, found str"),
    ],
)  # fmt: skip
def test_requests_are_counted(subject, options, outcome, reason):
    verdict = verdict_on(subject, ask_model(**options))
    assert (verdict.outcome, verdict.reason) == (outcome, reason)


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"times": 1, "at_most": 2}, "times= and at_most= were given, and only one of them can hold"),
        ({"times": -1}, "times is a whole number from 0, found -1"),
        ({"at_most": 1.5}, "at_most is a whole number from 0, found 1.5"),
        ({"times": True}, "times is a whole number from 0, found True"),
    ],
)
def test_a_number_of_requests_is_a_whole_one(options, problem):
    assert refusal_of(ask_model, **options) == problem
    for subject in (LOOP, conversation_of([])):
        assert answers_of(subject, "ask_model", **options) == {("error", problem)}


def test_of_many_turns_the_first_are_shown():
    reason = verdict_on(conversation_of(*[[CHAT]] * 30), ask_model(at_most=5)).reason
    assert reason.endswith("turn 20: 1, ...)")


@pytest.mark.parametrize(
    ("matcher", "words"),
    [
        (stay_within_tokens(1_000), "stay within 1,000 input tokens"),
        (stay_within_tokens(1, of="output"), "stay within 1 output token"),
        (stay_within_tokens(5, of="total"), "stay within 5 total tokens"),
        (answer_within(2.5), "answer within 2.5 s"),
        (ask_model(), "ask the model"),
        (ask_model(times=1), "ask the model once"),
        (ask_model(at_most=3), "ask the model at most 3 times"),
    ],
)
def test_the_words_of_a_claim(matcher, words):
    assert matcher.words == words


# -- the totals of records


def test_totals_of_turns_replies_and_conversations():
    conversation = conversation_of([ANTHROPIC, CHAT], [Exchange({})], [RESPONSES])
    assert [turn.input_tokens for turn in conversation] == [200, None, 100]
    assert [turn.output_tokens for turn in conversation] == [40, None, 20]
    assert (conversation.input_tokens, conversation.output_tokens) == (None, None), "turn 2 does not say"
    told = conversation_of([ANTHROPIC, CHAT], [RESPONSES])
    assert (told.input_tokens, told.output_tokens) == (300, 60)
    reply = Reply(conversation, 1)
    assert (reply.input_tokens, reply.output_tokens) == (200, 40)
    assert conversation_of([]).input_tokens is None


@pytest.mark.parametrize("odd", [-5, True, 1.5, "9", None])
def test_what_is_no_count_leaves_no_total(odd):
    usage = {"input_tokens": odd, "output_tokens": odd, "cache_read_input_tokens": odd}
    broken, cached = Exchange({}, {"usage": usage}), Exchange({}, {"usage": {**usage, "input_tokens": 7}})
    conversation = conversation_of([CHAT, cached], [CHAT, broken])
    for record in (conversation.turns[0], Reply(conversation, 1)):
        assert (record.input_tokens, record.output_tokens) == (107, None)
    for record in (conversation.turns[1], conversation):
        assert (record.input_tokens, record.output_tokens) == (None, None)


@pytest.mark.parametrize(
    ("durations", "total"), [((), None), ((None,), None), ((0.5, None, 0.25), 0.75), ((0.0,), 0.0)]
)
def test_the_seconds_of_a_turns_requests(durations, total):
    assert Turn(1, exchanges=tuple(map(asked, durations))).model_duration == total


# -- on a conversation that runs


def test_a_live_conversation_is_counted():
    model = ScriptedModel("Hello", "Bye")

    def agent(messages):
        request = {"model": "m", "max_tokens": 5, "messages": [{"role": m["role"], "content": m["content"]} for m in messages]}  # fmt: skip
        return model.client.messages.create(**request).content[0].text

    with LiveConversation(agent, model=model) as conversation:
        reply = conversation.say("Hi")
        expect(reply).to_ask_model(times=1)
        expect(reply).to_stay_within_tokens(100, of="total")
        expect(reply).to_answer_within(60)
        expect(reply).to_have_parameters(model="m", max_tokens=5)
        expect(reply).to_offer_only_tools()
        conversation.say("Bye")
        expect(conversation).to_ask_model(at_most=2)
        expect(conversation).to_answer_within(60)
        expect(conversation).not_to_have_in_system_prompt("secret")
