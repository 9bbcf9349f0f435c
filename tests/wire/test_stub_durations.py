"""How long an exchange over HTTP took, as its record says, and what becomes of one whose client leaves."""

import asyncio
import threading
import time

import pytest
from raw_http import MESSAGES, ask, connected, request, response, until

from grice.wire import Fault, ScriptedModel, delayed
from grice.wire.stub import StubServer

STREAM = MESSAGES | {"stream": True}


def path_of(stub, model):
    return stub.address_of(model).removeprefix(stub.url) + "/v1/messages"


def leave_after(stub, model, seconds, body=MESSAGES):
    """Ask, and go away without a reply after so many seconds."""

    async def talk():
        async with connected(stub) as (_, writer):
            writer.write(request(path_of(stub, model), body, key=stub.key))
            await asyncio.sleep(seconds)

    asyncio.run(talk())


def wait(holds):
    asyncio.run(until(holds))


@pytest.mark.parametrize("fault", [Fault.timeout(), TimeoutError("slow")])
def test_a_request_without_an_answer_took_until_the_client_gave_up(stub, fault):
    model = ScriptedModel(fault)
    leave_after(stub, model, 0.2)
    wait(lambda: model.exchanges[0].duration)
    exchange = model.exchanges[0]
    assert 0.15 < exchange.duration < 5
    assert exchange.error in ("injected fault: no answer", "TimeoutError: slow")


def test_nobody_knows_how_long_a_request_takes_that_is_not_answered_yet(stub):
    model = ScriptedModel(Fault.timeout())

    async def talk():
        async with connected(stub) as (_, writer):
            writer.write(request(path_of(stub, model), key=stub.key))
            await until(lambda: model.exchanges)
            return model.exchanges[0].duration

    assert asyncio.run(talk()) is None


def test_a_client_that_leaves_before_a_late_reply_waited_as_long_as_it_did(stub):
    model = ScriptedModel(delayed("Late.", 30))
    leave_after(stub, model, 0.1)
    wait(lambda: model.exchanges[0].error)
    assert 0.05 < model.exchanges[0].duration < 5


def test_a_stream_takes_as_long_as_the_client_reads(stub):
    model = ScriptedModel(("x" * 100_000 + " ") * 100)  # more than the buffers of two sockets hold

    async def talk():
        async with connected(stub) as (reader, writer):
            writer.write(request(path_of(stub, model), STREAM, key=stub.key))
            await asyncio.sleep(0.2)
            return (await response(reader))[0]

    assert asyncio.run(talk()) == 200
    assert 0.15 < model.exchanges[0].duration < 5
    assert model.exchanges[0].error is None


def test_every_exchange_is_settled_once_with_its_last_record(stub):
    settled = []
    model = ScriptedModel("one", "two", Fault.error(503), Fault.timeout())
    model.settled = settled.append
    for body in (MESSAGES, STREAM, MESSAGES):
        ask(stub, request(path_of(stub, model), body, key=stub.key))
    leave_after(stub, model, 0.1)
    wait(lambda: len(settled) == 4)
    assert [id(one) for one in settled] == [id(one) for one in model.exchanges]
    assert settled[3].duration > 0.05


# -- a function that takes its time


def test_the_stub_stops_at_once_although_a_function_blocks():
    begun, end = threading.Event(), threading.Event()

    def slow(exchange):
        begun.set()
        end.wait(30)
        return "Slow."

    model = ScriptedModel(otherwise=slow)
    with StubServer() as stub:
        leave_after(stub, model, 0.1)
        assert begun.is_set()
        started = time.monotonic()
        stub.stop()
        assert time.monotonic() - started < 2
    blocked = [thread for thread in threading.enumerate() if thread.name == "grice-otherwise"]
    assert all(thread.daemon for thread in blocked)
    end.set()
    wait(lambda: model.exchanges and model.exchanges[0].error)
    assert model.exchanges[0].error == "the client went away before the reply came"


def test_a_client_that_leaves_before_a_function_returns_is_noted(stub):
    def slow(exchange):
        time.sleep(0.3)
        return "Slow."

    model = ScriptedModel(otherwise=slow)
    leave_after(stub, model, 0.1)
    wait(lambda: model.exchanges and model.exchanges[0].error)
    exchange = model.exchanges[0]
    assert exchange.error == "the client went away before the reply came"
    assert 0.05 < exchange.duration < 0.28


@pytest.mark.parametrize("error", [SystemExit(3), StopIteration(), KeyboardInterrupt()])
def test_a_function_cannot_end_the_server(stub, error):
    def fails(exchange):
        raise error

    model = ScriptedModel(otherwise=fails)
    for _ in range(2):
        status, _, body = ask(stub, request(path_of(stub, model), key=stub.key))
        assert (status, type(error).__name__ in body["error"]["message"]) == (400, True)
    assert len(model.problems) == 2
