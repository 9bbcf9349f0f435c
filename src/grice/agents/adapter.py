"""Any agent behind one face: callables and objects with `chat`, synchronous or not."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from grice.agents.context import AgentContext
from grice.agents.errors import AgentLoadError
from grice.matching.protocols import OnToolCall
from grice.records import JsonValue, clean_json

__all__ = ["BoundAgent", "bind_agent"]

TEXT_NAMES = ("text", "message", "user_message", "prompt", "question", "query", "user_input", "utterance")


class BoundAgent:
    """An agent made for one conversation."""

    __slots__ = ("_call", "_metadata", "around", "name")

    def __init__(
        self,
        name: str,
        call: Callable[[list[dict[str, Any]], OnToolCall], Any | Awaitable[Any]],
        around: Callable[[], AbstractContextManager[Any]] = nullcontext,
        metadata: Callable[[], object] | None = None,
    ) -> None:
        self.name = name
        self.around = around
        self._call = call
        self._metadata = metadata

    def call(self, messages: list[dict[str, Any]], on_tool_call: OnToolCall) -> Any | Awaitable[Any]:
        """Ask the agent. The answer is what it returned, or an awaitable of that."""
        return self._call(messages, on_tool_call)

    def metadata(self) -> dict[str, JsonValue]:
        """What the agent says about itself, {} when it says nothing."""
        value = self._metadata() if self._metadata is not None else {}
        return clean_json(value) if isinstance(value, Mapping) else {"metadata": clean_json(value)}


def bind_agent(target: object, context: AgentContext | None = None) -> BoundAgent:
    """An agent for one conversation from what a user gave.

    `target` is an object with `chat`, a callable, or something that makes one: an object or class with
    `build(context)`, a class with `chat`, or a function whose first parameter is named `context`. A callable
    gets the last user text when its first parameter is annotated `str` or named like one (`text`, `message`,
    `prompt`, `question`, ...), else the whole message list. Raises AgentLoadError for anything else.
    """
    made = _make(target, context or AgentContext())
    chat = getattr(made, "chat", None)
    if callable(chat):
        around: Any = getattr(made, "around", None)
        metadata = getattr(made, "metadata", None)
        return BoundAgent(
            type(made).__name__,
            _caller(chat, last_text=False),
            around if callable(around) else nullcontext,
            metadata if callable(metadata) else None,
        )
    if callable(made):
        return BoundAgent(
            getattr(made, "__name__", type(made).__name__), _caller(made, last_text=_wants_text(made))
        )
    raise AgentLoadError(
        f"{made!r} is not an agent: expected a callable, an object with chat(messages, on_tool_call), "
        "or one with build(context)"
    )


def _make(target: object, context: AgentContext) -> object:
    build = getattr(target, "build", None)
    if callable(build):
        return _built(build(context), "build(context)")
    if isinstance(target, type):
        constructor: Callable[..., Any] = vars(target).get("__init__", object.__init__)
        return target(context) if _names_context(_first_parameter(constructor, skip=1)) else target()
    if callable(target) and not hasattr(target, "chat") and _takes_context(target):
        return _built(target(context), f"{getattr(target, '__name__', target)}(context)")
    return target


def _built(made: object, how: str) -> object:
    if made is None:
        raise AgentLoadError(f"{how} returned None, expected an agent")
    return made


def _takes_context(function: Callable[..., Any]) -> bool:
    if _names_context(_first_parameter(function)):
        return True
    return _first_annotation(function) in (AgentContext, "AgentContext")


def _names_context(name: str | None) -> bool:
    return name in ("context", "ctx", "agent_context")


def _wants_text(function: Callable[..., Any]) -> bool:
    annotation = _first_annotation(function)
    if annotation is not None:
        return annotation is str or annotation == "str"
    return _first_parameter(function) in TEXT_NAMES


def _caller(
    function: Callable[..., Any], *, last_text: bool
) -> Callable[[list[dict[str, Any]], OnToolCall], Any | Awaitable[Any]]:
    signals = "on_tool_call" in _parameters(function)

    def call(messages: list[dict[str, Any]], on_tool_call: OnToolCall) -> Any | Awaitable[Any]:
        given: object = messages
        if last_text:
            given = next((m["content"] for m in reversed(messages) if m["role"] == "user"), "")
        return function(given, on_tool_call=on_tool_call) if signals else function(given)

    return call


def _parameters(function: Callable[..., Any]) -> tuple[str, ...]:
    """The names of the parameters, without `self` of a bound method; () when they cannot be read."""
    method = getattr(function, "__func__", None)
    code = getattr(method or function, "__code__", None)
    if code is not None and not hasattr(function, "__wrapped__"):
        names: tuple[str, ...] = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        return names[1:] if method is not None else names
    import inspect

    try:
        return tuple(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        return ()


def _first_parameter(function: Callable[..., Any], skip: int = 0) -> str | None:
    names = _parameters(function)
    return names[skip] if len(names) > skip else None


def _first_annotation(function: Callable[..., Any]) -> object:
    name = _first_parameter(function)
    annotated = getattr(function, "__wrapped__", function)
    if not hasattr(annotated, "__code__") and not hasattr(annotated, "__func__"):
        annotated = type(annotated).__call__  # an object with __call__
        name = _first_parameter(annotated, skip=1)
    return getattr(annotated, "__annotations__", {}).get(name)
