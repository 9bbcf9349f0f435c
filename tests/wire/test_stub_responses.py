"""OpenAI's own SDK against the stub server: the Responses API."""

import json

import pydantic
import pytest
from sdk_shapes import assert_no_unknown_fields
from test_stub_openai import PARAMETERS

from grice.wire import ScriptedModel, structured, tool_use

REQUEST = {"model": "gpt-x", "instructions": "Be brief.", "input": "How warm is Oslo?"}
WEATHER = {"type": "function", "name": "weather", "strict": True, "parameters": PARAMETERS}
REPLIES = {
    "text": "It is warm.",
    "no text": "",
    "nothing": [],
    "one call": tool_use("weather", city="Oslo"),
    "text and calls": ["Let me look.", tool_use("weather", city="Oslo"), tool_use("weather", city="Rome")],
    "malformed arguments": {"type": "tool_use", "name": "weather", "input": '{"city": "Os'},
    "thinking": [{"type": "thinking", "thinking": "Hm, Oslo.", "signature": "sig"}, "It is warm."],
    "cut off": {"content": "Cut off", "stop_reason": "max_tokens", "usage": {"output_tokens": 2}},
    "a refusal": {"output": [{"type": "message", "content": [{"type": "refusal", "refusal": "I cannot."}]}]},
    "a whole body": {"output": [{"type": "message", "content": [{"type": "output_text", "text": "A"}]}]},
    "other scripts": "Det er 21 °C i Tromsø 🌞 " + "ord " * 500,
}


class Forecast(pydantic.BaseModel):
    city: str
    degrees: int


@pytest.mark.parametrize("reply", REPLIES.values(), ids=REPLIES)
def test_a_strict_client_reads_every_kind_of_reply(reply, openai_client):
    model = ScriptedModel(reply)
    response = openai_client(model).responses.create(**REQUEST, tools=[WEATHER], temperature=0.5)
    assert_no_unknown_fields(response)
    exchange = model.exchanges[0]
    assert response.model_dump(exclude_unset=True) == exchange.reply
    assert (exchange.dialect, exchange.system, exchange.status) == ("openai_responses", "Be brief.", 200)
    assert (response.instructions, response.temperature) == ("Be brief.", 0.5)
    assert response.tools[0].name == "weather"


@pytest.mark.parametrize("reply", REPLIES.values(), ids=REPLIES)
def test_a_stream_of_events_adds_up_to_the_reply(reply, openai_client):
    model = ScriptedModel(reply, reply)
    client = openai_client(model)
    with client.responses.create(**REQUEST, stream=True) as stream:
        events = list(stream)
    for event in events:
        assert_no_unknown_fields(event)
    assert [event.sequence_number for event in events] == list(range(len(events)))
    assert events[0].type == "response.created"
    assert events[-1].type == ("response.incomplete" if "Cut off" in str(reply) else "response.completed")
    with client.responses.stream(**REQUEST) as stream:
        kinds = [event.type for event in stream]
        final = stream.get_final_response() if kinds[-1] == "response.completed" else None
    sent = model.exchanges[1].reply
    if final is not None:
        assert [item.type for item in final.output] == [item["type"] for item in sent["output"]]
        assert final.output_text == "".join(
            part.get("text", "") for item in sent["output"] for part in item.get("content", ())
        )
    done = [event.arguments for event in events if event.type == "response.function_call_arguments.done"]
    assert done == [item["arguments"] for item in sent["output"] if item["type"] == "function_call"]


def test_a_loop_of_tool_calls_sends_all_results_back(openai_client):
    model = ScriptedModel(REPLIES["text and calls"], "Rome is warmer.")
    client = openai_client(model)
    items = [{"role": "user", "content": "Where is it warmer?"}]
    response = client.responses.create(model="gpt-x", input=items, tools=[WEATHER])
    calls = [item for item in response.output if item.type == "function_call"]
    assert [json.loads(call.arguments) for call in calls] == [{"city": "Oslo"}, {"city": "Rome"}]
    items += response.output
    items += [{"type": "function_call_output", "call_id": call.call_id, "output": "21"} for call in calls]
    assert (
        client.responses.create(model="gpt-x", input=items, tools=[WEATHER]).output_text == "Rome is warmer."
    )
    first, second = model.exchanges
    assert (first.offered_tools, first.asked_tools) == (("weather",), ("weather", "weather"))
    kinds = ["function_call", "function_call", "function_call_output", "function_call_output"]
    assert [item.get("type") for item in second.messages][2:] == kinds
    model.verify()


def test_structured_output_is_parsed(openai_client):
    model = ScriptedModel(*[structured({"city": "Oslo", "degrees": 21})] * 2)
    client = openai_client(model)
    parsed = client.responses.parse(**REQUEST, text_format=Forecast).output_parsed
    assert parsed == Forecast(city="Oslo", degrees=21)
    with client.responses.stream(**REQUEST, text_format=Forecast) as stream:
        assert stream.get_final_response().output_parsed == Forecast(city="Oslo", degrees=21)
    assert model.exchanges[0].request["text"]["format"]["name"] == "Forecast"


def test_usage_is_estimated_or_that_of_the_script(openai_client):
    model = ScriptedModel("It is warm.", {"content": "x", "usage": {"input_tokens": 7, "output_tokens": 2}})
    client = openai_client(model)
    estimated, scripted = (client.responses.create(**REQUEST).usage for _ in range(2))
    assert estimated.total_tokens == estimated.input_tokens + estimated.output_tokens > 5
    assert (scripted.input_tokens, scripted.output_tokens, scripted.total_tokens) == (7, 2, 9)
    assert (model.exchanges[1].input_tokens, model.exchanges[1].output_tokens) == (7, 2)
