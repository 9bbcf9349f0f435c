"""Requests over HTTP: shared connections, a conversation's own cookies, limits, and retries that are
recorded.

aiohttp is loaded by the first `HttpClient`, not by this module.
"""

from __future__ import annotations

import asyncio
import atexit
import io
import ipaddress
import os
import random
import re
import time
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from email.utils import parsedate_to_datetime
from functools import lru_cache
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, cast

from grice._version import __version__
from grice.records import JsonValue
from grice.text import shorten

if TYPE_CHECKING:
    import aiohttp
    import yarl


MAX_REDIRECTS = 3

LARGE = 1_000_000

"""Bytes from which a body is sent as a stream: aiohttp warns of more."""

MAX_EXCERPT = 500

ERROR_BYTES = 65_536

ERROR_SECONDS = 2.0

FIRST_WAIT = 0.5

LONGEST_WAIT = 8.0

LONGEST_ASKED_WAIT = 60.0  # what a server's Retry-After may ask for; beyond that the answer is final

_REDIRECTS = (301, 302, 303, 307, 308)

_KEEP_METHOD = (307, 308)

_AGAIN = (HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.TOO_MANY_REQUESTS)

_NUMBER = re.compile(r"\s*([0-9]{1,9}(?:\.[0-9]{0,9})?)\s*")

T = TypeVar("T")


class Request(NamedTuple):
    """One POST. `shown` is the address for messages, without secrets."""

    url: str
    shown: str
    body: bytes
    headers: Mapping[str, str]


class Answer(NamedTuple):
    """A whole answer of a status below 400."""

    status: int
    content_type: str
    body: bytes
    charset: str


class HttpError(Exception):
    """A request that got no usable answer; `status` is None when there was none at all.

    `retryable` says whether the same request may do better, `asked_wait` after how many seconds the server
    wants it.
    """

    def __init__(
        self,
        message: str,
        *,
        status: int | None = None,
        brief: str = "",
        retryable: bool = False,
        asked_wait: float | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.brief = brief
        self.retryable = retryable
        self.asked_wait = asked_wait


class HttpClient:
    """Sends the requests of one conversation.

    It has its own cookies, or none without `cookies`; connections are shared with all conversations on the
    same event loop. A request is repeated up to `retries` times after a failed connection, a 408, a 429 or a
    5xx, and each time is noted in `retried` as `{"status" or "error", "after_seconds"}`. An answer of more
    than `max_bytes` is refused. `hide` takes secrets out of text for messages.
    """

    def __init__(
        self, *, retries: int, max_bytes: int, hide: Callable[[str], str], cookies: bool = True
    ) -> None:
        import aiohttp  # noqa: F401 - slow, so it happens here, before a turn's time-out runs

        self.retried: list[dict[str, JsonValue]] = []
        self._retries = retries
        self._max_bytes = max_bytes
        self._hide = hide
        self._cookies: aiohttp.CookieJar | None = None
        self._keeps_cookies = cookies

    async def post(self, request: Request) -> Answer:
        """The answer to the request. Raises HttpError."""

        async def once() -> Answer:
            if not self._keeps_cookies:
                async with await self._opened(await shared_session(), request) as response:
                    return await StreamedAnswer(request, response, self._max_bytes).whole()
            async with self._sent(request) as response:
                return await StreamedAnswer(request, response, self._max_bytes).whole()

        return await self._with_retries(request, once)

    @asynccontextmanager
    async def stream(self, request: Request) -> AsyncIterator[StreamedAnswer]:
        """The answer to the request while it arrives. Raises HttpError; an answer that began is final."""
        async with AsyncExitStack() as stack:

            async def once() -> aiohttp.ClientResponse:
                return await stack.enter_async_context(self._sent(request))

            response = await self._with_retries(request, once)
            yield StreamedAnswer(request, response, self._max_bytes)

    async def _with_retries(self, request: Request, once: Callable[[], Awaitable[T]]) -> T:
        begun = len(self.retried)
        try:
            while True:
                try:
                    return await once()
                except HttpError as error:
                    pause = self._pause(error, len(self.retried) - begun)
                    if pause is None:
                        raise _after(error, self.retried[begun:]) from None
                    what: JsonValue = {"status": error.status} if error.status else {"error": error.brief}
                    self.retried.append({**what, "after_seconds": pause})
                await asyncio.sleep(pause)
        except asyncio.CancelledError as error:
            error.add_note(f"POST {request.shown} was not answered{_retries_text(self.retried[begun:])}")
            raise

    def _pause(self, error: HttpError, done: int) -> float | None:
        """How long to wait before the request is repeated after so many retries; None when it is not."""
        asked = error.asked_wait or 0.0
        if done >= self._retries or not error.retryable or asked > LONGEST_ASKED_WAIT:
            return None
        wait: float = min(FIRST_WAIT * 2**done, LONGEST_WAIT)
        wait *= 0.75 + random.random() / 4  # noqa: S311 - so that many do not come back at once
        return round(max(asked, wait), 3)

    @asynccontextmanager
    async def _sent(self, request: Request) -> AsyncIterator[aiohttp.ClientResponse]:
        """The response to the request once its headers are there. Raises HttpError for a status from 400."""
        import aiohttp

        if not self._keeps_cookies:
            async with await self._opened(await shared_session(), request) as response:
                yield response
            return
        if self._cookies is None:
            self._cookies = aiohttp.CookieJar(unsafe=True)  # unsafe: cookies of hosts that are numbers too
        with _ToldErrors(request):
            session = aiohttp.ClientSession(
                connector=await shared_connector(),
                connector_owner=False,
                cookie_jar=self._cookies,
                timeout=aiohttp.ClientTimeout(total=None, sock_connect=CONNECT_TIMEOUT),
            )
        async with session, await self._opened(session, request) as response:
            yield response

    async def _opened(self, session: aiohttp.ClientSession, request: Request) -> aiohttp.ClientResponse:
        """The response, to be left open for its body. Raises HttpError for a status from 400."""
        import yarl

        with _ToldErrors(request):
            response = await self._followed(session, request, yarl.URL(request.url))
        if response.status >= HTTPStatus.BAD_REQUEST:
            async with response:
                raise await self._refusal(request, response)
        return response

    async def _followed(
        self, session: aiohttp.ClientSession, request: Request, url: yarl.URL
    ) -> aiohttp.ClientResponse:
        """The response, after redirects that keep the method and stay with the server."""
        import multidict

        headers = multidict.CIMultiDict(
            {"User-Agent": f"grice/{__version__}", "Content-Type": "application/json"}
        )
        headers.update(request.headers)
        for _ in range(MAX_REDIRECTS + 1):
            response = await session.post(
                url,
                data=request.body if len(request.body) < LARGE else io.BytesIO(request.body),
                headers=headers,
                allow_redirects=False,
                **proxy_for(url),
            )
            if response.status not in _REDIRECTS:
                return response
            target = url.join(type(url)(response.headers.get("Location", "")))
            response.close()
            where = self._hide(str(target))
            if response.status not in _KEEP_METHOD or target.origin() != url.origin():
                raise HttpError(
                    f"POST {request.shown} answered {_status_text(response.status)}, a redirect to {where} "
                    "that is not followed: give that address if it is the right one",
                    status=response.status,
                )
            url = target
        raise HttpError(f"POST {request.shown} redirects more than {MAX_REDIRECTS} times")

    async def _refusal(self, request: Request, response: aiohttp.ClientResponse) -> HttpError:
        """The error for a status from 400, with the beginning of what the server said."""
        body = b""
        try:
            async with asyncio.timeout(ERROR_SECONDS):
                while len(body) < ERROR_BYTES and (chunk := await response.content.read(ERROR_BYTES)):
                    body += chunk
        except Exception:  # noqa: S110 - the status says enough
            pass
        status, kind = _status_text(response.status), response.content_type
        answer = Answer(response.status, kind, body, response.charset or "utf-8")
        again = response.status in _AGAIN or response.status >= 500
        should = response.headers.get("x-should-retry", "")  # how model servers overrule the status
        return HttpError(
            f"POST {request.shown} answered {status} ({kind}): {excerpt(answer, self._hide)}",
            status=response.status,
            brief=status,
            retryable=should == "true" or (again and should != "false"),
            asked_wait=_asked_wait(response.headers),
        )


class StreamedAnswer:
    """An answer of a status below 400 whose body has not come yet."""

    def __init__(self, request: Request, response: aiohttp.ClientResponse, max_bytes: int) -> None:
        self.status = response.status
        self.content_type = response.content_type
        self.charset = response.charset or "utf-8"
        self.request = request
        self._response = response
        self._max_bytes = max_bytes

    async def whole(self) -> Answer:
        """All of the answer. Raises HttpError."""
        length = self._response.content_length
        if (
            length is not None
            and length <= self._max_bytes
            and "Content-Encoding" not in self._response.headers
        ):
            with _ToldErrors(self.request):
                body = await self._response.read()
        else:
            body = b"".join([chunk async for chunk in self.chunks()])
        return Answer(self.status, self.content_type, body, self.charset)

    async def chunks(self) -> AsyncIterator[bytes]:
        """The body as it arrives. Raises HttpError when it breaks off or is too large."""
        size = 0
        chunks = self._response.content.iter_any()
        while True:
            with _ToldErrors(self.request):
                chunk = await anext(chunks, None)
            if chunk is None:
                return
            size += len(chunk)
            if size > self._max_bytes:
                self._response.close()
                raise HttpError(
                    f"POST {self.request.shown} answered more than {self._max_bytes:,} bytes (max_bytes)"
                )
            yield chunk


def excerpt(answer: Answer, hide: Callable[[str], str]) -> str:
    """The beginning of a body on one line, for a message."""
    try:
        text = answer.body.decode(answer.charset, "replace")
    except LookupError:
        text = answer.body.decode("utf-8", "replace")
    return shorten(hide(" ".join(text.split())), MAX_EXCERPT) or "(empty body)"


class _ToldErrors:
    """Turns what aiohttp raises into HttpError; the cause is left out, because it may hold secrets."""

    __slots__ = ("_request",)

    def __init__(self, request: Request) -> None:
        self._request = request

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if error is None:
            return
        import aiohttp

        if not isinstance(error, aiohttp.ClientError | OSError | ValueError):
            return
        brief = what_went_wrong(error)
        insecure = isinstance(error, aiohttp.ClientSSLError)
        broken = isinstance(
            error, aiohttp.ClientConnectionError | aiohttp.ClientPayloadError | ConnectionError
        )
        raise HttpError(
            f"POST {self._request.shown}: {brief}", brief=brief, retryable=broken and not insecure
        ) from None


def what_went_wrong(error: BaseException) -> str:
    """Describe what went wrong with a connection, without the address."""
    import aiohttp

    if isinstance(error, aiohttp.ClientSSLError):
        return "there is no secure connection: the server's certificate is not trusted, or it speaks no TLS"
    if isinstance(error, aiohttp.ClientConnectorDNSError):
        return "there is no host of this name"
    if isinstance(error, aiohttp.ServerTimeoutError):
        return f"no connection within {CONNECT_TIMEOUT:g} s"
    if isinstance(error, aiohttp.ServerDisconnectedError):
        return "the server closed the connection without an answer"
    if isinstance(error, aiohttp.ClientPayloadError):
        return "the server's answer broke off"
    if isinstance(error, aiohttp.InvalidURL):
        return "this is not the address of a server"
    if isinstance(error, OSError) and error.errno:
        return os.strerror(error.errno)
    if isinstance(error, aiohttp.ClientError):
        return f"the server's answer is not HTTP ({type(error).__name__})"
    return f"the request cannot be sent ({type(error).__name__})"


def _status_text(status: int) -> str:
    try:
        return f"{status} {HTTPStatus(status).phrase}"
    except ValueError:
        return str(status)


def _retries_text(retried: list[dict[str, JsonValue]]) -> str:
    if not retried:
        return ""
    causes = ", ".join(
        f"{one.get('error') or _status_text(one['status'])} (after {one['after_seconds']:g} s)"
        for one in retried
    )
    return f"; retried {len(retried)} time{'' if len(retried) == 1 else 's'}: {causes}"


def _after(error: HttpError, retried: list[dict[str, JsonValue]]) -> HttpError:
    """The error, with the retries that went before it."""
    if retried:
        error.args = (f"{error}{_retries_text(retried)}",)
    return error


def _asked_wait(headers: Mapping[str, str]) -> float | None:
    """The seconds that a server asks to wait: a number, also with a fraction, or the time until a date."""
    for name, unit in (("retry-after-ms", 1e-3), ("Retry-After", 1.0)):
        number = _NUMBER.fullmatch(headers.get(name, ""))
        if number is not None:
            return float(number[1]) * unit
    try:
        return max(0.0, parsedate_to_datetime(headers.get("Retry-After", "")).timestamp() - time.time())
    except (ValueError, OverflowError):
        return None


CONNECTIONS = 512

CONNECT_TIMEOUT = 10.0

KEEP_ALIVE = 4.0  # seconds; servers that close idle connections do so after 5 or more

_kept: dict[asyncio.AbstractEventLoop, tuple[AsyncGenerator[Any, None], aiohttp.ClientSession]] = {}


async def shared_connector() -> aiohttp.TCPConnector:
    """The connections of the running event loop; they are closed when the loop ends."""
    return cast("aiohttp.TCPConnector", (await shared_session()).connector)


async def shared_session() -> aiohttp.ClientSession:
    """A session on those connections that keeps no cookies, for requests that belong to no conversation."""
    loop = asyncio.get_running_loop()
    known = _kept.get(loop)
    if known is not None:
        return known[1]
    _abandon_closed()
    keeper = _keep_connections(loop)
    _kept[loop] = keeper, await anext(keeper)
    return _kept[loop][1]


async def _keep_connections(loop: asyncio.AbstractEventLoop) -> AsyncGenerator[aiohttp.ClientSession, None]:
    """The session of a loop. A loop that ends closes the generators that were begun on it, and so this."""
    import aiohttp

    session = aiohttp.ClientSession(
        connector=aiohttp.TCPConnector(limit=CONNECTIONS, keepalive_timeout=KEEP_ALIVE),
        cookie_jar=aiohttp.DummyCookieJar(),
        timeout=aiohttp.ClientTimeout(total=None, sock_connect=CONNECT_TIMEOUT),
    )
    try:
        yield session
    finally:
        _kept.pop(loop, None)
        await session.close()
        await asyncio.sleep(0)  # lets the transports end


def _abandon_closed() -> None:
    """Close the sessions of loops that were closed without closing their generators before.

    Such a loop sends nothing any more, so nothing of this waits. aiohttp complains of sessions left open.
    """
    for loop in list(_kept):
        if loop.is_closed() and (kept := _kept.pop(loop, None)) is not None:
            with suppress(StopIteration, RuntimeError):
                kept[1].close().send(None)


atexit.register(_abandon_closed)


def proxy_for(url: yarl.URL) -> dict[str, Any]:
    """The proxy that the environment names for an address; none for this computer's own."""
    host = url.host or ""
    if _is_loopback(host):
        return {}
    from urllib.request import getproxies, proxy_bypass

    named = None if proxy_bypass(host) else getproxies().get(url.scheme)
    if not named:
        return {}
    return {"proxy": type(url)(named if "://" in named else f"http://{named}")}


@lru_cache(maxsize=64)
def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")
