"""An agent behind an HTTP endpoint that speaks JSON, or streams server-sent events."""

from __future__ import annotations

import asyncio
import time
import uuid
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import KW_ONLY, dataclass, field
from typing import Any

import msgspec

from grice.agents.chat_turn import ChatTurn
from grice.agents.context import AgentContext
from grice.agents.endpoint import Endpoint
from grice.agents.errors import AgentLoadError, BadReturn
from grice.agents.event_stream import EVENTS, StreamedReply, check_stream, partial, read_events
from grice.agents.http_reply import check_paths, parsed, read_by_paths, read_plain
from grice.agents.response import read_response
from grice.agents.sse import Event
from grice.agents.template import TEXT_NAMES, check_template, fill, names_in
from grice.identity import redact_text
from grice.matching.paths import PathError
from grice.records import AgentResponse, JsonValue, clean_json
from grice.text import did_you_mean, value_text
from grice.wire.addresses import check_address, check_headers, check_number
from grice.wire.environment import Environment
from grice.wire.http import Answer, HttpClient, HttpError, Request
from grice.wire.placeholders import check_text

MAX_BYTES = 10_000_000
DEFAULT_REQUEST: JsonValue = {"message": "${user}", "messages": "${messages}"}

_WRONG_BODY = (400, 422)
_REQUEST_HINT = (
    "It was sent the fields message and messages. Where it wants others, name them in [agent], such as "
    'request = {message = "${user}", session = "${conversation_id}"}'
)
_ROUTE = ("url", "request", "response", "stream")


@dataclass(frozen=True, eq=False, repr=False)
class HttpAgent:
    """An agent that is asked with `POST url`, JSON in and JSON or server-sent events out.

    `request` is the body, with placeholders such as `${user}` and `${messages}`, or a function of the
    ChatTurn. `response` says where the answer is: JSON paths for `text`, `tool_calls` and `data`, or a
    function of the body. `tool_results` is the route for what client-side tools answered: `url` (relative to
    the first), `request`, `response`, `stream`. `headers` and `url` may hold `${env:NAME}`. `stream` reads
    events: paths for `text`, `tool_calls`, `data` and `error`, and what is `done`. Nothing is retried unless
    `retries` says so. An answer of more than `max_bytes` is refused. Raises ValueError for what cannot work.
    """

    url: str
    _: KW_ONLY
    request: JsonValue | Callable[[ChatTurn], JsonValue] = None
    response: Mapping[str, str] | Callable[[Any], Any] | None = None
    tool_results: Mapping[str, Any] | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    stream: Mapping[str, str] | None = None
    retries: int = 0
    max_bytes: int = MAX_BYTES

    def __post_init__(self) -> None:
        check_address(self.url, names=TEXT_NAMES)
        check_headers(self.headers, names=TEXT_NAMES)
        check_number(self.retries, "retries", least=0)
        check_number(self.max_bytes, "max_bytes", least=1)
        _check_route(self.request, self.response, self.stream, "")
        route = self.tool_results
        if route is None:
            return
        if not isinstance(route, Mapping):
            raise ValueError(f"tool_results: expected a route with 'request', found {value_text(route)}")
        for name in route:
            if name not in _ROUTE:
                known = ", ".join(_ROUTE)
                hint = did_you_mean(str(name), _ROUTE)
                raise ValueError(f"tool_results: unknown field {name!r}{hint}; known are {known}")
        check_text(route.get("url", ""), "tool_results.url", names=TEXT_NAMES)
        _check_route(route.get("request"), route.get("response"), route.get("stream"), "tool_results.")

    def __repr__(self) -> str:
        return f"HttpAgent({redact_text(self.url)!r})"

    def build(self, context: AgentContext) -> HttpConversation:
        """The agent for one conversation. Raises AgentLoadError for a variable that is not set."""
        return HttpConversation(self, context)


def _check_route(request: Any, response: Any, stream: Any, prefix: str) -> None:
    if request is not None and not callable(request):
        check_template(request, f"{prefix}request")
    if response is not None and not callable(response):
        check_paths(response, f"{prefix}response")
    if stream is not None:
        check_stream(stream, f"{prefix}stream")


class HttpConversation:
    """One conversation with an HttpAgent."""

    needs_asyncio = True

    def __init__(self, agent: HttpAgent, context: AgentContext) -> None:
        self._agent = agent
        self._context = context
        self._environment = Environment(error=AgentLoadError)
        self._endpoint = Endpoint(agent.url, agent.headers, self._environment)
        self._client = HttpClient(
            retries=agent.retries, max_bytes=agent.max_bytes, hide=self._environment.hide
        )
        self._id = uuid.uuid4().hex

    def metadata(self) -> dict[str, JsonValue]:
        """The agent's entry in the record."""
        return {"type": "http", "url": redact_text(self._agent.url)}

    def chat(self, messages: list[dict[str, Any]]) -> Awaitable[AgentResponse]:
        """The answer to the messages. A `request` that is a function is called before anything is awaited."""
        turn = ChatTurn(messages, self._id, self._context)
        route = self._route(turn)
        if not turn.tool_results:
            self._client.retried.clear()  # a new turn
        template = route["request"]
        body = clean_json(template(turn) if callable(template) else fill(template, turn))
        accept = EVENTS if route["stream"] is not None else "application/json"
        request = self._endpoint.request(turn, msgspec.json.encode(body), route.get("url", ""), accept)
        return self._answer(request, route)

    def _route(self, turn: ChatTurn) -> Mapping[str, Any]:
        """What to send where, and how to read the answer.

        Raises AgentLoadError when what the tools answered would be sent nowhere.
        """
        agent = self._agent
        request = DEFAULT_REQUEST if agent.request is None else agent.request
        route = {"request": request, "response": agent.response, "stream": agent.stream}
        if not turn.tool_results:
            return route
        route |= agent.tool_results or {}
        if not callable(route["request"]) and not names_in(route["request"]) & {"tool_results", "messages"}:
            raise AgentLoadError(
                "the request has neither ${tool_results} nor ${messages}, so what the tools answered would "
                'be lost: add one of them, or give tool_results={"url": ..., "request": ...}'
            )
        return route

    async def _answer(self, request: Request, route: Mapping[str, Any]) -> AgentResponse:
        try:
            if route["stream"] is not None:
                return await self._streamed(request, route)
            return await self._read(request, await self._client.post(request), route["response"])
        except (BadReturn, PathError) as error:
            raise BadReturn(self._environment.hide(str(error))) from None
        except HttpError as error:
            if self._agent.request is None and error.status in _WRONG_BODY:
                error.args = (f"{error}\n{_REQUEST_HINT}",)
            raise

    async def _read(self, request: Request, answer: Answer, response: Any) -> AgentResponse:
        body = parsed(request, answer, self._environment.hide)
        if callable(response):
            read = read_response(await asyncio.to_thread(_called, response, body))
        else:
            hide = self._environment.hide
            read = read_plain(body, hide) if response is None else read_by_paths(body, response, hide)
        return msgspec.structs.replace(read, metadata={**read.metadata, **self._told({})})

    async def _streamed(self, request: Request, route: Mapping[str, Any]) -> AgentResponse:
        started = time.monotonic()
        reply = StreamedReply(route["stream"])
        metadata: dict[str, JsonValue] = {}

        def take(event: Event) -> bool:
            reply.take(event)
            if not metadata and reply.text:
                metadata["first_text_seconds"] = time.monotonic() - started
            return reply.ended

        async with self._client.stream(request) as answer:
            if "json" in answer.content_type and route["response"] is not None:
                return await self._read(request, await answer.whole(), route["response"])
            cut = await read_events(answer, take, lambda: partial(reply.text), self._environment.hide)
        if not reply.complete:
            inside = ", in the middle of an event" if cut else ""
            done = value_text(route["stream"]["done"])
            raise BadReturn(f"the stream ended without {done}{inside}{partial(reply.text)}")
        return reply.response(self._told(metadata))

    def _told(self, metadata: dict[str, JsonValue]) -> dict[str, JsonValue]:
        """The metadata, with all retries of this turn."""
        return {**metadata, "retries": list(self._client.retried)} if self._client.retried else metadata


def _called(response: Callable[[Any], Any], body: JsonValue) -> Any:
    """What a user's function makes of the body. A StopIteration would never reach the loop."""
    try:
        return response(body)
    except StopIteration as error:
        raise RuntimeError("the function given as response raised StopIteration") from error
