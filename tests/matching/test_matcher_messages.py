# ruff: noqa: E501 - tables, one message a line
"""What every matcher on values says, word by word: as a verdict of `expect`, and as the result of an assertion."""

from typing import Any, NamedTuple

import pytest
from message_texts import NONE, expected_that, failure_of, result_of

from grice import matchers
from grice.matching.matcher import MatcherFactory
from grice.matching.values import MISSING


class Row(NamedTuple):
    """One question, a value that fits and one that does not (MISSING: a path that resolves nothing)."""

    matcher: str
    expected: Any
    fits: Any
    other: Any
    words: str
    why: str
    why_not: str
    fails: str
    fails_negated: str
    passes: str
    passes_negated: str


ROWS = [
    Row("toContain", "b", fits="abc", other="xyz", words="contain 'b'",
        why="found at character 1: 'abc'", why_not="the text is 'xyz'",
        fails='$ toContain "b" expected a value that contains it, got "xyz"',
        fails_negated='$ not toContain "b" expected a value that does not contain it, got "abc"',
        passes='$ toContain "b" passed: got "abc"',
        passes_negated='$ not toContain "b" passed: got "xyz"'),
    Row("toContain", 3, fits=[1, 2, 3], other=[], words="contain 3",
        why="element 2 is 3", why_not="the list is empty",
        fails="$ toContain 3 expected a value that contains it, got [] (the list is empty)",
        fails_negated="$ not toContain 3 expected a value that does not contain it, got [1, 2, 3]",
        passes="$ toContain 3 passed: got [1, 2, 3]",
        passes_negated="$ not toContain 3 passed: got []"),
    Row("toContain", {"a": 1}, fits=[{"a": 1.0}, 2], other=[{"a": 2}, {}], words="contain {'a': 1}",
        why="element 0 is {'a': 1.0}", why_not="none of its 2 elements equals it: [{'a': 2}, {}]",
        fails='$ toContain {"a": 1} expected a value that contains it, got [{"a": 2}, {}]',
        fails_negated='$ not toContain {"a": 1} expected a value that does not contain it, got [{"a": 1}, 2]',
        passes='$ toContain {"a": 1} passed: got [{"a": 1}, 2]',
        passes_negated='$ not toContain {"a": 1} passed: got [{"a": 2}, {}]'),
    Row("toContainEqual", {"a": 1}, fits=[{"a": 1}], other=[{"a": 2}, {}], words="contain an element equal to {'a': 1}",
        why="element 0 is {'a': 1}", why_not="none of its 2 elements equals it: [{'a': 2}, {}]",
        fails='$ toContainEqual {"a": 1} expected an equal element, got [{"a": 2}, {}]',
        fails_negated='$ not toContainEqual {"a": 1} expected no equal element, got [{"a": 1}]',
        passes='$ toContainEqual {"a": 1} passed: got [{"a": 1}]',
        passes_negated='$ not toContainEqual {"a": 1} passed: got [{"a": 2}, {}]'),
    Row("toMatch", "[0-9]+", fits="room 12", other="no room", words="match /[0-9]+/",
        why="found '12' at character 5", why_not="the text is 'no room'",
        fails='$ toMatch /[0-9]+/ expected match, got "no room"',
        fails_negated='$ not toMatch /[0-9]+/ expected no match, got "room 12"',
        passes='$ toMatch /[0-9]+/ passed: got "room 12"',
        passes_negated='$ not toMatch /[0-9]+/ passed: got "no room"'),
    Row("toMatch", {"source": "ROOM", "flags": "i"}, fits="room 12", other="x", words="match /ROOM/i",
        why="found 'room' at character 0", why_not="the text is 'x'",
        fails='$ toMatch /ROOM/i expected match, got "x"',
        fails_negated='$ not toMatch /ROOM/i expected no match, got "room 12"',
        passes='$ toMatch /ROOM/i passed: got "room 12"',
        passes_negated='$ not toMatch /ROOM/i passed: got "x"'),
    Row("toEqual", "Ada", fits="Ada", other="Bob", words="equal 'Ada'",
        why="it is 'Ada'", why_not="found 'Bob'",
        fails='$ toEqual "Ada" expected an equal value, got "Bob"',
        fails_negated='$ not toEqual "Ada" expected a different value, got "Ada"',
        passes='$ toEqual "Ada" passed: got "Ada"',
        passes_negated='$ not toEqual "Ada" passed: got "Bob"'),
    Row("toEqual", 1, fits=1.0, other=True, words="equal 1",
        why="it is 1.0", why_not="found True",
        fails="$ toEqual 1 expected an equal value, got true",
        fails_negated="$ not toEqual 1 expected a different value, got 1",
        passes="$ toEqual 1 passed: got 1",
        passes_negated="$ not toEqual 1 passed: got true"),
    Row("toEqual", {"a": 1, "b": [1, 2]}, fits={"b": [1, 2], "a": 1}, other={"a": 2, "b": [1]}, words="equal {'a': 1, 'b': [1, 2]}",
        why="it is {'b': [1, 2], 'a': 1}", why_not="at $.a: found 2, expected 1\nat $.b[1]: found nothing, expected 2",
        fails='$ toEqual {"a": 1, "b": [1, 2]} expected an equal value, got {"a": 2, "b": [1]} (at $.a: found 2, expected 1; at $.b[1]: found nothing, expected 2)',
        fails_negated='$ not toEqual {"a": 1, "b": [1, 2]} expected a different value, got {"b": [1, 2], "a": 1}',
        passes='$ toEqual {"a": 1, "b": [1, 2]} passed: got {"b": [1, 2], "a": 1}',
        passes_negated='$ not toEqual {"a": 1, "b": [1, 2]} passed: got {"a": 2, "b": [1]}'),
    Row("toEqual", [1, 2, 3], fits=[1, 2, 3], other=[1, 2], words="equal [1, 2, 3]",
        why="it is [1, 2, 3]", why_not="at $[2]: found nothing, expected 3",
        fails="$ toEqual [1, 2, 3] expected an equal value, got [1, 2] (at $[2]: found nothing, expected 3)",
        fails_negated="$ not toEqual [1, 2, 3] expected a different value, got [1, 2, 3]",
        passes="$ toEqual [1, 2, 3] passed: got [1, 2, 3]",
        passes_negated="$ not toEqual [1, 2, 3] passed: got [1, 2]"),
    Row("toBeNull", NONE, fits=None, other=0, words="be null",
        why="it is None", why_not="it is 0",
        fails="$ toBeNull expected null, got 0",
        fails_negated="$ not toBeNull expected anything but null, got null",
        passes="$ toBeNull passed: got null",
        passes_negated="$ not toBeNull passed: got 0"),
    Row("toBeOneOf", ["A", "B"], fits="A", other="C", words="be one of ['A', 'B']",
        why="it is 'A'", why_not="it is 'C'",
        fails='$ toBeOneOf ["A", "B"] expected one of the options, got "C"',
        fails_negated='$ not toBeOneOf ["A", "B"] expected none of the options, got "A"',
        passes='$ toBeOneOf ["A", "B"] passed: got "A"',
        passes_negated='$ not toBeOneOf ["A", "B"] passed: got "C"'),
    Row("toBeDefined", NONE, fits=None, other=MISSING, words="be defined",
        why="it is None", why_not="nothing resolved at $.here",
        fails="$.here toBeDefined expected a value, got nothing: nothing resolved at $.here",
        fails_negated="$ not toBeDefined expected nothing there, got null",
        passes="$ toBeDefined passed: got null",
        passes_negated="$.here not toBeDefined passed: nothing resolved at $.here"),
    Row("toBeUndefined", NONE, fits=MISSING, other=None, words="be undefined",
        why="nothing resolved at $.here", why_not="it is None",
        fails="$ toBeUndefined expected nothing there, got null",
        fails_negated="$.here not toBeUndefined expected a value, got nothing: nothing resolved at $.here",
        passes="$.here toBeUndefined passed: nothing resolved at $.here",
        passes_negated="$ not toBeUndefined passed: got null"),
    Row("toBeTruthy", NONE, fits=[], other="", words="be truthy",
        why="it is []", why_not="it is ''",
        fails='$ toBeTruthy expected a truthy value, got ""',
        fails_negated="$ not toBeTruthy expected a falsy value, got []",
        passes="$ toBeTruthy passed: got []",
        passes_negated='$ not toBeTruthy passed: got ""'),
    Row("toBeFalsy", NONE, fits=0, other="0", words="be falsy",
        why="it is 0", why_not="it is '0'",
        fails='$ toBeFalsy expected a falsy value, got "0"',
        fails_negated="$ not toBeFalsy expected a truthy value, got 0",
        passes="$ toBeFalsy passed: got 0",
        passes_negated='$ not toBeFalsy passed: got "0"'),
    Row("toBeGreaterThan", 5, fits=6, other=5, words="be greater than 5",
        why="it is 6", why_not="it is 5",
        fails="$ toBeGreaterThan 5 expected a greater number, got 5",
        fails_negated="$ not toBeGreaterThan 5 expected no greater number, got 6",
        passes="$ toBeGreaterThan 5 passed: got 6",
        passes_negated="$ not toBeGreaterThan 5 passed: got 5"),
    Row("toBeGreaterThanOrEqual", 5, fits=5, other=4.5, words="be at least 5",
        why="it is 5", why_not="it is 4.5",
        fails="$ toBeGreaterThanOrEqual 5 expected that number or a greater one, got 4.5",
        fails_negated="$ not toBeGreaterThanOrEqual 5 expected a smaller number, got 5",
        passes="$ toBeGreaterThanOrEqual 5 passed: got 5",
        passes_negated="$ not toBeGreaterThanOrEqual 5 passed: got 4.5"),
    Row("toBeLessThan", 5, fits=4, other=5, words="be less than 5",
        why="it is 4", why_not="it is 5",
        fails="$ toBeLessThan 5 expected a smaller number, got 5",
        fails_negated="$ not toBeLessThan 5 expected no smaller number, got 4",
        passes="$ toBeLessThan 5 passed: got 4",
        passes_negated="$ not toBeLessThan 5 passed: got 5"),
    Row("toBeLessThanOrEqual", 5, fits=5, other=5.5, words="be at most 5",
        why="it is 5", why_not="it is 5.5",
        fails="$ toBeLessThanOrEqual 5 expected that number or a smaller one, got 5.5",
        fails_negated="$ not toBeLessThanOrEqual 5 expected a greater number, got 5",
        passes="$ toBeLessThanOrEqual 5 passed: got 5",
        passes_negated="$ not toBeLessThanOrEqual 5 passed: got 5.5"),
    Row("toBeCloseTo", 3.14, fits=3.141, other=3.2, words="be close to 3.14 (2 digits)",
        why="it is 3.141", why_not="it is 3.2, which differs by 0.06",
        fails="$ toBeCloseTo 3.14 expected a number close to it, got 3.2 (differs by 0.06)",
        fails_negated="$ not toBeCloseTo 3.14 expected no number close to it, got 3.141",
        passes="$ toBeCloseTo 3.14 passed: got 3.141",
        passes_negated="$ not toBeCloseTo 3.14 passed: got 3.2"),
    Row("toBeCloseTo", {"value": 3.14, "digits": 1}, fits=3.1, other=3.2, words="be close to 3.14 (1 digit)",
        why="it is 3.1", why_not="it is 3.2, which differs by 0.06",
        fails='$ toBeCloseTo {"value": 3.14, "digits": 1} expected a number close to it, got 3.2 (differs by 0.06)',
        fails_negated='$ not toBeCloseTo {"value": 3.14, "digits": 1} expected no number close to it, got 3.1',
        passes='$ toBeCloseTo {"value": 3.14, "digits": 1} passed: got 3.1',
        passes_negated='$ not toBeCloseTo {"value": 3.14, "digits": 1} passed: got 3.2'),
    Row("toHaveLength", 2, fits=[1, 2], other="abc", words="have length 2",
        why="its length is 2", why_not="its length is 3",
        fails='$ toHaveLength 2 expected that length, got "abc" (its length is 3)',
        fails_negated="$ not toHaveLength 2 expected another length, got [1, 2]",
        passes="$ toHaveLength 2 passed: got [1, 2]",
        passes_negated='$ not toHaveLength 2 passed: got "abc"'),
    Row("toHaveLength", 1, fits="a", other=[], words="have length 1",
        why="its length is 1", why_not="its length is 0",
        fails="$ toHaveLength 1 expected that length, got [] (its length is 0)",
        fails_negated='$ not toHaveLength 1 expected another length, got "a"',
        passes='$ toHaveLength 1 passed: got "a"',
        passes_negated="$ not toHaveLength 1 passed: got []"),
    Row("toHaveProperty", "user.name", fits={"user": {"name": "Ada"}}, other={"user": {}}, words="have the property 'user.name'",
        why="it is 'Ada'", why_not="it has no 'name' at user",
        fails='$ toHaveProperty "user.name" expected that property, got {"user": {}} (it has no \'name\' at user)',
        fails_negated='$ not toHaveProperty "user.name" expected no such property, got {"user": {"name": "Ada"}}',
        passes='$ toHaveProperty "user.name" passed: got {"user": {"name": "Ada"}}',
        passes_negated='$ not toHaveProperty "user.name" passed: got {"user": {}}'),
    Row("toHaveProperty", {"path": "user.name", "value": "Ada"}, fits={"user": {"name": "Ada"}}, other={"user": {"name": "Bob"}}, words="have the property 'user.name' equal to 'Ada'",
        why="it is 'Ada'", why_not="the property is there, and it is 'Bob'",
        fails='$ toHaveProperty {"path": "user.name", "value": "Ada"} expected that property, got {"user": {"name": "Bob"}} (the property is there, and it is \'Bob\')',
        fails_negated='$ not toHaveProperty {"path": "user.name", "value": "Ada"} expected no such property, got {"user": {"name": "Ada"}}',
        passes='$ toHaveProperty {"path": "user.name", "value": "Ada"} passed: got {"user": {"name": "Ada"}}',
        passes_negated='$ not toHaveProperty {"path": "user.name", "value": "Ada"} passed: got {"user": {"name": "Bob"}}'),
    Row("toHaveProperty", ["a.b", 0], fits={"a.b": ["x"]}, other={"a.b": []}, words="have the property ['a.b', 0]",
        why="it is 'x'", why_not="it has no element 0 at ['a.b']",
        fails='$ toHaveProperty ["a.b", 0] expected that property, got {"a.b": []} (it has no element 0 at [\'a.b\'])',
        fails_negated='$ not toHaveProperty ["a.b", 0] expected no such property, got {"a.b": ["x"]}',
        passes='$ toHaveProperty ["a.b", 0] passed: got {"a.b": ["x"]}',
        passes_negated='$ not toHaveProperty ["a.b", 0] passed: got {"a.b": []}'),
    Row("toHaveProperty", "items[0].id", fits={"items": [{"id": 1}]}, other={"items": []}, words="have the property 'items[0].id'",
        why="it is 1", why_not="it has no element 0 at items",
        fails='$ toHaveProperty "items[0].id" expected that property, got {"items": []} (it has no element 0 at items)',
        fails_negated='$ not toHaveProperty "items[0].id" expected no such property, got {"items": [{"id": 1}]}',
        passes='$ toHaveProperty "items[0].id" passed: got {"items": [{"id": 1}]}',
        passes_negated='$ not toHaveProperty "items[0].id" passed: got {"items": []}'),
    Row("toMatchObject", {"a": {"b": 1}}, fits={"a": {"b": 1, "c": 2}}, other={"a": {"b": 2}}, words="match {'a': {'b': 1}}",
        why="found {'a': {'b': 1, 'c': 2}}", why_not="at $.a.b: found 2, expected 1",
        fails='$ toMatchObject {"a": {"b": 1}} expected at least these properties, got {"a": {"b": 2}} (at $.a.b: found 2, expected 1)',
        fails_negated='$ not toMatchObject {"a": {"b": 1}} expected not all of these properties, got {"a": {"b": 1, "c": 2}}',
        passes='$ toMatchObject {"a": {"b": 1}} passed: got {"a": {"b": 1, "c": 2}}',
        passes_negated='$ not toMatchObject {"a": {"b": 1}} passed: got {"a": {"b": 2}}'),
    Row("toMatchObject", [{"a": 1}], fits=[{"a": 1, "b": 2}], other=[{"a": 1}, {"a": 1}], words="match [{'a': 1}]",
        why="found [{'a': 1, 'b': 2}]", why_not="at $: 2 elements, expected 1",
        fails='$ toMatchObject [{"a": 1}] expected at least these properties, got [{"a": 1}, {"a": 1}] (at $: 2 elements, expected 1)',
        fails_negated='$ not toMatchObject [{"a": 1}] expected not all of these properties, got [{"a": 1, "b": 2}]',
        passes='$ toMatchObject [{"a": 1}] passed: got [{"a": 1, "b": 2}]',
        passes_negated='$ not toMatchObject [{"a": 1}] passed: got [{"a": 1}, {"a": 1}]'),
    Row("toMatchObject", {"a": 1}, fits={"a": 1}, other={}, words="match {'a': 1}",
        why="found {'a': 1}", why_not="at $.a: found nothing, expected 1",
        fails='$ toMatchObject {"a": 1} expected at least these properties, got {} (at $.a: found nothing, expected 1)',
        fails_negated='$ not toMatchObject {"a": 1} expected not all of these properties, got {"a": 1}',
        passes='$ toMatchObject {"a": 1} passed: got {"a": 1}',
        passes_negated='$ not toMatchObject {"a": 1} passed: got {}'),
    Row("toMatchSchema", {"type": "object", "required": ["a"]}, fits={"a": 1}, other={}, words="match the JSON Schema {'type': 'object', 'required': ['a']}",
        why="found {'a': 1}", why_not="at $: 'a' is a required property",
        fails='$ toMatchSchema {"type": "object", "required": ["a"]} expected a value that fits the schema, got {} (at $: \'a\' is a required property)',
        fails_negated='$ not toMatchSchema {"type": "object", "required": ["a"]} expected a value that does not fit the schema, got {"a": 1}',
        passes='$ toMatchSchema {"type": "object", "required": ["a"]} passed: got {"a": 1}',
        passes_negated='$ not toMatchSchema {"type": "object", "required": ["a"]} passed: got {}'),
    Row("toMatchSchema", {"type": "integer"}, fits=5, other="x", words="match the JSON Schema {'type': 'integer'}",
        why="found 5", why_not="at $: 'x' is not of type 'integer'",
        fails='$ toMatchSchema {"type": "integer"} expected a value that fits the schema, got "x" (at $: \'x\' is not of type \'integer\')',
        fails_negated='$ not toMatchSchema {"type": "integer"} expected a value that does not fit the schema, got 5',
        passes='$ toMatchSchema {"type": "integer"} passed: got 5',
        passes_negated='$ not toMatchSchema {"type": "integer"} passed: got "x"'),
    Row("toStartWith", "Hi", fits="Hi there", other="hello", words="start with 'Hi'",
        why="it starts with 'Hi'", why_not="it starts with 'hello'",
        fails='$ toStartWith "Hi" expected it at the start, got "hello"',
        fails_negated='$ not toStartWith "Hi" expected it not at the start, got "Hi there"',
        passes='$ toStartWith "Hi" passed: got "Hi there"',
        passes_negated='$ not toStartWith "Hi" passed: got "hello"'),
    Row("toEndWith", "?", fits="Which day?", other="Done.", words="end with '?'",
        why="it ends with '?'", why_not="it ends with 'Done.'",
        fails='$ toEndWith "?" expected it at the end, got "Done."',
        fails_negated='$ not toEndWith "?" expected it not at the end, got "Which day?"',
        passes='$ toEndWith "?" passed: got "Which day?"',
        passes_negated='$ not toEndWith "?" passed: got "Done."'),
    Row("toBeValidJson", NONE, fits='{"a": 1}', other="{'a': 1}", words="be valid JSON",
        why='it is JSON: \'{"a": 1}\'', why_not='it is not JSON: Expecting property name enclosed in double quotes (at character 1, found "\'a\': 1}")',
        fails='$ toBeValidJson expected valid JSON, got "{\'a\': 1}" (it is not JSON: Expecting property name enclosed in double quotes (at character 1, found "\'a\': 1}"))',
        fails_negated='$ not toBeValidJson expected anything but valid JSON, got "{\\"a\\": 1}"',
        passes='$ toBeValidJson passed: got "{\\"a\\": 1}"',
        passes_negated='$ not toBeValidJson passed: got "{\'a\': 1}"'),
    Row("toBeValidJson", NONE, fits='{"a": 1}', other="[1,", words="be valid JSON",
        why='it is JSON: \'{"a": 1}\'', why_not="it is not JSON: Expecting value (at character 3, the text ends)",
        fails='$ toBeValidJson expected valid JSON, got "[1," (it is not JSON: Expecting value (at character 3, the text ends))',
        fails_negated='$ not toBeValidJson expected anything but valid JSON, got "{\\"a\\": 1}"',
        passes='$ toBeValidJson passed: got "{\\"a\\": 1}"',
        passes_negated='$ not toBeValidJson passed: got "[1,"'),
    Row("toSatisfyAll", {"matcher": "toBeGreaterThan", "expected": 0}, fits=[1, 2], other=[1, -1], words="have every element be greater than 0",
        why="all 2 elements do", why_not="element 1: -1",
        fails='$ toSatisfyAll {"matcher": "toBeGreaterThan", "expected": 0} expected every element to fit, got [1, -1] (element 1: -1)',
        fails_negated='$ not toSatisfyAll {"matcher": "toBeGreaterThan", "expected": 0} expected an element that does not fit, got [1, 2]',
        passes='$ toSatisfyAll {"matcher": "toBeGreaterThan", "expected": 0} passed: got [1, 2]',
        passes_negated='$ not toSatisfyAll {"matcher": "toBeGreaterThan", "expected": 0} passed: got [1, -1]'),
    Row("toSatisfyAny", {"matcher": "toBeGreaterThan", "expected": 0}, fits=[-1, 2], other=[-2, -1], words="have any element be greater than 0",
        why="element 1: 2", why_not="none of the 2 elements does: [-2, -1]",
        fails='$ toSatisfyAny {"matcher": "toBeGreaterThan", "expected": 0} expected an element that fits, got [-2, -1]',
        fails_negated='$ not toSatisfyAny {"matcher": "toBeGreaterThan", "expected": 0} expected no element that fits, got [-1, 2]',
        passes='$ toSatisfyAny {"matcher": "toBeGreaterThan", "expected": 0} passed: got [-1, 2]',
        passes_negated='$ not toSatisfyAny {"matcher": "toBeGreaterThan", "expected": 0} passed: got [-2, -1]'),
    Row("toSatisfyAll", {"matcher": "toContain", "expected": "x", "not": True}, fits=["a"], other=["x"], words="have every element not contain 'x'",
        why="the only element does", why_not="element 0: found at character 0: 'x'",
        fails='$ toSatisfyAll {"matcher": "toContain", "expected": "x", "not": true} expected every element to fit, got ["x"] (element 0: found at character 0: \'x\')',
        fails_negated='$ not toSatisfyAll {"matcher": "toContain", "expected": "x", "not": true} expected an element that does not fit, got ["a"]',
        passes='$ toSatisfyAll {"matcher": "toContain", "expected": "x", "not": true} passed: got ["a"]',
        passes_negated='$ not toSatisfyAll {"matcher": "toContain", "expected": "x", "not": true} passed: got ["x"]'),
]  # fmt: skip

OTHERS = {
    "avoid_call_loops", "call_with_json_arguments", "keep_secrets", "keep_the_language", "keep_the_prompt",
    "answer_within", "ask_model", "ask_new_clarifiers", "avoid_boilerplate", "avoid_factual_contradiction",
    "avoid_repetition", "avoid_self_contradiction", "be_free_of", "be_unchanged", "be_in_topic", "be_supported_by", "be_valid_response", "call_tool", "call_tools", "clarify_efficiently",
    "contain_message", "contain_messages", "cover_constraints", "differ_from_previous", "follow_policy", "follow_rules",
    "ground_products",
    "have_at_most_exclamations", "have_at_most_sentences", "have_called_tool", "have_called_tools", "have_changed",
    "have_envelope", "have_in_system_prompt", "have_last_user_message", "have_parameters",
    "have_reached_topic", "have_stayed_on_graph", "have_topic_history", "have_turn_count", "offer_only_tools",
    "offer_tool", "open_differently", "pair_tool_calls", "pass_lint", "perform_within", "remember_answers",
    "report_what_it_did", "stay_on_topic", "stay_within_budget", "stay_within_tokens", "take_less_than",
    "use_contractions", "use_fewer_tokens_than", "use_tools", "use_tools_for",
    # judged by an LLM
    "be_grounded_in", "claim", "guide_user", "have_achieved_goal", "have_intent", "meet", "satisfy",
    "show_intelligence", "sound_natural", "use_context",
}  # fmt: skip
"""The matchers on conversations, requests, tool calls and speech: their messages are tested where they are."""


def of(row: Row) -> str:
    return f"{row.matcher} {'' if row.expected is NONE else row.expected}"


def placed(value: Any) -> tuple[Any, dict[str, str]]:
    """The subject in which that value is judged, and where."""
    return ({}, {"path": "$.here"}) if value is MISSING else (value, {})


@pytest.mark.parametrize("row", ROWS, ids=of)
@pytest.mark.parametrize("negated", [False, True])
@pytest.mark.parametrize("fits", [True, False])
def test_the_verdict_of_expect(row: Row, fits: bool, negated: bool) -> None:
    subject, where = placed(row.fits if fits else row.other)
    verdict = expected_that(subject, row.matcher, row.expected, negated=negated, **where)
    noun = "the text" if isinstance(subject, str) else "the value"
    noun = f"the value at $.here of {noun}" if where else noun
    assert verdict.outcome == ("pass" if fits is not negated else "fail")
    assert verdict.claim == f"{noun} {'not to' if negated else 'to'} {row.words}"
    assert verdict.reason == (row.why if fits else row.why_not)


@pytest.mark.parametrize("row", ROWS, ids=of)
@pytest.mark.parametrize("negated", [False, True])
def test_a_failure_is_the_claim_and_the_reason(row: Row, negated: bool) -> None:
    subject, where = placed(row.fits if negated else row.other)
    verdict = expected_that(subject, row.matcher, row.expected, negated=negated, **where)
    first, *rest = verdict.reason.split("\n")
    text = failure_of(subject, row.matcher, row.expected, negated=negated, **where)
    phrase = f"{'not ' if negated else ''}{row.words}" if not where else verdict.claim
    below = "".join(f"\n  {line}" for line in rest)
    assert text == f"{phrase}: {first}" + (f"\n{below}" if rest else "")


@pytest.mark.parametrize("row", ROWS, ids=of)
@pytest.mark.parametrize(
    ("fits", "negated", "message"),
    [
        (False, False, "fails"),
        (True, True, "fails_negated"),
        (True, False, "passes"),
        (False, True, "passes_negated"),
    ],
)
def test_the_result_of_an_assertion(row: Row, fits: bool, negated: bool, message: str) -> None:
    subject, where = placed(row.fits if fits else row.other)
    result = result_of(subject, row.matcher, row.expected, **where, **{"not": negated})
    assert result.message == getattr(row, message)
    assert result.passed is message.startswith("passes")


def test_every_matcher_on_values_has_a_row() -> None:
    names = {
        name for name in matchers.__all__ if isinstance(getattr(matchers, name), MatcherFactory)
    } - OTHERS
    assert names == {getattr(matchers, name).python_name for name in names}
    assert {getattr(matchers, name).name for name in names} == {row.matcher for row in ROWS}
