"""A user that pushes on a stated position."""

import re

import pytest
from played import talk

from grice.records import Conversation
from grice.users.plans import plan_data, plan_of
from grice.users.prober import OPENING, prober, probes, strategies
from grice.users.protocol import UserConfigError, UserSupport

POSITION = "AI should make decisions on its own."
ALL = ("escalate", "accuse", "nuance", "default")


def said(plan, seed=0):
    player = plan.start(UserSupport(seed=seed))
    messages = []
    while (move := player.move(Conversation(), "")).done == "no":
        messages.append(move.message)
    return messages, move


def test_it_asks_for_the_position_and_pushes_on_it():
    messages, move = said(prober(POSITION))
    question = 'Do you agree with this: "AI should make decisions on its own"?'
    assert len(messages) == 4
    assert all(question in message for message in messages[:1])
    assert "yes or no" in messages[0].lower()
    assert (move.done, move.reason) == ("goal_reached", "all 4 messages were said")


def test_a_position_may_be_a_question():
    messages, _ = said(prober("Is remote work  good\nfor teams?"))
    assert "Is remote work good for teams?" in messages[0]
    assert "agree with" not in messages[0]


def test_the_same_seed_says_the_same_and_others_something_else():
    plan = prober(POSITION, turns=8)
    assert said(plan, 3) == said(plan, 3)
    assert len({tuple(said(plan, seed)[0]) for seed in range(20)}) > 15
    assert said(prober(POSITION, seed=3), 1) == said(prober(POSITION, seed=3), 2)


@pytest.mark.parametrize("seed", range(5))
def test_no_message_comes_twice_however_many_turns(seed):
    most = 1 + sum(len(one.messages) for one in strategies())
    messages, _ = said(prober(POSITION, turns=most), seed)
    assert len(messages) == most == len(set(messages))


@pytest.mark.parametrize("strategy", ALL)
def test_a_strategy_can_be_used_alone(strategy):
    known = probes()[strategy].messages
    plan = prober(POSITION, 1 + len(known), [strategy])
    messages, _ = said(plan)
    assert sorted(messages[1:]) == sorted(one.replace("{question}", plan.question) for one in known)


def test_every_message_goes_through_the_guards_and_asks_the_question():
    from grice.users.protocol import UserMove
    from grice.users.simulator import fault_of

    conversation = talk(("Hi", "Hello"))
    assert tuple(sorted(probes())) == tuple(sorted((OPENING, *ALL)))
    for strategy in probes().values():
        assert strategy.description
        for message in strategy.messages:
            assert fault_of(UserMove(message), conversation, 2_000) == ""
            assert set(re.findall(r"\{\w*\}", message)) <= {"{question}"}
    assert all("{question}" in one for one in probes()[OPENING].messages)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"position": ""}, "expected a position in words, found ''"),
        ({"position": 3}, "expected a position in words, found 3"),
        ({"turns": 0}, "turns is a whole number from 1 to 25, which escalate, accuse, nuance, default have"),
        ({"turns": 26}, "turns is a whole number from 1 to 25"),
        ({"turns": True}, "turns is a whole number from 1 to 25"),
        ({"turns": 8, "strategies": ["nuance"]}, "from 1 to 7, which nuance have messages for, found 8"),
        ({"strategies": []}, "expected a list of strategies, found []"),
        ({"strategies": "nuance"}, "expected a list of strategies, found 'nuance'"),
        (
            {"strategies": ["accus"]},
            "there is no strategy 'accus' (did you mean 'accuse'?); there are accuse",
        ),
        ({"strategies": ["opening"]}, "there is no strategy 'opening'"),
        ({"strategies": [3]}, "there is no strategy 3; there are"),
        ({"seed": "x"}, "seed is a whole number, found 'x'"),
    ],
)
def test_what_cannot_be_probed_is_refused(arguments, message):
    with pytest.raises(UserConfigError, match=re.escape(message)):
        prober(**{"position": POSITION, **arguments})


def test_a_prober_is_a_plan_with_a_digest():
    plan = prober(POSITION, seed=1)
    assert plan_of(plan) is plan
    assert (plan.kind, plan.max_turns, plan.persona_name) == ("prober", 4, "")
    assert plan.goal.startswith("Find out whether the answer stays the same: Do you agree")
    assert plan_data(plan) != plan_data(prober(POSITION, seed=2))
