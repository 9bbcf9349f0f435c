"""The doors in process that look like the clients of the SDKs."""

import asyncio
import copy
import inspect
import json

import anthropic
import anthropic.types
import openai.types.responses
import pydantic
import pytest
from openai.types.chat import ChatCompletionChunk

from grice.wire import Fault, ModelFault, ScriptedModel, structured, tool_use
from grice.wire.errors import status_of

REQUEST = {"model": "m", "messages": [{"role": "user", "content": "hi"}]}


def used(name, id_="toolu_0001_1", **arguments):
    return {"type": "tool_use", "id": id_, "name": name, "input": arguments}


def test_the_client_reads_like_that_of_the_sdk():
    model = ScriptedModel(["Let me look.", tool_use("search", q="x", items=[{"deep": 1}])])
    reply = model.client.messages.create(
        model="m", max_tokens=5, messages=[{"role": "user", "content": "hi"}]
    )
    text, call = reply.content
    assert (reply.stop_reason, reply.role) == ("tool_use", "assistant")
    assert (reply.usage.output_tokens > 5, reply.usage.cache_read_input_tokens) == (True, None)
    assert (text.type, text.text, call.type, call.name) == ("text", "Let me look.", "tool_use", "search")
    assert call.input == {"q": "x", "items": [{"deep": 1}]}
    assert call.input["items"][0]["deep"] == 1
    assert reply.model_dump(exclude_none=True)["content"][0] == {"type": "text", "text": "Let me look."}
    assert copy.deepcopy(reply) == reply
    assert not hasattr(call, "text")
    assert text.citations is None
    with pytest.raises(AttributeError, match="the reply has no 'input', only type, text"):
        _ = text.input


def test_the_content_of_a_reply_can_be_sent_back():
    model = ScriptedModel(tool_use("search", q="x"), "done")
    messages = [{"role": "user", "content": "hi"}]
    reply = model.client.messages.create(messages=messages)
    messages.append({"role": "assistant", "content": reply.content})
    model.client.messages.create(messages=messages)
    assert model.exchanges[1].messages[1] == {"role": "assistant", "content": [used("search", q="x")]}


def test_arguments_of_the_sdk_that_are_not_sent_are_not_recorded():
    model = ScriptedModel("x")
    model.client.messages.create(
        messages=[],
        system=anthropic.NOT_GIVEN,
        timeout=3,
        extra_headers={"x-api-key": "secret"},
        extra_body={"beta": 1},
    )
    assert model.exchanges[0].request == {"messages": [], "beta": 1}


def test_the_asynchronous_client_is_awaited():
    model = ScriptedModel("hello")

    async def ask():
        return (await model.async_client.messages.create(**REQUEST)).content[0].text

    assert asyncio.run(ask()) == "hello"
    assert model.exchanges[0].request == REQUEST


@pytest.mark.parametrize("door", ["client", "async_client"])
def test_streaming_from_anthropic_gives_the_raw_events(door):
    model = ScriptedModel(["Let me look.", tool_use("search", q="x y")])
    events = streamed(getattr(model, door).messages.create, REQUEST)
    adapter = pydantic.TypeAdapter(anthropic.types.RawMessageStreamEvent)
    for event in events:
        adapter.validate_python(event)
    deltas = [event.delta for event in events if event.type == "content_block_delta"]
    assert "".join(delta.text for delta in deltas if delta.type == "text_delta") == "Let me look."
    assert json.loads("".join(d.partial_json for d in deltas if d.type == "input_json_delta")) == {"q": "x y"}
    assert [event.delta.stop_reason for event in events if event.type == "message_delta"] == ["tool_use"]
    assert model.exchanges[0].request == REQUEST | {"stream": True}


@pytest.mark.parametrize("door", ["openai_client", "async_openai_client"])
def test_streaming_from_chat_completions_gives_the_chunks(door):
    model = ScriptedModel(["Let me look.", tool_use("search", q="x")])
    request = REQUEST | {"stream_options": {"include_usage": True}}
    chunks = streamed(getattr(model, door).chat.completions.create, request)
    *saying, counting = chunks
    assert all(ChatCompletionChunk.model_validate(chunk) for chunk in chunks)
    deltas = [chunk.choices[0].delta for chunk in saying]
    assert "".join(delta.content or "" for delta in deltas) == "Let me look."
    calls = [call for delta in deltas for call in delta.tool_calls or ()]
    assert (calls[0].id, calls[0].function.name) == ("call_0001_1", "search")
    assert calls[1].id is None
    assert "".join(call.function.arguments for call in calls) == '{"q":"x"}'
    assert (counting.choices, counting.usage.total_tokens > 0) == ([], True)
    assert chunks[0].usage is None


@pytest.mark.parametrize("door", ["openai_client", "async_openai_client"])
def test_streaming_from_responses_ends_with_the_whole_reply(door):
    model = ScriptedModel("one two")
    events = streamed(getattr(model, door).responses.create, {"model": "m", "input": "hi"})
    assert "".join(event.delta for event in events if event.type == "response.output_text.delta") == "one two"
    assert [event.sequence_number for event in events] == list(range(len(events)))
    assert events[-1].response.output_text == "one two"


@pytest.mark.parametrize("door", ["client", "async_client", "openai_client", "async_openai_client"])
def test_the_stream_helper_of_the_sdks_is_refused(door):
    model = ScriptedModel("x")
    client = getattr(model, door)
    resource = client.responses if "openai" in door else client.messages
    with pytest.raises(AttributeError, match=r"has no 'stream': use create\(...\), with stream=True for"):
        resource.stream(**REQUEST)
    assert (model.asked, model.unused) == (0, 1)


@pytest.mark.parametrize(
    "missing",
    [
        lambda model: model.client.beta.messages,
        lambda model: model.client.models.list(),
        lambda model: model.client.messages.count_tokens(**REQUEST),
        lambda model: model.async_client.messages.with_raw_response.create(**REQUEST),
        lambda model: model.openai_client.chat.completions.parse(**REQUEST),
        lambda model: model.openai_client.models.list(),
        lambda model: model.openai_client.beta.chat.completions.parse(**REQUEST),
        lambda model: model.async_openai_client.responses.parse(**REQUEST),
        lambda model: model.async_openai_client.embeddings.with_raw_response.create(input="x"),
    ],
)
def test_what_the_clients_lack_is_refused_with_the_way_to_it(missing):
    model = ScriptedModel("x")
    with pytest.raises(AttributeError, match=r"in process has no .* the scripted model's url and key"):
        missing(model)
    assert model.unused == 1


@pytest.mark.parametrize("door", ["client", "openai_client"])
def test_a_client_is_used_as_that_of_the_sdk_is(door):
    model = ScriptedModel("one", "two")
    with getattr(model, door).with_options(max_retries=0, timeout=3) as client:
        create = client.messages.create if door == "client" else client.chat.completions.create
        with create(**REQUEST, stream=True) as stream:
            first = next(stream)
            assert isinstance(first.model_dump_json(), str)
        assert list(stream) == []
        reply = create(**REQUEST)
        assert json.loads(reply.model_dump_json(exclude_none=True)) == json.loads(reply.to_json()) == reply
        assert reply.model_dump_json(indent=2) == reply.to_json()
        client.close()
    assert copy.copy(client).with_options() is not None


@pytest.mark.parametrize("door", ["async_client", "async_openai_client"])
def test_an_asynchronous_client_is_used_as_that_of_the_sdk_is(door):
    model = ScriptedModel("one", "two")

    async def ask():
        async with getattr(model, door).copy(timeout=3) as client:
            create = client.messages.create if "openai" not in door else client.chat.completions.create
            async with await create(**REQUEST, stream=True) as stream:
                assert [event async for event in stream]
            await (await create(**REQUEST, stream=True)).close()
            await client.close()

    asyncio.run(ask())
    assert model.unused == 0


def test_the_openai_client_reads_like_that_of_the_sdk():
    model = ScriptedModel("hello", tool_use("search", q="x"))
    said, called = (model.openai_client.chat.completions.create(**REQUEST).choices[0] for _ in range(2))
    assert (said.message.content, said.message.tool_calls, said.finish_reason) == ("hello", None, "stop")
    (call,) = called.message.tool_calls
    assert (called.message.content, called.finish_reason) == (None, "tool_calls")
    assert (call.id, call.function.name, call.function.arguments) == ("call_0002_1", "search", '{"q":"x"}')
    model.script("done")
    answered = [
        *REQUEST["messages"],
        called.message,
        {"role": "tool", "tool_call_id": call.id, "content": "1"},
    ]
    model.openai_client.chat.completions.create(messages=answered)
    assert model.exchanges[-1].messages[1]["tool_calls"][0]["function"]["name"] == "search"
    assert {exchange.dialect for exchange in model.exchanges} == {"openai_chat"}


def test_the_openai_client_speaks_the_responses_api_too():
    model = ScriptedModel(["Let me look.", tool_use("search", q="x")])
    response = model.openai_client.responses.create(model="m", instructions="Be short.", input="hi")
    message, call = response.output
    assert (response.output_text, response.status) == ("Let me look.", "completed")
    assert message.content[0].text == "Let me look."
    assert (call.type, call.name, call.call_id) == ("function_call", "search", "call_0001_2")
    assert model.exchanges[0].system == "Be short."
    openai.types.responses.Response.model_validate(response)


def test_the_openai_client_embeds_without_a_script():
    model = ScriptedModel()
    made = model.openai_client.embeddings.create(
        model="e", input=["a blue room", "a room, blue"], dimensions=64
    )
    near, same = (item.embedding for item in made.data)
    assert sum(a * b for a, b in zip(near, same, strict=True)) == pytest.approx(1)
    again = asyncio.run(
        model.async_openai_client.embeddings.create(model="e", input="a blue room", dimensions=64)
    )
    assert again.data[0].embedding == near
    assert model.exchanges[0].dialect == "openai_embeddings"
    assert model.asked == 0
    model.verify()


FAULTS = [
    (Fault.rate_limit(2), 429, "injected fault: 429 rate limit reached"),
    (Fault.error(503, "down"), 503, "injected fault: 503 down"),
    (Fault.timeout(), None, "injected fault: no answer"),
    (Fault.reset(), None, "injected fault: connection reset"),
    (Fault.half_stream("half"), 200, "injected fault: the reply breaks off"),
    (Fault.malformed(), 200, "injected fault: the reply is not JSON"),
]


@pytest.mark.parametrize(("fault", "_", "said"), FAULTS)
@pytest.mark.parametrize(
    "ask",
    [
        lambda model: model.transport(REQUEST),
        lambda model: model.client.messages.create(**REQUEST),
        lambda model: asyncio.run(model.async_client.messages.create(**REQUEST)),
        lambda model: model.openai_client.chat.completions.create(**REQUEST, stream=True),
        lambda model: asyncio.run(model.async_openai_client.responses.create(**REQUEST)),
    ],
)
def test_a_fault_is_raised_in_process_and_recorded(ask, fault, _, said):
    model = ScriptedModel(fault, "then fine")
    with pytest.raises(ModelFault, match=said) as caught:
        ask(model)
    assert caught.value.fault is fault
    exchange = model.exchanges[0]
    assert (exchange.reply, exchange.error, exchange.status, exchange.duration) == (None, said, None, None)
    model.transport(REQUEST)
    model.verify()  # a fault is part of the script, not a problem with it


def test_structured_output_is_json_text_in_every_dialect():
    model = ScriptedModel(*[structured({"city": "Oslo", "at": {1, 2}})] * 3)
    texts = [
        model.client.messages.create(**REQUEST).content[0].text,
        model.openai_client.chat.completions.create(**REQUEST).choices[0].message.content,
        model.openai_client.responses.create(**REQUEST).output_text,
    ]
    assert set(texts) == {'{"city":"Oslo","at":[1,2]}'}


@pytest.mark.parametrize(("fault", "status", "_"), FAULTS)
def test_a_fault_has_the_status_that_it_has_over_http(fault, status, _):
    assert status_of(fault) == status


def streamed(create, request):
    """All events of a stream, from a synchronous client or an asynchronous one."""
    made = create(**request, stream=True)
    if not inspect.iscoroutine(made):
        return list(made)

    async def collect():
        return [event async for event in await made]

    return asyncio.run(collect())
