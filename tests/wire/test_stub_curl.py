"""The stub as any program sees it: `curl`, no SDK."""

import json
import shutil
import subprocess

import pytest

from grice.wire import Fault, ScriptedModel, tool_use

pytestmark = [
    pytest.mark.slow,  # each request is a process
    pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed"),
]

CHAT = {"model": "m", "messages": [{"role": "user", "content": "hi"}]}
REQUESTS = {
    "/v1/chat/completions": CHAT,
    "/v1/responses": {"model": "m", "input": "hi"},
    "/v1/messages": CHAT | {"max_tokens": 9},
}


@pytest.fixture
def curl(stub):
    """Runs curl with the key of the stub; `(status, headers, body)` of the last response."""

    def run(url, body=None, *options, key=stub.key, stdin=None):
        command = ["curl", "-sS", "--max-time", "20", "--noproxy", "*", "-D", "/dev/stderr", *options]
        if key:
            command += ["-H", f"Authorization: Bearer {key}"]
        if body is not None:
            command += ["-H", "Content-Type: application/json", "-d", json.dumps(body)]
        done = subprocess.run([*command, url], input=stdin, capture_output=True, timeout=30, text=True)
        head = done.stderr.strip().split("\n\n")[-1].splitlines() or [f"curl ended with {done.returncode}"]
        headers = dict(line.lower().split(": ", 1) for line in head[1:] if ": " in line)
        return int(head[0].split()[1]), headers, done.stdout

    return run


@pytest.mark.parametrize("route", REQUESTS)
def test_every_route_answers(route, curl, stub):
    model = ScriptedModel(["Hello!", tool_use("book")])
    status, headers, body = curl(stub.address_of(model) + route, REQUESTS[route])
    assert (status, headers["content-type"]) == (200, "application/json")
    assert "Hello!" in body
    assert json.loads(body) == model.exchanges[0].reply
    assert model.exchanges[0].request == REQUESTS[route]


@pytest.mark.parametrize("route", REQUESTS)
def test_every_route_streams(route, curl, stub):
    model = ScriptedModel("Hello you!")
    address = stub.address_of(model) + route
    status, headers, body = curl(address, REQUESTS[route] | {"stream": True}, "-N")
    assert (status, headers["content-type"].split(";")[0]) == (200, "text/event-stream")
    events = [event.splitlines() for event in body.split("\n\n") if event]
    data = [event[-1].removeprefix("data: ") for event in events]
    if route == "/v1/chat/completions":
        assert all(len(event) == 1 for event in events)
        assert data.pop() == "[DONE]"
        assert json.loads(data[1])["choices"][0]["delta"] == {"content": "Hello"}
    else:
        assert [event[0].removeprefix("event: ") for event in events] == [
            json.loads(one)["type"] for one in data
        ]


def test_the_keys_of_all_providers_are_understood(curl, stub):
    model = ScriptedModel("a", "b", "c")
    address = f"{stub.address_of(model)}/v1/messages"
    for header in (f"x-api-key: {stub.key}", f"api-key: {stub.key}", f"Authorization: bearer {stub.key}"):
        assert curl(address, CHAT, "-H", header, key="")[0] == 200


@pytest.mark.parametrize(("key", "said"), [("", "has no API key"), ("wrong", "has the wrong API key")])
def test_without_the_key_there_is_no_answer(key, said, curl, stub):
    model = ScriptedModel("x")
    status, headers, body = curl(f"{stub.address_of(model)}/v1/chat/completions", CHAT, key=key)
    assert (status, headers["x-should-retry"]) == (401, "false")
    assert said in json.loads(body)["error"]["message"]
    assert (model.asked, len(model.problems)) == (0, 1)


def test_an_unknown_route_is_answered_with_those_there_are(curl, stub):
    model = ScriptedModel("x")
    status, _, body = curl(f"{stub.address_of(model)}/v1/chat/completion", CHAT)
    message = json.loads(body)["error"]["message"]
    assert status == 404
    assert "no route POST /v1/chat/completion" in message
    assert "did you mean 'POST /v1/chat/completions'?" in message
    assert "POST /v1/messages/count_tokens" in message
    assert len(model.problems) == 1


def test_the_root_names_the_routes(curl, stub):
    status, _, body = curl(stub.url, key="")
    assert status == 200
    assert "POST /v1/responses" in json.loads(body)["routes"]


@pytest.mark.parametrize(
    "host", ["example.com", "127.0.0.1.example.com", "example.com:80", "", "localhost:80:80"]
)
def test_a_forged_host_is_refused(host, curl, stub):
    model = ScriptedModel("x")
    status, _, body = curl(
        f"{stub.address_of(model)}/v1/messages", CHAT, "-H", f"Host: {host}" if host else "Host;"
    )
    assert (status, json.loads(body)["error"]["type"]) == (403, "permission_error")
    assert model.asked == 0


def test_localhost_is_no_forged_host(curl, stub):
    model = ScriptedModel("x")
    assert curl(f"{stub.address_of(model)}/v1/messages".replace("127.0.0.1", "localhost"), CHAT)[0] == 200


def test_a_chunked_body_is_read(curl, stub):
    model = ScriptedModel("Hello!")
    body = json.dumps(CHAT | {"padding": "x" * 100_000})
    options = ("-H", "Transfer-Encoding: chunked", "-H", "Content-Type: application/json", "-d", "@-")
    status, _, said = curl(f"{stub.address_of(model)}/v1/messages", None, *options, stdin=body)
    assert (status, "Hello!" in said) == (200, True)
    assert len(model.exchanges[0].request["padding"]) == 100_000


def test_a_client_that_expects_100_continue_need_not_wait(curl, stub):
    model = ScriptedModel("Hello!")
    address = f"{stub.address_of(model)}/v1/messages"
    expects = ("-H", "Expect: 100-continue", "--expect100-timeout", "15", "--max-time", "10")
    status, _, said = curl(address, CHAT, *expects)
    assert (status, "Hello!" in said) == (200, True)


def test_a_client_that_expects_100_continue_hears_of_a_wrong_key_instead(curl, stub):
    model = ScriptedModel("Hello!")
    address = f"{stub.address_of(model)}/v1/messages"
    expects = ("-H", "Expect: 100-continue", "--expect100-timeout", "15", "--max-time", "10")
    assert curl(address, CHAT, *expects, key="wrong")[0] == 401


def test_a_compressed_body_is_read(curl, stub, tmp_path):
    import gzip

    model = ScriptedModel("Hello!")
    packed = tmp_path / "body.gz"
    packed.write_bytes(gzip.compress(json.dumps(CHAT).encode()))
    options = (
        "-H",
        "Content-Encoding: gzip",
        "-H",
        "Content-Type: application/json",
        "--data-binary",
        f"@{packed}",
    )
    assert curl(f"{stub.address_of(model)}/v1/messages", None, *options)[0] == 200
    assert model.exchanges[0].request == CHAT


def test_an_error_status_has_its_headers(curl, stub):
    model = ScriptedModel(Fault.rate_limit(7))
    status, headers, body = curl(f"{stub.address_of(model)}/v1/messages", CHAT)
    assert (status, headers["retry-after"]) == (429, "7")
    assert json.loads(body) == {
        "type": "error",
        "error": {"type": "rate_limit_error", "message": "rate limit reached"},
    }
