"""The shapes in which tools export conversations: what each looks like, and the messages that it holds.

A shape is read into plain messages of the formats that `grice.formats` reads. Traces hold a call of a model
in a span, of which several make one conversation: their `session` says which.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from grice.formats.content import as_list, as_mapping, identifier, json_text
from grice.formats.errors import FormatError
from grice.formats.lines import parse_line
from grice.formats.tables import holds_json
from grice.records import JsonValue


class Held(NamedTuple):
    """What an export holds in one place: the messages to a model and its reply.

    `session` is the conversation that they are part of, where others may go on with it; `at` is when.
    """

    messages: list[Any]
    reply: list[Any]
    id: str = ""
    session: str = ""
    at: JsonValue = None


class Shape(NamedTuple):
    """A shape: `read` raises FormatError for a part of it that holds no conversation, with the reason."""

    name: str
    looks_like: Callable[[dict[str, Any]], bool]
    read: Callable[[dict[str, Any]], Held]


# -- what stands in the fields of several


def _told(value: JsonValue) -> JsonValue:
    """The value, decoded where it is JSON in a text."""
    if not isinstance(value, str) or not holds_json(value):
        return value
    try:
        return parse_line(value.encode())
    except FormatError:
        return value


_ASKED = ("messages", "input", "inputs", "chat_history", "prompt", "question", "query", "text", "content")
_REPLIED = (
    "messages",
    "output",
    "outputs",
    "generations",
    "choices",
    "response",
    "answer",
    "text",
    "message",
)


def _speech(value: JsonValue, role: str, fields: tuple[str, ...], depth: int = 0) -> list[Any]:
    """The messages in what a model or a chain was given or gave; none where it is something else."""
    value = _told(value)
    match value:
        case str() if value.strip():
            return [{"role": role, "content": value}]
        case [list() as inner, *_]:
            return _speech(inner, role, fields, depth)
        case [dict(), *_]:
            found = [one for item in value for one in _speech(item, role, fields, depth + 1)]
            return found[:1] if role == "assistant" and _is_choice(value[0]) else found
        case dict() if _is_message(value):
            return [value]
        case dict() if depth < 4:
            for key in fields:
                if value.get(key) is not None and (found := _speech(value[key], role, fields, depth + 1)):
                    return found
    return []


def _is_message(value: Mapping[str, JsonValue]) -> bool:
    return "role" in value or value.get("type") in ("human", "ai", "system", "tool", "constructor")


def _is_choice(value: JsonValue) -> bool:
    return isinstance(value, dict) and "message" in value


def _beyond(asked: list[Any], replied: list[Any]) -> list[Any]:
    """What was replied, without what was asked, which some chains give back."""
    return replied[len(asked) :] if asked and replied[: len(asked)] == asked else replied


def _named(value: Mapping[str, JsonValue], *names: str) -> str:
    return next((found for name in names if (found := identifier(value.get(name)))), "")


def _called(asked: list[Any], replied: list[Any], what: str) -> tuple[list[Any], list[Any]]:
    if not asked and not replied:
        raise FormatError(f"{what} without messages")
    return asked, _beyond(asked, replied)


# -- ShareGPT

_SPEAKERS = {
    "human": "user",
    "user": "user",
    "prompter": "user",
    "gpt": "assistant",
    "chatgpt": "assistant",
    "bing": "assistant",
    "bard": "assistant",
    "claude": "assistant",
    "model": "assistant",
    "assistant": "assistant",
    "system": "system",
    "tool": "tool",
    "observation": "tool",
    "function_response": "tool",
    "function_call": "function_call",
}


def _turns(value: dict[str, Any]) -> list[Any]:
    return as_list(value.get("conversations")) or as_list(value.get("conversation")) or []


def _is_sharegpt(value: dict[str, Any]) -> bool:
    turns = _turns(value)
    return bool(turns) and isinstance(turns[0], dict) and "from" in turns[0] and "value" in turns[0]


def _read_sharegpt(value: dict[str, Any]) -> Held:
    messages: list[Any] = [{"role": "system", "content": value["system"]}] if value.get("system") else []
    return Held([*messages, *map(_spoken, _turns(value))], [], _named(value, "id", "conversation_id"))


def _spoken(turn: JsonValue) -> JsonValue:
    """A message of ShareGPT; what is none is left as it is, and told of as any other."""
    said = as_mapping(turn) or {}
    role = _SPEAKERS.get(identifier(said.get("from")))
    if role is None:
        return {"role": said["from"], "content": said.get("value")} if "from" in said else turn
    if role == "function_call":
        call = as_mapping(_told(said.get("value"))) or {"arguments": said.get("value")}
        return {"role": "assistant", "content": None, "tool_calls": [call]}
    return {"role": role, "content": said.get("value")}


# -- LangSmith


def _is_langsmith(value: dict[str, Any]) -> bool:
    return "run_type" in value and "inputs" in value


def _read_langsmith(value: dict[str, Any]) -> Held:
    kind = identifier(value.get("run_type"))
    if kind not in ("llm", "chain"):
        raise FormatError(f"a run of type {kind}: no messages to a model")
    asked, replied = _called(
        _speech(value.get("inputs"), "user", _ASKED),
        _speech(value.get("outputs"), "assistant", _REPLIED),
        "a run",
    )
    extra = as_mapping(_told(value.get("extra"))) or {}
    metadata = as_mapping(_told(extra.get("metadata"))) or as_mapping(value.get("metadata")) or {}
    session = _named(metadata, "session_id", "thread_id", "conversation_id") or _named(value, "trace_id")
    at = value.get("start_time")
    return Held(asked, replied, session or _named(value, "id"), session, at)


# -- Langfuse

_OBSERVATIONS = (
    "GENERATION",
    "SPAN",
    "EVENT",
    "AGENT",
    "TOOL",
    "CHAIN",
    "RETRIEVER",
    "EMBEDDING",
    "GUARDRAIL",
)
_OF_TRACE = ("observations", "htmlPath", "projectId", "totalCost", "latency", "environment")


def _is_langfuse(value: dict[str, Any]) -> bool:
    if not ("input" in value or "output" in value):
        return False
    if "traceId" in value or "trace_id" in value:
        return value.get("type") in _OBSERVATIONS
    return ("timestamp" in value or "sessionId" in value) and any(name in value for name in _OF_TRACE)


def _read_langfuse(value: dict[str, Any]) -> Held:
    kind = identifier(value.get("type")) or "trace"
    if kind not in ("trace", "GENERATION"):
        raise FormatError(f"an observation of type {kind}: no messages to a model")
    asked, replied = _called(
        _speech(value.get("input"), "user", _ASKED),
        _speech(value.get("output"), "assistant", _REPLIED),
        "a trace" if kind == "trace" else "a generation",
    )
    session = _named(value, "sessionId", "session_id", "traceId", "trace_id")
    at = next((value[one] for one in ("timestamp", "startTime", "start_time") if value.get(one)), None)
    return Held(asked, replied, session or _named(value, "id"), session, at)


# -- spans of OpenTelemetry: GenAI and OpenInference, as OTLP/JSON or as Phoenix writes them

_DIGITS = re.compile(r"\d{1,6}")


def _is_span(value: dict[str, Any]) -> bool:
    attributes = value.get("attributes")
    if isinstance(attributes, list):
        return "spanId" in value or "traceId" in value
    if isinstance(attributes, dict):
        return any(name in value for name in ("span_kind", "context", "trace_id", "traceId", "span_id"))
    return any(name.startswith("attributes.") for name in value)


def _read_span(value: dict[str, Any]) -> Held:
    attributes = _attributes(value)
    asked, replied = _of_genai(attributes)
    if not asked and not replied:
        asked, replied = _of_events(value)
    if not asked and not replied:
        asked, replied = _of_openinference(attributes)
    if not asked and not replied:
        kind = _named(attributes, "openinference.span.kind", "gen_ai.operation.name") or _named(
            value, "span_kind"
        )
        raise FormatError(f"a span{' of ' + kind if kind else ''} without messages to a model")
    context = as_mapping(value.get("context")) or {}
    session = (
        _named(attributes, "gen_ai.conversation.id", "session.id", "langfuse.session.id")
        or _named(value, "traceId", "trace_id", "context.trace_id")
        or _named(context, "trace_id")
    )
    at = next(
        (value[one] for one in ("startTimeUnixNano", "start_time", "startTime") if value.get(one)), None
    )
    return Held(asked, _beyond(asked, replied), session, session, at)


def _attributes(value: dict[str, Any]) -> dict[str, Any]:
    """The attributes by their full names, whichever way they are written."""
    found = value.get("attributes")
    if isinstance(found, list):
        return dict(_otlp_pairs(found))
    if isinstance(found, dict):
        return dict(_full_names(found, ""))
    named = {
        key.removeprefix("attributes."): one for key, one in value.items() if key.startswith("attributes.")
    }
    return dict(_full_names(named, ""))


def _full_names(tree: dict[str, Any], above: str) -> Iterator[tuple[str, JsonValue]]:
    """The leaves of a tree of attributes; a list stays one."""
    for key, value in tree.items():
        name = f"{above}{key}"
        if (isinstance(value, dict) and not name.startswith("gen_ai.")) or (
            isinstance(value, dict) and name in ("gen_ai.input", "gen_ai.output")
        ):
            yield from _full_names(value, f"{name}.")
        elif value is not None:
            yield name, value


def _otlp_pairs(pairs: list[Any]) -> Iterator[tuple[str, JsonValue]]:
    for one in pairs:
        pair = as_mapping(one) or {}
        yield identifier(pair.get("key")), _otlp_value(pair.get("value"))


def _otlp_value(value: JsonValue) -> JsonValue:
    match value:
        case {"stringValue": found} | {"boolValue": found} | {"doubleValue": found} | {"bytesValue": found}:
            return found
        case {"intValue": found}:
            return int(found) if isinstance(found, str) and found.lstrip("-").isdecimal() else found
        case {"arrayValue": dict() as array}:
            return [_otlp_value(one) for one in array.get("values") or []]
        case {"kvlistValue": dict() as pairs}:
            return dict(_otlp_pairs(pairs.get("values") or []))
    return value


def _of_genai(attributes: Mapping[str, Any]) -> tuple[list[Any], list[Any]]:
    """The messages of the GenAI conventions, or those that OpenLLMetry numbers."""
    asked = as_list(_told(attributes.get("gen_ai.input.messages"))) or []
    replied = as_list(_told(attributes.get("gen_ai.output.messages"))) or []
    if not asked and not replied:
        asked = _numbered(attributes, "gen_ai.prompt.")
        replied = _numbered(attributes, "gen_ai.completion.")
    system = _told(attributes.get("gen_ai.system_instructions"))
    if system and (asked or replied):
        parts = system if isinstance(system, list) else [{"type": "text", "content": system}]
        asked = [{"role": "system", "parts": parts}, *asked]
    return asked, replied


def _numbered(attributes: Mapping[str, Any], above: str) -> list[Any]:
    listed = _tree({key.removeprefix(above): one for key, one in attributes.items() if key.startswith(above)})
    return [_flat_call(one) for one in listed] if isinstance(listed, list) else []


def _flat_call(message: JsonValue) -> JsonValue:
    held = as_mapping(message)
    return message if held is None or "role" in held else {"role": "assistant", **held}


_EVENT = re.compile(r"gen_ai\.(system|user|assistant|tool)\.message")


def _of_events(value: dict[str, Any]) -> tuple[list[Any], list[Any]]:
    """The messages that older GenAI conventions write as events of the span."""
    asked: list[Any] = []
    replied: list[Any] = []
    for one in as_list(value.get("events")) or []:
        event = as_mapping(one) or {}
        given = event.get("attributes")
        told = dict(_otlp_pairs(given)) if isinstance(given, list) else as_mapping(given) or {}
        name = identifier(event.get("name"))
        if found := _EVENT.fullmatch(name):
            asked.append({"role": found[1], **{key: _told(told[key]) for key in _OF_EVENT if key in told}})
        elif name == "gen_ai.choice":
            message = as_mapping(_told(told.get("message"))) or told
            replied.append(
                {"role": "assistant", **{key: _told(message[key]) for key in _OF_EVENT if key in message}}
            )
        elif "gen_ai.input.messages" in told or "gen_ai.output.messages" in told:
            return _of_genai(told)
    return asked, replied


_OF_EVENT = ("content", "tool_calls", "id", "name")


def _of_openinference(attributes: Mapping[str, Any]) -> tuple[list[Any], list[Any]]:
    llm = _tree({key: value for key, value in attributes.items() if key.startswith("llm.")})
    held = as_mapping((as_mapping(llm) or {}).get("llm")) or {}
    asked, replied = (
        [_openinference_message(one) for one in as_list(_told(held.get(name))) or []]
        for name in ("input_messages", "output_messages")
    )
    return asked, replied


def _openinference_message(value: JsonValue) -> JsonValue:
    outer = as_mapping(_tree(value)) or {}
    message = as_mapping(outer.get("message"))
    if message is None:
        return value
    content: JsonValue = message.get("content")
    if content is None and message.get("contents"):
        parts = [
            as_mapping((as_mapping(one) or {}).get("message_content")) or {} for one in message["contents"]
        ]
        content = [{"type": "text", "text": one["text"]} for one in parts if isinstance(one.get("text"), str)]
    calls = [(as_mapping(one) or {}).get("tool_call") for one in as_list(message.get("tool_calls")) or []]
    read: dict[str, Any] = {"role": message.get("role"), "content": content}
    read |= {name: message[name] for name in ("tool_call_id", "name") if message.get(name)}
    return read | ({"tool_calls": calls} if calls else {})


def _tree(value: JsonValue) -> JsonValue:
    """The value with names such as `a.0.b` as objects and lists in each other."""
    if isinstance(value, list):
        return [_tree(one) for one in value]
    if not isinstance(value, dict):
        return value
    root: dict[str, Any] = {}
    for key, one in value.items():
        *above, last = key.split(".")
        place = root
        for step in above:
            place = inner if isinstance(inner := place.setdefault(step, {}), dict) else {}
        place[last] = _tree(one)
    return _with_lists(root)


def _with_lists(value: JsonValue) -> JsonValue:
    if not isinstance(value, dict):
        return value
    inside = {key: _with_lists(one) for key, one in value.items()}
    if inside and all(map(_DIGITS.fullmatch, inside)):
        return [inside[key] for key in sorted(inside, key=int)]
    return inside


# -- promptfoo


def _is_promptfoo(value: dict[str, Any]) -> bool:
    prompt = as_mapping(value.get("prompt"))
    return prompt is not None and "raw" in prompt and ("response" in value or "vars" in value)


def _read_promptfoo(value: dict[str, Any]) -> Held:
    response = as_mapping(value.get("response")) or {}
    output: JsonValue = response.get("output")
    if output is None:
        error = value.get("error") or response.get("error")
        raise FormatError(f"a result without output{': ' + identifier(error)[:100] if error else ''}")
    asked = _speech(value["prompt"]["raw"], "user", _ASKED)
    said = output if isinstance(output, str) else json_text(output)
    return Held(asked, [{"role": "assistant", "content": said}], _named(value, "id", "testIdx"))


# -- Inspect


def _is_inspect(value: dict[str, Any]) -> bool:
    return "epoch" in value and isinstance(value.get("messages"), list)


def _read_inspect(value: dict[str, Any]) -> Held:
    return Held(list(map(_inspect_message, value["messages"])), [], _named(value, "id"))


def _inspect_message(value: JsonValue) -> JsonValue:
    message = as_mapping(value)
    if message is None:
        return value
    kept = {key: message[key] for key in ("role", "content", "tool_call_id") if message.get(key) is not None}
    if message.get("role") == "tool":
        return kept | {"name": message.get("function"), "is_error": message.get("error") is not None}
    calls = [as_mapping(one) or {} for one in as_list(message.get("tool_calls")) or []]
    plain = [
        {"id": one.get("id"), "name": one.get("function"), "arguments": one.get("arguments")} for one in calls
    ]
    return kept | ({"tool_calls": plain} if plain else {})


SHAPES = (
    Shape("Inspect", _is_inspect, _read_inspect),
    Shape("ShareGPT", _is_sharegpt, _read_sharegpt),
    Shape("LangSmith", _is_langsmith, _read_langsmith),
    Shape("Langfuse", _is_langfuse, _read_langfuse),
    Shape("a span of OpenTelemetry", _is_span, _read_span),
    Shape("promptfoo", _is_promptfoo, _read_promptfoo),
)


# -- documents that hold several


def parts_of(value: dict[str, Any]) -> list[Any] | None:
    """The exports that one value holds, None where it is none of several."""
    if _HOLDERS.isdisjoint(value):  # by far the most
        return None
    resources = value.get("resourceSpans", value.get("resource_spans"))
    if isinstance(resources, list):
        return [span for one in resources for span in _spans(one)]
    results = value.get("results")
    if isinstance(results, dict):
        return as_list(results.get("results"))
    if "version" in value and isinstance(results, list):
        return results
    if isinstance(value.get("eval"), dict):
        return as_list(value.get("samples"))
    if value.keys() <= _OF_PAGE:
        return as_list(value.get("data"))
    seen = as_list(value.get("observations"))
    if seen and isinstance(seen[0], dict) and not (value.get("input") or value.get("output")):
        return seen
    return next((found for name in _SETS if (found := as_list(value.get(name))) is not None), None)


_SETS = ("eval_cases", "evalCases", "simulations")
_HOLDERS = {"resourceSpans", "resource_spans", "results", "eval", "data", "observations", *_SETS}
_OF_PAGE = {"data", "meta", "next_cursor", "has_more", "object", "first_id", "last_id", "page", "total"}


def _spans(resource: JsonValue) -> Iterator[JsonValue]:
    held = as_mapping(resource) or {}
    for name in ("scopeSpans", "scope_spans", "instrumentationLibrarySpans"):
        for scope in as_list(held.get(name)) or []:
            yield from as_list((as_mapping(scope) or {}).get("spans")) or []
