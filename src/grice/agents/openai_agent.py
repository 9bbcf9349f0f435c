"""A model behind an OpenAI-compatible endpoint (Chat Completions) as the agent."""

from __future__ import annotations

import asyncio
import time
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from typing import Any, NamedTuple

import msgspec

from grice.agents.chat_turn import ChatTurn
from grice.agents.context import AgentContext
from grice.agents.endpoint import Endpoint
from grice.agents.errors import AgentLoadError, BadReturn
from grice.agents.event_stream import partial, read_events
from grice.agents.http_reply import parsed
from grice.agents.openai_reply import Deltas, read_completion
from grice.agents.sse import Event
from grice.agents.template import TEXT_NAMES
from grice.identity import redact_text
from grice.records import AgentResponse, Exchange, JsonValue, clean_json
from grice.text import value_text
from grice.wire import SINK
from grice.wire.addresses import check_address, check_number
from grice.wire.environment import Environment
from grice.wire.http import HttpClient, HttpError, Request
from grice.wire.placeholders import check_text

MAX_BYTES = 50_000_000
OWN_KEY = "${env:OPENAI_API_KEY}"
SCRIPTED = "scripted"
LOCAL = ("http://127.0.0.1:", "http://localhost:")


@dataclass(frozen=True, eq=False, repr=False)
class OpenAIAgent:
    """A model that is asked over Chat Completions, as an agent of its own.

    Without `base_url` it is the scripted model of the test. `system` is the system prompt, `tools` the tools
    that are offered: the test answers their calls. `parameters` are further fields of the request, such as
    temperature. `api_key` may hold `${env:NAME}`; "" sends none. A failed connection, a 429 and a 5xx are
    retried. Each request is recorded as an Exchange. Raises ValueError for what cannot work.
    """

    base_url: str | None = None
    model: str | None = None
    _: KW_ONLY
    api_key: str = OWN_KEY
    system: str | None = None
    tools: Sequence[Mapping[str, Any]] = ()
    parameters: Mapping[str, Any] = field(default_factory=dict)
    stream: bool = False
    retries: int = 2
    max_bytes: int = MAX_BYTES

    def __post_init__(self) -> None:
        check_number(self.retries, "retries", least=0)
        check_number(self.max_bytes, "max_bytes", least=1)
        check_text(self.api_key, "api_key", names=TEXT_NAMES)
        if self.base_url is not None:
            check_address(self.base_url, "base_url", names=TEXT_NAMES)
            if not self.model:
                raise ValueError("model: an endpoint needs the name of a model, found none")
        for name, kind in (("model", str), ("system", str)):
            value = getattr(self, name)
            if value is not None and not isinstance(value, kind):
                raise ValueError(f"{name}: expected a text, found {value_text(value)}")
        if not isinstance(self.stream, bool):
            raise ValueError(f"stream: expected true or false, found {value_text(self.stream)}")
        if not isinstance(self.parameters, Mapping):
            raise ValueError(f"parameters: expected a mapping, found {value_text(self.parameters)}")
        if not isinstance(self.tools, list | tuple):
            raise ValueError(f"tools: expected a list of tools, found {value_text(self.tools)}")
        for tool in self.tools:
            if not isinstance(tool, Mapping) or not ("type" in tool or "name" in tool):
                raise ValueError(f"tools: a tool is an object with a name, found {value_text(tool)}")

    def __repr__(self) -> str:
        return f"OpenAIAgent({redact_text(self.base_url or '')!r}, {self.model!r})"

    def build(self, context: AgentContext) -> OpenAIConversation:
        """The agent for one conversation.

        Raises AgentLoadError for a variable that is not set, and without any model to ask.
        """
        return OpenAIConversation(self, context)


class OpenAIConversation:
    """One conversation with an OpenAIAgent."""

    needs_asyncio = True

    def __init__(self, agent: OpenAIAgent, context: AgentContext) -> None:
        self._agent = agent
        self._context = context
        self._environment = Environment(error=AgentLoadError)
        self._scripted = _asks_model(agent.base_url, context)
        url, key = agent.base_url, agent.api_key
        if url is None:
            if context.model is None:
                raise AgentLoadError("OpenAIAgent: there is no scripted model here, so it needs a base_url")
            url, key = f"{context.model_url}/v1", context.model_key
        elif key == OWN_KEY and not self._environment.has("OPENAI_API_KEY"):
            raise AgentLoadError(
                "api_key: the environment variable OPENAI_API_KEY is not set; "
                'api_key="" is for a server that wants none'
            )
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        self._endpoint = Endpoint(f"{url.rstrip('/')}/chat/completions", headers, self._environment)
        self._client = HttpClient(
            retries=agent.retries, max_bytes=agent.max_bytes, hide=self._environment.hide
        )
        self._id = uuid.uuid4().hex

    def metadata(self) -> dict[str, JsonValue]:
        """The agent's entry in the record."""
        agent = self._agent
        where = {} if agent.base_url is None else {"base_url": redact_text(agent.base_url)}
        return {"type": "openai", "model": agent.model or SCRIPTED, **where}

    async def chat(self, messages: list[dict[str, Any]]) -> AgentResponse:
        """The model's answer to the messages; request and reply are recorded as an Exchange."""
        turn = ChatTurn(messages, self._id, self._context)
        if not turn.tool_results:
            self._client.retried.clear()  # a new turn
        body = self._body(messages)
        request = self._endpoint.request(turn, msgspec.json.encode(body))
        asked = _OpenRequest(body, self._recorded, time.monotonic())
        reply: JsonValue = None
        try:
            reply, metadata = await (self._streamed if self._agent.stream else self._whole)(request)
            read = read_completion(reply, self._environment.hide)
        except BadReturn as error:
            hidden = BadReturn(self._environment.hide(str(error)))
            self._keep(asked, reply, hidden)
            raise hidden from None
        except BaseException as error:
            self._keep(asked, None, error)
            raise
        self._keep(asked, reply, None)
        if self._client.retried:
            metadata["retries"] = list(self._client.retried)
        return msgspec.structs.replace(read, metadata={**read.metadata, **metadata})

    def _body(self, messages: list[dict[str, Any]]) -> dict[str, JsonValue]:
        agent = self._agent
        system = [] if agent.system is None else [{"role": "system", "content": agent.system}]
        told = [{name: value for name, value in m.items() if name != "is_error"} for m in messages]
        body: dict[str, Any] = {"model": agent.model or SCRIPTED, "messages": [*system, *told]}
        if agent.tools:
            body["tools"] = [
                tool if "type" in tool else {"type": "function", "function": tool} for tool in agent.tools
            ]
        if agent.stream:
            body |= {"stream": True, "stream_options": {"include_usage": True}}
        cleaned: dict[str, JsonValue] = clean_json({**body, **agent.parameters})
        return cleaned

    async def _whole(self, request: Request) -> tuple[JsonValue, dict[str, JsonValue]]:
        return parsed(request, await self._client.post(request), self._environment.hide), {}

    async def _streamed(self, request: Request) -> tuple[JsonValue, dict[str, JsonValue]]:
        """The completion that the stream's chunks make, and when it began to say something."""
        started = time.monotonic()
        metadata: dict[str, JsonValue] = {}
        deltas = Deltas()

        def take(event: Event) -> bool:
            deltas.take(event)
            if not metadata and deltas.begun:
                metadata["first_text_seconds"] = time.monotonic() - started
            return deltas.ended

        async with self._client.stream(request) as answer:
            await read_events(answer, take, lambda: partial(deltas.text), self._environment.hide)
        if not deltas.complete:
            raise BadReturn(f"the stream ended without '[DONE]'{partial(deltas.text)}")
        return deltas.body(), metadata

    def _model_has_it(self, asked: _OpenRequest, reply: JsonValue) -> bool:
        """Whether the scripted model has recorded the exchange: it was asked at its own address.

        Its fixed address is not known here. What is asked on this computer and is found among its exchanges
        is taken to have gone there.
        """
        model = self._context.model
        since = () if model is None else model.exchanges[asked.recorded :]
        if self._scripted:
            return bool(since)
        whole = None if self._agent.stream else reply
        return (self._agent.base_url or "").startswith(LOCAL) and any(
            one.request == asked.body and whole in (None, one.reply) for one in since
        )

    @property
    def _recorded(self) -> int:
        """How many exchanges the scripted model of the test has recorded itself."""
        return len(self._context.model.exchanges) if self._context.model is not None else 0

    def _keep(self, asked: _OpenRequest, reply: JsonValue, error: BaseException | None) -> None:
        """Record the exchange, unless it was the scripted model that was asked and has done so."""
        sink = SINK.get()
        if sink is None or self._model_has_it(asked, reply):
            return
        status = getattr(error, "status", None) if isinstance(error, HttpError) else 200
        said = None if error is None else str(error)
        if isinstance(error, asyncio.CancelledError):
            said, status = "the answer did not come in time", None
        kept = reply if isinstance(reply, dict) else None
        duration = time.monotonic() - asked.started
        sink.add_exchange(Exchange(asked.body, kept, "openai_chat", None, duration, said, status), self)


def _asks_model(base_url: str | None, context: AgentContext) -> bool:
    """Whether the address is that of the scripted model, which records itself what it is asked."""
    if base_url is None or "${model_url}" in base_url:
        return True
    local = context.model is not None and base_url.startswith(LOCAL)  # asking the model starts its server
    return local and f"{base_url.rstrip('/')}/".startswith(f"{context.model_url}/")


class _OpenRequest(NamedTuple):
    """A request on its way, and how many the scripted model had recorded before it."""

    body: dict[str, JsonValue]
    recorded: int
    started: float
