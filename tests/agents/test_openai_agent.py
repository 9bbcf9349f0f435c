"""A model behind an OpenAI-compatible endpoint as the agent: replies, streams, tools, what is recorded."""

import json
import re

import pytest
from answering_server import answering, events, hangs_up, never_answers, serving, status, streaming

from grice import AgentFailed, BadModelRequest, LiveConversation, OpenAIAgent, ScriptedModel, expect, tool_use
from grice.agents import AgentContext, AgentLoadError, bind_agent
from grice.wire import http
from grice.wire.fixed_model_address import fixed_address

SECRET = "sk-test-0123456789abcdef"
WEATHER = {"name": "weather", "description": "", "parameters": {"type": "object", "properties": {}}}


@pytest.fixture(autouse=True)
def short_waits(monkeypatch):
    monkeypatch.setattr(http, "FIRST_WAIT", 0.02)
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)


def completion(content="Hi", finish="stop", **message):
    message = {"role": "assistant", "content": content, **message}
    usage = {"prompt_tokens": 7, "completion_tokens": 2, "total_tokens": 9}
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "model": "m",
        "choices": [{"index": 0, "message": message, "finish_reason": finish}],
        "usage": usage,
    }


def call(name="weather", arguments='{"city":"Lyon"}', **fields):
    return {"id": "c1", "type": "function", "function": {"name": name, "arguments": arguments}, **fields}


def delta(finish=None, **fields):
    return {"id": "c", "model": "m", "choices": [{"index": 0, "delta": fields, "finish_reason": finish}]}


def talk_to(server, **options):
    agent = OpenAIAgent(f"http://127.0.0.1:{server.port}/v1", "m", **options)
    return LiveConversation(bind_agent(agent, AgentContext()))


def failure_of(*answers, timeout=60, **options):
    with serving(*answers) as server:
        live = talk_to(server, **options)
        with pytest.raises(AgentFailed) as caught:
            live.say("Hello", timeout=timeout)
        return live, caught.value.failure


def test_a_turn_is_one_chat_completion():
    with serving(completion()) as server:
        live = talk_to(server, system="Be kind.", parameters={"temperature": 0}, tools=[WEATHER])
        assert live.say("Hello").text == "Hi"
    (request,) = server.requests
    assert request.path == "/v1/chat/completions"
    assert request.headers["authorization"] == f"Bearer {SECRET}"
    assert request.body == {
        "model": "m",
        "messages": [{"role": "system", "content": "Be kind."}, {"role": "user", "content": "Hello"}],
        "tools": [{"type": "function", "function": WEATHER}],
        "temperature": 0,
    }
    assert live.record.metadata == {
        "agent": {"type": "openai", "model": "m", "base_url": f"http://127.0.0.1:{server.port}/v1"}
    }


def test_what_was_asked_and_answered_is_recorded():
    with serving(completion()) as server:
        live = talk_to(server)
        live.say("Hello")
    (exchange,) = live.exchanges
    assert (exchange.request, exchange.reply) == (server.body, completion())
    assert (exchange.dialect, exchange.turn, exchange.status, exchange.error) == ("openai_chat", 1, 200, None)
    assert exchange.duration > 0
    assert (exchange.input_tokens, exchange.output_tokens) == (7, 2)
    expect(exchange).to_contain_message(role="user", content="Hello")
    assert SECRET not in repr(live.record)


@pytest.mark.slow
@pytest.mark.parametrize("stream", [False, True])
def test_calls_are_answered_by_the_test_and_sent_back(stream):
    if stream:
        begin, end = call(arguments='{"ci', index=0), {"index": 0, "function": {"arguments": 'ty":"Lyon"}'}}
        chunks = (delta(tool_calls=[begin]), delta(tool_calls=[end]), delta("tool_calls"), "[DONE]")
        answers = events(*chunks), events(delta(content="It is sunny."), "[DONE]")
    else:
        answers = completion(None, "tool_calls", tool_calls=[call()]), completion("It is sunny.")
    with serving(*answers) as server:
        live = talk_to(server, tools=[WEATHER], stream=stream)
        reply = live.say("How is it in Lyon?", tools={"weather": lambda city: {"city": city, "sky": "clear"}})
    assert reply.text == "It is sunny."
    expect(reply).to_call_tool("weather", city="Lyon")
    assert server.body["messages"][1:] == [
        {"role": "assistant", "content": "", "tool_calls": [call()]},
        {"role": "tool", "content": '{"city":"Lyon","sky":"clear"}', "tool_call_id": "c1"},
    ]
    assert len(live.exchanges) == 2
    assert live.exchanges[0].asked_tools == ("weather",)


def test_a_failed_tool_is_told_without_a_field_that_strict_servers_refuse():
    def broken(city):
        raise OSError("no network")

    with serving(completion(None, tool_calls=[call()]), completion("Sorry.")) as server:
        talk_to(server).say("How is it?", tools={"weather": broken})
    assert server.body["messages"][-1] == {
        "role": "tool",
        "content": "OSError: no network",
        "tool_call_id": "c1",
    }


def test_malformed_arguments_are_a_finding_and_no_crash():
    with serving(completion(None, tool_calls=[call(arguments='{"city":')])) as server:
        (asked,) = talk_to(server).say("Hello").tool_calls
    assert asked.raw_arguments == '{"city":'


def test_the_scripted_model_of_the_test_is_asked_when_no_address_is_given(conversation_with_model):
    live, model = conversation_with_model(OpenAIAgent(system="Be kind.", tools=[WEATHER]))
    model.script(tool_use("weather", city="Lyon"), "It is sunny.")
    reply = live.say("How is it in Lyon?", tools={"weather": {"sky": "clear"}})
    assert reply.text == "It is sunny."
    assert [exchange.dialect for exchange in live.exchanges] == ["openai_chat", "openai_chat"]
    assert live.exchanges[0].system == "Be kind."
    assert live.record.metadata == {"agent": {"type": "openai", "model": "scripted"}}


def test_the_scripted_model_streams_too(conversation_with_model):
    live, model = conversation_with_model(OpenAIAgent(stream=True))
    model.script(["One moment.", tool_use("weather", city="Lyon")], "It is sunny.")
    reply = live.say("How is it in Lyon?", tools={"weather": {"sky": "clear"}})
    assert reply.text == "It is sunny."
    assert reply.turn.metadata["first_text_seconds"] > 0
    assert len(live.exchanges) == 2


@pytest.mark.parametrize("address", ["{url}/v1", "{url}/v1/", "${{model_url}}/v1"])
def test_the_scripted_model_records_what_it_is_asked_at_its_address(address):
    model = ScriptedModel("Hi")
    agent = OpenAIAgent(address.format(url=model.url), "m", api_key="${model_key}")
    live = LiveConversation(bind_agent(agent, AgentContext(model=model)), model=model)
    assert live.say("Hello").text == "Hi"
    assert len(live.exchanges) == 1


@pytest.mark.parametrize("stream", [False, True])
def test_the_scripted_model_records_what_it_is_asked_at_a_fixed_address(stream):
    model = ScriptedModel("Hi")
    with serving() as server:
        port = server.port  # free again when it has ended
    with fixed_address(model, port) as url:
        agent = OpenAIAgent(f"{url}/v1", "m", api_key="${model_key}", stream=stream)
        live = LiveConversation(bind_agent(agent, AgentContext(model=model)), model=model)
        assert live.say("Hello").text == "Hi"
    assert len(live.exchanges) == 1


def test_what_the_scripted_model_refused_to_take_is_recorded_all_the_same():
    model = ScriptedModel("Hi")
    agent = OpenAIAgent(f"{model.url}/v1", "m", api_key="", retries=0)
    live = LiveConversation(bind_agent(agent, AgentContext(model=model)), model=model)
    with pytest.raises(BadModelRequest, match="the request has no API key"), live:
        live.say("Hello")
    assert [exchange.status for exchange in live.exchanges] == [401]


def test_an_exchange_is_kept_when_the_scripted_model_is_asked_something_meanwhile():
    model = ScriptedModel()

    def answer(handler):
        model.openai_client.embeddings.create(input="x", model="e")
        answering(json.dumps(completion()).encode())(handler)

    with serving(answer) as server:
        agent = OpenAIAgent(f"http://127.0.0.1:{server.port}/v1", "m")
        live = LiveConversation(bind_agent(agent, AgentContext(model=model)), model=model)
        live.say("Hello")
    assert [exchange.dialect for exchange in live.exchanges] == ["openai_embeddings", "openai_chat"]


@pytest.fixture
def conversation_with_model():
    def make(agent):
        model = ScriptedModel()
        return LiveConversation(bind_agent(agent, AgentContext(model=model)), model=model), model

    return make


def test_without_an_address_and_a_model_there_is_nobody_to_ask():
    with pytest.raises(AgentLoadError, match="there is no scripted model here, so it needs a base_url"):
        bind_agent(OpenAIAgent(), AgentContext())


def test_a_key_that_is_not_set_is_named_and_none_is_possible(monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY")
    message = 'api_key: the environment variable OPENAI_API_KEY is not set; api_key="" is for a server that'
    with serving(completion()) as server:
        with pytest.raises(AgentLoadError, match=re.escape(message)):
            talk_to(server)
        assert talk_to(server, api_key="").say("Hello").text == "Hi"
    assert "authorization" not in server.requests[0].headers


# -- streams


def test_a_stream_is_put_together_and_recorded_as_a_completion():
    chunks = (
        delta(role="assistant", content=""),
        delta(content="Hel"),
        delta(content="lo"),
        delta("stop"),
        {"id": "c", "choices": [], "usage": {"prompt_tokens": 3, "completion_tokens": 2}},
        "[DONE]",
    )
    with serving(events(*chunks)) as server:
        live = talk_to(server, stream=True)
        reply = live.say("Hello")
    assert reply.text == "Hello"
    assert reply.turn.metadata["first_text_seconds"] > 0
    assert server.body["stream"] is True
    (exchange,) = live.exchanges
    assert exchange.reply["choices"] == completion("Hello")["choices"]
    assert exchange.output_tokens == 2


@pytest.mark.parametrize(
    ("parts", "calls"),
    [
        (
            [
                call("a", '{"x"', index=0),
                call("b", "{}", id="c2", index=1),
                {"index": 0, "function": {"arguments": ":1}"}},
            ],
            [("c1", "a", {"x": 1}), ("c2", "b", {})],
        ),
        (
            [call("a", '{"x"'), {"function": {"arguments": ":1}"}}, call("b", "{}", id="c2")],
            [("c1", "a", {"x": 1}), ("c2", "b", {})],
        ),
        ([{**call("a", ""), "index": None}], [("c1", "a", {})]),
    ],
)
def test_calls_are_put_together_from_their_parts(parts, calls):
    chunks = [delta(tool_calls=[part]) for part in parts]
    with serving(events(*chunks, delta("tool_calls"), "[DONE]")) as server:
        reply = talk_to(server, stream=True).say("Hello")
    assert [(one.id, one.name, one.arguments) for one in reply.tool_calls] == calls


def test_a_stream_that_says_it_finished_needs_no_other_end():
    with serving(events(delta(content="Hi"), delta("stop"))) as server:
        assert talk_to(server, stream=True).say("Hello").text == "Hi"


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (events(delta(content="Hel")), "the stream ended without '[DONE]'; until then it said 'Hel'"),
        (
            events(delta(content="Hel"), broken=True),
            "the server's answer broke off; until then it said 'Hel'",
        ),
        (
            events(delta(content="Hel"), "{oops"),
            "a chunk is no JSON object: '{oops'; until then it said 'Hel'",
        ),
        (events(delta(content="Hel"), "[1]"), "a chunk is no JSON object: '[1]'"),
        (
            events(delta(content="Hel"), {"error": {"message": "overloaded"}}),
            "the stream reports an error: 'overloaded'; until then it said 'Hel'",
        ),
        (completion(), "answered 200 with application/json, expected text/event-stream"),
        (streaming("data: 5\n\n"), "a chunk is no JSON object: '5'"),
    ],
)
def test_half_a_stream_is_a_failure(answer, message):
    live, failure = failure_of(answer, stream=True)
    assert message in failure.message
    (exchange,) = live.exchanges
    assert message in exchange.error
    assert exchange.reply is None


# -- failures and retries


def test_a_reply_that_was_cut_or_refused_says_so():
    with serving(completion("Hel", "length"), completion(None, refusal="I cannot.")) as server:
        live = talk_to(server)
        assert live.say("Hello").turn.metadata == {"finish_reason": "length"}
        refused = live.say("Do it")
    assert (refused.text, refused.turn.metadata) == ("I cannot.", {"refusal": True})


@pytest.mark.slow
def test_transient_failures_are_retried_and_told():
    with serving(status(429, Retry_After="0"), hangs_up, completion()) as server:
        live = talk_to(server)
        reply = live.say("Hello")
    assert reply.text == "Hi"
    assert [one.get("status") for one in reply.turn.metadata["retries"]] == [429, None]
    assert len(live.exchanges) == 1


@pytest.mark.parametrize(
    ("answer", "message", "status_"),
    [
        (
            status(401, json.dumps({"error": {"message": f"bad key {SECRET}"}}).encode()),
            'answered 401 Unauthorized (application/json): {"error": {"message": "bad key [redacted: ',
            401,
        ),
        (status(500), "answered 500 Internal Server Error (application/json): {}; retried 2 times: ", 500),
        (hangs_up, "the server closed the connection without an answer; retried 2 times", None),
        ({"choices": []}, 'the model\'s reply has no choices[0].message: {"choices":[]}', 200),
        ([1], "the model's reply has no choices[0].message: [1]", 200),
        (completion(5), "the agent returned a message that cannot be read", 200),
        (answering(b"<html>", kind="text/html"), "answered 200 with text/html that is not JSON: <html>", 200),
    ],
)
def test_a_failure_says_why_and_is_recorded(answer, message, status_):
    live, failure = failure_of(answer)
    assert message in failure.message
    assert SECRET not in repr(live.record)
    (exchange,) = live.exchanges
    assert exchange.status == status_
    assert message in exchange.error


@pytest.mark.slow
def test_a_model_that_never_answers_ends_with_the_turn():
    live, failure = failure_of(never_answers, timeout=0.2)
    assert failure.kind == "timeout"
    assert "/v1/chat/completions was not answered" in failure.message
    assert live.exchanges[0].error == "the answer did not come in time"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"base_url": "x"}, "base_url: expected an address"),
        ({"base_url": "http://127.0.0.1"}, "model: an endpoint needs the name of a model, found none"),
        ({"model": 5}, "model: expected a text, found 5"),
        ({"system": ["x"]}, "system: expected a text, found ['x']"),
        ({"stream": "yes"}, "stream: expected true or false, found 'yes'"),
        ({"tools": ["weather"]}, "tools: a tool is an object with a name, found 'weather'"),
        ({"parameters": 5}, "parameters: expected a mapping, found 5"),
        ({"api_key": "${user}"}, "api_key: unknown placeholder ${user}"),
        ({"retries": "2"}, "retries: expected a whole number of at least 0, found '2'"),
    ],
)
def test_what_cannot_work_is_refused_when_it_is_written(options, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        OpenAIAgent(**options)


def test_an_agent_does_not_show_its_key():
    assert repr(OpenAIAgent("http://127.0.0.1/v1", "m", api_key=SECRET)) == (
        "OpenAIAgent('http://127.0.0.1/v1', 'm')"
    )
