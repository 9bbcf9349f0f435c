"""Suggesting assertions for a value that somebody points at."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

import grice
from grice.matching.assertions.suggestion import NoSuchValue, Suggestion, suggest_assertions

ORDER = {
    "status": "READY",
    "created_at": "2026-01-16T14:30:00Z",
    "items": [{"state": "READY", "price": 1.5, "on": True}, {"state": "PENDING", "price": 2, "on": False}],
    "none": None,
}


def suggested(found: Suggestion) -> list[tuple[str, str, Any]]:
    return [(one.matcher, one.path, one.expected) for one in found.matchers]


@pytest.mark.parametrize(
    ("pointer", "path", "wildcard", "first"),
    [
        (["status"], "$.status", None, ("toEqual", "$.status", "READY")),
        (["created_at"], "$.created_at", None, ("toMatch", "$.created_at", None)),
        (["none"], "$.none", None, ("toBeNull", "$.none", None)),
        (["items"], "$.items", None, ("toHaveLength", "$.items", 2)),
        (
            ["items", 1, "state"],
            "$.items[1].state",
            "$.items[*].state",
            ("toEqual", "$.items[1].state", "PENDING"),
        ),
    ],
)
def test_a_pointer_becomes_a_path_and_what_suits_the_value_comes_first(
    pointer: list[str | int], path: str, wildcard: str | None, first: tuple[str, str, Any]
) -> None:
    found = suggest_assertions(ORDER, pointer)
    assert (found.path, found.wildcard_path) == (path, wildcard)
    assert (
        suggested(found)[0][: 3 if first[2] is not None else 2] == first[: 3 if first[2] is not None else 2]
    )


@pytest.mark.parametrize(
    ("text", "patterns"),
    [
        ("bob", ["^[a-z]+$"]),
        ("Room 12 (Blue)", [r"^[A-Z]+[a-z]+ \d+ \([A-Z]+[a-z]+\)$"]),
        ("2026-01-16", [r"^\d{4}-\d{2}-\d{2}$"]),
        ("Zimmer für 49,90 € frei", [{"source": "49,90", "flags": "i"}]),
        ("", []),
    ],
)
def test_a_text_is_offered_a_pattern_that_it_has(text: str, patterns: list[Any]) -> None:
    found = suggest_assertions({"text": text}, ["text"]).matchers
    assert [one.expected for one in found if one.matcher == "toMatch"] == patterns


def test_over_a_list_all_values_are_asked_about() -> None:
    found = suggest_assertions(ORDER, ["items", 0, "state"])
    (one,) = [one for one in found.matchers if one.path_match == "ALL"]
    assert (one.matcher, one.path, one.expected) == ("toBeOneOf", "$.items[*].state", ["READY", "PENDING"])


def test_a_text_is_read_as_its_parse_says() -> None:
    text = json.dumps(ORDER)
    assert suggest_assertions(text, ["status"]).path == "$.status"
    assert "toBeValidJson" in [one.matcher for one in suggest_assertions(text, []).matchers]
    assert suggest_assertions(text, [], parse="json").matchers[0].matcher == "toMatchObject"
    with pytest.raises(NoSuchValue, match="is not read as JSON"):
        suggest_assertions(text, ["status"], parse="text")


@pytest.mark.parametrize(
    ("pointer", "index", "message"),
    [
        (["stats"], 0, "there is no 'stats' here (did you mean 'status'?)"),
        (["items", 2], 1, "expected an index below 2, found 2"),
        (["items", -1], 1, "expected an index below 2, found -1"),
        (["status", 0], 1, "expected no step"),
        (["items", "0"], 1, "expected an index, found '0'"),
    ],
)
def test_a_pointer_that_leads_nowhere_is_refused(pointer: list[str | int], index: int, message: str) -> None:
    with pytest.raises(NoSuchValue) as caught:
        suggest_assertions(ORDER, pointer)
    assert (caught.value.index, str(caught.value).startswith(message)) == (index, True)


def places(value: Any, pointer: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    yield pointer
    for step, one in (
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    ):
        yield from places(one, (*pointer, step))


plain = (
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False)
)
texts = st.text(st.characters(codec="utf-8"), max_size=80) | st.just("\ud800")
outputs = st.recursive(
    plain | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@given(outputs)
def test_at_each_place_three_matchers_or_more_pass(output: Any) -> None:
    for pointer in places(output):
        if any("\ud800" in str(step) for step in pointer):
            continue  # no path can say it
        found = suggest_assertions(output, pointer)
        assert len(found.matchers) >= 3
        for one in found.matchers:
            asked = msgspec.json.decode(msgspec.json.encode(one))
            del asked["why"]
            assert grice.evaluate_assertions(output, [asked]).passed
