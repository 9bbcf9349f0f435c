"""What stands before every route: Host, Origin, token, and limits on what is sent and how long it takes.

A request is let in with `Authorization: Bearer TOKEN`, or with the cookie that the printed link sets. A
cookie is sent by the browser whoever wrote the page, so a request that changes something and has only the
cookie must come from a page of this server, which its Origin tells.
"""

from __future__ import annotations

import asyncio
import re
from http.cookies import CookieError, SimpleCookie
from typing import TYPE_CHECKING
from urllib.parse import parse_qs

from anyio.to_thread import run_sync
from fastapi.responses import JSONResponse, RedirectResponse, Response
from starlette.datastructures import Headers, MutableHeaders

from grice.api.errors import error_content

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from grice.api.service import Service
    from grice.store.tokens import Caller

__all__ = ["LOGIN", "MAX_BODY", "Guard", "cookie_name"]

MAX_BODY = 8 * 1024 * 1024
MAX_HEAD = 32 * 1024
READ_TIMEOUT = 30.0
"""Seconds in which a body has to be there."""
WRITE_TIMEOUT = 60.0
"""Seconds for which a client may leave unread what it is sent."""
LOGIN = "/login"
HOME = "/api/docs"
_HOST = re.compile(r"(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?", re.IGNORECASE)
_READING = ("GET", "HEAD")
_HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'none'; style-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}


class _Refused(Exception):
    def __init__(self, status: int, message: str) -> None:
        self.status = status
        self.message = message


class _TooLate(Exception):
    """The client does not read what it is sent."""


class Guard:
    """The outermost layer of the application."""

    def __init__(self, app: ASGIApp, service: Service) -> None:
        self._app = app
        self._service = service

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
            scope["state"]["caller"] = await self._caller(scope, headers)
            _check_length(headers)
            await self._app(scope, _Receiving(receive), sending)
        except _Refused as refused:
            if sending.begun:
                raise
            headers_ = {"WWW-Authenticate": "Bearer"} if refused.status == 401 else {}
            if refused.status in (408, 413):
                headers_["Connection"] = "close"
            answer = JSONResponse(error_content(refused.message), refused.status, headers_)
            await answer(scope, receive, sending)
        except _TooLate:
            return

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

    async def _caller(self, scope: Scope, headers: Headers) -> Caller:
        """Who asks. Raises for a request without a right token."""
        scheme, _, rest = headers.get("authorization", "").partition(" ")
        token = rest.strip() if scheme.lower() == "bearer" else ""
        by_cookie = not token
        if by_cookie:
            token = _cookie(headers, cookie_name(scope))
        caller = await run_sync(self._service.caller_of, token) if token else None
        if caller is None:
            what = "a wrong token" if token else "no token"
            raise _Refused(
                401,
                f"the request has {what}: send `Authorization: Bearer TOKEN`, or open the link of "
                "`grice serve`",
            )
        if by_cookie and scope["method"] not in _READING and headers.get("origin") is None:
            raise _Refused(403, "what changes something needs `Authorization: Bearer TOKEN` or an Origin")
        return caller

    async def _login(self, scope: Scope) -> Response:
        """Set the cookie and lead on, so that the token leaves the address bar."""
        if scope["method"] not in _READING:
            raise _Refused(405, "the route does not take this method")
        given = parse_qs(scope["query_string"].decode("latin-1")).get("token", [""])[0]
        if not given or await run_sync(self._service.caller_of, given) is None:
            raise _Refused(401, "the link has a wrong token: open the one that `grice serve` printed last")
        answer = RedirectResponse(HOME, 303)
        answer.set_cookie(cookie_name(scope), given, httponly=True, samesite="strict", path="/")
        return answer


def cookie_name(scope: Scope) -> str:
    """What the cookie is called: browsers keep one jar for all ports of a machine."""
    return f"grice_{scope['server'][1]}"


def _cookie(headers: Headers, name: str) -> str:
    try:
        found = SimpleCookie(headers.get("cookie", "")).get(name)
    except CookieError:
        return ""
    return "" if found is None else found.value


def _check_length(headers: Headers) -> None:
    length = headers.get("content-length", "0")
    if length.isdecimal() and int(length[:20]) > MAX_BODY:
        raise _Refused(413, f"the body has more than {MAX_BODY} bytes")


class _Receiving:
    """A body within its limits."""

    def __init__(self, receive: Receive) -> None:
        self._receive = receive
        self._size = 0
        self._whole = False
        self._until = asyncio.get_running_loop().time() + READ_TIMEOUT

    async def __call__(self) -> Message:
        """The next part. Raises _Refused for more than is taken, and for what does not come."""
        if self._whole:
            return await self._receive()
        try:
            async with asyncio.timeout_at(self._until):
                message = await self._receive()
        except TimeoutError:
            raise _Refused(408, f"the body was not there within {READ_TIMEOUT:g} seconds") from None
        self._size += len(message.get("body", b""))
        self._whole = not message.get("more_body", False)
        if self._size > MAX_BODY:
            raise _Refused(413, f"the body has more than {MAX_BODY} bytes")
        return message


class _Sending:
    """An answer with the headers that every answer has, to a client that reads."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self.begun = False

    async def __call__(self, message: Message) -> None:
        """Send it. Raises _TooLate where nobody reads."""
        if message["type"] == "http.response.start":
            self.begun = True
            headers = MutableHeaders(scope=message)
            for name, value in _HEADERS.items():
                headers.setdefault(name, value)
        try:
            async with asyncio.timeout(WRITE_TIMEOUT):
                await self._send(message)
        except TimeoutError:
            raise _TooLate from None
