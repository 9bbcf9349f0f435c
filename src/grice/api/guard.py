"""The checks before every route: Host, Origin, token, and limits on the size and time of requests.

A request is let in with `Authorization: Bearer TOKEN`, or with the cookie that the printed link sets, which
names a session and is no token. A cookie is sent by the browser whoever wrote the page, so a request that
changes something and has only the cookie must come from a page of this server, which its Origin tells.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from functools import partial
from http.cookies import CookieError, SimpleCookie
from typing import TYPE_CHECKING
from urllib.parse import parse_qs

from anyio.to_thread import run_sync
from fastapi.responses import JSONResponse, RedirectResponse, Response
from starlette.datastructures import Headers, MutableHeaders

from grice.api.errors import error_content
from grice.api.security_headers import SECURITY_HEADERS
from grice.api.sessions import LIFE

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from grice.api.service import Service
    from grice.store.tokens import Caller


MAX_BODY = 8 * 1024 * 1024
MAX_HEAD = 32 * 1024
READ_TIMEOUT = 30.0
"""Seconds in which a body has to be there."""
WRITE_TIMEOUT = 60.0
"""Seconds for which a client may leave unread what it is sent."""
LOGIN = "/login"
HOME = "/api/docs"
"""Where a browser that was let in begins, unless there are pages."""
_HOST = re.compile(r"(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?", re.IGNORECASE)
_READING = ("GET", "HEAD")


class _Refused(Exception):
    def __init__(self, status: int, message: str) -> None:
        self.status = status
        self.message = message


class _Gone(Exception):
    """The client went away, or does not read what it is sent."""


Closed = Callable[[str], Response]
"""Makes the page for a browser that is not let in, of why."""


class Guard:
    """The outermost layer of the application."""

    def __init__(
        self, app: ASGIApp, service: Service, home: str = HOME, closed: Closed | None = None
    ) -> None:
        self._app = app
        self._service = service
        self._home = home
        self._closed = closed

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer the request, or refuse it."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        sending = _Sending(send)
        if scope["type"] != "http":
            return
        try:
            headers = Headers(scope=scope)
            self._check_head(scope, headers)
            if scope["path"] == LOGIN:
                await (await self._login(scope))(scope, receive, sending)
                return
            scope["state"]["ask_again"], scope["state"]["caller"] = await self._caller(scope, headers)
            await self._app(scope, await _whole_body(scope, receive), sending)
        except _Refused as refused:
            told = {"WWW-Authenticate": "Bearer"} if refused.status == 401 else {}
            if refused.status in (400, 408, 413) or not _is_bodiless(scope):
                told["Connection"] = "close"
            answer = self._refusal(scope, refused)
            answer.headers.update(told)
            await answer(scope, receive, sending)
        except _Gone:
            return

    def _refusal(self, scope: Scope, refused: _Refused) -> Response:
        """What is told: a page where a browser that is not let in wants one."""
        is_read = "text/html" in Headers(scope=scope).get("accept", "")
        if self._closed is not None and refused.status == 401 and is_read:
            return self._closed(refused.message)
        return JSONResponse(error_content(refused.message), refused.status)

    def _check_head(self, scope: Scope, headers: Headers) -> None:
        """Raise where the request is not for this machine, or comes from the page of another site."""
        size = len(scope["raw_path"]) + len(scope["query_string"])
        size += sum(len(name) + len(value) for name, value in scope["headers"])
        if size > MAX_HEAD:
            raise _Refused(400, f"the head of the request has more than {MAX_HEAD} bytes")
        host = headers.get("host", "")
        if len(headers.getlist("host")) != 1 or not _HOST.fullmatch(host):
            raise _Refused(
                403, f"the Host {host[:100]!r} is no name of this machine: use 127.0.0.1 or localhost"
            )
        origin = headers.get("origin")
        if origin is not None and origin.lower() != f"http://{host.lower()}":
            raise _Refused(403, "a page of another site asks")

    async def _caller(self, scope: Scope, headers: Headers) -> tuple[Callable[[], Caller | None], Caller]:
        """Who asks, and what finds that out again: a token may be revoked while an answer goes on.

        Raises for a request without a right token.
        """
        scheme, _, rest = headers.get("authorization", "").partition(" ")
        token = rest.strip() if scheme.lower() == "bearer" else ""
        session = "" if token else _cookie(headers, cookie_name(scope))
        ask: Callable[[], Caller | None] = (
            partial(self._service.caller_in, session) if session else partial(self._service.caller_of, token)
        )
        caller = await run_sync(ask) if session or token else None
        if caller is None:
            what = "a wrong token" if token else "a session that has ended" if session else "no token"
            raise _Refused(
                401,
                f"the request has {what}: send `Authorization: Bearer TOKEN`, or open the link of "
                "`grice serve`",
            )
        if session and scope["method"] not in _READING and headers.get("origin") is None:
            raise _Refused(403, "what changes something needs `Authorization: Bearer TOKEN` or an Origin")
        return ask, caller

    async def _login(self, scope: Scope) -> Response:
        """Set the cookie and lead on, so that the token leaves the address bar."""
        if scope["method"] not in _READING:
            raise _Refused(405, "the route does not take this method")
        given = parse_qs(scope["query_string"].decode("latin-1")).get("token", [""])[0]
        if not given or await run_sync(self._service.caller_of, given) is None:
            raise _Refused(401, "the link has a wrong token: open the one that `grice serve` printed last")
        answer = RedirectResponse(self._home, 303)
        session = self._service.sessions.begin(given)
        answer.set_cookie(
            cookie_name(scope), session, max_age=LIFE, httponly=True, samesite="strict", path="/"
        )
        return answer


def cookie_name(scope: Scope) -> str:
    """The name of the cookie: it has the port, since browsers keep one jar for all ports of a machine."""
    return f"grice_{scope['server'][1]}"


def _cookie(headers: Headers, name: str) -> str:
    try:
        found = SimpleCookie(headers.get("cookie", "")).get(name)
    except CookieError:
        return ""
    return "" if found is None else found.value


def _is_bodiless(scope: Scope) -> bool:
    headers = Headers(scope=scope)
    return headers.get("content-length", "0") == "0" and "transfer-encoding" not in headers


async def _whole_body(scope: Scope, receive: Receive) -> Receive:
    """The body, read as a whole. Raises _Refused for more than is taken, and for what does not come."""
    length = Headers(scope=scope).get("content-length", "0")
    too_large = _Refused(413, f"the body has more than {MAX_BODY} bytes")
    if int(length[:20]) > MAX_BODY:
        raise too_large
    parts: list[bytes] = []
    size, more = 0, True
    try:
        async with asyncio.timeout(READ_TIMEOUT):
            while more:
                message = await receive()
                if message["type"] == "http.disconnect":
                    raise _Gone
                parts.append(message.get("body", b""))
                size, more = size + len(parts[-1]), message.get("more_body", False)
                if size > MAX_BODY:
                    raise too_large
    except TimeoutError:
        raise _Refused(408, f"the body was not there within {READ_TIMEOUT:g} seconds") from None
    whole: list[Message] = [{"type": "http.request", "body": b"".join(parts), "more_body": False}]

    async def give() -> Message:
        return whole.pop() if whole else await receive()

    return give


class _Sending:
    """An answer with the headers that every answer has, to a client that reads."""

    def __init__(self, send: Send) -> None:
        self._send = send

    async def __call__(self, message: Message) -> None:
        """Send it. Raises _Gone where nobody reads."""
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in SECURITY_HEADERS.items():
                headers.setdefault(name, value)
        try:
            async with asyncio.timeout(WRITE_TIMEOUT):
                await self._send(message)
        except TimeoutError:
            raise _Gone from None
