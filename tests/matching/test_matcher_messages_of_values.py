# ruff: noqa: E501 - tables, one message a line
"""What is said of several values, of values that are missing and of values of a wrong kind."""

from typing import Any

import pytest
from message_texts import NONE, expected_that, result_of

VALUES = {"v": [1, 2, 3]}
ANY, ALL = "ANY", "ALL"


@pytest.mark.parametrize(
    ("matcher", "expected", "match", "negated", "claim", "reason", "message"),
    [
        ("toEqual", 2, ANY, False, "some value at $.v[*] of the value to equal 2",
            "$.v[1] (value 2 of 3, 1 not examined): it is 2",
            "$.v[*] ANY toEqual 2 passed: got 2 at $.v[1] (value 2 of 3), 1 not examined"),
        ("toEqual", 2, ANY, True, "no value at $.v[*] of the value to equal 2",
            "$.v[1] (value 2 of 3, 1 not examined): it is 2",
            "$.v[*] ANY not toEqual 2 expected a different value for every value, got 2 at $.v[1] (value 2 of 3)"),
        ("toEqual", 9, ANY, False, "some value at $.v[*] of the value to equal 9",
            "none of 3 values does; $.v[0]: found 1",
            "$.v[*] ANY toEqual 9 expected an equal value for at least one value, got none of 3 values: 1, 2, 3"),
        ("toEqual", 9, ANY, True, "no value at $.v[*] of the value to equal 9",
            "none of 3 values does; $.v[0]: found 1",
            "$.v[*] ANY not toEqual 9 passed: none of 3 values: 1, 2, 3"),
        ("toBeGreaterThan", 0, ALL, False, "every value at $.v[*] of the value to be greater than 0",
            "all 3 values do; $.v[0]: it is 1",
            "$.v[*] ALL toBeGreaterThan 0 passed: all 3 values: 1, 2, 3"),
        ("toBeGreaterThan", 0, ALL, True, "some value at $.v[*] of the value not to be greater than 0",
            "all 3 values do; $.v[0]: it is 1",
            "$.v[*] ALL not toBeGreaterThan 0 expected no greater number for at least one value, but it holds for all 3 values: 1, 2, 3"),
        ("toBeLessThan", 3, ALL, False, "every value at $.v[*] of the value to be less than 3",
            "$.v[2] (value 3 of 3): it is 3",
            "$.v[*] ALL toBeLessThan 3 expected a smaller number for every value, got 3 at $.v[2] (value 3 of 3)"),
        ("toBeLessThan", 2, ALL, True, "some value at $.v[*] of the value not to be less than 2",
            "$.v[1] (value 2 of 3, 1 not examined): it is 2",
            "$.v[*] ALL not toBeLessThan 2 passed: at least one value does not: 2 at $.v[1] (value 2 of 3), 1 not examined"),
    ],
)  # fmt: skip
def test_several_values(
    matcher: str, expected: Any, match: Any, negated: bool, claim: str, reason: str, message: str
) -> None:
    verdict = expected_that(VALUES, matcher, expected, negated=negated, path="$.v[*]", match=match)
    assert (verdict.claim, verdict.reason) == (claim, reason)
    fields = {"path": "$.v[*]", "pathMatch": match, "not": negated}
    result = result_of(VALUES, matcher, expected, **fields)
    assert result.message == message
    assert result.outcome == verdict.outcome


def test_a_value_that_decides_is_shown_with_its_differences() -> None:
    orders = [{"id": 1, "to": "Ada"}, {"id": 2, "to": "Bob"}]
    message = result_of(orders, "toMatchObject", {"to": "Ada"}, path="$[*]", pathMatch="ALL").message
    assert message == (
        '$[*] ALL toMatchObject {"to": "Ada"} expected at least these properties for every value, '
        'got {"id": 2, "to": "Bob"} at $[1] (value 2 of 2) (at $.to: found \'Bob\', expected \'Ada\')'
    )


def test_of_many_values_the_first_are_listed() -> None:
    message = result_of(list(range(20)), "toEqual", "x", path="$[*]").message
    assert message.endswith("got none of 20 values: 0, 1, 2, ...")


# -- missing values

MISSING_FAILS = [
    ("toBeDefined", NONE, "a value"),
    ("toBeTruthy", NONE, "a truthy value"),
    ("toBeNull", NONE, "null"),
    ("toEqual", None, "an equal value"),
    ("toContain", "x", "a value that contains it"),
    ("toContainEqual", "x", "an equal element"),
    ("toMatch", ".", "match"),
    ("toBeOneOf", [None], "one of the options"),
    ("toBeGreaterThan", 1, "a greater number"),
    ("toBeGreaterThanOrEqual", 1, "that number or a greater one"),
    ("toBeLessThan", 1, "a smaller number"),
    ("toBeLessThanOrEqual", 1, "that number or a smaller one"),
    ("toBeCloseTo", 1, "a number close to it"),
    ("toHaveLength", 0, "that length"),
    ("toHaveProperty", "a", "that property"),
    ("toMatchObject", {}, "at least these properties"),
    ("toMatchSchema", True, "a value that fits the schema"),
    ("toStartWith", "x", "it at the start"),
    ("toEndWith", "x", "it at the end"),
    ("toBeValidJson", NONE, "valid JSON"),
    ("toSatisfyAll", {"matcher": "toBeNull"}, "every element to fit"),
    ("toSatisfyAny", {"matcher": "toBeNull"}, "an element that fits"),
]


@pytest.mark.parametrize(("matcher", "expected", "wanted"), MISSING_FAILS)
def test_what_is_missing_fails_and_passes_when_negated(matcher: str, expected: Any, wanted: str) -> None:
    nothing = "nothing resolved at $.a.b"
    failed = result_of({}, matcher, expected, path="$.a.b")
    assert failed.message.endswith(f" expected {wanted}, got nothing: {nothing}")
    passed = result_of({}, matcher, expected, path="$.a.b", **{"not": True})
    assert passed.message.startswith(f"$.a.b not {matcher}")
    assert passed.message.endswith(f" passed: {nothing}")
    for negated, outcome in ((False, "fail"), (True, "pass")):
        verdict = expected_that({}, matcher, expected, negated=negated, path="$.a.b")
        assert (verdict.outcome, verdict.reason, verdict.unresolved) == (outcome, nothing, True)


@pytest.mark.parametrize(
    ("matcher", "wanted"), [("toBeUndefined", "a value"), ("toBeFalsy", "a truthy value")]
)
def test_two_matchers_want_nothing(matcher: str, wanted: str) -> None:
    assert (
        result_of({}, matcher, NONE, path="$.a").message == f"$.a {matcher} passed: nothing resolved at $.a"
    )
    negated = result_of({}, matcher, NONE, path="$.a", **{"not": True})
    assert negated.message == f"$.a not {matcher} expected {wanted}, got nothing: nothing resolved at $.a"


# -- wrong kinds, and questions that cannot be answered


def in_words_of_files(reason: str, matcher: str) -> str:
    """The reason as the messages of data have it: there the matcher has its name in files."""
    _, judges, rest = reason.partition(" judges ")
    return f"{matcher}{judges}{rest}" if judges and not reason.startswith("element") else reason


@pytest.mark.parametrize(
    ("subject", "matcher", "expected", "outcome", "reason"),
    [
        (5, "toContain", "x", "error", "contain judges a text, a Reply, a Turn or a list, found 5"),
        ({"x": 1}, "toContain", "x", "error", "contain judges a text, a Reply, a Turn or a list, found {'x': 1}"),
        ("x", "toContain", 5, "error", "a text contains texts only, expected is 5"),
        (5, "toContainEqual", "x", "error", "contain_equal judges a text, a Reply, a Turn or a list, found 5"),
        ("2", "toBeGreaterThan", 1, "error", "be_greater_than judges a number, found '2'"),
        (True, "toBeGreaterThanOrEqual", 1, "error", "be_greater_than_or_equal judges a number, found True"),
        ([1], "toBeLessThan", 1, "error", "be_less_than judges a number, found [1]"),
        ({}, "toBeLessThanOrEqual", 1, "error", "be_less_than_or_equal judges a number, found {}"),
        (None, "toBeCloseTo", 1, "error", "be_close_to judges a number, found None"),
        (5, "toHaveLength", 1, "error", "have_length judges a text or a list, found 5"),
        ({"a": 1}, "toHaveLength", 1, "error", "have_length judges a text or a list, found {'a': 1}"),
        (None, "toHaveProperty", "a", "error", "have_property judges a value that has properties, found null"),
        ("x", "toMatchObject", {"a": 1}, "error", "match_object judges an object or a list, found 'x'"),
        ({"a": 1}, "toSatisfyAll", {"matcher": "toBeNull"}, "error", "satisfy_all judges a list, found {'a': 1}"),
        ("x", "toSatisfyAny", {"matcher": "toBeNull"}, "error", "satisfy_any judges a list, found 'x'"),
        ([1, "x"], "toSatisfyAll", {"matcher": "toBeLessThan", "expected": 2}, "error", "element 1: be_less_than judges a number, found 'x'"),
        ([1, "x"], "toSatisfyAny", {"matcher": "toBeLessThan", "expected": 0}, "error", "element 1: be_less_than judges a number, found 'x'"),
        ([], "toSatisfyAll", {"matcher": "toBeNull"}, "inconclusive", "the list is empty: there is nothing to look at"),
        ([], "toSatisfyAny", {"matcher": "toBeNull"}, "inconclusive", "the list is empty: there is nothing to look at"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("negated", [False, True])
def test_what_cannot_be_judged_says_so_under_both_polarities(
    subject: Any, matcher: str, expected: Any, outcome: str, reason: str, negated: bool
) -> None:
    verdict = expected_that(subject, matcher, expected, negated=negated)
    assert (verdict.outcome, verdict.reason) == (outcome, reason)
    result = result_of(subject, matcher, expected, **{"not": negated})
    told = "cannot be answered" if outcome == "error" else "is inconclusive"
    assert result.outcome == outcome
    assert result.message.startswith("$ not " if negated else f"$ {matcher}")
    assert result.message.endswith(f" {told}: {in_words_of_files(reason, matcher)}")


@pytest.mark.parametrize("subject", [5, 0.5, True, False, None, {"x": "x"}, {}, {"x"}])
@pytest.mark.parametrize("matcher", ["toContain", "toContainEqual"])
def test_nothing_can_be_in_what_is_no_list_and_no_text(matcher: str, subject: Any) -> None:
    for negated in (False, True):
        verdict = expected_that(subject, matcher, "x", negated=negated)
        assert verdict.outcome == "error"
        assert " judges a text, a Reply, a Turn or a list, found " in verdict.reason
        if not isinstance(subject, set):  # it is no JSON, which data are
            result = result_of({"at": subject}, matcher, "x", path="$.at", **{"not": negated})
            assert result.outcome == "error"
            assert result.message.endswith(
                f" cannot be answered: {in_words_of_files(verdict.reason, matcher)}"
            )


@pytest.mark.parametrize("subject", [5, None, ["x"], {"a": "x"}])
@pytest.mark.parametrize(
    ("matcher", "expected"),
    [("toMatch", "x"), ("toStartWith", "x"), ("toEndWith", "x"), ("toBeValidJson", NONE)],
)
def test_matchers_on_texts_judge_nothing_else(matcher: str, expected: Any, subject: Any) -> None:
    for negated in (False, True):
        verdict = expected_that(subject, matcher, expected, negated=negated)
        assert verdict.outcome == "error"
        assert " judges a text, a Reply or a Turn, found " in verdict.reason
        result = result_of(subject, matcher, expected, **{"not": negated})
        assert result.message.endswith(f" cannot be answered: {in_words_of_files(verdict.reason, matcher)}")


def test_of_several_values_the_one_that_cannot_be_judged_is_named() -> None:
    result = result_of([1, "x"], "toBeGreaterThan", 5, path="$[*]")
    assert result.message == (
        "$[*] ANY toBeGreaterThan 5 cannot be answered at $[1] (value 2 of 2): "
        "toBeGreaterThan judges a number, found 'x'"
    )
    verdict = expected_that([1, "x"], "toBeGreaterThan", 5, path="$[*]", negated=True)
    assert verdict.outcome == "error"
    assert verdict.claim == "no value at $[*] of the value to be greater than 5"
    assert verdict.reason == "$[1] (value 2 of 2): be_greater_than judges a number, found 'x'"
