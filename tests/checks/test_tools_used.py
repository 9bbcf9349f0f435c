# ruff: noqa: E501 - tables, one case a line

"""use_tools looks at the tools that were really used."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from refusals import refusal_of
from turns_judged import FAILED, asked_for, conversation_of, turn_of, verdict_on

from grice import expect
from grice.checks.tools_used import use_tools
from grice.matchers import ArgumentError
from grice.matching.assertions.data_arguments import arguments_of, expected_schema
from grice.matching.context import resolve_subject
from grice.matching.judge import judge
from grice.records import Reply, ToolCall
from grice.running.live import LiveConversation

NONE = turn_of()
ONE = turn_of("search")
TWO = turn_of("search", "search", "book")
WIRE = turn_of(ToolCall("search", source="wire"), "book", "book")


def verdict_of(subject, matcher):
    """The verdict; of several tools the negation is a question of its own."""
    if len(matcher.args) < 2:
        return verdict_on(subject, matcher)
    seen = resolve_subject(subject)
    return judge(matcher, seen.subject, seen.context)


@pytest.mark.parametrize(
    ("subject", "matcher", "outcome", "reason"),
    [
        (NONE, use_tools(), "fail", "no tool was used"),
        (ONE, use_tools(), "pass", "used: search"),
        (NONE, use_tools("search"), "fail", "'search' was not used; no tool was used"),
        (ONE, use_tools("search"), "pass", "used: search"),
        (ONE, use_tools("serch"), "fail", "'serch' was not used (did you mean 'search'?); used: search"),
        (turn_of("product_search"), use_tools("product.search"), "fail", "'product.search' was not used (did you mean 'product_search'?); used: product_search"),
        (TWO, use_tools("book", "search"), "pass", "used: search (2 times), book"),
        (ONE, use_tools("search", "book"), "fail", "'book' was not used; used: search"),
        (ONE, use_tools("pay", "book"), "fail", "'pay' was not used; 'book' was not used; used: search"),
        (ONE, use_tools("search", only=True), "pass", "used: search"),
        (TWO, use_tools("search", only=True), "fail", "used besides: book; used: search (2 times), book"),
        (NONE, use_tools("search", only=True), "fail", "'search' was not used; no tool was used"),
        (TWO, use_tools("search", at_most=3), "pass", "used: search (2 times), book"),
        (TWO, use_tools("search", at_most=2), "fail", "3 calls, expected at most 2; used: search (2 times), book"),
        (TWO, use_tools("pay", only=True, at_most=1), "fail", "'pay' was not used; used besides: search, book; 3 calls, expected at most 1; used: search (2 times), book"),
        (NONE, use_tools(at_most=2), "pass", "no tool was used"),
        (NONE, use_tools(at_most=0), "pass", "no tool was used"),
        (ONE, use_tools(at_most=0), "fail", "1 call, expected at most 0; used: search"),
        (WIRE, use_tools("search"), "pass", "used: search (seen in the requests to the model only), book (2 times)"),
        (turn_of(ToolCall("book", raw_arguments="{"), ToolCall("pay", error="declined")), use_tools("book", "pay"), "pass", "used: book, pay"),
        (turn_of("a\x1b[2J"), use_tools(), "pass", "used: a\\x1b[2J"),
        ("text", use_tools(), "error", "use_tools judges a Reply, a Turn or a Conversation, found str"),
    ],
)  # fmt: skip
def test_what_was_used(subject, matcher, outcome, reason):
    verdict = verdict_of(subject, matcher)
    assert (verdict.outcome, verdict.reason) == (outcome, reason)
    assert verdict.layer == 0


def test_small_talk_abstains_from_tools():
    expect(NONE).not_to(use_tools())
    expect(conversation_of(NONE, turn_of(number=2))).not_to(use_tools())


SILENT = turn_of("search", exchanges=(asked_for("book"),))
BROKEN = turn_of("search", failure=FAILED)


@pytest.mark.parametrize(
    ("matcher", "broken", "silent"),
    [
        (use_tools(), "pass", "pass"),
        (use_tools("search"), "pass", "pass"),
        (use_tools("book"), "inconclusive", "inconclusive"),
        (use_tools("pay"), "inconclusive", "fail"),
        (use_tools("search", "book"), "inconclusive", "inconclusive"),
        (use_tools("pay", "book"), "inconclusive", "fail"),
        (use_tools("search", only=True), "inconclusive", "inconclusive"),
        (use_tools("pay", only=True), "fail", "fail"),
        (use_tools(at_most=1), "inconclusive", "inconclusive"),
        (use_tools(at_most=0), "fail", "fail"),
    ],
)
def test_a_call_that_may_have_been_made_leaves_open_what_it_could_turn(matcher, broken, silent):
    assert verdict_of(BROKEN, matcher).outcome == broken
    assert verdict_of(SILENT, matcher).outcome == silent


@pytest.mark.parametrize(
    ("subject", "matcher", "outcome", "reason"),
    [
        (NONE, ~use_tools("search", "book"), "pass", "'search' was not used; 'book' was not used; no tool was used"),
        (ONE, ~use_tools("search", "book"), "fail", "used: search"),
        (TWO, ~use_tools("search", "book"), "fail", "used: search (2 times), book"),
        (turn_of("pay"), ~use_tools("search", "book"), "pass", "'search' was not used; 'book' was not used; used: pay"),
        (SILENT, ~use_tools("search", "book"), "fail", "used: search"),
        (BROKEN, ~use_tools("search", "book"), "fail", "used: search"),
        (BROKEN, ~use_tools("pay", "book"), "inconclusive", "the agent failed in turn 1, and what it did there may not be known; no call of pay, book is on record; used: search"),
    ],
)  # fmt: skip
def test_several_tools_are_not_used_where_none_of_them_is(subject, matcher, outcome, reason):
    verdict = verdict_of(subject, matcher)
    assert (verdict.outcome, verdict.reason) == (outcome, reason)


def test_a_failed_agent_without_calls_did_not_surely_abstain():
    verdict = verdict_on(turn_of(failure=FAILED), use_tools())
    assert verdict.outcome == "inconclusive"
    assert (
        verdict.reason
        == "the agent failed in turn 1, and what it did there may not be known; no tool was used"
    )


def test_the_doubt_names_the_call_that_nobody_reported():
    verdict = verdict_on(SILENT, use_tools("book"))
    assert verdict.reason == (
        "in turn 1 the model asked for book, and the agent reported no call of it; "
        "no call of book is on record; used: search"
    )


def test_of_a_conversation_all_turns_count():
    conversation = conversation_of(ONE, turn_of("book", "pay", number=2))
    assert verdict_on(conversation, use_tools("search", "pay")).outcome == "pass"
    assert verdict_on(conversation, use_tools("search", at_most=2)).outcome == "fail"
    besides = verdict_on(conversation, use_tools("search", "book", only=True))
    assert (besides.outcome, besides.turn) == ("fail", 2)
    assert [(one.quote, one.turn, one.path) for one in besides.evidence] == [("pay()", 2, "tool_calls[2]")]
    assert verdict_on(Reply(conversation, 2), use_tools("search")).outcome == "fail"


@pytest.mark.parametrize(
    ("names", "options", "problem"),
    [
        ([""], {}, "names is a text that is not empty, found ''"),
        ([5], {}, "names is a text that is not empty, found 5"),
        ([["a", "b"]], {}, "names is a text that is not empty, found ['a', 'b']"),
        (["a", "a"], {}, "'a' is named twice: once is enough, and to count calls there is call_tool"),
        ([], {"only": True}, "only=True goes with the names of tools; for any tool at all leave the names out, for none at all negate that"),
        (["a"], {"only": ["a"]}, "only is true or false, found ['a']"),
        (["a"], {"at_most": -1}, 'at_most is a whole number from 0, found -1'),
        (["a"], {"at_most": True}, 'at_most is a whole number from 0, found True'),
        (["a", "b"], {"at_most": 1}, "at_most=1 leaves no room for the 2 tools that are named"),
    ],
)  # fmt: skip
def test_arguments_that_ask_nothing_are_refused(names, options, problem):
    assert refusal_of(use_tools, *names, **options) == problem


@pytest.mark.parametrize(
    ("matcher", "words"),
    [
        (use_tools(), "use tools"),
        (use_tools("a"), "use 'a'"),
        (use_tools("a", "b", only=True), "use 'a', 'b' and no other"),
        (use_tools("a", at_most=1), "use 'a', in at most 1 call"),
        (use_tools(at_most=2), "use tools, in at most 2 calls"),
    ],
)
def test_the_words_of_a_claim(matcher, words):
    assert matcher.words == words


def read(**fields):
    args, named = arguments_of(use_tools, fields)
    return use_tools(*args, **named)


@pytest.mark.parametrize(
    ("fields", "matcher"),
    [
        ({}, use_tools()),
        ({"expected": "a"}, use_tools("a")),
        ({"expected": ["a", "b"]}, use_tools("a", "b")),
        ({"expected": {"names": "a", "only": True}}, use_tools("a", only=True)),
        ({"expected": {"names": ["a"], "atMost": 2}}, use_tools("a", at_most=2)),
        ({"expected": {"at_most": 0}}, use_tools(at_most=0)),
        ({"expected": "a", "options": {"only": True, "atMost": 1}}, use_tools("a", only=True, at_most=1)),
    ],
)
def test_as_data(fields, matcher):
    assert read(**fields) == matcher


@pytest.mark.parametrize(
    ("expected", "problem"),
    [
        ([], "expected is empty; for any tool at all leave the names out, for none at all negate that"),
        ({}, "expected is empty; for any tool at all leave the names out, for none at all negate that"),
        (None, "names is a text that is not empty, found None"),
        ({"names": 5}, "names is a text that is not empty, found 5"),
        ({"names": []}, "names is empty: leave it out"),
        ({"name": "a"}, "unknown name 'name' in expected (did you mean 'names'?)"),
        ({"x": "a"}, "unknown name 'x' in expected"),
        ({"atMost": 1, "at_most": 1}, "'atMost' is given twice in expected"),
        ([5], "names is a text that is not empty, found 5"),
        ({"names": "a", "only": "yes"}, "only is true or false, found 'yes'"),
    ],
)
def test_wrong_data_is_refused(expected, problem):
    with pytest.raises(ArgumentError) as refused:
        read(expected=expected)
    assert str(refused.value).startswith(problem)


def test_the_schema_takes_what_is_read():
    import jsonschema

    schema = expected_schema(use_tools)
    assert schema is not None
    for fine in ("a", ["a", "b"], {"names": "a", "only": True, "atMost": 2}, {"atMost": 0}):
        jsonschema.validate(fine, schema)
    for wrong in ("", {"name": "a"}, {"atMost": -1}, None):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(wrong, schema)


NAMES = st.sampled_from("abc")


@given(
    called=st.lists(NAMES, max_size=5),
    asked=st.lists(NAMES, max_size=2),
    named=st.lists(NAMES, max_size=3, unique=True),
    only=st.booleans(),
    at_most=st.none() | st.integers(0, 5),
    broken=st.booleans(),
)
def test_negation_swaps_pass_and_fail_and_the_rules_of_sets_hold(called, asked, named, only, at_most, broken):
    try:
        matcher = use_tools(*named, only=only, at_most=at_most)
    except ArgumentError:
        assert (only and not named) or (at_most is not None and at_most < len(named))
        return
    exchanges = (asked_for(*asked),) if asked else ()
    turn = turn_of(*called, exchanges=exchanges, failure=FAILED if broken else None)
    outcome = verdict_of(turn, matcher).outcome
    assert verdict_of(conversation_of(turn), matcher).outcome == outcome
    used = set(called)
    holds = (
        (bool(used) if not named and at_most is None else used.issuperset(named))
        and (not only or used.issubset(named))
        and (at_most is None or len(called) <= at_most)
    )
    assert outcome != ("fail" if holds else "pass")
    if not broken and not asked:
        assert outcome == ("pass" if holds else "fail")
        if named and not only and at_most is None:
            assert verdict_of(turn, ~matcher).outcome == ("fail" if used.intersection(named) else "pass")


def test_a_live_conversation():
    def agent(messages, on_tool_call):
        if "shoes" in messages[-1]["content"]:
            on_tool_call("product.search", {"query": "shoes"}, result=[])
            return "Here are some."
        return "Hello!"

    with LiveConversation(agent) as conversation:
        expect(conversation.say("Hi")).not_to(use_tools())
        expect(conversation.say("I want shoes")).to(use_tools("product.search", only=True, at_most=2))
        expect(conversation).to(use_tools("product.search", at_most=1))
        expect(conversation).not_to(use_tools("store.info", "policy.get"))
