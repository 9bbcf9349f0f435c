"""What the JSON schema of a tool wants at a place in the arguments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any
from urllib.parse import unquote

from grice.checks.message_lint.lint_state import Scan, kind_of
from grice.records import JsonValue

_MAX_BRANCHES = 64
_MAX_DEPTH = 16
_CHOICES = ("anyOf", "oneOf", "allOf")
_OBJECT_WORDS = ("properties", "additionalProperties", "patternProperties", "required", "propertyNames")
_ARRAY_WORDS = ("items", "prefixItems", "minItems", "maxItems", "uniqueItems")


def check_schemas(scan: Scan, tools: JsonValue) -> None:
    """Judge the schemas of the offered tools: they and their properties are objects."""
    for place, tool in enumerate(tools if isinstance(tools, list | tuple) else ()):
        if tool.__class__ is not dict:
            continue
        held, path = tool.get("function"), f"tools[{place}].function"
        if held.__class__ is not dict:
            held, path = tool, f"tools[{place}]"
        key = "input_schema" if "input_schema" in held else "parameters"
        schema = held.get(key)
        if schema is None:
            continue
        if schema.__class__ is not dict:
            scan.foreign(schema)
            scan.found("tool-schema-not-object", None, f"{path}.{key}", kind_of(schema))
        elif "properties" in schema and schema["properties"].__class__ is not dict:
            scan.foreign(schema["properties"])
            found = kind_of(schema["properties"])
            scan.found("tool-schema-not-object", None, f"{path}.{key}.properties", found)


def schema_of(tools: JsonValue, name: str) -> JsonValue:
    """The JSON schema of a tool's arguments, None when the request does not have it."""
    for tool in tools if isinstance(tools, list | tuple) else ():
        if isinstance(tool, dict):
            held = tool.get("function", tool)
            if isinstance(held, dict) and held.get("name") == name:
                return held.get("input_schema", held.get("parameters"))
            inner = schema_of(tool.get("tools"), name) if tool.get("type") == "namespace" else None
            if inner is not None:
                return inner
    return None


def type_at(schema: JsonValue, keys: tuple[str | int, ...]) -> str:
    """What the schema wants at a place: `object`, `other`, or "" when it does not say.

    References into the schema, choices and combinations are followed as far as they tell.
    """
    at = [schema]
    for key in keys:
        at = [inner for one in at for branch in _few(schema, one) for inner in _inside(branch, key)]
        at = at[:_MAX_BRANCHES]
    kinds = [kind for one in at for kind in _kinds(schema, one)]
    if not kinds or "" in kinds:
        return ""
    return "object" if "object" in kinds and "array" not in kinds else "other"


def _few(root: JsonValue, schema: JsonValue) -> Iterator[Mapping[str, Any]]:
    return islice(_branches(root, schema), _MAX_BRANCHES)


def _branches(root: JsonValue, schema: JsonValue, depth: int = 0) -> Iterator[Mapping[str, Any]]:
    """The schema and those that it refers to, chooses from or combines."""
    if not isinstance(schema, Mapping) or depth > _MAX_DEPTH:
        return
    yield schema
    reference = schema.get("$ref")
    if isinstance(reference, str):
        yield from _branches(root, _referred(root, reference), depth + 1)
    for word in _CHOICES:
        held = schema.get(word)
        for one in held[:_MAX_BRANCHES] if isinstance(held, list) else ():
            yield from _branches(root, one, depth + 1)


def _referred(root: JsonValue, reference: str) -> JsonValue:
    """What a local reference such as `#/$defs/Filter` points at, None for another."""
    if not reference.startswith("#"):
        return None
    at = root
    for part in unquote(reference[1:]).split("/")[1:]:
        key = part.replace("~1", "/").replace("~0", "~")
        if isinstance(at, Mapping):
            at = at.get(key)
        elif isinstance(at, list) and key.isdecimal() and int(key) < len(at):
            at = at[int(key)]
        else:
            return None
    return at


def _inside(schema: Mapping[str, Any], key: str | int) -> Iterator[JsonValue]:
    """The schemas of what is under a key of an object or at a place of a list."""
    if isinstance(key, str):
        properties, others = schema.get("properties"), schema.get("additionalProperties")
        if isinstance(properties, Mapping) and key in properties:
            yield properties[key]
        elif isinstance(others, Mapping):
            yield others
        return
    items = schema.get("items")
    tuples = [one for one in (schema.get("prefixItems"), items) if isinstance(one, list)]
    if tuples and key < len(tuples[0]):
        yield tuples[0][key]
    elif isinstance(items, Mapping):
        yield items


def _kinds(root: JsonValue, schema: JsonValue) -> list[str]:
    """The kinds of value that the schema allows, "" for one that it leaves open."""
    return [kind for branch in _few(root, schema) for kind in _own_kinds(branch)] or [""]


def _own_kinds(schema: Mapping[str, Any]) -> list[str]:
    wanted = schema.get("type")
    named = [wanted] if isinstance(wanted, str) else wanted
    if isinstance(named, list) and named:
        return [one if one in ("object", "array") else "other" for one in named]
    allowed = schema.get("enum", [schema["const"]] if "const" in schema else None)
    if isinstance(allowed, list):
        return [
            "object" if isinstance(one, dict) else "array" if isinstance(one, list) else "other"
            for one in allowed
        ]
    if any(word in schema for word in _OBJECT_WORDS):
        return ["object"]
    if any(word in schema for word in _ARRAY_WORDS):
        return ["array"]
    return [] if "$ref" in schema or any(word in schema for word in _CHOICES) else [""]
