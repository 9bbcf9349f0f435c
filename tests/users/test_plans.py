"""Who can play a user: what `simulate` takes, and plain functions."""

import asyncio
import re

import pytest
from played import talk

from grice.matching.protocols import LLMError
from grice.users.plans import FunctionPlan, plan_data, plan_of
from grice.users.protocol import SimulatorError, UserConfigError, UserMove, UserSupport
from grice.users.settings import SimulatedUser

HEARD = talk(("Hi", "Which day?"))


def next_move(function, conversation=HEARD):
    move = plan_of(function).start(UserSupport()).move(conversation, "")
    return move if isinstance(move, UserMove) else asyncio.run(move)


async def later(conversation):
    return f"after {len(conversation.turns)}"


@pytest.mark.parametrize(
    ("function", "move"),
    [
        (lambda conversation: "Tomorrow", UserMove("Tomorrow")),
        (lambda conversation: conversation.turns[-1].text, UserMove("Which day?")),
        (lambda conversation: UserMove(done="gave_up", reason="no"), UserMove("", "gave_up", "no")),
        (later, UserMove("after 1")),
    ],
)
def test_a_function_plays_the_user(function, move):
    assert next_move(function) == move


def test_a_function_that_returns_none_is_done():
    def nothing(conversation):
        return None

    move = next_move(nothing)
    assert (move.done, move.reason) == ("goal_reached", "nothing returned None")


async def fails_later(conversation):
    raise ValueError("broken")


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (lambda conversation: 1 / 0, "which plays the user, raised ZeroDivisionError"),
        (fails_later, "the function fails_later, which plays the user, raised ValueError: broken"),
        (lambda conversation: 42, "returned 42, expected a text, a UserMove or None"),
        (lambda conversation: " ", "says ' ': a user says something"),
        (lambda conversation: UserMove(""), "says '': a user says something"),
    ],
)
def test_a_function_that_breaks_is_the_players_error(function, message):
    with pytest.raises(SimulatorError, match=re.escape(message)):
        next_move(function)


@pytest.mark.parametrize("error", [SimulatorError("mine"), LLMError("down")])
def test_a_functions_own_words_for_it_are_kept(error):
    def raises(conversation):
        raise error

    async def raises_later(conversation):
        raise error

    for function in (raises, raises_later):
        with pytest.raises(type(error), match=str(error)):
            next_move(function)


def test_functions_and_simulated_users_have_a_limit_of_turns():
    assert plan_of(lambda conversation: "x").max_turns == 15
    assert plan_of(SimulatedUser(goal="x")).max_turns == 15
    assert plan_of(SimulatedUser(goal="x", max_turns=3)).max_turns == 3
    plan = plan_of(later)
    assert (plan.kind, plan.goal, plan.persona_name) == ("function", "", "")


class OwnPlan:
    kind, goal, persona_name, max_turns = "own", "", "", 2

    def start(self, support):
        return None


def test_a_plan_of_ones_own_is_taken():
    plan = OwnPlan()
    assert plan_of(plan) is plan
    assert plan_data(plan)["kind"] == "own"


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("Hi", "found 'Hi'; what the user says once is conversation.say(...), a goal is goal=..."),
        (["Hi"], "found ['Hi']; a list of messages is UserScript(*messages)"),
        ({"goal": "A room"}, "found {'goal': 'A room'}; settings go by name"),
        (
            None,
            "prober(...) or a function of the conversation, found None",
        ),
        (SimulatedUser, "expected a SimulatedUser, a UserScript, prober(...)"),
        (OwnPlan, "expected a SimulatedUser, a UserScript, prober(...)"),
    ],
)
def test_what_cannot_play_is_refused(value, message):
    with pytest.raises(UserConfigError, match=re.escape(message)):
        plan_of(value)


def test_plans_have_digests():
    assert plan_data(SimulatedUser(goal="a")) == {"kind": "simulator", "settings": {"goal": "a"}}
    first, second = plan_data(FunctionPlan(later)), plan_data(FunctionPlan(fails_later))
    assert first["settings"]["function"].keys() == {"opaque"}
    assert first != second
