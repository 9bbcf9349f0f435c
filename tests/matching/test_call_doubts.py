"""Sequences of calls where nobody can tell, and where calls that are not on record could turn the answer."""

import pytest

from grice.matching.calls.matchers import call_tool, call_tools, have_called_tools
from grice.matching.calls.spec import call
from grice.matching.context import resolve_subject
from grice.matching.judge import judge
from grice.records import AgentFailure, Conversation, Exchange, Message, ToolCall, Turn

ORDERS = ("exact", "in_order", "unordered", "superset", "subset")
OTHER = {"pass": "fail", "fail": "pass"}


def turn_with(*calls, number=1, **fields):
    return Turn(number, (Message("user", "Hi"), Message("assistant", tool_calls=calls)), calls, **fields)


def judged(subject, matcher):
    seen = resolve_subject(subject)
    return judge(matcher, seen.subject, seen.context)


def verdict_on(calls, matcher, **fields):
    return judged(turn_with(*calls, **fields), matcher)


def named(letters):
    return [ToolCall(letter) for letter in letters]


SEARCH = ToolCall("search", {"city": "Rome"})
BLUE = ToolCall("book", {"room": "Blue"})
MALFORMED = ToolCall("book", raw_arguments='{"room": ')


@pytest.mark.parametrize("order", ORDERS)
def test_malformed_arguments_that_matter_are_inconclusive_in_both_polarities(order):
    matcher = call_tools([call("book", room="Blue")], order=order)
    for verdict in (verdict_on([MALFORMED], matcher), verdict_on([MALFORMED], ~matcher)):
        assert verdict.outcome == "inconclusive"
        assert verdict.reason == "the arguments of call 1, book are not a JSON object: '{\"room\": '"


def test_malformed_arguments_that_decide_nothing_are_no_doubt():
    assert verdict_on([MALFORMED, BLUE], call_tools([call("book", room="Blue")])).outcome == "pass"
    assert verdict_on([MALFORMED], call_tools(["book"], order="exact")).outcome == "pass"
    assert verdict_on([MALFORMED], call_tools([call("book", room="Blue"), "pay"])).outcome == "fail"
    assert verdict_on([MALFORMED], call_tools([call("book", a=1)], args="ignore")).outcome == "pass"


def test_a_condition_that_raises_is_an_error_unless_it_decides_nothing():
    broken = call("search").where(lambda arguments: arguments["town"] == "Rome")
    for matcher in (call_tools([broken]), ~call_tools([broken])):
        verdict = verdict_on([SEARCH], matcher)
        assert verdict.outcome == "error"
        assert verdict.reason == "the condition <lambda> raised KeyError: 'town' on call 1, search"
    assert verdict_on([SEARCH], call_tools([broken, "pay"])).outcome == "fail"


FAILED = {"failure": AgentFailure("raised", "boom")}
ASKED_DELETE = {
    "exchanges": (
        Exchange({}, {"content": [{"type": "tool_use", "id": "t", "name": "delete", "input": {}}]}),
    )
}


@pytest.mark.parametrize(
    ("matcher", "calls", "after_failure", "asked_delete"),
    [
        (call_tools(["a"]), "a", "pass", "pass"),
        (call_tools(["a"]), "b", "inconclusive", "fail"),
        (call_tools(["a", "delete"]), "a", "inconclusive", "inconclusive"),
        (call_tools(["a", "b", "delete"]), "a", "inconclusive", "fail"),
        (call_tools(["a", "b", "delete"]), "ba", "inconclusive", "fail"),
        (call_tools(["b", "delete"], order="superset"), "ba", "inconclusive", "inconclusive"),
        (call_tools(["c", "delete"], order="superset"), "ba", "inconclusive", "fail"),
        (call_tools(["a"], order="exact"), "a", "inconclusive", "inconclusive"),
        (call_tools(["a"], order="exact"), "ab", "fail", "fail"),
        (call_tools(["a", "delete"], order="exact"), "a", "inconclusive", "inconclusive"),
        (call_tools(["delete", "a"], order="exact"), "aa", "fail", "fail"),
        (call_tools(["a", "b"], order="exact"), "a", "inconclusive", "fail"),
        (call_tools(["a"], order="unordered"), "a", "inconclusive", "inconclusive"),
        (call_tools(["a", "delete"], order="unordered"), "a", "inconclusive", "inconclusive"),
        (call_tools(["a", "b"], order="unordered"), "a", "inconclusive", "fail"),
        (call_tools(["a"], order="subset"), "a", "inconclusive", "inconclusive"),
        (call_tools(["a"], order="subset"), "b", "fail", "fail"),
        (call_tools([], forbid=["delete"]), "a", "inconclusive", "inconclusive"),
        (call_tools([], forbid=["drop"]), "a", "inconclusive", "pass"),
        (call_tools([], forbid=["a"]), "a", "fail", "fail"),
        (call_tools(["a"], only=True), "a", "inconclusive", "inconclusive"),
        (call_tools(["a"], only=["a", "delete"]), "a", "inconclusive", "pass"),
        (call_tools(["a"], only=True), "ab", "fail", "fail"),
    ],
)
def test_a_turn_that_may_hold_more_calls_is_inconclusive_where_these_could_turn_the_answer(
    matcher, calls, after_failure, asked_delete
):
    for fields, outcome in ((FAILED, after_failure), (ASKED_DELETE, asked_delete)):
        assert verdict_on(named(calls), matcher, **fields).outcome == outcome
        assert verdict_on(named(calls), ~matcher, **fields).outcome == OTHER.get(outcome, outcome)


def test_the_doubt_is_said_before_what_is_known():
    verdict = verdict_on([], call_tools([], forbid=["delete"]), **ASKED_DELETE)
    assert verdict.reason == (
        "in turn 1 the model asked for delete, and the agent reported no call of it; "
        "no call of delete is on record"
    )
    verdict = verdict_on(named("a"), call_tools(["a"], only=True), **FAILED)
    assert verdict.reason == (
        "the agent failed in turn 1, and what it did there may not be known; no call but of a is on record"
    )


@pytest.mark.parametrize("order", ["exact", "in_order"])
def test_where_a_call_stands_that_only_the_requests_tell_of_is_not_known(order):
    seen = ToolCall("search", source="wire")
    for expected in (["search", "book"], ["book", "search"]):
        verdict = verdict_on([ToolCall("book"), seen], call_tools(expected, order=order))
        assert verdict.outcome == "inconclusive"
        assert verdict.reason.startswith("some calls are known only from the requests to the model")
    alone = [seen, ToolCall("book", source="wire")]
    assert verdict_on(alone, call_tools(["search", "book"], order=order)).outcome == "pass"
    other = [ToolCall("book"), ToolCall("log", source="wire")]
    assert verdict_on(other, call_tools(["book"])).outcome == "pass"  # wherever the other stood
    apart = Conversation(turns=(turn_with(ToolCall("book")), turn_with(seen, number=2)))
    assert judged(apart, have_called_tools(["book", "search"], order=order)).outcome == "pass"
    assert judged(apart, have_called_tools(["search", "book"], order=order)).outcome == "fail"


# Calls of which one is not reported.


def asked(*names, ids=()):
    """A turn's exchange in which the model asked for these tools at once."""
    blocks = [{"type": "tool_use", "name": name, "input": {}} for name in names]
    for block, one in zip(blocks, ids, strict=False):
        block["id"] = one
    return Exchange({}, {"content": blocks})


@pytest.mark.parametrize(
    ("matcher", "outcome"),
    [
        (call_tool(call("a"), times=1), "inconclusive"),
        (call_tool(call("a"), at_most=1), "inconclusive"),
        (call_tool(call("a")), "pass"),
        (call_tool("a", x=2), "inconclusive"),
        (call_tools(["a"], order="exact"), "inconclusive"),
        (call_tools(["a", "a"], order="exact"), "inconclusive"),
        (call_tools(["a", "a"]), "inconclusive"),
        (call_tools(["a"], order="unordered"), "inconclusive"),
        (call_tools(["a", "b"]), "fail"),
        (call_tool("b"), "fail"),
    ],
)
def test_one_of_several_calls_of_a_tool_that_is_not_reported_is_a_doubt(matcher, outcome):
    turn = {"exchanges": (asked("a", "a", ids=["t1", "t2"]),)}
    verdict = verdict_on([ToolCall("a", {"x": 1})], matcher, **turn)
    assert verdict.outcome == outcome
    assert verdict_on([ToolCall("a", {"x": 1})], ~matcher, **turn).outcome == OTHER.get(outcome, outcome)
    if outcome == "inconclusive":
        assert verdict.reason.startswith(
            "in turn 1 the model asked for a 2 times, and the agent reported 1 call of it; "
        )


CHAT = {"choices": [{"message": {"tool_calls": [{"id": one, "function": {"name": "a"}} for one in "xy"]}}]}
RESPONSES = {"output": [{"type": "function_call", "name": "a", "call_id": one} for one in "xy"]}


@pytest.mark.parametrize(
    ("exchanges", "reported", "doubted"),
    [
        ([asked("a", "a", ids="xy")], 2, False),
        ([asked("a", ids="x"), asked("a", ids="y")], 1, True),
        ([asked("a", ids="x"), asked("a", ids="x")], 1, False),  # one reply, on record twice
        ([asked("a"), asked("a")], 1, True),
        ([Exchange({}, CHAT)], 1, True),
        ([Exchange({}, CHAT), Exchange({}, CHAT)], 2, False),
        ([Exchange({}, RESPONSES)], 1, True),
        ([Exchange({}, RESPONSES), Exchange({}, RESPONSES)], 2, False),
    ],
)
def test_calls_are_asked_for_as_often_as_they_have_ids(exchanges, reported, doubted):
    verdict = verdict_on(
        [ToolCall("a")] * reported, call_tool(call("a"), times=reported), exchanges=tuple(exchanges)
    )
    assert verdict.outcome == ("inconclusive" if doubted else "pass")


def test_both_doubts_together_can_turn_an_answer():
    calls = [ToolCall("b"), ToolCall("a", source="wire")]
    asked_more = {"exchanges": (asked("a", "b", "c"),)}
    for order in ("in_order", "exact"):
        verdict = verdict_on(calls, call_tools(["a", "b", "c"], order=order), **asked_more)
        assert verdict.outcome == "inconclusive"
        assert verdict.reason.startswith(
            "some calls are known only from the requests to the model, and nobody knows where they stand "
            "among those that the agent reported; in turn 1 the model asked for c, and the agent reported no "
            "call of it; "
        )
    assert verdict_on(calls, call_tools(["a", "b", "d"]), **asked_more).outcome == "fail"


def test_an_order_that_holds_without_the_calls_only_seen_does_not_hang_on_them():
    seen = ToolCall("a", source="wire")
    turns = (turn_with(ToolCall("b"), ToolCall("x"), seen), turn_with(ToolCall("a"), number=2))
    verdict = judged(Conversation(turns=turns), have_called_tools(["b", "a"]))
    assert verdict.outcome == "pass"
    assert verdict.reason.endswith("2  a  = call 4  a()")
    lone = Conversation(turns=turns[:1])
    assert judged(lone, have_called_tools(["b", "a"])).outcome == "inconclusive"


# Which of several open questions is told.


def raises(arguments):
    return arguments["nothing"]


PENDING = ToolCall("pay")


@pytest.mark.parametrize("order", ORDERS)
def test_what_broke_is_no_error_where_something_else_leaves_it_open(order):
    matcher = call_tools([call("pay").succeeding(), call("search")], order=order)
    assert verdict_on([PENDING, SEARCH], matcher).outcome == "inconclusive"
    either = call_tools([call("book", room="Blue"), call("book").where(raises)], order="superset")
    made = [MALFORMED, ToolCall("book", {"nothing": True})]
    assert (
        verdict_on(made, either).reason
        == "the arguments of call 1, book are not a JSON object: '{\"room\": '"
    )


def test_the_call_that_is_told_is_one_on_which_the_order_hangs():
    matcher = call_tools(
        ["search", call("pay").succeeding(), call("book").where(lambda arguments: bool(arguments["room"]))]
    )
    early = ToolCall("book", {})  # the condition breaks on it, and it stands where it does not matter
    verdict = verdict_on([early, SEARCH, PENDING, BLUE], matcher)
    assert (verdict.outcome, verdict.reason) == (
        "inconclusive",
        "what came back from call 3, pay is not on record",
    )
    verdict = verdict_on([SEARCH, PENDING, early], matcher)
    assert (verdict.outcome, verdict.reason) == (
        "error",
        "the condition <lambda> raised KeyError: 'room' on call 3, book",
    )


@pytest.mark.parametrize(
    ("calls", "counts", "outcome", "told"),
    [
        ([BLUE, MALFORMED, ToolCall("book", {"room": []})], {"times": 2}, "inconclusive", "book #2"),
        ([BLUE, ToolCall("book", {"room": []}), MALFORMED], {"at_least": 2}, "inconclusive", "book #3"),
        ([BLUE, MALFORMED, ToolCall("book", {"room": []})], {"at_least": 3}, "error", "book #3"),
        ([BLUE, MALFORMED, ToolCall("book", {"room": []})], {"at_most": 2}, "error", "book #3"),
        ([BLUE, MALFORMED, ToolCall("book", {"room": []})], {"at_most": 1}, "inconclusive", "book #2"),
    ],
)
def test_a_count_tells_of_what_broke_only_when_it_hangs_on_it(calls, counts, outcome, told):
    expected = call("book").where(lambda arguments: arguments["room"].startswith("B"))
    verdict = verdict_on(calls, call_tool(expected, **counts))
    assert verdict.outcome == outcome
    assert told in verdict.reason


def test_a_count_tells_the_doubt_when_the_calls_on_record_cannot_turn_it():
    verdict = verdict_on([BLUE, MALFORMED], call_tool(call("book", room="Blue"), at_most=2), **FAILED)
    assert verdict.reason == (
        "the agent failed in turn 1, and what it did there may not be known; called once: book(room='Blue')"
    )
