"""Proposing assertions for an output."""

import json
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import grice
from grice.matching.assertions.assertion import Assertion
from grice.matching.assertions.scaffold import Proposal, propose_assertions

ORDER = {
    "status": "READY",
    "id": "8f14e45f-ceea-467f-a8f4-d1c2b3a49586",
    "created_at": "2026-01-16T14:30:00Z",
    "customer_id": "C-10423",
    "total": 41.5,
    "score": 0.8731254,
    "discount": None,
    "items": [
        {"sku": "blue", "state": "READY", "price": 1.25},
        {"sku": "red", "state": "PENDING", "price": 40.25},
    ],
    "note": "We have put the Blue Room aside for you until tomorrow, and will send a reminder by post.",
    "tags": [],
}


def proposed(output: Any) -> dict[str, Proposal]:
    return {one.assertion.path: one for one in propose_assertions(output).proposals}


@pytest.mark.parametrize(
    ("path", "matcher", "expected", "selected"),
    [
        ("$.status", "toEqual", "READY", True),
        ("$.total", "toEqual", 41.5, True),
        ("$.score", "toEqual", 0.8731254, False),
        ("$.customer_id", "toMatch", r"^C-\d+$", False),
        ("$.items", "toHaveLength", 2, False),
        ("$.items[*].state", "toBeOneOf", ["READY", "PENDING"], True),
        ("$.items[*].price", "toMatchSchema", {"type": "number"}, True),
        ("$.note", "toContain", "Blue Room", True),
        ("$.tags", "toHaveLength", 0, True),
    ],
)
def test_each_value_gets_the_assertion_that_suits_it(
    path: str, matcher: str, expected: Any, selected: bool
) -> None:
    one = proposed(ORDER)[path]
    assert (one.assertion.matcher, one.assertion.expected, one.selected) == (matcher, expected, selected)
    assert one.assertion.path_match == ("ALL" if "[*]" in path else "ANY")


@pytest.mark.parametrize("path", ["$.id", "$.created_at"])
def test_times_and_ids_match_by_their_form_and_are_not_ticked(path: str) -> None:
    one = proposed(ORDER)[path]
    assert (one.assertion.matcher, one.selected) == ("toMatch", False)
    assert "differs from run to run" in one.why
    assert one.assertion.expected != ORDER[path.removeprefix("$.")]


def test_null_is_asked_for_without_an_expected_value() -> None:
    one = proposed(ORDER)["$.discount"].assertion
    assert one == Assertion("toBeNull", path="$.discount")


def test_a_text_that_holds_json_is_looked_into() -> None:
    assert proposed(json.dumps(ORDER)) == proposed(ORDER)
    fenced = f"Here you are:\n```json\n{json.dumps(ORDER)}\n```"
    assert "$.items[*].state" in proposed(fenced)


@pytest.mark.parametrize("text", ["42", "true", '"yes"', "{}", "[]", "", "No."])
def test_a_text_that_holds_no_object_is_compared_as_a_text(text: str) -> None:
    (one,) = propose_assertions(text).proposals
    assert (one.assertion.path, one.assertion.matcher, one.assertion.expected) == ("$", "toEqual", text)


def test_more_than_twenty_different_values_are_of_a_type() -> None:
    assert proposed({"n": list(range(20))})["$.n[*]"].assertion.matcher == "toBeOneOf"
    assert proposed({"n": list(range(21))})["$.n[*]"].assertion.expected == {"type": "integer"}
    assert proposed({"n": [1, 2.5, None]})["$.n[*]"].assertion.expected == {"type": ["null", "number"]}


def test_proposals_stay_within_the_limit_on_assertions() -> None:
    large = {f"field{number}": "x" * 70 for number in range(300)}
    found = propose_assertions(large, limits=grice.Limits(max_assertion_json_bytes=1_000))
    assert found.proposals
    assert len(found.proposals) + found.left_out == 300
    grice.load_assertions(
        [one.assertion for one in found.proposals], limits=grice.Limits(max_assertion_json_bytes=1_000)
    )


_names = st.text(max_size=6) | st.sampled_from(["id", "created_at", "a b", "it's", "$x", "\ud800", ""])
_texts = (
    st.text()
    | st.sampled_from(["2026-01-16", "ord_1a2b3c", "A-1.[2]", "12:30", "\ud83d", "\x00", "12:30\n"])
    | st.text(alphabet="ab Blue,.\n`'\"7€é", min_size=70, max_size=200)
)
_numbers = st.integers() | st.floats(allow_nan=False, allow_infinity=False)
_values = st.recursive(
    st.none() | st.booleans() | _numbers | _texts,
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(_names, inner, max_size=5),
    max_leaves=25,
)


@given(_values)
@example([[], [1]])
@example([{"a": 1}, {"b": "x"}, {"a": None}])
@example({"": {"": [True, 1, 1.0]}})
@example([1, True])
def test_every_proposal_passes_on_its_own_output(output: Any) -> None:
    for given_output in (output, json.dumps(output)):
        assertions = [one.assertion for one in propose_assertions(given_output).proposals]
        if assertions:
            found = grice.evaluate_assertions(given_output, assertions)
            assert [one.message for one in found.results if not one.passed] == []
