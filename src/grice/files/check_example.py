"""An example of each matcher as suites write it, made of what its arguments may be."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

from grice.files.suite_check_reading import read_check
from grice.matching.assertions.data_arguments import camel, expected_schema
from grice.matching.matcher import MatcherFactory

_PLACES: tuple[dict[str, str], ...] = (
    {},
    {"on": "exchange 1"},
    {"on": "state"},
    {"path": "$.name"},
)
_SAMPLES = {"matcher": "toBeDefined"}
"""What is written for texts of these names."""
_EXPECTED: dict[str, Any] = {
    "toFollowRules": {
        "id": "no-promise",
        "any_of": ["guarantee"],
        "good": ["It should arrive on Friday."],
        "bad": ["I guarantee that it arrives on Friday."],
    },
    "toHaveChanged": {"orders.A101.status": ["open", "refunded"]},
    "toUseToolsFor": "recommendation",
}
"""What is expected by matchers that take few texts."""


def example_of(factory: MatcherFactory[Any, Any]) -> dict[str, Any]:
    """A check of a suite, `{"matcher": "toHaveTurnCount", "expected": 1}`.

    `expected` and a place are there where the matcher cannot do without; `options` are those that have a
    value unless they are given one, with that value.
    """
    examples = [{"matcher": factory.name, **fields} for fields in _candidates(factory)]
    right = (one for one in examples if not isinstance(read_check(one, (), "hard", lambda *_: 0), list))
    return next(right, examples[-1])  # the last needs a file or a name that only the project knows


def _candidates(factory: MatcherFactory[Any, Any]) -> Iterator[dict[str, Any]]:
    schema = expected_schema(factory)
    wanted = [{"expected": _expected(factory.name, schema)}] if schema is not None else []
    defaults = {
        camel(one.name): one.default
        for one in factory.parameters.values()
        if one.default is not one.empty and _is_shown(one.default)
    }
    options = [{"options": defaults}] if defaults else []
    for expected, place, option in product([{}, *wanted], _PLACES, [*options, {}]):
        yield {**place, **expected, **option}
    yield dict(*wanted)


def _expected(name: str, schema: Mapping[str, Any]) -> Any:
    return _EXPECTED[name] if name in _EXPECTED else _sample("", schema, schema.get("$defs", {}))


def _is_shown(default: object) -> bool:
    """Whether a default says something, as None and what is empty do not."""
    return default not in (None, "", (), [], {}) and isinstance(default, str | int | float | bool)


def _sample(name: str, schema: Mapping[str, Any], defs: Mapping[str, Any]) -> Any:
    """The simplest value that the schema of an argument takes."""
    if "$ref" in schema:
        return _sample(name, defs[schema["$ref"].rpartition("/")[2]], defs)
    if "anyOf" in schema:
        return _sample(name, schema["anyOf"][0], defs)
    if "enum" in schema:
        return schema["enum"][0]
    kind = schema.get("type", "string")
    first = kind if isinstance(kind, str) else kind[0]
    if first in ("integer", "number"):
        return max(1, schema.get("minimum", 1))
    if first == "array":
        return [_sample(name, schema.get("items", {}), defs)]
    if first == "object":
        properties = schema.get("properties", {})
        names = schema.get("required") or list(properties)[:1] or ["name"]
        return {one: _sample(one, properties.get(one, {}), defs) for one in names}
    return first == "boolean" or _SAMPLES.get(name, "text")
