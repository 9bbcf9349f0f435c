"""What connections do to the stub: pipelining, clients that go away or never read, many at once, its end."""

import asyncio
import multiprocessing
import os
import signal
import socket
import threading
from contextlib import suppress
from functools import partial

import anthropic
import openai
import pytest
from loopback import free_port

from grice.wire import Fault, ScriptedModel, delayed
from grice.wire.shared_stub import close_stub, shared_stub
from grice.wire.stub import StubServer
from raw_http import MESSAGES, ask, connected, request, response, until

LONG = ("x" * 100_000 + " ") * 100  # ten megabytes: more than the buffers of two sockets hold
STREAM = MESSAGES | {"stream": True}


def path_of(stub, model, route="/v1/messages"):
    return stub.address_of(model).removeprefix(stub.url) + route


def run(coroutine, seconds=60):
    async def bounded():
        async with asyncio.timeout(seconds):
            return await coroutine

    return asyncio.run(bounded())


def text_of(body):
    return body.split(b'"text":"')[1].split(b'"')[0].decode()


# -- one connection, many requests


def test_requests_in_one_packet_are_answered_in_order(stub):
    model = ScriptedModel(delayed("one", 0.02), "two", "three")

    async def talk():
        async with connected(stub) as (reader, writer):
            writer.write(request(path_of(stub, model), key=stub.key) * 3)
            return [text_of((await response(reader))[2]) for _ in range(3)]

    assert run(talk()) == ["one", "two", "three"]


def test_a_refused_request_does_not_spoil_the_next_one_on_the_connection(stub):
    model = ScriptedModel("Hello!")
    path = path_of(stub, model)
    raws = [
        request(path, b"no JSON", key=stub.key),
        request(path, key="wrong"),
        request(path + "/nowhere", {"padding": "x" * 100_000}, key=stub.key),
        request(path, key=stub.key, headers={"Host": "evil.example"}),
        request(path, key=stub.key),
    ]

    async def talk():
        async with connected(stub) as (reader, writer):
            statuses = []
            for raw in raws:
                writer.write(raw)
                statuses.append((await response(reader))[0])
            return statuses

    assert run(talk()) == [400, 401, 404, 403, 200]


def test_a_body_may_come_in_many_small_chunks(stub):
    model = ScriptedModel("Hello!")
    head, _, body = request(path_of(stub, model), key=stub.key).partition(b"\r\n\r\n")
    head = head.replace(b"Content-Length: %d" % len(body), b"Transfer-Encoding: chunked")

    async def talk():
        async with connected(stub) as (reader, writer):
            writer.write(head + b"\r\n\r\n")
            for place in range(len(body)):
                writer.write(b"1\r\n%b\r\n" % body[place : place + 1])
                await writer.drain()
            writer.write(b"0\r\n\r\n")
            return (await response(reader))[0]

    assert run(talk()) == 200
    assert model.exchanges[0].request == MESSAGES


# -- clients that go away


def test_a_client_that_goes_away_in_the_middle_of_a_stream_is_noted(stub):
    model = ScriptedModel(LONG)

    async def talk():
        with unread(stub) as silent:
            silent.sendall(request(path_of(stub, model), STREAM, key=stub.key))
            await asyncio.to_thread(silent.recv, 100)
        await until(lambda: model.exchanges[0].error)

    run(talk())
    exchange = model.exchanges[0]
    assert "the client went away after" in exchange.error
    assert exchange.reply["content"][0]["text"] == LONG
    assert model.problems == []


def test_a_client_that_goes_away_before_a_late_reply_is_noted(stub):
    model = ScriptedModel(delayed("Late.", 30))

    async def talk():
        async with connected(stub) as (_, writer):
            writer.write(request(path_of(stub, model), key=stub.key))
            await until(lambda: model.exchanges)
        await until(lambda: model.exchanges[0].error)

    run(talk())
    assert model.exchanges[0].error == "the client went away before the reply came"


def test_a_client_that_goes_away_while_it_sends_takes_no_reply(stub):
    model = ScriptedModel("Hello!")

    async def talk():
        async with connected(stub) as (_, writer):
            writer.write(request(path_of(stub, model), b"{" * 50_000, key=stub.key)[:20_000])
            await writer.drain()

    run(talk())
    assert ask(stub, request(path_of(stub, model), key=stub.key))[2]["content"][0]["text"] == "Hello!"
    assert (len(model.exchanges), model.problems) == (1, [])


def test_a_client_that_sends_nothing_more_is_refused_in_time(stub, monkeypatch):
    monkeypatch.setattr("grice.wire.stub_requests.READ_TIMEOUT", 0.05)
    model = ScriptedModel("Hello!")
    status, _, body = ask(
        stub, request(path_of(stub, model), key=stub.key, headers={"Content-Length": "999"})
    )
    assert (status, "did not arrive within 0.05 s" in body["error"]["message"]) == (408, True)
    assert len(model.problems) == 1


@pytest.mark.slow
def test_a_client_that_never_reads_a_stream_is_cut_off_and_the_others_are_served(stub, monkeypatch):
    monkeypatch.setattr("grice.wire.stub_requests.SENDING", 0.1)
    slow, quick = ScriptedModel(LONG), ScriptedModel(*map(str, range(5)))

    async def talk():
        with unread(stub) as silent:
            silent.sendall(request(path_of(stub, slow), STREAM, key=stub.key))
            await until(lambda: slow.exchanges)
            async with connected(stub) as (reader, writer):
                for _ in range(5):
                    writer.write(request(path_of(stub, quick), key=stub.key))
                    assert (await response(reader))[0] == 200
            await until(lambda: slow.exchanges[0].error)

    run(talk())
    assert "events within 0.1 s" in slow.exchanges[0].error


@pytest.mark.slow
@pytest.mark.parametrize("body", [MESSAGES, STREAM])
def test_the_stub_stops_although_a_client_never_reads(body):
    model = ScriptedModel(LONG)
    with StubServer() as stub, unread(stub) as silent:
        silent.sendall(request(path_of(stub, model), body, key=stub.key))
        run(until(lambda: model.exchanges))
        stub.stop()
        assert not stub._thread.is_alive()


@pytest.mark.slow
def test_a_client_that_never_reads_a_whole_reply_is_cut_off(monkeypatch):
    monkeypatch.setattr("grice.wire.stub_requests.SENDING", 0.1)
    model = ScriptedModel(LONG)
    with StubServer() as stub, unread(stub) as silent:
        silent.sendall(request(path_of(stub, model), key=stub.key))
        run(until(lambda: model.exchanges))
        run(until(lambda: not stub._server.connections))


# -- clients that do nothing


HEAD = b"POST /v1/messages HTTP/1.1\r\nHost: 127.0.0.1\r\n"


@pytest.fixture
def impatient(monkeypatch):
    """A stub that waits for no header."""
    monkeypatch.setattr("grice.wire.stub.IDLE", 0.1)
    with StubServer() as server:
        yield server


@pytest.fixture
def patient(monkeypatch):
    """A stub that waits for a request, and not for ever for the next one."""
    monkeypatch.setattr("grice.wire.stub.IDLE", 0.5)
    with StubServer() as server:
        yield server


@pytest.mark.parametrize("sent", [b"", b"POST", HEAD, HEAD + b"x-api-key: "])
def test_a_connection_without_a_whole_header_is_closed(impatient, sent):
    async def talk():
        async with connected(impatient) as (reader, writer):
            writer.write(sent)
            return await reader.read()

    assert run(talk()) == b""
    run(until(lambda: not impatient._server.connections))


def test_a_header_that_comes_drop_by_drop_is_given_no_more_time(impatient):
    async def talk():
        async with connected(impatient) as (reader, writer):
            writer.write(HEAD)
            ended = asyncio.create_task(reader.read())
            while not ended.done():
                writer.write(b"x: y\r\n")
                await asyncio.sleep(0.01)
            return ended.result()

    with suppress(ConnectionError):
        assert run(talk()) == b""
    run(until(lambda: not impatient._server.connections))


@pytest.mark.slow
def test_a_connection_is_closed_when_no_second_request_or_half_of_one_comes(patient):
    model = ScriptedModel("one", "two")

    async def talk(more):
        async with connected(patient) as (reader, writer):
            writer.write(request(path_of(patient, model), key=patient.key) + more)
            first = text_of((await response(reader))[2])
            return first, await reader.read()

    assert run(talk(b"")) == ("one", b"")
    assert run(talk(HEAD)) == ("two", b"")


@pytest.mark.parametrize(("key", "status"), [("right", 408), ("wrong", 401)])
def test_half_a_body_is_answered_and_the_connection_closed(monkeypatch, key, status):
    monkeypatch.setattr("grice.wire.stub.LINGERING", 0.1)
    monkeypatch.setattr("grice.wire.stub_requests.READ_TIMEOUT", 0.1)
    model = ScriptedModel("Hello!")

    async def talk(stub):
        given = {"right": stub.key, "wrong": "wrong"}[key]
        async with connected(stub) as (reader, writer):
            writer.write(request(path_of(stub, model), key=given, headers={"Content-Length": "999"}))
            return (await response(reader))[0], await reader.read()

    with StubServer() as stub:
        assert run(talk(stub)) == (status, b"")


@pytest.mark.slow
@pytest.mark.parametrize("sdk", [anthropic.Anthropic, openai.OpenAI])
def test_a_client_that_keeps_connections_does_not_notice_that_an_idle_one_is_closed(patient, sdk):
    model = ScriptedModel("one", "two")
    address = patient.address_of(model)
    plain = anthropic.DefaultHttpxClient(verify=False)
    with plain as sends:
        if sdk is openai.OpenAI:
            client = sdk(base_url=f"{address}/v1", api_key=patient.key, max_retries=0, http_client=sends)
            ask_it = partial(client.responses.create, model="m", input="hi")
        else:
            client = sdk(base_url=address, api_key=patient.key, max_retries=0, http_client=sends)
            ask_it = partial(client.messages.create, **MESSAGES)
        ask_it()
        run(until(lambda: not patient._server.connections))
        ask_it()
    assert model.unused == 0
    assert model.problems == []


def unread(stub):
    """A connection whose answers are never read, with small buffers."""
    silent = socket.socket()
    silent.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
    silent.connect(("127.0.0.1", stub.port))
    return silent


# -- many at once


@pytest.mark.slow
@pytest.mark.parametrize("shared", [False, True])
def test_five_hundred_streams_at_once_all_complete(stub, shared):
    count = 500
    one = ScriptedModel(*["Hello you, whoever you are!"] * count)
    models = [one if shared else ScriptedModel(f"Hello {number}!") for number in range(count)]

    async def stream(model):
        async with connected(stub) as (reader, writer):
            writer.write(request(path_of(stub, model), STREAM, key=stub.key))
            return (await response(reader))[2]

    async def all_streams():
        return await asyncio.gather(*map(stream, models))

    bodies = run(all_streams(), 60)
    assert all(body.endswith(b'data: {"type":"message_stop"}\n\n') for body in bodies)
    if shared:
        ids = {body.split(b'"id":"')[1].split(b'"')[0] for body in bodies}
        assert (len(ids), one.unused, one.asked) == (count, 0, count)
    else:
        assert all(b'" %d!"' % number in body for number, body in enumerate(bodies))
        assert all([one.error for one in model.exchanges] == [None] for model in models)


def test_a_script_that_runs_out_under_many_threads_answers_each_request_once(stub):
    model = ScriptedModel(*map(str, range(20)))
    statuses = []

    def ask_five():
        statuses.extend(ask(stub, request(path_of(stub, model), key=stub.key))[0] for _ in range(5))

    threads = [threading.Thread(target=ask_five) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert (statuses.count(200), statuses.count(400)) == (20, 20)
    assert (len(model.problems), model.asked) == (20, 40)


def test_a_function_that_takes_its_time_keeps_nobody_waiting(stub):
    begun, waiting = threading.Event(), threading.Event()

    def slow(exchange):
        begun.set()
        waiting.wait(60)
        return "Slow."

    slow_model, quick = ScriptedModel(otherwise=slow), ScriptedModel("Quick.")

    async def talk():
        async with connected(stub) as (late, writer), connected(stub) as (reader, other):
            writer.write(request(path_of(stub, slow_model), key=stub.key))
            await until(begun.is_set)
            other.write(request(path_of(stub, quick), key=stub.key))
            first = text_of((await response(reader))[2])
            waiting.set()
            return first, text_of((await response(late))[2])

    assert run(talk()) == ("Quick.", "Slow.")


def test_a_function_that_fails_is_a_problem_and_an_answer(stub):
    model = ScriptedModel(otherwise=lambda exchange: 1 / 0)
    status, _, body = ask(stub, request(path_of(stub, model), key=stub.key))
    assert (status, body["error"]["message"]) == (400, "ZeroDivisionError: division by zero")
    assert "the script's `otherwise` raised ZeroDivisionError" in str(model.problems[0])


def test_a_scripted_reply_that_cannot_be_streamed_is_a_problem(stub):
    model = ScriptedModel({"choices": [{"message": {"content": 5}}]})
    path = path_of(stub, model, "/v1/chat/completions")
    status, _, body = ask(stub, request(path, STREAM, key=stub.key))
    assert (status, body["error"]["type"]) == (500, "server_error")
    assert "the stub cannot send the scripted reply" in str(model.problems[0])


# -- the life of the server


def test_it_listens_on_the_loopback_address_only(stub):
    model = ScriptedModel("hello")
    port = free_port()
    stub.seat(port, model)
    try:
        listening = {held.getsockname() for _, held in stub._sites.values()}
    finally:
        stub.unseat(port)
    assert listening == {("127.0.0.1", stub.port), ("127.0.0.1", port)}


@pytest.mark.slow
def test_the_stub_stops_although_a_model_does_not_answer():
    model = ScriptedModel(Fault.timeout())
    answered = []

    def wait():
        try:
            answered.append(ask(stub, request(path_of(stub, model), key=stub.key)))
        except (OSError, EOFError) as error:
            answered.append(error)

    with StubServer() as stub:
        thread = threading.Thread(target=wait)
        thread.start()
        run(until(lambda: model.exchanges))
        stub.stop()
        thread.join(60)
    assert isinstance(answered[0], OSError | EOFError)
    assert not stub._thread.is_alive()


def test_a_stopped_stub_answers_no_more_and_stops_twice():
    stub = StubServer().start()
    stub.stop()
    stub.stop()
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", stub.port), timeout=5)


def test_a_second_stub_can_take_the_port_of_a_stopped_one():
    with StubServer() as first:
        port = first.port
        with pytest.raises(OSError, match="ddress already in use"):
            StubServer(port=port).start()
    model = ScriptedModel("Hello!")
    with StubServer(port=port, root=model) as second:
        assert ask(second, request("/v1/messages", key=second.key))[0] == 200


def test_a_stub_can_be_started_again():
    model = ScriptedModel("one", "two")
    stub = StubServer()
    for text in ("one", "two"):
        with stub:
            assert ask(stub, request(path_of(stub, model), key=stub.key))[2]["content"][0]["text"] == text


def test_the_shared_stub_starts_anew_after_it_was_closed():
    model = ScriptedModel("one", "two")
    first = model.url
    close_stub()
    second = model.url
    assert (first != second, shared_stub().url in second) == (True, True)
    assert ask(shared_stub(), request(path_of(shared_stub(), model), key=model.key))[0] == 200
    close_stub()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_process_has_a_stub_of_its_own():
    parent = ScriptedModel("parent", "parent again")
    url = parent.url
    assert ask(shared_stub(), request(path_of(shared_stub(), parent), key=parent.key))[0] == 200
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        signal.alarm(20)
        try:
            model = ScriptedModel("child")
            own = shared_stub()
            status, _, body = ask(own, request(path_of(own, model), key=model.key))
            said = f"{own.url} {status} {body['content'][0]['text']}"
            close_stub()
        except BaseException as error:
            said = repr(error)
        os.write(writing, said.encode())
        os._exit(0)
    os.waitpid(child, 0)
    said = os.read(reading, 10_000).decode()
    os.close(reading)
    os.close(writing)
    address, status, text = said.split()
    assert (status, text) == ("200", "child")
    assert address not in url
    body = ask(shared_stub(), request(path_of(shared_stub(), parent), key=parent.key))[2]
    assert body["content"][0]["text"] == "parent again"
    close_stub()


def _ask_parent(address, key):
    import urllib.request

    asked = urllib.request.Request(
        f"{address}/v1/responses", b'{"input": "hi"}', {"Authorization": f"Bearer {key}"}
    )
    with urllib.request.urlopen(asked, timeout=20) as answer:
        return answer.status


@pytest.mark.slow
def test_another_process_can_ask_the_model_of_this_one(stub):
    model = ScriptedModel("Hello!")
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.apply(_ask_parent, (stub.address_of(model), stub.key)) == 200
        pool.close()
        pool.join()
    assert model.exchanges[0].dialect == "openai_responses"
