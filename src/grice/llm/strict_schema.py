"""JSON Schemas in the subset that every provider can enforce."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import msgspec

from grice.records import JsonValue

_KEPT = frozenset({"$defs", "$ref", "anyOf", "const", "definitions", "description", "enum", "items", "type"})
_TOLD = {
    "minimum": "at least {}",
    "exclusiveMinimum": "more than {}",
    "maximum": "at most {}",
    "exclusiveMaximum": "less than {}",
    "multipleOf": "a multiple of {}",
    "minLength": "at least {} characters",
    "maxLength": "at most {} characters",
    "minItems": "at least {} items",
    "maxItems": "at most {} items",
    "pattern": "matching {}",
    "format": "in the format {}",
}
"""Keywords that not every provider takes, and how the description says them instead."""
_NAME = re.compile(r"[^A-Za-z0-9_-]+")
MAX_NAME = 64


def strict_schema(schema: Mapping[str, Any]) -> dict[str, JsonValue]:
    """The schema in that subset: each object closed and all its fields required.

    Bounds, patterns and formats become words of the description, for the model; the answer is to be
    validated against the schema itself. `oneOf` becomes `anyOf`; other keywords are left out. It is made
    once for each schema, and not to be changed.
    """
    try:
        return _remade(msgspec.json.encode(schema))
    except (TypeError, ValueError):  # what is no JSON is said where it is sent
        return _made(schema)


@lru_cache(maxsize=64)
def _remade(schema: bytes) -> dict[str, JsonValue]:
    return _made(msgspec.json.decode(schema))


def _made(schema: Mapping[str, Any]) -> dict[str, JsonValue]:
    strict: dict[str, JsonValue] = {}
    for name, value in schema.items():
        if name in ("properties", "$defs", "definitions") and isinstance(value, Mapping):
            strict[name] = {key: _strict(one) for key, one in value.items()}
        elif name in ("anyOf", "oneOf") and isinstance(value, list | tuple):
            strict["anyOf"] = [_strict(one) for one in value]
        elif name == "items":
            strict[name] = _strict(value)
        elif name in _KEPT:
            strict[name] = value
    told = [words.format(schema[name]) for name, words in _TOLD.items() if name in schema]
    if told:
        said = [strict["description"]] if strict.get("description") else []
        strict["description"] = " ".join([*said, f"({', '.join(told)})"])
    if "properties" in strict or strict.get("type") == "object":
        properties = strict.setdefault("properties", {})
        strict.setdefault("type", "object")
        strict |= {"required": list(properties), "additionalProperties": False}
    return strict


def _strict(schema: Any) -> JsonValue:
    return _made(schema) if isinstance(schema, Mapping) else schema


@lru_cache(maxsize=64)
def schema_title(name: str) -> str:
    """A name for a schema, made of the characters that providers allow."""
    return _NAME.sub("_", name).strip("_")[:MAX_NAME] or "answer"
