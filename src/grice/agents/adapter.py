"""One interface for any agent: callables and objects with `chat`, synchronous or not."""

from __future__ import annotations

import types
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from pathlib import Path
from typing import Any

from grice.agents.context import AgentContext
from grice.agents.errors import AgentLoadError
from grice.agents.frameworks import adapted
from grice.agents.messages import text_in
from grice.matching.protocols import OnToolCall
from grice.records import JsonValue, clean_json
from grice.text import value_text
from grice.wire.load import load_object
from grice.wire.signature import Signature, signature_of

TEXT_NAMES = ("text", "message", "user_message", "prompt", "question", "query", "user_input", "utterance")
CONTEXT_NAMES = ("context", "ctx", "agent_context")


class BoundAgent:
    """An agent for one conversation.

    `call` asks it: the answer is what it returned, or an awaitable of that. `around` gives the context
    manager in which its conversation takes place. `function` is the user's own, which `call` calls;
    `needs_asyncio` says that what it returns runs on no other loop.
    """

    __slots__ = ("_is_async", "_metadata", "around", "call", "function", "name", "needs_asyncio")

    def __init__(
        self,
        name: str,
        call: Callable[[list[dict[str, Any]], OnToolCall], Any | Awaitable[Any]],
        around: Callable[[], AbstractContextManager[Any]] = nullcontext,
        metadata: Callable[[], object] | None = None,
        *,
        function: Callable[..., Any] | None = None,
        needs_asyncio: bool = False,
    ) -> None:
        self.name = name
        self.call = call
        self.around = around
        self.function = function if function is not None else call
        self.needs_asyncio = needs_asyncio
        self._metadata = metadata
        self._is_async: bool | None = None

    @property
    def is_async(self) -> bool:
        """Whether calling it returns at once: its function is an `async def`."""
        if self._is_async is None:
            self._is_async = self._find_async()
        return self._is_async

    def _find_async(self) -> bool:
        import inspect  # slow to import, and only asked for on an event loop

        function = self.function
        while isinstance(function, partial):
            function = function.func
        if not inspect.isroutine(function):
            function = type(function).__call__
        return inspect.iscoroutinefunction(function) or inspect.isasyncgenfunction(function)

    def metadata(self) -> dict[str, JsonValue]:
        """The agent's description of itself; {} without that method. Raises AgentLoadError when it fails."""
        if self._metadata is None:
            return {}
        try:
            value = self._metadata()
        except Exception as error:
            message = f"metadata() of agent {self.name} raised {type(error).__name__}: {error}"
            raise AgentLoadError(message) from error
        return clean_json(value) if isinstance(value, Mapping) else {"metadata": clean_json(value)}


def bind_agent(target: object, context: AgentContext | Mapping[str, Any] | None = None) -> BoundAgent:
    """Make an agent for one conversation from what a user gave. `context` may be a mapping, as `{**context,
    ...}`.

    `target` is an object with `chat`, a callable, or something that makes one: an object or class with
    `build(context)`, a class with `chat`, or a function whose first parameter is named `context`. A callable
    gets the last user text when its first parameter is annotated `str` or named like one (`text`, `message`,
    `prompt`, `question`, ...), else the whole message list. Raises AgentLoadError for anything else, and when
    making the agent fails.
    """
    made = _make(target, AgentContext.of(context))
    if not callable(getattr(made, "chat", None)):
        made = adapted(made) or made
    chat = getattr(made, "chat", None)
    if callable(chat):
        around: Any = getattr(made, "around", nullcontext)
        metadata = getattr(made, "metadata", None)
        return BoundAgent(
            type(made).__name__,
            _caller(chat, signature_of(chat), last_text=False),
            around,
            metadata if callable(metadata) else None,
            function=chat,
            needs_asyncio=getattr(made, "needs_asyncio", False) is True,
        )
    if callable(made):
        signature = signature_of(made)
        name = getattr(made, "__name__", type(made).__name__)
        call = _caller(made, signature, last_text=_wants_text(signature))
        return BoundAgent(name, call, function=made)
    raise AgentLoadError(
        f"{value_text(made)} is not an agent: expected a callable, an object with "
        f"chat(messages, on_tool_call), or one with build(context){_three_lines(made)}"
    )


_ASKED = (
    "run",
    "invoke",
    "ask",
    "reply",
    "respond",
    "answer",
    "query",
    "generate",
    "send",
    "predict",
    "call",
)


def _three_lines(made: object) -> str:
    """The function that makes an agent of an object, where a method of it looks as if it answered."""
    name = next((one for one in _ASKED if callable(getattr(made, one, None))), None)
    if name is None:
        return ""
    kind = type(made).__name__
    later = getattr(getattr(type(made), name, None), "__code__", None)
    waits = later is not None and bool(later.co_flags & _COROUTINE)
    define, call = ("async def", "await ") if waits else ("def", "")
    return (
        f"; found {kind}.{name}(), so write\n"
        f"    the_agent = {kind}(...)\n"
        f"    {define} agent(text):\n"
        f"        return {call}the_agent.{name}(text)"
    )


_COROUTINE = 0x80  # inspect.CO_COROUTINE


def is_made(target: object) -> bool:
    """Whether this is an agent already, so that binding it runs none of the user's code."""
    if isinstance(target, type) or (callable(getattr(target, "build", None)) and not _was_built(target)):
        return False
    return hasattr(target, "chat") or not (callable(target) and _takes_context(signature_of(target)))


def _make(target: object, context: AgentContext) -> object:
    name = getattr(target, "__name__", type(target).__name__)
    build = getattr(target, "build", None)
    if callable(build) and not _was_built(target):
        if _is_method_of_instances(target):
            target = _made(f"{name}()", target)  # type: ignore[arg-type]
            build = target.build  # type: ignore[attr-defined]
        return _made(f"{name}.build(context)", build, context)
    if isinstance(target, type):
        makes = vars(target).get("__init__") or getattr(target, "__init__")  # noqa: B009
        if makes is not object.__init__ and _takes_context(signature_of(makes, skip=1)):
            return _made(f"{name}(context)", target, context)
        return _made(f"{name}()", target)
    if callable(target) and not hasattr(target, "chat") and _takes_context(signature_of(target)):
        return _made(f"{name}(context)", target, context)
    return target


def _was_built(target: object) -> bool:
    """Whether `target` is an agent already, and `build` is how its class makes them."""
    if isinstance(target, type) or not callable(getattr(target, "chat", None)):
        return False
    own = (vars(base)["build"] for base in type(target).__mro__ if "build" in vars(base))
    return isinstance(next(own, None), classmethod | staticmethod)


def _is_method_of_instances(target: object) -> bool:
    """Whether `target` is a class whose `build` needs an instance."""
    if not isinstance(target, type):
        return False
    own = next(vars(base)["build"] for base in target.__mro__ if "build" in vars(base))
    return isinstance(own, types.FunctionType)


def _made(how: str, make: Callable[..., object], *args: object) -> object:
    try:
        made = make(*args)
    except AgentLoadError:
        raise
    except Exception as error:
        raise AgentLoadError(f"making the agent with {how} raised {type(error).__name__}: {error}") from error
    if isinstance(made, types.CoroutineType):
        made.close()
        raise AgentLoadError(f"{how} is asynchronous: an agent is made by a plain function")
    if made is None:
        raise AgentLoadError(f"{how} returned None, expected an agent")
    return made


def _takes_context(signature: Signature | None) -> bool:
    if signature is None:
        return False
    annotation = signature.annotation
    named = annotation.rpartition(".")[2] == "AgentContext" if isinstance(annotation, str) else False
    return signature.first in CONTEXT_NAMES or named or annotation is AgentContext


def _wants_text(signature: Signature | None) -> bool:
    if signature is None:
        return False
    if signature.annotation is not None:
        return signature.annotation is str or signature.annotation == "str"
    return signature.first in TEXT_NAMES


def _caller(
    function: Callable[..., Any], signature: Signature | None, *, last_text: bool
) -> Callable[[list[dict[str, Any]], OnToolCall], Any | Awaitable[Any]]:
    if signature is not None and not signature.positional:
        raise AgentLoadError(
            f"{value_text(function)} takes no positional argument, so it is not an agent: expected the "
            "messages or the user's text, or `context` when it makes the agent"
        )
    signals = signature is not None and "on_tool_call" in signature.names

    def call(messages: list[dict[str, Any]], on_tool_call: OnToolCall) -> Any | Awaitable[Any]:
        given: object = messages
        if last_text:
            given = next((text_in(m) for m in reversed(messages) if m["role"] == "user"), "")
        return function(given, on_tool_call=on_tool_call) if signals else function(given)

    return call


def load_target(name: str, *, root: Path | None = None, what: str = "agent") -> object:
    """The agent that `module:attribute` names; `root` is put on the import path first.

    Raises AgentLoadError that says which part is wrong, with the nearest right name; `what` is its word for
    what is named.
    """
    return load_object(name, root=root, what=what, error=AgentLoadError)
