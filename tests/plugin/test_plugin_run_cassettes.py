"""Cassettes of tests with played users: those of pytest and of `grice run` are one."""

import asyncio
import importlib.util
import sys
import textwrap
from types import ModuleType

import pytest

from grice import Run
from grice.files.scenario_marks import scenarios_of
from grice.running.body import body_of
from grice.running.conversation_config import base_config, config_of
from grice.running.project_llms import ProjectLLMs
from grice.running.projects import Projects
from grice.running.run_many import Plan, run_plan, works_of
from grice.running.run_options import RunOptions
from grice.running.session import Keeping

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
        def test_holds(conversation, scenario):
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


@pytest.fixture
def rooms(pytester: pytest.Pytester) -> pytest.Pytester:
    """A folder with a test that has played users and judges, and without settings."""
    for name, text in FILES.items():
        if text:
            pytester.path.joinpath(f"{name}.py").write_text(textwrap.dedent(text), encoding="utf-8")
    return pytester


def load(rooms: pytest.Pytester) -> tuple[ModuleType, ModuleType]:
    """The tests of the project, and what its models were asked."""
    sys.path.insert(0, str(rooms.path))
    try:
        spec = importlib.util.spec_from_file_location("test_rooms", rooms.path / "test_rooms.py")
        module = importlib.util.module_from_spec(spec)
        sys.modules.pop("models", None)
        sys.modules["test_rooms"] = module
        spec.loader.exec_module(module)
        import models

        return module, models
    finally:
        sys.path.remove(str(rooms.path))


def hold(rooms: pytest.Pytester, mode: str) -> tuple[Run, ModuleType]:
    """The tests of the project, run by `grice.run` as `grice run` does."""
    module, models = load(rooms)
    file = rooms.path / "test_rooms.py"
    projects = Projects(rooms.path)
    llms = ProjectLLMs(projects)
    options: RunOptions = {"record": mode, "judge_llm": models.Model(), "user_llm": models.Model()}
    base = base_config(projects, llms, file, options, agent=models.agent)
    configs = []
    for function in (module.test_looks, module.test_holds):
        body = body_of(function)
        own = scenarios_of(body.function)
        assert own is not None
        configs.append((config_of(body, base, own, llms), own.scenarios))
    plan = Plan(works_of(configs, 1), options, Keeping(keep=False))
    return asyncio.run(run_plan(plan)), models


@pytest.mark.slow
def test_what_pytest_recorded_is_played_by_a_run_and_the_other_way_round(rooms: pytest.Pytester) -> None:
    recorded = rooms.runpytest_inprocess("--grice-record=once")
    outcome = recorded.parseoutcomes()
    assert outcome.get("passed", 0) + outcome.get("failed", 0) == 4
    cassettes = {path.name: path.read_bytes() for path in rooms.path.rglob("cassettes/*/*.jsonl")}
    assert len(cassettes) == 4
    found, models = hold(rooms, "none")
    assert models.ASKED == []
    said = {str(one.outcome) for one in found.results}
    assert said <= {"pass", "fail"}
    assert [str(one.outcome) for one in found.results].count("pass") == outcome.get("passed", 0)

    for path in rooms.path.rglob("cassettes/*/*.jsonl"):
        path.unlink()
    again, _ = hold(rooms, "once")
    assert {path.name for path in rooms.path.rglob("cassettes/*/*.jsonl")} == set(cassettes)
    played = rooms.runpytest_inprocess("--grice-record=none").parseoutcomes()
    assert played.get("passed", 0) == [str(one.outcome) for one in again.results].count("pass")
    assert "errors" not in played
