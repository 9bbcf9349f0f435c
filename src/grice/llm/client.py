"""The common part of the clients of all providers: keys, retries, limits, budgets."""

from __future__ import annotations

import asyncio
import json
import random
import time
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from http import HTTPStatus
from typing import Any, ClassVar, NamedTuple, NoReturn

import msgspec

from grice.identity import redact_text
from grice.llm.budget import Budget
from grice.llm.limiter import Limiter
from grice.matching.protocols import LLMError
from grice.records import JsonValue, LLMRequest, LLMResponse, clean_json
from grice.text import did_you_mean, estimated_tokens, shorten, value_text
from grice.wire.addresses import ADDRESS, check_address, check_headers, check_number, no_address
from grice.wire.environment import PREFIX, Environment
from grice.wire.http import LONGEST_ASKED_WAIT, Answer, HttpClient, HttpError, Request, excerpt
from grice.wire.placeholders import check_text, fill_text

FIRST_WAIT = 0.5
LONGEST_WAIT = 16.0
MAX_BYTES = 10_000_000
MAX_SHOWN = 300

_OVERLOADED = (HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE, 529)


class Usage(NamedTuple):
    """The tokens that an answer reports; None is what it does not say."""

    input_tokens: int | None
    output_tokens: int | None


class _HttpAnswer(NamedTuple):
    """An answer, what the try took that brought it, and how many failed before it."""

    answer: Answer
    latency_ms: float
    retries: int


@dataclass(eq=False, repr=False)
class ModelClient(ABC):
    """A model behind an endpoint, asked over HTTP; the common part of the clients.

    `base_url`, `api_key` and `headers` may hold `${env:NAME}`; they are read when a request is made.
    `api_key` is by default the provider's own variable, "" sends none. `structured` is how JSON is asked for.
    `max_tokens` stands in for what requests allow, `sampling=False` leaves temperature and seed out, for
    models that refuse them, and `parameters` are further fields of the request's body.

    A try may take `timeout` seconds; running out of them is final. After a failed connection, half a body, a
    408, 429 or 5xx there are up to `retries` more tries, after waits that double, or as long as Retry-After
    says, up to a minute. All requests of a client share `max_concurrency` connections, fewer while the
    server is overloaded, and the `budget`. `jitter_seed` is for the waits' jitter, `pause` is how it waits.

    It may be used from several threads and event loops. Raises ValueError for what cannot work.
    """

    model: str
    _: KW_ONLY
    base_url: str
    api_key: str | None = None
    structured: str = "json_schema"
    max_tokens: int | None = None
    sampling: bool = True
    parameters: Mapping[str, Any] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    timeout: float = 60.0
    retries: int = 4
    max_concurrency: int = 100
    max_bytes: int = MAX_BYTES
    budget: Budget | None = None
    jitter_seed: int = 0
    pause: Callable[[float], Awaitable[None]] = asyncio.sleep

    provider: ClassVar[str]
    key_variable: ClassVar[str]
    ways: ClassVar[tuple[str, ...]]
    """What `structured` may be."""

    def __post_init__(self) -> None:
        if not isinstance(self.model, str) or not self.model:
            raise ValueError(f"model: expected the name of a model, found {value_text(self.model)}")
        check_address(self.base_url, "base_url")
        self._check_base()
        if self.api_key is not None:
            check_text(self.api_key, "api_key")
        check_headers(self.headers)
        if self.structured not in self.ways:
            expected, hint = ", ".join(map(repr, self.ways)), did_you_mean(str(self.structured), self.ways)
            raise ValueError(f"structured: expected {expected}, found {value_text(self.structured)}{hint}")
        if not isinstance(self.sampling, bool):
            raise ValueError(f"sampling: expected true or false, found {value_text(self.sampling)}")
        if not isinstance(self.parameters, Mapping):
            raise ValueError(f"parameters: expected a mapping, found {value_text(self.parameters)}")
        self._check_limits()
        self._environment = Environment(error=LLMError)
        self._shown_address = redact_text(self._address(self.base_url))
        self._limiter = Limiter(self.max_concurrency)
        self._jitter = random.Random(self.jitter_seed)  # noqa: S311 - only so that many do not come back at once
        self._http: HttpClient | None = None

    def _check_base(self) -> None:
        base, path = self.base_url.partition("?")[0].rstrip("/"), self._path()
        if base.endswith(path):
            raise ValueError(f"base_url: {path} is added to it: leave that out, {base.removesuffix(path)!r}")
        if "#" in self.base_url:
            raise ValueError(f"base_url: expected an address without #, found {value_text(self.base_url)}")

    def _address(self, base: str) -> str:
        """Where requests go; what stands behind a question mark stays at the end, as gateways want it."""
        path, mark, query = base.partition("?")
        return f"{path.rstrip('/')}{self._path()}{mark}{query}"

    def _check_limits(self) -> None:
        if isinstance(self.timeout, bool) or not isinstance(self.timeout, int | float) or self.timeout <= 0:
            raise ValueError(f"timeout: expected a number of seconds, found {value_text(self.timeout)}")
        numbers = {"retries": 0, "max_concurrency": 1, "max_bytes": 1, "jitter_seed": 0}
        if self.max_tokens is not None:
            numbers["max_tokens"] = 1
        for name, least in numbers.items():
            check_number(getattr(self, name), name, least=least)
        if self.budget is not None:
            if not isinstance(self.budget, Budget):
                raise ValueError(f"budget: expected a Budget, found {value_text(self.budget)}")
            self.budget.check_price(self.model)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.model!r}, base_url={redact_text(self.base_url)!r})"

    @property
    def name(self) -> str:
        """The provider and the model, for messages."""
        return f"{self.provider}:{self.model}"

    @property
    def concurrency(self) -> int:
        """How many requests may run at once now."""
        return self._limiter.limit

    async def ask(self, request: LLMRequest) -> LLMResponse:
        """The model's answer. Raises LLMError when there is none that can be read."""
        body = encoded({**self._body(request), **self.parameters})
        sent = self._request(body)
        answer, latency_ms, retries = await self._answered(sent)
        told = self._parsed(sent, answer)
        usage = self._usage(told)
        if self.budget is not None:
            self._count(self.budget, usage, body, answer.body)
        response = self._response(told)
        model = told.get("model")
        metadata = msgspec.structs.replace(
            response.metadata,
            provider=self.provider,
            model=model if isinstance(model, str) else self.model,
            latency_ms=latency_ms,
            input_tokens=usage.input_tokens,
            output_tokens=usage.output_tokens,
            retries=retries,
        )
        return msgspec.structs.replace(response, metadata=metadata)

    # -- what providers differ in

    @abstractmethod
    def _path(self) -> str:
        """Where requests go, below the base address without a slash at its end."""

    @abstractmethod
    def _credentials(self, key: str) -> dict[str, str]:
        """The headers that hold the key, which is "" when there is none."""

    @abstractmethod
    def _body(self, request: LLMRequest) -> dict[str, JsonValue]:
        """The request's body."""

    @abstractmethod
    def _response(self, body: Mapping[str, Any]) -> LLMResponse:
        """The answer that a body holds. Raises LLMError when it holds none."""

    @abstractmethod
    def _usage(self, body: Mapping[str, Any]) -> Usage:
        """The tokens that a body reports."""

    # -- the request

    def _request(self, body: bytes) -> Request:
        url = self._filled(self.base_url, "base_url")
        if not ADDRESS.match(url):
            raise LLMError(f"{self.name}: base_url: {no_address(self._hide(url))}")
        headers = {name: self._filled(text, f"headers.{name}") for name, text in self.headers.items()}
        key = self._key()
        if any(sign in text for text in (key, *headers.values()) for sign in "\r\n\0"):
            raise LLMError(f"{self.name}: a key or header from the environment is one line, found several")
        return Request(self._address(url), self._shown_address, body, {**self._credentials(key), **headers})

    def _key(self) -> str:
        own = f"{PREFIX}{self.key_variable}"
        given = own if self.api_key is None else self.api_key
        try:
            if given.startswith(PREFIX):
                return str(self._environment.value_of(given, f"{self.name}: api_key"))
            key = self._filled(given, "api_key")
        except LLMError as error:
            local = '; api_key="" is for a server that wants none' if self.api_key is None else ""
            recorded = "where answers are recorded none is needed: pytest --grice-record=once records them"
            raise LLMError(f"{error}{local}; {recorded}") from None
        self._environment.keep_secret("api_key", key)
        return key

    def _filled(self, text: str, field_name: str) -> str:
        if "${" not in text:
            return text
        return fill_text(text, lambda name: self._environment.value_of(name, f"{self.name}: {field_name}"))

    def _hide(self, text: str) -> str:
        return self._environment.hide(text)

    # -- tries

    async def _answered(self, request: Request) -> _HttpAnswer:
        """The first answer that is one. Raises LLMError when there is none, or nothing left to spend."""
        failures: list[str] = []
        client = self._client
        while True:
            async with self._limiter.slot() as slot:
                if self.budget is not None:
                    self.budget.check_left()
                begun = time.monotonic()
                try:
                    async with asyncio.timeout(self.timeout):
                        answer = await client.post(request)
                    slot.answered()
                    return _HttpAnswer(answer, 1_000 * (time.monotonic() - begun), len(failures))
                except TimeoutError:
                    slot.overloaded()
                    what = f"POST {request.shown} was not answered within {self.timeout:g} s"
                    raise LLMError(f"{self.name}: {what}{_failures_text(failures)}") from None
                except HttpError as error:
                    if error.status in _OVERLOADED:
                        slot.overloaded()
                    wait = self._wait(error, len(failures))
                    if wait is None:
                        raise LLMError(
                            f"{self.name}: {error}{_hint(error)}{_failures_text(failures)}"
                        ) from None
                    failures.append(error.brief or str(error))
            await self.pause(wait)

    @property
    def _client(self) -> HttpClient:
        if self._http is None:
            self._http = HttpClient(retries=0, max_bytes=self.max_bytes, hide=self._hide, cookies=False)
        return self._http

    def _wait(self, error: HttpError, done: int) -> float | None:
        """How long to wait before the next try after so many retries; None when there is none."""
        asked = error.asked_wait or 0.0
        if done >= self.retries or not error.retryable or asked > LONGEST_ASKED_WAIT:
            return None
        wait: float = min(FIRST_WAIT * 2**done, LONGEST_WAIT) * (0.75 + self._jitter.random() / 4)
        return max(asked, wait)

    # -- the answer

    def _parsed(self, request: Request, answer: Answer) -> dict[str, JsonValue]:
        """The body, which is a JSON object without an error in it. Raises LLMError."""
        try:
            body = msgspec.json.decode(answer.body)
        except (msgspec.DecodeError, UnicodeError, RecursionError):
            body = self._tolerated(request, answer)
        if not isinstance(body, dict):
            self._refuse(f"a body that is no JSON object: {excerpt(answer, self._hide)}")
        if body.get("error"):  # some servers say it with status 200
            said = body["error"]
            said = said.get("message", said) if isinstance(said, dict) else said
            self._refuse(f"an error: {self._shown(said)}")
        return body

    def _tolerated(self, request: Request, answer: Answer) -> JsonValue:
        """The body as JSON with NaN or lone surrogates, which some servers send. Raises LLMError."""
        try:
            return clean_json(json.loads(answer.body))
        except (ValueError, RecursionError):
            said = f"{answer.content_type} that is not JSON: {excerpt(answer, self._hide)}"
            raise LLMError(f"{self.name}: POST {request.shown} answered with {said}") from None

    def _refuse(self, found: str) -> NoReturn:
        raise LLMError(f"{self.name}: the endpoint answered with {found}")

    def _shown(self, value: object) -> str:
        """A value for a message; what is secret is hidden before the cut, which could leave half of it."""
        text = value if isinstance(value, str) else encoded(value).decode()
        return value_text(shorten(self._hide(text), MAX_SHOWN))

    def _count(self, budget: Budget, usage: Usage, asked_body: bytes, said_body: bytes) -> None:
        asked, said = usage
        budget.count(
            self.model,
            estimated_tokens(asked_body) if asked is None else asked,
            estimated_tokens(said_body) if said is None else said,
            estimated=asked is None or said is None,
        )


def token_count(value: object) -> int | None:
    """A number of tokens; None for anything else."""
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def encoded(value: object) -> bytes:
    """Encode a value as JSON; what JSON cannot hold, such as a lone surrogate, is replaced."""
    try:
        return msgspec.json.encode(value)
    except (TypeError, UnicodeError, ValueError, RecursionError):
        return msgspec.json.encode(clean_json(value))


def _hint(error: HttpError) -> str:
    """What may help against an error."""
    if error.asked_wait:
        return f" (it asks to wait {error.asked_wait:,.0f} s)"
    refused = error.status == HTTPStatus.BAD_REQUEST and "temperature" in str(error)
    return " (sampling=False leaves temperature and seed out)" if refused else ""


def _failures_text(failures: list[str]) -> str:
    if not failures:
        return ""
    times = "time" if len(failures) == 1 else "times"
    return f"; retried {len(failures)} {times}, after: {'; '.join(failures)}"


def with_schema(
    messages: Sequence[Mapping[str, Any]], schema: Mapping[str, JsonValue]
) -> list[dict[str, JsonValue]]:
    """The messages, with the schema of the answer at the end of the system prompt."""
    wanted = (
        "Answer with one JSON object and nothing else: no code fence, no words around it. It must fit this "
        f"JSON Schema:\n{msgspec.json.encode(schema).decode()}"
    )
    system, others = split_system(messages)
    return [{"role": "system", "content": f"{system}\n\n{wanted}" if system else wanted}, *others]


def split_system(messages: Sequence[Mapping[str, Any]]) -> tuple[str, list[dict[str, JsonValue]]]:
    """The texts of the system messages joined, and the other messages."""
    system = [str(message.get("content", "")) for message in messages if message.get("role") == "system"]
    return "\n\n".join(system), [dict(message) for message in messages if message.get("role") != "system"]
