"""The subset of JSON Schema that providers take."""

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grice.llm.strict_schema import schema_title, strict_schema


@pytest.mark.parametrize(
    ("schema", "strict"),
    [
        (
            {"type": "object", "title": "T", "$schema": "x", "properties": {"a": {"type": "string"}}},
            {
                "type": "object",
                "properties": {"a": {"type": "string"}},
                "required": ["a"],
                "additionalProperties": False,
            },
        ),
        (
            {"type": "object"},
            {"type": "object", "properties": {}, "required": [], "additionalProperties": False},
        ),
        (
            {"type": ["object", "null"], "properties": {}},
            {"type": ["object", "null"], "properties": {}, "required": [], "additionalProperties": False},
        ),
        (
            {"type": "array", "items": {"type": "string", "maxLength": 5}, "minItems": 1},
            {
                "type": "array",
                "items": {"type": "string", "description": "(at most 5 characters)"},
                "description": "(at least 1 items)",
            },
        ),
        ({"oneOf": [{"type": "null"}, {"const": 1}]}, {"anyOf": [{"type": "null"}, {"const": 1}]}),
        (
            {"$ref": "#/$defs/a", "$defs": {"a": {"type": "number", "minimum": 0, "description": "A rate."}}},
            {"$ref": "#/$defs/a", "$defs": {"a": {"type": "number", "description": "A rate. (at least 0)"}}},
        ),
        ({"enum": ["a", "b"], "default": "a"}, {"enum": ["a", "b"]}),
        ({"type": "array", "items": True}, {"type": "array", "items": True}),
    ],
)
def test_schemas(schema, strict):
    before = repr(schema)
    assert strict_schema(schema) == strict
    assert repr(schema) == before


FIELDS = st.dictionaries(
    st.sampled_from("abcd"),
    st.sampled_from([({"type": "integer", "minimum": 1, "maximum": 5}, 3), ({"type": "boolean"}, True)]),
    max_size=4,
)


@given(FIELDS)
def test_what_fits_the_schema_in_all_its_fields_fits_the_strict_one(fields):
    schema = {"type": "object", "properties": {name: one for name, (one, _) in fields.items()}}
    answer = {name: value for name, (_, value) in fields.items()}
    jsonschema.validate(answer, schema)
    jsonschema.validate(answer, strict_schema(schema))
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**answer, "z": 1}, strict_schema(schema))


@pytest.mark.parametrize(
    ("name", "title"),
    [("verdict", "verdict"), ("a b/c", "a_b_c"), ("é", "answer"), ("", "answer"), ("x" * 99, "x" * 64)],
)
def test_names_of_schemas(name, title):
    assert schema_title(name) == title
