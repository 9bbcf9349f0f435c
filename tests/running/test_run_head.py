"""What the head of a journal says of a run: models, prompts, agent."""

from typing import Any

import pytest

import grice

GIVEN = [{"id": "a", "goal": "A room"}]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """Where settings are looked up."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def head(**options: Any):
    options = {
        "checks": [lambda conversation: True],
        "user": grice.UserScript("Hi"),
        "journal": False,
    } | options
    return grice.run(GIVEN, **{"agent": lambda text: "Yes"} | options).experiment


def test_models_are_told_with_the_versions_of_the_prompts_that_they_are_asked_with(folder):
    (folder / "pyproject.toml").write_text("[tool.grice]\njudge_prompts = {criterion = 1}\n")
    made = head(judge_llm="openai:some-model", user_llm="openai:another")
    assert {use: one.model for use, one in made.models.items()} == {"judge": "some-model", "user": "another"}
    assert made.prompts.items() >= {"criterion": 1, "goal": 1, "user": 1, "user_template": 1}.items()


def test_without_models_there_are_no_prompts():
    made = head()
    assert (made.models, made.prompts) == ({}, {})


def test_an_agent_that_has_a_name_is_told(folder, monkeypatch):
    monkeypatch.syspath_prepend(folder)
    (folder / "rooms_of_head.py").write_text("def agent(text):\n    return 'Yes'\n")
    assert head(agent="rooms_of_head:agent").agent == "rooms_of_head:agent"
    assert head().agent == ""
