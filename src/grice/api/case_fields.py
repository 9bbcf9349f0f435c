"""Convert cases and suites between bodies, with PromptKitchen's names, and suite files."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, WithJsonSchema
from pydantic.alias_generators import to_camel

from grice.api.bodies import Body
from grice.api.field_names import BODY_NAMES, FILE_NAMES, called_otherwise
from grice.api.pages import sendable
from grice.store.errors import SuiteProblems
from grice.store.suite_saving import version_of_case
from grice.store.suites import Case
from grice.typed import Problem

Fields = dict[str, Any]

_TEXT = {"type": "string"}
_MAYBE_TEXT = {"anyOf": [_TEXT, {"type": "null"}]}
_OBJECT = {"type": "object"}
_OBJECTS = {"type": "array", "items": _OBJECT}


def _maybe(schema: Mapping[str, Any]) -> dict[str, Any]:
    return {"anyOf": [schema, {"type": "null"}]}


def _schema(schema: Mapping[str, Any], text: str = "") -> Any:
    """What JSON a field takes: the types of suite files look at the value, so that all is told at once."""
    return WithJsonSchema({**schema, **({"description": text} if text else {})})


def _without_defaults(schema: dict[str, Any]) -> None:
    """Have the schema say no defaults, which programs would send, and so change what is there."""
    for one in schema.get("properties", {}).values():
        one.pop("default", None)
    schema["additionalProperties"] = False


class _GivenFields(BaseModel):
    """A body of which the types of suite files say what is wrong."""

    model_config = ConfigDict(
        alias_generator=to_camel,
        extra="allow",
        frozen=True,
        json_schema_extra=_without_defaults,
    )


class CaseFields(_GivenFields):
    """What a case says. `assertions` are its hard checks, `evaluate` its soft ones; others as in files."""

    name: Annotated[Any, _schema(_MAYBE_TEXT, "Its id in the suite; without, it gets one.")] = None
    description: Annotated[Any, _schema(_TEXT)] = ""
    run_mode: Annotated[Any, _schema({"enum": ["DEFAULT", "SKIP", "ONLY"]})] = "DEFAULT"
    inputs: Annotated[Any, _schema(_OBJECT, "The values of the suite's prompt by name.")] = {}
    say: Annotated[Any, _schema({"anyOf": [_TEXT, {"type": "array", "items": _TEXT}, {"type": "null"}]})] = (
        None
    )
    turns: Annotated[Any, _schema(_maybe(_OBJECTS))] = None
    history: Annotated[Any, _schema(_maybe(_OBJECTS))] = None
    agent: Annotated[Any, _schema({"anyOf": [_TEXT, _OBJECT, {"type": "null"}]})] = None
    model: Annotated[Any, _schema(_maybe({"type": "array", "items": {}}))] = None
    tools: Annotated[Any, _schema(_OBJECT)] = {}
    expected_output: Annotated[Any, _schema({}, "What the reply has to be.")] = None
    output_type: Annotated[Any, _schema({"enum": ["string", "json"]})] = "string"
    should_trim_whitespace: Annotated[
        Any, _schema({"type": "boolean"}, "White space around a text is left out.")
    ] = False
    assertions: Annotated[Any, _schema(_OBJECTS)] = []
    evaluate: Annotated[Any, _schema(_OBJECTS)] = []


class SuiteFields(_GivenFields):
    """What a suite says beside its cases, as in suite files; `testCases` are all its cases."""

    name: Annotated[Any, _schema(_MAYBE_TEXT)] = None
    agent: Annotated[Any, _schema({"anyOf": [_TEXT, _OBJECT, {"type": "null"}]})] = None
    prompt: Annotated[Any, _schema(_MAYBE_TEXT, "The file of a prompt, from the file of the suite.")] = None
    matchers: Annotated[Any, _schema({"type": "array", "items": _TEXT})] = []
    criteria: Annotated[Any, _schema(_OBJECT)] = {}
    test_cases: Annotated[
        Any,
        _schema({"type": "array", "items": {"$ref": "#/components/schemas/CaseFields"}}),
    ] = None


class CaseBody(Body):
    """A case. `fingerprint` is its version, also the ETag; `name` is its id in the suite."""

    id: str
    test_suite_id: str
    name: str
    position: int | None
    file: str | None
    line: int | None
    fingerprint: str
    description: str
    run_mode: str
    inputs: dict[str, Any]
    say: Any
    turns: list[dict[str, Any]] | None
    history: list[Any] | None
    agent: Any
    model: list[Any] | None
    tools: dict[str, Any]
    expected_output: Any
    output_type: str
    should_trim_whitespace: bool
    assertions: list[dict[str, Any]]
    evaluate: list[dict[str, Any]]


def given_fields(body: BaseModel) -> Fields:
    """The fields that a body has, by their names there."""
    return body.model_dump(by_alias=True, exclude_unset=True)


def case_fields(scenario: Mapping[str, Any]) -> Fields:
    """The fields of a body for a scenario, every one of them."""
    whole: Fields = CaseFields().model_dump(by_alias=True)
    said = {BODY_NAMES.get(name, name): value for name, value in scenario.items()}
    return {**whole, **said}


def scenario_of(fields: Mapping[str, Any], before: Mapping[str, Any]) -> Fields:
    """The scenario that a body describes. A field with its default is left out, unless it was given before.

    Raises SuiteProblems for a field that only suite files call so.
    """
    if wrong := [name for name in fields if name in BODY_NAMES]:
        raise SuiteProblems([Problem((), called_otherwise(name), name) for name in wrong])
    found: Fields = {}
    default: Fields = CaseFields().model_dump(by_alias=True)
    for field, value in fields.items():
        name = FILE_NAMES.get(field, field)
        is_default = field in default and _is(value, default[field])
        if not is_default or (name in before and _is(value, before[name])):
            found[name] = value
    if "id" in found and found["id"] == str(before.get("id")):
        found["id"] = before["id"]  # a number in the file
    if fields.get("expectedOutput") in ("", None) and "expectedOutput" in fields:
        _leave_empty_output(found, fields, before)
    if fields.get("inputs") == {} and not {"say", "turns"} & found.keys():
        found["inputs"] = {}  # those of a prompt without placeholders
    return found


def _leave_empty_output(found: Fields, fields: Mapping[str, Any], before: Mapping[str, Any]) -> None:
    """An empty expected output says nothing beside checks; null is one of JSON."""
    value = fields["expectedOutput"]
    if "expected_output" in before and _is(value, before["expected_output"]):
        found["expected_output"] = value
    elif fields.get("assertions") or (value is None and fields.get("outputType") != "json"):
        found.pop("expected_output", None)
        if fields.get("assertions"):
            found.pop("output_type", None)
            found.pop("should_trim_whitespace", None)
    else:
        found["expected_output"] = value


def _is(one: Any, other: Any) -> bool:
    """Whether two values are the same JSON: true is no 1."""
    return type(one) is type(other) and one == other


def head_of_fields(fields: Mapping[str, Any], before: Mapping[str, Any]) -> Fields:
    """The head of a suite from a body, in place of its old one."""
    found = {name: one for name, one in before.items() if name in ("$schema", "version", "scenarios")}
    default: Fields = SuiteFields().model_dump(by_alias=True)
    for name, value in fields.items():
        if name == "testCases":
            continue
        is_default = name in default and _is(value, default[name])
        if not is_default or (name in before and _is(value, before[name])):
            found[name] = value
    if fields.get("testCases") is not None:
        found["scenarios"] = _scenarios(fields["testCases"], before.get("scenarios", []))
    return found


def _scenarios(cases: Any, before: Any) -> Any:
    if not isinstance(cases, list):
        return cases
    known = {str(one["id"]): one for one in before if "id" in one}
    return [
        scenario_of(one, known.get(str(one.get("name")), {})) if isinstance(one, dict) else one
        for one in cases
    ]


def case_body(case: Case) -> CaseBody:
    """The body of a case."""
    fields = case_fields(case.scenario)
    said: Any = sendable(
        {
            **{name: fields[name] for name in CaseFields().model_dump(by_alias=True)},
            "id": case.id,
            "testSuiteId": case.suite,
            "name": case.key,
            "position": case.position,
            "file": case.source_file,
            "line": case.source_line,
            "fingerprint": version_of_case(case),
        }
    )
    return CaseBody.model_validate(said, strict=False)
