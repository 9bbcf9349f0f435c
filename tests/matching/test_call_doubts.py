"""Sequences of calls where nobody can tell, and where calls that are not on record could turn the answer."""

import pytest

from grice.matching.calls.matchers import call, call_tools, have_called_tools
from grice.matching.context import sight_of
from grice.matching.matcher import judge
from grice.records import AgentFailure, Conversation, Exchange, Message, ToolCall, Turn

ORDERS = ("exact", "in_order", "unordered", "superset", "subset")
OTHER = {"pass": "fail", "fail": "pass"}


def turn_with(*calls, number=1, **fields):
    return Turn(number, (Message("user", "Hi"), Message("assistant", tool_calls=calls)), calls, **fields)


def judged(subject, matcher):
    seen = sight_of(subject)
    return judge(matcher, seen.subject, seen.context, seen.noun)


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
