"""Whoever plays the user of a conversation that follows topics knows the topic, and acts by it."""

import pytest
from simulations import GOAL, live, user

from grice import SimulatedUser, UserConfigError, UserMove, on_user_match, topic

PING_PONG = {topic("a", triggers=on_user_match("^a")): "b", topic("b", triggers=on_user_match("^b")): "a"}


def follows(graph, **given):
    conversation = live(**given)
    conversation.follow(graph, ask=False)
    return conversation


def test_a_player_is_told_the_topic():
    heard = []

    class Player:
        kind, goal, persona_name, max_turns = "own", "", "", 3
        faults, asked = [], 0

        def start(self, support):
            return self

        def move(self, conversation, topic):
            heard.append(topic)
            return UserMove(["a fine", "b", "a fine"][len(conversation.turns)] if len(heard) < 4 else "more")

    follows(PING_PONG).simulate(Player())
    assert heard == ["a", "a", "b", "a"]


def test_what_is_different_where_the_graph_begins_holds_for_the_opening():
    llm = user("a fine", "b")
    conversation = follows(PING_PONG, llm=llm)
    conversation.simulate(goal=GOAL, during_topic={"a": SimulatedUser(role="A pilot")})
    told = ["A pilot" in request.messages[1]["content"] for request in llm.requests]
    assert told == [True, True, False]


@pytest.mark.parametrize(
    ("graph", "told"), [(PING_PONG, "the topics are a, b"), (None, "no topics are followed")]
)
def test_a_difference_in_a_topic_that_is_not_followed_is_refused(graph, told):
    conversation = live() if graph is None else follows(graph)
    with pytest.raises(UserConfigError, match=f"there is no topic 'refund'; {told}"):
        conversation.simulate(goal=GOAL, during_topic={"refund": SimulatedUser(role="A pilot")})
    assert conversation.turns == ()


def test_a_difference_may_be_said_of_a_topic_that_is_declared_around_the_test():
    conversation = live(topics=(topic("refund"),))
    conversation.simulate(goal=GOAL, during_topic={"refund": SimulatedUser(role="A pilot")})
    assert len(conversation.turns) == 1
