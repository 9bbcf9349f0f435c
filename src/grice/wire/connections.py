"""The connections that all conversations of an event loop share, and the way to a server."""

from __future__ import annotations

import asyncio
import atexit
import ipaddress
from collections.abc import AsyncGenerator
from contextlib import suppress
from functools import lru_cache
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    import aiohttp
    import yarl

__all__ = ["CONNECT_TIMEOUT", "proxy_for", "shared_connector", "shared_session"]

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
