"""An agent behind an HTTP endpoint, against a real server: what it is sent, what is read, how it can fail."""

import json
import os
import re
import subprocess
import sys
import threading
from http.cookies import SimpleCookie
from urllib.parse import quote, quote_plus

import pytest
from answering_server import (
    answering,
    events,
    hangs_up,
    never_answers,
    raw,
    resets,
    serving,
    status,
    streaming,
)

from grice import AgentFailed, HttpAgent, LiveConversation, ScriptedModel
from grice.agents import AgentContext, AgentLoadError, bind_agent
from grice.files.settings import load_settings
from grice.loops.background_loop import close_portal
from grice.matching.transcript import transcript
from grice.wire import http
from grice.wire.environment import Environment

SECRET = "s3cr3t-value"
HTML = b"<html><head><title>Bad gateway</title></head></html>"
EVENTS = {"text": "$.delta", "tool_calls": "$.call", "error": "$.error", "done": "[DONE]"}


@pytest.fixture(autouse=True)
def short_waits(monkeypatch):
    monkeypatch.setattr(http, "FIRST_WAIT", 0.02)


def talk_to(agent, **options):
    return LiveConversation(bind_agent(agent, AgentContext()), **options)


def reply_of(*answers, say="Hello", **options):
    with serving(*answers) as server:
        return talk_to(HttpAgent(server.url, **options)).say(say, timeout=60)


def failure_of(*answers, timeout=60, **options):
    with serving(*answers) as server:
        live = talk_to(HttpAgent(server.url, **options))
        with pytest.raises(AgentFailed) as caught:
            live.say("Hello", timeout=timeout)
        assert live.turns[0].failure == caught.value.failure
        return caught.value.failure


def failure_out_of_time(shown, *answers, **options):
    """The failure of a turn whose time was up when that much had happened, also where the machine is busy."""
    for seconds in (0.1, 1, 10):
        failure = failure_of(*answers, timeout=seconds, **options)
        if shown in failure.message:
            break
    return failure


# -- what is sent


def test_by_default_the_message_and_the_conversation_are_sent():
    with serving({"reply": "Hi"}) as server, talk_to(HttpAgent(server.url)) as live:
        live.say("Hello")
        live.say("Again")
    assert server.requests[0].body == {
        "message": "Hello",
        "messages": [{"role": "user", "content": "Hello"}],
    }
    assert server.body["messages"][1:] == [
        {"role": "assistant", "content": "Hi"},
        {"role": "user", "content": "Again"},
    ]
    assert server.requests[0].headers["content-type"] == "application/json"
    assert server.requests[0].headers["user-agent"].startswith("grice/")


def test_a_template_makes_the_body():
    request = {"q": "${user}", "session": "s-${conversation_id}", "n": "${turn}"}
    with serving({"reply": "Hi"}) as server:
        live = talk_to(HttpAgent(server.url, request=request))
        live.say("Hello")
        live.say("Again")
    first, second = (one.body for one in server.requests)
    assert (first["q"], first["n"], second["n"]) == ("Hello", 1, 2)
    assert first["session"] == second["session"] != "s-"


def test_a_function_may_make_the_body_and_read_the_answer():
    threads = set()

    def request(turn):
        threads.add(threading.current_thread())
        return {"text": turn.user.upper(), "turn": turn.turn}

    def response(body):
        return {"text": body["out"], "data": body}

    with serving({"out": "Hi"}) as server:
        reply = talk_to(HttpAgent(server.url, request=request, response=response)).say("Hello")
    assert server.body == {"text": "HELLO", "turn": 1}
    assert (reply.text, reply.data) == ("Hi", {"out": "Hi"})
    assert threads == {threading.current_thread()}


@pytest.mark.slow
def test_a_large_request_is_sent_whole_and_again_after_a_redirect_and_a_failure():
    text = "x" * 1_500_000
    answers = status(307, Location="/chat/"), status(503, Retry_After="0"), {"reply": "Hi"}
    with serving(*answers) as server:
        assert talk_to(HttpAgent(server.url, retries=1)).say(text).text == "Hi"
    assert [request.body["message"] == text for request in server.requests] == [True] * 3
    assert all(int(request.headers["content-length"]) > len(text) for request in server.requests)


def test_headers_and_address_come_from_the_environment(monkeypatch):
    with serving({"reply": "Hi"}) as server:
        monkeypatch.setenv("SHOP_TOKEN", SECRET)
        monkeypatch.setenv("SHOP_URL", f"http://127.0.0.1:{server.port}")
        agent = HttpAgent(
            "${env:SHOP_URL}/v2/${conversation_id}?k=${env:SHOP_TOKEN}",
            headers={"Authorization": "Bearer ${env:SHOP_TOKEN}", "X-Turn": "${turn}", "accept": "text/x"},
        )
        live = talk_to(agent)
        live.say("Hello")
    (request,) = server.requests
    assert request.headers["authorization"] == f"Bearer {SECRET}"
    assert request.headers["x-turn"] == "1"
    assert request.headers["accept"] == "text/x"
    assert re.fullmatch(rf"/v2/[0-9a-f]{{32}}\?k={SECRET}", request.path)
    assert live.record.metadata == {
        "agent": {"type": "http", "url": "${env:SHOP_URL}/v2/${conversation_id}?k=${env:SHOP_TOKEN}"}
    }
    assert SECRET not in repr(live.record) + repr(agent) + repr(vars(agent))


def test_a_variable_that_is_not_set_is_named(monkeypatch):
    monkeypatch.delenv("NO_SUCH_TOKEN", raising=False)
    agent = HttpAgent("http://127.0.0.1:1/", headers={"Authorization": "Bearer ${env:NO_SUCH_TOKEN}"})
    with pytest.raises(
        AgentLoadError,
        match=r"^headers.Authorization: the environment variable NO_SUCH_TOKEN is not set$",
    ):
        talk_to(agent)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("a\nb", "headers.A: a header is one line, the environment variable ODD has several"),
        ("ftp:", "url: "),
    ],
)
def test_a_variable_that_does_not_fit_is_refused_without_its_value(monkeypatch, value, message):
    monkeypatch.setenv("ODD", value)
    agent = HttpAgent(
        "${env:ODD}//x" if value == "ftp:" else "http://127.0.0.1:1", headers={"A": "${env:ODD}"}
    )
    with pytest.raises(AgentLoadError, match=f"^{message}") as caught:
        talk_to(agent)
    assert "a\nb" not in str(caught.value)


@pytest.mark.parametrize(
    ("answer", "options"),
    [
        (status(401, f"wrong token {SECRET}".encode()), {}),
        (answering(f"your token is {SECRET}".encode()), {}),
        ({"mine": SECRET, "x": 1}, {}),
        (events({"error": f"bad {SECRET}"}), {"stream": EVENTS}),
        (status(302, Location=f"/?token={SECRET}"), {}),
    ],
)
def test_secrets_are_in_no_message(monkeypatch, answer, options):
    monkeypatch.setenv("SHOP_TOKEN", SECRET)
    with serving(answer) as server:
        agent = HttpAgent(
            f"{server.url}?k=${{env:SHOP_TOKEN}}", headers={"X": "${env:SHOP_TOKEN}"}, **options
        )
        with pytest.raises(AgentFailed) as caught:
            talk_to(agent).say("Hello")
    assert SECRET not in str(caught.value) + repr(caught.value.failure)
    assert "[redacted: SHOP_TOKEN]" in str(caught.value)


ODD = 'p@ss wörd/"\\\\1+\U0001f511'
FORMS = {
    "as it is": ODD,
    "JSON": json.dumps(ODD, ensure_ascii=False)[1:-1],
    "JSON in ASCII": json.dumps(ODD)[1:-1],
    "JSON with slashes": json.dumps(ODD)[1:-1].replace("/", "\\/"),
    "JSON in JSON": json.dumps(json.dumps(ODD))[3:-3],
    "percent": quote(ODD),
    "all percent": quote(ODD, safe=""),
    "percent in lower case": re.sub("%..", lambda found: found[0].lower(), quote(ODD)),
    "percent, but few": quote(ODD, safe="@/+"),
    "plus": quote_plus(ODD),
    "repr": ascii(ODD)[1:-1],
}


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_a_secret_is_hidden_in_every_form(form):
    environment = Environment({"ODD": ODD})
    environment.value_of("env:ODD", "url")
    assert environment.hide(f"got {form}, sorry") == "got [redacted: ODD], sorry"


@pytest.mark.slow
@pytest.mark.parametrize("value", ["/secret", "\\secret", "\u00e4secret"])
def test_many_backslashes_do_not_take_long(value):
    environment = Environment({"ODD": value})
    environment.value_of("env:ODD", "url")
    text = 1_000_000 * "\\"  # tried from each of them, they would take longer than a test may
    assert environment.hide(f"{text} {json.dumps(value)} \\{quote(value, safe='')}") == (
        f'{text} "[redacted: ODD]" \\[redacted: ODD]'
    )


def test_of_two_secrets_the_longer_is_hidden_first():
    environment = Environment({"A": "secret", "B": "secret/longer", "C": "short"})
    for name in "ABC":
        environment.value_of(f"env:{name}", "url")
    assert environment.hide("secret%2Flonger secret short") == "[redacted: B] [redacted: A] short"


@pytest.mark.parametrize(
    "answer",
    [
        status(500, json.dumps({"got": ODD}).encode()),
        status(302, Location=f"https://other.example/?t={quote(ODD)}"),
        {"mine": ODD, "x": 1},
        {"mine": "x" * 446 + ODD, "x": 1},
    ],
)
def test_escaped_secrets_are_in_no_message(monkeypatch, answer):
    monkeypatch.setenv("ODD", ODD)
    with serving(answer) as server, pytest.raises(AgentFailed) as caught:
        talk_to(HttpAgent(f"{server.url}?k=${{env:ODD}}")).say("Hello")
    message = caught.value.failure.message
    assert "[reda" in message
    assert "p@ss" not in message
    assert "p%40ss" not in message


# -- what is read


@pytest.mark.parametrize(
    "body",
    [
        "Hi",
        {"reply": "Hi"},
        {"text": "Hi", "stop_reason": "end_turn"},
        {"answer": "Hi", "sources": [1]},
        {"role": "assistant", "content": "Hi"},
        {"id": "m", "type": "message", "role": "assistant", "content": [{"type": "text", "text": "Hi"}]},
        {"choices": [{"message": {"role": "assistant", "content": "Hi"}}]},
        {"message": {"role": "assistant", "content": "Hi"}, "done": True},
        answering(b"Hi", kind="text/plain; charset=utf-8"),
        answering(b'{"reply": "Hi"}', kind="text/plain"),
    ],
)
def test_answers_of_usual_shapes_are_read_without_being_told_how(body):
    reply = reply_of(json.dumps(body).encode() if isinstance(body, str) else body)
    assert (reply.text, reply.tool_calls) == ("Hi", ())


def test_pending_calls_and_data_are_read_too():
    call = {"id": "c1", "name": "update", "input": {"plugin": "a"}, "index": 0}
    reply = reply_of({"text": "", "tool_calls": [call], "data": {"ui": 1}})
    (read,) = reply.tool_calls
    assert (read.id, read.name, read.arguments, read.answered) == ("c1", "update", {"plugin": "a"}, False)
    assert reply.data == {"ui": 1}


@pytest.mark.parametrize("calls", ["$.out.calls[*]", "$.out.calls"])
def test_paths_say_where_the_answer_is(calls):
    body = {"out": {"say": ["One.", "Two."], "calls": [{"name": "f", "args": {"x": 1}}], "ui": [1, 2]}}
    paths = {"text": "$.out.say[*]", "tool_calls": calls, "data": "$.out.ui"}
    reply = reply_of(body, response=paths)
    assert (reply.text, reply.data) == ("One.\nTwo.", [1, 2])
    assert reply.tool_calls[0].arguments == {"x": 1}


@pytest.mark.parametrize("body", [{"text": None, "calls": None}, {"text": ""}, {"calls": []}])
def test_an_answer_that_says_nothing_is_an_answer(body):
    reply = reply_of(body, response={"text": "$.text", "tool_calls": "$.calls"})
    assert (reply.text, reply.tool_calls) == ("", ())


def test_nan_and_lone_surrogates_are_read():
    reply = reply_of(answering(b'{"reply": "a\\ud800", "data": [NaN]}'))
    assert (reply.text, reply.data) == ("a\ufffd", ["NaN"])


@pytest.mark.parametrize(
    ("body", "options", "message"),
    [
        (
            {"reply": {"txt": "Hi"}},
            {"response": {"text": "$.reply.text"}},
            '\'$.reply.text\' (text) found nothing in the body {"reply":{"txt":"Hi"}}',
        ),
        (
            {"a": 1},
            {"response": {"text": "$.text", "tool_calls": "$.calls[*]", "data": "$.a"}},
            "'$.text' (text) and '$.calls[*]' (tool_calls) found nothing in the body {\"a\":1}",
        ),
        ({"text": 5}, {"response": {"text": "$.text"}}, "'$.text' (text) found 5, expected a text"),
        (
            {"c": ["f"]},
            {"response": {"tool_calls": "$.c"}},
            "a tool call is an object with a name, found 'f'",
        ),
        (
            {"c": [{"tool": "f"}]},
            {"response": {"tool_calls": "$.c"}},
            "a tool call has the unknown field 'tool'",
        ),
        ({"x": 1}, {}, 'the body has no text that can be told from the rest: {"x":1}; say where it is'),
        ({"text": "a", "message": "b"}, {}, "no text that can be told from the rest"),
        ([1], {}, "no text that can be told from the rest: [1]"),
        ({"text": "a", "toolCalls": [1]}, {}, "the body has the unknown field 'toolCalls' (did you mean"),
        (b'{"text": "a"', {}, 'answered 200 with application/json that is not JSON: {"text": "a"'),
        (b"", {}, "with application/json that is not JSON: (empty body)"),
        (b"\xff\xfe\x00", {}, "that is not JSON"),
        (b"[" * 100_000, {}, "that is not JSON: [[["),
        (answering(HTML, kind="text/html"), {}, "answered 200 with text/html that is not JSON: <html><head>"),
        ({"a": "x" * 9_000}, {}, "... (9008 characters); say where"),
        ({"text": "x" * 300}, {"max_bytes": 200}, "answered more than 200 bytes (max_bytes)"),
        (streaming("x" * 150, "x" * 150), {"max_bytes": 200}, "answered more than 200 bytes (max_bytes)"),
        ({"reply": "Hi"}, {"response": lambda body: None}, "the agent returned None"),
        ({"reply": "Hi"}, {"response": lambda body: next(iter([]))}, "response raised StopIteration"),
        ({"reply": "Hi"}, {"response": lambda body: body["text"]}, "the agent raised KeyError: 'text'"),
    ],
)
def test_an_answer_that_cannot_be_read_is_shown(body, options, message):
    assert message in failure_of(body, **options).message


# -- client-side tools

CALL = {"id": "c1", "name": "update", "arguments": {"plugin": "a"}}


def test_results_of_tools_go_to_the_same_route_as_messages():
    with serving({"text": "", "tool_calls": [CALL]}, {"text": "Done."}) as server:
        reply = talk_to(HttpAgent(server.url)).say("Update", tools={"update": {"ok": True}})
    assert reply.text == "Done."
    assert [message["role"] for message in server.body["messages"]] == ["user", "assistant", "tool"]


def test_results_of_tools_may_have_a_route_of_their_own():
    route = {
        "url": "/results",
        "request": {
            "of": "${conversation_id}",
            "calls": "${tool_calls}",
            "results": {"$each": "${tool_results}", "$as": {"id": "${item.id}", "value": "${item.result}"}},
        },
        "response": {"text": "$.out"},
    }
    first = {"text": "One moment.", "tool_calls": [CALL]}
    with serving(first, {"out": "Done."}) as server:
        agent = HttpAgent(server.url, request={"q": "${user}"}, tool_results=route)
        reply = talk_to(agent).say("Update", tools={"update": {"ok": True}})
    assert reply.text == "Done."
    assert [request.path for request in server.requests] == ["/chat", "/results"]
    assert server.body["calls"] == [CALL]
    assert server.body["results"] == [{"id": "c1", "value": {"ok": True}}]


def test_the_route_of_results_is_relative_to_an_address_from_the_environment(monkeypatch):
    with serving({"text": "", "tool_calls": [CALL]}, status(500)) as server:
        monkeypatch.setenv("SHOP_URL", f"http://127.0.0.1:{server.port}")
        agent = HttpAgent("${env:SHOP_URL}/v1/chat", tool_results={"url": "results/${turn}"})
        with pytest.raises(AgentFailed, match=re.escape("POST results/${turn} answered 500")):
            talk_to(agent).say("Update", tools={"update": 1})
    assert [request.path for request in server.requests] == ["/v1/chat", "/v1/results/1"]


def test_results_that_the_request_would_lose_are_refused():
    with serving({"text": "", "tool_calls": [CALL]}) as server:
        live = talk_to(HttpAgent(server.url, request={"q": "${user}"}))
        with pytest.raises(AgentFailed, match=r"neither \$\{tool_results\} nor \$\{messages\}"):
            live.say("Update", tools={"update": 1})
    assert len(server.requests) == 1


# -- cookies and connections


@pytest.mark.slow
def test_a_conversation_keeps_its_cookies_and_shares_them_with_none():
    def sets_cookie(handler):
        sent = SimpleCookie(handler.headers.get("Cookie", ""))
        seen.append(sent["session"].value if "session" in sent else None)
        answering(b'{"reply": "Hi"}', Set_Cookie=f"session={len(seen)}")(handler)

    seen = []
    with serving(sets_cookie) as server:
        agent = HttpAgent(server.url)
        one, other = talk_to(agent), talk_to(agent)
        for live in (one, one, other, one):
            live.say("Hello")
    assert seen == [None, "1", None, "2"]


@pytest.mark.slow
def test_conversations_share_connections_which_close_with_the_loop():
    ports = set()

    def answer(handler):
        ports.add(handler.client_address[1])
        answering(b'{"reply": "Hi"}')(handler)

    with serving(answer) as server:
        agent = HttpAgent(server.url)
        for _ in range(5):
            talk_to(agent).say("Hello")
        assert len(ports) == 1
        close_portal()
        talk_to(agent).say("Hello")
        assert len(ports) == 2


def test_no_proxy_stands_between_this_computer_and_itself(monkeypatch):
    for name in ("http_proxy", "HTTP_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    monkeypatch.delenv("no_proxy", raising=False)
    monkeypatch.delenv("NO_PROXY", raising=False)
    assert reply_of({"reply": "Hi"}).text == "Hi"


def test_another_host_is_reached_through_the_proxy_of_the_environment(monkeypatch):
    with serving({"reply": "Hi"}) as proxy:
        monkeypatch.setenv("http_proxy", f"http://user:{SECRET}@127.0.0.1:{proxy.port}")
        monkeypatch.delenv("no_proxy", raising=False)
        monkeypatch.delenv("NO_PROXY", raising=False)
        assert talk_to(HttpAgent("http://example.com/chat")).say("Hello").text == "Hi"
    (request,) = proxy.requests
    assert request.path == "http://example.com/chat"
    assert request.headers["proxy-authorization"].startswith("Basic ")


@pytest.mark.slow
def test_importing_grice_and_its_agents_loads_no_aiohttp():
    code = "import sys, grice; grice.HttpAgent('http://127.0.0.1'); print('aiohttp' in sys.modules)"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout == "False\n"


@pytest.mark.slow
def test_a_process_that_ends_while_a_request_is_under_way_says_nothing():
    for seconds in (0.1, 1, 10):  # until the request is sent, also where the machine is busy
        with serving(never_answers) as server:
            code = (
                "import grice, sys\n"
                f"live = grice.LiveConversation(grice.HttpAgent({server.url!r}))\n"
                f"try: live.say('Hello', timeout={seconds})\n"
                "except grice.AgentFailed: pass\n"
            )
            command = [sys.executable, "-X", "dev", "-W", "error", "-c", code]
            done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
        if server.requests:
            break
    assert done.stderr == ""
    assert server.requests


# -- failures


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (hangs_up, "the server closed the connection without an answer"),
        (raw(b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{"), "the server's answer broke off"),
        (raw(b"hello\r\n\r\n"), "the server's answer is not HTTP"),
        (raw(b"HTTP/1.1 200 OK\r\nX: " + b"x" * 100_000), "the server's answer is not HTTP"),
        (streaming('{"reply"', broken=True), "the server's answer broke off"),
        (
            status(500, b'{"detail": "oops"}'),
            'answered 500 Internal Server Error (application/json): {"detail"',
        ),
        (status(502, HTML, kind="text/html"), "answered 502 Bad Gateway (text/html): <html><head><title>Bad"),
        (status(404), "answered 404 Not Found (application/json): {}"),
        (status(422, b"x" * 2_000_000, kind="text/plain"), "answered 422 Unprocessable "),
        (status(303, Location="/x"), "a redirect to http://127.0.0.1:"),
        (
            status(308, Location="http://example.com/x"),
            "a redirect to http://example.com/x that is not followed",
        ),
        (status(307, Location="//127.0.0.1:1/x"), "a redirect to http://127.0.0.1:1/x that is not followed"),
        (status(307, Location="/chat"), "redirects more than 3 times"),
    ],
)
def test_a_server_that_gives_no_answer_is_a_failure_that_says_why(answer, message):
    failure = failure_of(answer)
    assert (failure.kind, failure.error) == ("raised", "HttpError")
    assert message in failure.message
    assert len(failure.message) < 1_000
    assert "http://127.0.0.1:" in failure.message


@pytest.mark.skipif(os.name == "nt", reason="needs a reset by SO_LINGER")
def test_a_connection_that_is_reset():
    assert "Connection reset by peer" in failure_of(resets).message


def test_a_server_that_is_not_there():
    with serving({}) as server:
        pass
    with pytest.raises(AgentFailed, match="Connection refused"):
        talk_to(HttpAgent(server.url)).say("Hello", timeout=60)


@pytest.mark.slow
def test_a_server_that_never_answers_ends_with_the_turn():
    failure = failure_of(never_answers, timeout=0.1)
    assert failure.kind == "timeout"
    assert re.fullmatch(
        r"the agent did not answer within 0\.1 s; POST http://127\.0\.0\.1:\d+/chat was not answered",
        failure.message,
    )


@pytest.mark.slow
def test_an_error_whose_body_never_ends_is_told_all_the_same(monkeypatch):
    monkeypatch.setattr(http, "ERROR_SECONDS", 0.2)

    def answer(handler):
        handler.wfile.write(b"HTTP/1.1 500 Oops\r\nContent-Length: 99\r\n\r\nno model")
        never_answers(handler)

    assert failure_of(answer).message.endswith(
        "500 Internal Server Error (application/octet-stream): no model"
    )


def test_a_password_in_the_address_is_sent_and_not_shown():
    with serving(status(403)) as server:
        agent = HttpAgent(f"http://user:{SECRET}@127.0.0.1:{server.port}/")
        with pytest.raises(AgentFailed, match="answered 403 Forbidden") as caught:
            talk_to(agent).say("Hello")
    assert SECRET not in str(caught.value)
    assert server.requests[0].headers["authorization"].startswith("Basic ")


def test_the_address_of_the_scripted_model_may_be_part_of_it():
    model = ScriptedModel("Hi")
    agent = HttpAgent(
        "${model_url}/v1/chat/completions",
        request={"model": "m", "messages": "${messages}"},
        headers={"Authorization": "Bearer ${model_key}"},
    )
    live = LiveConversation(bind_agent(agent, AgentContext(model=model)), model=model)
    assert live.say("Hello").text == "Hi"


def test_a_redirect_within_the_server_is_followed_with_the_body():
    with serving(status(307, Location="/chat/"), {"reply": "Hi"}) as server:
        assert talk_to(HttpAgent(server.url)).say("Hello").text == "Hi"
    assert [request.path for request in server.requests] == ["/chat", "/chat/"]
    assert server.requests[0].body == server.requests[1].body


def test_a_redirect_to_another_server_is_not_followed():
    with serving({"reply": "Hi"}) as other:
        with serving(status(307, Location=f"{other.url}/chat")) as server:
            agent = HttpAgent(server.url, headers={"Authorization": "Bearer the key of the first"})
            with pytest.raises(AgentFailed, match="answered 307"):
                talk_to(agent).say("Hello")
        assert other.requests == []


def test_the_conversation_goes_on_after_a_failure():
    with serving(status(500), {"reply": "Hi"}) as server:
        live = talk_to(HttpAgent(server.url))
        with pytest.raises(AgentFailed):
            live.say("Hello")
        assert live.say("Hello?").text == "Hi"


# -- retries


def test_nothing_is_retried_unless_asked():
    with serving(status(503), {"reply": "Hi"}) as server:
        with pytest.raises(AgentFailed, match="answered 503 Service Unavailable"):
            talk_to(HttpAgent(server.url)).say("Hello")
        assert len(server.requests) == 1


@pytest.mark.slow
def test_retries_are_recorded_and_shown():
    with serving(status(503), hangs_up, status(429, Retry_After="0"), {"reply": "Hi"}) as server:
        live = talk_to(HttpAgent(server.url, retries=3))
        reply = live.say("Hello")
    assert reply.text == "Hi"
    retries = reply.turn.metadata["retries"]
    assert [one.get("status") or one["error"] for one in retries] == [
        503,
        "the server closed the connection without an answer",
        429,
    ]
    assert all(0 < one["after_seconds"] < 1 for one in retries)
    shown = re.sub(r"[\d.]+ s\b", "# s", transcript(live.turns)).split("\n")
    assert shown == [
        "  1  user       Hello",
        "     retried    503 Service Unavailable, after # s",
        "                the server closed the connection without an answer, after # s",
        "                429 Too Many Requests, after # s",
        "     assistant  Hi",
    ]


@pytest.mark.slow
def test_retries_of_every_round_of_a_turn_are_kept_and_none_of_another_turn():
    called = {"text": "", "tool_calls": [CALL]}
    with serving(status(503), called, status(500), {"text": "Done."}) as server:
        live = talk_to(HttpAgent(server.url, retries=1))
        first = live.say("Update", tools={"update": 1})
        second = live.say("Thanks")
    assert [one["status"] for one in first.turn.metadata["retries"]] == [503, 500]
    assert second.turn.metadata == {}


@pytest.mark.slow
def test_when_all_retries_fail_the_message_tells_of_them():
    failure = failure_of(status(503), status(500), retries=1)
    assert re.search(
        r"answered 500 Internal Server Error .*; retried 1 time: 503 Service Unavailable \(after [\d.]+ s\)$",
        failure.message,
    )


@pytest.mark.slow
def test_a_time_out_tells_of_retries_too():
    shown = "was not answered; retried 1 time: 503 Service Unavailable"
    failure = failure_out_of_time(shown, status(503), never_answers, retries=1)
    assert failure.kind == "timeout"
    assert shown in failure.message


@pytest.mark.parametrize("answer", [status(400), status(404), status(503, x_should_retry="false")])
def test_what_would_fail_again_is_not_retried(answer):
    with serving(answer) as server:
        with pytest.raises(AgentFailed):
            talk_to(HttpAgent(server.url, retries=3)).say("Hello")
        assert len(server.requests) == 1


@pytest.mark.slow
def test_the_server_says_how_long_to_wait():
    with serving(status(429, Retry_After="0.2"), {"reply": "Hi"}) as server:
        reply = talk_to(HttpAgent(server.url, retries=1)).say("Hello")
    assert reply.turn.metadata["retries"] == [{"status": 429, "after_seconds": 0.2}]


@pytest.mark.parametrize("wait", ["3600", "Sat, 01 Jan 2095 00:00:00 GMT"])
def test_a_wait_that_is_too_long_is_not_waited(wait):
    assert "answered 429" in failure_of(status(429, Retry_After=wait), retries=3).message


@pytest.mark.slow
def test_a_retry_after_that_cannot_be_read_is_no_wait():
    assert reply_of(status(503, Retry_After="soon"), {"reply": "Hi"}, retries=1).text == "Hi"


# -- streams


def test_deltas_make_the_text_and_calls_are_collected():
    stream = events(
        {"delta": "Hel"}, {"call": CALL}, {"other": 1}, {"delta": "lo"}, "[DONE]", {"delta": "no"}
    )
    reply = reply_of(stream, stream=EVENTS)
    assert reply.text == "Hello"
    assert [call.name for call in reply.tool_calls] == ["update"]
    assert reply.turn.metadata["first_text_seconds"] > 0


@pytest.mark.parametrize(
    ("chunks", "fields"),
    [
        (["data: Hel\n\ndata: lo\n\n"], {"text": "$"}),
        (["event: ping\ndata: x\n\n", "event: d\ndata: Hello\n\n"], {"text": "$", "event": "d"}),
        (['data: {"t": "Hel"}\n', '\ndata: {"t": "lo", "end": true}\n\n'], {"text": "$.t", "done": "$.end"}),
        (['data: {"t": "Hello"}\n\nevent: end\ndata: {}\n\n'], {"text": "$.t", "done": "end"}),
        ([b'data: {"t": "H\xc3', b'\xa9llo"}\r\n\r', b"\n"], {"text": "$.t"}),
    ],
)
def test_streams_of_several_shapes(chunks, fields):
    assert reply_of(streaming(*chunks), stream=fields).text in ("Hello", "Héllo")


@pytest.mark.parametrize(
    ("answer", "kind", "message"),
    [
        (
            events({"delta": "Hel"}),
            "bad_return",
            "the stream ended without '[DONE]'; until then it said 'Hel'",
        ),
        (events(), "bad_return", "the stream ended without '[DONE]'; it had said nothing until then"),
        (
            streaming('data: {"delta": "Hel"}\n\n', "data: [DONE]\n"),
            "bad_return",
            "the stream ended without '[DONE]', in the middle of an event; until then it said 'Hel'",
        ),
        (
            events({"delta": "Hel"}, broken=True),
            "raised",
            "the server's answer broke off; until then it said 'Hel'",
        ),
        (
            events({"delta": "Hel"}, "{oops"),
            "bad_return",
            "an event of the stream is not JSON: '{oops'; until",
        ),
        (events({"delta": 5}), "bad_return", "'$.delta' (text) found 5, expected a text"),
        (
            events({"delta": "Hel"}, {"error": {"message": "overloaded"}}),
            "bad_return",
            "the stream reports an error: {'message': 'overloaded'}; until then it said 'Hel'",
        ),
        (
            answering(HTML, kind="text/html"),
            "bad_return",
            "answered 200 with text/html, expected text/event-stream: <html>",
        ),
        ({"reply": "Hi"}, "bad_return", "answered 200 with application/json, expected text/event-stream"),
        (status(500), "raised", "answered 500 Internal Server Error"),
    ],
)
def test_half_a_stream_is_a_failure_that_shows_what_had_arrived(answer, kind, message):
    failure = failure_of(answer, stream=EVENTS)
    assert failure.kind == kind
    assert message in failure.message


@pytest.mark.slow
def test_a_stream_that_stops_without_ending_is_a_time_out_that_shows_what_had_arrived():
    shown = "; its stream did not end; until then it said 'Hel'"
    failure = failure_out_of_time(shown, events({"delta": "Hel"}, hanging=True), stream=EVENTS)
    assert failure.kind == "timeout"
    assert failure.message.endswith(shown)


def test_a_stream_without_an_end_is_cut_at_its_limit():
    def forever(handler):
        handler.send_response(200)
        handler.send_header("Content-Type", "text/event-stream")
        handler.end_headers()
        try:
            while True:
                handler.wfile.write(b'data: {"delta": "la"}\n\n' * 100)
        except OSError:
            handler.close_connection = True

    assert "answered more than 50,000 bytes" in failure_of(forever, stream=EVENTS, max_bytes=50_000).message


@pytest.mark.slow
def test_a_stream_is_retried_until_it_has_begun():
    reply = reply_of(status(503), events({"delta": "Hi"}, "[DONE]"), stream=EVENTS, retries=1)
    assert reply.text == "Hi"
    assert reply.turn.metadata["retries"][0]["status"] == 503


def test_an_endpoint_that_does_not_always_stream_may_have_both():
    reply = reply_of({"reply": "Hi"}, stream=EVENTS, response={"text": "$.reply"})
    assert reply.text == "Hi"


# -- what cannot work


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"url": "127.0.0.1:80"},
            "url: expected an address such as http://127.0.0.1:8000/chat, found '127.0",
        ),
        ({"url": 5}, "url: expected a text, found 5"),
        ({"url": "http://127.0.0.1/${user}"}, "url: unknown placeholder ${user}"),
        ({"request": {"q": "${usr}"}}, "request.q: unknown placeholder ${usr} (did you mean 'user'?)"),
        ({"response": {"txt": "$.a"}}, "response: unknown field 'txt' (did you mean 'text'?)"),
        ({"response": {"text": "a b"}}, "response.text: 'a b' is not a JSON path"),
        ({"response": {"text": 5}}, "response.text: expected a path, found 5"),
        ({"response": "$.a"}, "response: expected paths such as"),
        ({"stream": {"txt": "$.a"}}, "stream: unknown field 'txt' (did you mean 'text'?)"),
        ({"stream": {"done": "x"}}, "stream: needs 'text' or 'tool_calls'"),
        ({"stream": {"text": "$.a", "done": "$["}}, "stream.done: '$[' is not a JSON path"),
        ({"stream": {"text": "$.a", "done": 1}}, "stream.done: expected a text, found 1"),
        ({"headers": {"a b": "c"}}, "headers: 'a b' is not the name of a header"),
        ({"headers": {"a": 5}}, "headers.a: expected a text, found a int"),
        ({"headers": {"a": "b\r\nc: d"}}, "headers.a: a header is one line"),
        ({"headers": {"a": "${user}"}}, "headers.a: unknown placeholder ${user}"),
        ({"headers": []}, "headers: expected a mapping of names to texts, found a list"),
        ({"retries": -1}, "retries: expected a whole number of at least 0, found -1"),
        ({"retries": True}, "retries: expected a whole number"),
        ({"max_bytes": 0}, "max_bytes: expected a whole number of at least 1, found 0"),
        ({"tool_results": {"reqest": 1}}, "tool_results: unknown field 'reqest' (did you mean 'request'?)"),
        ({"tool_results": {"request": "${x}"}}, "tool_results.request: unknown placeholder ${x}"),
        ({"tool_results": {"url": "/${user}"}}, "tool_results.url: unknown placeholder ${user}"),
        ({"tool_results": "/x"}, "tool_results: expected a route with 'request', found '/x'"),
    ],
)
def test_what_cannot_work_is_refused_when_it_is_written(options, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        HttpAgent(**{"url": "http://127.0.0.1", **options})


def test_an_agent_does_not_show_its_headers():
    agent = HttpAgent("http://user:pw123456@127.0.0.1/", headers={"Authorization": "Bearer abcdef1234"})
    assert repr(agent) == "HttpAgent('http://user:[redacted: password]@127.0.0.1/')"


# -- in the configuration


def configured(folder, text):
    (folder / "pyproject.toml").write_text(text)
    return load_settings(folder)


def test_a_table_describes_an_agent(tmp_path):
    with serving({"out": "Hi"}) as server:
        settings = configured(
            tmp_path,
            f"""
            [tool.grice.agent]
            type = "http"
            url = "{server.url}"
            request = {{ q = "${{user}}" }}
            response.text = "$.out"
            [tool.grice.agent.headers]
            X-Client = "grice"
            """,
        )
        assert talk_to(settings.agent).say("Hello").text == "Hi"
    assert server.body == {"q": "Hello"}
    assert server.requests[0].headers["x-client"] == "grice"
    assert hash(settings) == hash(settings)


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        (
            'type = "htp"',
            3,
            "agent.type: expected 'http', 'openai', 'subprocess', found 'htp' (did you mean 'http'?)",
        ),
        ("type = 5", 3, "agent.type: expected 'http', 'openai', 'subprocess', found 5"),
        ('url = "http://127.0.0.1"', 2, "needs a type: 'http', 'openai', 'subprocess'"),
        ('type = "http"\nurll = "x"', 4, "an agent of type 'http' has no 'urll' (did you mean 'url'?)"),
        ('type = "http"', 2, "an agent of type 'http' needs 'url'"),
        ('type = "http"\nurl = "x"', 4, "url: expected an address"),
        (
            'type = "http"\nurl = "http://x"\nrequest = {a = "${usr}"}',
            "5:12",
            "agent.request.a: unknown placeholder ${usr}",
        ),
        (
            'type = "http"\nurl = "http://x"\n[tool.grice.agent.headers]\n"a b" = "c"',
            5,
            "headers: 'a b' is not the name of a header",
        ),
        ('type = "openai"\nbase_url = "http://x"', 2, "model: an endpoint needs the name of a model"),
        (
            'type = "subprocess"\ncommand = "node a"',
            4,
            'command: expected a list such as ["node", "agent.mjs"]',
        ),
    ],
)
def test_a_table_that_describes_no_agent_is_refused_with_its_place(tmp_path, text, line, message):
    with pytest.raises(ValueError, match=re.escape(message)) as caught:
        configured(tmp_path, f"[project]\n[tool.grice.agent]\n{text}\n")
    place = line if isinstance(line, str) else f"{line}:1"
    told = str(caught.value).split("\n")
    where = f"{tmp_path / 'pyproject.toml'}:{place}: [tool.grice] agent"
    assert any(one.startswith(where) and message in one for one in told)


def test_an_inline_table_is_refused_with_its_line(tmp_path):
    with pytest.raises(
        ValueError,
        match=re.escape("pyproject.toml:3:25: [tool.grice] agent: an agent of type 'http' has no 'urll'"),
    ):
        configured(tmp_path, '[tool.grice]\ntimeout = 5\nagent = {type = "http", urll = "x"}\n')
