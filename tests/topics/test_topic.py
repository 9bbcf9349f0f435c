"""What a topic is made of, and what is said of what it cannot be made of."""

import pytest

from grice.judging.criterion import criterion
from grice.matchers import answer_within, be_greater_than, call_tool, contain, satisfy
from grice.topics.topic import Condition, topic
from grice.topics.triggers import TopicError, on_reply_match, on_tool_call

FRIENDLY = criterion("friendly", "The reply is warm.")


def refusal(name="a", *args, **options):
    with pytest.raises(TopicError) as caught:
        topic(name, *args, **options)
    return str(caught.value)


def asks(turn, conversation):
    return "?" in turn.text


def test_topics_are_equal_only_to_themselves_so_they_can_be_keys():
    one, other = topic("a"), topic("a")
    assert one == one
    assert one != other
    assert {one: 1, other: 2}[one] == 1
    with pytest.raises(AttributeError):
        one.name = "b"


def test_texts_are_folded_to_one_line():
    one = topic("a", "  what is\n  typical ", intent="collect\nall")
    assert (one.characteristic, one.intent) == ("what is typical", "collect all")


def test_one_trigger_and_one_expectation_need_no_list():
    trigger = on_tool_call("search")
    one = topic("a", triggers=trigger, expect=call_tool("search"), forbid_tools="book", grounding="prices")
    assert one.triggers == (trigger,)
    assert one.expect == (call_tool("search"),)
    assert (one.forbid_tools, one.grounding) == (("book",), ("prices",))


def test_expectations_are_matchers_criteria_and_functions():

    one = topic(
        "a",
        expect=(~contain("x"), "friendly", FRIENDLY, "The reply is short.", asks, ("asks", asks)),
        evaluate=("named", lambda conversation: True),
    )
    matchers, functions = one.expect[:4], one.expect[4:]
    assert list(matchers) == [
        ~contain("x"),
        satisfy(FRIENDLY.name),
        satisfy(FRIENDLY),
        satisfy("The reply is short."),
    ]
    assert functions == (Condition("asks", asks), Condition("asks", asks))
    assert (one.evaluate[0].name, one.evaluate[0].whole) == ("named", True)


def test_a_topic_with_other_options_is_another_topic():
    one = topic("a", "x", triggers=on_reply_match("hi"), expect=contain("x"), required=True)
    other = one.but(max_turns=3, required=False)
    assert (other.name, other.characteristic, other.triggers, other.expect) == (
        "a",
        "x",
        one.triggers,
        one.expect,
    )
    assert (other.max_turns, other.required, one.max_turns, one.required) == (3, False, None, True)
    checked = topic("a", expect=("asks", lambda turn, _: True), evaluate=("Is kind.", lambda turn, _: True))
    assert checked.but(max_turns=3).expect == checked.expect
    assert checked.but(max_turns=3).evaluate == checked.evaluate
    with pytest.raises(TopicError, match=r"unknown option 'max_turn' \(did you mean 'max_turns'\?\)"):
        one.but(max_turn=3)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"name": ""}, "a topic is named with letters, digits, _ and -, at most 100 of them, found ''"),
        ({"name": "gathering details"}, "such as 'gathering_details', found 'gathering details'"),
        ({"name": None}, "found None"),
        ({"characteristic": 3}, "topic 'a': characteristic is a text, found 3"),
        ({"intent": None}, "topic 'a': intent is a text, found None"),
        ({"triggers": "search"}, "topic 'a': triggers are a list, found 'search'"),
        ({"triggers": [on_tool_call]}, "found on_tool_call: call it, on_tool_call(...)"),
        ({"triggers": [call_tool]}, "found the matcher call_tool, which is not called yet"),
        ({"triggers": [call_tool("x")]}, "found the matcher call_tool('x')"),
        ({"triggers": [asks]}, "found function asks"),
        ({"expect": call_tool}, "expect has call_tool, which is not yet a matcher: call it, call_tool(...)"),
        ({"evaluate": [3]}, "evaluate takes matchers, criteria or their names, and functions"),
        ({"expect": "what?"}, "expect: 'what?' is neither the name of a criterion"),
        ({"expect": lambda: True}, "takes neither (turn, conversation) nor the conversation alone"),
        ({"expect": (" ", asks)}, "expect has a function with an empty name"),
        ({"expect": be_greater_than(3)}, "be_greater_than, which judges neither replies nor conversations"),
        ({"grounding": True}, "grounding is a list of types of claims, found True"),
        ({"forbid_claims": ["x", 1]}, "forbid_claims is a list of types of claims, found 1 in it"),
        ({"forbid_tools": [""]}, "forbid_tools is a list of names of tools, found '' in it"),
        ({"required": "yes"}, "required is True or False, found 'yes'"),
        ({"max_turns": 0}, "max_turns is a whole number from 1 to 10,000, found 0"),
        ({"max_turns": True}, "max_turns is a whole number from 1 to 10,000, found True"),
        ({"maxturns": 3}, "unknown option 'maxturns' (did you mean 'max_turns'?): there are characteristic"),
    ],
)
def test_what_cannot_be_a_topic_is_refused_by_option(options, said):
    assert said in refusal(**options)


def test_which_topics_want_a_judge_and_which_expect_something_hard():
    assert not topic("a", evaluate=contain("x"), expect=answer_within(3)).judged
    assert topic("a", evaluate="friendly").judged
    assert topic("a", grounding="prices").judged
    assert not topic("a", evaluate=contain("x")).hard
    for options in ({"expect": contain("x")}, {"forbid_tools": "x"}, {"required": True}, {"max_turns": 1}):
        assert topic("a", **options).hard
