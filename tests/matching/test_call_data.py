"""Expected tool calls in files: every form, and what is refused."""

from datetime import date

import pytest

from grice.matching.calls.matchers import call_tool, call_tools, have_called_tool, have_called_tools
from grice.matching.calls.spec import call
from grice.matching.jest.json_schema import schema_problems
from grice.matching.matcher import ArgumentError


@pytest.mark.parametrize(
    ("expected", "matcher"),
    [
        ("book", call_tool(call("book"))),
        (
            {"name": "book", "arguments": {"room": "Blue"}, "times": 2},
            call_tool(call("book", room="Blue"), times=2),
        ),
        (
            {"name": "book", "args": "exact", "result": {"ok": True}, "at_least": 1, "at_most": 2},
            call_tool(call("book").exactly().returning({"ok": True}), at_least=1, at_most=2),
        ),
        ({"name": "book", "error": False}, call_tool(call("book").succeeding())),
        (
            {"name": "book", "error": "no", "arguments": {"name": "n"}},
            call_tool(call("book", name="n").failing("no")),
        ),
    ],
)
def test_a_file_names_the_tool_or_says_all_of_it(expected, matcher):
    args, kwargs = call_tool.read(expected)
    assert call_tool(*args, **kwargs) == matcher
    assert have_called_tool.read(expected) == (args, kwargs)


@pytest.mark.parametrize(
    ("expected", "message"),
    [
        ("", "expected.name is a text that is not empty, found ''"),
        (["book"], "expected is the name of a tool or an object, found ['book']"),
        ({"tool": "book"}, "expected has an unknown field 'tool'; known are name, arguments, args, result, "),
        (
            {"name": "book", "argument": {}},
            "expected has an unknown field 'argument' (did you mean 'arguments'?)",
        ),
        ({"arguments": {}}, "expected has no 'name', the name of the tool"),
        ({"name": "book", "args": "all"}, "expected.args is 'exact', 'subset' or 'ignore', found 'all'"),
        (
            {"name": "book", "error": 1},
            "expected.error is true, false or a text that the error contains, found 1",
        ),
        ({"name": "book", "error": True, "result": 1}, "expected expects a result and an error at once"),
        (
            {"name": "book", "times": None},
            "expected.times is a whole number from 1 on, found null: leave it out",
        ),
        (
            {"name": "book", "atLeast": None},
            "expected.atLeast is a whole number from 1 on, found null: leave it out",
        ),
        (
            {"name": "book", "times": 0},
            "expected.times is a whole number from 1 on, found 0: for no call write not: true",
        ),
        (
            {"name": "book", "atLeast": 0},
            "expected.atLeast is a whole number from 1 on, found 0: it always holds",
        ),
        (
            {"name": "book", "atLeast": 1, "at_least": 1},
            "expected has 'atLeast' and 'at_least', which are the same: leave one out",
        ),
        (
            {"name": "book", "atMost": 1, "at_most": 2},
            "expected has 'atMost' and 'at_most', which are the same: leave one out",
        ),
        (
            {"name": "book", "arguments": {"days": [date(2026, 1, 2)]}},
            (
                "expected.arguments.days[0] is datetime.date(2026, 1, 2), which is no JSON; "
                "write it as a text, in quotes"
            ),
        ),
        (
            {"name": "book", "arguments": {"guest": {5: 1}}},
            "expected.arguments.guest has a name that is no text: 5",
        ),
        (
            {"name": "book", "result": {"ids": {1}}},
            "expected.result.ids is {1}, which is no JSON; write it as a text, in quotes",
        ),
    ],
)
def test_one_call_that_asks_nothing_sensible_is_refused(expected, message):
    with pytest.raises(ArgumentError) as refused:
        call_tool.read(expected)
    assert str(refused.value).startswith(message)


def test_a_count_of_a_file_is_checked_when_the_matcher_is_made():
    args, kwargs = call_tool.read({"name": "book", "times": -1})
    with pytest.raises(ArgumentError, match="times is a whole number from 1 on"):
        call_tool(*args, **kwargs)


@pytest.mark.parametrize(
    ("expected", "matcher"),
    [
        (["a", "b"], call_tools([call("a"), call("b")])),
        (
            {"calls": ["a"], "order": "exact", "args": "exact", "forbid": ["b"], "only": ["a"]},
            call_tools([call("a")], order="exact", args="exact", forbid=["b"], only=["a"]),
        ),
        ({"forbid": ["b"]}, call_tools([], forbid=["b"])),
        (
            [{"name": "a", "arguments": {"x": 1}, "args": "exact", "result": None, "error": False}],
            call_tools([call("a", x=1).exactly().returning(None).succeeding()]),
        ),
        ([{"name": "a", "error": True}], call_tools([call("a").failing()])),
        ([{"name": "a", "error": "no"}], call_tools([call("a").failing("no")])),
    ],
)
def test_a_file_can_ask_all_that_python_can_but_conditions(expected, matcher):
    args, kwargs = call_tools.read(expected)
    assert call_tools(*args, **kwargs) == matcher
    args, kwargs = have_called_tools.read(expected)
    assert have_called_tools(*args, **kwargs).kwargs == matcher.kwargs


@pytest.mark.parametrize(
    ("expected", "message"),
    [
        ("book", "expected is a list of calls, found 'book'; write it as a list"),
        (5, "expected is the name of a tool or an object, found 5"),
        ({"call": ["a"]}, "expected has an unknown field 'call' (did you mean 'calls'?)"),
        ({"calls": "a"}, "expected.calls is a list of calls, found 'a'"),
        ([5], "expected[0] is the name of a tool or an object, found 5"),
        (["a", {}], "expected[1] has no 'name', the name of the tool"),
        ([{"name": 5}], "expected[0].name is a text that is not empty, found 5"),
        ([""], "expected[0].name is a text that is not empty, found ''"),
        ([{"name": "a", "arguments": [1]}], "expected[0].arguments is an object, found [1]"),
        ([{"name": "a", "arguments": {5: 1}}], "expected[0].arguments has a name that is no text: 5"),
        (
            [{"name": "a", "args": "subst"}],
            "expected[0].args is 'exact', 'subset' or 'ignore', found 'subst' (did you mean 'subset'?)",
        ),
        (
            {"calls": [{"name": "a", "argumens": {}}]},
            "expected.calls[0] has an unknown field 'argumens' (did you mean 'arguments'?)",
        ),
        (
            [{"name": "a", "times": 2}],
            "expected[0]: a call of a list has no 'times'; name it as often as it is expected",
        ),
        (
            [{"name": "a", "error": ""}],
            "expected[0].error is true, false or a text that the error contains, found ''",
        ),
        (
            [{"name": "a", "error": True, "result": 1}],
            "expected[0] expects a result and an error at once",
        ),
    ],
)
def test_a_list_that_asks_nothing_sensible_is_refused(expected, message):
    with pytest.raises(ArgumentError) as refused:
        call_tools.read(expected)
    assert str(refused.value) == message


FIELDS = {"name": "a", "arguments": {"x": 1}, "args": "exact", "error": False}


@pytest.mark.parametrize(
    ("factory", "expected", "right"),
    [
        (call_tool, "a", True),
        (call_tool, {**FIELDS, "atLeast": 1, "atMost": 2}, True),
        (call_tool, {"name": "a", "error": "no"}, True),
        (call_tool, {"name": "a", "tool": "a"}, False),
        (call_tool, {"name": ""}, False),
        (call_tool, {"name": "a", "args": "all"}, False),
        (call_tool, ["a"], False),
        (call_tool, {"name": "a", "times": None}, False),
        (call_tools, ["a", FIELDS], True),
        (
            call_tools,
            {"calls": ["a"], "order": "subset", "args": "ignore", "forbid": ["b"], "only": True},
            True,
        ),
        (call_tools, {"calls": "a"}, False),
        (call_tools, [{"name": "a", "times": 2}], False),
        (call_tools, {"calls": ["a"], "ordre": "exact"}, False),
        (call_tools, "a", False),
    ],
)
def test_the_schema_takes_what_reading_takes(factory, expected, right):
    assert (schema_problems(expected, factory.schema, most=1) == []) is right
    try:
        factory.read(expected)
    except ArgumentError:
        assert not right
    else:
        assert right


def test_a_call_and_a_conversation_have_the_same_schema():
    assert call_tool.schema is have_called_tool.schema
    assert call_tools.schema is have_called_tools.schema
