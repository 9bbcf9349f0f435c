"""What makes a trigger fire."""

import pytest
from dirty_equals import IsInt
from talks import talk, turn

from grice import call
from grice.records import Message, ToolCall, Turn
from grice.topics.topic import topic
from grice.topics.triggers import (
    TopicError,
    TriggerBroken,
    after_turns_in,
    on_condition,
    on_reply_match,
    on_tool_call,
    on_user_match,
)


def fires(trigger, last, *before):
    return trigger.fires(last, talk(*before, last))


def search(**arguments):
    return turn(1, "Let me see.", ToolCall("search", arguments))


def test_a_tool_call_fires_with_at_least_the_named_arguments():
    assert fires(on_tool_call("search"), search(city="Oslo"))
    assert fires(on_tool_call("search", city="Oslo"), search(city="Oslo", size=3))
    assert not fires(on_tool_call("search", city="Oslo"), search(city="Bergen"))
    assert not fires(on_tool_call("search"), turn(1, "Let me search."))
    assert fires(on_tool_call("search", size=IsInt(ge=10)), search(size=12))
    assert not fires(on_tool_call("search", size=IsInt(ge=10)), search(size=2))


def test_an_argument_that_is_false_or_null_is_not_missing():
    assert fires(on_tool_call("search", confirm=False), search(confirm=False))
    assert not fires(on_tool_call("search", confirm=False), search())
    assert fires(on_tool_call("search", confirm=None), search(confirm=None))
    assert not fires(on_tool_call("search", confirm=None), search())


def test_an_expected_call_asks_for_more():
    answered = turn(1, "", ToolCall("search", result=[]))
    assert fires(on_tool_call(call("search").returning([])), answered)
    assert not fires(on_tool_call(call("search").failing()), answered)
    assert on_tool_call("search", city="Oslo").words == "the agent calls search(city='Oslo')"


def test_a_call_with_malformed_arguments_fires_when_none_are_asked_for():
    malformed = turn(1, "", ToolCall("search", raw_arguments="{"))
    assert fires(on_tool_call("search"), malformed)
    assert not fires(on_tool_call("search", city="Oslo"), malformed)


def test_patterns_look_at_all_that_was_said_in_the_turn():
    said = Turn(
        1, (Message("user", "Hi"), Message("assistant", "One moment."), Message("assistant", "Done!"))
    )
    assert fires(on_reply_match("one MOMENT", flags="i"), said)
    assert fires(on_reply_match("done!", "i"), said)
    assert not fires(on_reply_match("Hi"), said)
    assert fires(on_user_match("^hi$", flags="i"), said)
    assert not fires(on_user_match("Done"), said)


def test_a_turn_without_an_answer_or_a_user_fires_nothing():
    assert not fires(on_reply_match(".*x"), Turn(1, (Message("user", "x"),)))
    assert not fires(on_user_match("x"), Turn(1, (Message("assistant", "x"),)))


def test_turns_in_a_topic_are_those_before_over_all_visits():
    a = topic("a")
    before = [turn(1, topic="a"), turn(2, topic="b"), turn(3, topic="a")]
    assert fires(after_turns_in(a, count=2), turn(4), *before)
    assert not fires(after_turns_in("a", count=3), turn(4), *before)
    assert not fires(after_turns_in("a", count=1), turn(1))
    assert after_turns_in(a, count=1).words == "after 1 turn in a"


def test_the_name_of_a_condition_can_be_written_down():
    assert on_condition(lambda conversation: True, name="x\ud800").words == "x\ufffd holds"


def test_a_condition_takes_turn_and_conversation_or_the_conversation():
    assert fires(on_condition(lambda one, conversation: one is conversation.turns[-1]), turn(1))
    assert fires(on_condition(lambda conversation: len(conversation.turns) == 1), turn(1))
    named = on_condition(lambda conversation: False, name="it is late")
    assert not fires(named, turn(1))
    assert named.words == "it is late holds"
    assert on_condition(slowly).words == "slowly holds"
    assert on_condition(lambda conversation: True).words.startswith("lambda at test_triggers.py:")


async def slowly(conversation):
    return True


@pytest.mark.parametrize(
    ("condition", "said"),
    [
        (lambda conversation: 1, "it returned 1, expected True or False"),
        (lambda conversation: None, "it returned None"),
        (slowly, "it is async: a condition is a plain function"),
    ],
)
def test_a_condition_that_gives_no_answer_is_broken(condition, said):
    with pytest.raises(TriggerBroken, match=said):
        fires(on_condition(condition), turn(1))


class Hostile:
    def __eq__(self, other):
        raise RuntimeError("no")

    __hash__ = None


def test_a_comparison_that_raises_breaks_the_trigger():
    with pytest.raises(TriggerBroken, match="RuntimeError"):
        fires(on_tool_call("search", city=Hostile()), search(city="Oslo"))


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (
            lambda: on_tool_call(""),
            "on_tool_call: a tool is a name that is not empty, or call(...), found ''",
        ),
        (lambda: on_tool_call(call("a"), b=1), "on_tool_call: beside call(...) stand no arguments, found b"),
        (lambda: on_tool_call("a", when={1, 2}), "on_tool_call: "),
        (lambda: on_reply_match("a(b"), "on_reply_match: 'a(b' is not a pattern: missing )"),
        (lambda: on_reply_match("ab(?=c)"), "at character 2"),
        (lambda: on_user_match("a", "x"), "on_user_match: unknown flag 'x'"),
        (lambda: on_user_match(r"a", flags=None), "on_user_match: pattern and flags are texts, found None"),
        (lambda: on_reply_match(""), "on_reply_match: an empty pattern matches everything"),
        (lambda: after_turns_in(3, count=1), "after_turns_in: expected a topic or its name, found 3"),
        (lambda: after_turns_in("a", count=0), "count is a whole number of turns from 1 up, found 0"),
        (lambda: after_turns_in("a", count=True), "found True"),
        (lambda: on_condition("late"), "on_condition: expected a function of (turn, conversation)"),
        (lambda: on_condition(lambda: True), "on_condition: expected a function of (turn, conversation)"),
    ],
)
def test_triggers_that_cannot_be_made_are_refused_when_they_are(make, said):
    with pytest.raises(TopicError) as caught:
        make()
    assert said in str(caught.value)
