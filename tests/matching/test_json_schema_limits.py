"""toMatchSchema: no schema and no value makes it hang, and ordinary ones are quick."""

import json

import pytest

from grice.matchers import match_schema
from grice.matching.context import resolve_subject
from grice.matching.jest import json_schema
from grice.matching.jest.json_schema import check_schema, schema_problems
from grice.matching.jest.schema_values import SchemaError
from grice.matching.judge import judge

PASS, ERROR = "pass", "error"
DRAFT_2019 = "https://json-schema.org/draft/2019-09/schema"
DRAFT_2020 = "https://json-schema.org/draft/2020-12/schema"


def verdict_on(value, schema):
    seen = resolve_subject(value)
    return judge(match_schema(schema), seen.subject, seen.context)


def nested(levels, value=1):
    for _ in range(levels):
        value = [value]
    return value


def branching(levels):
    schema = {"type": "integer"}
    for _ in range(levels):
        schema = {"allOf": [{"items": schema}, {"items": schema}]}
    return schema


REFERENCES = [
    {"$ref": "#"},
    {"$dynamicRef": "#"},
    {"$schema": DRAFT_2019, "$recursiveRef": "#"},
]


@pytest.mark.slow
@pytest.mark.parametrize("reference", REFERENCES, ids=json.dumps)
@pytest.mark.parametrize("keyword", ["allOf", "anyOf", "oneOf"])
def test_branches_over_references_are_stopped(reference, keyword, monkeypatch):
    """All branches of allOf fit, none of the others: either way all must be looked at, at every level."""
    monkeypatch.setattr(json_schema, "MAX_SECONDS", 0.1)
    branch = {"items": reference} if keyword == "allOf" else {"items": reference, "type": "array"}
    schema = {"$schema": reference.get("$schema", DRAFT_2020), keyword: [branch, branch]}
    verdict = verdict_on(nested(20), schema)
    assert verdict.reason.startswith("checking takes ")
    assert verdict.outcome == ERROR


@pytest.mark.parametrize(
    "schema",
    [
        branching(17),
        {"properties": {"a": branching(16)}},
        {"$ref": "#"},
        {"allOf": [{"$ref": "#"}, {"$ref": "#"}]},
        {"$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}, "$ref": "#/$defs/a"},
        {"not": {"$ref": "#"}},
        {"if": {"$ref": "#"}},
        {"unevaluatedProperties": False, "allOf": [{"$ref": "#"}, {"$ref": "#"}]},
    ],
    ids=["items", "properties", "itself", "twice", "each other", "not", "if", "unevaluated"],
)
def test_schemas_that_go_in_circles_or_branch_are_stopped(schema):
    def judged():
        check_schema(schema)
        schema_problems(nested(50), schema, most=6)
        schema_problems({"a": 1}, schema, most=6)

    with pytest.raises(SchemaError, match=r"^checking (takes|goes) |nested too deep$"):
        judged()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("value", "schema"),
    [
        ([{"a": index, "b": [index]} for index in range(5_000)], {"uniqueItems": True}),
        ([1, *[{"a": index} for index in range(5_000)]], {"uniqueItems": True}),
        ([{"id": index, "name": "x"} for index in range(5_000)],
         {"items": {"type": "object", "required": ["id"], "properties": {"id": {"type": "integer"}}}}),
        (list(range(5_000)), {"items": {"anyOf": [{"type": "string"}, {"type": "integer"}]}}),
        (list(range(5_000)), {"prefixItems": [True], "items": True, "unevaluatedItems": False}),
    ],
    ids=["objects", "mixed", "records", "anyOf", "unevaluated"],
)  # fmt: skip
def test_ordinary_schemas_fit_large_values_quickly(value, schema):
    assert verdict_on(value, schema).outcome == PASS


ROW = [1.5] * 2_000


@pytest.mark.slow
@pytest.mark.parametrize(
    ("value", "schema"),
    [
        (list(range(50_000)), {"items": True, "unevaluatedItems": False}),
        ({f"{index:05}": 1 for index in range(2_000)},
         {"patternProperties": {f"{index}x": {} for index in range(2_000)}}),
        ([ROW] * 2_000, {"items": {"enum": [*([*ROW[1:], n] for n in range(99)), ROW]}}),
    ],
    ids=["unevaluated", "patterns", "enum"],
)  # fmt: skip
def test_keywords_that_take_long_are_stopped(value, schema, monkeypatch):
    matcher = match_schema(schema)
    monkeypatch.setattr(json_schema, "MAX_SECONDS", 0.15)
    seen = resolve_subject(value)
    verdict = judge(matcher, seen.subject, seen.context)
    assert verdict.outcome == ERROR
    assert verdict.reason.startswith("checking takes ")


def test_time_is_that_of_the_clock(monkeypatch):
    monkeypatch.setattr(json_schema, "MAX_SECONDS", 100)
    ticks = iter(range(0, 10_000, 30))
    with pytest.raises(SchemaError, match="checking takes longer than 100 seconds: too many branches"):
        schema_problems(list(range(1_000)), {"items": {"type": "integer"}}, most=6, clock=lambda: next(ticks))
    assert next(ticks) == 150


@pytest.mark.slow
def test_the_schema_of_a_schema_is_checked_within_the_limits_too(monkeypatch):
    monkeypatch.setattr(json_schema, "MAX_SECONDS", 0.15)
    with pytest.raises(SchemaError, match="checking takes "):
        check_schema({"enum": [], "properties": {f"p{index}": branching(3) for index in range(3_000)}})
