"""Values that were made to harm: what is said of them stays short, on one line, and escaped."""

import re
from functools import reduce
from itertools import product
from typing import Any

import pytest
from message_texts import NONE, failure_of, result_of

import grice
from grice.matching.matcher import ArgumentError

LONGEST = 2_500
HARMFUL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u2028\u202a-\u202e\ud800-\udfff\U000e0041]")

NASTY = "\x1b[31m\u202e\n\r\u2028\x00\u200b\U000e0041\ud800'\""
VALUES = {
    "escape sequence": "\x1b[31mred\x1b[0m",
    "bidi": "abc\u202egnp.exe",
    "lines": "a\nb\r\n\u2028c",
    "lone surrogates": "\ud800x\udfff",
    "nasty": NASTY,
    "a long text": "x" * 30_000,
    "many escapes": "\x1b[31m" * 4_000,
    "many brackets": "[" * 30_000,
    "many elements": [NASTY] * 500,
    "many keys": {f"{NASTY}{number}": NASTY for number in range(300)},
    "a long key": {"k" * 30_000: "k" * 30_000},
    "deep list": reduce(lambda inside, _: [inside], range(5_000), []),
    "deep object": reduce(lambda inside, _: {NASTY: inside}, range(5_000), {}),
    "huge number": 10**5_000,
    "infinity": float("inf"),
    "no number": float("nan"),
}
QUESTIONS = [
    ("toContain", NASTY),
    ("toContain", {NASTY: 1}),
    ("toContainEqual", NASTY),
    ("toMatch", "^.$"),
    ("toMatch", {"source": "\x1b\\[0m\u202e|\n", "flags": "s"}),
    ("toEqual", NASTY),
    ("toEqual", {NASTY: {NASTY: NASTY}}),
    ("toEqual", "y" * 60_000),
    ("toBeNull", NONE),
    ("toBeOneOf", [NASTY, {NASTY: 1}]),
    ("toBeUndefined", NONE),
    ("toBeDefined", NONE),
    ("toBeTruthy", NONE),
    ("toBeFalsy", NONE),
    ("toBeGreaterThan", 5),
    ("toBeGreaterThanOrEqual", 5.5),
    ("toBeLessThan", 10**300),
    ("toBeLessThanOrEqual", float("inf")),
    ("toBeCloseTo", 5),
    ("toHaveLength", 2),
    ("toHaveProperty", "a"),
    ("toHaveProperty", [NASTY]),
    ("toHaveProperty", {"path": ["k" * 60_000, 0], "value": NASTY}),
    ("toMatchObject", {NASTY: NASTY}),
    ("toMatchObject", [1]),
    ("toMatchSchema", {"type": "integer", "description": NASTY}),
    ("toMatchSchema", {"required": ["y" * 60_000]}),
    ("toMatchSchema", {"additionalProperties": False, "items": False}),
    ("toStartWith", NASTY),
    ("toEndWith", NASTY),
    ("toBeValidJson", NONE),
    ("toSatisfyAll", {"matcher": "toContain", "expected": NASTY}),
    ("toSatisfyAny", {"matcher": "toEqual", "expected": NASTY}),
]


def asked(part: Any) -> str:
    return "" if part is NONE else f"{part!a}"[:30]


def assert_harmless(text: str, *, lines: bool = False) -> None:
    assert len(text) < LONGEST
    assert not HARMFUL.search(text)
    assert lines or "\n" not in text


@pytest.mark.parametrize(("matcher", "expected"), QUESTIONS, ids=asked)
def test_of_any_value_the_message_is_short_and_escaped(matcher: str, expected: Any) -> None:
    for value, negated in product(VALUES.values(), (False, True)):
        assert_harmless(result_of(value, matcher, expected, **{"not": negated}).message)
        assert_harmless(failure_of(value, matcher, expected, negated=negated), lines=True)


@pytest.mark.parametrize("match", ["ANY", "ALL"])
@pytest.mark.parametrize(("matcher", "expected"), [("toEqual", 1), ("toEqual", 9), ("toMatch", "z")])
def test_places_are_escaped_as_values_are(matcher: str, expected: Any, match: str) -> None:
    value = {NASTY: 1, f"{NASTY}b": NASTY}
    for negated in (False, True):
        fields = {"path": "$.*", "pathMatch": match, "not": negated}
        assert_harmless(result_of(value, matcher, expected, **fields).message)
        text = failure_of(value, matcher, expected, negated=negated, path="$.*", match=match)
        assert_harmless(text, lines=True)


@pytest.mark.parametrize(
    ("subject", "matcher", "expected", "message"),
    [
        (
            "\x1b[31m\n",
            "toContain",
            "\u202e",
            r'$ toContain "\u202e" expected a value that contains it, got "\u001b[31m\n"',
        ),
        (
            {"\x1b": {"b": "\ud800"}},
            "toEqual",
            {"\x1b": {"b": "x"}},
            (
                r'$ toEqual {"\u001b": {"b": "x"}} expected an equal value, got {"\u001b": {"b": "\ud800"}} '
                r"(at $['\x1b'].b: found '\ud800', expected 'x')"
            ),
        ),
        ("\n", "toMatch", "\x1b", r'$ toMatch /\x1b/ expected match, got "\n"'),
    ],
)
def test_what_is_hidden_is_written_out(subject: Any, matcher: str, expected: Any, message: str) -> None:
    assert result_of(subject, matcher, expected).message == message


def test_a_long_text_is_cut() -> None:
    message = result_of("x" * 10_000_000, "toEqual", "y").message
    assert message.startswith(f'$ toEqual "y" expected an equal value, got "{"x" * 150}')
    assert "xxx..." in message.replace('"...', "...")
    assert len(message) < 300


@pytest.mark.parametrize(
    ("matcher", "expected"),
    [
        ("toBeOneOf", NASTY * 1_000),
        ("toHaveLength", NASTY * 1_000),
        ("toHaveProperty", f"[{NASTY * 1_000}"),
        ("toMatchObject", NASTY * 1_000),
        ("toMatchSchema", {"type": NASTY * 1_000}),
        ("toBeGreaterThan", NASTY * 1_000),
        ("toBeCloseTo", {"value": 1, "digits": NASTY * 1_000}),
        ("toBeCloseTo", {NASTY * 10: 1}),
        ("toSatisfyAll", {"matcher": NASTY}),
        ("toSatisfyAll", {"matcher": "toEqual", NASTY: 1}),
        ("toMatch", {"source": NASTY * 100}),
        ("toMatch", {NASTY: "x"}),
        (NASTY.encode("ascii", "ignore").decode(), 1),
    ],
)
def test_what_is_refused_is_escaped_too(matcher: str, expected: Any) -> None:
    assert_harmless(result_of("x", matcher, expected).message)
    with pytest.raises(ArgumentError):
        failure_of("x", matcher, expected)


@pytest.mark.parametrize(("matcher", "expected"), [("toEqual", 1), ("toMatch", "z")])
def test_long_places_are_cut(matcher: str, expected: Any) -> None:
    value = {"k" * 100_000: 1, "b": "x"}
    assert_harmless(result_of(value, matcher, expected, path="$.*").message)
    assert_harmless(failure_of(value, matcher, expected, path="$.*", match="ALL"), lines=True)


@pytest.mark.parametrize("field", ["matcher", "id", "description", "path"])
def test_a_lone_surrogate_in_an_assertion_is_answered(field: str) -> None:
    surrogate = "$['\ud800']" if field == "path" else "\ud800"
    fields = {"matcher": "toBeNull", "path": "$", field: surrogate}
    (result,) = grice.evaluate_assertions({"\ud800": 1}, [fields]).results
    assert_harmless(result.message)
