"""JSON Schema, safely: patterns on RE2, no reference fetched, every error in plain words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextvars import ContextVar
from functools import lru_cache
from itertools import islice
from typing import Any

from grice.matching.json_text import json_text
from grice.matching.patterns import Pattern, PatternError, compile_pattern
from grice.text import shorten, visible

__all__ = ["SchemaError", "check_schema", "schema_problems"]


MAX_REFERENCES = 100_000

_followed: ContextVar[list[int]] = ContextVar("grice_schema_references")
"""How many references were followed so far, in a list of one."""


class SchemaError(ValueError):
    """A schema that is none, or cannot be used on this value."""


def check_schema(schema: object) -> None:
    """Raise SchemaError unless it is a JSON Schema whose patterns and references can be used."""
    if not isinstance(schema, Mapping | bool):
        raise SchemaError(f"expected a JSON Schema, an object, found {json_text(schema)}")
    from jsonschema import exceptions

    try:
        _validator_class(schema).check_schema(schema)
        used = _check_patterns(schema)
    except exceptions.SchemaError as error:
        where = "".join(f"[{step!r}]" for step in error.absolute_path)
        raise SchemaError(f"not a JSON Schema: {where or 'it'}: {_said(error.message)}") from None
    except PatternError as error:
        raise SchemaError(f"a pattern of the schema: {error}") from None
    except RecursionError:
        raise SchemaError("not a JSON Schema that can be used: nested too deep") from None
    if {"patternProperties", "unevaluatedProperties"} <= used:
        raise SchemaError("unevaluatedProperties cannot be used together with patternProperties")


def schema_problems(value: object, schema: Mapping[str, object] | bool, *, most: int) -> list[str]:
    """What does not fit the schema, each with its JSON path, at most `most`. Raises SchemaError."""
    from jsonschema import exceptions
    from referencing import Registry
    from referencing.exceptions import Unresolvable

    validator = _validator_class(schema)(schema, registry=Registry())
    _followed.set([0])
    try:
        found: list[exceptions.ValidationError] = list(islice(validator.iter_errors(value), most))
    except Unresolvable as error:
        raise SchemaError(f"a reference of the schema leads nowhere: {_said(error)}") from None
    except PatternError as error:
        raise SchemaError(f"a pattern of the schema: {error}") from None
    except RecursionError:
        raise SchemaError("the schema or the value goes too deep") from None
    except ValueError as error:  # an integer too long to be shown
        raise SchemaError(f"the value cannot be checked: {_said(error)}") from None
    return [f"at {_place(error.json_path)}: {_said(error.message)}" for error in found]


def _place(path: str) -> str:
    return visible(shorten(path, 200), newlines=False)


def _said(message: object) -> str:
    return visible(shorten(str(message), 300), newlines=False)


def _check_patterns(schema: object) -> set[str]:
    """The keywords that the schema uses. Raises PatternError for a pattern that cannot run."""
    used: set[str] = set()
    if isinstance(schema, Mapping):
        used |= schema.keys() & {"patternProperties", "unevaluatedProperties"}
        if isinstance(schema.get("pattern"), str):
            _compiled(schema["pattern"])
        keyed = schema.get("patternProperties")
        for one in keyed if isinstance(keyed, Mapping) else ():
            _compiled(str(one))
        for name, part in schema.items():
            if name not in ("enum", "const", "default", "examples"):  # data, not schemas
                used |= _check_patterns(part)
    elif isinstance(schema, list | tuple):
        for part in schema:
            used |= _check_patterns(part)
    return used


def _validator_class(schema: Mapping[str, object] | bool) -> Any:
    from jsonschema import validators

    chosen = validators.validator_for(schema, default=validators.Draft202012Validator)
    return _safe(chosen)


@lru_cache(maxsize=16)
def _safe(chosen: Any) -> Any:
    """The validator with its patterns on RE2, written as JSON Schema has them: in JavaScript's syntax."""
    from jsonschema import validators

    extend: Any = validators.extend
    return extend(
        chosen,
        {
            "$ref": _reference,
            "pattern": _pattern,
            "patternProperties": _pattern_properties,
            "additionalProperties": _additional_properties,
        },
    )


def _reference(validator: Any, reference: str, value: object, schema: object) -> Any:
    followed = _followed.get()
    followed[0] += 1
    if followed[0] > MAX_REFERENCES:
        raise SchemaError(f"the schema follows more than {MAX_REFERENCES:,} references")
    return validator._validate_reference(ref=reference, instance=value)


def _found(pattern: str, text: str) -> bool:
    return _compiled(pattern).search(text) is not None


def _compiled(pattern: str) -> Pattern:
    r"""The pattern as JSON Schema has them, with flag u; or without it, for those that write `\-` or `\_`."""
    try:
        return compile_pattern(pattern, "u")
    except PatternError:
        return compile_pattern(pattern)


def _pattern(validator: Any, pattern: str, value: object, schema: object) -> Iterator[Any]:
    from jsonschema.exceptions import ValidationError

    if isinstance(value, str) and not _found(pattern, value):
        yield ValidationError(f"{json_text(value)} does not match the pattern {json_text(pattern)}")


def _pattern_properties(
    validator: Any, patterns: Mapping[str, Any], value: object, schema: object
) -> Iterator[Any]:
    if not isinstance(value, Mapping):
        return
    for pattern, part in patterns.items():
        for name, one in value.items():
            if _found(pattern, name):
                yield from validator.descend(one, part, path=name, schema_path=pattern)


def _additional_properties(
    validator: Any, allowed: Any, value: object, schema: Mapping[str, Any]
) -> Iterator[Any]:
    from jsonschema.exceptions import ValidationError

    if not isinstance(value, Mapping):
        return
    known, patterns = schema.get("properties", {}), schema.get("patternProperties", {})
    extras = [name for name in value if name not in known and not any(_found(p, name) for p in patterns)]
    if isinstance(allowed, Mapping):
        for name in extras:
            yield from validator.descend(value[name], allowed, path=name)
    elif not allowed and extras:
        yield ValidationError(f"{', '.join(map(repr, extras[:5]))} not allowed here")
