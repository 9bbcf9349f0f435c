"""Matchers on objects: their properties, a part of them, their schema."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from msgspec import Meta

from grice.matching.context import Context
from grice.matching.equality import MAX_DEPTH, Compared, TooDeep, json_equal, member
from grice.matching.jest.json_schema import check_schema, schema_problems
from grice.matching.jest.schema_values import SchemaError
from grice.matching.json_parsing import json_hint
from grice.matching.matcher import ArgumentError, Unsuitable, matcher
from grice.matching.subjects import Speech, value_of
from grice.matching.values import MISSING
from grice.records import JsonValue, Verdict, errored, failed, passed
from grice.text import shorten, value_text

MAX_COMPARED = 1_000_000
MAX_PROBLEMS = 5
SHOWN_PATH = 200


def _check_path(path: str | Sequence[str | int]) -> None:
    """Raise ArgumentError for a text that is no path from the value itself."""
    if not isinstance(path, str):
        return
    if _FROM_ROOT.match(path):
        rest = path[1:].removeprefix(".")
        instead = f"write {value_text(rest)}" if rest else "name a property"
        raise ArgumentError(
            f"{value_text(path)}: a property is looked for from the value itself, {instead}; "
            "for a name that is $ give a list of keys"
        )
    keys_of(path)


_PathText = Annotated[str, Meta(min_length=1, extra_json_schema={"pattern": r"^([^$]|\$[^.\[])"})]
PropertyPath = Annotated[_PathText | Annotated[Sequence[str | int], Meta(min_length=1)], _check_path]
"""A property such as `user.name`, or a list of keys."""


@matcher(
    "toHaveProperty",
    layer=1,
    describe="have the property {path}[ equal to {value}]",
    wants=("that property", "no such property"),
)
def have_property(
    subject: Mapping[str, Any] | Sequence[Any], ctx: Context, path: PropertyPath, value: object = MISSING
) -> Verdict:
    """The value has something at `path`, and it equals `value` when that is given.

    `path` is a name, names with dots and brackets (`items[0].id`), or a list of keys for names that hold
    dots. It is no JSON path: `user.name`, not `$.user.name`. Null has no properties to look for: an `error`.
    Source: Jest's toHaveProperty.
    """
    found: Any = subject
    if found is None:
        raise Unsuitable("a value that has properties, found null")
    keys = keys_of(path) if isinstance(path, str) else list(path)
    for depth, key in enumerate(keys):
        inside = found
        found = property_of(inside, key)
        if found is MISSING:
            where = shorten("".join(map(member, keys[:depth])).removeprefix("."), SHOWN_PATH)
            element = isinstance(inside, list | tuple) and isinstance(key, int)
            lacks = f"{'element ' if element else ''}{value_text(key)}"
            return failed(f"it has no {lacks}{f' at {where}' if where else ''}")
    if value is MISSING or json_equal(found, value):
        return passed(f"it is {value_text(found)}")
    return failed(f"the property is there, and it is {value_text(found)}")


def property_of(value: object, key: str | int) -> object:
    """What the value has under the key, MISSING when nothing."""
    if isinstance(value, Mapping):
        return value.get(key if isinstance(key, str) else str(key), MISSING)
    if isinstance(value, list | tuple):
        index = int(key) if isinstance(key, str) and key.isascii() and key.isdigit() else key
        return value[index] if isinstance(index, int) and 0 <= index < len(value) else MISSING
    return MISSING


_FROM_ROOT = re.compile(r"\$(?=[.\[]|\Z)")
_STEP = re.compile(r"""\[(\d{1,9})\]|\[(["'])(.*?)\2\]|(?:^|\.)([^.\[\]]+)""")


def keys_of(path: str) -> list[str | int]:
    """The keys of `a.b[0]["c d"]`. Raises ArgumentError."""
    keys: list[str | int] = []
    place = 0
    while place < len(path):
        found = _STEP.match(path, place)
        if found is None:
            raise ArgumentError(
                f"{value_text(path)} is not a property path such as items[0].id (at character {place}); "
                "for names that hold dots or brackets give a list of keys"
            )
        index, _, quoted, plain = found.groups()
        keys.append(int(index) if index is not None else quoted if quoted is not None else plain)
        place = found.end()
    return keys


@matcher(
    "toMatchObject",
    layer=1,
    describe="match {expected}",
    wants=("at least these properties", "not all of these properties"),
)
def match_object(
    subject: Mapping[str, Any] | Sequence[Any],
    ctx: Context,
    expected: Mapping[str, object] | Sequence[object],
) -> Verdict:
    """The object has at least the properties of `expected`, nested ones too; others do not matter.

    Lists must be of the same length, each element having at least what is expected of it. A subject that
    is neither object nor list is an `error`, and so is one nested deeper than 200 levels. Source: Jest's
    toMatchObject.
    """
    if not isinstance(subject, Mapping | list | tuple):
        hint = json_hint(value_of(subject), expected, as_value=ctx.as_value)
        raise Unsuitable(f"an object or a list, found {value_text(value_of(subject))}{hint}")
    wrong = _lacking(subject, expected, "$", {}, 0)
    if wrong is not None:
        return failed(wrong)
    nothing = expected == {}
    return passed(
        "nothing is expected of the object" if nothing else f"found {value_text(subject)}",
        trivially_true=nothing,
    )


def _lacking(value: object, expected: object, path: str, compared: Compared, depth: int) -> str | None:
    """What the value lacks of what is expected, None for nothing."""
    objects = isinstance(expected, Mapping) and isinstance(value, Mapping)
    lists = isinstance(expected, list | tuple) and isinstance(value, list | tuple)
    if not objects and not lists:
        if json_equal(value, expected):
            return None
        return f"at {shorten(path, SHOWN_PATH)}: found {value_text(value)}, expected {value_text(expected)}"
    pair = (id(value), id(expected))
    if pair in compared:
        return None
    compared[pair] = (value, expected)
    if depth > MAX_DEPTH:
        raise TooDeep(f"nested deeper than {MAX_DEPTH} levels")
    if len(compared) > MAX_COMPARED:
        raise TooDeep(f"more than {MAX_COMPARED:,} objects and lists to compare")
    return _lacking_inside(value, expected, path, compared, depth + 1)


def _lacking_inside(value: Any, expected: Any, path: str, compared: Compared, depth: int) -> str | None:
    if isinstance(expected, Mapping):
        steps = [(member(key), value.get(key, MISSING), one) for key, one in expected.items()]
    elif len(value) != len(expected):
        return f"at {shorten(path, SHOWN_PATH)}: {len(value)} elements, expected {len(expected)}"
    else:
        steps = [(f"[{index}]", *pair) for index, pair in enumerate(zip(value, expected, strict=True))]
    for step, one, wanted in steps:
        if one is MISSING:
            return f"at {shorten(path + step, SHOWN_PATH)}: found nothing, expected {value_text(wanted)}"
        wrong = _lacking(one, wanted, path + step, compared, depth)
        if wrong is not None:
            return wrong
    return None


def _check_schema(schema: object) -> None:
    try:
        check_schema(schema)
    except SchemaError as error:
        raise ArgumentError(str(error)) from None


JsonSchema = Annotated[Mapping[str, object] | bool, _check_schema]


@matcher(
    "toMatchSchema",
    layer=1,
    describe="match the JSON Schema {schema}",
    wants=("a value that fits the schema", "a value that does not fit the schema"),
)
def match_schema(subject: Speech | JsonValue, ctx: Context, schema: JsonSchema) -> Verdict:
    """The value is valid by the JSON Schema (draft 2020-12 unless `$schema` says otherwise).

    A failure names the places that do not fit. Patterns in the schema run on RE2, `format` is not
    checked; a `$ref` to somewhere else is never fetched: an `error`, and so is a check that takes too
    long. Of a reply or turn the text is judged: give `path="$"` with `parse="json"` for the value that it
    holds.
    """
    value = value_of(subject)
    try:
        problems = schema_problems(value, schema, most=MAX_PROBLEMS + 1, clock=ctx.bounds.clock)
    except SchemaError as error:
        return errored(str(error))
    if schema is True or schema == {}:
        return passed("the schema allows everything", trivially_true=True)
    if not problems:
        return passed(f"found {value_text(value)}")
    shown = problems[:MAX_PROBLEMS] + (["and more"] if len(problems) > MAX_PROBLEMS else [])
    asks_for_object = isinstance(schema, Mapping) and schema.get("type") in ("object", "array")
    hint = json_hint(value, schema if asks_for_object else None, as_value=ctx.as_value)
    return failed("\n".join(shown) + hint)
