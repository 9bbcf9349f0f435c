"""What a call can be expected to hold: copies, values that no JSON is equal to, and how they are shown."""

import dataclasses
import datetime
import enum
import uuid
from types import MappingProxyType
from unittest.mock import ANY

import pytest
from dirty_equals import AnyThing, IsInt, IsPartialDict, IsStr

from grice.matching.calls.fit import includes
from grice.matching.calls.matchers import call_tool, call_tools
from grice.matching.calls.spec import call
from grice.matching.context import resolve_subject
from grice.matching.judge import judge
from grice.matching.matcher import ArgumentError
from grice.matching.values import MISSING
from grice.records import ToolCall, Turn


class Colour(enum.Enum):
    RED = 1


class Size(enum.StrEnum):
    SMALL = "small"


@dataclasses.dataclass
class Guest:
    name: str = "Ann"


class Plain:
    def __repr__(self):
        return "Plain()"


class OwnEquality:
    def __eq__(self, other):
        return other == 5

    __hash__ = None


def verdict_on(made, matcher):
    seen = resolve_subject(Turn(1, tool_calls=(made,)))
    return judge(matcher, seen.subject, seen.context)


@pytest.mark.parametrize(
    ("value", "where", "shown"),
    [
        (datetime.date(2026, 1, 2), "day", "datetime.date(2026, 1, 2)"),
        ({"on": [datetime.date(2026, 1, 2)]}, "day.on[0]", "datetime.date(2026, 1, 2)"),
        ({"a b": {1}}, "day['a b']", "{1}"),
        ({1}, "day", "{1}"),
        (b"x", "day", "b'x'"),
        (int, "day", "<class 'int'>"),
        (Plain, "day", f"<class '{__name__}.Plain'>"),
        (Plain(), "day", "Plain()"),
        (Guest(), "day", "Guest(name='Ann')"),
        (Colour.RED, "day", "<Colour.RED: 1>"),
        (len, "day", "<built-in function len>"),
        (range(2), "day", "range(0, 2)"),
        (uuid.UUID(int=0), "day", "UUID('00000000-0000-0000-0000-000000000000')"),
        (MISSING, "day", repr(MISSING)),
    ],
)
def test_a_value_that_no_json_is_equal_to_is_refused_when_the_call_is_made(value, where, shown):
    message = (
        f"{where} of book is expected to be {shown}, and no JSON value equals that; "
        "write the JSON value, or use dirty-equals or .where(...)"
    )
    for make in (lambda: call("book", day=value), lambda: call_tool("book", day=value)):
        with pytest.raises(ArgumentError) as refused:
            make()
        assert str(refused.value) == message
    with pytest.raises(ArgumentError) as refused:
        call("book").returning(value)
    assert str(refused.value) == message.replace("day", "result", 1)


def test_a_field_whose_name_is_no_text_is_refused():
    with pytest.raises(ArgumentError) as refused:
        call("book", guest=[{5: 1}])
    assert str(refused.value) == "guest[0] of book has a name that is no text: 5"


@pytest.mark.parametrize(
    ("value", "made"),
    [
        (IsInt, 5),
        (IsInt(ge=5), 5),
        (IsInt | IsStr, "a"),
        (AnyThing(), None),
        (ANY, []),
        (IsPartialDict(a=1), {"a": 1, "b": 2}),
        (pytest.approx(5.0), 5.0000001),
        (pytest.approx({"a": 1.0}), {"a": 1.0}),
        ([pytest.approx(1.0)], [1]),
        (OwnEquality(), 5),
        (Size.SMALL, "small"),
        ((1, 2), [1, 2]),
        (MappingProxyType({"a": 1}), {"a": 1, "b": 2}),
    ],
)
def test_a_value_with_an_equality_of_its_own_is_asked_by_it(value, made):
    for expected in (call("book", x=value), call("book").returning(value)):
        answered = ToolCall("book", {"x": made}, result=made)
        assert verdict_on(answered, call_tool(expected)).outcome == "pass"
        other = ToolCall("book", {"x": {"other": 0}} if made is not None else {}, result=made, error="no")
        if value is not ANY:
            assert verdict_on(other, call_tool(expected)).outcome == "fail"


def test_any_mapping_names_what_has_to_be_there():
    assert includes({"a": {"b": 1, "c": 2}}, MappingProxyType({"a": MappingProxyType({"b": 1})}))
    assert not includes({"a": 1}, MappingProxyType({}))
    assert includes({}, MappingProxyType({}))


def test_what_is_changed_after_the_call_was_made_changes_nothing():
    guest = {"names": ["Ann"]}
    expected = call("book", guest=guest).returning(guest)
    guest["names"].append("Bob")
    guest["age"] = 5
    assert repr(expected) == "call('book', guest={'names': ['Ann']}).returning({'names': ['Ann']})"


def test_a_condition_gets_a_copy_of_the_arguments():
    made = ToolCall("book", {"guest": {"name": "Ann"}})
    expected = call("book").where(lambda arguments: arguments["guest"].clear() is None)
    assert verdict_on(made, call_tool(expected)).outcome == "pass"
    assert made.arguments == {"guest": {"name": "Ann"}}


@pytest.mark.parametrize(
    ("calls", "reason"),
    [
        (
            [ToolCall("book", {"seats": 7}), ToolCall("book", {"guest": {"age": 7}})],
            (
                "nearest call: book #1   seats 7 ok   "
                "guest missing, expected {'age': IsInt(ge=1), 'name': 'Ann'}"
            ),
        ),
        (
            [ToolCall("book", {"guest": {"age": 7}}), ToolCall("book", {"guest": {"name": "Ann"}})],
            (
                "nearest call: book #1   seats missing, expected IsInt(ge=1)   "
                "guest.name missing, expected 'Ann'"
            ),
        ),
        (
            [ToolCall("book", {"seats": 7, "guest": {"name": "Ann"}})],
            "nearest call: book #1   seats 7 ok   guest.age missing, expected IsInt(ge=1)",
        ),
    ],
)
def test_an_expected_value_is_shown_as_it_was_written_and_not_as_the_last_one_that_fitted(calls, reason):
    expected = call("book", seats=IsInt(ge=1), guest={"age": IsInt(ge=1), "name": "Ann"})
    seen = resolve_subject(Turn(1, tool_calls=tuple(calls)))
    for _ in range(2):
        verdict = judge(call_tool(expected), seen.subject, seen.context)
        assert verdict.reason.split("\n")[1] == reason
    assert call_tool(expected).phrase == (
        "call book(seats=IsInt(ge=1), guest={'age': IsInt(ge=1), 'name': 'Ann'})"
    )


def test_a_claim_shows_what_was_expected_and_not_what_fitted():
    expected = call_tool("book", seats=IsInt(ge=1))
    seen = resolve_subject(Turn(1, tool_calls=(ToolCall("book", {"seats": 7}),)))
    assert judge(expected, seen.subject, seen.context).claim == "the turn to call book(seats=IsInt(ge=1))"


def test_looking_at_a_value_of_dirty_equals_does_not_change_it():
    value = AnyThing()
    assert repr(call_tool("book", x=value)) == "call_tool('book', x=AnyThing())"


# Values that refer to themselves, or share parts.


def test_shared_parts_are_compared_once():
    made = expected = 0
    for _ in range(60):
        made, expected = [made, made], [expected, expected]
    assert verdict_on(ToolCall("f", {"a": made}), call_tool("f", a=expected)).outcome == "pass"
    assert verdict_on(ToolCall("f", {"a": made}), call_tools([call("f", a=expected)])).outcome == "pass"


def test_a_value_inside_itself_is_compared_as_far_as_it_differs():
    made, expected = {"x": 1}, {"x": 1}
    made["next"], expected["next"] = made, expected
    assert verdict_on(ToolCall("f", {"a": made}), call_tool("f", a=expected)).outcome == "pass"
    expected["x"] = 2
    verdict = verdict_on(ToolCall("f", {"a": made}), call_tool("f", a=expected))
    assert verdict.reason == "a.x was 1\nnearest call: f #1   a.x 1, expected 2"


def test_a_value_of_nothing_but_itself_is_compared_too():
    made, expected = {}, {}
    made["next"], expected["next"] = made, expected
    for order in ("superset", "exact"):
        matcher = call_tools([call("f", a=expected)], order=order)
        assert verdict_on(ToolCall("f", {"a": made}), matcher).outcome == "pass"
        assert verdict_on(ToolCall("f", {"a": {"next": {}}}), matcher).outcome == "fail"
