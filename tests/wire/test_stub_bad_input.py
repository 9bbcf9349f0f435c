"""Requests to the stub that no model would take: each is refused in words, and none stops the server."""

import gzip
import json
import re

import pytest

from grice.wire import ScriptedModel
from grice.wire.stub import StubServer
from raw_http import MESSAGES, ask, request

LIMIT = 50_000


@pytest.fixture(scope="module")
def stub():
    with StubServer(max_body=LIMIT) as server:
        yield server


@pytest.fixture
def model(stub):
    """A model that has one reply left, whatever was asked before."""
    made = ScriptedModel("Hello!")
    yield made
    status, _, body = ask(stub, request(path_of(stub, made), key=stub.key))
    assert (status, body["content"][0]["text"]) == (200, "Hello!")


def path_of(stub, model, route="/v1/messages"):
    return stub.address_of(model).removeprefix(stub.url) + route


DEEP = 100_000
BODIES = {
    "nothing": (b"", "is not JSON"),
    "no JSON": (b"hello", "is not JSON"),
    "half of JSON": (b'{"messages": [', "is not JSON"),
    "two of JSON": (b"{} {}", "is not JSON"),
    "NaN": (b'{"temperature": NaN}', "is not JSON"),
    "half of an emoji": (rb'{"model": "\ud83d"}', "half of a surrogate pair"),  # providers refuse it too
    "the other half": (rb'{"model": "\ude00 x"}', "such as an emoji cut in two"),
    "half of an emoji in half of JSON": (rb'{"model": "\ud83d"', "is not JSON ("),
    "no UTF-8": (b'{"model": "\xff\xfe"}', "is not JSON"),
    "a byte-order mark of UTF-16": ('{"model": "m"}'.encode("utf-16"), "is not JSON"),
    "control characters": (b"\x00\x1b[31m", "is not JSON"),
    "a list": (b"[1, 2]", "is no JSON object, found list"),
    "a text": (b'"hi"', "is no JSON object, found str"),
    "null": (b"null", "is no JSON object, found NoneType"),
    "a deep list": (b"[" * (LIMIT // 2) + b"]" * (LIMIT // 2), "is not JSON"),
    "a form": (b"model=m&messages=hi", "is not JSON"),
}


@pytest.mark.parametrize(("body", "said"), BODIES.values(), ids=BODIES)
@pytest.mark.parametrize("route", ["/v1/messages", "/v1/chat/completions", "/v1/responses", "/v1/embeddings"])
def test_a_body_that_is_no_object_is_refused(route, body, said, stub, model):
    status, headers, answer = ask(stub, request(path_of(stub, model, route), body, key=stub.key))
    assert (status, headers["x-should-retry"]) == (400, "false")
    assert said in answer["error"]["message"]
    assert "\x1b" not in answer["error"]["message"]
    (problem,) = model.problems
    assert str(problem).startswith(f"the agent sent its model a bad request: POST {route}: the request ")
    assert model.exchanges == []


@pytest.mark.parametrize(
    "content_type",
    ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "", "\x01"],
)
def test_the_content_type_does_not_matter(content_type, stub):
    model = ScriptedModel("Hello!")
    headers = {"Content-Type": content_type} if content_type != "\x01" else {}
    assert ask(stub, request(path_of(stub, model), key=stub.key, headers=headers))[0] == 200


def test_deep_arguments_are_cut_in_the_record(stub, model):
    body = b'{"messages": [], "deep": %b}' % (b"[" * 900 + b"]" * 900)
    status, _, _ = ask(stub, request(path_of(stub, model), body, key=stub.key))
    assert status == 200
    assert "...too deep" in json.dumps(model.exchanges[0].request)
    model.script("Hello!")


@pytest.mark.parametrize("how", ["length", "chunks", "gzip"])
def test_a_body_over_the_limit_is_refused(how, stub, model):
    body = json.dumps(MESSAGES | {"padding": "x" * LIMIT}).encode()
    headers = {}
    if how == "chunks":
        body = (
            b"".join(b"%x\r\n%b\r\n" % (len(part), part) for part in re.findall(b"(?s).{1,8000}", body))
            + b"0\r\n\r\n"
        )
        headers = {"Content-Length": None, "Transfer-Encoding": "chunked"}
    elif how == "gzip":
        body = gzip.compress(body)
        headers = {"Content-Encoding": "gzip"}
    status, _, answer = ask(stub, request(path_of(stub, model), body, key=stub.key, headers=headers))
    assert (status, answer["error"]["type"]) == (413, "request_too_large")
    assert f"more than {LIMIT} bytes" in str(model.problems[0])


def test_a_body_that_is_not_packed_as_it_says_is_refused(stub, model):
    raw = request(path_of(stub, model), b"not gzip", key=stub.key, headers={"Content-Encoding": "gzip"})
    assert ask(stub, raw)[0] == 400


@pytest.mark.parametrize(
    ("method", "route"),
    [
        ("GET", "/v1/messages"),
        ("PUT", "/v1/messages"),
        ("DELETE", "/v1/models/x"),
        ("OPTIONS", "/v1/chat/completions"),
        ("POST", "/v1/models"),
        ("POST", "/v1/assistants"),
        ("POST", "/"),
        ("POST", ""),
        ("GET", "/favicon.ico"),
        ("POST", "/v1/../../etc/passwd"),
        ("POST", "/v1/%2e%2e/%00"),
        ("POST", "/v1/messages/batches"),
        ("POST", "/x" * 500),
    ],
)
def test_an_unknown_route_is_refused_with_those_there_are(method, route, stub, model):
    status, _, answer = ask(stub, request(path_of(stub, model, route), key=stub.key, method=method))
    assert status == 404
    message = answer["error"]["message"]
    assert "POST /v1/chat/completions" in message
    assert len(message) < 700
    assert len(model.problems) == (1 if method == "POST" else 0)


@pytest.mark.parametrize(
    "route", ["/v1/messages/", "/messages", "/v1/messages?beta=true", "/v1/messages#top"]
)
def test_a_route_may_be_written_in_several_ways(route, stub):
    model = ScriptedModel("Hello!")
    assert ask(stub, request(path_of(stub, model, route), key=stub.key))[0] == 200


@pytest.mark.parametrize(
    "id_", ["unknown", "x" * 128, "x" * 200, "..", "%2e%2e", "a b", "a/c/b", "%E2%82%AC", ""]
)
def test_an_unknown_conversation_is_refused(id_, stub):
    path = f"/c/{id_}/v1/messages".replace(" ", "%20")
    assert ask(stub, request(path, key=stub.key))[0] == 404


@pytest.mark.parametrize(
    ("headers", "said"),
    [
        ({"x-api-key": "sk-other"}, "wrong API key"),
        ({"x-api-key": "k\u00e9y"}, "wrong API key"),
        ({"x-api-key": "\udcff\udcfe"}, "wrong API key"),
        ({"x-api-key": "x" * 5_000}, "wrong API key"),
        ({"x-api-key": None}, "no API key"),
        ({"x-api-key": ""}, "no API key"),
        ({"x-api-key": None, "Authorization": "Bearer"}, "no API key"),
        ({"x-api-key": None, "Authorization": "Bearer "}, "no API key"),
        ({"x-api-key": None, "Authorization": "Basic dXNlcjpwYXNz"}, "wrong API key"),
    ],
)
def test_a_wrong_key_is_refused_and_never_shown(headers, said, stub, model):
    status, _, answer = ask(stub, request(path_of(stub, model), key=stub.key, headers=headers))
    assert status == 401
    assert said in answer["error"]["message"]
    (problem,) = model.problems
    for key in filter(None, headers.values()):
        assert key.split()[-1] == "Bearer" or key.split()[-1] not in str(problem)


def test_a_stranger_learns_nothing_without_the_key(stub):
    model = ScriptedModel("x")
    known = ask(stub, request(path_of(stub, model), key="wrong"))
    unknown = ask(stub, request("/c/unknown/v1/messages", key="wrong"))
    assert known[0] == unknown[0] == 401
    assert known[2] == unknown[2]


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "127.0.0.1.evil.example",
        "127.0.0.1:80:80",
        "localhost.",
        "127.0.0.2",
        "[::2]",
        "",
        "127.0.0.1 x",
        None,
    ],
)
def test_a_forged_host_is_refused(host, stub):
    model = ScriptedModel("x")
    status, _, _ = ask(stub, request(path_of(stub, model), key="wrong", headers={"Host": host}))
    assert status in (400, 403)
    assert (model.asked, model.problems) == (0, [])
    status, _, answer = ask(stub, request(path_of(stub, model), key=stub.key, headers={"Host": host}))
    assert (status in (400, 403), model.asked) == (True, 0)
    if status == 403:  # with the right key it is the agent that asks, and it must not be able to hide it
        assert "is no name of this machine: use 127.0.0.1 or localhost" in answer["error"]["message"]
        assert "is no name of this machine" in str(model.problems[0])


@pytest.mark.parametrize(
    "host", ["localhost", "LOCALHOST:1", "127.0.0.1:65535", "[::1]:8000", "host.docker.internal:8799"]
)
def test_this_machine_has_several_names(host, stub):
    model = ScriptedModel("x")
    assert ask(stub, request(path_of(stub, model), key=stub.key, headers={"Host": host}))[0] == 200


@pytest.mark.parametrize(
    "raw",
    [
        b"hello\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"GET /\r\nno colon\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\x00" * 64 + b"\r\n\r\n",
        b"POST / HTTP/1.1\r\nContent-Length: -5\r\n\r\n",
        b"POST / HTTP/1.1\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "POST /c/\u20ac/v1/messages HTTP/1.1\r\n\r\n".encode(),
        b"POST / HTTP/1.1\r\nHost: localhost\r\nX: " + b"x" * 100_000 + b"\r\n\r\n",
        b"POST /" + b"x" * 100_000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n",
    ],
    ids=lambda raw: repr(raw[:40]),
)
def test_what_is_no_http_is_refused(raw, stub, model):
    assert ask(stub, raw)[0] == 400


@pytest.mark.parametrize(
    "origin", ["https://evil.example", "http://127.0.0.1.evil.example", "null", "file://"]
)
def test_a_web_page_cannot_ask_nor_spoil_a_conversation(origin, stub):
    model = ScriptedModel("hello")
    status, _, _ = ask(stub, request(path_of(stub, model), key="", headers={"Origin": origin}))
    assert status == 403
    assert (model.asked, model.problems) == (0, [])


def test_a_page_of_this_machine_may_ask(stub):
    model = ScriptedModel("hello")
    headers = {"Origin": "http://localhost:3000"}
    assert ask(stub, request(path_of(stub, model), key=stub.key, headers=headers))[0] == 200


def test_a_request_without_key_makes_no_conversation():
    made = []

    def new_model(name):
        made.append(name)
        return ScriptedModel("hello")

    with StubServer(new_model=new_model) as stub:
        assert ask(stub, request("/c/x/v1/messages", key="wrong"))[0] == 401
        assert made == []
        assert ask(stub, request("/c/x/v1/messages", key=stub.key))[0] == 200
        assert made == ["x"]
