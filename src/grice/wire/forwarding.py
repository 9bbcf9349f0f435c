"""Forward a request to the stub to a real model, and its reply as it comes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from aiohttp import ClientError, ClientResponse, web

from grice.records import Exchange, JsonValue, clean_json
from grice.wire.dialects import Dialect
from grice.wire.errors import ScriptError
from grice.wire.model_protocols import ScriptedAnswer, ServedModel
from grice.wire.stream_assembly import Assembly, EventSplitter
from grice.wire.stub_requests import GONE, SENDING, cut, error_response, send
from grice.wire.upstream import (
    MAX_REPLY,
    Upstream,
    UpstreamError,
    UpstreamReply,
    answered,
    exchange_of,
    headers_back,
    whole_of,
)

if TYPE_CHECKING:
    from grice.wire.cassettes import Call


async def pass_on(
    request: web.BaseRequest,
    upstream: Upstream,
    model: ServedModel,
    body: dict[str, JsonValue],
    dialect: Dialect,
    elapsed: Callable[[], float],
) -> web.StreamResponse:
    """Answer a request from the cassette or the real model; `elapsed` gives the seconds since it came."""
    return await _Passage(upstream, model, body, dialect, elapsed).answer(request)


class _Passage:
    """Passes one request on. The exchange is recorded before the client has the end of the reply."""

    def __init__(
        self,
        upstream: Upstream,
        model: ServedModel,
        body: dict[str, JsonValue],
        dialect: Dialect,
        elapsed: Callable[[], float],
    ) -> None:
        self._upstream = upstream
        self._model = model
        self._body = body
        self._dialect = dialect
        self._elapsed = elapsed
        self._call: Call | None = None
        self._exchange: Exchange | None = None

    async def answer(self, request: web.BaseRequest) -> web.StreamResponse:
        """Answer from the cassette or the real model."""
        try:
            self._call = self._upstream.begin(self._body, self._dialect)
        except ScriptError as error:  # a status that no SDK retries
            self._model.add_problem(error)
            self._keep(UpstreamReply(400, None, str(error)))
            return error_response(self._dialect.route, 400, str(error))
        if self._call is not None and self._call.replayed:
            body: Any = self._call.response
            exchange = self._keep(UpstreamReply(200, body, None), settled=False)
            return await send(
                request, ScriptedAnswer(body, None, 0.0, exchange), self._dialect, self._model, self._elapsed
            )
        try:
            return await self._passed_on(request)
        except UpstreamError as error:
            if error.wrong_setup:
                self._model.add_problem(ScriptError(f"the real model cannot be asked: {error}"))
            self._keep(UpstreamReply(error.status, None, str(error)))
            return error_response(self._dialect.route, error.status, str(error))
        except asyncio.CancelledError:
            self._keep(UpstreamReply(200, None, GONE))
            raise

    def _keep(self, answer: UpstreamReply, *, settled: bool = True) -> Exchange:
        """Record the exchange, once."""
        if self._exchange is None:
            self._exchange = exchange_of(self._body, self._dialect, self._call, answer, self._elapsed())
            self._model.keep(self._exchange)
            if settled:
                self._model.settle(self._exchange)
        return self._exchange

    async def _passed_on(self, request: web.BaseRequest) -> web.StreamResponse:
        query = "beta=true" if request.query.get("beta") == "true" else ""
        async with self._upstream.opened(self._dialect, self._body, request.headers, query) as response:
            if response.status == 200 and response.content_type == "text/event-stream":
                return await self._streamed(request, response)
            raw = self._upstream.without_key(await whole_of(response), self._dialect.name)
            problem = self._upstream.problem(response.status, self._dialect.name)
            if problem is not None:
                self._model.add_problem(problem)
            self._keep(answered(raw, response.status))
            return web.Response(body=raw, status=response.status, headers=headers_back(response))

    async def _streamed(self, request: web.BaseRequest, source: ClientResponse) -> web.StreamResponse:
        """The events as they come, each whole. A stream that breaks off breaks off for the client too."""
        response = web.StreamResponse(headers={**headers_back(source), "Cache-Control": "no-store"})
        assembly, splitter = Assembly(self._dialect.name), EventSplitter()
        sent = size = 0
        try:
            async with asyncio.timeout(SENDING):
                await response.prepare(request)
            async for chunk in source.content.iter_any():
                size += len(chunk)
                if size > MAX_REPLY:
                    raise UpstreamError(502, f"the stream has more than {MAX_REPLY:,} bytes")
                for event in splitter.add(chunk):
                    await self._pass_event(event, assembly, request, response)
                    sent += 1
            if splitter.rest:
                await self._pass_event(splitter.rest, assembly, request, response)
            self._keep(_whole(assembly))
            async with asyncio.timeout(SENDING):
                await response.write_eof()
        except (ClientError, UpstreamError, TimeoutError) as error:
            told = error if isinstance(error, UpstreamError) else self._upstream.failed(error)
            self._keep(UpstreamReply(200, None, f"the stream broke off after {sent} events: {told}"))
            cut(request)
        except (OSError, asyncio.CancelledError) as error:
            self._keep(UpstreamReply(200, None, f"the client went away after {sent} events"))
            if isinstance(error, asyncio.CancelledError):
                raise
        return response

    async def _pass_event(
        self, event: bytes, assembly: Assembly, request: web.BaseRequest, response: web.StreamResponse
    ) -> None:
        event = self._upstream.without_key(event, self._dialect.name)
        assembly.add(event)
        if assembly.ended:
            self._keep(_whole(assembly))
        try:
            async with asyncio.timeout(SENDING):
                await response.write(event)
        except TimeoutError:  # apart from one of the real model
            cut(request)
            raise ConnectionError from None


def _whole(assembly: Assembly) -> UpstreamReply:
    """What the events of a stream come to."""
    body = assembly.body()
    wrong = assembly.wrong or (None if body is not None else "the stream ended before the reply was complete")
    return UpstreamReply(200, None if wrong else clean_json(body), wrong)
