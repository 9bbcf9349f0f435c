"""Anthropic's own SDK against the stub server."""

import asyncio
import json

import anthropic
import pydantic
import pytest
from sdk_shapes import assert_no_unknown_fields

from grice.wire import Fault, ScriptedModel, delayed, structured, tool_use

QUESTION = {"role": "user", "content": "How warm is Oslo?"}
REQUEST = {"model": "claude-x", "max_tokens": 100, "messages": [QUESTION]}
LOOK = ["Let me look.", tool_use("weather", city="Oslo"), tool_use("weather", city="Rome")]
WEATHER = {
    "name": "weather",
    "description": "The weather of a city.",
    "input_schema": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
}
REPLIES = {
    "text": "It is warm.",
    "no text": "",
    "nothing": [],
    "one call": tool_use("weather", city="Oslo"),
    "text and calls": LOOK,
    "a call without arguments": tool_use("weather"),
    "thinking": [{"type": "thinking", "thinking": "Hm, Oslo.", "signature": "sig"}, "It is warm."],
    "citations": [{"type": "text", "text": "Warm.", "citations": None}],
    "a whole body": {
        "content": "Cut",
        "stop_reason": "max_tokens",
        "usage": {"input_tokens": 5, "output_tokens": 2},
    },
    "a stop sequence": {"content": "Cut", "stop_reason": "stop_sequence", "stop_sequence": "END"},
    "other scripts": "Det er 21 °C i Tromsø 🌞 " + "ord " * 500,
}


class Forecast(pydantic.BaseModel):
    city: str
    degrees: int


@pytest.mark.parametrize("reply", REPLIES.values(), ids=REPLIES)
def test_a_strict_client_reads_every_kind_of_reply(reply, anthropic_client):
    model = ScriptedModel(reply)
    message = anthropic_client(model).messages.create(**REQUEST)
    assert_no_unknown_fields(message)
    assert message.model_dump(exclude_unset=True) == model.exchanges[0].reply
    assert model.exchanges[0].request == REQUEST
    assert (model.exchanges[0].status, model.exchanges[0].error) == (200, None)
    assert model.exchanges[0].duration >= 0


@pytest.mark.parametrize("reply", REPLIES.values(), ids=REPLIES)
def test_a_stream_of_events_adds_up_to_the_reply(reply, anthropic_client):
    model = ScriptedModel(reply, reply)
    client = anthropic_client(model)
    with client.messages.create(**REQUEST, stream=True) as stream:
        events = list(stream)
    for event in events:
        assert_no_unknown_fields(event)
    assert (events[0].type, events[-1].type) == ("message_start", "message_stop")
    with client.messages.stream(**REQUEST) as stream:
        message = stream.get_final_message()
    sent = model.exchanges[1].reply
    kept = message.model_dump(exclude_none=True, exclude={"parsed_output"})
    assert kept["id"] == sent["id"]
    assert [{k: v for k, v in block.items() if k != "parsed_output"} for block in kept["content"]] == [
        {name: value for name, value in block.items() if value is not None} for block in sent["content"]
    ]
    assert message.stop_reason == sent["stop_reason"]
    assert message.stop_sequence == sent["stop_sequence"]
    assert (message.usage.input_tokens, message.usage.output_tokens) == tuple(sent["usage"].values())


def test_an_asynchronous_client_streams_too(stub):
    model = ScriptedModel("It is warm.", "It is cold.", "It is windy.")

    async def ask():
        address = {"base_url": stub.address_of(model), "api_key": stub.key}
        async with anthropic.AsyncAnthropic(**address, _strict_response_validation=True) as client:
            whole = await client.messages.create(**REQUEST)
            async with client.messages.stream(**REQUEST) as stream:
                text = "".join([piece async for piece in stream.text_stream])
            async with await client.messages.create(**REQUEST, stream=True) as raw:
                kinds = [event.type async for event in raw]
            return whole.content[0].text, text, kinds[-1]

    assert asyncio.run(ask()) == ("It is warm.", "It is cold.", "message_stop")


def test_a_loop_of_tool_calls_sends_all_results_back(anthropic_client):
    model = ScriptedModel(LOOK, "Rome is warmer.")
    client = anthropic_client(model)
    messages = list(REQUEST["messages"])
    reply = client.messages.create(**REQUEST | {"messages": messages}, tools=[WEATHER])
    assert reply.stop_reason == "tool_use"
    calls = [block for block in reply.content if block.type == "tool_use"]
    assert [call.input for call in calls] == [{"city": "Oslo"}, {"city": "Rome"}]
    assert len({call.id for call in calls}) == 2
    results = [{"type": "tool_result", "tool_use_id": call.id, "content": "21"} for call in calls]
    messages += [{"role": "assistant", "content": reply.content}, {"role": "user", "content": results}]
    reply = client.messages.create(**REQUEST | {"messages": messages}, tools=[WEATHER])
    assert (reply.content[0].text, reply.stop_reason) == ("Rome is warmer.", "end_turn")
    first, second = model.exchanges
    assert (first.offered_tools, first.asked_tools) == (("weather",), ("weather", "weather"))
    assert second.messages[-1]["content"] == results
    model.verify()


@pytest.mark.slow
def test_the_tool_runner_of_the_sdk_runs_to_the_end(anthropic_client):
    model = ScriptedModel(tool_use("weather", city="Oslo"), "It is 21 degrees.")

    @anthropic.beta_tool
    def weather(city: str) -> str:
        """The weather of a city."""
        return f"21 in {city}"

    runner = anthropic_client(model).beta.messages.tool_runner(**REQUEST, tools=[weather])
    assert runner.until_done().content[0].text == "It is 21 degrees."
    (result,) = model.exchanges[1].messages[-1]["content"]
    assert (result["tool_use_id"], result["content"]) == ("toolu_0001_1", "21 in Oslo")


def test_structured_output_is_parsed(anthropic_client):
    model = ScriptedModel(*[structured({"city": "Oslo", "degrees": 21})] * 2)
    client = anthropic_client(model)
    parsed = client.messages.parse(**REQUEST, output_format=Forecast)
    assert parsed.parsed_output == Forecast(city="Oslo", degrees=21)
    with client.messages.stream(**REQUEST, output_format=Forecast) as stream:
        assert stream.get_final_message().parsed_output == Forecast(city="Oslo", degrees=21)
    assert "schema" in json.dumps(model.exchanges[0].request)


def test_usage_is_estimated_and_close_to_the_counted_tokens(anthropic_client):
    model = ScriptedModel("It is warm in Oslo today.")
    client = anthropic_client(model)
    counted = client.messages.count_tokens(model="claude-x", messages=REQUEST["messages"])
    assert_no_unknown_fields(counted)
    usage = client.messages.create(**REQUEST).usage
    assert 0 < counted.input_tokens <= usage.input_tokens < 2 * counted.input_tokens
    assert usage.output_tokens > 0
    more = client.messages.count_tokens(model="claude-x", system="Be brief.", messages=REQUEST["messages"])
    assert more.input_tokens > counted.input_tokens
    assert len(model.exchanges) == 1  # counting is no turn of the model


def test_the_models_can_be_listed(anthropic_client):
    model = ScriptedModel()
    client = anthropic_client(model)
    assert [one.id for one in client.models.list()] == ["scripted"]
    assert client.models.retrieve("claude-x").id == "claude-x"


@pytest.mark.parametrize(
    ("fault", "error"),
    [
        (Fault.error(400, "too long"), anthropic.BadRequestError),
        (Fault.error(401), anthropic.AuthenticationError),
        (Fault.error(403), anthropic.PermissionDeniedError),
        (Fault.error(404), anthropic.NotFoundError),
        (Fault.error(413), anthropic.RequestTooLargeError),
        (Fault.rate_limit(), anthropic.RateLimitError),
        (Fault.error(500, "broken"), anthropic.InternalServerError),
        (Fault.error(529), anthropic.OverloadedError),
        (Fault.reset(), anthropic.APIConnectionError),
    ],
    ids=repr,
)
def test_a_fault_is_the_error_that_the_sdk_has_for_it(fault, error, anthropic_client):
    model = ScriptedModel(fault)
    with pytest.raises(error) as caught:
        anthropic_client(model).messages.create(**REQUEST)
    if fault.kind == "status":
        assert fault.message in str(caught.value)
        assert caught.value.body["error"]["type"].endswith(("_error", "_too_large"))
    assert model.exchanges[0].error == fault.words


@pytest.mark.parametrize(
    "fault",
    [Fault.rate_limit(0.01), Fault.rate_limit(None), Fault.error(500), Fault.error(529), Fault.reset()],
    ids=repr,
)
def test_the_sdk_retries_and_every_attempt_is_an_exchange(fault, anthropic_client, monkeypatch):
    monkeypatch.setattr("anthropic._base_client.INITIAL_RETRY_DELAY", 0.01)
    model = ScriptedModel(fault, fault, "At last.")
    message = anthropic_client(model, max_retries=2).messages.create(**REQUEST)
    assert message.content[0].text == "At last."
    assert [exchange.error for exchange in model.exchanges] == [fault.words, fault.words, None]
    assert [exchange.request for exchange in model.exchanges] == [REQUEST] * 3
    model.verify()


def test_the_sdk_waits_as_long_as_retry_after_says(anthropic_client):
    model = ScriptedModel(Fault.rate_limit(2.5))
    with pytest.raises(anthropic.RateLimitError) as caught:
        anthropic_client(model).messages.create(**REQUEST)
    assert caught.value.response.headers["retry-after"] == "2.5"


@pytest.mark.slow
def test_a_model_that_does_not_answer_times_out(anthropic_client):
    model = ScriptedModel(Fault.timeout())
    with pytest.raises(anthropic.APITimeoutError):
        anthropic_client(model, timeout=0.1).messages.create(**REQUEST)
    assert (model.exchanges[0].status, model.exchanges[0].error) == (None, "injected fault: no answer")


def test_a_delayed_reply_comes_late_and_the_exchange_says_how_long_it_took(anthropic_client):
    model = ScriptedModel(delayed("Late.", 0.05))
    assert anthropic_client(model).messages.create(**REQUEST).content[0].text == "Late."
    assert model.exchanges[0].duration >= 0.05


def test_half_a_reply_is_an_error_in_the_client(anthropic_client):
    model = ScriptedModel(Fault.half_stream("One two three four five six."))
    with pytest.raises(anthropic.APIConnectionError):
        anthropic_client(model).messages.create(**REQUEST)


def test_half_a_stream_begins_well_and_breaks_off(anthropic_client):
    model = ScriptedModel(Fault.half_stream("One two three four five six."))
    seen = []
    with pytest.raises(Exception, match="peer closed connection"):
        seen.extend(event.type for event in anthropic_client(model).messages.create(**REQUEST, stream=True))
    assert "content_block_delta" in seen
    assert "message_stop" not in seen
    assert model.exchanges[0].error == "injected fault: the reply breaks off"


@pytest.mark.parametrize("streams", [False, True])
def test_a_malformed_reply_is_an_error_in_the_client(streams, anthropic_client):
    model = ScriptedModel(Fault.malformed())
    with pytest.raises(json.JSONDecodeError):
        list(anthropic_client(model).messages.create(**REQUEST, stream=streams))


def test_a_request_that_runs_out_of_script_is_not_retried(anthropic_client):
    model = ScriptedModel()
    with pytest.raises(anthropic.BadRequestError, match="model request 1 has no scripted reply"):
        anthropic_client(model, max_retries=5).messages.create(**REQUEST)
    assert model.asked == 1


def test_a_wrong_key_is_not_retried_and_is_a_problem(anthropic_client):
    model = ScriptedModel("x")
    with pytest.raises(anthropic.AuthenticationError, match="the request has the wrong API key"):
        anthropic_client(model, api_key="other", max_retries=5).messages.create(**REQUEST)
    assert len(model.problems) == 1
    assert "other" not in str(model.problems[0])
