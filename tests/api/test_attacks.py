"""Requests that no client sends in good faith: each is refused in words, and none stops the server."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import Iterator
from typing import Any

import pytest
from live import Live, client_of

from grice.api import guard, server
from grice.api.guard import MAX_BODY
from raw_http import ask, connected, request, response

DEEP = 100_000
LABEL = {"conversationId": "x", "label": "good"}


@pytest.fixture
def live(shared: Live) -> Iterator[Live]:
    """A server that still answers after each test."""
    yield shared
    assert shared.get("/api/projects")


def raw(
    live: Live, path: str, body: Any = b"", *, method: str = "POST", token: str | None = None, **headers: Any
) -> bytes:
    """The bytes of a request with the owner's token; `headers` have _ for -, and None for those left out."""
    bearer = f"Bearer {live.token if token is None else token}"
    given = {"x-api-key": None, "Authorization": bearer} if token != "" else {"x-api-key": None}
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return request(path, body, key="", method=method, headers={**given, **named})


BODIES = {
    "nothing": (b"", "is missing"),
    "no JSON": (b"hello", "is not JSON"),
    "half of JSON": (b'{"label": [', "is not JSON"),
    "two of JSON": (b"{} {}", "is not JSON"),
    "no UTF-8": (b'{"label": "\xff\xfe"}', "is not JSON"),
    "control characters": (b"\x00\x1b[31m", "is not JSON"),
    "a deep list": (b"[" * DEEP + b"]" * DEEP, "is not JSON"),
    "a list": (b"[1, 2]", "expected an object"),
    "a text": (b'"hi"', "expected an object"),
    "null": (b"null", "expected an object"),
    "a number of many digits": (b"1" * 10_000, "is not JSON"),
}


@pytest.mark.parametrize(("body", "said"), BODIES.values(), ids=BODIES)
def test_a_body_that_is_no_object_is_refused(live: Live, body: bytes, said: str) -> None:
    status, _, answer = ask(live.server, raw(live, "/api/labelling", body, Content_Type="application/json"))
    assert (status, [one["field"] for one in answer["details"]]) == (400, ["body"])
    assert said in answer["details"][0]["message"]


@pytest.mark.parametrize("label", [r"\ud83d", r"\u0000", r"\u001b[31m", "<script>"])
def test_a_text_of_any_kind_is_taken_or_refused(live: Live, label: str) -> None:
    body = b'{"items": "x%s", "item": "x", "label": "l%s"}' % (label.encode(), label.encode())
    status, _, _ = ask(live.server, raw(live, "/api/labelling", body, Content_Type="application/json"))
    assert status in (400, 404)  # it is no text, or there is no such file


def test_all_that_is_wrong_in_a_body_is_said_at_once(live: Live) -> None:
    body = {"items": "", "limit": "1", "item": "x", "strange": 1, "note": 5}
    status, _, answer = ask(live.server, raw(live, "/api/labelling", body, Content_Type="application/json"))
    assert (status, answer["error"]) == (400, "5 things are wrong")
    found = {one["field"]: one["message"] for one in answer["details"]}
    assert found == {
        "items": "expected 1 characters or more, found ''",
        "label": "is missing",
        "limit": "expected a whole number, found '1'",
        "note": "expected a text, found 5",
        "strange": "is no field of this body",
    }


@pytest.mark.parametrize("how", ["length", "chunks"])
def test_a_body_over_the_limit_is_refused(live: Live, how: str) -> None:
    """Of a hundred megabytes no more are read than the limit, and the connection is closed."""

    async def talk() -> tuple[int, Any]:
        async with connected(live.server) as (reader, writer):
            if how == "length":
                writer.write(raw(live, "/api/labelling", Content_Length=100_000_000))
            else:
                writer.write(raw(live, "/api/labelling", Content_Length=None, Transfer_Encoding="chunked"))
                piece = b"x" * 1_000_000
                try:
                    for _ in range(100):
                        writer.write(b"%x\r\n%b\r\n" % (len(piece), piece))
                        await writer.drain()
                    return 200, {"error": "all was taken"}
                except ConnectionError:  # it was closed meanwhile, and the answer may be lost with it
                    return 413, {"error": f"the body has more than {MAX_BODY} bytes"}
            status, _, body = await response(reader)
            return status, json.loads(body)

    status, answer = asyncio.run(asyncio.wait_for(talk(), 60))
    assert (status, answer["error"]) == (413, f"the body has more than {MAX_BODY} bytes")


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("PUT", "/api/projects", 405),
        ("DELETE", "/api/projects", 405),
        ("OPTIONS", "/api/labels", 405),
        ("TRACE", "/api/labels", 405),
        ("BREW", "/api/labels", 405),
        ("GET", "/favicon.ico", 404),
        ("GET", "/../../etc/passwd", 404),
        ("GET", "/api/%2e%2e/%00", 404),
        ("GET", "/api/docs/../../../../etc/passwd", 404),
        ("GET", "/api/test-suite-runs/..", 404),
        ("GET", "//evil.example/api/projects", 404),
        ("GET", "http://evil.example/api/projects", 404),
        ("GET", "/x" * 5_000, 404),
        ("POST", "/login", 405),
    ],
)
def test_an_unknown_route_is_refused(live: Live, method: str, path: str, status: int) -> None:
    found, _, answer = ask(live.server, raw(live, path, method=method))
    assert found == status
    assert set(answer) == {"error", "details"}
    assert "etc" not in answer["error"]


@pytest.mark.parametrize(
    "token",
    ["", " ", "other", "kéy", "\udcff\udcfe", "x" * 5_000, "grice_", "null", "'; drop table tokens; --"],
)
def test_a_wrong_token_is_refused_and_never_shown(live: Live, token: str) -> None:
    for path in ("/api/projects", "/api/nowhere"):
        status, _, answer = ask(live.server, raw(live, path, method="GET", token=token or None))
        if token:
            assert status == 401
            assert token.strip() == "" or token not in answer["error"]


def test_another_scheme_is_no_token(live: Live) -> None:
    for given in ("Bearer", "Bearer ", f"Basic {live.token}", live.token, ""):
        assert ask(live.server, raw(live, "/api/projects", method="GET", Authorization=given))[0] == 401


def test_a_stranger_learns_nothing_without_a_token(live: Live) -> None:
    answers = [
        ask(live.server, raw(live, path, method="GET", token="wrong"))[2]
        for path in ("/api/projects", "/api/projects/other", "/nowhere")
    ]
    assert answers[0] == answers[1] == answers[2]


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "127.0.0.1.evil.example",
        "127.0.0.1:80:80",
        "localhost.",
        "127.0.0.2",
        "[::2]",
        "0.0.0.0",
        "",
        "127.0.0.1 x",
        "host.docker.internal",
        None,
    ],
)
def test_a_forged_host_is_refused(live: Live, host: str | None) -> None:
    status, _, answer = ask(live.server, raw(live, "/api/projects", method="GET", Host=host))
    assert status in (400, 403)
    assert set(answer) == {"error", "details"}


def test_two_hosts_are_refused(live: Live) -> None:
    lines = raw(live, "/api/projects", method="GET").replace(b"Host: ", b"Host: evil.example\r\nHost: ", 1)
    assert ask(live.server, lines)[0] in (400, 403)


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:1", "127.0.0.1:65535", "[::1]:8000"])
def test_this_machine_has_several_names(live: Live, host: str) -> None:
    assert ask(live.server, raw(live, "/api/projects", method="GET", Host=host))[0] == 200


@pytest.mark.parametrize(
    "origin",
    [
        "https://evil.example",
        "http://127.0.0.1.evil.example",
        "http://127.0.0.1:3000",
        "http://localhost",
        "https://127.0.0.1",
        "null",
        "file://",
        "",
    ],
)
def test_the_page_of_another_site_is_refused(live: Live, origin: str) -> None:
    assert ask(live.server, raw(live, "/api/projects", method="GET", Origin=origin))[0] == 403


def test_a_page_of_this_server_may_ask(live: Live) -> None:
    headers = {"Host": "127.0.0.1:7", "Origin": "http://127.0.0.1:7"}
    assert ask(live.server, raw(live, "/api/projects", method="GET", **headers))[0] == 200


@pytest.mark.parametrize(
    "sent",
    [
        b"hello\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"GET /\r\nno colon\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\x00" * 64 + b"\r\n\r\n",
        b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: -5\r\n\r\n",
        b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n",
        b"GET / HTTP/1.1\r\n\r\n",
        "POST /\u20ac HTTP/1.1\r\nHost: localhost\r\n\r\n".encode(),
        b"POST / HTTP/1.1\r\nHost: localhost\r\nX: " + b"x" * 100_000 + b"\r\n\r\n",
        b"POST /" + b"x" * 100_000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    ],
    ids=lambda sent: repr(sent[:40]),
)
def test_what_is_no_http_is_refused(live: Live, sent: bytes) -> None:
    status, _, answer = ask(live.server, sent)
    assert status in (400, 403)
    assert set(answer) == {"error", "details"}


def test_a_length_and_chunks_are_no_two_requests(live: Live) -> None:
    smuggled = raw(live, "/api/nowhere", method="GET")
    both = {"Content_Length": len(smuggled) + 5, "Transfer_Encoding": "chunked"}

    async def talk() -> bytes:
        async with connected(live.server) as (reader, writer):
            writer.write(raw(live, "/api/projects", **both) + b"0\r\n\r\n")
            await response(reader)
            writer.write(b"\x00\r\n\r\n")
            return await reader.read(12)

    assert not asyncio.run(asyncio.wait_for(talk(), 60)).startswith(b"HTTP/1.1 200")


def test_a_body_that_breaks_off_is_refused(live: Live) -> None:
    broken = raw(live, "/api/labelling", Content_Length=None, Transfer_Encoding="chunked") + b"zz\r\n"

    async def talk() -> bytes:
        async with connected(live.server) as (reader, writer):
            writer.write(broken)
            return await reader.read()

    assert b" 500 " not in asyncio.run(asyncio.wait_for(talk(), 60))


def test_requests_in_one_packet_are_answered_in_order(live: Live) -> None:
    paths = ["/api/projects", "/api/nowhere", "/api/models"]

    async def talk() -> list[int]:
        async with connected(live.server) as (reader, writer):
            writer.write(b"".join(raw(live, path, method="GET") for path in paths))
            return [(await response(reader))[0] for _ in paths]

    assert asyncio.run(asyncio.wait_for(talk(), 60)) == [200, 404, 200]


@pytest.mark.parametrize("sent", ["", "GET /api/projects HTTP/1.1\r\nHost: local"])
def test_half_a_head_is_waited_for_so_long(live: Live, monkeypatch: pytest.MonkeyPatch, sent: str) -> None:
    monkeypatch.setattr(server, "HEAD_TIMEOUT", 0.1)

    async def talk() -> tuple[int, bytes]:
        async with connected(live.server) as (reader, writer):
            writer.write(sent.encode())
            return (await response(reader))[0], await reader.read()

    assert asyncio.run(asyncio.wait_for(talk(), 60)) == (408, b"")


def test_half_of_a_second_head_is_waited_for_so_long(live: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    async def talk() -> tuple[int, int]:
        async with connected(live.server) as (reader, writer):
            writer.write(raw(live, "/api/projects", method="GET"))
            first = (await response(reader))[0]
            monkeypatch.setattr(server, "HEAD_TIMEOUT", 0.1)
            writer.write(b"GET /api/")
            return first, (await response(reader))[0]

    assert asyncio.run(asyncio.wait_for(talk(), 60)) == (200, 408)


@pytest.mark.parametrize(("token", "status"), [(None, 408), ("wrong", 401)])
def test_half_a_body_is_waited_for_so_long(
    live: Live, monkeypatch: pytest.MonkeyPatch, token: str | None, status: int
) -> None:
    monkeypatch.setattr(guard, "READ_TIMEOUT", 0.1)

    async def talk() -> tuple[int, bytes]:
        async with connected(live.server) as (reader, writer):
            writer.write(raw(live, "/api/labelling", b"{", token=token, Content_Length=999))
            found = (await response(reader))[0]
            return found, await reader.read()

    assert asyncio.run(asyncio.wait_for(talk(), 60)) == (status, b"")


@pytest.mark.slow
def test_a_thousand_connections_keep_nobody_out_for_long(live: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "HEAD_TIMEOUT", 1.0)
    held: list[socket.socket] = []
    try:
        for _ in range(1_000):
            try:
                held.append(socket.create_connection(("127.0.0.1", live.server.port), timeout=10))
            except OSError:
                break  # this process has no more files
        assert len(held) > 400
        found = 503
        while found == 503:
            with client_of(live.server, live.token) as client:
                found = client.get("/api/projects").status_code
        assert found == 200
    finally:
        for one in held:
            one.close()


@pytest.mark.slow
def test_many_requests_at_once_are_all_answered(live: Live) -> None:
    async def one() -> int:
        async with connected(live.server) as (reader, writer):
            writer.write(raw(live, "/api/test-suite-runs", method="GET"))
            return int((await response(reader))[0])

    async def talk() -> list[int]:
        return await asyncio.gather(*(one() for _ in range(200)))

    assert set(asyncio.run(asyncio.wait_for(talk(), 60))) == {200}


def test_a_client_that_reads_nothing_is_left(live: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard, "WRITE_TIMEOUT", 0.1)
    silent = socket.socket()
    silent.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
    silent.connect(("127.0.0.1", live.server.port))
    try:
        silent.sendall(raw(live, "/api/openapi.json", method="GET") * 200)
        assert live.get("/api/projects")
    finally:
        silent.close()


def test_it_listens_on_the_loopback_address_only(live: Live) -> None:
    assert live.server._server is not None
    found = {one.getsockname() for each in live.server._server.servers for one in each.sockets}
    assert found == {("127.0.0.1", live.server.port)}


def test_an_answer_does_not_wait_for_what_comes_next(live: Live) -> None:
    """asyncio sends at once on sockets that say they are TCP, as the listening one says."""
    assert live.server._server is not None
    listening = [one for each in live.server._server.servers for one in each.sockets]
    assert [one.proto for one in listening] == [socket.IPPROTO_TCP]
