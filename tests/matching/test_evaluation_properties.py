"""What holds for every value, path and assertion: nothing raises, `not` swaps, ANY and ALL are folds."""

import json
import math

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

import grice
from grice.matching.equality import differences, json_equal

scalars = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6)
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=4),
    max_leaves=12,
)
MATCHERS = [
    "toEqual",
    "toBeNull",
    "toContain",
    "toMatch",
    "toBeOneOf",
    "toContainEqual",
    "toBeUndefined",
    "toBeDefined",
    "toBeTruthy",
    "toBeFalsy",
    "toBeGreaterThan",
    "toBeLessThanOrEqual",
    "toBeCloseTo",
    "toHaveLength",
    "toHaveProperty",
    "toMatchObject",
    "toMatchSchema",
    "toStartWith",
    "toEndWith",
    "toBeValidJson",
    "toSatisfyAll",
    "toSatisfyAny",
    "toCallTool",
    "toHaveAtMostSentences",
]
paths = st.sampled_from(["$", "$.a", "a[0]", "$..*", "$[*]", "$[?@ == 1]", "$[::2]"]) | st.text(max_size=8)
expected = values | st.sampled_from(
    ["a", "^a", {"matcher": "toEqual", "expected": 1}, {"source": "a", "flags": "i"}]
)
assertions = st.fixed_dictionaries(
    {"path": paths, "matcher": st.sampled_from(MATCHERS), "pathMatch": st.sampled_from(["ANY", "ALL"])},
    optional={
        "expected": expected,
        "not": st.booleans(),
        "options": st.dictionaries(st.text(max_size=3), values),
    },
)
anything = values | assertions | st.binary(max_size=3) | st.just(object())


@settings(max_examples=150, deadline=None)
@given(values, st.lists(assertions, min_size=1, max_size=3))
def test_evaluation_never_raises_and_negation_swaps(actual, asked):
    straight = grice.evaluate_assertions(actual, asked)
    turned = grice.evaluate_assertions(actual, [{**one, "not": not one.get("not", False)} for one in asked])
    swapped = {"pass": "fail", "fail": "pass"}
    assert [swapped.get(r.outcome, r.outcome) for r in straight.results] == [
        r.outcome for r in turned.results
    ]
    assert straight.passed is all(result.passed for result in straight.results)
    for result in straight.results:
        assert result.passed is (result.outcome == "pass")
        assert result.message
        assert "\n" not in result.message
    json.loads(msgspec.json.encode(straight))


@settings(max_examples=100, deadline=None)
@given(anything, st.lists(anything, max_size=3) | anything)
def test_whatever_is_handed_over_nothing_raises(actual, asked):
    assert grice.evaluate_assertions(actual, asked).outcome in list(grice.Outcome)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.integers(0, 2) | st.just("x"), max_size=5), st.sampled_from(["ANY", "ALL"]), st.booleans())
def test_any_and_all_are_the_plain_folds(found, mode, negated):
    """Numbers above 0 pass, 0 fails, a text is an error."""
    asked = {"path": "$[*]", "pathMatch": mode, "not": negated, "matcher": "toBeGreaterThan", "expected": 0}
    each = ["error" if one == "x" else "pass" if one > 0 else "fail" for one in found] or ["fail"]
    order = ["pass", "error", "fail"] if mode == "ANY" else ["fail", "error", "pass"]
    whole = min(each, key=order.index)
    if negated:
        whole = {"pass": "fail", "fail": "pass"}.get(whole, whole)
    assert grice.evaluate_assertions(found, [asked]).outcome == whole


@settings(max_examples=150, deadline=None)
@given(values, values, values)
def test_equality_is_an_equivalence(one, two, three):
    assert json_equal(one, one)
    assert json_equal(one, two) is json_equal(two, one)
    if json_equal(one, two) and json_equal(two, three):
        assert json_equal(one, three)


@settings(max_examples=100, deadline=None)
@given(values)
def test_equality_survives_writing_and_reading(value):
    try:
        again = json.loads(json.dumps(value))
    except (ValueError, RecursionError):
        return
    assert json_equal(again, value)
    assert json_equal(value, again)


@settings(max_examples=150, deadline=None)
@given(values, values)
def test_every_difference_names_two_parts_that_differ(one, two):
    if json_equal(one, two):
        return
    for place in differences(one, two):
        assert not json_equal(place.actual, place.expected)


def test_nan_equals_nan_and_nothing_else():
    assert json_equal([math.nan], [math.nan])
    assert not json_equal(math.nan, 0.0)
