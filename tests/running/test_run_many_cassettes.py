"""Cassettes of runs: the same transcripts and verdicts again, and those of pytest and `grice.run` are one."""

import importlib.util
import random
import sys

import pytest
from simulations import says

import grice
from grice import ScriptedLLM
from grice.matchers import have_achieved_goal

GIVEN = [{"id": f"s{number}", "goal": f"Book room {number}"} for number in range(4)]
FILES = {
    "rooms": "",
    "test_rooms": """
        from grice import evaluate, expect, scenarios, simulated

        GIVEN = [{"id": "small", "goal": "Four people"}, {"id": "größe 2", "goal": "Thirty people"}]

        @scenarios(GIVEN, name="rooms")
        @simulated(max_turns=3)
        def test_looks(conversation, scenario):
            evaluate(conversation.last).to_satisfy("The agent is polite.")
            expect(conversation).to_have_achieved_goal()

        @scenarios(GIVEN, name="rooms")
        class TestHolds:
            def test_holds(self, conversation, scenario):
                conversation.simulate(max_turns=2)
                expect(conversation).to_have_achieved_goal()
    """,
    "conftest": """
        import models
        import pytest

        @pytest.fixture
        def agent():
            return models.agent

        @pytest.fixture(scope="session")
        def user_llm():
            return models.Model()

        @pytest.fixture(scope="session")
        def judge_llm():
            return models.Model()
    """,
    "models": '''
        from grice.text import shorten

        ASKED = []

        def agent(text):
            return f"You said: {text}"

        class Model:
            """Another answer each time that it is asked."""

            def complete(self, messages, purpose=""):
                ASKED.append(purpose)
                number = len(ASKED)
                if purpose == "user":
                    first = "Nothing has been said yet" in str(messages)
                    done = "no" if first or number % 3 else "goal_reached"
                    return {"message": f"This is message {number}", "done": done, "reason": f"so {number}"}
                told = {"requirement": "x", "reasoning": f"reason {number}"}
                if purpose == "goal":
                    return {**told, "achieved": number % 2 == 0}
                return {**told, "satisfied": number % 2 == 0, "quote": ""}
    ''',
}


class Model:
    """An LLM that says something else each time, and counts what it was asked."""

    def __init__(self):
        self.asked = 0
        self.draw = random.Random(1)

    def complete(self, messages, purpose="", seed=None):
        self.asked += 1
        number = self.draw.randrange(10**9)
        if purpose == "user":
            first = "Nothing has been said yet" in str(messages)
            done = "no" if first or number % 3 else "goal_reached"
            return says(f"This is message {number} with {seed}", done, f"because {number}")
        return {"requirement": "x", "reasoning": f"reason {number}", "achieved": number % 2 == 0}


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """Where settings and cassettes are."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(given, model, **options):
    return grice.run(
        given,
        lambda text: f"You said: {text}",
        [have_achieved_goal()],
        judge_llm=model,
        user_llm=model,
        journal=False,
        **options,
    )


def told(found):
    """Everything that was said and judged, by scenario and repeat."""
    return {
        (one.key, one.repeat): (
            [(turn.user, turn.text) for turn in one.conversation.turns],
            [(sim.termination, sim.reason, sim.asked) for sim in one.conversation.simulations],
            [(str(verdict.outcome), verdict.reason) for verdict in one.verdicts],
            str(one.outcome),
        )
        for one in found.results
    }


def test_a_run_is_recorded_and_played_again_in_any_order(folder):
    model = Model()
    recorded = told(run(GIVEN, model, record="once", seed=7, repeat=2))
    assert len({str(one) for one in recorded.values()}) > 1
    assert len(list(folder.rglob("*.jsonl"))) == 8
    asked = model.asked
    for order, concurrency in ((GIVEN, 1), (random.Random(3).sample(GIVEN, len(GIVEN)), 8)):
        again = run(order, model, record="none", seed=7, repeat=2, concurrency=concurrency)
        assert told(again) == recorded
    assert model.asked == asked


def test_a_part_of_the_scenarios_is_played_as_it_was():
    recorded = told(run(GIVEN, Model(), record="once"))
    again = told(run(GIVEN[2:3], Model(), record="none"))
    assert again == {key: recorded[key] for key in again}
    assert len(again) == 1


def test_nothing_is_asked_live_where_the_cassette_has_another_seed():
    run(GIVEN[:1], Model(), record="once", seed=7)
    model = Model()
    (result,) = run(GIVEN[:1], model, record="none", seed=8).results
    assert model.asked == 0
    assert (result.outcome, result.counts) == ("error", False)
    assert "seed" in result.verdicts[0].reason


def test_a_recorded_conversation_needs_no_llm(monkeypatch):
    monkeypatch.setenv("CI", "1")
    recorded = told(run(GIVEN[:2], Model(), record="once"))
    again = grice.run(GIVEN[:2], lambda text: f"You said: {text}", [have_achieved_goal()], journal=False)
    assert told(again) == recorded


def test_calls_that_nobody_makes_any_more_are_told():
    run(GIVEN[:1], Model(), record="once")
    shorter = grice.run(
        GIVEN[:1], lambda text: f"You said: {text}", [lambda c: True], journal=False, record="none"
    )
    (result,) = shorter.results
    assert result.outcome == "error"
    assert result.verdicts[-1].claim == "the cassette to fit the conversation"


def test_a_script_needs_no_cassette(folder):
    llm = ScriptedLLM({"goal": {"requirement": "x", "reasoning": "so", "achieved": True}})
    options = {"user": grice.UserScript("Hi"), "judge_llm": llm, "journal": False, "record": "once"}
    grice.run(GIVEN, lambda text: "Yes", **options)
    assert list(folder.iterdir()) == []


# -- pytest and grice.run


OTHERS = ("randomly", "asyncio", "hypothesispytest", "xdist", "cacheprovider", "assertion")
QUICK = ["-q", "--tb=line", *(word for name in OTHERS for word in ("-p", f"no:{name}"))]


@pytest.fixture
def project(pytester):
    """A folder with a test that has played users and judges, and without settings."""
    import textwrap

    for name, text in FILES.items():
        if text:
            pytester.path.joinpath(f"{name}.py").write_text(textwrap.dedent(text), encoding="utf-8")
    return pytester


def load(project):
    """The tests of the project, and what its models were asked."""
    sys.path.insert(0, str(project.path))
    try:
        spec = importlib.util.spec_from_file_location("test_rooms", project.path / "test_rooms.py")
        module = importlib.util.module_from_spec(spec)
        sys.modules.pop("models", None)
        sys.modules["test_rooms"] = module
        spec.loader.exec_module(module)
        import models

        return module, models
    finally:
        sys.path.remove(str(project.path))


def hold(project, mode, *, repeat=1):
    """The tests of the project, run by `grice.run` as `grice run` does."""
    import asyncio
    from dataclasses import replace

    from grice.running.body import body_of
    from grice.running.keeping import Keeping
    from grice.running.project_llms import ProjectLLMs
    from grice.running.recipes import base_recipe, recipe_of
    from grice.running.run_many import Plan, run_plan, works_of
    from grice.running.settings import Projects
    from grice.suites.scenario_marks import scenarios_of

    module, models = load(project)
    file = project.path / "test_rooms.py"
    projects = Projects(project.path)
    llms = ProjectLLMs(projects)
    options = {"record": mode, "judge_llm": models.Model(), "user_llm": models.Model(), "repeat": repeat}
    base = base_recipe(projects, llms, file, options, agent=models.agent)
    recipes = []
    for function, owner in ((module.test_looks, None), (module.TestHolds.test_holds, module.TestHolds)):
        body = body_of(function, owner, named=True)
        own = scenarios_of(body.function, body.owner)
        recipes.append((replace(recipe_of(body, base, own, llms)), own.scenarios))
    plan = Plan(works_of(recipes, repeat), options, Keeping(keep=False))
    return asyncio.run(run_plan(plan)), models


def test_what_pytest_recorded_is_played_by_a_run_and_the_other_way_round(project):
    recorded = project.runpytest_inprocess(*QUICK, "--grice-record=once")
    outcome = recorded.parseoutcomes()
    assert outcome.get("passed", 0) + outcome.get("failed", 0) == 4
    cassettes = {path.name: path.read_bytes() for path in project.path.rglob("cassettes/*/*.jsonl")}
    assert len(cassettes) == 4
    found, models = hold(project, "none")
    assert models.ASKED == []
    said = {str(one.outcome) for one in found.results}
    assert said <= {"pass", "fail"}
    assert [str(one.outcome) for one in found.results].count("pass") == outcome.get("passed", 0)

    for path in project.path.rglob("cassettes/*/*.jsonl"):
        path.unlink()
    again, _ = hold(project, "once")
    assert {path.name for path in project.path.rglob("cassettes/*/*.jsonl")} == set(cassettes)
    played = project.runpytest_inprocess(*QUICK, "--grice-record=none").parseoutcomes()
    assert played.get("passed", 0) == [str(one.outcome) for one in again.results].count("pass")
    assert "errors" not in played
