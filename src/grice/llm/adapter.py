"""One interface for any LLM: objects with `complete` and callables, synchronous or not."""

from __future__ import annotations

import contextvars
import inspect
import time
from collections.abc import Awaitable, Callable
from typing import Any, cast

import msgspec

from grice.identity import redact_text
from grice.llm.answers import read_answer
from grice.llm.limiter import Limiter
from grice.matching.protocols import BoundLLM, LLMError
from grice.records import LLMRequest, LLMResponse
from grice.text import shorten, value_text
from grice.wire.blocking_calls import in_own_thread
from grice.wire.signature import signature_of

TIMEOUT = 60.0
MAX_MESSAGE = 500
MOST_AT_ONCE = 100
"""Requests to somebody's LLM that run at once; those to a synchronous one have a thread each."""
OPTIONS = (
    "schema",
    "schema_name",
    "response_format",
    "purpose",
    "subject",
    "max_tokens",
    "temperature",
    "seed",
    "sample",
)
"""The options of `complete`; those are passed that its signature has."""


def bind_llm(target: object, *, name: str = "", timeout: float = TIMEOUT) -> BoundLLM:
    """Make an LLM from what a user gave.

    `target` is a client of Grice, an object with `complete(messages, **options)`, a class of such objects
    that takes no arguments, or a callable that takes the messages; it may be asynchronous. What is
    synchronous runs in a thread of its own. At most 100 requests run at once, and an answer may take
    `timeout` seconds; clients of Grice have limits of their own. Raises LLMConfigError for anything else.
    """
    if _is_bound(target):
        return cast("BoundLLM", target)
    if isinstance(target, type):
        target = _made(target)
        if _is_bound(target):
            return cast("BoundLLM", target)
    complete = getattr(target, "complete", None)
    function = complete if callable(complete) else target
    if not callable(function):
        raise LLMConfigError(
            f"{value_text(target)} is not an LLM: expected an object with complete(messages, **options), or "
            "a callable that takes the messages"
        )
    called = getattr(target, "__name__", type(target).__name__)
    return _AdaptedLLM(function, target, name or str(called), timeout)


def _is_bound(target: object) -> bool:
    if isinstance(target, type):
        return False
    texts = all(isinstance(getattr(target, name, None), str) for name in ("name", "provider", "model"))
    return texts and callable(getattr(target, "ask", None))


def _made(kind: type) -> object:
    try:
        return kind()
    except Exception as error:
        raise LLMConfigError(
            f"making the LLM with {kind.__name__}() raised {_error_text(error)}: give an instance"
        ) from error


class _AdaptedLLM:
    """Somebody's LLM. Nothing but LLMError comes out of it."""

    def __init__(self, function: Callable[..., Any], target: object, name: str, timeout: float) -> None:
        signature = signature_of(function)
        if signature is not None and not signature.positional:
            raise LLMConfigError(
                f"{name} takes no positional argument, so it is not an LLM: it is called with the messages"
            )
        self.name = name
        self.provider = _text_of(target, "provider")
        self.model = _text_of(target, "model")
        self._function = function
        self._timeout = timeout
        self._limiter = Limiter(MOST_AT_ONCE)
        takes = () if signature is None else OPTIONS if signature.open else signature.names[1:]
        self._options = tuple(option for option in OPTIONS if option in takes)
        self._is_async = inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(
            getattr(function, "__call__", None)  # noqa: B004 - what an instance's class defines
        )

    def __repr__(self) -> str:
        return f"<LLM {self.name}>"

    async def ask(self, request: LLMRequest) -> LLMResponse:
        """The LLM's answer. Raises LLMError when there is none."""
        async with self._limiter.slot():
            return await self._asked(request)

    async def _asked(self, request: LLMRequest) -> LLMResponse:
        import asyncio

        begun = time.monotonic()
        try:
            async with asyncio.timeout(self._timeout):
                answer = await self._called(request)
        except LLMError:
            raise
        except TimeoutError as error:
            if time.monotonic() - begun < self._timeout:  # its own
                raise LLMError(f"the LLM {self.name} raised {_error_text(error)}") from error
            raise LLMError(f"the LLM {self.name} gave no answer within {self._timeout:g} s") from None
        except asyncio.CancelledError as error:
            task = asyncio.current_task()
            if task is None or task.cancelling():
                raise
            raise LLMError(f"the LLM {self.name} was cancelled from within") from error
        except Exception as error:
            raise LLMError(f"the LLM {self.name} raised {_error_text(error)}") from error
        return self._completed(read_answer(answer, self.name), 1_000 * (time.monotonic() - begun))

    async def _called(self, request: LLMRequest) -> object:
        values = {
            **{name: getattr(request, name) for name in OPTIONS if name != "response_format"},
            "response_format": "text" if request.schema is None else "json",
        }
        messages = [dict(message) for message in request.messages]
        options = {name: values[name] for name in self._options}
        if self._is_async:
            return await self._function(messages, **options)
        import asyncio

        context = contextvars.copy_context()
        called = in_own_thread(lambda: context.run(self._function, messages, **options))
        answer = await asyncio.wrap_future(called)
        return await answer if isinstance(answer, Awaitable) else answer

    def _completed(self, response: LLMResponse, latency_ms: float) -> LLMResponse:
        told = response.metadata
        metadata = msgspec.structs.replace(
            told,
            provider=told.provider or self.provider,
            model=told.model or self.model,
            latency_ms=latency_ms if told.latency_ms is None else told.latency_ms,
        )
        return msgspec.structs.replace(response, metadata=metadata)


def _text_of(target: object, name: str) -> str:
    value = getattr(target, name, "")
    return value if isinstance(value, str) else ""


def _error_text(error: BaseException) -> str:
    """An exception for a message, without secrets."""
    try:
        text = redact_text(str(error))
    except Exception:  # somebody's exception
        text = ""
    return shorten(f"{type(error).__name__}: {text}" if text else type(error).__name__, MAX_MESSAGE)


class LLMConfigError(ValueError):
    """The given value is no LLM; `key` is the wrong key of a table, "" for the whole."""

    __module__ = "grice"

    def __init__(self, message: str, key: str = "") -> None:
        super().__init__(message, key)  # both, so that it can be pickled
        self.key = key

    def __str__(self) -> str:
        return str(self.args[0])
