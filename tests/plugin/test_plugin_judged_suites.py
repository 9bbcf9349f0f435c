"""Suites whose checks an LLM judges, as pytest items."""

from collections.abc import Callable
from pathlib import Path

import pytest
from inner_projects import ALONE_AND_XDIST, Run

from grice.running.assistance import cassette_path

SUITE = """
criteria:
  friendly: It is friendly.
  bad_manners: It has bad manners.
scenarios:
  - id: greets
    say: Hi
    expect: [{matcher: toSatisfy, expected: friendly}]
    evaluate: [{matcher: toSatisfy, expected: [bad_manners, polite]}]
  - id: rude
    say: Hi
    expect: [{matcher: toSatisfy, expected: bad_manners}]
"""

RULES = "\nfrom grice import criterion\nRULES = [criterion('polite', 'It is polite.')]\n"
SETTINGS = '[tool.grice]\nagent = "bots:chat"\njudge_llm = "judges:Kind"\ncriteria = "rules:RULES"\n'


@pytest.fixture
def suite(pytester: pytest.Pytester) -> pytest.Pytester:
    """A project with that suite."""
    pytester.makepyfile(bots="def chat(text): return f'you said {text}'", rules=RULES)
    pytester.makepyprojecttoml(SETTINGS)
    pytester.path.joinpath("a.grice.yaml").write_text(SUITE)
    return pytester


@pytest.mark.slow
@pytest.mark.parametrize("args", ALONE_AND_XDIST)
def test_scenarios_are_judged_recorded_and_replayed(
    suite: pytest.Pytester,
    judged: Run,
    asked: Callable[[], list[str]],
    cassettes: Callable[[], dict[str, list[str]]],
    args: tuple[str, ...],
) -> None:
    result = judged(*args, "--grice-record")
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(
        [
            "satisfy bad_manners: *",
            "*to satisfy bad_manners [[]uncalibrated[]]",
            "*judged by kind-1, *",
            "=* grice =*",
            "hard checks: 1 pass, 1 fail",
            "soft checks: 1 fail",
            "a.grice.yaml::greets",
            "  soft fail         turn 1: satisfy bad_manners, polite*: bad_manners: as it should be",
            "2 hard verdicts are by an LLM *",
            "recorded cassettes/a/greets.jsonl: 3 added, 0 removed, 0 changed",
            "recorded cassettes/a/rude.jsonl: 1 added, 0 removed, 0 changed",
        ]
    )
    assert asked() == ["bad_manners", "bad_manners", "friendly", "polite"]
    assert cassettes() == {
        "cassettes/a/greets.jsonl": ["judge friendly", "judge bad_manners", "judge polite"],
        "cassettes/a/rude.jsonl": ["judge bad_manners"],
    }
    judged(*args, "--grice-record=none").assert_outcomes(passed=1, failed=1)
    assert asked() == []


def test_unknown_names_are_collection_errors_with_their_places(suite: pytest.Pytester, judged: Run) -> None:
    path = suite.path / "a.grice.yaml"
    path.write_text(
        SUITE.replace("expected: friendly", "expected: freindly").replace(", polite]", ", plite]")
    )
    result = judged()
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(
        [
            "*a.grice.yaml:8:*.expect[[]0[]].expected: unknown criterion 'freindly' (did you*",
            "*a.grice.yaml:9:*.expected[[]1[]]: unknown criterion 'plite' (did you mean 'polite'?); known *",
        ]
    )


def test_without_a_judge_scenarios_end_in_errors_that_say_what_to_do(
    suite: pytest.Pytester, judged: Run
) -> None:
    suite.makepyprojecttoml(SETTINGS.replace('judge_llm = "judges:Kind"\n', ""))
    result = judged()
    result.assert_outcomes(failed=2)
    result.stdout.fnmatch_lines(
        [
            "error: satisfy friendly: the judge gave no answer: *",
            '*set judge_llm = "provider:model" in grice.toml*',
            "every check of the criterion * ended in an error: nothing was judged by it",
        ]
    )


def test_strict_soft_counts_for_scenarios_too(suite: pytest.Pytester, judged: Run) -> None:
    result = judged("--grice-strict-soft")
    result.assert_outcomes(failed=2)
    result.stdout.fnmatch_lines(
        [
            "--grice-strict-soft: a soft check did not pass",
            "soft fail         turn 1: the reply to satisfy bad_manners*",
        ]
    )


@pytest.mark.slow
def test_calls_left_over_fail_a_scenario(suite: pytest.Pytester, judged: Run) -> None:
    judged("--grice-record")
    path = suite.path / "a.grice.yaml"
    path.write_text(SUITE.replace("[bad_manners, polite]", "[bad_manners]"))
    result = judged("-k", "greets")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        [
            "error: the cassette to fit the scenario: *",
            "*greets.jsonl:4: nothing asked for this judge call (criterion polite) any more: *--grice-update",
        ]
    )
    result = judged("-k", "greets", "--grice-update")
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(["recorded cassettes/a/greets.jsonl: 0 added, 1 removed, 0 changed"])


@pytest.mark.slow
@pytest.mark.parametrize("kinds", ['["agent"]', '["judge"]'])
def test_a_broken_cassette_is_an_error_without_a_traceback(
    suite: pytest.Pytester, judged: Run, kinds: str
) -> None:
    suite.makepyprojecttoml(f"{SETTINGS}record_kinds = {kinds}\n")
    judged("--grice-record")
    tape = suite.path / "cassettes" / "a" / "greets.jsonl"
    tape.write_text("{}\n")
    result = judged("-k", "greets")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["error: *", "*greets.jsonl:1:*"])
    assert "Traceback" not in result.stdout.str()
    assert tape.read_text() == "{}\n"


def test_a_judge_that_a_fixture_gives_judges_scenarios_too(suite: pytest.Pytester, judged: Run) -> None:
    suite.makeconftest(
        """
        import pytest

        @pytest.fixture(scope="session")
        def judge_llm():
            from judges import Fussy
            return Fussy()
        """
    )
    result = judged("-k", "greets")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*judged by fussy-1, *"])


@pytest.mark.parametrize("id_", ["nul", "con.rest", "COM1", "Greets", "greets ", "a/b", "..", "a" * 200])
def test_ids_that_no_file_can_have_everywhere_are_told_apart_by_a_hash(id_: str) -> None:
    path = cassette_path(Path("suites/a.grice.yaml"), "cassettes", id_)
    assert path.parent == Path("suites/cassettes/a")
    stem, _, digest = path.stem.rpartition("-")
    assert len(digest) == 8
    assert len(stem) <= 80
    assert cassette_path(Path("suites/a.grice.yaml"), "cassettes", "greets").stem == "greets"
