"""What messages on calls say when names and values are long, hostile, malformed or many."""

import pytest

from grice.matching.calls.matchers import call_tool, call_tools, have_called_tool, have_called_tools
from grice.matching.calls.spec import call
from grice.matching.context import resolve_subject
from grice.matching.judge import judge
from grice.matching.matcher import ArgumentError
from grice.matching.transcript import call_text
from grice.records import AgentFailure, Conversation, Exchange, Message, ToolCall, Turn


def turn_with(*calls, number=1, **fields):
    return Turn(number, (Message("user", "Hi"), Message("assistant", tool_calls=calls)), calls, **fields)


def judged(subject, matcher):
    seen = resolve_subject(subject)
    return judge(matcher, seen.subject, seen.context)


def verdict_on(calls, matcher, **fields):
    return judged(turn_with(*calls, **fields), matcher)


MALFORMED = ToolCall("book", raw_arguments="{")
PENDING = ToolCall("book", {"room": "Red"})
RED = ToolCall("book", {"room": "Red"}, result="ok")


def breaks(arguments):
    return arguments["nothing"]


@pytest.mark.parametrize(
    ("calls", "matcher", "reason"),
    [
        (
            [MALFORMED],
            call_tool(call("book", room="Blue"), at_least=2),
            (
                "expected at least 2 times, never called\n"
                "nearest call: book #1   the arguments are not a JSON object: '{'"
            ),
        ),
        (
            [PENDING],
            call_tool(call("book", room="Blue").succeeding()),
            (
                "room was 'Red'\n"
                "nearest call: book #1   room 'Red', expected 'Blue'   what came back is not on record"
            ),
        ),
        (
            [RED],
            call_tool(call("book").where(breaks).where(breaks), at_least=2),
            (
                "expected at least 2 times, never called\nnearest call: book #1   "
                "the condition breaks raised KeyError: 'nothing'   "
                "the condition breaks raised KeyError: 'nothing'"
            ),
        ),
        (
            [RED],
            call_tool(call("book").where(lambda arguments: 5), at_least=2),
            (
                "expected at least 2 times, never called\nnearest call: book #1   "
                "the condition <lambda> returned 5, expected True or False"
            ),
        ),
        (
            [MALFORMED],
            call_tools([call("book", room="Blue"), "pay"], order="exact"),
            (
                "all 2 expected calls are missing; the call is not expected\n"
                "1  book(room='Blue')  missing; nearest: call 1   the arguments are not a JSON object: '{'\n"
                "2  pay                missing\n"
                "not expected: call 1  book(malformed arguments: '{')   perhaps it is 1"
            ),
        ),
    ],
)
def test_a_call_is_named_once_beside_the_expected_one(calls, matcher, reason):
    verdict = verdict_on(calls, matcher)
    assert (verdict.outcome, verdict.reason) == ("fail", reason)


def test_the_nearest_call_is_one_that_is_nothing_else():
    blue, red = ToolCall("book", {"room": "Blue", "n": 1}), ToolCall("book", {"room": "Red", "n": 3})
    expected = [call("book", room="Blue"), call("book", room="Blue", n=2)]
    verdict = verdict_on([blue, red], call_tools(expected, order="superset"))
    assert verdict.reason.split("\n")[2] == (
        "2  book(room='Blue', n=2)  missing; nearest: call 2   room 'Red', expected 'Blue'   n 3, expected 2"
    )


def test_a_difference_is_told_at_the_innermost_place():
    made = ToolCall("book", {"a": {"b": [{"c": {"d": 1}}]}})
    for expected, told in (
        (call("book", a={"b": [{"c": {"d": 2}}]}), ("a.b[0].c.d was 1", "a.b[0].c.d 1, expected 2")),
        (
            call("book", a={"b": [{"c": {"e": 2}}]}),
            ("a.b[0].c.e is missing", "a.b[0].c.e missing, expected 2"),
        ),
        (call("book", a={"b": [{"c": {}}]}), ("a.b[0].c was {'d': 1}", "a.b[0].c {'d': 1}, expected {}")),
        (
            call("book", a={"b": [{"c": {}}]}).exactly(),
            ("a.b[0].c.d was 1", "a.b[0].c.d 1, expected no such field"),
        ),
    ):
        first, nearest = told
        reason = verdict_on([made], call_tool(expected)).reason
        assert reason == f"{first}\nnearest call: book #1   {nearest}"


# Where a failure points.


@pytest.mark.parametrize(
    "matcher",
    [
        have_called_tool("book", room="Blue"),
        have_called_tool(call("book", room="Green"), times=2),
        have_called_tools([call("book", room="Blue")]),
        have_called_tools([call("book", room="Green"), call("book", room="Blue")], order="superset"),
    ],
)
def test_the_nearest_call_is_the_evidence_and_its_turn_is_marked(matcher):
    green = ToolCall("book", {"room": "Green"})
    turns = (turn_with(green), turn_with(RED, number=2), turn_with(number=3))
    if "Green" not in matcher.phrase:
        turns = (turn_with(), *turns[1:])
    verdict = judged(Conversation(turns=turns), matcher)
    assert verdict.outcome == "fail"
    assert verdict.turn == 2
    assert verdict.evidence[0].quote == "book(room='Red')"


def test_at_most_twenty_calls_are_evidence():
    calls = [ToolCall("pay", {"number": number}) for number in range(30)]
    for matcher in (call_tools([], forbid=["pay"]), call_tools([], order="exact"), ~call_tool(call("pay"))):
        verdict = verdict_on(calls, matcher)
        assert verdict.outcome == "fail"
        assert len(verdict.evidence) == (1 if matcher.negated else 20)
    assert len(verdict_on(calls, call_tool(call("pay"), times=2)).evidence) == 20


# Long and hostile texts.

HOSTILE = "a\x1b[2J\nb\u202e"
ESCAPED = r"a\x1b[2J\nb\u202e"
MADE = ToolCall(HOSTILE, {HOSTILE: {HOSTILE: 1}})


def texts_on_hostile_names():
    """Every message that can hold a name that somebody else wrote."""
    nested = call(HOSTILE, **{HOSTILE: {HOSTILE: 2}})
    asked = {"exchanges": (Exchange({}, {"content": [{"type": "tool_use", "name": HOSTILE, "input": {}}]}),)}
    for matcher in (
        call_tool("book"),
        call_tool(nested),
        call_tool(nested.exactly(), times=2),
        call_tool(call(HOSTILE).failing()),
        call_tool(call(HOSTILE).where(breaks)),
        call_tools([nested]),
        call_tools([call(HOSTILE).failing()]),
        call_tools(["a" + HOSTILE], order="exact"),
        call_tools([], forbid=[HOSTILE]),
        call_tools([], only=["a" + HOSTILE]),
    ):
        verdict = verdict_on([MADE], matcher)
        yield verdict.reason
        yield verdict.claim
        yield from (one.quote for one in verdict.evidence)
    yield verdict_on([], call_tools([], forbid=[HOSTILE])).reason
    yield verdict_on([], call_tools([], only=[HOSTILE])).reason
    yield verdict_on([], call_tools([], forbid=[HOSTILE]), **asked).reason
    yield repr(nested)
    for refused in (
        lambda: call(HOSTILE).failing().returning(1),
        lambda: call(HOSTILE, **{HOSTILE: {1}}),
        lambda: call_tools([HOSTILE], only=["a" + HOSTILE]),
        lambda: call_tools([HOSTILE], forbid=[HOSTILE]),
        lambda: call_tool(call("a"), **{HOSTILE: 1}),
    ):
        with pytest.raises(ArgumentError) as error:
            refused()
        yield str(error.value)


def test_no_name_acts_on_a_terminal_or_breaks_a_line():
    texts = list(texts_on_hostile_names())
    assert len(texts) > 30
    for text in texts:
        assert "\x1b" not in text
        assert "\u202e" not in text
        assert "\nb" not in text


def test_names_are_cut():
    long = "n" * 5_000
    made = ToolCall(long, {long: {long: 1}})
    for matcher in (
        call_tool("book"),
        call_tool(call(long, **{long: {long: 2}})),
        call_tools([call(long, **{long: {long: 2}})], order="exact"),
        call_tools([], forbid=[long, *(f"{number}{long}" for number in range(100))]),
        call_tools([], only=["a"]),
    ):
        verdict = verdict_on([made], matcher)
        assert verdict.outcome == "fail"
        assert len(verdict.reason) < 1_100
        assert len(verdict.claim) < 1_100


def test_a_call_of_many_arguments_is_cut_and_says_how_many_more():
    many = {f"argument_{number}": "x" * 30 for number in range(1_000)}
    text = call_text(ToolCall("book", many))
    assert text.startswith("book(argument_0='xxx")
    assert text.endswith(" and 989 more arguments)")
    assert len(text) < 550
    assert repr(call("book", **many)).endswith(" and 989 more arguments)")
    one = call_text(ToolCall("book", {"k" * 900: "v" * 900}))
    assert one.startswith("book(kkk")
    assert len(one) < 400


def test_of_many_differences_ten_are_shown_those_that_differ_first():
    made = ToolCall("book", {f"a{number}": number for number in range(40)})
    expected = call("book", **{f"a{number}": number if number < 38 else -1 for number in range(40)})
    reason = verdict_on([made], call_tool(expected)).reason
    first, reason = reason.split("\n")
    assert first == "a38 was 38"
    assert reason.startswith("nearest call: book #1   a38 38, expected -1   a39 39, expected -1   a0 0 ok   ")
    assert reason.endswith("   a7 7 ok   and 30 more")


def test_a_set_of_names_is_told_in_one_order():
    names = {f"tool_{letter}" for letter in "hgfedcba"}
    listed = ", ".join(sorted(names))
    assert call_tools([], forbid=names).phrase == f"call none of {listed}"
    assert verdict_on([], call_tools([], only=frozenset(names))).reason == f"no call but of {listed}"


def test_a_thousand_calls_and_more_are_still_looked_through_for_forbidden_ones():
    calls = [ToolCall("search")] * 1_500
    assert verdict_on(calls, call_tools([], forbid=["pay"])).outcome == "pass"
    assert verdict_on(calls, call_tools([], only=["search"])).outcome == "pass"
    assert verdict_on([*calls, RED], call_tools([], forbid=["book"])).outcome == "fail"
    assert verdict_on(calls, call_tools(["search"])).outcome == "error"


def test_a_failed_agent_is_told_before_a_miss():
    verdict = verdict_on([RED], call_tools(["pay"]), failure=AgentFailure("raised", "boom"))
    assert verdict.reason.startswith(
        "the agent failed in turn 1, and what it did there may not be known; the"
    )
