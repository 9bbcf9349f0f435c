"""The topic of each turn: triggers first, then the judge, else the conversation stays."""

import asyncio

import pytest
from msgspec.structs import replace
from talks import followed, talk, turn, way, why

from grice.judging.judge import Judge
from grice.llm import ScriptedLLM
from grice.matching.protocols import LLMError
from grice.topics.graph import TopicGraph
from grice.topics.topic import topic
from grice.topics.tracker import Tracker, current_topic
from grice.topics.triggers import (
    after_turns_in,
    on_condition,
    on_reply_match,
    on_tool_call,
    on_user_match,
)

GREETING = topic("greeting", "Initial contact", intent="welcome the user")
GATHERING = topic("gathering", triggers=on_reply_match("tell me", flags="i"))
RESULTS = topic("results", triggers=on_tool_call("search"))
BOOKING = topic("booking", triggers=on_tool_call("book"))
FLOW = TopicGraph.of({GREETING: GATHERING, GATHERING: (RESULTS, GREETING), RESULTS: BOOKING})


def chosen(name, **changed):
    answer = {"requirement": "r", "reasoning": "it asks for a date", "topic": name, "confidence": "low"}
    return {**answer, **changed}


def tracker_asking(*answers, graph=FLOW, samples=1):
    llm = ScriptedLLM({"topic": list(answers)})
    return Tracker(graph, find_judge=lambda: Judge(llm, samples=samples)), llm


def test_the_turn_that_moves_the_conversation_belongs_to_the_new_topic():
    conversation = followed(
        FLOW,
        turn(1, "Hello"),
        turn(2, "Tell me more"),
        turn(3, "How many people?"),
        turn(4, "Three venues.", "search"),
        turn(5, "Booked.", "book"),
    )
    assert way(conversation) == ["greeting", "gathering", "gathering", "results", "booking"]
    assert [(one.topic, one.first, one.last, one.legal) for one in conversation.visits] == [
        ("greeting", 1, 1, True),
        ("gathering", 2, 3, True),
        ("results", 4, 4, True),
        ("booking", 5, 5, True),
    ]
    assert [why(conversation, number).by for number in range(1, 6)] == [
        "start",
        "trigger",
        "stay",
        "trigger",
        "trigger",
    ]
    assert why(conversation, 1).reason == "the conversation begins here: no trigger fired"
    assert why(conversation, 2).reason == "the agent says /tell me/i"
    assert why(conversation, 3).reason == "no trigger fired"


def test_the_first_turn_may_move_on_already():
    conversation = followed(FLOW, turn(1, "Tell me more"))
    assert way(conversation) == ["gathering"]
    assert why(conversation, 1).legal


def test_topics_may_alternate():
    a, b = topic("a", triggers=on_user_match("a")), topic("b", triggers=on_user_match("b"))
    graph = TopicGraph.of({a: b, b: a})
    conversation = followed(graph, *(turn(number, user=user) for number, user in enumerate("abba-ab", 1)))
    assert way(conversation) == list("abbaaab")
    assert [(one.topic, one.first, one.last) for one in conversation.visits] == [
        ("a", 1, 1),
        ("b", 2, 3),
        ("a", 4, 6),
        ("b", 7, 7),
    ]


def test_the_current_topic_goes_before_its_successors_and_the_others_are_recorded():
    conversation = followed(FLOW, turn(1, "Tell me more"), turn(2, "Tell me if these fit", "search"))
    assert way(conversation) == ["gathering", "gathering"]
    assert why(conversation, 2).reason == (
        "the agent says /tell me/i; also matched: results (the agent calls search)"
    )


@pytest.mark.parametrize("order", [("b", "c"), ("c", "b")])
def test_of_two_successors_that_match_the_first_in_declared_order_is_taken(order):
    a, b, c = topic("a"), topic("b", triggers=on_user_match("x")), topic("c", triggers=on_user_match("x|y"))
    conversation = followed(TopicGraph.of({a: order, b: (), c: ()}), turn(1, user="x"))
    first, second = order
    assert way(conversation) == [first]
    assert f"also matched: {second} (the user says /x" in why(conversation, 1).reason


def test_the_first_trigger_of_a_topic_that_fires_is_the_reason():
    a, b = topic("a"), topic("b", triggers=(on_user_match("y"), on_user_match("x"), on_user_match("x.")))
    conversation = followed(TopicGraph.of({a: b}), turn(1, user="xx"))
    assert why(conversation, 1).reason == "the user says /x/"


def test_a_trigger_of_a_topic_that_does_not_follow_moves_the_conversation_illegally():
    conversation = followed(FLOW, turn(1, "Hello"), turn(2, "Booked!", "book"), turn(3, "Bye"))
    assert way(conversation) == ["greeting", "booking", "booking"]
    assert not why(conversation, 2).legal
    assert why(conversation, 2).reason == "the agent calls book; booking does not follow greeting"
    assert [one.legal for one in conversation.visits] == [True, False]
    assert why(conversation, 3).legal


def test_a_legal_move_goes_before_an_illegal_one():
    conversation = followed(FLOW, turn(1, "Tell me", "book"))
    assert way(conversation) == ["gathering"]


def test_counts_and_conditions_say_when_one_may_go_and_not_where_one_is():
    a, b = topic("a"), topic("b", triggers=on_user_match("b"))
    c = topic("c", triggers=(after_turns_in("a", count=2), on_condition(lambda conversation: True)))
    graph = TopicGraph.of({a: b, b: c, c: ()})
    conversation = followed(graph, turn(1), turn(2), turn(3), turn(4, user="b"), turn(5))
    assert way(conversation) == ["a", "a", "a", "b", "c"]
    assert all(one.classified.legal for one in conversation.turns)
    assert why(conversation, 5).reason == "after 2 turns in a"


def broken(conversation):
    raise ZeroDivisionError("division by zero")


def test_a_trigger_that_raises_is_reported_and_does_not_match():
    a = topic("a")
    b = topic("b", triggers=(on_condition(broken), on_user_match("b")))
    graph = TopicGraph.of({a: b})
    tracker = Tracker(graph, ask=False)
    conversation = followed(graph, turn(1), turn(2, user="b"), tracker=tracker)
    assert way(conversation) == ["a", "b"]
    said = "the trigger 'broken holds' of b broke: it raised ZeroDivisionError: division by zero"
    assert said in why(conversation, 1).reason
    verdicts = tracker.take()
    assert [(one.outcome, one.mode, one.turn) for one in verdicts] == [
        ("error", "soft", 1),
        ("error", "soft", 2),
    ]
    assert verdicts[0].claim == "the trigger of b, broken holds, to answer"
    assert verdicts[0].reason == "it raised ZeroDivisionError: division by zero"
    assert tracker.take() == ()


def test_where_a_trigger_broke_and_nothing_else_tells_the_topic_is_not_known():
    a, b = topic("a"), topic("b", triggers=on_condition(broken))
    graph = TopicGraph.of({a: b})
    conversation = followed(graph, turn(1), turn(2))
    assert [(one.classified.topic, one.classified.by) for one in conversation.turns] == [("a", "error")] * 2
    assert why(conversation, 2).reason.startswith("the trigger 'broken holds' of b broke: it raised Zero")
    tracker, _ = tracker_asking(chosen("a"), graph=graph)
    assert why(followed(graph, turn(1), tracker=tracker), 1).by == "judge"


def test_without_a_trigger_that_fires_the_judge_chooses_among_the_current_topic_and_its_successors():
    tracker, llm = tracker_asking(chosen("greeting"), chosen("gathering"), chosen("results"))
    turns = turn(1, "Hello"), turn(2, "When?"), turn(3, "Tell me"), turn(4, "Found some")
    conversation = followed(FLOW, *turns, tracker=tracker)
    assert way(conversation) == ["greeting", "gathering", "gathering", "results"]
    assert why(conversation, 2).by == "judge"
    assert why(conversation, 2).reason == "it asks for a date (confidence low)"
    assert why(conversation, 2).judgement.prompt == "topic"
    choices = [request.schema["properties"]["topic"]["enum"] for request in llm.requests]
    assert choices == [
        ["greeting", "gathering"],
        ["greeting", "gathering"],
        ["gathering", "results", "greeting"],
    ]
    assert "What the chatbot is after in it: welcome the user" in llm.requests[0].messages[1]["content"]


def test_nobody_is_asked_where_nothing_follows():
    tracker, llm = tracker_asking(graph=TopicGraph.of({GREETING: ()}))
    conversation = followed(tracker.graph, turn(1), turn(2), tracker=tracker)
    assert [why(conversation, number).by for number in (1, 2)] == ["start", "stay"]
    assert why(conversation, 2).reason == "its topics have no triggers"
    assert not llm.requests


@pytest.mark.parametrize("answer", [ConnectionError("down"), "no idea", chosen("booking")])
def test_a_judge_that_fails_leaves_the_conversation_where_it_is(answer):
    tracker, _ = tracker_asking(answer, answer)
    conversation = followed(FLOW, turn(1, "Hello"), tracker=tracker)
    assert (why(conversation, 1).topic, why(conversation, 1).by) == ("greeting", "error")
    assert why(conversation, 1).reason


@pytest.mark.parametrize("find", [lambda: None, lambda: Judge(None)])
def test_without_a_judge_it_is_said_how_to_do_without(find):
    tracker = Tracker(FLOW, find_judge=find)
    with pytest.raises(LLMError, match=r"judge_llm.*, or follow\(graph, ask=False\) to go by triggers only"):
        tracker.classify(talk(turn(1, "Hello")))
    assert tracker.classify(talk(turn(1, "Tell me"))).topic == "gathering"


def test_what_the_judge_says_is_cut_and_cleaned():
    tracker, _ = tracker_asking(chosen("gathering", reasoning="x\ud800" * 5_000))
    conversation = followed(FLOW, turn(1, "Hello"), tracker=tracker)
    assert len(why(conversation, 1).reason) <= 1_000
    assert why(conversation, 1).reason.isascii() or "\ud800" not in why(conversation, 1).reason


def test_where_a_conversation_is():
    assert current_topic(FLOW, talk()) == "greeting"
    assert current_topic(FLOW, talk(turn(1, topic="results"), turn(2), turn(3, topic="strange"))) == "results"
    with pytest.raises(ValueError, match="no turn yet"):
        Tracker(FLOW, ask=False).classify(talk())


def test_a_tracker_goes_by_the_topics_of_the_turns_before_only():
    tracker = Tracker(FLOW, ask=False)
    last = turn(3, "Booked", "book")
    moved = talk(turn(1, topic="greeting"), turn(2, topic="results"), last)
    assert tracker.classify(moved).legal
    assert not tracker.classify(
        replace(moved, turns=(turn(1, topic="greeting"), replace(last, number=2)))
    ).legal


def test_the_answer_is_a_coroutine_only_where_the_judge_is_asked():
    tracker, _ = tracker_asking(chosen("gathering"))
    answer = tracker.classify(talk(turn(1, "Hello")))
    assert asyncio.run(answer).topic == "gathering"
