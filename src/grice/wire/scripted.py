"""A model that answers from a script and records every request.

The seam is `ScriptedModel.take`: a JSON request in, what the script says to it out. Clients, the transport
and the stub server are doors to it.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from grice.records import Exchange, JsonValue, clean_json
from grice.text import did_you_mean, value_text
from grice.wire.blocking_calls import in_own_thread
from grice.wire.dialects import EMBEDDINGS, EMBEDDINGS_DIALECT, SINK, Dialect, ExchangeSink, dialect_named
from grice.wire.errors import (
    ModelFault,
    ScriptError,
    UnofferedCall,
    UnscriptedRequest,
    UnusedReplies,
    hangs,
    status_of,
)
from grice.wire.model_protocols import ScriptedAnswer
from grice.wire.replies import Fault, ModelReply, ToolUse, read_reply

if TYPE_CHECKING:
    from grice.wire.clients import AnthropicClient, AsyncAnthropicClient, AsyncOpenAIClient, OpenAIClient
    from grice.wire.upstream import Upstream


Entry = ModelReply | Fault | BaseException

_TYPES: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "array": (list,),
    "object": (dict,),
    "null": (type(None),),
}


class ScriptedModel:
    """A model that gives the scripted replies one after the other and records each request.

    A reply is a text, a `tool_use(...)`, a list of these and of content blocks, a whole reply body, a
    `Fault`, or an exception to raise. `otherwise`, a function from the Exchange (without reply) to such a
    reply, answers once the script has run out. `url` and `key` are its address and API key over HTTP;
    `client`, `async_client` (Anthropic), `openai_client` and `async_openai_client` look like the SDKs';
    `transport` takes an Anthropic request as a dict and returns the reply as one. An unscripted request
    raises UnscriptedRequest in the agent and fails the conversation even when the agent hides it; so do
    replies that were never asked for. It may be asked from several threads. `settled` is told each exchange
    over HTTP once its record changes no more. A scripted call of a tool that the request does not offer, or
    with arguments that the tool's schema refuses, is an UnofferedCall in the same way, unless `unoffered` is
    "allow".
    """

    def __init__(
        self,
        *replies: object,
        otherwise: Callable[[Exchange], object] | None = None,
        unoffered: Literal["error", "allow"] = "error",
    ) -> None:
        self.unoffered = unoffered
        self.exchanges: list[Exchange] = []
        self.sink: ExchangeSink | None = None
        self.problems: list[ScriptError] = []
        self.otherwise = otherwise
        self.settled: Callable[[Exchange], None] | None = None
        self.upstream: Upstream | None = None
        """The real model that is asked where nothing is scripted."""
        self._script: deque[Entry] = deque()
        self._asked = 0
        self._scripted = 0
        self._lock = threading.Lock()
        self.script(*replies)

    def join(self, sink: ExchangeSink) -> None:
        """Record for this conversation from now on. Raises ValueError in the middle of another one's turn."""
        if self.sink is not None and self.sink is not sink and self.sink.running:
            raise ValueError(
                "this scripted model is in the middle of a turn of another conversation: give each "
                "conversation that goes on at the same time a ScriptedModel of its own"
            )
        self.sink = sink

    def leave(self, sink: ExchangeSink) -> None:
        """Stop recording for this conversation."""
        if self.sink is sink:
            self.sink = None

    def script(self, *replies: object) -> None:
        """Append replies to the script. Raises TypeError for what is no reply."""
        self._script.extend([read_reply(reply) for reply in replies])
        self._scripted += len(replies)

    @property
    def asked(self) -> int:
        """The number of requests, those for embeddings aside."""
        return self._asked

    @property
    def unused(self) -> int:
        """The number of scripted replies that were not asked for yet."""
        return len(self._script)

    def drop_unused(self) -> int:
        """Drop the replies that were not asked for; their number."""
        count = len(self._script)
        self._script.clear()
        return count

    def pass_on(self) -> Upstream | None:
        """The real model for the next request, which is counted; None where the script answers."""
        if self.upstream is None or self._scripted or self.otherwise is not None:
            return None
        with self._lock:
            self._asked += 1
        return self.upstream

    def verify(self) -> None:
        """Raise UnscriptedRequest, BadModelRequest or UnusedReplies when script and requests did not fit."""
        if self.problems:
            raise self.problems[0]
        self.verify_used()

    def verify_used(self) -> None:
        """Raise UnusedReplies when a scripted reply was not asked for."""
        if self._script:
            raise UnusedReplies(
                f"{len(self._script)} of {self._scripted} scripted model replies were never asked for; "
                f"the next one was {_described(self._script[0])}"
            )

    # -- being asked

    def respond(self, request: Mapping[str, Any], dialect: str = "anthropic") -> dict[str, JsonValue]:
        """The next scripted reply to a request in that dialect.

        Raises UnscriptedRequest, ModelFault for a scripted Fault, and a scripted exception as it is.
        """
        kept = clean_json(request)
        if not isinstance(kept, dict):
            raise TypeError(f"a request to a model is a mapping, found {value_text(request)}")
        upstream = self.pass_on()
        if upstream is not None:
            return self._passed_on(upstream, kept, dialect_named(dialect))
        taken = self.take(kept, dialect_named(dialect))
        if taken.body is not None:
            return copy_json(taken.body)  # the agent may change what it is given
        if isinstance(taken.wrong, Fault):
            raise ModelFault(taken.wrong)
        assert taken.wrong is not None
        raise taken.wrong

    def _passed_on(
        self, upstream: Upstream, request: dict[str, JsonValue], dialect: Dialect
    ) -> dict[str, JsonValue]:
        """The reply of the real model to an agent in this process. Raises UpstreamError, NotRecorded."""
        import asyncio

        from grice.wire.upstream import UpstreamError, UpstreamReply, exchange_of

        try:
            call = upstream.begin(request, dialect)
        except ScriptError as error:
            self.add_problem(error)
            raise
        if call is not None and call.replayed:
            answer = UpstreamReply(200, call.response, None)  # type: ignore[arg-type]
        else:
            try:
                answer = in_own_thread(lambda: asyncio.run(upstream.ask(request, dialect))).result()
            except UpstreamError as error:
                answer = UpstreamReply(error.status, None, str(error))
                if error.wrong_setup:
                    self.add_problem(ScriptError(f"the real model cannot be asked: {error}"))
        self.keep(exchange_of(request, dialect, call, answer, None))
        if answer.body is not None:
            return copy_json(answer.body)
        problem = upstream.problem(answer.status, dialect.name)
        if problem is not None:
            self.add_problem(problem)
        raise UpstreamError(answer.status, answer.error or "")

    def take(
        self, request: dict[str, JsonValue], dialect: Dialect, *, elapsed: Callable[[], float] | None = None
    ) -> ScriptedAnswer:
        """Answer a clean request by the script, and record it.

        `elapsed` gives the seconds since the request came; without it there is no HTTP.
        """
        with self._lock:
            self._asked += 1
            number = self._asked
            entry: Entry | None = self._script.popleft() if self._script else None
            if entry is None and self.otherwise is None:
                entry = self._unscripted(request)
            if entry is not None:
                return self._record(entry, request, dialect, number, elapsed)
        assert self.otherwise is not None
        try:
            entry = read_reply(self.otherwise(Exchange(request, dialect=dialect.name)))
        except ScriptError as error:
            self.add_problem(error)
            entry = error
        with self._lock:
            return self._record(entry, request, dialect, number, elapsed)

    def embed(
        self, request: Mapping[str, Any], *, elapsed: Callable[[], float] | None = None
    ) -> dict[str, JsonValue]:
        """The reply to an embeddings request; it is computed, no script is used. Raises ValueError."""
        from grice.wire.openai_embeddings import embeddings_body

        kept = clean_json(request)
        upstream = self.pass_on() if elapsed is None else None  # over HTTP the server passes them on
        if upstream is not None:
            return self._passed_on(upstream, kept, EMBEDDINGS_DIALECT)
        body = embeddings_body(kept)
        duration, status = (None, None) if elapsed is None else (elapsed(), 200)
        exchange = Exchange(kept, body, EMBEDDINGS, duration=duration, status=status)
        self.keep(exchange)
        if elapsed is not None:
            self.settle(exchange)
        return body

    def _record(
        self,
        entry: Entry,
        request: dict[str, JsonValue],
        dialect: Dialect,
        number: int,
        elapsed: Callable[[], float] | None,
    ) -> ScriptedAnswer:
        if isinstance(entry, ModelReply) and self.unoffered != "allow" and (calls := entry.calls):
            entry = self._checked(entry, calls, request, number)
        body = wrong = duration = status = None
        delay = 0.0
        if isinstance(entry, ModelReply):
            body, delay = dialect.reply_body(entry, request, number), entry.delay
        else:
            wrong = entry
        if elapsed is not None:
            status = 200 if wrong is None else status_of(wrong)
            if wrong is None or not hangs(wrong):
                duration = elapsed() + delay
        error = None if wrong is None else _entry_text(wrong)
        exchange = Exchange(request, body, dialect.name, None, duration, error, status)
        self.keep(exchange)
        return ScriptedAnswer(body, wrong, delay, exchange)

    def _checked(
        self, entry: ModelReply, calls: Iterable[ToolUse], request: dict[str, JsonValue], number: int
    ) -> Entry:
        """The reply, or an UnofferedCall where the request does not allow one of its calls."""
        refused = next(filter(None, (_refused_call(call, request) for call in calls)), "")
        if not refused:
            return entry
        problem = UnofferedCall(
            f"the scripted reply to model request {number} cannot come from a model: {refused} "
            '(`unoffered = "allow"` lets it through)'
        )
        self.add_problem(problem)
        return problem

    def _unscripted(self, request: Mapping[str, JsonValue]) -> UnscriptedRequest:
        problem = UnscriptedRequest(
            f"model request {self._asked} has no scripted reply ({self._scripted} scripted); "
            f"it ended with {_last_message(request)}"
        )
        self.add_problem(problem)
        return problem

    # -- what is kept

    def keep(self, exchange: Exchange) -> None:
        """Record an exchange, here and in the conversation that the model belongs to."""
        self.exchanges.append(exchange)
        sink = self.sink or SINK.get()
        if sink is not None:
            sink.add_exchange(exchange, self)

    def amend(
        self, exchange: Exchange, *, error: str | None = None, duration: float | None = None
    ) -> Exchange:
        """Record that an exchange went wrong after all, or how long it took; the new record."""
        changed = {"error": error, "duration": duration}
        amended = msgspec.structs.replace(
            exchange, **{name: value for name, value in changed.items() if value is not None}
        )
        for place in range(len(self.exchanges) - 1, -1, -1):
            if self.exchanges[place] is exchange:
                self.exchanges[place] = amended
                break
        sink = self.sink or SINK.get()
        if sink is not None:
            sink.replace_exchange(exchange, amended)
        return amended

    def settle(self, exchange: Exchange) -> None:
        """Note that the record of an exchange over HTTP is complete."""
        if self.settled is not None:
            self.settled(exchange)

    def add_problem(self, problem: ScriptError) -> None:
        """Keep a request that no script answers, so that the agent cannot hide it."""
        self.problems.append(problem)
        sink = self.sink or SINK.get()
        if sink is not None:
            sink.add_problem(problem)

    # -- doors

    @property
    def url(self) -> str:
        """The model's own base address, for any SDK in any process on this machine; starts the server.

        Anthropic's clients take it as it is, OpenAI's with `/v1` behind it; the API key is `key`.
        """
        from grice.wire.shared_stub import shared_stub

        return shared_stub().address_of(self)

    @property
    def key(self) -> str:
        """The API key that `url` wants."""
        from grice.wire.shared_stub import shared_stub

        return shared_stub().key

    @property
    def transport(self) -> Callable[[Mapping[str, Any]], dict[str, JsonValue]]:
        """A function from request to reply in the Anthropic Messages shape, for agents that take one."""
        return self.respond

    @property
    def client(self) -> AnthropicClient:
        """An Anthropic client, for agents that take one."""
        from grice.wire.clients import AnthropicClient

        return AnthropicClient(self)

    @property
    def async_client(self) -> AsyncAnthropicClient:
        """An asynchronous Anthropic client, for agents that take one."""
        from grice.wire.clients import AsyncAnthropicClient

        return AsyncAnthropicClient(self)

    @property
    def openai_client(self) -> OpenAIClient:
        """An OpenAI client, for agents that take one."""
        from grice.wire.clients import OpenAIClient

        return OpenAIClient(self)

    @property
    def async_openai_client(self) -> AsyncOpenAIClient:
        """An asynchronous OpenAI client, for agents that take one."""
        from grice.wire.clients import AsyncOpenAIClient

        return AsyncOpenAIClient(self)


def _entry_text(entry: Fault | BaseException) -> str:
    if isinstance(entry, Fault):
        return entry.words
    return str(entry) if isinstance(entry, ScriptError) else f"{type(entry).__name__}: {entry}"


def copy_json(body: dict[str, JsonValue]) -> dict[str, JsonValue]:
    """A copy of a clean JSON object."""
    return msgspec.json.decode(msgspec.json.encode(body))  # type: ignore[no-any-return]


def _last_message(request: Mapping[str, JsonValue]) -> str:
    messages = request.get("messages", request.get("input"))
    if isinstance(messages, str):
        return value_text(messages)
    if not isinstance(messages, list) or not messages:
        return "no messages"
    return value_text(messages[-1])


def _described(entry: Entry) -> str:
    if isinstance(entry, ModelReply):
        parts = entry.parts
        return value_text(parts[0] if len(parts) == 1 else list(parts))
    return entry.words if isinstance(entry, Fault) else value_text(entry)


def _refused_call(call: ToolUse, request: Mapping[str, JsonValue]) -> str:
    """Say why the request does not allow the call, with the nearest name; "" where it does.

    Of a schema the names, types and values of arguments are looked at, inside objects and lists too. Any call
    is allowed where a tool is offered without a name, such as those of a server, and where none is offered:
    then the agent tells its model of its tools in words.
    """
    tools = [one for name in ("tools", "functions") for one in _dicts(request.get(name))]
    offered = {str(one["name"]): one for one in map(_definition, tools) if one.get("name")}
    if call.name not in offered:
        if not offered or len(offered) < len(tools) or request.get("mcp_servers"):
            return ""
        known = ", ".join(offered)
        return (
            f"the request offers no tool {call.name!r}{did_you_mean(call.name, offered)}; it offers {known}"
        )
    tool = offered[call.name]
    schema = tool.get("parameters", tool.get("input_schema"))
    if not isinstance(schema, dict) or not isinstance(call.input, dict):
        return ""  # arguments that are a text are scripted as malformed
    problem = next(_problems(call.input, schema, ""), "")
    return f"{call.name} does not take these arguments: {problem}" if problem else ""


def _definition(tool: dict[str, Any]) -> dict[str, Any]:
    """The tool's name and schema, which OpenAI's older dialect has inside `function`."""
    inner = next((tool[name] for name in ("function", "custom") if isinstance(tool.get(name), dict)), None)
    return tool if inner is None else inner


def _dicts(value: JsonValue) -> list[dict[str, Any]]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def _problems(value: JsonValue, schema: JsonValue, place: str) -> Iterator[str]:
    """What a plain schema refuses of the value; what is behind references and choices is left alone."""
    if not isinstance(schema, dict):
        return
    at = f"{place} is" if place else "they are"
    types = [schema["type"]] if isinstance(schema.get("type"), str) else schema.get("type") or []
    if types and not any(_is_of(value, one) for one in types):
        yield f"{at} {value_text(value)}, expected {' or '.join(map(str, types))}"
        return
    if isinstance(schema.get("enum"), list) and value not in schema["enum"]:
        yield f"{at} {value_text(value)}, expected one of {', '.join(map(value_text, schema['enum']))}"
    if isinstance(value, dict):
        yield from _problems_of_names(value, schema, place)
        fields = schema.get("properties") or {}
        for name in value:
            yield from _problems(value[name], fields.get(name), f"{place}.{name}" if place else name)
    elif isinstance(value, list):
        for number, one in enumerate(value):
            yield from _problems(one, schema.get("items"), f"{place}[{number}]")


def _problems_of_names(value: dict[str, Any], schema: dict[str, Any], place: str) -> Iterator[str]:
    fields = schema.get("properties") or {}
    inside = f" in {place}" if place else ""
    strange = [name for name in value if name not in fields]
    missing = [name for name in schema.get("required") or () if name not in value]
    if strange and fields and (missing or schema.get("additionalProperties") is False):
        hint = did_you_mean(strange[0], missing or fields)
        yield f"found {strange[0]!r}{inside}{hint}; known are {', '.join(fields)}"
    elif missing:
        yield f"{missing[0]!r} is missing{inside}"


def _is_of(value: JsonValue, kind: object) -> bool:
    known = _TYPES.get(str(kind))
    if isinstance(value, bool):
        return known is None or bool in known
    if kind == "integer" and isinstance(value, float):
        return value.is_integer()
    return known is None or isinstance(value, known)
