"""The connections that all conversations of an event loop share, and the way to a server."""

from __future__ import annotations

import asyncio
import ipaddress
from collections.abc import AsyncGenerator
from functools import lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import aiohttp
    import yarl

__all__ = ["proxy_for", "shared_connector"]

CONNECTIONS = 512
KEEP_ALIVE = 4.0  # seconds; servers that close idle connections do so after 5 or more

_connectors: dict[asyncio.AbstractEventLoop, tuple[AsyncGenerator[Any, None], aiohttp.TCPConnector]] = {}


async def shared_connector() -> aiohttp.TCPConnector:
    """The connections of the running event loop; they are closed when the loop ends."""
    loop = asyncio.get_running_loop()
    if loop not in _connectors:
        for other in list(_connectors):
            if other.is_closed():  # without having ended in an orderly way
                _connectors.pop(other, None)
        keeper = _keep_connections(loop)
        _connectors[loop] = keeper, await anext(keeper)
    return _connectors[loop][1]


async def _keep_connections(loop: asyncio.AbstractEventLoop) -> AsyncGenerator[aiohttp.TCPConnector, None]:
    """The connector of a loop. A loop that ends closes the generators that were begun on it, and so this."""
    import aiohttp

    connector = aiohttp.TCPConnector(limit=CONNECTIONS, keepalive_timeout=KEEP_ALIVE)
    try:
        yield connector
    finally:
        _connectors.pop(loop, None)
        await connector.close()
        await asyncio.sleep(0)  # lets the transports end


def proxy_for(url: yarl.URL) -> dict[str, Any]:
    """The proxy that the environment names for an address; none for this computer's own."""
    from urllib.request import getproxies, proxy_bypass

    host = url.host or ""
    named = None if _is_loopback(host) or proxy_bypass(host) else getproxies().get(url.scheme)
    if not named:
        return {}
    return {"proxy": type(url)(named if "://" in named else f"http://{named}")}


@lru_cache(maxsize=64)
def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")
