"""One request to the stub: its sender, its question, its answer."""

from __future__ import annotations

import asyncio
import json
import re
import socket
import struct
from collections.abc import Awaitable, Callable, Iterable, Sequence
from concurrent.futures import Future
from functools import partial
from typing import Any, NamedTuple

import msgspec
from aiohttp import web

from grice.records import Exchange, JsonValue, clean_json, clean_text
from grice.text import did_you_mean, shorten
from grice.wire.blocking_calls import in_own_thread
from grice.wire.dialects import DIALECTS, EMBEDDINGS_DIALECT, Dialect
from grice.wire.errors import BadModelRequest, ScriptError, hangs, status_of
from grice.wire.model_protocols import ScriptedAnswer, ServedModel
from grice.wire.replies import Fault, ModelReply
from grice.wire.stream_pieces import used_tokens
from grice.wire.stub_access import Keys, is_web_page, wrong_host
from grice.wire.upstream import Upstream

MAX_BODY = 32_000_000

READ_TIMEOUT = 60.0

UNSCRIPTED = 400  # a status that no SDK retries

_CONVERSATION = re.compile(r"/c/([\w.~-]{1,128})(?=/|$)")

_BY_ROUTE = {dialect.route: dialect for dialect in DIALECTS.values()}

_COUNT, _EMBEDDINGS, _MODELS = "/messages/count_tokens", "/embeddings", "/models"

_POSTS = (*_BY_ROUTE, _COUNT, _EMBEDDINGS)

ROUTES = (*(f"POST /v1{route}" for route in _POSTS), f"GET /v1{_MODELS}")

"""The routes below every address, for people."""


class Seat(NamedTuple):
    """The sender of a request: the model at its address if any, and whether the address is fixed."""

    model: ServedModel | None
    fixed: bool


class Refused(Exception):
    """A request that is answered with an error; `told` says whether the conversation records it."""

    def __init__(self, status: int, message: str, *, told: bool = True) -> None:
        super().__init__(message)
        self.status = status
        self.told = told


PassOn = Callable[
    [web.BaseRequest, Upstream, ServedModel, dict[str, JsonValue], Dialect, Callable[[], float]],
    Awaitable[web.StreamResponse],
]


class Handler:
    """Answers requests.

    `seat` finds the model for a local port and the conversation's id in the path; it may make one for a new
    id when its third argument says so. `pass_on` asks a real model in place of the script.
    """

    def __init__(
        self,
        seat: Callable[[int, str | None, bool], Seat],
        keys: set[str],
        max_body: int,
        clock: Callable[[], float],
        pass_on: PassOn,
    ) -> None:
        self._seat = seat
        self._pass_on = pass_on
        self.keys = Keys(keys)
        self._max_body = max_body
        self._clock = clock

    async def __call__(self, request: web.BaseRequest) -> web.StreamResponse:
        """The response to a request."""
        found = _CONVERSATION.match(request.path)
        id_ = found[1] if found is not None else None
        route = request.path[found.end() if found is not None else 0 :].removeprefix("/v1").rstrip("/")
        seat = Seat(None, fixed=False)
        try:
            if is_web_page(request):
                raise Refused(403, "no web page of another site may ask", told=False)
            wrong_key, wrong = self.keys.wrong(request), wrong_host(request)
            seat = self._seat(_port_of(request), id_, not (wrong_key or wrong))
            if wrong:
                raise Refused(403, wrong, told=not wrong_key)
            if id_ is None and not route and request.method == "GET":
                response: web.StreamResponse = web.json_response({"server": "grice stub", "routes": ROUTES})
            elif wrong_key:
                raise Refused(401, wrong_key, told=request.method == "POST" and route in _POSTS)
            else:
                response = await self._answer(request, route, seat, id_)
        except Refused as refused:
            if refused.told and seat.model is not None:
                what = f"{request.method} /v1{shorten(route, 100)}: {refused}"
                seat.model.add_problem(BadModelRequest(f"the agent sent its model a bad request: {what}"))
            response = error_response(route, refused.status, str(refused))
        except Exception as error:  # a reply that cannot be sent; the agent must not be able to hide it
            what = f"{type(error).__name__}: {error}"
            if seat.model is not None:
                seat.model.add_problem(ScriptError(f"the stub cannot send the scripted reply: {what}"))
            response = error_response(route, 500, what)
        if seat.fixed:
            response.force_close()  # the next conversation at this address must not inherit the connection
        return await deliver(request, response)

    async def _answer(
        self, request: web.BaseRequest, route: str, seat: Seat, id_: str | None
    ) -> web.StreamResponse:
        started = self._clock()
        model = seat.model
        if model is None:
            what = f"conversation {id_!r}" if id_ is not None else "conversation"
            raise Refused(404, f"no {what} runs at this address, or it has ended")
        if request.method == "GET" and (route == _MODELS or route.startswith(f"{_MODELS}/")):
            return web.json_response(_models(route.removeprefix(_MODELS).lstrip("/")))
        dialect = _BY_ROUTE.get(route)
        if request.method != "POST" or (dialect is None and route not in (_COUNT, _EMBEDDINGS)):
            raise _unknown(request.method, route)
        body = await self._body(request)
        if route == _COUNT:
            return web.json_response({"input_tokens": used_tokens(body, ModelReply(()))[0]})
        elapsed = partial(self._elapsed, started)
        upstream = model.pass_on()
        if upstream is not None:
            dialect = dialect or EMBEDDINGS_DIALECT
            return await self._pass_on(request, upstream, model, body, dialect, elapsed)
        if dialect is None:
            return _embeddings(model, body, elapsed)
        return await self._scripted(request, model, body, dialect, elapsed)

    async def _scripted(
        self,
        request: web.BaseRequest,
        model: ServedModel,
        body: dict[str, JsonValue],
        dialect: Dialect,
        elapsed: Callable[[], float],
    ) -> web.StreamResponse:
        take = partial(model.take, body, dialect, elapsed=elapsed)
        if model.otherwise is None or model.unused:
            return await send(request, take(), dialect, model, elapsed)
        outcome = in_own_thread(take)  # somebody's function, which may take its time
        try:
            taken = await asyncio.wrap_future(outcome)
        except asyncio.CancelledError:
            outcome.add_done_callback(partial(_left, model, elapsed()))
            raise
        except Exception as error:
            _note_raised(model, error)
            return error_response(dialect.route, UNSCRIPTED, f"{type(error).__name__}: {error}")
        return await send(request, taken, dialect, model, elapsed)

    def _elapsed(self, started: float) -> float:
        return self._clock() - started

    async def _body(self, request: web.BaseRequest) -> dict[str, JsonValue]:
        try:
            async with asyncio.timeout(READ_TIMEOUT):
                if request.headers.get("Expect", "").lower() == "100-continue":
                    await request.writer.write(b"HTTP/1.1 100 Continue\r\n\r\n")
                    request.writer.output_size = 0  # the reply itself has not begun
                raw = await request.read()
        except web.HTTPRequestEntityTooLarge:
            raise Refused(413, f"the request has more than {self._max_body} bytes") from None
        except TimeoutError:
            raise Refused(408, f"the request did not arrive within {READ_TIMEOUT:g} s") from None
        except (web.HTTPException, web.RequestPayloadError, ValueError) as error:
            said = " ".join(str(error).split())
            raise Refused(400, f"the request cannot be read: {said}") from None
        try:
            body = msgspec.json.decode(raw)
        except (ValueError, RecursionError) as error:
            if _halves_a_pair(raw):
                what = (
                    "the request is not JSON: it holds half of a surrogate pair, such as an emoji cut in two"
                )
                raise Refused(400, what) from None
            shown = clean_text(shorten(raw[:500].decode("utf-8", "replace"), 200))
            raise Refused(400, f"the request is not JSON ({error}): {shown!r}") from None
        if not isinstance(body, dict):
            raise Refused(400, f"the request is no JSON object, found {type(body).__name__}")
        cleaned: dict[str, JsonValue] = clean_json(body)
        return cleaned


def _halves_a_pair(raw: bytes) -> bool:
    """Whether all that is wrong with a JSON text is half of a surrogate pair, as JavaScript may write it."""
    try:
        json.dumps(json.loads(raw), ensure_ascii=False, allow_nan=False).encode()
    except UnicodeEncodeError:
        return True
    except (ValueError, RecursionError):
        return False
    return False


def _port_of(request: web.BaseRequest) -> int:
    address = request.transport.get_extra_info("sockname") if request.transport is not None else None
    return int(address[1]) if address else 0


def _unknown(method: str, route: str) -> Refused:
    asked = f"{method} /v1{route}"
    known = ", ".join(ROUTES)
    hint = did_you_mean(asked, ROUTES)
    return Refused(
        404, f"there is no route {shorten(asked, 200)}{hint}; there are {known}", told=method == "POST"
    )


def _note_raised(model: ServedModel, error: BaseException) -> None:
    model.add_problem(ScriptError(f"the script's `otherwise` raised {type(error).__name__}: {error}"))


def _left(model: ServedModel, waited: float, outcome: Future[ScriptedAnswer]) -> None:
    """Note what came of a request whose client went away after so many seconds without a reply."""
    error = outcome.exception()
    if error is None:
        model.settle(model.amend(outcome.result().exchange, error=GONE, duration=waited))
    else:
        _note_raised(model, error)


def _embeddings(
    model: ServedModel, body: dict[str, JsonValue], elapsed: Callable[[], float]
) -> web.StreamResponse:
    try:
        return web.json_response(model.embed(body, elapsed=elapsed))
    except ValueError as error:
        raise Refused(400, str(error)) from None


def _models(name: str) -> dict[str, Any]:
    """The list of models, or one of them, in the shape of both providers."""

    def shown(id_: str) -> dict[str, Any]:
        made = {"created": 0, "created_at": "1970-01-01T00:00:00Z"}
        return {
            "id": id_,
            "object": "model",
            "type": "model",
            "display_name": id_,
            "lifecycle": "active",
            "owned_by": "grice",
            **made,
        }

    if name:
        return shown(name)
    ends = {"has_more": False, "first_id": "scripted", "last_id": "scripted"}
    return {"object": "list", "data": [shown("scripted")], **ends}


def error_response(route: str, status: int, message: str) -> web.Response:
    """An error in the dialect of the route; no SDK retries it."""
    dialect = _BY_ROUTE.get(route.removesuffix("/count_tokens"), DIALECTS["openai_chat"])
    headers = {"x-should-retry": "false"}
    return web.json_response(dialect.error_body(status, message), status=status, headers=headers)


GONE = "the client went away before the reply came"

SENDING = 30.0

"""Seconds in which a client must read a reply."""

HANGING = 3_600.0

_NO_LINGER = struct.pack("ii", 1, 0)  # close() then sends RST


async def send(
    request: web.BaseRequest,
    taken: ScriptedAnswer,
    dialect: Dialect,
    model: ServedModel,
    elapsed: Callable[[], float],
) -> web.StreamResponse:
    """Send the script's answer.

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
    """Send the rest of an answer, and cut off a client that does not read it."""
    try:
        async with asyncio.timeout(SENDING):
            await response.prepare(request)
            await response.write_eof()
    except TimeoutError:
        cut(request)
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
        """Record that the exchange took until now, and what went wrong with it."""
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
        cut(request)
    except (OSError, asyncio.CancelledError) as error:
        record.took(f"the client went away after {sent} of {len(frames)} events")
        if isinstance(error, asyncio.CancelledError):
            raise
    return response


async def _go_wrong(
    request: web.BaseRequest, taken: ScriptedAnswer, dialect: Dialect, record: _Record, *, streams: bool
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
    request: web.BaseRequest, body: dict[str, Any], taken: ScriptedAnswer, dialect: Dialect, *, streams: bool
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


def cut(request: web.BaseRequest) -> None:
    """End the connection at once, as if the server had crashed."""
    if request.transport is not None:
        request.transport.abort()
