"""OpenAI's own SDK against the stub server: Chat Completions, embeddings, the models, faults."""

import asyncio
import base64
import json
import math
import struct

import openai
import pydantic
import pytest
from sdk_shapes import assert_no_unknown_fields

from grice.wire import Fault, ScriptedModel, delayed, structured, tool_use

REQUEST = {"model": "gpt-x", "messages": [{"role": "user", "content": "How warm is Oslo?"}]}
PARAMETERS = {
    "type": "object",
    "properties": {"city": {"type": "string"}},
    "required": ["city"],
    "additionalProperties": False,
}
WEATHER = {"type": "function", "function": {"name": "weather", "strict": True, "parameters": PARAMETERS}}
REPLIES = {
    "text": "It is warm.",
    "no text": "",
    "nothing": [],
    "one call": tool_use("weather", city="Oslo"),
    "text and calls": ["Let me look.", tool_use("weather", city="Oslo"), tool_use("weather", city="Rome")],
    "a call without arguments": tool_use("weather"),
    "malformed arguments": {"type": "tool_use", "name": "weather", "input": '{"city": "Os'},
    "thinking": [{"type": "thinking", "thinking": "Hm, Oslo.", "signature": "sig"}, "It is warm."],
    "a body of Anthropic's": {"content": "Cut", "stop_reason": "max_tokens", "usage": {"output_tokens": 2}},
    "a whole body": {"choices": [{"message": {"content": "A"}}, {"message": {"content": "B"}, "index": 1}]},
    "a refusal": {"choices": [{"message": {"refusal": "I cannot say."}, "finish_reason": "content_filter"}]},
    "other scripts": "Det er 21 °C i Tromsø 🌞 " + "ord " * 500,
}


class Forecast(pydantic.BaseModel):
    city: str
    degrees: int


@pytest.mark.parametrize("reply", REPLIES.values(), ids=REPLIES)
def test_a_strict_client_reads_every_kind_of_reply(reply, openai_client):
    model = ScriptedModel(reply)
    completion = openai_client(model).chat.completions.create(**REQUEST)
    assert_no_unknown_fields(completion)
    assert completion.model_dump(exclude_unset=True) == model.exchanges[0].reply
    assert model.exchanges[0].request == REQUEST
    assert (model.exchanges[0].dialect, model.exchanges[0].status) == ("openai_chat", 200)


@pytest.mark.parametrize("reply", REPLIES.values(), ids=REPLIES)
@pytest.mark.parametrize("counted", [False, True])
def test_a_stream_of_chunks_adds_up_to_the_reply(reply, counted, openai_client):
    model = ScriptedModel(reply, reply)
    client = openai_client(model)
    request = REQUEST | ({"stream_options": {"include_usage": True}} if counted else {})
    with client.chat.completions.create(**request, stream=True) as stream:
        chunks = list(stream)
    for chunk in chunks:
        assert_no_unknown_fields(chunk)
    usages = [chunk.usage for chunk in chunks if chunk.usage is not None]
    assert [len(usages), chunks[-1].choices == []] == ([1, True] if counted else [0, False])
    with client.chat.completions.stream(**request) as stream:
        completion = [event.snapshot for event in stream if event.type == "chunk"][-1]
    sent = model.exchanges[1].reply
    for made, choice in zip(completion.choices, sent["choices"], strict=True):
        assert (made.index, made.finish_reason) == (choice["index"], choice["finish_reason"])
        assert said(made.message.model_dump()) == said(choice["message"])
    if counted:
        assert completion.usage.model_dump(exclude_unset=True) == sent["usage"]


def said(message):
    """Text, refusal and calls of a message."""
    calls = message.get("tool_calls") or ()
    named = [(call["id"], call["function"]["name"], call["function"]["arguments"]) for call in calls]
    return message["content"] or "", message["refusal"], named


@pytest.mark.slow
def test_an_asynchronous_client_streams_too(stub):
    model = ScriptedModel("It is warm.", "It is cold.", "It is windy.", "It is dry.")

    async def ask():
        address = {"base_url": f"{stub.address_of(model)}/v1", "api_key": stub.key}
        async with openai.AsyncOpenAI(**address, _strict_response_validation=True) as client:
            whole = await client.chat.completions.create(**REQUEST)
            async with await client.chat.completions.create(**REQUEST, stream=True) as stream:
                text = "".join([chunk.choices[0].delta.content or "" async for chunk in stream])
            async with client.chat.completions.stream(**REQUEST) as stream:
                kinds = [event.type async for event in stream]
            async with client.responses.stream(model="gpt-x", input="hi") as stream:
                response = await stream.get_final_response()
            return whole.choices[0].message.content, text, kinds[-1], response.output_text

    assert asyncio.run(ask()) == ("It is warm.", "It is cold.", "content.done", "It is dry.")


def test_a_loop_of_tool_calls_sends_all_results_back(openai_client):
    model = ScriptedModel(REPLIES["text and calls"][1:], "Rome is warmer.")
    client = openai_client(model)
    messages = list(REQUEST["messages"])
    choice = client.chat.completions.create(model="gpt-x", messages=messages, tools=[WEATHER]).choices[0]
    assert (choice.finish_reason, choice.message.content) == ("tool_calls", None)
    calls = choice.message.tool_calls
    assert [json.loads(call.function.arguments) for call in calls] == [{"city": "Oslo"}, {"city": "Rome"}]
    assert len({call.id for call in calls}) == 2
    messages.append(choice.message)
    messages += [{"role": "tool", "tool_call_id": call.id, "content": "21"} for call in calls]
    choice = client.chat.completions.create(model="gpt-x", messages=messages, tools=[WEATHER]).choices[0]
    assert (choice.message.content, choice.finish_reason) == ("Rome is warmer.", "stop")
    first, second = model.exchanges
    assert (first.offered_tools, first.asked_tools) == (("weather",), ("weather", "weather"))
    assert [message["role"] for message in second.messages] == ["user", "assistant", "tool", "tool"]
    model.verify()


def test_structured_output_is_parsed(openai_client):
    forecast = structured({"city": "Oslo", "degrees": 21})
    model = ScriptedModel(forecast, forecast, tool_use("weather", city="Oslo"))
    client = openai_client(model)
    parsed = client.chat.completions.parse(**REQUEST, response_format=Forecast)
    assert parsed.choices[0].message.parsed == Forecast(city="Oslo", degrees=21)
    with client.chat.completions.stream(**REQUEST, response_format=Forecast) as stream:
        completion = stream.get_final_completion()
    assert completion.choices[0].message.parsed == Forecast(city="Oslo", degrees=21)
    called = client.chat.completions.parse(**REQUEST, tools=[WEATHER]).choices[0].message.tool_calls[0]
    assert called.function.parsed_arguments == {"city": "Oslo"}
    schema = model.exchanges[0].parameters["response_format"]["json_schema"]
    assert (schema["name"], schema["strict"]) == ("Forecast", True)


def test_a_refusal_and_a_cut_off_reply_are_told_by_parse(openai_client):
    model = ScriptedModel(REPLIES["a refusal"], {"content": '{"city": "Os', "stop_reason": "max_tokens"})
    client = openai_client(model)
    with pytest.raises(openai.ContentFilterFinishReasonError):
        client.chat.completions.parse(**REQUEST, response_format=Forecast)
    with pytest.raises(openai.LengthFinishReasonError):
        client.chat.completions.parse(**REQUEST, response_format=Forecast)


# -- embeddings and models


@pytest.mark.parametrize("format_", ["float", "base64", openai.omit])
def test_texts_are_embedded(format_, openai_client):
    model = ScriptedModel()
    client = openai_client(model, _strict_response_validation=False)  # it unpacks base64 itself
    made = client.embeddings.create(
        model="e", input=["A blue room", "a room, BLUE", "Zebra"], dimensions=256, encoding_format=format_
    )
    near, same, far = (
        struct.unpack("<256f", base64.b64decode(item.embedding)) if format_ == "base64" else item.embedding
        for item in made.data
    )
    assert math.hypot(*near) == pytest.approx(1)
    assert near == same
    assert sum(a * b for a, b in zip(near, far, strict=True)) < 0.5
    assert [item.index for item in made.data] == [0, 1, 2]
    assert made.usage.total_tokens > 0
    exchange = model.exchanges[0]
    assert (exchange.dialect, exchange.status, model.asked) == ("openai_embeddings", 200, 0)


def test_embeddings_have_the_length_of_the_usual_model_and_the_shape_of_the_sdk(openai_client):
    made = openai_client(model := ScriptedModel()).embeddings.create(
        model="e", input=[1, 2, 3], encoding_format="float"
    )
    assert_no_unknown_fields(made)
    assert [len(item.embedding) for item in made.data] == [1_536]
    assert model.problems == []


@pytest.mark.parametrize(
    "wrong", [{"input": []}, {"input": ""}, {"input": ["x", ""]}, {"input": "x", "dimensions": 0}]
)
def test_what_no_provider_embeds_is_refused(wrong, openai_client):
    model = ScriptedModel()
    with pytest.raises(openai.BadRequestError, match=r"input is a text|dimensions is from 1"):
        openai_client(model).embeddings.create(model="e", **wrong)
    assert len(model.problems) == 1


def test_the_models_can_be_listed(openai_client):
    model = ScriptedModel()
    client = openai_client(model)
    assert [one.id for one in client.models.list()] == ["scripted"]
    assert client.models.retrieve("gpt-x").id == "gpt-x"


# -- faults


@pytest.mark.parametrize(
    ("fault", "error"),
    [
        (Fault.error(400, "too long"), openai.BadRequestError),
        (Fault.error(401), openai.AuthenticationError),
        (Fault.error(403), openai.PermissionDeniedError),
        (Fault.error(404), openai.NotFoundError),
        (Fault.error(409), openai.ConflictError),
        (Fault.error(422), openai.UnprocessableEntityError),
        (Fault.rate_limit(), openai.RateLimitError),
        (Fault.error(500, "broken"), openai.InternalServerError),
        (Fault.reset(), openai.APIConnectionError),
    ],
    ids=repr,
)
@pytest.mark.parametrize("api", ["chat", "responses"])
def test_a_fault_is_the_error_that_the_sdk_has_for_it(fault, error, api, openai_client):
    model = ScriptedModel(fault)
    with pytest.raises(error) as caught:
        ask(openai_client(model), api)
    if fault.kind == "status":
        assert fault.message in str(caught.value)
        assert caught.value.type.endswith("_error")
    assert model.exchanges[0].error == fault.words


@pytest.mark.parametrize(
    "fault", [Fault.rate_limit(0.01), Fault.rate_limit(None), Fault.error(500), Fault.reset()], ids=repr
)
@pytest.mark.parametrize("api", ["chat", "responses"])
def test_the_sdk_retries_and_every_attempt_is_an_exchange(fault, api, openai_client, monkeypatch):
    monkeypatch.setattr("openai._base_client.INITIAL_RETRY_DELAY", 0.01)
    model = ScriptedModel(fault, fault, "At last.")
    assert ask(openai_client(model, max_retries=2), api) == "At last."
    assert [exchange.error for exchange in model.exchanges] == [fault.words, fault.words, None]
    assert model.exchanges[0].request == model.exchanges[2].request
    model.verify()


@pytest.mark.slow
@pytest.mark.parametrize("api", ["chat", "responses"])
def test_a_model_that_does_not_answer_times_out(api, openai_client):
    model = ScriptedModel(Fault.timeout())
    with pytest.raises(openai.APITimeoutError):
        ask(openai_client(model, timeout=0.1), api)
    assert (model.exchanges[0].status, model.exchanges[0].error) == (None, "injected fault: no answer")


def test_a_delayed_reply_comes_late(openai_client):
    model = ScriptedModel(delayed(tool_use("weather"), 0.05))
    ask(openai_client(model), "chat")
    assert model.exchanges[0].duration >= 0.05


@pytest.mark.parametrize("streams", [False, True])
@pytest.mark.parametrize("api", ["chat", "responses"])
def test_half_a_reply_is_an_error_in_the_client(api, streams, openai_client):
    model = ScriptedModel(Fault.half_stream("One two three four five six."))
    with pytest.raises(Exception, match=r"Connection error|peer closed connection"):
        ask(openai_client(model), api, stream=streams)


@pytest.mark.parametrize("streams", [False, True])
@pytest.mark.parametrize("api", ["chat", "responses"])
def test_a_malformed_reply_is_an_error_in_the_client(api, streams, openai_client):
    model = ScriptedModel(Fault.malformed())
    with pytest.raises(json.JSONDecodeError):
        ask(openai_client(model), api, stream=streams)


@pytest.mark.parametrize("api", ["chat", "responses"])
def test_a_request_that_runs_out_of_script_is_not_retried(api, openai_client):
    model = ScriptedModel()
    with pytest.raises(openai.BadRequestError, match="model request 1 has no scripted reply"):
        ask(openai_client(model, max_retries=5), api)
    assert model.asked == 1


def test_an_exception_in_the_script_is_a_server_error_with_its_words(openai_client):
    model = ScriptedModel(KeyError("room"), RuntimeError)
    client = openai_client(model, max_retries=3)
    with pytest.raises(openai.InternalServerError, match="room"):
        ask(client, "chat")
    with pytest.raises(openai.InternalServerError, match="RuntimeError"):
        ask(client, "chat")


def test_a_wrong_key_is_not_retried_and_is_a_problem(openai_client):
    model = ScriptedModel("x")
    with pytest.raises(openai.AuthenticationError, match="the request has the wrong API key"):
        ask(openai_client(model, api_key="other", max_retries=5), "chat")
    assert len(model.problems) == 1
    assert "other" not in str(model.problems[0])


def ask(client, api, *, stream=False):
    """The text of a reply, over either API."""
    if api == "responses":
        made = client.responses.create(model="gpt-x", input="hi", stream=stream)
        return list(made) if stream else made.output_text
    made = client.chat.completions.create(**REQUEST, stream=stream)
    return list(made) if stream else made.choices[0].message.content
