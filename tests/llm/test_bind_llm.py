"""bind_llm: somebody's LLM, whatever its shape, and everything that can go wrong in it."""

import asyncio
import contextvars
import functools
import re
import threading
from types import SimpleNamespace

import msgspec
import pytest
from llm_requests import JUDGED, MESSAGES, PLAIN, SCHEMA, ask, error_of

from grice import LLMError, LLMMetadata, LLMResponse, ScriptedModel, structured
from grice.llm import LLMConfigError, bind_llm
from grice.llm.openai_llm import OpenAILLM


class Recording:
    """An LLM that keeps what it was called with."""

    provider = "acme"
    model = "acme-1"

    def __init__(self, answer="ok"):
        self.answer = answer
        self.calls = []

    def complete(self, messages, **options):
        self.calls.append((messages, options))
        return self.answer


class MyLLM:
    """The ten lines of the documentation: any SDK's client as an LLM of Grice."""

    model = "gpt-test"

    def __init__(self, client):
        self.client = client

    async def complete(self, messages, schema=None, max_tokens=1024):
        form = {"type": "json_schema", "json_schema": {"name": "answer", "schema": schema}}
        more = {"response_format": form} if schema else {}
        reply = await self.client.chat.completions.create(
            model=self.model, messages=messages, max_tokens=max_tokens, **more
        )
        return reply.choices[0].message.content


def test_the_adapter_of_the_documentation():
    model = ScriptedModel("Hello!", structured({"satisfied": True}))
    llm = bind_llm(MyLLM(model.async_openai_client))
    assert (llm.name, llm.provider, llm.model) == ("MyLLM", "", "gpt-test")
    assert ask(llm).text == "Hello!"
    assert ask(llm, JUDGED).text == '{"satisfied":true}'
    sent = [exchange.request for exchange in model.exchanges]
    assert sent[0]["messages"] == list(MESSAGES)
    assert sent[1]["response_format"]["json_schema"]["schema"] == SCHEMA


def test_all_options_go_to_who_takes_all():
    target = Recording()
    request = msgspec.structs.replace(JUDGED, temperature=0.5, seed=3, sample=2, max_tokens=9)
    response = ask(bind_llm(target), request)
    assert (response.metadata.provider, response.metadata.model) == ("acme", "acme-1")
    assert response.metadata.latency_ms >= 0
    assert target.calls == [
        (
            list(MESSAGES),
            {
                "schema": SCHEMA,
                "schema_name": "verdict",
                "response_format": "json",
                "purpose": "criterion",
                "subject": "friendly",
                "max_tokens": 9,
                "temperature": 0.5,
                "seed": 3,
                "sample": 2,
            },
        )
    ]
    ask(bind_llm(target), PLAIN)
    assert target.calls[-1][1]["response_format"] == "text"


def bare(messages):
    return f"bare {len(messages)}"


async def bare_async(messages):
    return f"bare {len(messages)}"


def with_options(messages, purpose, *, subject="", other=1):
    return f"{purpose} {subject} {other}"


class Called:
    async def __call__(self, messages):
        return f"bare {len(messages)}"


class Method:
    def chat(self, messages, schema):
        return f"bare {len(messages)}"


@pytest.mark.parametrize(
    ("target", "text"),
    [
        (bare, "bare 2"),
        (bare_async, "bare 2"),
        (lambda messages: bare_async(messages), "bare 2"),
        (functools.partial(with_options, other=5), "criterion friendly 5"),
        (with_options, "criterion friendly 1"),
        (Called(), "bare 2"),
        (Method().chat, "bare 2"),
        (Recording, "ok"),
        (lambda *args: f"bare {len(args[0])}", "bare 2"),
    ],
)
def test_callables_and_classes(target, text):
    assert ask(bind_llm(target), JUDGED).text == text


@pytest.mark.parametrize(
    ("answer", "text", "parsed"),
    [
        ("text", "text", msgspec.UNSET),
        ("", "", msgspec.UNSET),
        ({"a": (1, 2)}, '{"a":[1,2]}', {"a": [1, 2]}),
        ([1], "[1]", [1]),
        (LLMResponse("x", {"a": 1}), "x", {"a": 1}),
        (LLMResponse("\ud800", {"a": {1}}), "\ufffd", {"a": [1]}),
        (SimpleNamespace(text="x"), "x", msgspec.UNSET),
        (SimpleNamespace(parsed={"a": 1}), '{"a":1}', {"a": 1}),
        (SimpleNamespace(text="raw", parsed={"a": 1}), "raw", {"a": 1}),
        (SimpleNamespace(text="x", parsed=None, metadata=3), "x", msgspec.UNSET),
    ],
)
def test_what_an_answer_can_be(answer, text, parsed):
    response = ask(bind_llm(Recording(answer)))
    assert (response.text, response.parsed) == (text, parsed)


@pytest.mark.parametrize(
    "metadata",
    [
        LLMMetadata(model="m", input_tokens=5, latency_ms=12.0),
        {"model": "m", "input_tokens": 5, "latency_ms": 12.0, "output_tokens": "many", "cost": 3},
        SimpleNamespace(model="m", input_tokens=5, latency_ms=12.0, stop_reason=None),
    ],
)
def test_what_an_answer_says_of_itself_is_kept(metadata):
    told = ask(bind_llm(Recording(SimpleNamespace(text="x", metadata=metadata)))).metadata
    assert told == LLMMetadata(provider="acme", model="m", input_tokens=5, latency_ms=12.0)


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (None, "the LLM Recording returned None: expected an LLMResponse, a text"),
        (7, "the LLM Recording returned an int, 7: expected"),
        (True, "returned a bool, True"),
        (LLMResponse(None), "returned an LLMResponse whose text is None"),
        (b"bytes", "returned a bytes, b'bytes'"),
        (SimpleNamespace(content="x"), "returned a SimpleNamespace"),
        (SimpleNamespace(text=5), "returned a SimpleNamespace"),
        (iter("abc"), "returned a str_ascii_iterator"),
    ],
)
def test_wrong_types_are_named(answer, said):
    assert said in error_of(bind_llm(Recording(answer)))


def raising(error):
    def complete(messages):
        raise error

    return complete


class Unprintable(Exception):
    def __str__(self):
        raise RuntimeError


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (ValueError("no key sk-abcdefghijklmnop123456"), "raised ValueError: no key [redacted"),
        (TimeoutError("of the SDK"), "raised TimeoutError: of the SDK"),
        (KeyError(), "raised KeyError"),
        (Unprintable(), "raised Unprintable"),
        (RuntimeError("x" * 5_000), "... ("),
        (StopIteration("odd"), "StopIteration('odd')"),
        (SystemExit(3), "SystemExit(3)"),
    ],
)
def test_exceptions_are_no_answers(error, said):
    message = error_of(bind_llm(raising(error), name="mine"))
    assert message.startswith("the LLM mine raised ")
    assert said in message
    assert len(message) < 600


def test_exceptions_are_chained_and_llm_errors_stay_what_they_are():
    cause, own = ValueError("x"), LLMError("own")
    for raised, expected in ((cause, cause), (own, own.__cause__)):
        with pytest.raises(LLMError) as caught:
            ask(bind_llm(raising(raised)))
        assert caught.value.__cause__ is expected
    assert caught.value is own


async def never(messages):
    await asyncio.sleep(20)


async def cancels_itself(messages):
    raise asyncio.CancelledError


@pytest.mark.slow
def test_time_is_limited():
    over = threading.Event()
    try:
        for target in (never, lambda messages: over.wait(20)):
            message = error_of(bind_llm(target, name="slow", timeout=0.03))
            assert message == "the LLM slow gave no answer within 0.03 s"
    finally:
        over.set()


def test_a_cancellation_from_within_is_an_error_and_one_from_outside_is_not():
    assert "was cancelled from within" in error_of(bind_llm(cancels_itself))

    async def run():
        task = asyncio.create_task(bind_llm(never).ask(PLAIN))
        await asyncio.sleep(0)
        task.cancel()
        await task

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(run())


def test_what_is_synchronous_does_not_hold_up_the_loop():
    released = threading.Event()
    llm = bind_llm(lambda messages: str(released.wait(20)))

    async def run():
        task = asyncio.create_task(llm.ask(PLAIN))
        await asyncio.sleep(0)
        released.set()  # were the loop held up, this would not be reached in time
        return await task

    assert asyncio.run(run()).text == "True"


def test_not_too_many_run_at_once():
    running, most = 0, 0

    async def complete(messages):
        nonlocal running, most
        running += 1
        most = max(most, running)
        await asyncio.sleep(0)
        running -= 1
        return "fine"

    async def run():
        llm = bind_llm(complete)
        return await asyncio.gather(*(llm.ask(PLAIN) for _ in range(250)))

    assert len(asyncio.run(run())) == 250
    assert 1 < most <= 100


VARIABLE = contextvars.ContextVar("VARIABLE", default="unset")


def test_a_thread_sees_the_context_of_who_asks():
    async def run():
        VARIABLE.set("seen")
        return await bind_llm(lambda messages: VARIABLE.get()).ask(PLAIN)

    assert asyncio.run(run()).text == "seen"


def test_messages_are_the_llms_to_change():
    def complete(messages):
        messages[0]["content"] = "changed"
        messages.clear()
        return "ok"

    ask(bind_llm(complete))
    assert PLAIN.messages[0]["content"] == "You judge."


def test_clients_are_bound_already():
    llm = OpenAILLM("m")
    assert bind_llm(llm, name="other") is llm


class NeedsKey:
    def __init__(self, key):
        raise AssertionError

    def complete(self, messages):
        raise AssertionError


@pytest.mark.parametrize(
    ("target", "said"),
    [
        (5, "5 is not an LLM: expected an object with complete(messages, **options)"),
        (None, "None is not an LLM"),
        (SimpleNamespace(complete="x"), "is not an LLM"),
        (lambda *, messages: "x", "takes no positional argument"),
        (lambda: "x", "takes no positional argument"),
        (NeedsKey, "making the LLM with NeedsKey() raised TypeError"),
    ],
)
def test_what_is_no_llm(target, said):
    with pytest.raises(LLMConfigError, match=re.escape(said)):
        bind_llm(target)
