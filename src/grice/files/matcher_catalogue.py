"""The catalogue of matchers as an editor needs it: how each is written and edited, and examples."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec import UNSET, UnsetType

from grice import _catalogue
from grice.files.check_example import example_of
from grice.matching.assertions.registry import MatcherInfo, find_matcher, registry
from grice.records import JsonValue

Editor = Literal[
    "none", "text", "number", "boolean", "choice", "list", "pattern", "schema", "matcher", "object", "json"
]
"""How `expected` is edited: not at all, as a text, a number, a tick, one of a few words, a list of values, a
pattern with flags, a JSON Schema, another matcher, an object of named arguments, or any JSON."""

_VALUE_MATCHERS = "grice.matching.jest."
_ROWS = Path(__file__).with_name("matcher_rows.json")


class ExampleRow(msgspec.Struct, frozen=True):
    """An output and what is expected of it: `passed` is what comes of it."""

    actual: JsonValue
    passed: bool
    expected: JsonValue | UnsetType = UNSET
    path: str = "$"


class CatalogueEntry(msgspec.Struct, frozen=True, rename="camel"):
    """A matcher, for those who write assertions.

    `arity` is "one" where an assertion may have `expected`, which the JSON Schema `expected` describes; where
    it is `required` it needs that or `options`. `check` is
    an example as a suite has it. `passing` and `failing` are outputs to try it on; None for matchers that
    judge conversations, requests or tool calls, ask a judge, or are the project's own, as `own` says. With
    `value_only` it looks at nothing but the value, so an output alone tells what comes of it in a run.
    """

    name: str
    python_name: str
    arity: Literal["none", "one"]
    required: bool
    editor: Editor
    expected: dict[str, Any] | None
    options: dict[str, Any] | None
    documentation: str
    subjects: tuple[str, ...]
    layer: int | None
    judged: bool
    own: bool
    value_only: bool
    check: dict[str, Any]
    passing: ExampleRow | None
    failing: ExampleRow | None


def matcher_catalogue() -> tuple[CatalogueEntry, ...]:
    """Every matcher that is known, by name; those of a project once its modules are imported.

    Raises ArgumentError for a package whose matcher cannot be loaded.
    """
    return tuple(map(_entry, registry()))


def _entry(info: MatcherInfo) -> CatalogueEntry:
    factory = find_matcher(info.name)
    passing, failing = _rows().get(info.name, (None, None))
    return CatalogueEntry(
        name=info.name,
        python_name=info.python_name,
        arity="none" if info.expected is None else "one",
        required=factory.needs_arguments,
        editor=editor_of(info.expected),
        expected=info.expected,
        options=info.options,
        documentation=info.documentation,
        subjects=info.subjects,
        layer=info.layer,
        judged=info.judged,
        own=info.name not in _catalogue.MODULES,
        value_only=info.module.startswith(_VALUE_MATCHERS),
        check=example_of(factory),
        passing=passing,
        failing=failing,
    )


def editor_of(schema: Mapping[str, Any] | None) -> Editor:
    """How a value that the JSON Schema describes is best edited: by the first of its forms."""
    if schema is None:
        return "none"
    forms = schema.get("anyOf", [schema])
    named: set[str] = set().union(*(one.get("properties", {}) for one in forms))
    if {"source", "flags"} <= named:
        return "pattern"
    if {"matcher", "expected"} <= named:
        return "matcher"
    if [one.get("type") for one in forms] == ["object", "boolean"]:
        return "schema"
    first = editor_of(forms[0]) if "anyOf" in schema else ""
    return first or _of_type(schema)


def _of_type(schema: Mapping[str, Any]) -> Editor:
    if "enum" in schema:
        return "choice"
    by_type: dict[object, Editor] = {
        "string": "text",
        "integer": "number",
        "number": "number",
        "boolean": "boolean",
        "array": "list",
        "object": "object" if "properties" in schema else "json",
    }
    kind = schema.get("type", "")
    return by_type.get(kind if isinstance(kind, str) else kind[0], "json")


@cache
def _rows() -> dict[str, tuple[ExampleRow, ExampleRow]]:
    """The row that passes and the row that fails, by the name of the matcher."""
    rows = msgspec.json.decode(_ROWS.read_bytes(), type=dict[str, tuple[dict[str, Any], dict[str, Any]]])
    return {
        name: (ExampleRow(**passing, passed=True), ExampleRow(**failing, passed=False))
        for name, (passing, failing) in rows.items()
    }
