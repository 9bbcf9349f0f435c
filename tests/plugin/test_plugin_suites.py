"""Suite files as pytest items."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from inner_projects import ALONE_AND_XDIST, TALKER, golden, write_golden

# Loaded before the runs inside, so that there is one of each; see conftest.py.
import grice.matching.jest.json_schema
import grice.matching.jest.objects
import grice.pytest_plugin.suites  # noqa: F401
from grice.matching.matcher import REGISTRY

GREETS = """
scenarios:
  - id: greets
    say: Hi
    model: [Hello!]
    expect:
      - {matcher: toContain, expected: Hello}
"""

THREE = """
scenarios:
  - {id: one, say: Hi, model: [Hello], expect: [{matcher: toContain, expected: Hello}]}
  - {id: two, say: Hi, model: [Bye], expect: [{matcher: toContain, expected: Hello}]}
  - {id: three, say: Hi, model: [Hello], expect: [{matcher: toContain, expected: Hello}]}
"""


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")


@pytest.mark.parametrize("name", ["a.grice.yaml", "a.grice.yml", "deep/er/a.grice.yaml"])
def test_suite_files_are_collected_with_one_item_a_scenario(project: pytest.Pytester, name: str) -> None:
    write(project.path / name, THREE)
    result = project.runpytest_inprocess("-v", "-p", "no:randomly")
    result.assert_outcomes(passed=2, failed=1)
    result.stdout.fnmatch_lines(
        [
            f"{name}::one PASSED*",
            f"{name}::two FAILED*",
            f"{name}::three PASSED*",
            "hard checks: 2 pass, 1 fail",
        ]
    )


def test_a_suite_may_be_json(project: pytest.Pytester) -> None:
    check = {"matcher": "toContain", "expected": "Hello"}
    suite = {"scenarios": [{"id": "greets", "say": "Hi", "model": ["Hello"], "expect": [check]}]}
    write(project.path / "a.grice.json", json.dumps(suite))
    project.runpytest_inprocess().assert_outcomes(passed=1)


@pytest.mark.slow
def test_native_options_keep_their_meaning(project: pytest.Pytester) -> None:
    write(project.path / "a.grice.yaml", THREE)
    project.runpytest_inprocess("-k", "one").assert_outcomes(passed=1, deselected=2)
    project.runpytest_inprocess("a.grice.yaml::three").assert_outcomes(passed=1)
    project.runpytest_inprocess("-x", "-p", "no:randomly").assert_outcomes(passed=1, failed=1)
    project.runpytest_inprocess()
    project.runpytest_inprocess("--lf").assert_outcomes(failed=1)


@pytest.mark.slow
def test_suites_run_under_xdist_with_the_same_summary(project: pytest.Pytester) -> None:
    soft = "{id: soft, say: Hi, model: [Hello], evaluate: [{matcher: toContain, expected: Bye}]}"
    path = "{id: path, say: Hi, model: ['{}'], expect: [{path: $.x, matcher: toBeNull, not: true}]}"
    write(project.path / "a.grice.yaml", f"{THREE}  - {soft}\n  - {path}\n")
    alone = project.runpytest_inprocess("-p", "no:randomly")
    spread = project.runpytest_inprocess("-p", "no:randomly", "-p", "xdist", "-n", "2")
    for result in (alone, spread):
        result.assert_outcomes(passed=4, failed=1)
        result.stdout.fnmatch_lines(
            [
                "hard checks: 3 pass, 1 fail",
                "soft checks: 1 fail",
                "a.grice.yaml::soft",
                "  soft fail         turn 1: contain 'Bye': *",
                "1 scenario has soft checks only: nothing there can fail",
                "1 verdict rests on a path that resolved nothing, a hard pass:",
                "  a.grice.yaml::path: hard pass: the value at $.x of the reply not to be null",
            ]
        )


def test_a_failed_scenario_reads_like_a_bug_report(project: pytest.Pytester) -> None:
    write(
        project.path / "a.grice.yaml",
        """
        scenarios:
          - id: greets
            turns:
              - {say: Hi, model: [Hello], expect: [{matcher: toContain, expected: Hello}]}
              - say: Bye
                model: [Good bye]
                expect: [{matcher: toContain, expected: Hello, description: greets again}]
                evaluate: [{matcher: toEqual, expected: Bye}]
        """,
    )
    result = project.runpytest_inprocess()
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        [
            "*_ scenario greets _*",
            "[[]greets again[]] the reply to contain 'Hello': *",
            "",
            "  1  user       Hi",
            "     assistant  Hello",
            "  2  user       Bye",
            ">    assistant  Good bye",
            "",
            "  fail              [[]greets again[]] the reply to contain 'Hello'",
            "      the text is 'Good bye'",
            "  soft fail         the reply to equal 'Bye'",
            "      *",
            "  pass              the reply to contain 'Hello'",
            "*= grice =*",
        ],
        consecutive=True,
    )
    assert "Traceback" not in result.stdout.str()
    assert ".py:" not in result.stdout.str()


def test_a_scenario_whose_agent_fails_shows_the_transcript(project: pytest.Pytester) -> None:
    write(project.path / "a.grice.yaml", GREETS.replace("    model: [Hello!]\n", ""))
    result = project.runpytest_inprocess()
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        [
            "error: play as scripted: model request 1 has no scripted reply *",
            ">    failure    script: model request 1 has no scripted reply (0 scripted)*",
        ]
    )


def test_a_passed_scenario_shows_its_checks_when_asked(project: pytest.Pytester) -> None:
    write(project.path / "a.grice.yaml", GREETS)
    result = project.runpytest_inprocess("-rP")
    result.stdout.fnmatch_lines(["* grice verdicts *", "pass         the reply to contain 'Hello'"])


@pytest.mark.slow
def test_a_wrong_file_is_one_collection_error_with_every_place(project: pytest.Pytester) -> None:
    write(
        project.path / "a.grice.yaml",
        "scenarios:\n"
        "  - {id: a, sya: Hi, expect: [{matcher: toContan, expected: x}, {on: replay, matcher: toBeNull}]}\n",
    )
    result = project.runpytest_inprocess()
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(
        [
            "*ERROR collecting a.grice.yaml*",
            "*a.grice.yaml:2:*: *unknown field 'sya'*did you mean 'say'*",
            "*a.grice.yaml:2:*: *unknown matcher 'toContan'*did you mean 'toContain'*",
            "*a.grice.yaml:2:*: *found \"replay\" (did you mean 'reply'?)",
        ]
    )
    assert "suites.py" not in result.stdout.str()


@pytest.mark.slow
def test_a_limit_that_is_none_is_a_collection_error(
    project: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GRICE_REGEX_MAX_SOURCE_LEN", "many")
    write(project.path / "a.grice.yaml", GREETS)
    result = project.runpytest_inprocess()
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*GRICE_REGEX_MAX_SOURCE_LEN: expected a whole number, found 'many'*"])


@pytest.mark.slow
def test_two_scenarios_with_one_stable_id_are_an_error_that_names_both(project: pytest.Pytester) -> None:
    write(project.path / "a" / "shop.grice.yaml", GREETS)
    write(project.path / "b" / "shop.grice.yaml", GREETS)
    result = project.runpytest_inprocess()
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(
        [
            "two scenarios have one stable id (shop@greets):",
            "  a/shop.grice.yaml::greets",
            "  b/shop.grice.yaml::greets",
            "give one of them another id, or its suite another name",
        ],
        consecutive=True,
    )
    write(project.path / "b" / "shop.grice.yaml", f"name: other\n{GREETS}")
    project.runpytest_inprocess().assert_outcomes(passed=2)


def test_what_the_run_mode_leaves_out_is_skipped_with_the_reason(project: pytest.Pytester) -> None:
    write(
        project.path / "a.grice.yaml",
        THREE.replace("id: one,", "id: one, run_mode: ONLY,").replace("id: two,", "id: two, run_mode: SKIP,"),
    )
    write(project.path / "b.grice.yaml", THREE.replace("id: two", "id: two, run_mode: SKIP"))
    result = project.runpytest_inprocess("-v", "-rs", "-p", "no:randomly")
    result.assert_outcomes(passed=3, skipped=3)
    result.stdout.fnmatch_lines(
        ["a.grice.yaml::one PASSED*", "a.grice.yaml::two SKIPPED*", "b.grice.yaml::two SKIPPED*"]
    )
    result.stdout.fnmatch_lines_random(
        [
            "SKIPPED*a.grice.yaml*another scenario of this file has run_mode ONLY",
            "SKIPPED*a.grice.yaml*its run_mode is SKIP",
            "SKIPPED*b.grice.yaml*its run_mode is SKIP",
        ]
    )
    result.stdout.fnmatch_lines(
        ["a.grice.yaml: run_mode ONLY is set, 2 of its 3 scenarios were left out"], consecutive=True
    )


@pytest.mark.parametrize("args", ALONE_AND_XDIST)
def test_a_session_that_ran_no_scenario_and_nothing_else_is_not_green(
    project: pytest.Pytester, args: tuple[str, ...]
) -> None:
    write(project.path / "a.grice.yaml", THREE.replace("say: Hi", "say: Hi, run_mode: SKIP"))
    result = project.runpytest_inprocess(*args)
    assert result.ret == pytest.ExitCode.NO_TESTS_COLLECTED
    result.stdout.fnmatch_lines(["all 3 scenarios were left out or skipped: no suite tested anything"])


def test_skipped_scenarios_beside_a_test_that_ran_are_told_in_a_green_session(
    project: pytest.Pytester,
) -> None:
    write(project.path / "a.grice.yaml", GREETS.replace("say: Hi", "say: Hi\n    run_mode: SKIP"))
    project.makepyfile("def test_it(): pass")
    result = project.runpytest_inprocess()
    assert result.ret == 0
    result.stdout.fnmatch_lines(["the only scenario was left out or skipped: no suite tested anything"])


@pytest.mark.slow
def test_the_command_line_wins_over_the_scenario_that_over_the_suite_and_that_over_the_settings(
    project: pytest.Pytester,
) -> None:
    project.makepyfile(bots="\n".join(f"def {name}(text): return '{name}'" for name in "abcd"))
    project.makepyprojecttoml('[tool.grice]\nagent = "bots:d"\n')

    def suite(suite: str, scenario: str, expected: str) -> None:
        check = f"{{matcher: toEqual, expected: {expected}}}"
        write(
            project.path / "x.grice.yaml",
            f"{suite}scenarios:\n  - {{id: x, say: Hi, {scenario}expect: [{check}]}}\n",
        )

    for own, wanted in (
        (("agent: bots:c\n", "agent: 'bots:b', "), "b"),
        (("agent: bots:c\n", ""), "c"),
        (("", ""), "d"),
    ):
        suite(*own, wanted)
        project.runpytest_inprocess().assert_outcomes(passed=1)
    suite("agent: bots:c\n", "agent: 'bots:b', ", "a")
    project.runpytest_inprocess("--grice-agent", "bots:a").assert_outcomes(passed=1)


def test_an_agent_fixture_serves_suites_and_wins_over_the_settings(pytester: pytest.Pytester) -> None:
    pytester.makepyprojecttoml('[tool.grice]\nagent = "nowhere:agent"\n')
    pytester.makeconftest(
        f"""{TALKER}
import pytest

@pytest.fixture
def agent(agent_context, scripted_model):
    yield Talker(agent_context)
    assert scripted_model.asked == 1
"""
    )
    write(pytester.path / "a.grice.yaml", GREETS)
    pytester.runpytest_inprocess().assert_outcomes(passed=1)


def test_a_scenario_without_agent_says_what_to_do(pytester: pytest.Pytester) -> None:
    write(pytester.path / "a.grice.yaml", GREETS)
    result = pytester.runpytest_inprocess()
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*no agent is configured: *, or name it with --grice-agent *"])


@pytest.mark.slow
def test_time_outs_of_the_settings_hold(project: pytest.Pytester) -> None:
    project.makepyfile(bots="import time\ndef slow(text): time.sleep(5)")
    project.makepyprojecttoml('[tool.grice]\nagent = "bots:slow"\nturn_timeout = 0.05\n')
    write(project.path / "a.grice.yaml", GREETS)
    result = project.runpytest_inprocess()
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*did not answer within 0.05 s*"])


@pytest.mark.slow
def test_update_has_nothing_to_do_in_suites_and_says_so_when_there_is_nothing_else(
    project: pytest.Pytester,
) -> None:
    write(project.path / "a.grice.yaml", GREETS)
    told = "--grice-update rewrites goldens and cassettes; suites are not rewritten"
    project.runpytest_inprocess("--grice-update").stdout.fnmatch_lines([told])
    project.runpytest_inprocess().stdout.no_fnmatch_line(told)
    write_golden(project.path / "a.golden.json", golden())
    project.runpytest_inprocess("--grice-update").stdout.no_fnmatch_line(told)
    assert project.path.joinpath("a.grice.yaml").read_text() == GREETS


def test_hard_passes_on_nothing_are_named_before_others_and_cut_after_a_few(project: pytest.Pytester) -> None:
    fails = "{path: $.x, matcher: toEqual, expected: 1}"
    passes = "{path: $.y, matcher: toEqual, expected: 1, not: true}"
    write(
        project.path / "a.grice.yaml",
        "scenarios:\n"
        f"  - {{id: a, say: Hi, model: ['{{}}'], expect: [{fails}, {fails}, {fails}, {passes}]}}\n",
    )
    result = project.runpytest_inprocess()
    result.stdout.fnmatch_lines(
        [
            "4 verdicts rest on a path that resolved nothing, 1 of them a hard pass:",
            "  a.grice.yaml::a: hard pass: the value at $.y of the reply not to equal 1",
            "  a.grice.yaml::a: hard fail: the value at $.x of the reply to equal 1",
            "  a.grice.yaml::a: hard fail: the value at $.x of the reply to equal 1",
            "  and 1 more",
        ],
        consecutive=True,
    )


LOADED = """
import json, sys
import pytest
code = pytest.main([*sys.argv[1:], "-q", "-p", "no:cacheprovider", "-p", "no:randomly"])
print(json.dumps({"code": code, "modules": sorted(sys.modules)}))
"""


def modules(folder: Path) -> set[str]:
    """What a session in a fresh interpreter loads."""
    done = subprocess.run(
        [sys.executable, "-c", LOADED], cwd=folder, check=True, capture_output=True, text=True
    )
    told = json.loads(done.stdout.splitlines()[-1])
    assert told["code"] == 0, done.stdout
    return set(told["modules"])


@pytest.mark.slow
def test_what_suites_need_is_loaded_for_suites_only(project: pytest.Pytester) -> None:
    write_golden(project.path / "a.golden.json", golden())
    own = {"grice.pytest_plugin.suites", "grice.running.suite", "grice.files.suite_files"}
    assert not modules(project.path) & own
    suite = {"scenarios": [{"say": "Hi", "model": ["Hello"], "expect": [{"matcher": "toBeDefined"}]}]}
    project.path.joinpath("a.grice.json").write_text(json.dumps(suite))
    loaded = modules(project.path)
    assert loaded >= own
    assert loaded & {"yaml", "rich", "click", "aiohttp", "anyio", "jsonschema"} == set()


def test_a_scenario_of_which_every_check_is_skipped_is_skipped(project: pytest.Pytester) -> None:
    project.makeconftest(
        """
        from grice.matchers import matcher, skipped

        @matcher("toApplyNowhere")
        def apply_nowhere(subject: str, ctx) -> object:
            return skipped("not here")
        """
    )
    write(
        project.path / "a.grice.yaml",
        "scenarios:\n  - {id: a, say: Hi, model: [Hello], expect: [{matcher: toApplyNowhere}]}\n",
    )
    try:
        result = project.runpytest_inprocess("-rs")
    finally:
        del REGISTRY["toApplyNowhere"]
    result.assert_outcomes(skipped=1)
    result.stdout.fnmatch_lines(
        ["hard checks: 1 skipped", "SKIPPED*a.grice.yaml*every check of it was skipped"]
    )
