"""Users that are played, and topics that are followed, in conversations that coroutines drive."""

import asyncio
from contextlib import asynccontextmanager

import pytest
from simulations import GOAL, endless, live, said, says, user

from grice import (
    AgentFailed,
    AsyncConversation,
    ExpectationFailed,
    LoopIsRunning,
    ScriptedLLM,
    SimulatorError,
    UserScript,
    on_reply_match,
    topic,
)
from grice.matchers import contain
from grice.running.support import Support

greeting = topic("greeting")
booking = topic("booking", triggers=(on_reply_match("booked"),), expect=(contain("Blue Room"),))
FLOW = {greeting: booking, booking: ()}


class Agent:
    """An agent that books with the second answer, and knows who is inside of its `around()`."""

    def __init__(self, *answers):
        self.answers = list(answers or ["Hello", "The Blue Room is booked"])
        self.inside = False
        self.left = False

    @asynccontextmanager
    async def around(self):
        self.inside = True
        try:
            yield
        finally:
            self.inside, self.left = False, True

    async def chat(self, messages):
        assert self.inside
        answer = self.answers.pop(0)
        await asyncio.sleep(0)
        if isinstance(answer, BaseException):
            raise answer
        return answer


def conversation(agent=None, llm=None, **given):
    return live(agent or Agent(), llm, kind=AsyncConversation, **given)


def run(test):
    """The coroutine as a test of its own."""

    def runs():
        asyncio.run(test())

    runs.__name__ = test.__name__
    return runs


@run
async def test_a_user_is_played_in_a_coroutine():
    async with conversation(llm=user("Hi", "A room, please")) as talk:
        simulation = await talk.simulate(goal=GOAL)
    assert said(talk) == ["Hi", "A room, please"]
    assert simulation.termination == talk.record.termination == "goal_reached"
    assert talk._agent is not None


@run
async def test_topics_are_followed_in_a_coroutine_and_the_last_is_judged_at_the_end():
    talk = conversation(Agent("Hello", "It is booked"), user("Hi", "A room, please"))
    talk.follow(FLOW, ask=False)
    async with talk:
        await talk.simulate(goal=GOAL)
        with pytest.raises(ExpectationFailed, match="Blue Room"):
            await talk.finish_later()
    assert [visit.topic for visit in talk.visits] == ["greeting", "booking"]


@run
async def test_an_agent_that_raises_midway_leaves_its_around():
    agent = Agent("Hello", OSError("gone"))
    with pytest.raises(AgentFailed, match="OSError: gone"):
        async with conversation(agent, endless()) as talk:
            await talk.simulate(goal=GOAL)
    assert agent.left
    assert talk.record.simulations[0].termination == talk.record.termination == "agent_error"


@pytest.mark.parametrize("here", [True, False])
def test_a_cancellation_while_the_llm_is_asked_ends_it_as_interrupted(here):
    asked = []

    async def hang(request):
        asked.append(request)
        await asyncio.sleep(30)

    agent = Agent()

    async def test():
        async with conversation(agent, ScriptedLLM({"user": [says("Hi"), hang]})) as talk:
            talk.asks_here = here
            records.append(talk)
            await talk.simulate(goal=GOAL)

    async def cancelled():
        task = asyncio.create_task(test())
        while not asked:
            await asyncio.sleep(0.001)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    records = []
    asyncio.run(cancelled())
    assert agent.left
    (simulation,) = records[0].record.simulations
    assert (simulation.turns, simulation.termination) == (1, "interrupted")
    assert records[0].record.termination == "interrupted"


def test_a_cancellation_while_the_agent_answers_ends_it_as_interrupted():
    class Hanging(Agent):
        async def chat(self, messages):
            self.asked = True
            await asyncio.sleep(30)

    agent = Hanging()
    agent.asked = False
    talk = conversation(agent, endless())

    async def test():
        async with talk:
            await talk.simulate(goal=GOAL)

    async def cancelled():
        task = asyncio.create_task(test())
        while not agent.asked:
            await asyncio.sleep(0.001)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(cancelled())
    assert agent.left
    assert talk.record.simulations[0].termination == talk.record.termination == "interrupted"


@run
async def test_a_synchronous_conversation_says_what_to_take_in_an_event_loop():
    talk = live(lambda text: "Yes")
    with pytest.raises(LoopIsRunning, match="async_conversation"):
        talk.simulate(goal=GOAL)
    with pytest.raises(LoopIsRunning, match="async_conversation"):
        talk.simulate(UserScript("Hi"))


@run
async def test_several_conversations_play_at_once():
    """Each waits for the others in its first turn: one after the other none would end."""
    arrived, all_there = [], asyncio.Event()

    async def agent(text):
        arrived.append(text)
        if len(arrived) == 10:
            all_there.set()
        await asyncio.wait_for(all_there.wait(), 60)
        return "Yes"

    talks = [conversation(agent, user(f"Number {number}")) for number in range(10)]
    await asyncio.gather(*[talk.simulate(goal=GOAL) for talk in talks])
    assert sorted(arrived) == sorted(f"Number {number}" for number in range(10))


@run
async def test_an_llm_may_be_asked_on_the_loop_of_the_conversation():
    loops = []

    async def play(request):
        loops.append(asyncio.get_running_loop())
        return says("Hi") if len(loops) == 1 else says("", "goal_reached")

    talk = conversation(lambda text: "Yes", ScriptedLLM({"user": play}))
    talk.asks_here = True
    await talk.simulate(goal=GOAL)
    assert loops == [asyncio.get_running_loop()] * 2


@pytest.mark.parametrize("here", [True, False])
def test_an_llm_that_never_answers_is_given_up(here, monkeypatch):
    async def hang(request):
        await asyncio.sleep(30)

    async def test():
        talk = conversation(lambda text: "Yes", ScriptedLLM({"user": hang}))
        talk.asks_here = here
        with pytest.raises(SimulatorError, match=r"an LLM did not answer within 0.02 s"):
            await talk.simulate(goal=GOAL)

    monkeypatch.setattr("grice.running.steps.LONGEST", 0.02)
    asyncio.run(test())


@run
async def test_a_player_that_fails_in_a_coroutine_is_a_simulator_error():
    talk = conversation(llm=ScriptedLLM({"user": says("")}))
    with pytest.raises(SimulatorError, match="empty"):
        async with talk:
            await talk.simulate(goal=GOAL)
    assert talk.record.termination == "simulator_error"


def test_users_are_played_under_trio():
    trio = pytest.importorskip("trio")

    async def agent(text):
        await trio.sleep(0)
        return "Hello" if "Hi" in text else "The Blue Room is booked"

    async def play(request):
        await asyncio.sleep(0)  # on Grice's own loop
        return next(moves)

    moves = iter([says("Hi"), says("A room"), says("", "goal_reached")])
    log_of = []

    async def test():
        support = Support(find_llm=lambda: ScriptedLLM({"user": play}))
        async with AsyncConversation(agent, find_support=lambda: support) as talk:
            talk.follow(FLOW, ask=False)
            log_of.append(await talk.simulate(goal=GOAL))
        log_of.append(talk.record)

    trio.run(test)
    simulation, record = log_of
    assert simulation.termination == record.termination == "goal_reached"
    assert [visit.topic for visit in record.visits] == ["greeting", "booking"]


def test_a_cancellation_under_trio_ends_it_as_interrupted():
    trio = pytest.importorskip("trio")
    talks = []

    async def agent(text):
        await trio.sleep(30)

    async def test():
        with trio.move_on_after(0.02) as scope:
            async with AsyncConversation(agent) as talk:
                talks.append(talk)
                await talk.simulate(UserScript("Hi"))
        assert scope.cancelled_caught

    trio.run(test)
    assert talks[0].record.simulations[0].termination == talks[0].record.termination == "interrupted"
