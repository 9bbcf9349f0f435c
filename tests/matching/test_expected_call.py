"""call(...): partial, nested and custom arguments, results, errors, and what each says."""

import pytest
from dirty_equals import IsInt, IsPartialDict
from hypothesis import given
from hypothesis import strategies as st

from grice.matching.calls.matchers import call_tool
from grice.matching.calls.spec import ExpectedCall, call
from grice.matching.context import resolve_subject
from grice.matching.judge import judge
from grice.matching.matcher import ArgumentError
from grice.records import ToolCall, Turn


def verdict_on(call, matcher, *others):
    seen = resolve_subject(Turn(1, tool_calls=(call, *others)))
    return judge(matcher, seen.subject, seen.context)


NESTED = ToolCall("book", {"guest": {"name": "Ann", "age": 30}, "rooms": [{"id": 1, "beds": 2}], "tags": {}})


@pytest.mark.parametrize(
    ("arguments", "fits"),
    [
        ({"guest": {"name": "Ann"}}, True),
        ({"guest": {"name": "Bob"}}, False),
        ({"guest": {}}, False),
        ({"tags": {}}, True),
        ({"rooms": [{"id": 1}]}, True),
        ({"rooms": [{"id": 1.0}]}, True),
        ({"rooms": [{"id": True}]}, False),
        ({"rooms": []}, False),
        ({"rooms": [{"id": 1}, {"id": 2}]}, False),
        ({"rooms": ({"id": IsInt},)}, True),
        ({"guest": IsPartialDict(age=30)}, True),
        ({"guest": [1]}, False),
        ({"guest": None}, False),
    ],
)
def test_an_expected_object_names_what_has_to_be_there_at_every_level(arguments, fits):
    verdict = verdict_on(NESTED, call_tool("book", **arguments))
    assert verdict.outcome == ("pass" if fits else "fail")


def holds(actual, expected):
    """The rule of the page on tool calls, in its own words."""
    if isinstance(expected, dict) and expected:
        return isinstance(actual, dict) and all(
            key in actual and holds(actual[key], value) for key, value in expected.items()
        )
    if isinstance(expected, list):
        return (
            isinstance(actual, list)
            and len(actual) == len(expected)
            and all(holds(*pair) for pair in zip(actual, expected, strict=True))
        )
    return type(actual) is type(expected) and actual == expected


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(0, 1) | st.sampled_from("ab"),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from("xy"), inner, max_size=2),
    max_leaves=6,
)


@given(json_values, json_values)
def test_partial_arguments_against_the_rule_in_words(actual, expected):
    verdict = verdict_on((ToolCall("f", {"a": actual})), call_tool("f", a=expected))
    assert verdict.outcome == ("pass" if holds(actual, expected) else "fail")
    assert verdict_on((ToolCall("f", {"a": actual})), call_tool("f", a=actual)).outcome == "pass"


def in_hours(arguments):
    return 9 <= arguments["hour"] <= 17


def raises(arguments):
    return arguments["nothing"]


ANSWERED = ToolCall("book", {"room": "Blue", "hour": 14}, result={"ok": True, "id": 7})
DECLINED = ToolCall("book", {"room": "Red", "hour": 20}, error="card declined")
PENDING = ToolCall("book", {"room": "Blue", "hour": 14})


@pytest.mark.parametrize(
    ("made", "expected", "outcome", "reason"),
    [
        (ANSWERED, call("book", room="Blue", hour=14).exactly(), "pass", None),
        (
            ANSWERED,
            call("book", room="Blue").exactly(),
            "fail",
            "nearest call: book #1   room 'Blue' ok   hour 14, expected no such argument",
        ),
        (
            ANSWERED,
            call("book").exactly(),
            "fail",
            (
                "nearest call: book #1   room 'Blue', expected no such argument   "
                "hour 14, expected no such argument"
            ),
        ),
        (ToolCall("book"), call("book").exactly(), "pass", None),
        (ANSWERED, call("book", room="Red").args("ignore"), "pass", None),
        (ANSWERED, call("book").returning({"ok": True}), "pass", None),
        (
            ANSWERED,
            call("book").returning({"ok": False}),
            "fail",
            "nearest call: book #1   result.ok True, expected False",
        ),
        (ANSWERED, call("book").returning({"ok": IsInt, "id": 7}), "fail", None),
        (
            ANSWERED,
            call("book").returning({"code": 1}),
            "fail",
            "nearest call: book #1   result.code missing, expected 1",
        ),
        (
            DECLINED,
            call("book").returning(True),
            "fail",
            "nearest call: book #1   error 'card declined', expected the result True",
        ),
        (ToolCall("book", result=None), call("book").returning(None), "pass", None),
        (DECLINED, call("book").failing(), "pass", None),
        (DECLINED, call("book").failing("declined"), "pass", None),
        (
            DECLINED,
            call("book").failing("full"),
            "fail",
            "nearest call: book #1   error 'card declined', expected one with 'full'",
        ),
        (
            ANSWERED,
            call("book").failing(),
            "fail",
            "nearest call: book #1   no error, expected an error",
        ),
        (
            ANSWERED,
            call("book").failing("full"),
            "fail",
            "nearest call: book #1   no error, expected an error with 'full'",
        ),
        (ANSWERED, call("book").succeeding(), "pass", None),
        (
            DECLINED,
            call("book", room="Red").succeeding(),
            "fail",
            "nearest call: book #1   room 'Red' ok   error 'card declined', expected no error",
        ),
        *(
            (PENDING, expected, "inconclusive", "what came back from book #1 is not on record")
            for expected in (call("book").returning(1), call("book").failing(), call("book").succeeding())
        ),
        (PENDING, call("book", room="Red").succeeding(), "fail", None),
        (ANSWERED, call("book").where(in_hours), "pass", None),
        (DECLINED, call("book").where(in_hours), "fail", "nearest call: book #1   where in_hours is not met"),
        (DECLINED, call("book", room="Blue").where(raises), "fail", None),
        (
            ANSWERED,
            call("book", room="Blue").where(raises),
            "error",
            "the condition raises raised KeyError: 'nothing' on book #1",
        ),
        (
            ANSWERED,
            call("book").where(lambda arguments: None),
            "error",
            "the condition <lambda> returned None, expected True or False, on book #1",
        ),
        (
            ToolCall("book", raw_arguments="{"),
            call("book").where(raises),
            "inconclusive",
            "the arguments of book #1 are not a JSON object: '{'",
        ),
        (
            ToolCall("book", raw_arguments="{"),
            call("book").exactly(),
            "inconclusive",
            "the arguments of book #1 are not a JSON object: '{'",
        ),
        (ToolCall("book", raw_arguments="{", error="no"), call("book", x=1).succeeding(), "fail", None),
    ],
)
def test_what_is_asked_of_one_call(made, expected, outcome, reason):
    reply = made
    verdict, negated = (verdict_on(reply, one) for one in (call_tool(expected), ~call_tool(expected)))
    assert verdict.outcome == outcome
    assert reason is None or verdict.reason.split("\n")[-1] == reason
    assert negated.outcome == {"pass": "fail", "fail": "pass"}.get(outcome, outcome)


class Breaks:
    def __eq__(self, other):
        raise RuntimeError("no")

    __hash__ = None

    def __repr__(self):
        return "Breaks()"


def test_an_expected_value_that_breaks_is_an_error_unless_another_call_fits():
    for matcher in (call_tool("book", room=Breaks()), ~call_tool("book", room=Breaks())):
        verdict = verdict_on((ANSWERED), matcher)
        assert verdict.outcome == "error"
        assert verdict.reason == "comparing room of book #1 raised RuntimeError: no"
    other = call("book").where(lambda arguments: arguments["nothing"] is None)
    fitting = ToolCall("book", {"nothing": None})
    assert verdict_on(ANSWERED, call_tool(other), fitting).outcome == "pass"


def test_a_value_that_is_deeper_than_grice_compares_is_an_error():
    deep = []
    for _ in range(300):
        deep = [deep]
    verdict = verdict_on((ToolCall("f", {"a": deep})), call_tool("f", a=deep))
    assert verdict.outcome == "error"
    assert "nested deeper than 200 levels" in verdict.reason


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: call(""), "the name of a tool is a text that is not empty, found ''"),
        (lambda: call(5), "the name of a tool is a text that is not empty, found 5"),
        (
            lambda: call("a").args("strict"),
            "the mode of args() is 'exact', 'subset' or 'ignore', found 'strict' (here that is 'exact')",
        ),
        (
            lambda: call("a").failing(""),
            "failing() takes a text that the error contains, found ''; leave it out for any error",
        ),
        (lambda: call("a").failing().succeeding(), "a call of a cannot be succeeding and failing at once"),
        (lambda: call("a").succeeding().failing("x"), "a call of a cannot be failing and succeeding at once"),
        (lambda: call("a").failing().returning(1), "a call of a cannot be returning and failing at once"),
        (lambda: call("a").returning(1).failing(), "a call of a cannot be failing and returning at once"),
        (
            lambda: call("a").where(5),
            (
                "where() takes a function of the arguments, found 5; "
                "an argument of the tool that is named where goes into call(...)"
            ),
        ),
    ],
)
def test_a_call_that_cannot_be_is_refused(make, message):
    with pytest.raises(ArgumentError) as refused:
        make()
    assert str(refused.value) == message


def test_an_expected_call_is_a_frozen_value_that_looks_like_the_code_that_made_it():
    plain = call("book", room="Blue", seats=IsInt(ge=2))
    full = plain.exactly().returning({"ok": True}).succeeding().where(in_hours)
    assert repr(plain) == "call('book', room='Blue', seats=IsInt(ge=2))"
    assert repr(full) == f"{plain!r}.exactly().returning({{'ok': True}}).succeeding().where(in_hours)"
    assert repr(call("a").args("ignore").failing("no")) == "call('a').args('ignore').failing('no')"
    assert repr(call_tool(call("a").failing(), times=2)) == "call_tool(call('a').failing(), times=2)"
    assert isinstance(full, ExpectedCall)
    assert call("a", x=1) == call("a", x=1) != call("a", x=2)
    with pytest.raises(AttributeError):
        plain.name = "other"
