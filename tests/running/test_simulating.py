"""Users that are played in a live conversation: how it begins, goes on and ends."""

import asyncio

import pytest
from simulations import GOAL, endless, live, said, says, user

from grice import (
    AgentFailed,
    BudgetSpent,
    LiveConversation,
    LLMError,
    ScriptedLLM,
    SimulatorError,
    ToolsError,
    UserConfigError,
    UserMove,
    UserScript,
)


def test_a_user_is_played_until_they_are_done():
    conversation = live(llm=user("I need a room", "For ten people"))
    simulation = conversation.simulate(goal=GOAL)
    assert said(conversation) == ["I need a room", "For ten people"]
    assert (simulation.first, simulation.turns, simulation.asked) == (1, 2, 3)
    assert (simulation.termination, simulation.reason) == ("goal_reached", "so it is")
    assert (simulation.user, simulation.goal, simulation.max_turns) == ("simulator", GOAL, 15)


@pytest.mark.parametrize("done", ["goal_reached", "gave_up"])
def test_the_conversation_ends_as_its_user_did(done):
    with live(llm=user("I need a room", done=done)) as conversation:
        conversation.simulate(goal=GOAL)
    assert conversation.record.termination == done


def test_what_is_said_after_the_user_was_done_completes_the_conversation():
    with live() as conversation:
        conversation.simulate(goal=GOAL)
        conversation.say("One more thing")
    assert conversation.record.termination == "completed"


# -- limits


def test_without_turns_nothing_is_asked_and_nothing_said():
    llm = user("I need a room")
    with live(llm=llm) as conversation:
        simulation = conversation.simulate(goal=GOAL, max_turns=0)
    assert (simulation.turns, simulation.asked, llm.requests) == (0, 0, [])
    assert simulation.termination == conversation.record.termination == "max_turns"
    assert simulation.reason == "0 turns were made"


def test_after_the_last_allowed_turn_the_user_is_still_asked_whether_they_are_done():
    done = live(llm=user("I need a room")).simulate(goal=GOAL, max_turns=1)
    assert (done.termination, done.turns, done.asked) == ("goal_reached", 1, 2)
    not_done = live(llm=endless()).simulate(goal=GOAL, max_turns=1)
    assert (not_done.termination, not_done.turns) == ("max_turns", 1)
    assert not_done.reason == "1 turn was made"


def test_a_user_who_is_never_done_ends_at_the_limit():
    conversation = live(llm=endless())
    assert conversation.simulate(goal=GOAL).termination == "max_turns"
    assert len(conversation.turns) == 15


def test_a_user_of_whom_nobody_knows_whether_they_are_done_ends_at_the_limit_and_that_is_said():
    llm = ScriptedLLM({"user": [says("I need a room"), LLMError("overloaded")]})
    simulation = live(llm=llm).simulate(goal=GOAL, max_turns=1)
    assert simulation.termination == "max_turns"
    assert "whether the user is done is not known" in simulation.reason
    assert "overloaded" in simulation.reason


@pytest.mark.parametrize("limit", [-1, True, 1.5, "three"])
@pytest.mark.parametrize("users", [(), (UserScript("Hi"),)])
def test_a_limit_that_is_none_is_refused(limit, users):
    conversation = live()
    with pytest.raises(UserConfigError, match="max_turns: expected a whole number from 0, found"):
        conversation.simulate(*users, max_turns=limit)
    assert conversation.record.simulations == ()


# -- stopping


def test_a_condition_stops_it_also_after_the_last_allowed_turn():
    def is_over(conversation):
        return len(conversation.turns) == 2

    simulation = live(llm=endless()).simulate(goal=GOAL, max_turns=2, stop_when=is_over)
    assert (simulation.termination, simulation.turns, simulation.asked) == ("stop_condition", 2, 2)
    assert simulation.reason == "stop_when holds: is_over"


def test_a_condition_of_two_arguments_is_given_the_last_turn_too():
    heard = []

    def over(turn, conversation):
        heard.append((turn.number, len(conversation.turns), turn.text))
        return "2" in turn.user

    simulation = live(llm=endless()).simulate(goal=GOAL, stop_when=over)
    assert (simulation.termination, simulation.turns) == ("stop_condition", 2)
    assert heard[0] == (1, 1, "You said: And then there is question 1")


@pytest.mark.parametrize(
    "over",
    [
        lambda conversation, number=2: len(conversation.turns) == number,
        lambda conversation, *, number=2: len(conversation.turns) == number,
        lambda *both: len(both[1].turns) == 2,
    ],
)
def test_defaults_of_a_condition_are_not_arguments(over):
    assert live(llm=endless()).simulate(goal=GOAL, stop_when=over).turns == 2


def test_a_condition_that_raises_is_not_charged_to_the_agent():
    def over(conversation):
        return {}["price"]

    with live(llm=endless()) as conversation:
        with pytest.raises(SimulatorError, match=r"stop_when \(over\) raised KeyError: 'price'"):
            conversation.simulate(goal=GOAL, stop_when=over)
        assert conversation.record.simulations[0].termination == "simulator_error"


def test_an_async_condition_is_refused():
    async def over(conversation):
        return False

    for users, goal in (((), GOAL), ((UserScript("Hi"),), None)):
        settings = {"goal": goal} if goal else {}
        with pytest.raises(UserConfigError, match="stop_when: expected a plain function, found an async one"):
            live().simulate(*users, stop_when=over, **settings)


def test_a_condition_that_returns_something_to_await_is_an_error_and_not_true():
    async def later():
        return False

    with pytest.raises(SimulatorError, match="stop_when is async"):
        live(llm=endless()).simulate(goal=GOAL, stop_when=lambda c: later())


# -- together with what the test says


def test_a_user_goes_on_from_what_was_said():
    conversation = live(llm=user("For ten people"))
    conversation.say("Hello")
    simulation = conversation.simulate(goal=GOAL)
    assert said(conversation) == ["Hello", "For ten people"]
    assert (simulation.first, simulation.turns) == (2, 1)


def test_a_user_goes_on_from_the_history():
    history = live()
    history.say("Hello")
    conversation = live(llm=user("For ten people"), history=history.messages)
    assert conversation.simulate(goal=GOAL).first == 2


def test_two_users_one_after_the_other():
    llm = ScriptedLLM(
        {"user": [says("I need a room"), says("", "gave_up"), says("Hello again"), says("", "goal_reached")]}
    )
    with live(llm=llm) as conversation:
        first = conversation.simulate(goal=GOAL)
        second = conversation.simulate(goal=GOAL, persona="terse")
    assert [(one.first, one.turns) for one in (first, second)] == [(1, 1), (2, 1)]
    assert conversation.record.simulations == (first, second)
    assert conversation.record.termination == "goal_reached"
    assert second.persona == "terse"


def test_a_finished_user_can_be_followed_by_a_script():
    conversation = live()
    conversation.simulate(goal=GOAL)
    assert conversation.simulate(UserScript("Thanks", "Bye")).user == "script"
    assert said(conversation) == ["I need a room", "Thanks", "Bye"]


def test_client_side_tools_answer_while_a_user_is_played():
    def agent(messages):
        if messages[-1]["role"] == "tool":
            return f"It is {messages[-1]['content']} outside."
        return {"tool_calls": [{"name": "weather", "arguments": {"day": "today"}}]}

    conversation = live(agent, tools={"weather": lambda day: "sunny"})
    simulation = conversation.simulate(goal=GOAL, stop_when=lambda c: c.called_tool("weather"))
    assert (simulation.termination, simulation.turns) == ("stop_condition", 1)
    assert conversation.last.text == "It is sunny outside."
    assert conversation.tool_calls[0].result == "sunny"


def test_calls_that_nobody_answers_do_not_hold_up_a_user():
    conversation = live(lambda text: {"text": "One moment", "tool_calls": [{"name": "weather"}]})
    assert conversation.simulate(goal=GOAL).turns == 1
    assert not conversation.tool_calls[0].answered
    assert conversation.answer("sunny").turn.number == 1


# -- an agent that fails


class Failing:
    """An agent that answers once."""

    def __init__(self, fail):
        self.fail = fail
        self.answers = 0

    def chat(self, messages):
        self.answers += 1
        return self.fail() if self.answers > 1 else "Which day?"


def down():
    raise ConnectionError("refused")


@pytest.mark.parametrize(
    ("fail", "text"),
    [(down, "the agent raised ConnectionError: refused"), (lambda: None, "the agent returned None")],
)
def test_an_agent_that_fails_midway_ends_it(fail, text):
    conversation = live(Failing(fail), endless())
    with conversation, pytest.raises(AgentFailed, match=text):
        conversation.simulate(goal=GOAL)
    (simulation,) = conversation.record.simulations
    assert (simulation.turns, simulation.termination) == (2, "agent_error")
    assert text in simulation.reason
    assert conversation.record.termination == "agent_error"


def test_an_agent_that_hangs_ends_it_with_a_time_out():
    def hang():
        import time

        time.sleep(20)

    conversation = live(Failing(hang), endless(), turn_timeout=0.05)
    with conversation, pytest.raises(AgentFailed, match=r"did not answer within 0.05 s"):
        conversation.simulate(goal=GOAL)
    assert conversation.record.simulations[0].termination == conversation.record.termination == "timeout"


def test_an_agent_that_falls_silent_is_heard_as_silence():
    conversation = live(Failing(lambda: ""), user("I need a room", "Hello?", "Is anybody there?"))
    simulation = conversation.simulate(goal=GOAL)
    assert (simulation.termination, simulation.turns) == ("goal_reached", 3)


def test_a_tool_that_is_not_known_ends_it_as_the_agents_error():
    agent = Failing(lambda: {"tool_calls": [{"name": "wether"}]})
    conversation = live(agent, endless(), tools={"weather": lambda: "sunny"})
    with conversation, pytest.raises(ToolsError, match="wether"):
        conversation.simulate(goal=GOAL)
    assert conversation.record.simulations[0].termination == conversation.record.termination == "agent_error"


def test_a_conversation_goes_on_after_an_agent_that_failed():
    conversation = live(Failing(down), endless())
    with conversation:
        with pytest.raises(AgentFailed):
            conversation.simulate(goal=GOAL)
        conversation._agent.call = lambda *_: "Back again"
        assert conversation.simulate(goal=GOAL, max_turns=1).first == 3


# -- a player that fails


@pytest.mark.parametrize(
    ("answers", "fault"),
    [
        ([says(""), says(" ")], "the message is empty"),
        (["no json", "no json"], "malformed"),
        ([says("How can I help you today?"), says("Assistant: hello")], "of an assistant"),
        ([says("x" * 3000), says("x" * 3000)], "at most 2,000 are allowed"),
        ([says("", "goal_reached"), says("", "gave_up")], "before anybody has answered"),
    ],
)
def test_a_player_that_gives_nothing_usable_twice_is_not_charged_to_the_agent(answers, fault):
    with live(llm=ScriptedLLM({"user": answers})) as conversation:
        with pytest.raises(SimulatorError, match=fault):
            conversation.simulate(goal=GOAL)
        assert conversation.record.simulations[0].termination == "simulator_error"
        assert conversation.turns == ()
    assert conversation.record.termination == "simulator_error"


def test_a_player_that_repeats_itself_is_stopped():
    repeating = ScriptedLLM({"user": says("I would like to book a large room")})
    with live(llm=repeating) as conversation, pytest.raises(SimulatorError, match="repeats the one before"):
        conversation.simulate(goal=GOAL)
    assert len(conversation.turns) == 1


@pytest.mark.parametrize("down", [LLMError("overloaded"), OSError("refused")])
def test_an_llm_that_is_down_is_a_simulator_error(down):
    conversation = live(llm=ScriptedLLM({"user": [says("I need a room"), down]}))
    with conversation, pytest.raises(SimulatorError, match="the simulated user gave no answer"):
        conversation.simulate(goal=GOAL)
    assert conversation.record.termination == "simulator_error"


def test_without_an_llm_it_is_said_how_to_have_one():
    with pytest.raises(SimulatorError, match=r"no LLM is configured.*user_llm"):
        LiveConversation(lambda text: "Yes").simulate(goal=GOAL)


def test_a_budget_that_is_spent_is_told_as_such():
    llm = ScriptedLLM({"user": [says("I need a room"), BudgetSpent("the budget is spent")]})
    with live(llm=llm) as conversation, pytest.raises(BudgetSpent):
        conversation.simulate(goal=GOAL)
    assert conversation.record.simulations[0].termination == conversation.record.termination == "budget"


def test_a_budget_that_is_spent_at_the_limit_is_no_limit():
    llm = ScriptedLLM({"user": [says("I need a room"), BudgetSpent("the budget is spent")]})
    with live(llm=llm) as conversation, pytest.raises(BudgetSpent):
        conversation.simulate(goal=GOAL, max_turns=1)
    assert conversation.record.termination == "budget"


class Plan:
    """A plan of somebody's own, whose player makes these moves."""

    kind = "own"
    goal = persona_name = ""
    max_turns = None

    def __init__(self, *moves):
        self.moves = list(moves)
        self.faults, self.asked = [], 0

    def start(self, support):
        return self

    def move(self, conversation, topic):
        made = self.moves.pop(0)
        if isinstance(made, Exception):
            raise made
        return made


def test_a_plan_of_ones_own_plays():
    conversation = live()
    simulation = conversation.simulate(Plan(UserMove("Hi"), UserMove(done="gave_up", reason="enough")))
    assert (simulation.user, simulation.termination, simulation.reason) == ("own", "gave_up", "enough")


def test_what_a_player_says_of_itself_can_be_written_down():
    simulation = live().simulate(Plan(UserMove("Hi"), UserMove(done="gave_up", reason="x\ud800")))
    assert simulation.reason == "x\ufffd"
    assert live().simulate(UserScript("Hi", goal="x\ud800")).goal == "x\ufffd"


@pytest.mark.parametrize(
    ("move", "text"),
    [
        ("Hi", "returned 'Hi', expected a UserMove"),
        (None, "returned None, expected a UserMove"),
        (UserMove(), "says '': a user says something"),
        (UserMove(message=5), "says 5: a user says something"),
        (UserMove("Hi", done="yes"), "is done: 'yes'"),
        (UserMove(done="gave_up", reason=None), "gives the reason None, expected a text"),
        (ZeroDivisionError("by zero"), "the user's player raised ZeroDivisionError: by zero"),
    ],
)
def test_a_player_that_makes_no_move_is_a_simulator_error(move, text):
    conversation = live()
    with conversation, pytest.raises(SimulatorError) as caught:
        conversation.simulate(Plan(UserMove("Hi"), move))
    assert text in str(caught.value)
    assert conversation.record.termination == "simulator_error"


def test_ctrl_c_keeps_the_record_of_who_played():
    def interrupted(conversation):
        if conversation.turns:
            raise KeyboardInterrupt
        return "Hi"

    conversation = live()
    with pytest.raises(KeyboardInterrupt), conversation:
        conversation.simulate(interrupted)
    (simulation,) = conversation.record.simulations
    assert (simulation.turns, simulation.termination) == (1, "interrupted")
    assert conversation.record.termination == "interrupted"
    assert not conversation.simulating


def test_an_llm_that_never_answers_is_given_up(monkeypatch):
    async def hang(request):
        await asyncio.sleep(30)

    monkeypatch.setattr("grice.running.steps.LONGEST", 0.02)
    with live(llm=ScriptedLLM({"user": hang})) as conversation:
        with pytest.raises(SimulatorError, match=r"gave no answer: an LLM did not answer within 0.02 s"):
            conversation.simulate(goal=GOAL)
        assert conversation.record.simulations[0].termination == "simulator_error"


def test_one_user_is_played_at_a_time():
    conversation = live(llm=endless())

    def nested(record):
        conversation.simulate(UserScript("Me too"))

    with pytest.raises(SimulatorError, match="a user is being played in this conversation already"):
        conversation.simulate(goal=GOAL, stop_when=nested)
    assert len(conversation.turns) == 1
    assert not conversation.simulating
