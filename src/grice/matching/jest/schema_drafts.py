"""The drafts of JSON Schema: which one a schema is written in, and which of its words ask nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from grice.matching.jest.schema_values import SchemaError
from grice.text import did_you_mean, shorten, value_text

NEWEST = "https://json-schema.org/draft/2020-12/schema"
SHORTEST = 3
MAX_PLACE = 200

_NAMED = {"$defs", "definitions", "dependencies", "dependentSchemas", "patternProperties", "properties"}
_HELD = {
    "additionalItems",
    "additionalProperties",
    "allOf",
    "anyOf",
    "contains",
    "contentSchema",
    "disallow",
    "else",
    "extends",
    "if",
    "items",
    "not",
    "oneOf",
    "prefixItems",
    "propertyNames",
    "then",
    "type",
    "unevaluatedItems",
    "unevaluatedProperties",
}


@lru_cache(maxsize=1)
def _drafts() -> dict[str, Any]:
    """The validators of `jsonschema`, by the URIs of their drafts."""
    from jsonschema import validators

    drafts = (
        validators.Draft3Validator,
        validators.Draft4Validator,
        validators.Draft6Validator,
        validators.Draft7Validator,
        validators.Draft201909Validator,
        validators.Draft202012Validator,
    )
    return {str(one.META_SCHEMA["$schema"]).rstrip("#"): one for one in drafts}


def known_draft(schema: object) -> Any:
    """The validator of the draft that `$schema` names, None when it is absent or names none."""
    uri = schema.get("$schema") if isinstance(schema, Mapping) else None
    return _drafts().get(uri.removesuffix("#")) if isinstance(uri, str) else None


def draft_of(schema: object) -> Any:
    """The validator of the draft that a schema is written in: the newest unless `$schema` names another.

    Raises SchemaError when that is not the URI of a draft.
    """
    if not isinstance(schema, Mapping) or "$schema" not in schema:
        return _drafts()[NEWEST]
    found = known_draft(schema)
    if found is None:
        uri = schema["$schema"]
        near = did_you_mean(uri, _drafts()) if isinstance(uri, str) else ""
        raise SchemaError(
            f"$schema: expected the URI of a draft{near or f' such as {NEWEST!r}'}, found {value_text(uri)}"
        )
    return found


def parts_of(schema: object) -> Iterator[Mapping[str, Any]]:
    """The schema and all schemas in it that are objects.

    Raises SchemaError for a word that is read past although it was meant to ask something.
    """
    waiting: list[tuple[object, Any, str]] = [(schema, draft_of(schema), "")]
    seen: set[int] = set()
    while waiting:
        part, draft, place = waiting.pop()
        if not isinstance(part, dict) or id(part) in seen:
            continue
        seen.add(id(part))
        if "$schema" in part:
            draft = draft_of(part)
        for name, inside in part.items():
            _check_word(name, draft, place)
            waiting += [(one, draft, f"{place}{step}") for step, one in _inside(name, inside)]
        yield part


def _inside(name: str, value: Any) -> Iterator[tuple[str, object]]:
    """The values of a keyword that may be schemas, each with its step."""
    if name in _NAMED and isinstance(value, dict):
        yield from ((f"[{name!r}][{one!r}]", part) for one, part in value.items())
    elif name in _HELD:
        parts = value if isinstance(value, list) else [value]
        yield from ((f"[{name!r}]", part) for part in parts)


def _check_word(word: str, draft: Any, place: str) -> None:
    if word in draft.VALIDATORS or word.startswith("x-"):
        return
    at = f"{shorten(place, MAX_PLACE)}: " if place else ""
    uri = str(draft.META_SCHEMA["$schema"]).rstrip("#")
    others = [other for other, one in _drafts().items() if word in one.VALIDATORS]
    if others and word not in _old_words(uri):
        raise SchemaError(f"{at}the keyword {word!r} asks nothing in {uri}, it is one of {others[-1]}")
    if not others and (hint := _hint(word, uri)):
        raise SchemaError(f"{at}unknown keyword {value_text(word)}{hint}")


def _old_words(uri: str) -> set[str]:
    """Words of a draft that `jsonschema` reads with another one; newer drafts list those that are gone."""
    meta = _drafts()[uri].META_SCHEMA
    return set() if "allOf" in meta else set(meta["properties"])


@lru_cache(maxsize=1_000)
def _hint(word: str, uri: str) -> str:
    """The keyword that asks something and was meant, as `did_you_mean` says it."""
    known = {*_drafts()[uri].VALIDATORS, "$defs", "definitions"} - {"format"}
    if "if" in known:
        known |= {"then", "else"}
    if "unevaluatedItems" in known:
        known |= {"minContains", "maxContains"}
    if word in known:
        return ""
    return did_you_mean(word, sorted(name for name in known if len(name) > SHORTEST))
