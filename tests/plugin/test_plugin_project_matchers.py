"""Matchers of the project's own in suites and graphs that pytest runs."""

from collections.abc import Iterator

import pytest
from inner_projects import ECHO

from project_matchers import NAME, forgotten, write_project, write_suite

SETTINGS = 'matchers = ["own_project.matchers"]\n'
NAMED = "matchers: [own_project.matchers]"
GRAPH = f"topics: {{hours: {{expect: [{{matcher: {NAME}}}]}}}}\n"
FOLLOWS = """
def test_follows(conversation):
    conversation.follow("graph.yaml")
    conversation.say("Hi [house rules]")
"""


@pytest.fixture(autouse=True)
def _forgotten() -> Iterator[None]:
    with forgotten():
        yield


@pytest.mark.parametrize(
    ("settings", "head"), [("", NAMED), (SETTINGS, ""), (SETTINGS, NAMED)], ids=["suite", "settings", "both"]
)
def test_a_suite_checks_with_a_matcher_of_its_project(
    pytester: pytest.Pytester, settings: str, head: str
) -> None:
    write_project(pytester.path, settings=settings)
    write_suite(pytester.path / "suites" / "a.grice.yaml", head)
    result = pytester.runpytest_inprocess("suites")
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(["hard checks: 2 pass"])


def test_so_it_does_with_one_beside_its_agent(pytester: pytest.Pytester) -> None:
    write_project(pytester.path)
    with (pytester.path / "own_project" / "app.py").open("a") as app:
        app.write("from own_project import matchers\n")
    write_suite(pytester.path / "a.grice.yaml")
    pytester.runpytest_inprocess().assert_outcomes(passed=1)


def test_a_check_by_such_a_matcher_can_fail(pytester: pytest.Pytester) -> None:
    write_project(pytester.path)
    write_suite(pytester.path / "a.grice.yaml", NAMED)
    result = pytester.runpytest_inprocess("--grice-agent", "own_project.app:other")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*to name its source*"])


def test_a_wrong_module_is_a_collection_error_with_its_place(pytester: pytest.Pytester) -> None:
    write_project(pytester.path)
    write_suite(pytester.path / "a.grice.yaml", "matchers: [own_project.matchrs]")
    result = pytester.runpytest_inprocess()
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(
        ["*a.grice.yaml:1:12: matchers[[]0]: module*did you mean 'own_project.matchers'*"]
    )


def test_so_is_a_wrong_module_of_the_settings(pytester: pytest.Pytester) -> None:
    write_project(pytester.path, settings='matchers = ["own_project.matchrs"]\n')
    write_suite(pytester.path / "a.grice.yaml")
    result = pytester.runpytest_inprocess()
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(
        ["*pyproject.toml:3:1: [[]tool.grice] matchers: module 'own_project.matchrs': *"]
    )


def test_a_graph_expects_with_a_matcher_that_the_settings_name(pytester: pytest.Pytester) -> None:
    write_project(pytester.path, settings=SETTINGS)
    pytester.path.joinpath("graph.yaml").write_text(GRAPH)
    pytester.makepyfile(test_follows=ECHO + FOLLOWS)
    pytester.runpytest_inprocess().assert_outcomes(passed=1)


def test_nothing_is_imported_for_tests_that_need_none(pytester: pytest.Pytester) -> None:
    write_project(pytester.path, settings=SETTINGS)
    (pytester.path / "own_project" / "matchers.py").write_text("open('imported.txt', 'w').close()")
    pytester.makepyfile(
        ECHO + "def test_nothing(conversation):\n    expect(conversation.say('Hi')).to_contain('Hi')\n"
    )
    pytester.runpytest_inprocess().assert_outcomes(passed=1)
    assert not (pytester.path / "imported.txt").exists()
