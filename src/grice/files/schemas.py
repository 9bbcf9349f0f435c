"""The JSON Schemas of files, for editors: each is made from the types that the files are read as."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from grice import _catalogue
from grice.files.stub_scripts import FAULTS, Reply
from grice.files.suite_check_reading import PARSES
from grice.files.suite_types import Scenarios, SuiteFile
from grice.matching.assertions.data_arguments import camel, expected_schema
from grice.matching.assertions.registry import find_matcher
from grice.matching.matcher import MatcherFactory
from grice.typed import schemas_of

Schema = dict[str, Any]


def suite_schema(matchers: Iterable[str] = _catalogue.MODULES) -> Schema:
    """The schema that `grice schema suite` prints. What it allows may still be wrong, such as a bad path.

    `matchers` are the names of those that it describes: the built-in ones, where none are given. Raises
    ArgumentError for a name that is none.
    """
    (scenarios, _), typed = schemas_of(Scenarios, SuiteFile)
    scenarios["items"] = {"allOf": [scenarios["items"], _NO_INPUTS]}
    in_turns = {"required": ["turns"], "properties": {"turns": {"contains": {"anyOf": _ASSERTS}}}}
    typed["Scenario"] |= {"oneOf": _SAYS, "anyOf": [*_ASSERTS, in_turns], **_OUTPUT_RULES}
    typed["Turn"] |= _OUTPUT_RULES
    typed["SuiteFile"] |= _PROMPT_RULES
    definitions: dict[str, Schema] = {**typed, "modelReply": _model_reply()}
    definitions["check"] = _check([find_matcher(name) for name in sorted(matchers)], definitions)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A suite of Grice",
        "description": "Scenarios with checks: an object with scenarios, or the list of them.",
        "if": {"type": "array"},
        "then": scenarios,
        "else": _ref("SuiteFile"),
        "$defs": definitions,
    }


def _ref(name: str) -> Schema:
    return {"$ref": f"#/$defs/{name}"}


def _object(properties: Mapping[str, Schema], **more: Any) -> Schema:
    return {"type": "object", "properties": dict(properties), "additionalProperties": False, **more}


_FILLED: Schema = {"minItems": 1}

_HARD: Schema = {"required": ["expect"], "properties": {"expect": _FILLED}}

_ASSERTS: list[Schema] = [
    _HARD,
    {"required": ["evaluate"], "properties": {"evaluate": _FILLED}},
    {"required": ["expected_output"]},
]

_OUTPUT_RULES: Schema = {
    "dependentRequired": {
        "output_type": ["expected_output"],
        "should_trim_whitespace": ["expected_output"],
    },
    "not": {
        "required": ["output_type", "should_trim_whitespace"],
        "properties": {"output_type": {"const": "json"}, "should_trim_whitespace": {"const": True}},
    },
    "if": {
        "required": ["expected_output"],
        "properties": {"expected_output": {"not": {"type": "string"}}},
        "not": _HARD,
    },
    "then": {"required": ["output_type"], "properties": {"output_type": {"const": "json"}}},
}

"""An expected output that is no text is compared as JSON; white space goes with a text."""

_SAYS: list[Schema] = [
    {"required": ["say"], "properties": {"turns": False, "inputs": False}},
    {"required": ["turns"], "properties": dict.fromkeys(("say", "model", "tools", "inputs"), False)},
    {"required": ["inputs"], "properties": dict.fromkeys(("say", "turns", "tools", "agent"), False)},
]

"""A scenario says something, in one way."""

_NO_INPUTS: Schema = {"properties": {"inputs": False}}

_PROMPT_RULES: Schema = {
    "if": {"required": ["prompt"]},
    "then": {"properties": {"agent": False, "scenarios": {"items": {"required": ["inputs"]}}}},
    "else": {"properties": {"scenarios": {"items": _NO_INPUTS}}},
}

"""A prompt stands in place of an agent, and its scenarios have inputs."""


def _model_reply() -> Schema:
    made = schemas_of(Reply)[1]["Reply"]
    fields: dict[str, Schema] = {**made["properties"], "fault": {"enum": list(FAULTS)}}
    kinds_of_reply = ("text", "tool", "json", "content", "fault")
    whole = _object(fields, anyOf=[{"required": [name]} for name in kinds_of_reply])
    return {"anyOf": [{"type": "string"}, whole, {"type": "array", "items": _ref("modelReply")}]}


_CHECK: dict[str, Schema] = {
    "on": {
        "type": "string",
        "pattern": r"^(reply|reply\.data|tool_calls|exchange -?[1-9][0-9]{0,5}|prompt|conversation|state)$",
        "default": "reply",
        "examples": [
            "reply",
            "reply.data",
            "tool_calls",
            "exchange 1",
            "exchange -1",
            "prompt",
            "conversation",
        ],
        "description": "What is looked at; of the requests to the model 1 is the first, -1 the last.",
    },
    "path": {
        "type": "string",
        "pattern": r"\S",
        "default": "$",
        "description": "The JSON path of the values that are judged.",
        "examples": ["$", "$.items[0].price", "$.items[*].id"],
    },
    "pathMatch": {
        "enum": ["ANY", "ALL"],
        "default": "ANY",
        "description": "Whether one of the values at the path has to fit, or all of them.",
    },
    "matcher": {},
    "expected": {"description": "What the matcher compares with."},
    "options": {"type": "object", "description": "Further arguments of the matcher, by name."},
    "not": {"type": "boolean", "default": False, "description": "Turns pass and fail round."},
    "parse": {
        "enum": list(PARSES),
        "default": "auto",
        "description": "How a text is read as JSON: as a whole, from a code fence, either, or never.",
    },
    "id": {"type": "string"},
    "description": {"type": "string"},
}


def _check(factories: list[MatcherFactory[Any, Any]], definitions: dict[str, Schema]) -> Schema:
    names: list[Schema] = [{"const": one.name, "description": _described(one)} for one in factories]
    others = {"type": "string", "pattern": "^to[A-Z]", "description": "A matcher of yours, or of a package."}
    return _object(
        {**_CHECK, "matcher": {"anyOf": [*names, others]}},
        required=["matcher"],
        allOf=[_matcher_rule(factory, definitions) for factory in factories],
    )


def _described(factory: MatcherFactory[Any, Any]) -> str:
    return inspect.cleandoc(factory.__doc__ or "")


def _matcher_rule(factory: MatcherFactory[Any, Any], definitions: dict[str, Schema]) -> Schema:
    """What a check with this matcher has to have."""
    expected = expected_schema(factory)
    parameters = factory.parameters.values()
    properties: dict[str, Any] = {"expected": False}
    if expected is not None:
        definitions.update(expected.pop("$defs", {}))
        properties["expected"] = expected
    if not any(one.kind is one.VAR_KEYWORD for one in parameters):
        named = [one.name for one in parameters if one.kind is not one.VAR_POSITIONAL]
        names = sorted({*named, *map(camel, named)})
        properties["options"] = {"propertyNames": {"enum": names}} if names else {"maxProperties": 0}
    then: Schema = {"properties": properties}
    if factory.needs_arguments:
        then["anyOf"] = [{"required": ["expected"]}, {"required": ["options"]}]
    return {"if": {"properties": {"matcher": {"const": factory.name}}, "required": ["matcher"]}, "then": then}


_DRAFT = "https://json-schema.org/draft/2020-12/schema"


def schema_of(kind: str, matchers: Iterable[str]) -> Schema:
    """The schema of files of the kind, one of KINDS; `matchers` are the names that a suite may have.

    What it allows may still be wrong, such as a bad path. Raises ArgumentError for a name that is no matcher.
    """
    if kind == "suite":
        return suite_schema(matchers)
    title, types, many = KINDS[kind]
    shapes, definitions = schemas_of(*types())
    one: Schema = shapes[0] if len(shapes) == 1 else {"anyOf": list(shapes)}
    listed: Schema = {"type": "array", "minItems": 1, "items": one}
    whole = {"only": listed, "or": {"if": {"type": "array"}, "then": listed, "else": one}}.get(many, one)
    return {"$schema": _DRAFT, "title": title, **whole, "$defs": definitions}


def _goldens() -> tuple[type, ...]:
    from grice.files.golden_records import ManyTurns, OneTurn

    return OneTurn, ManyTurns


def _scenarios() -> tuple[type, ...]:
    from grice.files.scenario_schema import ScenarioRecord

    return (ScenarioRecord,)


def _graph() -> tuple[type, ...]:
    from grice.files.graph_files import GraphFile

    return (GraphFile,)


def _script() -> tuple[type, ...]:
    from grice.files.stub_scripts import ScriptFile

    return (ScriptFile,)


def _personas() -> tuple[Any, ...]:
    from grice.users.persona import Personas, PersonasFile

    return Personas, PersonasFile


def _rules() -> tuple[Any, ...]:
    from grice.checks.phrase_rules.rule_book import Rules, RulesFile

    return Rules, RulesFile


def _map() -> tuple[Any, ...]:
    from grice.formats.mapping import LogMapping

    return (LogMapping,)


def _settings() -> tuple[type, ...]:
    from grice.files.settings import SettingsTable

    return (SettingsTable,)


def _suite() -> tuple[type, ...]:
    from grice.files.suite_types import SuiteFile

    return (SuiteFile,)


KINDS: dict[str, tuple[str, Callable[[], tuple[Any, ...]], str]] = {
    "suite": ("A suite of Grice", _suite, "or"),
    "golden": ("Goldens of Grice", _goldens, "or"),
    "scenarios": ("A set of scenarios", _scenarios, "only"),
    "graph": ("A graph of topics", _graph, ""),
    "script": ("A script of grice stub", _script, ""),
    "personas": ("Personas of simulated users", _personas, ""),
    "rules": ("Rules on wording", _rules, ""),
    "map": ("How a home-made log is read", _map, ""),
    "settings": ("grice.toml, or [tool.grice] of pyproject.toml", _settings, ""),
}

"""Each kind of file: its title, its types, and whether it may be a list of them (`or`) or is one (`only`)."""
