"""Forward a request to the stub to a real model, and its reply as it comes."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import msgspec
from aiohttp import ClientError, ClientResponse, web

from grice.records import Exchange, JsonValue, clean_json
from grice.wire.dialects import Dialect
from grice.wire.errors import ScriptError
from grice.wire.model_protocols import ScriptedAnswer, ServedModel
from grice.wire.openai_chat import DONE
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


_END = re.compile(rb"\r?\n\r?\n")
_LAST = {"message_stop", "response.completed", "response.incomplete", "response.failed"}
_PIECES = {
    "text_delta": "text",
    "thinking_delta": "thinking",
    "signature_delta": "signature",
    "input_json_delta": "partial_json",
}


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


class EventSplitter:
    """Cuts the bytes of a stream into its events, each with the blank line after it."""

    def __init__(self) -> None:
        self.rest = b""
        """What has no blank line behind it yet."""

    def add(self, chunk: bytes) -> Iterator[bytes]:
        """The events that are complete with this chunk."""
        self.rest += chunk
        begun = 0
        for found in _END.finditer(self.rest):
            yield self.rest[begun : found.end()]
            begun = found.end()
        self.rest = self.rest[begun:]


class Assembly:
    """The events of one stream in a dialect. `wrong` says what was wrong in it, "" when nothing was.

    `ended` says whether the event came with which the dialect ends a reply.
    """

    def __init__(self, dialect: str) -> None:
        self.wrong = ""
        self.ended = False
        self._events: list[dict[str, Any]] = []
        self._body = _BODIES[dialect]

    def add(self, event: bytes) -> None:
        """Read one event; comments and events without data say nothing."""
        lines = event.decode("utf-8", "replace").splitlines()
        data = "\n".join(line[5:].removeprefix(" ") for line in lines if line.startswith("data:"))
        if data.strip() == DONE:
            self.ended = True
        elif data:
            try:
                said = msgspec.json.decode(data)
            except (ValueError, RecursionError):
                self.wrong = self.wrong or "an event of the stream is not JSON"
                return
            if isinstance(said, dict):
                self._read(said)

    def _read(self, said: dict[str, Any]) -> None:
        self._events.append(said)
        self.ended = self.ended or said.get("type") in _LAST
        response = said.get("response")
        error = said.get("error") or (response.get("error") if isinstance(response, dict) else None)
        if error or said.get("type") == "error":
            told = error.get("message", error) if isinstance(error, dict) else error or said.get("message")
            self.wrong = self.wrong or f"the stream ended with an error: {told}"

    def body(self) -> dict[str, Any] | None:
        """The body of the whole reply; None when the stream broke off, or is not of the dialect."""
        try:
            return self._body(self._events)
        except (KeyError, IndexError, TypeError, AttributeError, ValueError):
            return None


def _chat(events: list[dict[str, Any]]) -> dict[str, Any] | None:
    choices: dict[int, dict[str, Any]] = {}
    usage = None
    for chunk in events:
        usage = chunk.get("usage") or usage
        for part in chunk.get("choices") or ():
            number = part.get("index", 0)
            choice = choices.setdefault(number, {"index": number, "message": {}, "finish_reason": None})
            _add_delta(choice["message"], part.get("delta") or {})
            if "logprobs" in part:
                choice["logprobs"] = _joined(choice.get("logprobs"), part["logprobs"])
            choice["finish_reason"] = part.get("finish_reason") or choice["finish_reason"]
    if not choices or any(choice["finish_reason"] is None for choice in choices.values()):
        return None
    for choice in choices.values():
        choice["message"].setdefault("role", "assistant")
        choice["message"].setdefault("content", None)
    head = {name: value for name, value in events[0].items() if name not in ("choices", "usage", "object")}
    body = {**head, "object": "chat.completion", "choices": [choices[one] for one in sorted(choices)]}
    return body | ({"usage": usage} if usage else {})


def _joined(known: dict[str, Any] | None, more: dict[str, Any] | None) -> dict[str, Any] | None:
    """The log probabilities of a reply with those of one more chunk."""
    if not known or not more:
        return known or more
    return known | {name: [*(known.get(name) or ()), *(told or ())] for name, told in more.items()}


def _add_delta(message: dict[str, Any], delta: Mapping[str, Any]) -> None:
    """Add what a chunk says: texts go behind the text that is there, calls to the call of their number."""
    for name, value in delta.items():
        if name == "tool_calls":
            calls = message.setdefault("tool_calls", [])
            for part in value or ():
                place = part.get("index", len(calls))
                while len(calls) <= place:
                    calls.append({"id": "", "type": "function", "function": {"name": "", "arguments": ""}})
                call, function = calls[place], part.get("function") or {}
                call["id"] = part.get("id") or call["id"]
                call["function"]["name"] += function.get("name") or ""
                call["function"]["arguments"] += function.get("arguments") or ""
        elif name == "role":
            message["role"] = value or message.get("role")
        elif isinstance(value, str):
            message[name] = (message.get(name) or "") + value
        elif value is not None or name not in message:
            message[name] = value


def _anthropic(events: list[dict[str, Any]]) -> dict[str, Any] | None:
    body: dict[str, Any] = {}
    blocks: dict[int, dict[str, Any]] = {}
    whole = False
    for event in events:
        match event.get("type"):
            case "message_start":
                body = dict(event["message"])
            case "content_block_start":
                blocks[event["index"]] = dict(event["content_block"])
            case "content_block_delta":
                _add_piece(blocks[event["index"]], event["delta"])
            case "message_delta":
                body |= event["delta"]
                body["usage"] = {**body.get("usage", {}), **(event.get("usage") or {})}
            case "message_stop":
                whole = True
    content = [_finished(blocks[place]) for place in sorted(blocks)]
    return {**body, "content": content} if whole else None


def _add_piece(block: dict[str, Any], delta: Mapping[str, Any]) -> None:
    name = _PIECES.get(delta["type"])
    if name is not None:
        block[name] = block.get(name, "") + delta[name]
    elif delta["type"] == "citations_delta":
        block["citations"] = [*(block.get("citations") or ()), delta["citation"]]


def _finished(block: dict[str, Any]) -> dict[str, Any]:
    """A block whose input came in pieces; one that is no JSON stays a text."""
    text = block.pop("partial_json", None)
    if text:
        try:
            block["input"] = msgspec.json.decode(text)
        except (ValueError, RecursionError):
            block["input"] = text
    return block


def _responses(events: list[dict[str, Any]]) -> dict[str, Any] | None:
    last = events[-1]
    return last["response"] if last.get("type") in _LAST else None


_BODIES: dict[str, Callable[[list[dict[str, Any]]], dict[str, Any] | None]] = {
    "openai_chat": _chat,
    "anthropic": _anthropic,
    "openai_responses": _responses,
}
