"""Writing a suite as a file that people read: blocks, its fields in the order of the docs."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from grice.files.locate import JsonPath
from grice.files.yaml_writing import NotYaml, block_text
from grice.records import JsonValue
from grice.typed import Problem

_SUITE = ("$schema", "name", "agent", "state", "prompt", "version", "matchers", "criteria", "scenarios")
_SCENARIO = (
    *("id", "description", "run_mode", "agent", "state", "history", "inputs", "say", "turns", "model"),
    *("tools", "output_type", "should_trim_whitespace", "expected_output", "expect", "evaluate"),
)
_CHECK = ("id", "on", "path", "pathMatch", "parse", "matcher", "expected", "options", "not", "description")


def suite_text(suite: Mapping[str, JsonValue], *, as_json: bool = False) -> str:
    """The text of a suite file that says this, as YAML or as JSON.

    Raises NotYaml for half a character, which only JSON can write; `yaml_problems` says where.
    """
    ordered = ordered_head(suite)
    ordered["scenarios"] = [ordered_scenario(one) for one in suite["scenarios"]]
    if as_json:
        return json.dumps(ordered, ensure_ascii=not _is_whole(ordered), indent=2, allow_nan=False) + "\n"
    return block_text(ordered)


def yaml_problems(value: JsonValue, place: JsonPath = ()) -> list[Problem]:
    """What YAML cannot write, and where."""
    if isinstance(value, dict):
        return [one for name, item in value.items() for one in yaml_problems(item, (*place, name))]
    if isinstance(value, list):
        return [one for index, item in enumerate(value) for one in yaml_problems(item, (*place, index))]
    try:
        block_text({"": value})
    except NotYaml as error:
        return [Problem(place, str(error))]
    return []


def ordered_head(fields: Mapping[str, Any]) -> dict[str, JsonValue]:
    """A suite with its fields in order."""
    return _ordered(fields, _SUITE)


def ordered_scenario(fields: Mapping[str, Any]) -> dict[str, JsonValue]:
    """A scenario or a turn with its fields in order. What is wrong with it stays: who reads it says so."""
    ordered = _ordered(fields, _SCENARIO)
    for name in ("expect", "evaluate"):
        if isinstance(checks := ordered.get(name), list):
            ordered[name] = [_ordered(one, _CHECK) if isinstance(one, dict) else one for one in checks]
    if isinstance(turns := ordered.get("turns"), list):
        ordered["turns"] = [ordered_scenario(one) if isinstance(one, dict) else one for one in turns]
    return ordered


def _ordered(fields: Mapping[str, JsonValue], names: Sequence[str]) -> dict[str, JsonValue]:
    """The fields that have these names, in this order, then the others."""
    first = {name: fields[name] for name in names if name in fields}
    return {**first, **fields}


def _is_whole(value: JsonValue) -> bool:
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    return True
