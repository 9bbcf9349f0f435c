"""Suites that test a prompt, as pytest items."""

from __future__ import annotations

import pytest

SUITE = """
prompt: capital.md
scenarios:
  - {id: asked, inputs: {country: France}, expect: [{matcher: toEqual, expected: Paris}]}
  - {id: scripted, inputs: {country: Spain}, model: [Madrid], expected_output: Madrid}
"""
FIXTURES = """
import pytest
from grice import ScriptedLLM

@pytest.fixture
def agent():
    return lambda text: "an agent, and no answer to a prompt"

@pytest.fixture
def prompt_llm():
    return ScriptedLLM({"prompt:asked": "Paris"})
"""


@pytest.fixture
def prompted(pytester: pytest.Pytester) -> pytest.Pytester:
    """A project with a prompt and its suite."""
    pytester.path.joinpath("capital.md").write_text("The capital of {{country}}?")
    pytester.path.joinpath("capital.grice.yaml").write_text(SUITE)
    return pytester


def test_the_fixture_answers_the_prompt(prompted: pytest.Pytester) -> None:
    prompted.makeconftest(FIXTURES)
    prompted.runpytest().assert_outcomes(passed=2)


def test_without_an_llm_only_scripts_answer(prompted: pytest.Pytester) -> None:
    result = prompted.runpytest()
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["*no LLM is configured to answer *capital.md: set prompt_llm*"])


def test_a_fixture_that_breaks_fails_what_needs_it(prompted: pytest.Pytester) -> None:
    prompted.makepyprojecttoml('[tool.grice]\nprompt_llm = "nowhere:llm"\n')
    result = prompted.runpytest()
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["*prompt_llm: LLM 'nowhere:llm': *no module*"])


def test_a_wrong_prompt_is_a_collection_error(prompted: pytest.Pytester) -> None:
    prompted.path.joinpath("capital.md").write_text("The capital of {{land}}?")
    result = prompted.runpytest()
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*missing input 'land', for which *capital.md:1 has a placeholder*"])
