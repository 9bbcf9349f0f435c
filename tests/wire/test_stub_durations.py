"""How long an exchange over HTTP took, as its record says, and what becomes of one whose client leaves."""

import asyncio
import threading

import pytest

from grice.wire import Fault, ScriptedModel, delayed
from grice.wire.stub import StubServer
from raw_http import MESSAGES, ask, connected, request, until

STREAM = MESSAGES | {"stream": True}


class Clock:
    """Shows the seconds it is set to; `looks` says how often somebody looked."""

    seconds = 0.0
    looks = 0

    def __call__(self):
        self.looks += 1
        return self.seconds


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def stub(clock):
    with StubServer(clock=clock) as server:
        yield server


def path_of(stub, model):
    return stub.address_of(model).removeprefix(stub.url) + "/v1/messages"


def ask_and_leave(stub, model, leaving, *, begun=None):
    """Ask, and go away without a reply once the model is busy with it; `leaving` is called before."""

    async def talk():
        async with connected(stub) as (_, writer):
            before = len(model.exchanges)
            writer.write(request(path_of(stub, model), key=stub.key))
            await until(begun or (lambda: len(model.exchanges) > before))
            leaving()

    asyncio.run(talk())


def wait(holds):
    asyncio.run(until(holds))


def shows(clock, seconds):
    """Sets the clock."""
    return lambda: setattr(clock, "seconds", seconds)


@pytest.mark.parametrize("fault", [Fault.timeout(), TimeoutError("slow")])
def test_a_request_without_an_answer_took_until_the_client_gave_up(stub, clock, fault):
    model = ScriptedModel(fault)
    ask_and_leave(stub, model, shows(clock, 2.5))
    wait(lambda: model.exchanges[0].duration)
    exchange = model.exchanges[0]
    assert exchange.duration == 2.5
    assert exchange.error in ("injected fault: no answer", "TimeoutError: slow")


def test_nobody_knows_how_long_a_request_takes_that_is_not_answered_yet(stub):
    model = ScriptedModel(Fault.timeout())

    async def talk():
        async with connected(stub) as (_, writer):
            writer.write(request(path_of(stub, model), key=stub.key))
            await until(lambda: model.exchanges)
            return model.exchanges[0].duration

    assert asyncio.run(talk()) is None


def test_a_client_that_leaves_before_a_late_reply_waited_as_long_as_it_did(stub, clock):
    model = ScriptedModel(delayed("Late.", 300))
    ask_and_leave(stub, model, shows(clock, 2.5))
    wait(lambda: model.exchanges[0].error)
    assert model.exchanges[0].duration == 2.5


@pytest.mark.slow
def test_a_stream_takes_as_long_as_the_client_reads(stub, clock):
    model = ScriptedModel(("x" * 100_000 + " ") * 100)  # more than the buffers of two sockets hold

    async def talk():
        async with connected(stub) as (reader, writer):
            closing = {"Connection": "close"}
            writer.write(request(path_of(stub, model), STREAM, key=stub.key, headers=closing))
            await reader.readuntil(b"event: message_start")
            clock.seconds = 2.5
            return await reader.read()

    assert b"event: message_stop" in asyncio.run(talk())
    assert model.exchanges[0].duration == 2.5
    assert model.exchanges[0].error is None


def test_every_exchange_is_settled_once_with_its_last_record(stub, clock):
    settled = []
    model = ScriptedModel("one", "two", Fault.error(503), Fault.timeout())
    model.settled = settled.append
    for body in (MESSAGES, STREAM, MESSAGES):
        ask(stub, request(path_of(stub, model), body, key=stub.key))
    ask_and_leave(stub, model, shows(clock, 2.5))
    wait(lambda: len(settled) == 4)
    assert [id(one) for one in settled] == [id(one) for one in model.exchanges]
    assert settled[3].duration == 2.5


# -- a function that takes its time


@pytest.fixture
def blocked():
    """A model whose function blocks until `end` is set; `begun` says that it does."""
    model = ScriptedModel(otherwise=lambda exchange: begun.set() or (end.wait(60) and "Slow."))
    begun, end = threading.Event(), threading.Event()
    yield model, begun, end
    end.set()


def test_the_stub_stops_at_once_although_a_function_blocks(stub, blocked):
    model, begun, end = blocked
    ask_and_leave(stub, model, lambda: None, begun=begun.is_set)
    stub.stop()
    assert not stub._thread.is_alive()
    waiting = [thread for thread in threading.enumerate() if thread.name == "grice-otherwise"]
    assert all(thread.daemon for thread in waiting)
    end.set()
    wait(lambda: model.exchanges and model.exchanges[0].error)
    assert model.exchanges[0].error == "the client went away before the reply came"


def test_a_client_that_leaves_before_a_function_returns_is_noted(stub, clock, blocked):
    model, begun, end = blocked
    ask_and_leave(stub, model, shows(clock, 2.5), begun=begun.is_set)
    wait(lambda: clock.looks == 2)  # as the request came, and as the client went
    clock.seconds = 9.0
    end.set()
    wait(lambda: model.exchanges and model.exchanges[0].error)
    exchange = model.exchanges[0]
    assert exchange.error == "the client went away before the reply came"
    assert exchange.duration == 2.5


@pytest.mark.parametrize("error", [SystemExit(3), StopIteration(), KeyboardInterrupt()])
def test_a_function_cannot_end_the_server(stub, error):
    def fails(exchange):
        raise error

    model = ScriptedModel(otherwise=fails)
    for _ in range(2):
        status, _, body = ask(stub, request(path_of(stub, model), key=stub.key))
        assert (status, type(error).__name__ in body["error"]["message"]) == (400, True)
    assert len(model.problems) == 2
