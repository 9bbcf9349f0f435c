"""A real model behind the stub: requests are forwarded to it, its replies recorded or replayed."""

from __future__ import annotations

import os
import re
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from grice.identity import redact_text
from grice.identity.escaped_forms import any_form
from grice.records import Exchange, JsonValue, clean_json
from grice.text import shorten
from grice.wire.addresses import ADDRESS, no_address
from grice.wire.dialects import Dialect
from grice.wire.environment import SHORTEST_SECRET
from grice.wire.errors import ScriptError

if TYPE_CHECKING:
    import aiohttp

    from grice.wire.cassettes import Call, Cassette

READ_TIMEOUT = 600.0
"""Seconds without a byte after which the real model is given up; models may think for minutes."""

MAX_REPLY = 32_000_000
"""Bytes of the longest reply."""

KEY_NAMES = {"anthropic": "ANTHROPIC_API_KEY"}
_USUAL_KEY = "OPENAI_API_KEY"
_VERSION = re.compile(r"/v\d+[a-z]*\d*(?:/|$)")
_SENT_ON = ("anthropic-version", "anthropic-beta", "openai-beta", "openai-organization", "openai-project")
"""Headers of a client that reach the real model; its key is the stub's, and stays here."""
_SENT_BACK = ("content-type", "retry-after", "retry-after-ms", "x-should-retry", "request-id", "x-request-id")
_STREAM_ONLY = ("stream", "stream_options")
_REFUSED_KEY = (401, 403)


class UpstreamError(Exception):
    """A real model that gave no reply.

    `status` is what the agent is told, `wrong_setup` whether it could not be asked at all.
    """

    __module__ = "grice"

    def __init__(self, status: int, message: str, *, wrong_setup: bool = False) -> None:
        super().__init__(message)
        self.status = status
        self.wrong_setup = wrong_setup


class Upstream:
    """The address of a real model.

    `address` is a provider's, with or without its version: `https://api.openai.com` or `.../openai/v1`. The
    API key is in the environment variable `key_env`, by default the usual one of the dialect that is asked;
    without a value of the usual one the request has no key. Replies go through the `cassette`. Raises
    ValueError for what is no address, and for one with a user or a query, which may hold a key.
    """

    def __init__(
        self,
        address: str,
        key_env: str = "",
        *,
        cassette: Cassette | None = None,
        environ: Mapping[str, str] | None = None,
    ) -> None:
        if address and not ADDRESS.match(address):
            raise ValueError(no_address(redact_text(address)))
        if re.search(r"[@?#]", address):
            raise ValueError("an address has no user, query or fragment: the key stands in the environment")
        self._environ = os.environ if environ is None else environ
        self._cassette = cassette if cassette is not None and cassette.mode != "off" else None
        self.address = address.rstrip("/")
        self._key_env = key_env

    @property
    def missing_key(self) -> str:
        """The environment variable for the key that is not set; "" when none is missing."""
        return "" if self.replays or self._environ.get(self._key_env or "-") else self._key_env

    def key_name(self, dialect: str) -> str:
        """The environment variable with the key for a dialect."""
        return self._key_env or KEY_NAMES.get(dialect, _USUAL_KEY)

    @property
    def replays(self) -> bool:
        """Whether only recorded replies are given."""
        return self._cassette is not None and self._cassette.strict

    def begin(self, request: dict[str, JsonValue], dialect: Dialect) -> Call | None:
        """The call in the cassette, None without one. Raises NotRecorded."""
        cassette = self._cassette
        if cassette is None:
            return None
        from grice.wire.cassettes import RERECORD, NotRecorded

        asked = {"dialect": dialect.name, "request": request}
        call = cassette.begin("model", asked, subject=str(request.get("model", "")))
        if not call.replayed and cassette.strict:
            raise NotRecorded(f"{cassette.path}: it has no calls of the agent's model; {RERECORD}")
        return call

    @asynccontextmanager
    async def opened(
        self, dialect: Dialect, body: Mapping[str, JsonValue], headers: Mapping[str, str], query: str = ""
    ) -> AsyncIterator[aiohttp.ClientResponse]:
        """The real model's answer, whose body has not come yet. Raises UpstreamError."""
        import aiohttp
        import yarl

        from grice.wire.http import CONNECT_TIMEOUT, proxy_for, shared_session

        if not self.address:
            raise UpstreamError(400, "its address is not given, only a cassette", wrong_setup=True)
        if self.missing_key:
            raise UpstreamError(
                401, f"the environment variable {self.missing_key} is not set", wrong_setup=True
            )
        version = "" if _VERSION.search(self.address) else "/v1"
        url = yarl.URL(f"{self.address}{version}{dialect.route}{'?' if query else ''}{query}")
        try:
            session = await shared_session()
            response = await session.post(
                url,
                data=aiohttp.BytesPayload(msgspec.json.encode(body)),
                headers=self._headers(dialect, headers),
                allow_redirects=False,
                timeout=aiohttp.ClientTimeout(
                    total=None, sock_connect=CONNECT_TIMEOUT, sock_read=READ_TIMEOUT
                ),
                **proxy_for(url),
            )
        except (aiohttp.ClientError, OSError, ValueError) as error:
            raise self.failed(error) from None
        try:
            if 300 <= response.status < 400:
                raise UpstreamError(
                    502,
                    f"{self.address} redirects, which is not followed: it would take the key along",
                    wrong_setup=True,
                )
            yield response
        except (aiohttp.ClientError, TimeoutError) as error:
            raise self.failed(error) from None
        finally:
            response.close()

    def _headers(self, dialect: Dialect, given: Mapping[str, str]) -> dict[str, str]:
        sent = {name: given[name] for name in _SENT_ON if name in given}
        sent |= {"Content-Type": "application/json", "Accept-Encoding": "identity"}
        key = self._key(dialect.name)
        if dialect.name == "anthropic":
            sent.setdefault("anthropic-version", "2023-06-01")
            return sent | ({"x-api-key": key} if key else {})
        return sent | ({"Authorization": f"Bearer {key}"} if key else {})

    def _key(self, dialect: str) -> str:
        return self._environ.get(self.key_name(dialect), "").strip()

    def failed(self, error: BaseException) -> UpstreamError:
        """The error for what aiohttp raised; its own words may hold secrets."""
        import aiohttp

        from grice.wire.http import what_went_wrong

        wrong = isinstance(
            error, aiohttp.ClientConnectorError | aiohttp.InvalidURL | aiohttp.ConnectionTimeoutError
        )
        if isinstance(error, TimeoutError) and not wrong:
            return UpstreamError(504, f"{self.address} did not answer in time")
        return UpstreamError(502, f"{self.address}: {what_went_wrong(error)}", wrong_setup=wrong)

    def without_key(self, raw: bytes, dialect: str) -> bytes:
        """Remove the key from bytes of a reply, in case a server repeats it."""
        key = self._key(dialect)
        if len(key) < SHORTEST_SECRET:
            return raw
        text = raw.decode("utf-8", "surrogateescape")
        hidden = f"[redacted: {self.key_name(dialect)}]".join(re.split(any_form(key), text))
        return raw if hidden == text else hidden.encode("utf-8", "surrogateescape")

    def problem(self, status: int, dialect: str) -> ScriptError | None:
        """Say what a status shows to be wrong with the set-up; None for nothing."""
        if status not in _REFUSED_KEY:
            return None
        name = self.key_name(dialect)
        found = "refused the key in" if self._key(dialect) else "wants a key, and there is none in"
        return ScriptError(f"the real model at {self.address} {found} {name} (status {status})")

    async def ask(self, request: dict[str, JsonValue], dialect: Dialect) -> UpstreamReply:
        """The real model's whole answer, for an agent in this process."""
        sent = {name: value for name, value in request.items() if name not in _STREAM_ONLY}
        async with self.opened(dialect, sent, {}) as response:
            raw = self.without_key(await whole_of(response), dialect.name)
            return answered(raw, response.status)


class UpstreamReply(NamedTuple):
    """The real model's answer: the body of its reply, or what was wrong."""

    status: int
    body: dict[str, JsonValue] | None
    error: str | None


async def whole_of(response: aiohttp.ClientResponse) -> bytes:
    """The whole body. Raises UpstreamError for one that is too long."""
    body = bytearray()
    async for chunk in response.content.iter_any():
        body += chunk
        if len(body) > MAX_REPLY:
            raise UpstreamError(502, f"the real model's reply has more than {MAX_REPLY:,} bytes")
    return bytes(body)


def headers_back(response: aiohttp.ClientResponse) -> dict[str, str]:
    """The headers of an answer that are sent on to the client."""
    return {name: response.headers[name] for name in _SENT_BACK if name in response.headers}


def answered(raw: bytes, status: int) -> UpstreamReply:
    """Read a whole body."""
    try:
        body = msgspec.json.decode(raw)
    except (ValueError, RecursionError):
        body = None
    if status != 200:
        said = body.get("error") if isinstance(body, dict) else None
        said = said.get("message") if isinstance(said, dict) else said
        told = said if isinstance(said, str) else raw[:2_000].decode("utf-8", "replace")
        words = redact_text(" ".join(told.split()))
        return UpstreamReply(status, None, f"the real model answered {status}: {shorten(words, 300)}")
    if not isinstance(body, dict):
        return UpstreamReply(status, None, "the real model's reply is no JSON object")
    return UpstreamReply(status, clean_json(body), None)


def exchange_of(
    request: dict[str, JsonValue],
    dialect: Dialect,
    call: Call | None,
    answer: UpstreamReply,
    duration: float | None,
) -> Exchange:
    """Make the record of an exchange with a real model; its reply goes into the cassette."""
    if call is not None and answer.body is not None and answer.error is None:
        call.record(answer.body)
    status = None if duration is None else answer.status
    return Exchange(request, answer.body, dialect.name, None, duration, answer.error, status)
