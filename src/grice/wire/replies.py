"""Scripted replies, in no provider's shape: texts, tool calls, faults."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any, Literal

import msgspec

from grice.records import JsonValue, clean_json, clean_text
from grice.text import value_text


class ToolUse(msgspec.Struct, frozen=True):
    """A scripted tool call; see `tool_use`. An `input` that is a text is sent as malformed arguments."""

    name: str
    input: JsonValue
    id: str = ""


def as_call(part: object) -> ToolUse | None:
    """The tool call of a part of a reply, a `tool_use(...)` or a content block; None for any other."""
    if isinstance(part, dict) and part.get("type") == "tool_use" and isinstance(part.get("name"), str):
        return ToolUse(part["name"], part.get("input", {}), part.get("id") or "")
    return part if isinstance(part, ToolUse) else None


Part = str | ToolUse | dict[str, Any]
"""A part of a reply; a dict is a content block of Anthropic's that is neither plain text nor a plain call."""


class ModelReply(msgspec.Struct, frozen=True):
    """A scripted reply.

    `stop_reason` and `usage` are in Anthropic's words (`end_turn`, `input_tokens`). `given` are the fields of
    a whole reply body in the shape that `dialect` names: they win where the request has that shape. `delay`
    is in seconds.
    """

    parts: tuple[Part, ...]
    stop_reason: str | None = None
    usage: dict[str, Any] | None = None
    given: dict[str, Any] = {}
    dialect: str = ""
    delay: float = 0.0

    @property
    def text(self) -> str:
        """The texts of the reply, one a line."""
        if len(self.parts) == 1 and isinstance(self.parts[0], str):
            return self.parts[0]
        texts = (part.get("text") if isinstance(part, dict) else part for part in self.parts)
        return "\n".join(text for text in texts if isinstance(text, str))

    @property
    def calls(self) -> tuple[ToolUse, ...]:
        """The tool calls of the reply."""
        if len(self.parts) == 1 and isinstance(self.parts[0], str):
            return ()
        return tuple([call for part in self.parts if (call := as_call(part)) is not None])


class Fault(msgspec.Struct, frozen=True):
    """Something that goes wrong at the provider, as an entry of a script. The methods below make one.

    In process it is raised as ModelFault; over HTTP the agent meets the real thing.
    """

    kind: Literal["status", "timeout", "reset", "half_stream", "malformed"]
    status: int = 200
    retry_after: float | None = None
    message: str = ""
    reply: ModelReply | None = None

    @classmethod
    def rate_limit(cls, retry_after: float | None = 1, message: str = "rate limit reached") -> Fault:
        """Status 429; `retry_after` seconds stand in the Retry-After header, which None leaves out."""
        return cls("status", 429, retry_after, message)

    @classmethod
    def error(
        cls, status: int = 500, message: str = "internal server error", *, retry_after: float | None = None
    ) -> Fault:
        """An error status from 400 to 599; `retry_after`, if given, stands in the Retry-After header."""
        if not isinstance(status, int) or not 400 <= status <= 599:
            raise ValueError(f"the status of an error is from 400 to 599, found {status!r}")
        return cls("status", status, retry_after, message)

    @classmethod
    def timeout(cls) -> Fault:
        """No answer at all, until the client gives up."""
        return cls("timeout", message="no answer")

    @classmethod
    def reset(cls) -> Fault:
        """The connection is reset before a reply comes."""
        return cls("reset", message="connection reset")

    @classmethod
    def half_stream(cls, reply: object = "This reply breaks off in the middle of its text.") -> Fault:
        """The first half of a reply, then the connection ends."""
        whole = read_reply(reply)
        if not isinstance(whole, ModelReply):
            raise TypeError(f"half of a reply needs a reply, found {reply!r}")
        return cls("half_stream", message="the reply breaks off", reply=whole)

    @classmethod
    def malformed(cls) -> Fault:
        """A reply that is not JSON."""
        return cls("malformed", message="the reply is not JSON")

    @property
    def words(self) -> str:
        """The fault in words, for a record."""
        return f"injected fault: {self.status} {self.message}" if self.kind == "status" else (
            f"injected fault: {self.message}"
        )  # fmt: skip


def tool_use(name: str, /, *, call_id: str = "", **arguments: JsonValue) -> ToolUse:
    """A scripted reply, or part of one, that calls the tool. An id is made when no `call_id` is given."""
    return ToolUse(name, arguments, call_id)


def structured(value: JsonValue) -> ModelReply:
    """A scripted reply whose text is the value as JSON, for requests that ask for structured output."""
    return ModelReply((msgspec.json.encode(clean_json(value)).decode(),))


def delayed(reply: object, seconds: float) -> ModelReply:
    """A scripted reply that comes after so many seconds; only over HTTP: in process nothing waits."""
    read = read_reply(reply)
    if not isinstance(read, ModelReply):
        raise TypeError(f"only a reply can be delayed, found {reply!r}")
    if not 0 <= seconds < math.inf:
        raise ValueError(f"a delay is a number of seconds from 0, found {seconds!r}")
    return msgspec.structs.replace(read, delay=float(seconds))


def read_reply(reply: object) -> ModelReply | Fault | BaseException:
    """Read an entry of a script.

    It is a text, a `tool_use(...)`, a list of these and of content blocks as dicts, a whole reply body of
    any of the three dialects, a Fault, or an exception to raise. What is in it is copied and made clean JSON.
    Raises TypeError for anything else.
    """
    if isinstance(reply, ModelReply):
        read_usage(reply.usage)
        return reply
    if isinstance(reply, Fault | BaseException):
        return reply
    if isinstance(reply, type) and issubclass(reply, BaseException):
        return reply()
    if isinstance(reply, str):
        return ModelReply((clean_text(reply),))
    if isinstance(reply, dict):
        if isinstance(reply.get("choices"), list):
            return _chat_body(clean_json(reply))
        if isinstance(reply.get("output"), list):
            return _responses_body(clean_json(reply))
        if reply.get("type", "message") == "message":
            return _anthropic_body(reply)
    return ModelReply(_parts(reply))


def _anthropic_body(body: Mapping[str, Any]) -> ModelReply:
    given = dict(body)
    parts = _parts(given.pop("content", None))
    given.pop("type", None)
    stop_reason, usage = given.pop("stop_reason", None), given.pop("usage", None)
    if not given and usage is None:
        return ModelReply(parts, stop_reason)
    return ModelReply(parts, stop_reason, read_usage(usage), clean_json(given), "anthropic")


def _chat_body(body: Mapping[str, Any]) -> ModelReply:
    choices = _dicts(body["choices"], "choices")
    messages = _dicts((choice.get("message") for choice in choices), "choices[*].message")
    message = messages[0] if messages else {}
    text = message.get("content")
    parts: list[Part] = [text] if isinstance(text, str) and text else []
    for call in _dicts(message.get("tool_calls"), "tool_calls"):
        (function,) = _dicts([call.get("function")], "tool_calls[*].function")
        parts.append(_called(function, call.get("id") or ""))
    finish = choices[0].get("finish_reason") if choices else None
    stop_reason = _STOP_REASONS.get(finish) if isinstance(finish, str) else None
    usage = _usage(body.get("usage"), "prompt_tokens", "completion_tokens")
    return ModelReply(tuple(parts), stop_reason, usage, dict(body), "openai_chat")


def _responses_body(body: Mapping[str, Any]) -> ModelReply:
    parts: list[Part] = []
    for item in _dicts(body["output"], "output"):
        if item.get("type") == "function_call":
            parts.append(_called(item, item.get("call_id") or ""))
        elif item.get("type") == "message":
            blocks = _dicts(item.get("content"), "output[*].content")
            parts += [block["text"] for block in blocks if isinstance(block.get("text"), str)]
    cut = body.get("incomplete_details")
    stop_reason = _STOP_REASONS.get(str(cut.get("reason"))) if isinstance(cut, dict) else None
    usage = _usage(body.get("usage"), "input_tokens", "output_tokens")
    return ModelReply(tuple(parts), stop_reason, usage, dict(body), "openai_responses")


def _dicts(items: Iterable[object] | None, where: str) -> list[dict[str, Any]]:
    """The items of a scripted body. Raises TypeError that says where one is no object."""
    found = list(items) if isinstance(items, Iterable) else []
    for item in found:
        if not isinstance(item, dict):
            raise TypeError(f"in the scripted reply body {where} holds objects, found {value_text(item)}")
    return found  # type: ignore[return-value]


def read_usage(usage: object) -> dict[str, Any] | None:
    """The `usage` of a scripted reply as clean JSON. Raises TypeError that names a wrong count."""
    if usage is None:
        return None
    told = clean_json(usage)
    if not isinstance(told, dict):
        raise TypeError(f"usage is an object of counts, found {value_text(usage)}")
    for name, count in told.items():
        counts = name.endswith("_tokens") and count is not None
        if counts and (isinstance(count, bool) or not isinstance(count, int) or count < 0):
            raise TypeError(f"usage.{name} is a whole number from 0, found {value_text(count)}")
    return told


def _usage(usage: object, asked: str, said: str) -> dict[str, Any] | None:
    told = read_usage(usage)
    return None if told is None else {"input_tokens": told.get(asked), "output_tokens": told.get(said)}


def _called(call: Mapping[str, Any], id_: str) -> ToolUse:
    arguments = call.get("arguments")
    try:
        held = msgspec.json.decode(arguments or "{}")
    except (ValueError, TypeError, RecursionError):
        held = arguments
    return ToolUse(str(call.get("name") or ""), held, id_)


def _parts(content: object) -> tuple[Part, ...]:
    if isinstance(content, list | tuple):
        return tuple([_part(part) for part in content])
    return (_part(content),)


def _part(part: object) -> Part:
    if isinstance(part, str):
        return clean_text(part)
    if isinstance(part, ToolUse):
        return ToolUse(clean_text(part.name), clean_json(part.input), clean_text(part.id))
    if isinstance(part, dict):
        kind = part.get("type")
        if kind == "text" and len(part) == 2 and isinstance(part.get("text"), str):
            return clean_text(part["text"])
        call = as_call(part)
        if call is not None and part.keys() <= _CALL_KEYS:
            return _part(call)
        if isinstance(kind, str):
            needed = _NEEDED.get(kind)
            if needed is not None and not isinstance(part.get(needed), str):
                raise TypeError(f"a scripted {kind} block needs {needed!r}, a text, found {value_text(part)}")
            block: dict[str, Any] = clean_json(part)
            return block
    raise TypeError(
        "a scripted reply is a text, tool_use(...), a content block, a list of these, a whole reply body or "
        f"a Fault, found {value_text(part)}"
    )


_NEEDED = {"text": "text", "tool_use": "name", "thinking": "thinking", "redacted_thinking": "data"}
"""The text that a content block of Anthropic's cannot do without, by its type."""
_CALL_KEYS = {"type", "id", "name", "input"}
_STOP_REASONS = {
    "stop": "end_turn",
    "tool_calls": "tool_use",
    "length": "max_tokens",
    "max_output_tokens": "max_tokens",
    "content_filter": "refusal",
}
"""Why OpenAI's models stop, in Anthropic's words."""
