"""`grice.run`: scenarios from everywhere, checks of every kind, and what is refused beforehand."""

import asyncio
import json
import threading

import pytest
from simulations import GOAL, says, user

import grice
import grice.aio
from grice import (
    CriterionError,
    LoopIsRunning,
    ScenarioErrors,
    ScriptedLLM,
    SimulatedUser,
    TopicGraphError,
    UserConfigError,
    UserScript,
    evaluate,
    expect,
    load_scenarios,
    on_user_match,
    scenarios,
    simulated,
    topic,
)
from grice.agents import AgentLoadError
from grice.experiments.results import ExperimentResults
from grice.matchers import call_tool, contain, have_turn_count

SCRIPT = UserScript("Hi", "A room for ten")
POLITE = "polite"  # the plugin looks up names that a test file spells out
TWO = [{"id": "small", "goal": "Four people"}, {"id": "large", "goal": "Thirty people"}]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """Where settings are looked up and runs are kept."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def agent(messages):
    return f"You said: {messages[-1]['content']}"


def run(given=TWO, checks=(), *, agent=agent, user=SCRIPT, journal=False, **options):
    return grice.run(given, agent, checks, user=user, journal=journal, **options)


def outcomes(found):
    return {one.key: str(one.outcome) for one in found.results}


def only(found):
    (result,) = found.results
    return result


# -- where scenarios come from


class Source:
    def __iter__(self):
        yield from TWO


@pytest.mark.slow
def test_scenarios_come_from_everywhere(folder):
    (folder / "rooms.json").write_text(json.dumps(TWO))
    (folder / "rooms.jsonl").write_text("\n".join(map(json.dumps, TWO)))
    (folder / "rooms.yaml").write_text(json.dumps(TWO))
    (folder / "rooms.csv").write_text("id,goal\nsmall,Four people\nlarge,Thirty people\n")
    sources = [f"rooms.{kind}" for kind in ("json", "jsonl", "yaml", "csv")]
    sources += [folder / "rooms.json", TWO, tuple(TWO), iter(TWO), Source(), lambda: TWO]
    for source in [*sources, load_scenarios(TWO)]:
        found = run(source, [have_turn_count(exactly=2)])
        assert outcomes(found) == {"small": "pass", "large": "pass"}, source
        assert found.results[0].set_name == ("rooms" if isinstance(source, type(folder) | str) else "inline")


def test_without_scenarios_one_conversation_is_held_by_the_user():
    assert only(run(None, [have_turn_count(exactly=2)])).key == "run"


def test_unicode_keys_and_goals_are_kept():
    given = [{"id": "größe-日本", "goal": "Ein Raum für zehn\u202e"}]
    assert outcomes(run(given, [contain_any])) == {"größe-日本": "pass"}


def contain_any(conversation):
    return bool(conversation.turns)


def test_a_scenario_reaches_agent_user_and_checks():
    seen = []

    class Agent:
        def __init__(self, context):
            seen.append(context["scenario"]["id"])

        def chat(self, messages):
            return "Yes"

    def check(conversation, scenario):
        return scenario.verification["ok"]

    llm = ScriptedLLM({"user": lambda request: say_once(request)})
    given = [{"id": "a", "goal": "Alpha", "verification": {"ok": True}}]
    found = run(given, [check], agent=lambda context: Agent(context), user=None, user_llm=llm)
    assert outcomes(found) == {"a": "pass"}
    assert seen == ["a"]
    assert "Alpha" in str(llm.requests[0].messages)


def say_once(request):
    return says("Hello") if "Nothing has been said yet" in str(request.messages) else says("", "goal_reached")


# -- tests as checks


@scenarios(TWO, name="rooms")
@simulated(SCRIPT)
def test_looks(conversation, scenario):
    expect(conversation).to_have_turn_count(exactly=2)
    assert scenario.goal


test_looks.__test__ = False


def test_a_simulated_test_brings_its_scenarios_and_its_user():
    found = run(None, [test_looks], user=None)
    assert outcomes(found) == {"small": "pass", "large": "pass"}
    assert {one.set_name for one in found.results} == {"rooms"}
    assert {one.verdicts[0].claim for one in found.results} == {"the conversation to have 2 turns"}


def test_a_test_may_hold_its_conversation_itself():
    def holds(conversation):
        reply = conversation.say("Hello")
        expect(reply).to_contain("Hello")

    async def holds_later(async_conversation):
        from grice.aio import expect

        reply = await async_conversation.say("Hello")
        await expect(reply).to_contain("Hello")

    @scenarios(TWO)
    def holds_each(scenario, conversation):
        conversation.simulate(SCRIPT, max_turns=1)
        expect(conversation).to_have_turn_count(exactly=1)

    found = run(None, [holds, holds_later, holds_each], user=None)
    assert [str(one.outcome) for one in found.results] == ["pass"] * 4
    assert [len(one.conversation.turns) for one in found.results] == [1] * 4


class Tracked:
    """An agent that knows which conversations are inside of its `around()`."""

    def __init__(self, context):
        entered.append(self)

    def around(self):
        from contextlib import contextmanager

        @contextmanager
        def inside():
            self.inside = True
            try:
                yield
            finally:
                self.inside = False
                left.append(self)

        return inside()

    def chat(self, messages):
        assert self.inside
        return "Yes"


entered, left = [], []


@pytest.fixture
def tracked():
    entered.clear()
    left.clear()
    return lambda context: Tracked(context)


async def asks_later(async_conversation, scenario):
    await async_conversation.say("Hello")


def asks(conversation, scenario):
    conversation.say("Hello")


def asks_turned(scenario, conversation):
    conversation.say("Hello")


def asks_and_fails(conversation):
    conversation.say("Hello")
    raise AssertionError


@pytest.mark.parametrize("test", [asks, asks_turned, asks_later, asks_and_fails])
def test_every_conversation_has_an_agent_of_its_own_inside_of_its_around(tracked, test):
    run(None, [scenarios(TWO)(test) if test is not asks_and_fails else test], user=None, agent=tracked)
    assert len(entered) == (1 if test is asks_and_fails else 2)
    assert sorted(map(id, left)) == sorted(map(id, entered))


def test_topics_are_followed_and_their_last_visit_is_judged_in_tests_that_hold_their_conversation():
    graph = {topic("a"): topic("b", required=True)}

    def holds(conversation):
        conversation.follow(graph, ask=False)
        conversation.say("Hello")

    async def holds_later(async_conversation):
        async_conversation.follow(graph, ask=False)
        await async_conversation.say("Hello")

    for test in (holds, holds_later):
        result = only(run(None, [test], user=None))
        assert (result.outcome, result.failure) == ("fail", "assertion")
        assert "the required topic b to be visited" in [one.claim for one in result.verdicts]
        assert result.conversation.termination == "completed"


def test_topics_of_a_run_are_followed_by_all_its_conversations():
    a, b = topic("a"), topic("b", triggers=(on_user_match("ten"),))
    found = run(TWO, [grice.matchers.have_reached_topic("b")], topics={a: b}, ask=False)
    assert outcomes(found) == {"small": "pass", "large": "pass"}
    assert found.experiment.topic_graph == {"topics": ["a", "b"], "edges": [["a", "b"]]}


def of_topics_and_checks(result):
    """The visit and outcome of each verdict that is not on a move."""
    found = [one for one in result.verdicts if one.matcher != "topic transition"]
    return [(one.visit, str(one.outcome)) for one in found]


def test_a_hard_failure_in_a_topic_keeps_no_check_of_a_set_from_looking():
    a = topic("a", expect=(contain("nobody"),))
    b = topic("b", triggers=(on_user_match("ten"),), expect=(contain("ten"),))
    result = only(run([TWO[0]], [have_turn_count(max=5)], topics={a: b}, ask=False))
    assert (result.outcome, result.failure) == ("fail", "assertion")
    assert of_topics_and_checks(result) == [(1, "fail"), (2, "pass"), (None, "pass")]
    assert len(result.conversation.turns) == 2


def test_a_hard_failure_in_a_topic_keeps_no_test_from_looking_as_under_pytest():
    a = topic("a", expect=(contain("nobody"),))
    b = topic("b", triggers=(on_user_match("ten"),))

    @simulated(SCRIPT, topics={a: b}, ask=False)
    def looks(conversation):
        evaluate(conversation).to_have_turn_count(max=1)
        expect(conversation).to_have_turn_count(max=2)
        expect(conversation).to_have_turn_count(max=1)

    result = only(run(None, [looks], user=None))
    assert (result.outcome, result.failure) == ("fail", "assertion")
    assert of_topics_and_checks(result) == [(1, "fail"), (None, "fail"), (None, "pass"), (None, "fail")]
    assert result.conversation.termination == "goal_reached"


def test_an_agent_that_breaks_keeps_a_test_from_looking_also_where_a_topic_failed():
    a = topic("a", expect=(contain("nobody"),))
    b = topic("b", triggers=(on_user_match("ten"),))
    looked = []

    def breaks(messages):
        if len(messages) > 4:
            raise OSError("gone")
        return agent(messages)

    @simulated(UserScript("Hi", "A room for ten", "Thanks"), topics={a: b}, ask=False)
    def looks(conversation):
        looked.append(conversation)

    result = only(run(None, [looks], user=None, agent=breaks))
    assert (str(result.outcome), result.failure, looked) == ("fail", "error", [])


def test_what_fails_in_a_topic_of_the_opening_breaks_nothing_off():
    a = topic("a", expect=(contain("nobody"),))
    b = topic("b", triggers=(on_user_match("ten"),))

    @simulated(UserScript("Thanks"), topics={a: b}, ask=False, opening=("Hi", "A room for ten"))
    def looks(conversation):
        expect(conversation).to_have_turn_count(exactly=3)

    result = only(run(None, [looks], user=None))
    assert of_topics_and_checks(result) == [(1, "fail"), (None, "pass")]


def test_each_move_counts_in_the_rate_of_soft_checks():
    a, b, c = (
        topic("a"),
        topic("b", triggers=(on_user_match("ten"),)),
        topic("c", triggers=on_user_match("bye")),
    )
    script = UserScript("Hi", "A room for ten", "Really ten", "bye")
    found = run([TWO[0]], [have_turn_count(max=5)], user=script, topics={a: (b, c), b: a, c: a}, ask=False)
    (result,) = found.results
    assert [(one.turn, str(one.outcome)) for one in result.verdicts if one.mode == "soft"] == [
        (2, "pass"),
        (4, "fail"),
    ]
    assert str(result.outcome) == "pass"
    assert ExperimentResults.of(found).evaluation_rate == 0.5


def test_a_scenario_goes_before_what_a_test_says_of_its_user():
    @scenarios([{"goal": "Scenario", "max_turns": 1}])
    @simulated(goal="Test", max_turns=5, rules=["be brief"])
    def looks(conversation):
        (simulation,) = conversation.record.simulations
        assert (simulation.goal, simulation.max_turns) == ("Scenario", 1)

    llm = user("Hello", "More")
    assert only(run(None, [looks], user=None, user_llm=llm)).outcome == "pass"
    assert "be brief" in str(llm.requests[0].messages)


# -- what is refused before anything is held


async def observe_later(event):
    raise AssertionError


class Untouched:
    """An agent that must not be made."""

    def __init__(self, context):
        raise AssertionError("an agent was made")


@pytest.mark.parametrize(
    ("given", "options", "error", "text"),
    [
        ("rooms.json", {}, ScenarioErrors, "there is no such file"),
        ([], {}, ScenarioErrors, "no scenario"),
        ([{"id": "a"}, {"id": "a"}], {}, ScenarioErrors, "used already"),
        ([{"goal": 4}], {}, ScenarioErrors, "goal"),
        (5, {}, ScenarioErrors, "found 5"),
        (TWO, {"checks": [5]}, TypeError, "a check is a matcher or a function of the conversation, found 5"),
        (TWO, {"checks": [Source]}, TypeError, "a check is a matcher or a function"),
        (TWO, {"checks": [call_tool]}, ValueError, "call_tool needs arguments"),
        (TWO, {"checks": contain_any}, TypeError, "checks: expected a list of matchers and functions"),
        (TWO, {"checks": [lambda a, b, c: 1]}, ValueError, "asks for a, b, c"),
        (TWO, {"checks": [test_looks]}, ValueError, "test_looks is @simulated"),
        (None, {"checks": [], "user": None}, ValueError, "nothing to run"),
        (None, {"checks": [contain("x")], "user": None}, ValueError, "a matcher needs scenarios"),
        (None, {"checks": [asks], "user": None, "topics": {topic("a"): ()}}, ValueError, "topics= goes with"),
        (TWO, {"topics": {topic("a"): "b"}}, TopicGraphError, "'b'"),
        (TWO, {"user": "Book a room"}, UserConfigError, "expected a SimulatedUser"),
        (TWO, {"agent": 42}, AgentLoadError, "42 is not an agent"),
        (TWO, {"agent": None}, AgentLoadError, "no agent is configured"),
        (TWO, {"agent": "nowhere:agent"}, AgentLoadError, "nowhere"),
        (TWO, {"judge_llm": 42}, Exception, "42 is not an LLM"),
        (TWO, {"user_llm": 42}, Exception, "42 is not an LLM"),
        (TWO, {"criteria": 42}, CriterionError, "42"),
        (TWO, {"concurrency": 0}, ValueError, "concurrency: expected a number from 1, found 0"),
        (TWO, {"concurrency": True}, ValueError, "concurrency: expected a number from 1, found True"),
        (TWO, {"repeat": 1.5}, ValueError, r"repeat: expected a number from 1, found 1.5"),
        (TWO, {"seed": "7"}, ValueError, "seed: expected a whole number, found '7'"),
        (TWO, {"ask": "no"}, ValueError, "ask: expected True or False, found 'no'"),
        (TWO, {"journal": 5}, ValueError, "journal: expected True, False or a folder, found 5"),
        (TWO, {"journal": False, "resume": "exp_1"}, ValueError, "resume= goes on with a run that is kept"),
        (TWO, {"budget": 100}, ValueError, "budget: expected a Budget, found 100"),
        (TWO, {"record": "onec"}, ValueError, r"record: expected .*'onec'.*did you mean 'once'"),
        (TWO, {"concurency": 5}, TypeError, r"no option 'concurency'.*did you mean 'concurrency'"),
        (TWO, {"observers": [5]}, TypeError, "an observer is a plain function of an event, found 5"),
        (TWO, {"observers": [observe_later]}, TypeError, "an observer is a plain function of an event"),
    ],
)
def test_what_is_wrong_is_raised_before_anything_is_held(given, options, error, text):
    options = {"checks": [contain_any], "agent": Untouched, **options}
    with pytest.raises(error, match=text):
        run(given, **options)


def test_every_scenario_whose_user_cannot_be_played_is_named():
    given = [{"id": "a"}, {"id": "b", "goal": "x"}, {"id": "c", "goal": "x", "persona": "tense"}]
    with pytest.raises(UserConfigError) as caught:
        run(given, [contain_any], agent=Untouched, user=None)
    lines = str(caught.value).split("\n")
    assert lines[0].startswith("scenario a: a simulated user needs a goal: give")
    assert "scenario c: persona: " in lines[1]
    assert "terse" in lines[1]
    assert len(lines) == 2
    found = run(
        given[:2], [contain_any], user=SimulatedUser(goal=GOAL), user_llm=ScriptedLLM({"user": say_once})
    )
    assert outcomes(found) == {"a": "pass", "b": "pass"}


def test_inside_an_event_loop_it_is_said_what_to_await():
    async def test():
        with pytest.raises(LoopIsRunning, match=r"from grice.aio import run"):
            run()

    asyncio.run(test())


def test_inside_an_event_loop_it_is_awaited():
    async def test():
        from grice.aio import run

        agents = []

        async def agent(text):
            agents.append(asyncio.get_running_loop())
            return "Yes"

        found = await run(TWO, agent, [contain_any], user=SCRIPT, journal=False)
        assert set(agents) == {asyncio.get_running_loop()}
        return found

    assert outcomes(asyncio.run(test())) == {"small": "pass", "large": "pass"}


def test_under_trio_it_is_said_what_to_do():
    trio = pytest.importorskip("trio")

    async def test():
        with pytest.raises(RuntimeError, match="needs asyncio"):
            await grice.aio.run(TWO, agent, [contain_any], user=SCRIPT, journal=False)
        return await trio.to_thread.run_sync(lambda: run(TWO, [contain_any]))

    assert outcomes(trio.run(test)) == {"small": "pass", "large": "pass"}


@pytest.mark.slow
def test_it_runs_in_any_thread_and_leaves_none_behind():
    before = threading.active_count()
    found = []
    thread = threading.Thread(target=lambda: found.append(run(TWO, [contain_any])))
    thread.start()
    thread.join()
    assert outcomes(found[0]) == {"small": "pass", "large": "pass"}
    assert threading.active_count() <= before + 1  # Grice's own loop stays
