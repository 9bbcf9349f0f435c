"""Values are written as YAML that is read as the same value, and that people can read."""

from __future__ import annotations

import json
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from grice.files.document import parse_document
from grice.files.yaml_writing import NotYaml, block_text, flow_text

TRAPS = [
    *("no", "yes", "on", "Off", "y", "~", "null", "true", "NaN", ".5", "1e3", "010", "0x1f", "1_000", "1:30"),
    *("2024-01-01", "-", "- a", "? a", "a: b", "a:", "a #b", "#", "{", "a, b", "a]b", "N?", "=", "<<", "&a"),
    *("*a", "", " ", "a ", " a", "\t", "a\tb", "\0", "\x1a", "\u2028", "\ufeff", "“a”", "'a'", '"', "it's"),
    *("a\nb", "a\nb\n", "a\n\nb", "a\n\n", "\n", "a\r\nb", "a\n  b\nc", " a\nb", "a \nb", "a\n---\nb"),
    *("#\nb", "assistant:agent", "$.items[*]", "x" * 1200, "Grüße", "🏨", "null\nb", "\\", "---"),
]
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=12) | st.sampled_from(TRAPS)
SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXTS


def nested(
    scalars: st.SearchStrategy[Any], names: st.SearchStrategy[str]
) -> st.SearchStrategy[dict[str, Any]]:
    values = st.recursive(
        scalars,
        lambda part: st.lists(part, max_size=4) | st.dictionaries(names, part, max_size=4),
        max_leaves=20,
    )
    return st.dictionaries(names, values, min_size=1, max_size=4)


@given(nested(SCALARS, TEXTS))
def test_what_is_written_is_read_as_the_same(value: dict[str, Any]) -> None:
    for written in (block_text(value), f"{flow_text(value)}\n"):
        found = parse_document(written, path="written.yaml", syntax="yaml").value
        assert json.dumps(found) == json.dumps(value), written


@given(nested(st.text("abefnosy NOYT0123:-#'\"!&*%@`,[]{}|>?=~./\\_", max_size=8), TEXTS.filter("on".__ne__)))
def test_other_readers_take_texts_for_texts_too(value: dict[str, Any]) -> None:
    assert yaml.safe_load(block_text(value)) == value


@pytest.mark.parametrize("text", TRAPS)
def test_traps(text: str) -> None:
    value = {"a": text, "b": [text, [text]], "c": {text: {"d": text}}}
    assert parse_document(block_text(value), path="written.yaml", syntax="yaml").value == value


def test_how_it_looks() -> None:
    checks = [
        {"on": "reply", "matcher": "toBeOneOf", "expected": ["READY", "no"]},
        {"matcher": "toHaveCalledTool", "expected": {"name": "book", "arguments": {"room": "Blue"}}},
    ]
    scenarios = [{"id": "a", "say": "One line: two\nmore\n", "expect": checks, "tools": {}}]
    assert block_text({"agent": "app:agent", "scenarios": scenarios}) == (
        "agent: app:agent\n"
        "scenarios:\n"
        "  - id: a\n"
        "    say: |\n"
        "      One line: two\n"
        "      more\n"
        "    expect:\n"
        '      - {on: reply, matcher: toBeOneOf, expected: [READY, "no"]}\n'
        "      - matcher: toHaveCalledTool\n"
        "        expected: {name: book, arguments: {room: Blue}}\n"
        "    tools: {}\n"
    )


def test_half_a_character_is_refused() -> None:
    with pytest.raises(NotYaml, match=r"half a character, U\+D800, cannot stand in YAML"):
        block_text({"a": ["\ud800"]})
