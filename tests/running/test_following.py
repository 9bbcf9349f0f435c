"""Topics that a live conversation follows: when visits are judged, and what is raised where."""

import pytest
from simulations import GOAL, endless, live

from grice import (
    AgentFailed,
    ExpectationFailed,
    Judge,
    LLMError,
    ScriptedLLM,
    SimulatorError,
    TopicGraphError,
    UserScript,
    on_condition,
    on_reply_match,
    on_tool_call,
    on_user_match,
    topic,
)
from grice.matchers import contain, satisfy
from grice.records import decode_conversation, encode_conversation
from grice.topics.graph import TopicGraph, topic_graph_hash

a = topic("a", triggers=(on_user_match("^a"),), expect=(contain("fine"),), evaluate=(contain("nice"),))
b = topic("b", triggers=(on_user_match("^b"),))
PING_PONG = {a: b, b: a}


def agent(text):
    return text.partition(" ")[2] or "fine"


def follows(graph, *, judge=None, strict=False, ask=False, **given):
    conversation = live(given.pop("agent", agent), judge=judge, **given)
    conversation.follow(graph, ask=ask, strict=strict)
    return conversation


def verdicts(conversation, mode="hard"):
    """Number of visit, outcome and last turn of each verdict that is not on a move."""
    found = [one for one in conversation.recorder.verdicts if one.matcher != "topic transition"]
    return [(one.visit, str(one.outcome), one.turn) for one in found if one.mode == mode]


def moves(conversation):
    """The turn, mode and outcome of each verdict on a move."""
    found = [one for one in conversation.recorder.verdicts if one.matcher == "topic transition"]
    return [(one.turn, one.mode, str(one.outcome)) for one in found]


# -- visits


def test_every_visit_is_judged_on_its_own():
    with follows(PING_PONG) as conversation:
        for said in ("a fine", "b", "a nice", "a fine", "b"):
            conversation.say(said)
    assert [visit.topic for visit in conversation.visits] == ["a", "b", "a", "b"]
    assert verdicts(conversation) == [(1, "pass", 1), (3, "pass", 4)]
    assert verdicts(conversation, "soft") == [(1, "fail", 1), (3, "pass", 3)]


def test_a_hard_failure_is_raised_by_the_turn_that_leaves_the_topic():
    conversation = follows(PING_PONG)
    conversation.say("a bad")
    conversation.say("a worse")
    assert verdicts(conversation) == []
    with pytest.raises(ExpectationFailed, match=r"in a \(turns 1-2\): a reply to contain 'fine'"):
        conversation.say("b")
    assert verdicts(conversation) == [(1, "fail", 2)]
    assert conversation.topic == "b"


def test_what_was_raised_once_is_not_raised_again():
    with follows(PING_PONG) as conversation:
        conversation.say("a bad")
        with pytest.raises(ExpectationFailed):
            conversation.say("b")
        conversation.say("a fine")
        conversation.say("b")
    assert verdicts(conversation) == [(1, "fail", 1), (3, "pass", 3)]


def test_the_last_visit_is_judged_at_the_end():
    conversation = follows(PING_PONG)
    conversation.say("a bad")
    with pytest.raises(ExpectationFailed, match=r"in a \(turn 1\)"):
        conversation.finish()
    conversation.finish()
    assert verdicts(conversation) == [(1, "fail", 1)]


def test_a_soft_failure_raises_nothing():
    with follows({b.but(evaluate=(contain("nice"),)): ()}) as conversation:
        conversation.say("b bad")
    assert verdicts(conversation, "soft") == [(1, "fail", 1)]


def test_all_failures_of_a_visit_are_told_together():
    both = a.but(expect=(contain("fine"), contain("good")))
    conversation = follows({both: b, b: both})
    conversation.say("a bad")
    with pytest.raises(ExpectationFailed) as caught:
        conversation.say("b")
    assert "to contain 'fine'" in str(caught.value)
    assert "also: expected in a (turn 1): a reply to contain 'good': fail" in str(caught.value)


def test_an_inconclusive_hard_check_is_raised_too():
    conversation = follows({a.but(expect=(contain("fine"),), grounding=("prices",)): b, b: ()})
    conversation.say("a fine")
    with pytest.raises(ExpectationFailed, match="prices"):
        conversation.say("b")


# -- while a user is played


def test_a_hard_failure_waits_until_the_user_is_done():
    conversation = follows(PING_PONG)
    with pytest.raises(ExpectationFailed, match=r"in a \(turn 1\)"):
        conversation.simulate(UserScript("a bad", "b", "a fine"))
    assert len(conversation.turns) == 3
    assert conversation.record.simulations[0].termination == "goal_reached"
    assert verdicts(conversation) == [(1, "fail", 1)]


def test_stop_when_sees_the_topic_of_the_turn():
    conversation = follows(PING_PONG)
    simulation = conversation.simulate(
        UserScript("a fine", "b", "a fine"), stop_when=lambda c: c.turns[-1].topic == "b"
    )
    assert simulation.turns == 2


def test_what_failed_before_the_agent_did_is_not_forgotten():
    def breaks(text):
        if text == "c":
            raise OSError("gone")
        return text

    conversation = follows(PING_PONG, agent=breaks)
    with pytest.raises(AgentFailed, match="OSError") as caught:
        conversation.simulate(UserScript("a bad", "b", "c"))
    assert any("in a (turn 1): a reply to contain 'fine'" in note for note in caught.value.__notes__)
    assert verdicts(conversation) == [(1, "fail", 1)]


def test_a_judge_that_is_missing_is_not_charged_to_the_user():
    graph = {topic("one"): topic("two")}
    with follows(graph, ask=True, llm=endless()) as conversation:
        with pytest.raises(LLMError, match=r"no trigger tells the topic of the turn.*ask=False") as caught:
            conversation.simulate(goal=GOAL)
        assert not isinstance(caught.value, SimulatorError)
        (simulation,) = conversation.record.simulations
        assert (simulation.turns, simulation.termination) == (1, "interrupted")
        assert "no trigger tells the topic" in simulation.reason


# -- the judge


def topics_told(*names):
    """A judge that says that the conversation is in these topics, one after the other."""
    answers = [{"requirement": "x", "topic": name, "reasoning": "so", "confidence": "high"} for name in names]
    return Judge(ScriptedLLM({"topic": answers}))


def test_the_judge_is_asked_where_no_trigger_fires():
    one, two = topic("one"), topic("two")
    conversation = follows({one: two, two: ()}, ask=True, judge=topics_told("one", "two"))
    for said in ("x", "y", "z"):
        conversation.say(said)
    assert [turn.topic for turn in conversation.turns] == ["one", "two", "two"]
    assert [turn.classified.by for turn in conversation.turns] == ["judge", "judge", "stay"]


def test_without_a_judge_one_is_missed_unless_nobody_is_to_be_asked():
    one, two = topic("one"), topic("two")
    with pytest.raises(LLMError, match="ask=False"):
        follows({one: two}, ask=True).say("x")
    conversation = follows({one: two}, ask=False)
    conversation.say("x")
    assert conversation.turns[0].classified.by == "start"


def test_a_judge_that_is_down_leaves_the_topic_and_that_is_a_hard_error_where_something_hard_is_expected():
    one, two = topic("one", expect=(contain("fine"),)), topic("two")
    judge = Judge(ScriptedLLM({"topic": LLMError("overloaded")}))
    conversation = follows({one: two}, ask=True, judge=judge)
    with pytest.raises(ExpectationFailed, match="the topic of turn 1 to be known"):
        conversation.say("x fine")
    assert conversation.turns[0].classified.by == "error"


def test_visits_are_judged_by_an_llm_each_on_its_own():
    asked = []

    def judged(request):
        asked.append(request)
        return {"requirement": "x", "reasoning": "so", "satisfied": len(asked) != 1, "quote": ""}

    polite = a.but(expect=(), evaluate=(satisfy("The agent is polite."),))
    judge = Judge(ScriptedLLM({"criterion": judged}))
    with follows({polite: b, b: polite}, judge=judge) as conversation:
        for said in ("a rude", "b", "a good", "b", "a good"):
            conversation.say(said)
    assert verdicts(conversation, "soft") == [(1, "fail", 1), (3, "pass", 3), (5, "pass", 5)]


def test_a_hard_check_without_a_judge_is_an_error_that_says_so():
    polite = a.but(expect=(satisfy("The agent is polite."),))
    conversation = follows({polite: b, b: ()})
    conversation.say("a")
    with pytest.raises(ExpectationFailed, match="an LLM judges this and none is configured"):
        conversation.say("b")
    assert verdicts(conversation) == [(1, "error", 1)]


# -- what is expected of the way


def test_a_required_topic_that_is_never_reached_fails_at_the_end():
    conversation = follows({a: b.but(required=True)})
    conversation.say("a fine")
    with pytest.raises(ExpectationFailed, match=r"the required topic b to be visited(.|\n)*visited: a"):
        conversation.finish()


def test_a_required_topic_of_a_conversation_without_turns_is_inconclusive():
    conversation = follows({a: b.but(required=True)})
    with pytest.raises(ExpectationFailed, match="the conversation has no turn"):
        conversation.finish()
    assert verdicts(conversation) == [(None, "inconclusive", None)]


def test_a_required_topic_that_was_reached_passes():
    with follows({a: b.but(required=True)}) as conversation:
        conversation.say("a fine")
        conversation.say("b")
    assert verdicts(conversation) == [(1, "pass", 1), (2, "pass", 2)]


def test_too_many_turns_in_a_topic_fail_once_over_all_visits():
    conversation = follows({a.but(max_turns=2): b, b: "a"})
    for said in ("a fine", "b", "a fine", "b"):
        conversation.say(said)
    with pytest.raises(ExpectationFailed, match="at most 2 turns in a") as caught:
        conversation.say("a fine")
    assert caught.value.verdict.detail["type"] == "max_turns"
    conversation.say("a fine")


def test_a_topic_may_have_as_many_turns_as_it_allows():
    with follows({a.but(max_turns=2): b, b: "a"}) as conversation:
        for said in ("a fine", "a fine", "b"):
            conversation.say(said)
    assert {outcome for _, outcome, _ in verdicts(conversation)} == {"pass"}


@pytest.mark.parametrize("strict", [False, True])
def test_a_move_against_the_graph_is_soft_unless_it_is_strict(strict):
    c = topic("c", triggers=(on_user_match("^c"),))
    conversation = follows({a: b, b: c, c: ()}, strict=strict)
    conversation.say("a fine")
    if strict:
        with pytest.raises(
            ExpectationFailed, match="make only moves that its topic graph has: a to c, but after a comes b"
        ):
            conversation.say("c")
    else:
        conversation.say("c")
    assert conversation.turns[1].classified.legal is False
    assert moves(conversation) == [(2, "hard" if strict else "soft", "fail")]


@pytest.mark.parametrize(("strict", "mode"), [(False, "soft"), (True, "hard")])
def test_moves_that_the_graph_has_pass_and_a_turn_that_stays_is_none(strict, mode):
    with follows(PING_PONG, strict=strict) as conversation:
        for said in ("a fine", "a fine", "b", "b", "a fine"):
            conversation.say(said)
    assert moves(conversation) == [(3, mode, "pass"), (5, mode, "pass")]


def test_a_trigger_that_raises_does_not_match_and_is_told():
    def broken(turn, conversation):
        return conversation.turns[7].text

    c = topic("c", triggers=(on_condition(broken),))
    with follows({a: (c, b), b: ()}) as conversation:
        conversation.say("a fine")
        conversation.say("b")
    assert conversation.turns[1].topic == "b"
    assert "broke: it raised IndexError" in conversation.turns[1].classified.reason
    soft = [one for one in conversation.recorder.verdicts if one.mode == "soft" and one.outcome == "error"]
    assert [one.turn for one in soft] == [1, 2]


def test_of_two_successors_that_match_the_first_counts_and_the_other_is_told():
    both = topic("both", triggers=(on_user_match("b"),))
    conversation = follows({a: (b, both), b: (), both: ()})
    conversation.say("a fine")
    conversation.say("b")
    assert conversation.turns[1].topic == "b"
    assert "also matched: both" in conversation.turns[1].classified.reason


def test_the_first_turn_may_move_on_and_then_the_initial_topic_is_not_judged():
    with follows(PING_PONG) as conversation:
        conversation.say("b")
    assert [visit.topic for visit in conversation.visits] == ["b"]
    assert verdicts(conversation) == []


# -- when


def test_follow_comes_before_the_first_turn():
    conversation = live()
    conversation.say("Hi")
    with pytest.raises(RuntimeError, match="before the first turn, once: the conversation has begun"):
        conversation.follow(PING_PONG)


def test_follow_comes_once():
    conversation = follows(PING_PONG)
    with pytest.raises(RuntimeError, match="topics are followed already"):
        conversation.follow(PING_PONG)


def test_a_wrong_graph_changes_nothing():
    conversation = live()
    with pytest.raises(TopicGraphError, match=r"'c'.*not defined"):
        conversation.follow({a: "c"})
    assert conversation.follow({a: ()}).names == ("a",)


def test_names_are_those_of_declared_topics():
    conversation = live(topics=[a, b])
    assert conversation.follow({"a": "b"}).names == ("a", "b")


def test_topics_begin_after_the_history():
    earlier = live()
    earlier.say("b")
    with follows(PING_PONG, history=earlier.messages) as conversation:
        conversation.say("a fine")
    assert [turn.topic for turn in conversation.turns] == ["", "a"]
    assert verdicts(conversation) == [(1, "pass", 2)]


def test_a_turn_that_failed_belongs_to_no_topic_and_the_conversation_may_go_on():
    def breaks(text):
        if text == "c":
            raise OSError("gone")
        return text

    with follows(PING_PONG, agent=breaks) as conversation:
        conversation.say("a fine")
        with pytest.raises(AgentFailed):
            conversation.say("c")
        conversation.say("a fine")
    assert [turn.topic for turn in conversation.turns] == ["a", "", "a"]


# -- a turn that its client answers


def asks_back(messages):
    last = messages[-1]
    if last["role"] == "tool":
        return f"It is {last['content']}"
    if last["content"].startswith("ask"):
        return {"text": "One moment", "tool_calls": [{"name": "look"}]}
    return last["content"]


def test_a_turn_that_is_answered_is_classified_anew_and_told_of_once():
    one, two = topic("one"), topic("two", triggers=(on_tool_call("look"),), max_turns=1)
    other = topic("other", triggers=(on_tool_call("look"),))
    conversation = follows({one: other, other: two, two: ()}, agent=asks_back)
    conversation.say("ask")
    conversation.answer("here")
    assert [turn.topic for turn in conversation.turns] == ["other"]
    limited = follows({two: ()}, agent=asks_back)
    limited.say("ask")
    with pytest.raises(ExpectationFailed, match="at most 1 turn in two"):
        limited.say("ask")
    limited.answer("there")
    over = [one for one in limited.recorder.verdicts if one.detail.get("type") == "max_turns"]
    assert len(over) == 1


def test_a_move_is_told_of_once_and_again_where_the_answer_makes_it_one_against_the_graph():
    start, moved = topic("start"), topic("moved")
    astray = topic("astray", triggers=(on_reply_match("It is bad"),))
    graph = {start: moved, moved: astray, astray: ()}
    conversation = follows(graph, agent=asks_back, ask=True, judge=topics_told("moved", "moved"))
    conversation.say("ask")
    conversation.answer("good")
    assert moves(conversation) == [(1, "soft", "pass")]
    leaving = follows(graph, agent=asks_back, ask=True, judge=topics_told("moved"))
    leaving.say("ask")
    leaving.answer("bad")
    assert moves(leaving) == [(1, "soft", "pass"), (1, "soft", "fail")]


def test_a_visit_that_goes_on_with_the_answer_is_judged_with_it():
    here = topic("here", triggers=(on_reply_match("It is here"),), evaluate=(contain("here"),))
    moved = topic("moved", triggers=(on_reply_match("One moment"),))
    with follows({here: moved, moved: here}, agent=asks_back) as conversation:
        conversation.say("It is here")
        conversation.say("ask")
        assert conversation.topic == "moved"
        conversation.answer("here")
        assert conversation.topic == "here"
    last = [one for one in conversation.recorder.verdicts if one.mode == "soft"][-1]
    assert "turns 1-2" in last.claim


# -- what is kept


def test_the_record_has_the_graph():
    with follows(PING_PONG) as conversation:
        assert conversation.record.topic_graph is not None
        conversation.say("a fine")
        graph = conversation.record.topic_graph
    assert graph.hash == topic_graph_hash(TopicGraph.of(PING_PONG))
    assert (graph.topics, graph.edges) == (("a", "b"), (("a", "b"), ("b", "a")))
    assert decode_conversation(encode_conversation(conversation.record)).topic_graph == graph


def test_a_conversation_without_a_graph_has_none_in_its_record():
    with live(agent) as conversation:
        conversation.say("Hi")
    assert conversation.record.topic_graph is None
    assert b"topic_graph" not in encode_conversation(conversation.record)
