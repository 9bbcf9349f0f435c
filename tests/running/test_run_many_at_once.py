"""`grice.run`: many at once, what fails in one of them, and what observers are told."""

import asyncio
import threading
import time
from contextlib import contextmanager

import pytest
from simulations import says

import grice
import grice.aio
from grice import (
    LLMError,
    ObserverFailed,
    ScriptedLLM,
    UserScript,
    on_user_match,
    scenarios,
    topic,
)
from grice.running.events import (
    ConversationFinished,
    ConversationStarted,
    RunFinished,
    RunStarted,
    SimulationEnded,
    TopicChanged,
    TurnFinished,
)

SCRIPT = UserScript("Hi")
MANY = [{"id": f"s{number}", "goal": f"Goal {number}"} for number in range(12)]
JUDGED = {"requirement": "x", "reasoning": "so", "achieved": True}


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """Where settings are looked up and runs are kept."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(given=MANY, checks=(lambda c: True,), *, agent=lambda text: "Yes", user=SCRIPT, **options):
    return grice.run(given, agent, list(checks), user=user, **{"journal": False, **options})


def outcomes(found):
    return {(one.key, one.repeat): str(one.outcome) for one in found.results}


# -- many at once


class Crowd:
    """Agents that count how many of them answer at the same time."""

    def __init__(self, wait_for=1):
        self.now = self.most = 0
        self.made = 0
        self.wait_for = wait_for
        self.there = asyncio.Event()

    def agent(self, context):
        self.made += 1
        return CrowdAgent(self)


class CrowdAgent:
    def __init__(self, crowd):
        self.crowd = crowd

    async def chat(self, messages):
        crowd = self.crowd
        crowd.now += 1
        crowd.most = max(crowd.most, crowd.now)
        if crowd.most >= crowd.wait_for:
            crowd.there.set()
        await asyncio.wait_for(crowd.there.wait(), 5)
        await asyncio.sleep(0)
        crowd.now -= 1
        return "Yes"


@pytest.mark.parametrize("concurrency", [1, 4, 12, 10**9])
def test_as_many_are_held_at_once_as_are_allowed_and_no_more(concurrency):
    crowd = Crowd(wait_for=min(concurrency, 12))
    found = run(agent=crowd.agent, concurrency=concurrency)
    assert crowd.most == min(concurrency, 12)
    assert crowd.made == 12
    assert set(outcomes(found).values()) == {"pass"}


@pytest.mark.slow
def test_synchronous_agents_and_tests_wait_beside_each_other():
    barrier = threading.Barrier(6)

    def agent(text):
        barrier.wait(5)
        return "Yes"

    @scenarios(MANY[:6])
    def holds(conversation, scenario):
        conversation.say(scenario.goal)

    for found in (
        run(MANY[:6], agent=agent, concurrency=6),
        run(None, [holds], user=None, agent=agent, concurrency=6),
    ):
        assert set(outcomes(found).values()) == {"pass"}


def test_repeats_have_an_agent_and_a_seed_of_their_own_and_one_round_follows_the_other():
    seeds, made = [], []

    def play(request):
        seeds.append(request.seed)
        return says("Hello") if "Nothing has been said yet" in str(request.messages) else says("", "gave_up")

    def agent(context):
        made.append(context["scenario"]["id"])
        return lambda text: "Yes"

    class Agents:
        def __init__(self, context):
            made.append(context["scenario"]["id"])

        def chat(self, messages):
            return "Yes"

    llm = ScriptedLLM({"user": play})
    found = run(MANY[:2], agent=Agents, user=None, user_llm=llm, repeat=3, seed=40, concurrency=1)
    assert [(one.key, one.repeat) for one in found.results] == [
        (key, repeat) for repeat in (1, 2, 3) for key in ("s0", "s1")
    ]
    assert made == ["s0", "s1"] * 3
    assert [one.conversation.simulations[0].seed for one in found.results] == [40, 40, 41, 41, 42, 42]
    assert set(seeds) == {40, 41, 42}
    assert len({one.id for one in found.results}) == 2


# -- one that fails


class Around:
    def __init__(self, context):
        self.key = context["scenario"]["id"]

    @contextmanager
    def around(self):
        if self.key == "s3":
            raise OSError("no database")
        yield
        if self.key == "s4":
            raise OSError("no rollback")

    def chat(self, messages):
        if self.key == "s1":
            raise ValueError("bad [bold]news[/bold]")
        return None if self.key == "s2" else "Yes"


def test_an_agent_that_fails_costs_its_own_conversation_only():
    found = run(MANY[:6], agent=Around, concurrency=3)
    results = {one.key: one for one in found.results}
    assert {key: (str(one.outcome), one.failure, one.counts) for key, one in results.items()} == {
        "s0": ("pass", "none", True),
        "s1": ("error", "error", True),
        "s2": ("error", "error", True),
        "s3": ("error", "error", True),
        "s4": ("error", "error", True),
        "s5": ("pass", "none", True),
    }
    assert "ValueError: bad [bold]news[/bold]" in results["s1"].verdicts[0].reason
    assert "no database" in results["s3"].verdicts[0].reason
    assert results["s3"].conversation.turns == ()
    assert {
        one.conversation.termination for key, one in results.items() if key in ("s1", "s2", "s3", "s4")
    } == {"agent_error"}


def test_an_agent_that_cannot_be_made_costs_its_own_conversation_only():
    def agent(context):
        if context["scenario"]["id"] == "s1":
            raise ConnectionError("no server")
        return Around(context)

    found = {one.key: one for one in run(MANY[:2], agent=agent).results}
    assert (found["s0"].outcome, found["s1"].outcome) == ("pass", "error")
    assert "no server" in found["s1"].verdicts[0].reason


def test_an_agent_that_hangs_is_a_time_out(folder):
    (folder / "pyproject.toml").write_text("[tool.grice]\nturn_timeout = 0.05\n")

    async def hangs(text):
        await asyncio.sleep(30)

    (result,) = run(MANY[:1], agent=hangs).results
    assert (result.outcome, result.failure, result.counts) == ("error", "timeout", True)
    assert result.conversation.termination == "timeout"


@pytest.mark.slow
def test_a_player_that_fails_is_not_charged_to_the_agent():
    llm = ScriptedLLM({"user": LLMError("overloaded")})
    (result,) = run(MANY[:1], user=None, user_llm=llm).results
    assert (result.outcome, result.failure, result.counts) == ("error", "error", False)
    assert (result.spoiled, result.conversation.termination) == ("hindered", "simulator_error")
    assert result.verdicts[0].claim == "the user to be played"
    assert "overloaded" in result.verdicts[0].reason


def test_a_judge_of_topics_that_is_missing_costs_its_own_conversation_only():
    a, b = topic("a", triggers=(on_user_match("Hi"),)), topic("b")

    def play(conversation):
        return None if conversation.turns else "Hi"

    def other(conversation):
        return None if conversation.turns else "Other"

    (good,) = run(MANY[:1], user=play, topics={a: b}).results
    (bad,) = run(MANY[:1], user=other, topics={a: b}).results
    assert good.outcome == "pass"
    assert (bad.outcome, bad.failure, bad.counts) == ("error", "error", False)
    assert "no trigger tells the topic" in bad.verdicts[0].reason
    assert bad.verdicts[0].claim == "the conversation to be held"


def test_anything_else_that_breaks_costs_its_own_conversation_only():
    class Plan:
        kind = "own"
        goal = persona_name = ""
        max_turns = 3

        def start(self, support):
            raise RecursionError("too deep")

    (result,) = run(MANY[:1], user=Plan()).results
    assert (result.outcome, result.failure, result.counts) == ("error", "error", False)
    assert result.verdicts[0].reason == "RecursionError: too deep"


def test_an_agent_may_skip_as_under_pytest():
    def agent(text):
        pytest.skip("not today")

    (result,) = run(MANY[:1], agent=agent).results
    assert (result.outcome, result.verdicts[0].reason) == ("skipped", "not today")


def test_what_an_agent_does_to_its_scenario_reaches_nobody_else():
    class Careless:
        def __init__(self, context):
            context["scenario"].clear()

        def chat(self, messages):
            return "Yes"

    found = run(MANY[:2], [lambda c, s: s.goal.startswith("Goal")], agent=Careless, repeat=2)
    assert set(outcomes(found).values()) == {"pass"}


def test_an_agent_that_cancels_itself_costs_its_own_conversation_only():
    async def agent(text):
        raise asyncio.CancelledError

    class Plan:
        kind = "own"
        goal = persona_name = ""
        max_turns = 3

        def start(self, support):
            raise asyncio.CancelledError

    for options in ({"agent": agent}, {"user": Plan()}):
        found = run(MANY[:3], concurrency=2, **options)
        assert list(outcomes(found).values()) == ["error"] * 3


# -- observers


def test_observers_are_told_everything_in_order():
    a, b = topic("a"), topic("b", triggers=(on_user_match("Hi"),))
    events = []
    run(MANY[:1], topics={a: b}, ask=False, observers=[events.append], name="told")
    assert [type(event) for event in events] == [
        RunStarted,
        ConversationStarted,
        TopicChanged,
        TurnFinished,
        SimulationEnded,
        ConversationFinished,
        RunFinished,
    ]
    started, begun, changed, turn, simulated, finished, over = events
    assert (started.planned, started.finished_before) == (1, 0)
    assert begun.key == "s0"
    assert begun.id == turn.id == simulated.id == changed.id == finished.result.id
    assert (changed.before, changed.now.topic, changed.turn) == ("", "b", 1)
    assert turn.turn.topic == "b"
    assert (simulated.turns, simulated.termination) == (1, "goal_reached")
    assert (over.finished, over.complete) == (1, True)


def test_an_observer_that_raises_costs_no_conversation_and_is_told_no_more():
    told, calm = [], []

    def angry(event):
        told.append(event)
        raise ValueError("enough")

    with pytest.warns(
        ObserverFailed, match="the observer angry raised ValueError: enough; it is told no more"
    ):
        found = run(MANY[:2], observers=[angry, calm.append])
    assert len(found.results) == 2
    assert len(told) == 1
    assert isinstance(calm[-1], RunFinished)


def test_observers_are_told_one_event_at_a_time():
    inside, most = [], []

    def slow(event):
        inside.append(event)
        most.append(len(inside))
        time.sleep(0.0005)
        inside.remove(event)

    @scenarios(MANY)
    def holds(conversation, scenario):
        conversation.say("Hi")

    run(None, [holds], user=None, observers=[slow], concurrency=12)
    assert set(most) == {1}


def test_results_stand_in_the_order_of_their_scenarios_whichever_is_finished_first():
    class Agent:
        def __init__(self, context):
            self.wait = context["scenario"]["wait"]

        async def chat(self, messages):
            for _ in range(self.wait):
                await asyncio.sleep(0)
            return "Yes"

    given = [{"id": f"s{number}", "goal": "x", "wait": 50 * (3 - number)} for number in range(4)]
    finished = []

    def note(event):
        if isinstance(event, ConversationFinished):
            finished.append(event.result.key)

    found = grice.run(given, Agent, [lambda c: True], user=UserScript("Hi"), observers=[note], journal=False)
    assert finished == ["s3", "s2", "s1", "s0"]
    assert [one.key for one in found.results] == ["s0", "s1", "s2", "s3"]
