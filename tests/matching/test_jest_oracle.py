"""The same verdicts as Jest, but for the deviations that are meant."""

import json
from pathlib import Path

import pytest

import grice

ROWS = [
    json.loads(line)
    for line in (Path(__file__).parent.parent / "data" / "matcher_oracle.jsonl").read_text().splitlines()
]


def deep_contain(row):
    """Jest's toContain compares objects and lists by identity, Grice's by value."""
    if row["matcher"] != "toContain" or not isinstance(row["value"], list):
        return False
    return isinstance(row["expected"], dict | list) and any(
        _same(one, row["expected"]) for one in row["value"]
    )


def _same(one, other):
    """Whether two values of the data, which has no floats that are whole, are the same JSON."""
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


def missing(row):
    """A path that resolves nothing fails every matcher but those on absence; Jest's undefined is an error."""
    return row["missing"] and row["matcher"] in ("toContain", "toContainEqual", "toMatch")


def error_instead_of_an_answer(row):
    """To contain is asked of texts and lists; Jest answers "no" for numbers, booleans and objects."""
    return (
        row["matcher"] in ("toContain", "toContainEqual")
        and not isinstance(row["value"], str | list)
        and row["value"] is not None
    )


DEVIATIONS = {
    missing: ["fail", "pass"],
    error_instead_of_an_answer: ["error", "error"],
    deep_contain: ["pass", "fail"],
}
"""What Grice says to the question and to its negation; the first that applies counts."""


def meant(row):
    """What Grice is meant to say."""
    return next(
        (said for deviates, said in DEVIATIONS.items() if deviates(row)), [row["jest"], row["jest_not"]]
    )


def verdicts(row):
    document = {} if row["missing"] else {"value": row["value"]}
    asked = {"path": "$.value", "matcher": row["matcher"]}
    if row["matcher"] != "toBeNull":
        asked["expected"] = row["expected"]
    return [
        grice.evaluate_assertions(document, [{**asked, "not": negated}]).outcome for negated in (False, True)
    ]


@pytest.mark.parametrize("matcher", sorted({row["matcher"] for row in ROWS}))
def test_the_verdicts_are_those_of_jest_or_those_of_a_deviation_that_is_meant(matcher):
    rows = [row for row in ROWS if row["matcher"] == matcher]
    assert len(rows) > 200
    for row in rows:
        assert verdicts(row) == meant(row), row


def test_each_deviation_is_seen_in_the_data_and_few_rows_differ():
    differ = [row for row in ROWS if meant(row) != [row["jest"], row["jest_not"]]]
    for deviates in DEVIATIONS:
        assert sum(map(deviates, differ)) > 10, deviates.__name__
    assert len(differ) < 0.1 * len(ROWS)


@pytest.mark.parametrize(
    ("matcher", "value", "expected", "jest"),
    [
        # Object.is, in Jest's equality
        ("toEqual", 0, -0.0, "fail"),
        ("toEqual", -0.0, 0.0, "fail"),
        ("toEqual", -0.0, -0.0, "pass"),
        ("toEqual", {"a": [0]}, {"a": [-0.0]}, "fail"),
        ("toContainEqual", [1, 0], -0.0, "fail"),
        ("toBeOneOf", -0.0, [1, 0], "fail"),
        ("toMatchObject", {"a": 0, "b": 1}, {"a": -0.0}, "fail"),
        ("toHaveProperty", {"a": 0}, {"path": "a", "value": -0.0}, "fail"),
        # ===, in its toContain, and what compares numbers
        ("toContain", [1, 0], -0.0, "pass"),
        ("toBeGreaterThanOrEqual", -0.0, 0, "pass"),
        ("toBeLessThan", -0.0, 0, "fail"),
        ("toBeCloseTo", 0, -0.0, "pass"),
    ],
)
def test_negative_zero_is_zero_which_jest_says_of_some_matchers(matcher, value, expected, jest):
    """Jest's verdicts are of its documentation: the data, which is JSON, has no -0."""
    row = {"missing": False, "matcher": matcher, "value": value, "expected": expected}
    same = "fail" if matcher == "toBeLessThan" else "pass"
    assert verdicts(row) == [same, "pass" if same == "fail" else "fail"]
    assert jest == same or matcher in (
        "toEqual",
        "toContainEqual",
        "toBeOneOf",
        "toMatchObject",
        "toHaveProperty",
    )
