"""call_tool and have_called_tool: partial arguments, and the nearest miss in words."""

import pytest
from dirty_equals import IsInt, IsStr

from grice.matchers import call_tool, have_called_tool
from grice.matching.context import sight_of
from grice.matching.matcher import judge
from grice.records import AgentFailure, Conversation, Exchange, Message, Reply, ToolCall, Turn

BOOK = ToolCall("book", {"room": "Blue Room", "capacity": 1, "confirm": False, "note": None})


def reply_with(*calls):
    turn = Turn(1, (Message("user", "Hi"), Message("assistant", tool_calls=calls)), calls)
    return Reply(Conversation(turns=(turn,)), 1)


def verdict_on(subject, matcher):
    seen = sight_of(subject)
    return judge(matcher, seen.subject, seen.context, seen.noun)


@pytest.mark.parametrize(
    ("calls", "name", "arguments", "called"),
    [
        ([], "book", {}, False),
        ([BOOK], "book", {}, True),
        ([BOOK], "Book", {}, False),
        ([BOOK], "book", {"room": "Blue Room"}, True),
        ([BOOK], "book", {"room": "Red Room"}, False),
        ([BOOK], "book", {"confirm": False}, True),
        ([BOOK], "book", {"confirm": 0}, False),
        ([BOOK], "book", {"confirm": None}, False),
        ([BOOK], "book", {"note": None}, True),
        ([BOOK], "book", {"missing": None}, False),
        ([BOOK], "book", {"capacity": 1.0}, True),
        ([BOOK], "book", {"capacity": True}, False),
        ([BOOK], "book", {"capacity": IsInt(ge=10)}, False),
        ([BOOK], "book", {"capacity": IsInt(le=10), "room": IsStr}, True),
        ([BOOK, ToolCall("book", {"room": "Red"})], "book", {"room": "Red"}, True),
        ([ToolCall("x", {"a": 1}), ToolCall("x", {"b": 2})], "x", {"a": 1, "b": 2}, False),
        ([ToolCall("x", {"name": "n", "self": "s", "subject": "t", "ctx": 1})], "x", {"name": "n"}, True),
        ([ToolCall("x", {"self": "s", "subject": "t", "ctx": 1})], "x", {"self": "s", "subject": "t"}, True),
        ([ToolCall("x", {"a-b": 1})], "x", {"a-b": 1}, True),
        ([ToolCall("x", raw_arguments="{oops")], "x", {}, True),
        ([ToolCall("x", raw_arguments="{oops")], "y", {}, False),
        ([ToolCall("x", raw_arguments="{oops"), ToolCall("x", {"a": 1})], "x", {"a": 1}, True),
        ([ToolCall("x", raw_arguments="{oops"), ToolCall("x")], "x", {}, True),
        ([ToolCall("x", error="no such room")], "x", {}, True),
    ],
)
def test_a_call_fits_when_the_named_arguments_are_there_and_equal(calls, name, arguments, called):
    reply = reply_with(*calls)
    for subject, matcher in (
        (reply, call_tool(name, **arguments)),
        (reply.turn, call_tool(name, **arguments)),
        (reply.conversation, have_called_tool(name, **arguments)),
    ):
        assert (verdict_on(subject, matcher).outcome == "pass") is called
        assert (verdict_on(subject, ~matcher).outcome == "fail") is called


@pytest.mark.parametrize(
    ("calls", "arguments", "reason"),
    [
        ([], {}, "no tool was called"),
        ([ToolCall("a"), ToolCall("b"), ToolCall("a")], {}, "called only: a, b"),
        ([ToolCall("bok")], {}, "called only: bok (did you mean 'bok'?)"),
        (
            [BOOK],
            {"room": "Blue Room", "capacity": IsInt(ge=10)},
            "nearest call: book #1   room 'Blue Room' ok   capacity 1, expected IsInt(ge=10)",
        ),
        ([BOOK], {"date": "today"}, "nearest call: book #1   date missing, expected 'today'"),
        (
            [ToolCall("book"), ToolCall("other"), BOOK, ToolCall("book", {"room": "x"})],
            {"room": "Blue Room", "capacity": 2},
            "nearest call: book #2   room 'Blue Room' ok   capacity 1, expected 2",
        ),
    ],
)
def test_a_miss_is_explained_by_the_nearest_call(calls, arguments, reason):
    verdict = verdict_on(reply_with(*calls), call_tool("book", **arguments))
    assert (verdict.outcome, verdict.reason) == ("fail", reason)


@pytest.mark.parametrize(
    ("calls", "reason"),
    [
        (
            [ToolCall("book", raw_arguments='{"room": ')],
            "the arguments of book #1 are not a JSON object: '{\"room\": '",
        ),
        (
            [ToolCall("book", {"room": "y"}), ToolCall("other"), ToolCall("book", raw_arguments="[1]")],
            "the arguments of book #2 are not a JSON object: '[1]'",
        ),
    ],
)
def test_malformed_arguments_that_are_asked_for_are_inconclusive_in_both_polarities(calls, reason):
    reply = reply_with(*calls)
    matchers = (call_tool("book", room="x"), ~call_tool("book", room="x"))
    for verdict in [verdict_on(reply, matcher) for matcher in matchers]:
        assert (verdict.outcome, verdict.reason) == ("inconclusive", reason)


def test_a_malformed_call_is_a_call_that_must_not_happen():
    verdict = verdict_on(reply_with(ToolCall("delete", raw_arguments="{oops")), ~call_tool("delete"))
    assert verdict.outcome == "fail"
    assert verdict.reason == "called delete(malformed arguments: '{oops')"


def test_the_claim_keeps_the_words_of_dirty_equals_after_a_comparison():
    matcher = call_tool("book", capacity=IsInt(ge=1))
    verdicts = [verdict_on(reply_with(BOOK), one) for one in (matcher, matcher, ~matcher)]
    assert [verdict.claim for verdict in verdicts] == [
        "the reply to call book(capacity=IsInt(ge=1))",
        "the reply to call book(capacity=IsInt(ge=1))",
        "the reply not to call book(capacity=IsInt(ge=1))",
    ]


def test_the_call_is_the_evidence():
    verdict = verdict_on(reply_with(ToolCall("book", {"room": "Blue"})), ~call_tool("book"))
    assert verdict.outcome == "fail"
    assert verdict.reason == "called book(room='Blue')"
    assert [evidence.quote for evidence in verdict.evidence] == ["book(room='Blue')"]


@pytest.mark.parametrize("name", ["", 5, None])
def test_a_name_that_is_no_name_is_an_error_even_when_negated(name):
    for matcher in (call_tool(name), ~call_tool(name)):
        verdict = verdict_on(reply_with(), matcher)
        assert verdict.outcome == "error"
        assert "the name of a tool is a text that is not empty" in verdict.reason


def test_before_any_turn_a_tool_check_is_an_error_in_both_polarities():
    for matcher in (have_called_tool("x"), ~have_called_tool("x")):
        verdict = verdict_on(Conversation(), matcher)
        assert verdict.outcome == "error"
        assert verdict.reason == "the conversation has no turn yet: say something first"


def test_a_text_has_no_calls():
    verdict = verdict_on("text", call_tool("x"))
    assert verdict.reason == "call_tool judges a Reply, a Turn or a Conversation, found str"


ASKED = {
    "anthropic": {"content": [{"type": "tool_use", "id": "t", "name": "delete", "input": {}}]},
    "openai_chat": {"choices": [{"message": {"tool_calls": [{"function": {"name": "delete"}}]}}]},
    "openai_responses": {"output": [{"type": "function_call", "name": "delete"}]},
}


@pytest.mark.parametrize("reply", ASKED.values(), ids=ASKED)
@pytest.mark.parametrize("matcher", [call_tool("delete"), ~call_tool("delete")], ids=["to", "not to"])
def test_a_call_the_model_asked_for_and_nobody_reported_is_inconclusive(reply, matcher):
    turn = Turn(1, (Message("user", "Hi"),), exchanges=(Exchange({}, reply, turn=1),))
    verdict = verdict_on(Reply(Conversation(turns=(turn,)), 1), matcher)
    assert verdict.outcome == "inconclusive"
    assert "in turn 1 the model asked for delete, and the agent reported no call of it" in verdict.reason
    assert verdict_on(turn, call_tool("other")).outcome == "fail"


def test_what_an_agent_did_that_failed_is_not_known():
    failed = Turn(1, (Message("user", "Hi"),), failure=AgentFailure("raised", "boom"))
    for subject, matcher in (
        (failed, ~call_tool("delete")),
        (Conversation(turns=(failed,)), ~have_called_tool("delete")),
    ):
        verdict = verdict_on(subject, matcher)
        assert verdict.outcome == "inconclusive"
        assert "the agent failed in turn 1" in verdict.reason
