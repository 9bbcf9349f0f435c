"""What tells contradictions for the checks of a test: what its project's settings name."""

from collections.abc import Callable

import pytest
from inner_projects import Run

from grice.files.settings import Settings, find_settings
from grice.files.settings_files import SettingsError
from grice.running.entailments import entailment_of

BOTS = """
class Kind:
    provider, model = "test", "kind-1"

    def complete(self, messages, purpose):
        assert purpose == "entailment", purpose
        pair = {"number": 1, "reasoning": "fish is no plant", "contradiction": True}
        return {"requirement": "both cannot hold", "pairs": [pair]}

def agent(messages):
    later = len(messages) > 1
    return "The soup contains fish from the harbour." if later else "The soup contains only plants we grow."
"""

TEST = """
from bots import agent as soup_agent

@pytest.fixture
def agent():
    return soup_agent

def test_it(conversation):
    conversation.say("Vegan?")
    conversation.say("Sure?")
    verdict = evaluate(conversation).to_avoid_self_contradiction()
    assert (verdict.outcome, verdict.detail["rules"]) == ("{outcome}", {rules})
    {more}
"""


def test_the_judge_of_the_project_is_asked_and_recorded(
    pytester: pytest.Pytester, run: Run, cassettes: Callable[[], dict[str, list[str]]]
) -> None:
    pytester.makepyprojecttoml(
        '[tool.grice]\nagent = "bots:agent"\njudge_llm = "bots:Kind"\nentailment = "judge"\n'
    )
    pytester.path.joinpath("bots.py").write_text(BOTS)
    told = TEST.format(
        outcome="fail", rules='["entailment"]', more='assert verdict.judgement.prompt == "entailment"'
    )
    run("--grice-record", test_soup=told).assert_outcomes(passed=1)
    [recorded] = cassettes().values()
    assert recorded == ["judge "]
    pytester.path.joinpath("bots.py").write_text(BOTS.replace("assert purpose", "assert not purpose"))
    run("--grice-record=none", test_soup=told).assert_outcomes(passed=1)


def test_it_is_off_where_nothing_is_configured(pytester: pytest.Pytester, run: Run) -> None:
    pytester.makepyprojecttoml('[tool.grice]\nagent = "bots:agent"\njudge_llm = "bots:Kind"\n')
    pytester.path.joinpath("bots.py").write_text(BOTS)
    told = TEST.format(outcome="inconclusive", rules="[]", more="assert verdict.judgement is None")
    run(test_soup=told).assert_outcomes(passed=1)


def test_a_folder_that_is_not_there_is_an_error_of_the_check_that_names_the_line(
    pytester: pytest.Pytester, run: Run
) -> None:
    pytester.makepyprojecttoml('[tool.grice]\nagent = "bots:agent"\nentailment = "models/nli"\n')
    pytester.path.joinpath("bots.py").write_text(BOTS)
    source = """
def test_it(conversation):
    conversation.say("Vegan?")
    conversation.say("Sure?")
    verdict = evaluate(conversation).to_avoid_self_contradiction()
    assert verdict.outcome == "error"
    assert "pyproject.toml:3:1: [tool.grice] entailment: expected the folder of a model" in verdict.reason
"""
    run(test_soup=source).assert_outcomes(passed=1)


def test_a_setting_that_is_no_text_is_refused(tmp_path):
    (tmp_path / "pyproject.toml").write_text("[tool.grice]\nentailment = true\n")
    with pytest.raises(SettingsError, match="entailment: expected the folder of a model, or 'judge'"):
        find_settings(tmp_path)


def test_without_a_setting_and_for_a_judge_without_one_there_is_nothing(tmp_path):
    assert entailment_of(Settings(tmp_path)) is None
    assert entailment_of(Settings(tmp_path, entailment="judge")) is None


def test_a_folder_needs_no_judge(tmp_path):
    def broken():
        raise RuntimeError("the judge's settings are wrong")

    (tmp_path / "nli").mkdir()
    model = entailment_of(Settings(tmp_path, entailment="nli"), broken)
    assert model is not None
    assert model.name == "nli"


@pytest.mark.parametrize(("named", "near"), [("jugde", "judge"), ("models/nil", "models/nli")])
def test_a_wrong_name_is_told_with_the_nearest_right_one(tmp_path, named, near):
    (tmp_path / "models" / "nli").mkdir(parents=True)
    (tmp_path / "pyproject.toml").write_text(f'[tool.grice]\nentailment = "{named}"\n')
    settings = find_settings(tmp_path)
    assert settings is not None
    with pytest.raises(SettingsError, match=f"there is no folder .*did you mean '{near}'"):
        entailment_of(settings)
