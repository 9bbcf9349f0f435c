"""Through which topics a conversation went, and in how many turns."""

import msgspec
import pytest
from msgspec.structs import replace

from grice import expect
from grice.matchers import (
    be_in_topic,
    have_reached_topic,
    have_stayed_on_graph,
    have_topic_history,
    have_turn_count,
)
from grice.matching.assertions.registry import matcher_from_data
from grice.matching.context import resolve_subject
from grice.matching.judge import judge
from grice.matching.matcher import ArgumentError
from grice.records import Classification, Conversation, FollowedGraph, Message, Reply, Turn


def through(*topics):
    """A conversation with a turn in each of these topics; `!x` is a move against the graph, `?` unknown."""
    turns = []
    for number, name in enumerate(topics, 1):
        by = "error" if name.endswith("?") else "trigger"
        found = Classification(name.strip("!?"), by, "why", not name.startswith("!")) if name else None
        messages = (Message("user", "Hi"), Message("assistant", "Hello"))
        turns.append(Turn(number, messages, classified=found))
    return Conversation(turns=tuple(turns))


def said(subject, matcher):
    seen = resolve_subject(subject)
    verdict = judge(matcher, seen.subject, seen.context)
    return str(verdict.outcome), verdict.reason


def outcome(subject, matcher):
    return said(subject, matcher)[0]


WAY = through("a", "b", "b", "a")
GRAPH = FollowedGraph("sha256:1", ("a", "b", "results"))


# -- turns


@pytest.mark.parametrize(
    ("bounds", "words", "outcome_"),
    [
        ({"max": 4}, "have at most 4 turns", "pass"),
        ({"max": 3}, "have at most 3 turns", "fail"),
        ({"min": 5}, "have at least 5 turns", "fail"),
        ({"min": 2, "max": 4}, "have 2 to 4 turns", "pass"),
        ({"exactly": 1}, "have 1 turn", "fail"),
        ({"exactly": 4}, "have 4 turns", "pass"),
    ],
)
def test_the_number_of_turns_is_within_bounds(bounds, words, outcome_):
    assert said(WAY, have_turn_count(**bounds)) == (outcome_, "it has 4 turns")
    assert have_turn_count(**bounds).words == words
    detail = judge(
        have_turn_count(**bounds), WAY, msgspec.structs.replace(resolve_subject(WAY).context, noun="it")
    ).detail
    assert detail == {"type": "turn_count", **bounds, "actual": 4}


@pytest.mark.parametrize(
    ("bounds", "problem"),
    [
        ({}, "say how many turns: max=, min= or exactly="),
        ({"max": -1}, "max is a whole number from 1"),
        ({"min": True}, "min is a whole number from 1"),
        ({"min": 0}, "min is a whole number from 1"),
        ({"exactly": 0}, "exactly is a whole number from 1"),
        ({"exactly": 3, "max": 4}, "exactly is the number itself"),
        ({"min": 5, "max": 4}, "min=5 is more than max=4"),
    ],
)
def test_bounds_that_ask_nothing_are_refused(bounds, problem):
    with pytest.raises(ArgumentError, match=problem):
        have_turn_count(**bounds)


def test_a_conversation_without_turns_is_an_error_under_both_polarities():
    for matcher in (have_turn_count(max=3), have_reached_topic("a"), be_in_topic("a")):
        assert outcome(Conversation(), matcher) == outcome(Conversation(), ~matcher) == "error"


# -- topics


def test_a_topic_that_some_turn_belongs_to_was_reached():
    verdict = expect(WAY).to_have_reached_topic("b")
    assert (verdict.turn, verdict.visit) == (2, 2)
    assert verdict.reason == "visited: a (turn 1), b (turns 2-3), a (turn 4)"
    assert verdict.detail == {"type": "reached_topic", "topic": "b"}
    assert outcome(WAY, have_reached_topic("c")) == "fail"
    assert outcome(WAY, ~have_reached_topic("c")) == "pass"


def test_a_turn_is_in_its_topic_and_a_conversation_in_its_last():
    assert said(WAY, be_in_topic("a")) == ("pass", "it is in a: why")
    assert said(WAY, be_in_topic("b")) == ("fail", "it is in a: why")
    assert outcome(Reply(WAY, 2), be_in_topic("b")) == "pass"
    assert outcome(WAY.turns[1], ~be_in_topic("b")) == "fail"
    assert expect(Reply(WAY, 2)).to_be_in_topic("b").detail == {"type": "in_topic", "topic": "b"}


@pytest.mark.parametrize(
    ("order", "fits", "misses"),
    [
        ("exact", ["a", "b", "a"], ["a", "b"]),
        ("in_order", ["b", "a"], ["b", "a", "b"]),
        ("unordered", ["a", "a", "b"], ["a", "b"]),
        ("superset", ["b", "a"], ["b", "b"]),
        ("subset", ["b", "a", "c"], ["a"]),
    ],
)
def test_the_history_of_topics_in_five_orders(order, fits, misses):
    assert outcome(WAY, have_topic_history(fits, order=order)) == "pass"
    assert outcome(WAY, have_topic_history(misses, order=order)) == "fail"
    assert outcome(WAY, ~have_topic_history(misses, order=order)) == "pass"


def test_a_history_is_exact_unless_it_is_said_otherwise():
    verdict = expect(WAY).not_to_have_topic_history(["a", "b"])
    assert verdict.claim == "the conversation not to have visited exactly a, b"
    assert verdict.detail == {"type": "topic_history", "topics": ["a", "b"], "order": "exact"}


def test_a_conversation_stays_on_its_graph_or_not():
    assert outcome(WAY, have_stayed_on_graph()) == "pass"
    astray = through("a", "!c", "c")
    assert said(astray, have_stayed_on_graph()) == (
        "fail",
        "turn 2 moved to c; visited: a (turn 1), c (turns 2-3)",
    )
    assert outcome(through("a", "!c", "c?"), have_stayed_on_graph()) == "fail"


MATCHERS = [have_reached_topic("a"), be_in_topic("a"), have_topic_history(["a"]), have_stayed_on_graph()]


@pytest.mark.parametrize("matcher", MATCHERS, ids=repr)
def test_without_a_graph_that_was_followed_it_is_an_error_under_both_polarities(matcher):
    plain = through("", "")
    for one in (matcher, ~matcher):
        assert said(plain, one) == (
            "error",
            "no topics were followed: call conversation.follow(graph) before the first turn",
        )


@pytest.mark.parametrize("matcher", [*MATCHERS[1:], have_reached_topic("c")], ids=repr)
def test_where_the_topic_of_a_turn_is_not_known_it_is_an_error(matcher):
    for one in (matcher, ~matcher):
        outcome_, reason = said(through("b", "a?"), one)
        assert (outcome_, "the topic of turn 2 is not known: why" in reason) == ("error", True)


def test_a_turn_without_a_topic_is_an_error():
    assert said(through("a", ""), be_in_topic("a"))[0] == "error"
    assert said(through("a", ""), have_topic_history(["a"]))[1] == "turn 2 has no topic; visited: a (turn 1)"


def test_a_topic_that_was_reached_needs_no_other_turn_to_be_known():
    assert outcome(through("a", "b?"), have_reached_topic("a")) == "pass"
    assert outcome(through("a?"), have_reached_topic("a")) == outcome(through("a?"), ~have_reached_topic("a"))
    assert outcome(through("a?"), have_reached_topic("a")) == "error"
    assert expect(through("a?", "a")).to_have_reached_topic("a").turn == 2


@pytest.mark.parametrize(
    "matcher",
    [have_reached_topic("resluts"), be_in_topic("resluts"), have_topic_history(["resluts"])],
    ids=repr,
)
def test_a_topic_that_the_graph_does_not_have_is_an_error_that_names_the_nearest(matcher):
    subject = replace(WAY, topic_graph=GRAPH)
    for one in (matcher, ~matcher):
        assert said(subject, one) == (
            "error",
            "the graph has no topic 'resluts' (did you mean 'results'?): it has a, b, results",
        )
    assert outcome(subject, ~have_reached_topic("results")) == "pass"
    assert outcome(Reply(subject, 1), be_in_topic("resluts")) == "error"


def test_metadata_are_no_graph():
    assert outcome(replace(WAY, metadata={"topics": ["a"]}), have_reached_topic("b")) == "pass"


class Named:
    name = "results"


@pytest.mark.parametrize(
    ("make", "problem"),
    [
        (lambda: have_reached_topic(""), "name is a text that is not empty"),
        (lambda: be_in_topic(Named()), "give its name, 'results'"),
        (lambda: have_topic_history("a"), "topics is a list of texts that is not empty"),
        (lambda: have_topic_history([]), "topics is a list of texts that is not empty"),
        (lambda: have_topic_history(["a", 3]), r"topics\[1\] is a text that is not empty"),
        (
            lambda: have_topic_history(["a"], order="inorder"),
            "found 'inorder' .did you mean 'in_order'",
        ),
    ],
)
def test_what_names_no_topic_is_refused(make, problem):
    with pytest.raises(ArgumentError, match=problem):
        make()


@pytest.mark.parametrize(
    ("fields", "matcher"),
    [
        ({"matcher": "toHaveTurnCount", "expected": 3}, have_turn_count(3)),
        ({"matcher": "toHaveTurnCount", "expected": {"max": 10}}, have_turn_count(max=10)),
        ({"matcher": "toHaveTurnCount", "options": {"max": 10}}, have_turn_count(max=10)),
        ({"matcher": "toHaveReachedTopic", "expected": "a"}, have_reached_topic("a")),
        ({"matcher": "toBeInTopic", "expected": "a"}, be_in_topic("a")),
        ({"matcher": "toHaveTopicHistory", "expected": ["a", "b"]}, have_topic_history(["a", "b"])),
        (
            {"matcher": "toHaveTopicHistory", "expected": ["a"], "options": {"order": "superset"}},
            have_topic_history(["a"], order="superset"),
        ),
        ({"matcher": "toHaveStayedOnGraph"}, have_stayed_on_graph()),
    ],
)
def test_files_say_the_same(fields, matcher):
    assert matcher_from_data(fields) == matcher


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ({"matcher": "toHaveTurnCount"}, "say how many turns"),
        (
            {"matcher": "toHaveTurnCount", "expected": {"maximum": 3}},
            r"toHaveTurnCount: unknown name 'maximum' in expected \(did you mean 'max'\?\)",
        ),
        (
            {"matcher": "toHaveTurnCount", "expected": "3"},
            "toHaveTurnCount: exactly is a whole number from 1",
        ),
        (
            {"matcher": "toHaveReachedTopic", "expected": 3},
            "toHaveReachedTopic: name is a text that is not empty",
        ),
        (
            {"matcher": "toHaveTopicHistory", "expected": "a"},
            "toHaveTopicHistory: topics is a list of texts that is not empty",
        ),
    ],
)
def test_files_that_ask_nothing_are_refused(fields, problem):
    with pytest.raises(ArgumentError, match=problem):
        matcher_from_data(fields)
