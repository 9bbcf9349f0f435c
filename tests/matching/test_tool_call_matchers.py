"""call_tool and have_called_tool: partial arguments, and the nearest miss in words."""

import msgspec
import pytest
from dirty_equals import IsInt, IsStr

from grice.agents import AgentContext, bind_agent
from grice.matchers import call_tool, call_tools, have_called_tool
from grice.matching.calls.spec import call
from grice.matching.context import resolve_subject
from grice.matching.judge import judge
from grice.matching.matcher import ArgumentError
from grice.records import AgentFailure, Conversation, Exchange, Message, Reply, ToolCall, Turn
from grice.running.live import LiveConversation

BOOK = ToolCall("book", {"room": "Blue Room", "capacity": 1, "confirm": False, "note": None})


def reply_with(*calls):
    turn = Turn(1, (Message("user", "Hi"), Message("assistant", tool_calls=calls)), calls)
    return Reply(Conversation(turns=(turn,)), 1)


def verdict_on(subject, matcher):
    seen = resolve_subject(subject)
    return judge(matcher, seen.subject, seen.context)


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
            "capacity was 1\nnearest call: book #1   room 'Blue Room' ok   capacity 1, expected IsInt(ge=10)",
        ),
        (
            [BOOK],
            {"date": "today"},
            "date is missing\nnearest call: book #1   date missing, expected 'today'",
        ),
        (
            [ToolCall("book"), ToolCall("other"), BOOK, ToolCall("book", {"room": "x"})],
            {"room": "Blue Room", "capacity": 2},
            "capacity was 1\nnearest call: book #2   room 'Blue Room' ok   capacity 1, expected 2",
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


@pytest.mark.parametrize("name", ["", 5, None, ["a"]])
def test_a_name_that_is_no_name_is_refused_when_it_is_asked(name):
    for factory in (call_tool, have_called_tool):
        with pytest.raises(ArgumentError) as refused:
            factory(name)
        assert str(refused.value) == f"tool is a text that is not empty or an ExpectedCall, found {name!r}"


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


# How often.

BLUE, RED = ToolCall("book", {"room": "Blue"}), ToolCall("book", {"room": "Red"})


@pytest.mark.parametrize(
    ("calls", "counts", "outcome", "reason"),
    [
        ([BLUE, BLUE], {"times": 2}, "pass", "called 2 times: book(room='Blue'), book(room='Blue')"),
        (
            [BLUE, RED],
            {"times": 2},
            "fail",
            (
                "expected 2 times, called once: book(room='Blue')\n"
                "nearest call: book #2   room 'Red', expected 'Blue'"
            ),
        ),
        (
            [BLUE] * 7,
            {"times": 2},
            "fail",
            "expected 2 times, called 7 times: " + ", ".join(["book(room='Blue')"] * 5) + " and 2 more",
        ),
        (
            [RED],
            {"at_least": 1},
            "fail",
            "expected at least once, never called\nnearest call: book #1   room 'Red', expected 'Blue'",
        ),
        ([BLUE], {"at_least": 1}, "pass", "called once: book(room='Blue')"),
        ([BLUE], {"at_least": 2}, "fail", "expected at least 2 times, called once: book(room='Blue')"),
        ([], {"at_least": 2}, "fail", "no tool was called"),
        ([ToolCall("bok")], {"times": 2}, "fail", "called only: bok (did you mean 'bok'?)"),
        ([], {"at_most": 2}, "pass", "never called"),
        (
            [BLUE, BLUE],
            {"at_most": 1},
            "fail",
            "expected at most once, called 2 times: book(room='Blue'), book(room='Blue')",
        ),
        ([BLUE, BLUE], {"at_least": 1, "at_most": 2}, "pass", None),
        (
            [BLUE] * 3,
            {"at_least": 1, "at_most": 2},
            "fail",
            "expected 1 to 2 times, called 3 times: " + ", ".join(["book(room='Blue')"] * 3),
        ),
    ],
)
def test_calls_that_fit_are_counted(calls, counts, outcome, reason):
    reply = reply_with(*calls)
    expected = call("book", room="Blue")
    for subject, matcher in (
        (reply, call_tool(expected, **counts)),
        (reply.conversation, have_called_tool(expected, **counts)),
    ):
        verdict, negated = verdict_on(subject, matcher), verdict_on(subject, ~matcher)
        assert verdict.outcome == outcome
        assert reason is None or verdict.reason == reason
        assert negated.outcome == {"pass": "fail", "fail": "pass"}[outcome]


MALFORMED = ToolCall("book", raw_arguments="{oops")


@pytest.mark.parametrize(
    ("calls", "counts", "outcome", "after_failure"),
    [
        ([BLUE, MALFORMED], {"times": 1}, "inconclusive", "inconclusive"),
        ([BLUE, MALFORMED], {"times": 2}, "inconclusive", "inconclusive"),
        ([BLUE, MALFORMED], {"times": 3}, "fail", "inconclusive"),
        ([BLUE, BLUE, MALFORMED], {"times": 1}, "fail", "fail"),
        ([BLUE, MALFORMED], {"at_least": 1}, "pass", "pass"),
        ([BLUE, MALFORMED], {"at_most": 2}, "pass", "inconclusive"),
        ([BLUE, MALFORMED], {"at_most": 1}, "inconclusive", "inconclusive"),
        ([BLUE], {"times": 1}, "pass", "inconclusive"),
        ([], {"at_least": 1}, "fail", "inconclusive"),
        ([], {"at_most": 1}, "pass", "inconclusive"),
    ],
)
def test_a_count_is_inconclusive_where_calls_in_doubt_could_turn_it(calls, counts, outcome, after_failure):
    matcher = call_tool(call("book", room="Blue"), **counts)
    turn = reply_with(*calls).turn
    failed = msgspec.structs.replace(turn, failure=AgentFailure("raised", "boom"))
    for subject, wanted in ((turn, outcome), (failed, after_failure)):
        assert verdict_on(subject, matcher).outcome == wanted
        negated = {"pass": "fail", "fail": "pass"}.get(wanted, wanted)
        assert verdict_on(subject, ~matcher).outcome == negated


@pytest.mark.parametrize(
    ("counts", "message"),
    [
        ({"times": 0}, "times is a whole number from 1 on, found 0: for no call at all use not_to_..., or ~"),
        (
            {"at_most": 0},
            "at_most is a whole number from 1 on, found 0: for no call at all use not_to_..., or ~",
        ),
        ({"at_least": 0}, "at_least is a whole number from 1 on, found 0: at_least=0 always holds"),
        ({"times": -1}, "times is a whole number from 1 on, found -1"),
        ({"times": True}, "times is a whole number from 1 on, found True"),
        ({"times": "2"}, "times is a whole number from 1 on, found '2'"),
        (
            {"times": 2, "at_least": 1},
            "times is an exact number, so at_least and at_most say nothing beside it",
        ),
        ({"at_least": 3, "at_most": 2}, "at_least=3 is more than at_most=2"),
        (
            {"tims": 2},
            "beside call(...) stand only times, at_least, at_most, found tims (did you mean 'times'?)",
        ),
        (
            {"room": "Blue"},
            (
                "beside call(...) stand only times, at_least, at_most, found room; "
                "arguments of the tool go into call(...)"
            ),
        ),
    ],
)
def test_a_count_that_is_none_is_refused_when_it_is_asked(counts, message):
    for factory in (call_tool, have_called_tool):
        with pytest.raises(ArgumentError) as refused:
            factory(call("book"), **counts)
        assert str(refused.value) == message


@pytest.mark.parametrize("count", ["times", "at_least", "at_most"])
def test_beside_a_name_a_count_is_refused_with_both_ways_to_write_it(count):
    for factory in (call_tool, have_called_tool):
        with pytest.raises(ArgumentError) as refused:
            factory("repeat", word="a", **{count: 2})
        assert str(refused.value) == (
            f"{count} beside a name can mean two things: for a count write call('repeat'), {count}=2, "
            f"for an argument of the tool call('repeat', {count}=2)"
        )
    twice = reply_with(ToolCall("repeat", {count: 2}))
    assert verdict_on(twice, call_tool(call("repeat", **{count: 2}))).outcome == "pass"


def test_a_claim_for_arguments_that_are_refused_shows_them_as_they_are():
    assert call_tool.describe("book", times=2) == "call tool 'book', times=2"
    assert call_tool.describe(["a"]) == "call tool ['a']"
    assert call_tools.describe("book") == "call tools 'book'"


@pytest.mark.parametrize(
    ("matcher", "phrase"),
    [
        (call_tool(call("book")), "call book"),
        (call_tool(call("book", room="Blue"), times=2), "call book(room='Blue'), 2 times"),
        (
            ~call_tool(call("book").exactly(), at_least=1),
            "not call book() with exactly these arguments, at least once",
        ),
        (call_tool(call("book").failing(), at_most=3), "call book failing, at most 3 times"),
        (have_called_tool(call("a"), at_least=1, at_most=2), "have called a, 1 to 2 times"),
        (call_tool(call("a", x=1).args("ignore").succeeding()), "call a(x=1) with any arguments, succeeding"),
    ],
)
def test_a_claim_says_how_often_and_how(matcher, phrase):
    assert matcher.phrase == phrase


# What counts as a call.


def test_failed_repeated_and_unanswered_calls_count_and_an_id_says_nothing():
    calls = (
        ToolCall("pay", id="c1", error="time-out"),
        ToolCall("pay", id="c2", result="ok"),  # the retry is a second call
        ToolCall("pay", id="c2", result="ok"),  # ids come back in real logs
        ToolCall("pay"),  # left to the client, not answered
        ToolCall("pay", raw_arguments="{"),
        ToolCall("pay", source="signal"),
        ToolCall("pay", source="log"),
        ToolCall("pay", source="wire"),
    )
    assert verdict_on(reply_with(*calls), call_tool(call("pay"), times=len(calls))).outcome == "pass"


def test_a_call_that_is_signalled_and_in_the_reply_too_is_one_call():
    def agent(text, on_tool_call):
        on_tool_call("pay", {"amount": 5}, result="ok", id="c1")
        return {"text": "Paid.", "tool_calls": [{"name": "pay", "arguments": {"amount": 5}, "id": "c1"}]}

    with LiveConversation(bind_agent(agent, AgentContext())) as live:
        reply = live.say("Pay")
        assert verdict_on(reply, call_tool(call("pay", amount=5).returning("ok"), times=1)).outcome == "pass"
