"""Properties of call_tools: each order against trying every choice, and what negation leaves alone."""

from itertools import permutations

import pytest
from dirty_equals import IsInt
from hypothesis import given
from hypothesis import strategies as st

from grice.matching.calls.candidates import Sieve
from grice.matching.calls.fit import Fit, fit_of
from grice.matching.calls.matchers import call_tools
from grice.matching.calls.spec import call
from grice.matching.context import resolve_subject
from grice.matching.judge import judge
from grice.records import ToolCall, Turn

ORDERS = ("exact", "in_order", "unordered", "superset", "subset")


def verdict_on(calls, matcher):
    seen = resolve_subject(Turn(1, tool_calls=tuple(calls)))
    return judge(matcher, seen.subject, seen.context)


def may_pair(expected, actual):
    return expected[0] == actual[0] and expected[1] in (None, actual[1])


def holds_by_trying(order, expected, actual):
    def fits(some):
        return all(may_pair(one, other) for one, other in zip(expected, some, strict=True))

    if order == "subset":
        chosen = permutations(expected, len(actual))
        return any(all(may_pair(*pair) for pair in zip(some, actual, strict=True)) for some in chosen)
    if order in ("exact", "unordered") and len(expected) != len(actual):
        return False
    if order == "exact":
        return fits(actual)
    if order == "unordered":
        return any(fits(some) for some in permutations(actual))
    chosen = permutations(range(len(actual)), len(expected))
    if order == "in_order":
        chosen = (some for some in chosen if list(some) == sorted(some))
    return any(fits([actual[place] for place in some]) for some in chosen)


names = st.sampled_from("ab")
expected_pairs = st.lists(st.tuples(names, st.sampled_from([None, 1, 2])), max_size=4)
actual_pairs = st.lists(st.tuples(names, st.sampled_from([1, 2])), max_size=5)


@pytest.mark.parametrize("order", ORDERS)
@given(expected_pairs, actual_pairs)
def test_an_order_holds_when_some_choice_of_calls_makes_it_hold(order, expected, actual):
    calls = [ToolCall(name, {"x": value, "y": 0}) for name, value in actual]
    wanted = [call(name) if value is None else call(name, x=value) for name, value in expected]
    if not wanted and order in ("in_order", "superset"):
        return
    verdict = verdict_on(calls, call_tools(wanted, order=order))
    assert verdict.outcome == ("pass" if holds_by_trying(order, expected, actual) else "fail")


json_values = st.recursive(
    st.none() | st.booleans() | st.sampled_from([0, 1, 1.0]) | st.sampled_from("ab"),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from("ab"), inner, max_size=2),
    max_leaves=5,
)
any_call = st.builds(
    ToolCall,
    names,
    st.dictionaries(st.sampled_from("xy"), json_values, max_size=2),
    raw_arguments=st.none() | st.just("{"),
    result=json_values,
    error=st.none() | st.just("no"),
)
any_expected = st.builds(
    lambda name, arguments, change: change(call(name, **arguments)),
    names,
    st.dictionaries(st.sampled_from("xy"), json_values, max_size=2),
    st.sampled_from(
        [
            lambda one: one,
            lambda one: one.exactly(),
            lambda one: one.failing(),
            lambda one: one.succeeding(),
            lambda one: one.returning({"x": 1}),
            lambda one: one.where(lambda arguments: arguments["x"] is None),
        ]
    ),
)
OTHER = {"pass": "fail", "fail": "pass"}


@given(
    st.lists(any_call, max_size=4),
    st.lists(any_expected, min_size=1, max_size=4),
    st.sampled_from(ORDERS),
    st.sampled_from(["exact", "subset", "ignore"]),
    st.booleans(),
)
def test_not_swaps_pass_and_fail_only_and_no_call_makes_it_raise(calls, expected, order, args, only):
    matcher = call_tools(expected, order=order, args=args, only=only)
    verdict, negated = verdict_on(calls, matcher), verdict_on(calls, ~matcher)
    assert negated.outcome == OTHER.get(verdict.outcome, verdict.outcome)
    assert negated.reason == verdict.reason
    assert not verdict.reason.startswith("the check raised")
    assert verdict_on(calls, matcher) == verdict


@given(
    st.lists(any_call, min_size=1, max_size=4), any_expected, st.sampled_from(["exact", "subset", "ignore"])
)
def test_what_the_plain_values_tell_is_what_comparing_tells(calls, expected, args):
    sure, left = Sieve(calls).look(expected, args)
    for place, one in enumerate(calls):
        fit = fit_of(expected, one, args)
        assert not sure >> place & 1 or fit is Fit.FITS
        assert (sure | left) >> place & 1 or fit is Fit.MISSES


def test_plain_values_tell_a_thousand_calls_apart_without_comparing_any():
    calls = [ToolCall("book", {"guest": {"id": number}, "days": [number]}) for number in range(100)]
    sieve = Sieve(calls)
    assert sieve.look(call("book", guest={"id": 7}), "subset") == (1 << 7, 0)
    assert sieve.look(call("book", days=[7]), "subset") == (1 << 7, 0)
    assert sieve.look(call("book", days=[7, 8]), "subset") == (0, 0)
    assert sieve.look(call("book", guest={"id": 7}), "exact") == (0, 1 << 7)
    assert sieve.look(call("book", guest={"id": 7.0}), "subset") == (1 << 7, 0)
    assert sieve.look(call("book", guest={"id": True}), "subset") == (0, 0)
    assert sieve.look(call("book", guest={"id": IsInt}), "subset") == (0, (1 << 100) - 1)
    assert sieve.look(call("book", guest={"id": float("nan")}), "subset") == (0, (1 << 100) - 1)


@pytest.mark.parametrize(("order", "most"), [("exact", 50), ("in_order", 101)])
def test_an_order_that_holds_is_found_with_few_comparisons(order, most):
    asked = []
    expected = call("book").where(lambda arguments: asked.append(1) is None)
    calls = [ToolCall("log")] * 50 * (order == "in_order") + [ToolCall("book")] * 50
    assert verdict_on(calls, call_tools([expected] * 50, order=order)).outcome == "pass"
    assert len(asked) <= most
