"""The same assertions on many outputs: counted as each is judged alone."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest

import grice
from grice.matchers import matcher
from grice.matching.assertions.assertion import load_assertions
from grice.matching.assertions.many_outputs import evaluate_many
from grice.matching.matcher import REGISTRY

OUTPUTS: list[Any] = [
    {"items": [{"n": 1, "s": "READY"}, {"n": 2, "s": "DONE"}]},
    {"items": [{"n": 0}]},
    {"items": []},
    json.dumps({"items": [{"n": 3, "s": "READY"}]}),
    "no JSON",
    "",
    None,
    5,
]


@pytest.mark.parametrize(
    "asked",
    [
        {"path": "$.items[*].n", "pathMatch": "ALL", "matcher": "toBeGreaterThan", "expected": 0},
        {"path": "$.items[*].n", "matcher": "toBeGreaterThan", "expected": 0, "not": True},
        {
            "path": "$.items[*].s",
            "pathMatch": "ALL",
            "matcher": "toBeOneOf",
            "expected": ["READY"],
            "not": True,
        },
        {"path": "$.items", "matcher": "toHaveLength", "expected": 2},
        {"path": "$.nothing", "matcher": "toBeUndefined"},
        {"path": "$.nothing", "matcher": "toEqual", "expected": 1, "not": True},
        {"matcher": "toContain", "expected": "JSON"},
        {"matcher": "toMatch", "expected": "^no"},
        {"matcher": "toBeNull"},
        {"matcher": "toUseContractions"},
    ],
    ids=lambda asked: asked["matcher"],
)
def test_outcomes_are_those_of_each_output_alone(asked: dict[str, Any]) -> None:
    each = [grice.evaluate_assertions(one, [asked]) for one in OUTPUTS]
    found = evaluate_many([("", one) for one in OUTPUTS], load_assertions([asked]), most_shown=1)
    assert found.outcomes == Counter(one.outcome for one in each)
    (tally,) = found.assertions
    assert tally.outcomes == found.outcomes
    assert tally.unresolved == sum(one.results[0].unresolved for one in each)
    failing = [(index, one.results) for index, one in enumerate(each) if not one.passed]
    assert [(one.index, one.results) for one in found.failing] == failing[:1]
    assert found.not_shown == len(failing[1:])


def test_a_matcher_that_breaks_is_an_error_each_time() -> None:
    @matcher("toBreakHere")
    def break_here(value: object, ctx: object) -> bool:
        """Break."""
        raise RuntimeError("broken")

    try:
        loaded = load_assertions([{"matcher": "toBreakHere"}])
        found = evaluate_many([("", 1), ("", 2)], loaded, most_shown=1)
    finally:
        del REGISTRY["toBreakHere"]
    assert (found.passed, found.outcomes, found.not_shown) == (False, {"error": 2}, 1)
