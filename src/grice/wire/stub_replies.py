"""What goes back over HTTP: whole replies, streams, and the faults that a script asks for."""

from __future__ import annotations

import asyncio
import socket
import struct
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import msgspec
from aiohttp import web

from grice.records import Exchange
from grice.wire.dialects import Dialect
from grice.wire.errors import hangs, status_of
from grice.wire.replies import Fault, ModelReply
from grice.wire.served import ServedModel, Taken

__all__ = ["GONE", "deliver", "send"]

GONE = "the client went away before the reply came"

SENDING = 30.0
"""Seconds in which a client must read a reply."""

HANGING = 3_600.0
_NO_LINGER = struct.pack("ii", 1, 0)  # close() then sends RST


async def send(
    request: web.BaseRequest,
    taken: Taken,
    dialect: Dialect,
    model: ServedModel,
    elapsed: Callable[[], float],
) -> web.StreamResponse:
    """Send what the script says.

    The exchange is recorded already, because the agent may act on the reply at once. A client that goes away
    before the end is noted in it, and how long a stream or the wait for no answer took. `elapsed` gives the
    seconds since the request came.
    """
    record = _Record(model, taken.exchange, elapsed)
    try:
        try:
            if taken.delay:
                await asyncio.sleep(taken.delay)
        except asyncio.CancelledError:
            record.took(GONE)
            raise
        streams = taken.exchange.request.get("stream") is True
        if taken.body is None:
            assert taken.wrong is not None
            return await _go_wrong(request, taken, dialect, record, streams=streams)
        if not streams:
            return _json(taken.body)
        frames = list(_frames(dialect.events(taken.body, taken.exchange.request)))
        return await _stream(request, frames, record)
    finally:
        record.settle()


async def deliver(request: web.BaseRequest, response: web.StreamResponse) -> web.StreamResponse:
    """Send what is not sent yet, and cut off a client that does not read it."""
    try:
        async with asyncio.timeout(SENDING):
            await response.prepare(request)
            await response.write_eof()
    except TimeoutError:
        _cut(request)
    except OSError:
        pass  # the client went away, which aiohttp sees too
    return response


class _Record:
    """The record of an exchange while its reply is sent."""

    def __init__(self, model: ServedModel, exchange: Exchange, elapsed: Callable[[], float]) -> None:
        self._model = model
        self._exchange = exchange
        self._elapsed = elapsed

    def took(self, error: str | None = None) -> None:
        """Note that the exchange took until now, and what went wrong with it."""
        self._exchange = self._model.amend(self._exchange, error=error, duration=self._elapsed())

    def settle(self) -> None:
        """Note that the exchange is over."""
        self._model.settle(self._exchange)


async def _stream(request: web.BaseRequest, frames: Sequence[bytes], record: _Record) -> web.StreamResponse:
    response = web.StreamResponse(headers={"Content-Type": "text/event-stream", "Cache-Control": "no-store"})
    sent = 0
    try:
        async with asyncio.timeout(SENDING):
            await response.prepare(request)
            for frame in frames:
                if sent == len(frames) - 1:
                    record.took()  # before the agent knows that the reply is complete
                await response.write(frame)
                sent += 1
            await response.write_eof()
    except TimeoutError:
        record.took(f"the client read {sent} of {len(frames)} events within {SENDING:g} s")
        _cut(request)
    except (OSError, asyncio.CancelledError) as error:
        record.took(f"the client went away after {sent} of {len(frames)} events")
        if isinstance(error, asyncio.CancelledError):
            raise
    return response


async def _go_wrong(
    request: web.BaseRequest, taken: Taken, dialect: Dialect, record: _Record, *, streams: bool
) -> web.StreamResponse:
    match taken.wrong:
        case Fault() | TimeoutError() as wrong if hangs(wrong):
            try:
                await asyncio.sleep(HANGING)
            finally:
                record.took()
        case Fault(kind="reset") | ConnectionError():
            _reset(request)
        case Fault(kind="malformed"):
            return _malformed(dialect, streams=streams)
        case Fault(kind="half_stream", reply=reply) if reply is not None:
            whole = dialect.reply_body(reply, taken.exchange.request, 1)
            return await _half(request, whole, taken, dialect, streams=streams)
        case Fault() as fault:
            headers = {} if fault.retry_after is None else {"Retry-After": f"{fault.retry_after:g}"}
            return _json(dialect.error_body(fault.status, fault.message), fault.status, headers)
        case error:
            status = status_of(error) or 500  # type: ignore[arg-type]
            message = str(error) or type(error).__name__
            return _json(dialect.error_body(status, message), status, {"x-should-retry": "false"})
    return web.Response(status=500)  # nobody reads it: the connection is gone


async def _half(
    request: web.BaseRequest, body: dict[str, Any], taken: Taken, dialect: Dialect, *, streams: bool
) -> web.StreamResponse:
    """Half of a reply; then the connection ends, before the length or the chunks that were promised."""
    response = web.StreamResponse()
    if streams:
        response.content_type = "text/event-stream"
        frames: Sequence[bytes] = list(_frames(dialect.events(body, taken.exchange.request)))
        half = b"".join(frames[: max(1, len(frames) // 2)])
    else:
        response.content_type = "application/json"
        encoded = msgspec.json.encode(body)
        response.content_length = len(encoded)
        half = encoded[: len(encoded) // 2]
    await response.prepare(request)
    await response.write(half)
    if request.transport is not None:
        request.transport.close()
    return response


def _malformed(dialect: Dialect, *, streams: bool) -> web.Response:
    if streams:  # under the name of a real event, for clients that pass over those they do not know
        name, _ = next(dialect.events(dialect.reply_body(ModelReply(("",)), {}, 1), {}))
        frames = b"".join(_frames([(name, '{"broken": ')]))
        return web.Response(body=frames, content_type="text/event-stream")
    return web.Response(body=b'{"broken": ', content_type="application/json")


def _json(body: dict[str, Any], status: int = 200, headers: dict[str, str] | None = None) -> web.Response:
    return web.Response(
        body=msgspec.json.encode(body), status=status, headers=headers, content_type="application/json"
    )


def _frames(events: Iterable[tuple[str, object]]) -> Iterable[bytes]:
    for name, event in events:
        data = event.encode() if isinstance(event, str) else msgspec.json.encode(event)
        yield (b"event: %b\n" % name.encode() if name else b"") + b"data: %b\n\n" % data


def _reset(request: web.BaseRequest) -> None:
    if request.transport is not None:
        held = request.transport.get_extra_info("socket")
        if held is not None:
            held.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _NO_LINGER)
        request.transport.abort()


def _cut(request: web.BaseRequest) -> None:
    if request.transport is not None:
        request.transport.abort()
