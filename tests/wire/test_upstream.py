"""A real model behind the stub, which a second stub plays: streams, errors, disconnects, keys, recordings."""

import asyncio
import json
import socket
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import anthropic
import msgspec
import openai
import pytest

from grice.wire import Fault, ScriptedModel, tool_use
from grice.wire.cassettes import Cassette, NotRecorded
from grice.wire.forwarding import Assembly, EventSplitter
from grice.wire.seen_calls import seen_calls
from grice.wire.stub import StubServer
from grice.wire.upstream import Upstream, UpstreamError

KEY = "the-key-of-the-real-model"
ENVIRON = {"OPENAI_API_KEY": KEY, "ANTHROPIC_API_KEY": KEY}
CHAT = {"model": "m", "messages": [{"role": "user", "content": "How warm is Oslo?"}]}
CLAUDE = CHAT | {"max_tokens": 9}
REPLIES = {
    "text": "It is warm there, is it not?",
    "calls": [tool_use("weather", city="Oslo"), tool_use("weather", city="Rome", days=[1, 2])],
    "text and a call": ["Let me look.", tool_use("weather", city="Tromsø")],
    "malformed arguments": {"type": "tool_use", "name": "weather", "input": '{"city": "Os'},
    "thinking": [{"type": "thinking", "thinking": "Hm, Oslo.", "signature": "sig"}, "It is warm."],
}
"""What a reply may have. A malformed call stays the text that it came as."""


@pytest.fixture(scope="module")
def provider():
    """The server of the real model."""
    with StubServer(key=KEY) as server:
        yield server


@pytest.fixture
def behind(provider):
    """Makes a model that passes on to one with this script; both are returned."""

    def make(*replies, **options):
        real = ScriptedModel(*replies, unoffered="allow")
        made = ScriptedModel()
        made.upstream = Upstream(provider.address_of(real), environ=ENVIRON, **options)
        return made, real

    return make


def streamed(client, dialect):
    """The events of one streamed request."""
    if dialect == "anthropic":
        return list(client.messages.create(**CLAUDE, stream=True))
    if dialect == "openai_responses":
        return list(client.responses.create(model="m", input="How warm is Oslo?", stream=True))
    return list(client.chat.completions.create(**CHAT, stream=True, stream_options={"include_usage": True}))


@pytest.mark.parametrize("reply", REPLIES.values(), ids=REPLIES)
@pytest.mark.parametrize("dialect", ["anthropic", "openai_chat", "openai_responses"])
def test_a_stream_arrives_event_by_event_and_is_recorded_whole(
    reply, dialect, behind, anthropic_client, openai_client
):
    model, real = behind(reply, reply)
    client = (anthropic_client if dialect == "anthropic" else openai_client)(model)
    scripted = ScriptedModel(reply)
    direct = (anthropic_client if dialect == "anthropic" else openai_client)(scripted)
    kinds = [type(one).__name__ for one in streamed(client, dialect)]
    assert kinds == [type(one).__name__ for one in streamed(direct, dialect)]
    (exchange,) = model.exchanges
    assert exchange.reply == real.exchanges[0].reply
    assert exchange.request == real.exchanges[0].request
    assert (exchange.dialect, exchange.status, exchange.error) == (dialect, 200, None)


def test_calls_and_their_results_are_seen_as_with_a_script(behind, openai_client):
    model, _ = behind(tool_use("weather", city="Oslo"), "21 degrees")
    create = openai_client(model).chat.completions.create
    call = create(**CHAT).choices[0].message.tool_calls[0]
    answered = [{"role": "assistant", "content": None, "tool_calls": [call.model_dump(exclude_unset=True)]}]
    answered.append({"role": "tool", "tool_call_id": call.id, "content": '{"degrees": 21}'})
    assert create(model="m", messages=CHAT["messages"] + answered).choices[0].message.content == "21 degrees"
    (seen,) = seen_calls(model.exchanges)
    assert (seen.name, seen.arguments, seen.result) == ("weather", {"city": "Oslo"}, {"degrees": 21})


@pytest.mark.parametrize(
    ("fault", "status", "said"),
    [
        (Fault.rate_limit(0.5), 429, "the real model answered 429: rate limit reached"),
        (Fault.error(500), 500, "the real model answered 500: internal server error"),
        (Fault.error(529, "overloaded"), 529, "the real model answered 529: overloaded"),
        (Fault.malformed(), 200, "the real model's reply is no JSON object"),
    ],
    ids=["429", "500", "529", "malformed"],
)
def test_an_error_reaches_the_client_as_it_is(fault, status, said, behind, openai_client):
    model, _ = behind(fault)
    with pytest.raises((openai.APIStatusError, json.JSONDecodeError)) as refused:
        openai_client(model).chat.completions.create(**CHAT)
    (exchange,) = model.exchanges
    assert (exchange.status, exchange.error, exchange.reply) == (status, said, None)
    if status == 429:
        assert refused.value.response.headers["retry-after"] == "0.5"
    assert model.problems == []  # what a model does is the agent's to handle


@pytest.mark.parametrize("fault", [Fault.half_stream("One two three four five six"), Fault.reset()])
def test_a_reply_that_breaks_off_breaks_off_for_the_client_too(fault, behind, openai_client):
    model, _ = behind(fault)
    with pytest.raises(openai.APIError):
        streamed(openai_client(model), "openai_chat")
    (exchange,) = model.exchanges
    assert exchange.reply is None
    assert "broke off" in exchange.error or "reset" in exchange.error


def test_a_real_model_that_does_not_answer_in_time_is_a_gateway_timeout(behind, openai_client, monkeypatch):
    monkeypatch.setattr("grice.wire.upstream.READ_TIMEOUT", 0.05)
    model, _ = behind(Fault.timeout())
    with pytest.raises(openai.InternalServerError):
        openai_client(model).chat.completions.create(**CHAT)
    assert model.exchanges[0].status == 504
    assert "did not answer in time" in model.exchanges[0].error


def test_nobody_at_the_address_is_the_fault_of_the_set_up(openai_client):
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))  # and not listening
        model = ScriptedModel()
        model.upstream = Upstream(f"http://127.0.0.1:{unused.getsockname()[1]}", environ={})
        with pytest.raises(openai.InternalServerError):
            openai_client(model).chat.completions.create(**CHAT)
        with pytest.raises(UpstreamError, match="Connection refused"):
            model.openai_client.chat.completions.create(**CHAT)
    assert [str(one).partition(":")[0] for one in model.problems] == ["the real model cannot be asked"] * 2


@pytest.mark.parametrize(
    ("environ", "said"),
    [
        ({}, "wants a key, and there is none in OPENAI_API_KEY"),
        ({"OPENAI_API_KEY": "a-wrong-one"}, "refused the key in OPENAI_API_KEY"),
    ],
)
def test_a_refused_key_is_named_by_its_variable_alone(environ, said, provider, openai_client):
    model = ScriptedModel()
    model.upstream = Upstream(provider.url, environ=environ)
    with pytest.raises(openai.AuthenticationError):
        openai_client(model).chat.completions.create(**CHAT)
    assert said in str(model.problems[0])


def test_a_named_variable_that_is_not_set_is_told_when_the_model_is_asked(provider, openai_client):
    model = ScriptedModel()
    model.upstream = Upstream(provider.url, "SHOP_KEY", environ=ENVIRON)
    with pytest.raises(openai.AuthenticationError):
        openai_client(model).chat.completions.create(**CHAT)
    assert "the environment variable SHOP_KEY is not set" in str(model.problems[0])


def test_each_of_many_requests_at_once_gets_its_own_reply(provider, openai_client):
    real = ScriptedModel(otherwise=lambda exchange: f"You said {exchange.messages[-1]['content']}")
    model = ScriptedModel()
    model.upstream = Upstream(provider.address_of(real), environ=ENVIRON)
    create = openai_client(model).chat.completions.create

    def ask(number):
        asked = {"role": "user", "content": str(number)}
        chunks = create(model="m", messages=[asked], stream=True)
        return "".join(chunk.choices[0].delta.content or "" for chunk in chunks)

    with ThreadPoolExecutor(20) as pool:
        assert list(pool.map(ask, range(60))) == [f"You said {number}" for number in range(60)]
    for exchange in model.exchanges:
        assert exchange.reply["choices"][0]["message"]["content"].endswith(exchange.messages[-1]["content"])


def test_embeddings_are_those_of_the_real_model(behind, openai_client):
    model, real = behind()
    openai_client(model).embeddings.create(model="e", input=["Oslo"], encoding_format="float")
    assert [one.dialect for one in model.exchanges] == ["openai_embeddings"]
    assert model.exchanges[0].reply == real.exchanges[0].reply


def test_what_is_scripted_is_not_passed_on(behind, openai_client):
    model, real = behind("Real.")
    model.script("Scripted.")
    assert openai_client(model).chat.completions.create(**CHAT).choices[0].message.content == "Scripted."
    with pytest.raises(openai.BadRequestError, match="has no scripted reply"):
        openai_client(model).chat.completions.create(**CHAT)
    assert real.exchanges == []


def test_clients_in_this_process_have_the_real_model_too(behind):
    model, real = behind(["Let me look.", tool_use("weather", city="Oslo")], "Warm.", Fault.rate_limit(1))
    events = list(model.client.messages.create(**CLAUDE, stream=True))
    assert events[-1].type == "message_stop"
    assert model.exchanges[0].reply == real.exchanges[0].reply
    assert "stream" not in real.exchanges[0].request
    reply = asyncio.run(model.async_openai_client.chat.completions.create(**CHAT))
    assert reply.choices[0].message.content == "Warm."
    with pytest.raises(UpstreamError, match="answered 429") as refused:
        model.client.messages.create(**CLAUDE)
    assert refused.value.status == 429


# -- recorded once, replayed offline


@pytest.mark.parametrize("stream", [False, True])
def test_what_is_recorded_once_is_replayed_with_nobody_asked(
    stream, behind, tmp_path, anthropic_client, openai_client
):
    def ask(model):
        create = openai_client(model).chat.completions.create
        said = [create(**CHAT, stream=stream), create(**CHAT, stream=stream)]  # equal ones, in their order
        said += [anthropic_client(model).messages.create(**CLAUDE, stream=stream)]
        said += [model.openai_client.responses.create(model="m", input="hi", stream=stream)]
        return [list(one) if stream else one for one in said]

    path = tmp_path / "model.jsonl"
    with Cassette.open(path, "once") as cassette:
        model, real = behind("One.", tool_use("weather", city="Oslo"), "Three.", "Four.", cassette=cassette)
        first = ask(model)
    assert len(real.exchanges) == 4
    assert KEY not in path.read_text()
    with Cassette.open(path, "none") as cassette:
        again = ScriptedModel()
        again.upstream = Upstream("http://127.0.0.1:9", "NOT_SET", cassette=cassette, environ={})
        second = ask(again)
        assert cassette.findings() == ()
    assert [one.reply for one in again.exchanges] == [one.reply for one in model.exchanges]
    if not stream:
        assert second == first
    assert again.problems == []


def test_what_is_not_recorded_is_an_error_that_the_agent_cannot_hide(behind, tmp_path, openai_client):
    path = tmp_path / "model.jsonl"
    with Cassette.open(path, "once") as cassette:
        model, _ = behind("One.", cassette=cassette)
        openai_client(model).chat.completions.create(**CHAT)
    with Cassette.open(path, "none") as cassette:
        model, real = behind("Live.", cassette=cassette)
        with pytest.raises(openai.BadRequestError, match="is not recorded"):
            openai_client(model).chat.completions.create(**CHAT, temperature=0)
    assert isinstance(model.problems[0], NotRecorded)
    assert real.exchanges == []


def test_a_cassette_from_before_asks_nothing_live(behind, tmp_path, openai_client):
    path = tmp_path / "judge.jsonl"
    with Cassette.open(path, "once", kinds=["judge"]) as cassette:
        cassette.begin("judge", {"messages": []}).record({"text": "yes"})
    with Cassette.open(path, "none", kinds=["judge", "model"]) as cassette:
        model, real = behind("Live.", cassette=cassette)
        with pytest.raises(openai.BadRequestError, match="no calls of the agent's model"):
            openai_client(model).chat.completions.create(**CHAT)
    assert real.exchanges == []


def test_an_error_is_not_recorded(behind, tmp_path, openai_client):
    with Cassette.open(tmp_path / "model.jsonl", "once") as cassette:
        model, _ = behind(Fault.rate_limit(0), "Here.", cassette=cassette)
        with pytest.raises(openai.RateLimitError):
            openai_client(model).chat.completions.create(**CHAT)
        openai_client(model).chat.completions.create(**CHAT)
        recorded = cassette.finish()
    assert recorded.added == 1


# -- a server by hand


@contextmanager
def server_that_answers(answer):
    """A server that answers with what the function makes of a request; gives its address and the requests."""
    asked = []

    def serve(listening):
        while True:
            try:
                connection, _ = listening.accept()
            except OSError:
                return
            with connection:
                raw = connection.recv(65_536)
                while b"\r\n\r\n" not in raw:
                    raw += connection.recv(65_536)
                asked.append(raw)
                connection.sendall(answer(raw))

    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=serve, args=(listening,), daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}", asked
        listening.shutdown(socket.SHUT_RDWR)
    thread.join()


def http(status, body, *headers):
    head = [f"HTTP/1.1 {status} X", f"Content-Length: {len(body)}", "Connection: close", *headers]
    return "\r\n".join([*head, "", ""]).encode() + body


def sent_headers(raw):
    head = raw.partition(b"\r\n\r\n")[0].decode().split("\r\n")[1:]
    return {name.lower(): value for name, _, value in (line.partition(": ") for line in head)}


def test_the_clients_key_stays_here_and_the_real_one_is_sent(stub, anthropic_client):
    with server_that_answers(lambda _: http(500, b"{}")) as (url, asked):
        model = ScriptedModel()
        model.upstream = Upstream(url, environ=ENVIRON)
        client = anthropic_client(model, default_headers={"anthropic-beta": "tools", "Cookie": "session=1"})
        with pytest.raises(anthropic.InternalServerError):
            client.messages.create(**CLAUDE)
    headers = sent_headers(asked[0])
    assert headers["x-api-key"] == KEY
    assert headers["anthropic-beta"] == "tools"
    assert "cookie" not in headers
    assert stub.key.encode() not in asked[0]


@pytest.mark.parametrize("status", [200, 401])
@pytest.mark.parametrize("kind", ["application/json", "text/event-stream"])
def test_a_server_that_repeats_the_key_tells_it_to_nobody(status, kind, tmp_path, openai_client):
    echoed = json.dumps({"error": {"message": f"bad key {KEY}"}, "output": [], "id": KEY}).encode()
    body = b"data: " + echoed + b"\n\n" if kind == "text/event-stream" else echoed
    with (
        server_that_answers(lambda _: http(status, body, f"Content-Type: {kind}")) as (url, _),
        Cassette.open(tmp_path / "model.jsonl", "once") as cassette,
    ):
        model = ScriptedModel()
        model.upstream = Upstream(url, environ=ENVIRON, cassette=cassette)
        try:
            told = openai_client(model).with_raw_response.responses.create(model="m", input="hi").text
        except openai.APIStatusError as error:
            told = error.response.text
    recorded = "".join(one.read_text() for one in tmp_path.iterdir())
    record = msgspec.json.encode(model.exchanges).decode()
    assert KEY not in f"{told}{record}{recorded}{model.problems}"
    assert "[redacted: OPENAI_API_KEY]" in told


def test_a_redirect_is_not_followed(openai_client):
    moved = http(307, b"", "Location: http://127.0.0.1:9/elsewhere")
    with server_that_answers(lambda _: moved) as (url, asked):
        model = ScriptedModel()
        model.upstream = Upstream(url, environ=ENVIRON)
        with pytest.raises(openai.InternalServerError, match="redirects"):
            openai_client(model).chat.completions.create(**CHAT)
    assert len(asked) == 1
    assert "redirects" in str(model.problems[0])


@pytest.mark.parametrize(
    ("address", "path"),
    [
        ("", "/v1/chat/completions"),
        ("/v1/", "/v1/chat/completions"),
        ("/openai/v1", "/openai/v1/chat/completions"),
        ("/v1beta/openai", "/v1beta/openai/chat/completions"),
        ("/proxy", "/proxy/v1/chat/completions"),
    ],
)
def test_an_address_has_its_version_or_gets_one(address, path, openai_client):
    with server_that_answers(lambda _: http(500, b"{}")) as (url, asked):
        model = ScriptedModel()
        model.upstream = Upstream(url + address, environ=ENVIRON)
        with pytest.raises(openai.InternalServerError):
            openai_client(model).chat.completions.create(**CHAT)
    assert asked[0].startswith(f"POST {path} ".encode())


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("api.example.com", "expected an address"),
        ("http://user:secret@host", "no user, query or fragment"),
        ("https://host/v1?key=secret", "no user, query or fragment"),
    ],
)
def test_what_is_no_address_is_refused_without_repeating_it(address, said):
    with pytest.raises(ValueError, match=said) as refused:
        Upstream(address)
    assert "secret" not in str(refused.value)


# -- streams by hand


def assembled(dialect, *events):
    assembly, splitter = Assembly(dialect), EventSplitter()
    raw = b"".join(events)
    for place in range(0, len(raw), 7):  # in chunks that cut events anywhere
        for event in splitter.add(raw[place : place + 7]):
            assembly.add(event)
    return assembly


@pytest.mark.parametrize(
    ("dialect", "events", "wrong"),
    [
        ("openai_chat", [b'data: {"choices": [\n\n'], "an event of the stream is not JSON"),
        ("openai_chat", [b'data: {"error": {"message": "too many"}}\r\n\r\n'], "with an error: too many"),
        (
            "anthropic",
            [b'event: error\ndata: {"type": "error", "error": {"message": "overloaded"}}\n\n'],
            "with an error: overloaded",
        ),
        (
            "openai_responses",
            [b'data: {"type": "response.failed", "response": {"error": {"message": "no"}}}\n\n'],
            "with an error: no",
        ),
    ],
)
def test_what_is_wrong_in_a_stream_is_said(dialect, events, wrong):
    assert wrong in assembled(dialect, *events).wrong


@pytest.mark.parametrize(
    ("dialect", "events"),
    [
        ("openai_chat", [b'data: {"choices": [{"delta": {"content": "Hi"}}]}\n\n', b": a comment\n\n"]),
        ("openai_chat", [b"data: [DONE]\n\n"]),
        ("anthropic", [b'data: {"type": "message_start", "message": {"content": []}}\n\n']),
        ("anthropic", [b'data: {"type": "content_block_delta", "index": 0, "delta": {}}\n\n']),
        ("openai_responses", [b'data: {"type": "response.created", "response": {}}\n\n', b"data: 5\n\n"]),
    ],
)
def test_a_stream_that_ended_early_or_is_another_dialects_has_no_body(dialect, events):
    assert assembled(dialect, *events).body() is None
