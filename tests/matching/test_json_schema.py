"""toMatchSchema: what schemas mean, and which are refused."""

import socket
from types import MappingProxyType

import pytest
from jsonschema_specifications import REGISTRY

from grice.matchers import match_schema
from grice.matching.context import resolve_subject
from grice.matching.jest.json_schema import check_schema
from grice.matching.jest.schema_values import SchemaError
from grice.matching.judge import judge
from grice.matching.matcher import ArgumentError
from grice.text import value_text

PASS, FAIL, ERROR = "pass", "fail", "error"
DRAFT_7 = "http://json-schema.org/draft-07/schema#"
DRAFT_2019 = "https://json-schema.org/draft/2019-09/schema"
DRAFT_2020 = "https://json-schema.org/draft/2020-12/schema"
HUGE = 10**5_000


def verdict_on(value, schema):
    seen = resolve_subject(value)
    return judge(match_schema(schema), seen.subject, seen.context)


def refusal_of(schema):
    with pytest.raises(ArgumentError) as refused:
        match_schema(schema)
    return str(refused.value)


def nested(levels, value=1):
    for _ in range(levels):
        value = [value]
    return value


# -- values


@pytest.mark.parametrize(
    ("value", "schema", "problem"),
    [
        # tuples and mappings are lists and objects, at every depth
        ((1, "x"), {"items": {"type": "integer"}}, "at $[1]: 'x' is not of type 'integer'"),
        ((1, 2), {"type": "array", "items": {"type": "integer"}}, ""),
        (
            {"a": ((),)},
            {"properties": {"a": {"items": {"minItems": 1}}}},
            "at $.a[0]: [] should be non-empty",
        ),
        (MappingProxyType({"a": 1}), {"type": "object", "required": ["a"]}, ""),
        (
            [MappingProxyType({"a": "x"})],
            {"items": {"properties": {"a": {"type": "null"}}}},
            "at $[0].a: 'x' is",
        ),
        # uniqueItems: as JSON compares
        ([1, 1.0], {"uniqueItems": True}, "at $: elements 0 and 1 are the same: 1"),
        ([0, -0.0], {"uniqueItems": True}, "elements 0 and 1 are the same"),
        ([1, True, "1", None, 0, False], {"uniqueItems": True}, ""),
        ([[1], [True], {"a": 1}, {"a": True}], {"uniqueItems": True}, ""),
        (
            [{"a": 1, "b": [2]}, {"b": [2.0], "a": 1}],
            {"uniqueItems": True},
            "elements 0 and 1 are the same: {'a': 1,",
        ),
        ([float("nan"), float("nan")], {"uniqueItems": True}, "elements 0 and 1 are the same: nan"),
        (["nan", float("nan"), "n1", 1, "s"], {"uniqueItems": True}, ""),
        ([2**53, 2**53 + 1], {"uniqueItems": True}, ""),
        ([[], {}], {"uniqueItems": True}, ""),
        ([1, 1], {"uniqueItems": False}, ""),
        # numbers, as they are written
        (0.3, {"multipleOf": 0.1}, ""),
        (19.99, {"multipleOf": 0.01}, ""),
        (7, {"multipleOf": 2}, "at $: 7 is not a multiple of 2"),
        (1e308, {"multipleOf": 0.5}, ""),
        (float("inf"), {"multipleOf": 2}, "inf is not a multiple of 2"),
        # integers that Python does not write
        (HUGE, {"type": "integer", "multipleOf": 10}, ""),
        (HUGE, {"type": "string"}, "at $: <an integer of about 5,000 digits> is not of type 'string'"),
        (HUGE, {"multipleOf": 0.3}, "digits> is not a multiple of 0.3"),
        (3, {"maximum": -HUGE}, "at $: 3 is greater than the maximum of <an integer of about 5,000 digits>"),
        ({"a": [HUGE, HUGE]}, {"properties": {"a": {"uniqueItems": True}}}, "elements 0 and 1 are the same"),
        # what is long is shown cut, and the reason stays
        (list(range(1_000)), {"maxItems": 5}, "... is too long"),
        ({"a": "x" * 1_000}, {"required": ["b"], "minProperties": 2}, "does not have enough properties"),
        ("x" * 1_000, {"type": "integer"}, "... (1000 characters) is not of type 'integer'"),
        # values that are not JSON
        ({1, 2}, {"type": "array"}, "at $: {1, 2} is not of type 'array'"),
    ],
    ids=value_text,
)
def test_a_value_is_judged_as_the_json_value_that_it_is(value, schema, problem):
    verdict = verdict_on(value, schema)
    assert verdict.outcome == (FAIL if problem else PASS), verdict.reason
    assert problem in verdict.reason


@pytest.mark.slow
def test_a_value_nested_too_deep_is_an_error():
    assert verdict_on(nested(150), {"type": "array"}).outcome == PASS
    itself = []
    itself.append(itself)
    for value in (nested(201), nested(100_000), itself):
        verdict = verdict_on(value, {"type": "array"})
        assert (verdict.outcome, verdict.reason) == (ERROR, "nested deeper than 200 levels")


def test_a_value_whose_parts_raise_is_an_error():
    class Hostile(dict):
        def items(self):
            raise OSError("no")

    verdict = verdict_on([Hostile()], {"type": "array"})
    assert (verdict.outcome, verdict.reason) == (ERROR, "the value cannot be checked: OSError: no")


# -- drafts


@pytest.mark.parametrize(
    ("uri", "said"),
    [
        (5, "such as 'https://json-schema.org/draft/2020-12/schema', found 5"),
        ([], "such as 'https://json-schema.org/draft/2020-12/schema', found []"),
        (None, "found None"),
        ({}, "found {}"),
        (True, "found True"),
        ("", "found ''"),
        ("my own", "such as 'https://json-schema.org/draft/2020-12/schema', found 'my own'"),
        ("https://json-schema.org/draft-07/schema#",
         "(did you mean 'http://json-schema.org/draft-07/schema'?), found 'https://json-schema.org/draft-07/schema#'"),
        ("https://json-schema.org/draft/2020-21/schema", f"(did you mean '{DRAFT_2020}'?)"),
        ("x" * 100_000, "found 'xxx"),
    ],
)  # fmt: skip
def test_a_draft_that_is_none_is_refused(uri, said):
    refusal = refusal_of({"$schema": uri, "type": "string"})
    assert refusal.startswith("$schema: expected the URI of a draft")
    assert said in refusal
    assert "$schema" in refusal_of({"items": {"$schema": uri}})
    assert len(refusal) < 700


@pytest.mark.parametrize(
    "draft", [3, 4, 6, 7, DRAFT_7, DRAFT_7.rstrip("#"), DRAFT_2019, DRAFT_2019 + "#", DRAFT_2020]
)
def test_every_draft_is_known(draft):
    uri = draft if isinstance(draft, str) else f"http://json-schema.org/draft-0{draft}/schema#"
    schema = {"$schema": uri, "type": "array", "items": {"type": "string", "pattern": r"^(?<year>\d+)$"}}
    assert verdict_on(["2024"], schema).outcome == PASS
    assert verdict_on(["x"], schema).outcome == FAIL


@pytest.mark.parametrize("uri", [DRAFT_7, DRAFT_2019, DRAFT_2020])
def test_a_reference_to_the_schema_itself_stays_safe(uri):
    """The patterns of a schema that names its draft run on RE2 behind a reference, too."""
    schema = {
        "$schema": uri,
        "anyOf": [{"items": {"$ref": "#"}, "type": "array"}, {"type": "string", "pattern": "^(?<x>a|a)+$"}],
    }
    assert verdict_on([["a" * 40 + "b"]], schema).outcome == FAIL
    assert verdict_on([["a" * 40]], schema).outcome == PASS


@pytest.mark.parametrize("uri", [DRAFT_7, DRAFT_2019, DRAFT_2020])
def test_the_schema_of_a_draft_can_be_referred_to(uri):
    assert verdict_on({"type": "string", "minLength": 1}, {"$ref": uri}).outcome == PASS
    assert verdict_on({"type": "strnig"}, {"$ref": uri}).outcome == FAIL


# -- words that ask nothing


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("typ", "type"),
        ("types", "type"),
        ("proprties", "properties"),
        ("requried", "required"),
        ("Required", "required"),
        ("min_length", "minLength"),
        ("minlength", "minLength"),
        ("additional-properties", "additionalProperties"),
        ("item", "items"),
        ("enums", "enum"),
        ("anyof", "anyOf"),
        ("thenn", "then"),
        ("minContain", "minContains"),
        ("ref", "$ref"),
        ("$Ref", "$ref"),
    ],
)
def test_a_misspelt_keyword_is_refused_with_the_right_one(word, meant):
    said = f"unknown keyword '{word}' (did you mean '{meant}'?)"
    assert refusal_of({word: {}}) == said
    assert (
        refusal_of({"properties": {"a b": {"items": {word: []}}}})
        == f"['properties']['a b']['items']: {said}"
    )
    for keyword in ("anyOf", "prefixItems"):
        assert refusal_of({keyword: [{}, {word: 1}]}) == f"['{keyword}']: {said}"


@pytest.mark.parametrize(
    "schema",
    [
        True,
        False,
        {},
        {"x-typ": 1},
        {"nullable": True, "example": 1, "discriminator": {}, "note": "x", "id": "x", "version": 2, "": 1},
        {"propertyOrdering": ["a"], "enumNames": ["a"], "markdownDescription": "x", "errorMessage": "x"},
        # names and data are not keywords
        {"properties": {"typ": {}, "item": {}}, "required": ["typ"]},
        {"$defs": {"typ": {}}, "dependentSchemas": {"typ": {}}, "patternProperties": {"typ": {}}},
        {"enum": [{"typ": 1}], "const": {"typ": 1}, "default": {"typ": 1}, "examples": [{"typ": 1}]},
        {"$schema": DRAFT_7, "$defs": {"a": {}}, "$ref": "#/$defs/a"},
        {"x" * 10_000: 1},
    ],
)
def test_what_is_no_misspelling_is_left_alone(schema):
    assert match_schema(schema).args == (schema,)


@pytest.mark.parametrize("draft", [DRAFT_7, DRAFT_2019, DRAFT_2020])
def test_no_word_of_a_draft_is_taken_for_a_misspelling(draft):
    meta = REGISTRY.contents(draft)
    match_schema(meta)
    words = {word for part in _vocabularies(meta) for word in part["properties"]}
    assert {"type", "title", "$comment", "minItems", "examples"} <= words
    for word in words:
        with pytest.raises(SchemaError) as refused:
            check_schema({"$schema": draft, word: {}, "required": 5})
        assert "unknown keyword" not in str(refused.value)


def _vocabularies(meta):
    base = meta["$id"].removesuffix("schema")
    return [REGISTRY.contents(base + one["$ref"]) for one in meta["allOf"]] if "allOf" in meta else [meta]


@pytest.mark.parametrize(
    ("draft", "word", "of"),
    [
        (DRAFT_7, "prefixItems", DRAFT_2020),
        (DRAFT_7, "dependentRequired", DRAFT_2020),
        (DRAFT_7, "unevaluatedProperties", DRAFT_2020),
        (DRAFT_2020, "dependencies", DRAFT_7),
        (DRAFT_2020, "additionalItems", DRAFT_2019),
        (DRAFT_2020, "$recursiveRef", DRAFT_2019),
        (DRAFT_2020, "divisibleBy", "http://json-schema.org/draft-03/schema"),
    ],
)
def test_a_keyword_that_only_another_draft_has_is_refused(draft, word, of):
    value = "#" if word == "$recursiveRef" else {}
    drafts = f"{draft.rstrip('#')}, it is one of {of.rstrip('#')}"
    assert refusal_of({"$schema": draft, word: value}) == f"the keyword '{word}' asks nothing in {drafts}"


# -- nothing but SchemaError


class Odd:
    def __repr__(self):
        raise OSError("no")


class OddMapping(dict):
    def __iter__(self):
        raise OSError("no")

    items = keys = __iter__


@pytest.mark.parametrize(
    "schema",
    [
        None,
        5,
        "x",
        [],
        HUGE,
        Odd(),
        {"type": HUGE},
        {"enum": [Odd()]},
        {"enum": {1, 2}},
        {"type": Odd()},
        {Odd(): 1},
        {1: 2},
        {"properties": {1: {}}},
        OddMapping(a=1),
        {"items": OddMapping(a=1)},
        {"$ref": 5},
        {"required": "a"},
        {"required": HUGE},
        {"properties": []},
        {"pattern": "("},
        {"pattern": "\ud800"},
        {"items": {"pattern": "(?=x)"}},
        {"patternProperties": {"(": {}}},
        {"patternProperties": {"a": {}}, "unevaluatedProperties": False},
        {"multipleOf": -HUGE},
        {"not": {"$schema": HUGE}},
        {"enum": nested(100_000)},
        {"const": nested(250)},
    ],
    ids=range(28),
)
def test_check_schema_raises_nothing_but_its_own_error(schema):
    with pytest.raises(SchemaError) as refused:
        check_schema(schema)
    assert len(str(refused.value)) < 700


@pytest.mark.parametrize(
    ("schema", "said"),
    [
        ({"$ref": "#/nowhere"}, "a reference of the schema leads nowhere: "),
        ({"$ref": "https://example.com/schema.json"}, "a reference of the schema leads nowhere: "),
        ({"$dynamicRef": "#nowhere"}, "a reference of the schema leads nowhere: "),
        ({"$ref": "#/x-parts", "x-parts": {"pattern": "(?=x)"}}, "a pattern of the schema: '(?=x)' uses"),
        ({"$ref": "#/x-parts", "x-parts": {"type": "strin"}}, "the value cannot be checked: UnknownType: "),
        ({"$ref": "#/x-parts", "x-parts": {"minLength": []}}, "the value cannot be checked: TypeError: "),
        ({"$ref": "#/x-parts", "x-parts": 5}, "the value cannot be checked: "),
    ],
)  # fmt: skip
def test_what_shows_only_while_judging_is_an_error(schema, said):
    verdict = verdict_on("x", schema)
    assert verdict.outcome == ERROR
    assert verdict.reason.startswith(said)


def test_what_a_schema_refers_to_elsewhere_is_not_read(tmp_path):
    schema = tmp_path / "schema.json"
    schema.write_text('{"type": "number"}')
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.setblocking(False)
        port = server.getsockname()[1]
        for reference in (schema.as_uri(), str(schema), f"http://127.0.0.1:{port}/schema.json"):
            verdict = verdict_on("x", {"$ref": reference})
            assert verdict.reason.startswith("a reference of the schema leads nowhere: ")
        with pytest.raises(BlockingIOError):  # nobody asked
            server.accept()
