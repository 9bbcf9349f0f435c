"""Access to the stub: only names of this machine, no web pages, and nobody without an API key."""

from __future__ import annotations

import re
import secrets
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from aiohttp import web

_HOST = re.compile(
    r"(?:127\.0\.0\.1|localhost|\[::1\]|host\.docker\.internal|host\.containers\.internal)(?::\d{1,5})?",
    re.IGNORECASE,
)
"""Names of this machine, those that containers give it included: nobody can own them on the internet."""


def wrong_host(request: web.BaseRequest) -> str:
    """Say what is wrong with the request's Host; "" when it is a name of this machine."""
    host = request.headers.get("Host", "")
    if _HOST.fullmatch(host):
        return ""
    return f"the Host {host[:100]!r} is no name of this machine: use 127.0.0.1 or localhost"


def is_web_page(request: web.BaseRequest) -> bool:
    """Whether a page of another site asks, by its Origin."""
    origin = request.headers.get("Origin")
    if origin is None:
        return False
    return _HOST.fullmatch(origin.removeprefix("http://").removeprefix("https://")) is None


class Keys:
    """The API keys that the stub accepts."""

    def __init__(self, keys: Iterable[str]) -> None:
        self._keys = [key.encode("utf-8", "surrogateescape") for key in keys if key]
        self._lock = threading.Lock()

    @contextmanager
    def taken(self, *keys: str) -> Iterator[None]:
        """Accept these keys too, within the block; "" is none."""
        added = [key.encode("utf-8", "surrogateescape") for key in keys if key]
        with self._lock:
            self._keys = [*self._keys, *added]
        try:
            yield
        finally:
            with self._lock:
                left = list(self._keys)
                for one in added:
                    left.remove(one)
                self._keys = left

    def wrong(self, request: web.BaseRequest) -> str:
        """Say what is wrong with the request's API key; "" when it is right."""
        headers = request.headers
        given = headers.get("x-api-key") or headers.get("api-key") or ""
        if not given:
            scheme, _, rest = headers.get("Authorization", "").partition(" ")
            given = rest.strip() if scheme.lower() == "bearer" else scheme
        told = given.encode("utf-8", "surrogateescape")
        if any(secrets.compare_digest(told, key) for key in self._keys):
            return ""
        return (
            f"the request has {'the wrong' if given else 'no'} API key: use the key that the stub shows, "
            "that context.model_key holds, or that model_key in [tool.grice] names"
        )
