"""What holds for every value, path and assertion: nothing raises, `not` swaps, ANY and ALL are folds."""

import json
import math
from types import MappingProxyType
from typing import NamedTuple

import msgspec
from hypothesis import given
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


class Text(str):
    """A text of a subclass, as templating and HTML libraries have them."""


class Refusing(dict):  # type: ignore[type-arg]
    """A mapping that raises when it is looked at."""

    def items(self):
        raise RuntimeError("not now")

    def __getitem__(self, name):
        raise RuntimeError("not now")

    __iter__ = __contains__ = __len__ = __getitem__


class Raising:
    """An object that raises at every touch."""

    def __getattr__(self, name):
        raise RuntimeError(name)

    def __repr__(self):
        raise RuntimeError("repr")


def _deep(depth):
    value = []
    for _ in range(depth):
        value = [value]
    return value


def _cycle():
    value = {}
    value["a"] = [value]
    return value


ODD = {
    "a text of a subclass": Text("abc"),
    "half a character": "\ud800",
    "half characters inside": {"\ud800": "\udfff"},
    "a huge number": 10**4_500,
    "deep": _deep(3_000),
    "inside itself": _cycle(),
    "refusing": Refusing(a=1),
    "raising": Raising(),
    "a mapping": MappingProxyType({"a": Text("x")}),
    "a tuple": (1, "a"),
    "a set": {1, 2},
    "bytes": b"x",
    "names that are numbers": {1: 2},
    "missing": grice.MISSING,
    "a record": grice.Message("user", "Hi"),
    "a wrong schema": {"$schema": 5},
    "no number": float("nan"),
}


class Odd(NamedTuple):
    """Stands for one of the odd values, which Hypothesis could not print."""

    name: str


def made(value):
    """The value with the odd ones in their places."""
    if isinstance(value, Odd):
        return ODD[value.name]
    if type(value) is dict:
        return {name: made(one) for name, one in value.items()}
    return [made(one) for one in value] if type(value) is list else value


odd = st.sampled_from([Odd(name) for name in ODD])
anything = values | assertions | odd
odd_assertions = st.fixed_dictionaries(
    {"path": st.sampled_from(["$", "$.a", "$..*"]), "matcher": st.sampled_from(MATCHERS), "expected": odd}
)


@given(values | odd, st.lists(assertions | odd_assertions, min_size=1, max_size=3))
def test_evaluation_never_raises_and_negation_swaps(actual, asked):
    actual, asked = made(actual), made(asked)
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


@given(anything, st.lists(anything, max_size=3) | anything)
def test_whatever_is_handed_over_nothing_raises(actual, asked):
    assert grice.evaluate_assertions(made(actual), made(asked)).outcome in list(grice.Outcome)


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


@given(values, values, values)
def test_equality_is_an_equivalence(one, two, three):
    assert json_equal(one, one)
    assert json_equal(one, two) is json_equal(two, one)
    if json_equal(one, two) and json_equal(two, three):
        assert json_equal(one, three)


@given(values)
def test_equality_survives_writing_and_reading(value):
    try:
        again = json.loads(json.dumps(value))
    except (ValueError, RecursionError):
        return
    assert json_equal(again, value)
    assert json_equal(value, again)


@given(values, values)
def test_every_difference_names_two_parts_that_differ(one, two):
    if json_equal(one, two):
        return
    for place in differences(one, two):
        assert not json_equal(place.actual, place.expected)


def test_nan_equals_nan_and_nothing_else():
    assert json_equal([math.nan], [math.nan])
    assert not json_equal(math.nan, 0.0)
