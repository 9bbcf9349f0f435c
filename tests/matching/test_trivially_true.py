"""What passes whatever was said is marked, with the reason; what it is not is not marked."""

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from grice import Conversation, Exchange, Message, Outcome, Reply, ToolCall, Turn, Verdict, call
from grice.matchers import (
    call_tool,
    contain,
    contain_equal,
    have_called_tool,
    match,
    match_object,
    match_schema,
    satisfy_all,
)
from grice.matching.context import resolve_subject
from grice.matching.judge import judge
from grice.matching.matcher import Matcher
from grice.matching.selector import ValueSelector
from grice.records import PathMatch


def verdict(subject: object, matcher: Matcher) -> Verdict:
    seen = resolve_subject(subject)
    return judge(matcher, seen.subject, seen.context)


@pytest.mark.parametrize(
    ("subject", "matcher", "why"),
    [
        ("hello", match(""), "the pattern matches every text"),
        ("hello", match("sorry|", flags="i"), "the pattern matches every text"),
        ("hello", match(".*"), "the pattern matches every text"),
        ("hello", match("^(Hi)?"), "the pattern matches every text"),
        ("hello", match(r"\s*"), "the pattern matches every text"),
        ("hello", match("[^a]*", flags="i"), "the pattern matches every text"),
        ([], ~contain("x"), "the list is empty"),
        ([], ~contain_equal({"a": 1}), "the list is empty"),
        ({"a": 1}, match_object({}), "nothing is expected of the object"),
        ({"a": 1}, match_schema({}), "the schema allows everything"),
        ({"a": 1}, match_schema(True), "the schema allows everything"),
    ],
)
def test_a_check_that_cannot_fail_is_marked_and_passes(subject: object, matcher: Matcher, why: str) -> None:
    made = verdict(subject, matcher)
    assert (made.outcome, made.trivially_true, made.reason) == (Outcome.PASS, True, why)


@pytest.mark.parametrize(
    ("subject", "matcher"),
    [
        ("hello", match("^$|hello")),
        ("hello", match("^[^x]*$")),
        ("hello", match("^.{0,80}$")),
        ("hello", match("^$|o")),
        ("hello", match("^[^\u2014]*$")),
        ("hello", match("^.*$")),  # not of two lines
        ("hello", match("^[^\\n]*$")),
        ("hello", match("hello")),
        (["y"], ~contain("x")),
        ({}, match_object({"a": {}})),
        ([], match_object([])),
        ({"a": 1}, match_object({"a": 1})),
        ({"a": 1}, match_schema({"type": "object"})),
    ],
)
def test_a_check_that_says_something_is_not(subject: object, matcher: Matcher) -> None:
    assert verdict(subject, matcher).trivially_true is False


@pytest.mark.parametrize("matcher", [~match(""), contain("x"), ~match_object({})])
def test_only_a_pass_is_marked(matcher: Matcher) -> None:
    subject: object = "hello" if matcher.factory.name == "toMatch" else {"a": 1}
    made = verdict([] if matcher.factory.name == "toContain" else subject, matcher)
    assert (made.outcome, made.trivially_true) == (Outcome.FAIL, False)


@pytest.mark.parametrize(
    ("values", "mode", "marked"),
    [
        ([[], []], "ANY", True),
        ([[], ["y"]], "ANY", False),  # the second list says something
        ([["y"], []], "ANY", False),
        ([["x"], []], "ALL", True),  # "not every list has it", for want of anything in the second
        ([["x"], ["y"]], "ALL", False),
    ],
)
def test_of_several_values_all_that_decide_must_be_empty(
    values: list[list[str]], mode: PathMatch, marked: bool
) -> None:
    seen = resolve_subject({"lists": values})
    made = judge(~contain("x"), seen.subject, seen.context, ValueSelector("$.lists[*]", mode))
    assert (made.outcome, made.trivially_true) == (Outcome.PASS, marked)


def test_elements_are_marked_when_all_are_empty() -> None:
    assert verdict([[], []], satisfy_all(~contain("x"))).trivially_true is True
    assert verdict([[], ["y"]], satisfy_all(~contain("x"))).trivially_true is False


# -- tools of which nobody has heard

OFFER = {"tools": [{"name": "get_order"}, {"name": "cancel_order"}]}


def talk(*calls: str, requests: tuple[dict, ...] = (OFFER,)) -> Conversation:
    exchanges = tuple(Exchange({"messages": [], **one}) for one in requests)
    made = tuple(ToolCall(name=name, arguments={}) for name in calls)
    turn = Turn(1, (Message("user", "Hi"), Message("assistant", "Hello")), made, exchanges)
    return Conversation(turns=(turn,))


class Held:
    """As much of a live conversation as a reply looks at."""

    def __init__(self, record: Conversation) -> None:
        self.record = record


def reply(conversation: Conversation) -> Reply:
    return Reply(Held(conversation), 1)


WAYS: list[Callable[[Conversation, str], Verdict]] = [
    lambda talked, name: verdict(reply(talked), ~call_tool(name)),
    lambda talked, name: verdict(talked.turns[0], ~call_tool(name)),
    lambda talked, name: verdict(talked, ~have_called_tool(name)),
    lambda talked, name: verdict(talked, ~have_called_tool(call(name), times=2)),
]


@pytest.mark.parametrize("way", WAYS)
def test_a_tool_that_no_request_offers_is_named_with_the_nearest(way) -> None:
    made = way(talk("cancel_order"), "get_ordr")
    assert (made.outcome, made.trivially_true) == (Outcome.PASS, True)
    assert made.reason.endswith("no request offers get_ordr (did you mean 'get_order'?)")


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    ("talked", "name"),
    [
        (talk(), "get_order"),
        (talk(requests=({"tools": []}, {})), "get_ordr"),  # nobody knows what could be called
        (talk(requests=()), "get_ordr"),
        (talk(requests=(OFFER, {"tools": [{"type": "mcp", "server_label": "shop"}]})), "get_ordr"),
        (talk(requests=({**OFFER, "mcp_servers": [{"url": "http://127.0.0.1:9"}]},)), "get_ordr"),
        (talk(requests=({"tools": [*OFFER["tools"], {"type": "web_search_preview"}]},)), "web_search"),
    ],
)
def test_a_tool_that_could_have_been_called_is_not(way, talked: Conversation, name: str) -> None:
    made = way(talked, name)
    assert (made.outcome, made.trivially_true) == (Outcome.PASS, False)


def test_a_tool_that_another_turn_called_is_known() -> None:
    first, second = talk("search").turns[0], talk().turns[0]
    whole = Conversation(turns=(first, replace(second, number=2)))
    made = verdict(Reply(Held(whole), 2), ~call_tool("search"))
    assert (made.outcome, made.trivially_true) == (Outcome.PASS, False)


def test_a_call_that_is_missed_says_it_too() -> None:
    made = verdict(talk(), have_called_tool("get_ordr"))
    assert made.outcome is Outcome.FAIL
    assert made.reason == "no tool was called; no request offers get_ordr (did you mean 'get_order'?)"
