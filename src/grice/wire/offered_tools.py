"""Check that a request allows a scripted call: its tool is offered, and takes these arguments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from grice.records import JsonValue
from grice.text import did_you_mean, value_text
from grice.wire.replies import ToolUse

_TYPES: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "array": (list,),
    "object": (dict,),
    "null": (type(None),),
}


def refused_call(call: ToolUse, request: Mapping[str, JsonValue]) -> str:
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
