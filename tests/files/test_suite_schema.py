"""The JSON Schema of suite files: it takes what loads, and refuses what does not as far as a schema can."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from suite_cases import BAD_CHECKS, BAD_FIELDS, GOOD, check

from grice._catalogue import MODULES
from grice.files.document import parse_document
from grice.files.schemas import suite_schema
from grice.files.suite_files import find_suites, load_suite
from grice.matching.assertions.data_arguments import expected_schema
from grice.matching.assertions.registry import find_matcher

ROOT = Path(__file__).parents[2]
SCHEMA = suite_schema()
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)


def valid(text: str) -> bool:
    return VALIDATOR.is_valid(parse_document(text, path="x", syntax="yaml").value)


def rule_of(matcher: str) -> dict[str, Any]:
    """What the schema asks of a check with this matcher."""
    rules: list[dict[str, Any]] = SCHEMA["$defs"]["check"]["allOf"]
    (rule,) = [one["then"] for one in rules if one["if"]["properties"]["matcher"]["const"] == matcher]
    return rule


def test_the_schema_is_a_schema_of_draft_2020_12_and_plain_json() -> None:
    assert SCHEMA["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    assert json.loads(json.dumps(SCHEMA)) == SCHEMA


@pytest.mark.parametrize("text", GOOD.values(), ids=GOOD)
def test_a_good_file_is_valid(text: str) -> None:
    VALIDATOR.validate(parse_document(text, path="x", syntax="yaml").value)


@pytest.mark.slow
def test_the_suites_of_the_examples_are_valid() -> None:
    files = [path for path in ROOT.glob("examples/**/*.grice.*") if ".venv" not in path.parts]
    assert files
    for path in find_suites(files):
        VALIDATOR.validate(parse_document(path.read_text("utf-8"), path=path, syntax="yaml").value)


@pytest.mark.parametrize(
    "text",
    [text for text, _ in BAD_FIELDS] + [check(fields) for fields, _ in BAD_CHECKS],
)
def test_a_bad_file_is_invalid(text: str) -> None:
    assert not valid(text)


@pytest.mark.parametrize("name", sorted(MODULES))
def test_every_built_in_matcher_is_offered_with_what_it_does(name: str) -> None:
    offered = SCHEMA["$defs"]["check"]["properties"]["matcher"]["anyOf"]
    (one,) = [each for each in offered if each.get("const") == name]
    assert find_matcher(name).__doc__.startswith(one["description"].split("\n")[0])
    expected = expected_schema(find_matcher(name))
    assert rule_of(name)["properties"]["expected"] == (False if expected is None else expected)


@pytest.mark.parametrize(
    ("fields", "right"),
    [
        ("matcher: toBeNull", True),
        ("matcher: toBeNull, expected: null", False),
        ("matcher: toBeNull, options: {a: 1}", False),
        ("matcher: toContain, expected: x, options: {ignoreCase: true}", True),
        ("matcher: toContain, expected: x, options: {ignorecase: true}", False),
        ("matcher: toContain", False),
        ("matcher: toBeFreeOf", True),
        ("matcher: toBeFreeOf, expected: [CONFIRMATION]", False),
        ("matcher: toCiteSources, expected: {at: {least: 2}}, options: {any: 1}", True),
        ("matcher: cite_sources", False),
        ("matcher: toBeNull, on: exchange -2", True),
        ("matcher: toBeNull, on: exchange -", False),
        ("matcher: toBeNull, path: ''", False),
    ],
)
def test_a_check_is_held_to_what_its_matcher_takes(fields: str, right: bool) -> None:
    assert valid(check(fields)) is right


def test_a_matcher_of_another_package_is_not_forbidden_though_it_has_to_be_there_to_load(
    tmp_path: Path,
) -> None:
    text = check("matcher: toAgreeWithNobody, expected: 2")
    assert valid(text)
    path = tmp_path / "x.grice.yaml"
    path.write_text(text)
    with pytest.raises(ValueError, match="unknown matcher 'toAgreeWithNobody'"):
        load_suite(path)
