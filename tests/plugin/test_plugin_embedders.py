"""Which embedder the checks of a test have: that of its project's settings."""

import pytest
from inner_projects import Run

import grice.checks.semantics.topicality  # noqa: F401 - the suite names its matcher

VECTORS = """
class Fixed:
    name, threshold = "fixed", 0.5

    def embed(self, texts):
        return [[1.0, 0.0] for text in texts]

def agent(text):
    return "Something else entirely"
"""

TEST = """
from grice.checks.semantics.topicality import stay_on_topic

def test_it(conversation):
    reply = conversation.say("Do you have boots?")
    assert evaluate(reply).to(stay_on_topic()).detail["embedder"] == "fixed"
    assert evaluate(reply).to(stay_on_topic(embedder="lexical")).detail["embedder"] == "lexical"
"""

SUITE = """
agent: vectors:agent
scenarios:
  - id: boots
    say: Do you have boots?
    expect:
      - {on: reply, matcher: toStayOnTopic}
"""


def test_tests_and_suites_have_the_embedder_of_the_settings(pytester: pytest.Pytester, run: Run) -> None:
    pytester.makepyprojecttoml('[tool.grice]\nembedder = "vectors:Fixed"\n')
    pytester.path.joinpath("vectors.py").write_text(VECTORS)
    pytester.path.joinpath("shop.grice.yaml").write_text(SUITE)
    run(test_boots=TEST).assert_outcomes(passed=2)


def test_a_wrong_setting_is_an_error_of_the_check_that_names_the_line(
    pytester: pytest.Pytester, run: Run
) -> None:
    pytester.makepyprojecttoml('[tool.grice]\nembedder = "lexcal"\n')
    source = """
from grice.checks.semantics.topicality import stay_on_topic

def test_it(conversation):
    verdict = evaluate(conversation.say("Do you have boots?")).to(stay_on_topic())
    assert verdict.outcome == "error"
    assert "pyproject.toml:2:1: [tool.grice] embedder" in verdict.reason
    assert "did you mean 'lexical'" in verdict.reason
"""
    run(test_boots=source).assert_outcomes(passed=1)
