"""`grice run` on suites, alone and beside goldens."""

import json
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from grice_command import Grice

AGENT = """
class Talker:
    def __init__(self, context):
        self.model = context.model

    def chat(self, messages):
        asked = [{"role": m["role"], "content": m["content"]} for m in messages]
        return self.model.client.messages.create(messages=asked).content[0].text

def echo(text):
    return f"you said {text}"

def nothing(context):
    return None
"""

EXAMPLE = Path(__file__).parents[2] / "examples" / "wordpress_assistant"

GOLDEN = {
    "id": "golden",
    "userMessage": "Hi",
    "mockLlmResponses": [{"step": "chat", "content": "Hello!"}],
    "assertions": {"finalText": {"contains": ["Hello"]}},
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A project with agents, and the current folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    tmp_path.joinpath("suite_bots.py").write_text(AGENT)
    tmp_path.joinpath("pyproject.toml").write_text('[tool.grice]\nagent = "suite_bots:Talker"\n')
    yield tmp_path
    sys.modules.pop("suite_bots", None)


def scenario(id_: str = "greets", reply: str = "Hello!", more: str = "") -> str:
    check = "{matcher: toContain, expected: Hello}"
    return f"  - {{id: {id_}, say: Hi, model: ['{reply}'], expect: [{check}], {more}}}"


def write(path: Path, *scenarios: str, head: str = "") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join([head, "scenarios:", *scenarios, ""]).lstrip())
    return path


def test_scenarios_that_pass_give_a_line_each_and_exit_code_0(folder: Path, grice: Grice) -> None:
    write(
        folder / "a.grice.yaml", scenario("short"), scenario("a-longer-key", more="description: Greets back")
    )
    run = grice("run", ".")
    assert (run.code, run.err) == (0, "")
    lines = run.out.splitlines()
    assert lines[:3] == ["pass   short", "pass   a-longer-key  Greets back", ""]
    assert lines[3].startswith("2 passed  2 scenarios, 2 checks in ")
    assert len(lines) == 4


def test_a_scenario_that_fails_gives_a_bug_report_and_exit_code_1(folder: Path, grice: Grice) -> None:
    write(folder / "a.grice.yaml", scenario("good"), scenario("bad", "Bye"))
    run = grice("run", "a.grice.yaml")
    assert run.code == 1
    assert run.out.splitlines()[:10] == [
        "pass   good",
        "fail   bad",
        "       a.grice.yaml",
        "",
        "    1  user       Hi",
        "  >    assistant  Bye",
        "",
        "    fail   the reply to contain 'Hello'",
        "           the text is 'Bye'",
        "",
    ]
    assert "1 passed, 1 failed  2 scenarios, 2 checks in " in run.out


def test_suites_and_goldens_run_together_from_files_and_folders(folder: Path, grice: Grice) -> None:
    write(folder / "suites" / "a.grice.yaml", scenario("one"), scenario("two"))
    check = {"matcher": "toContain", "expected": "Hello"}
    suite = {"scenarios": [{"id": "three", "say": "Hi", "model": ["Hello"], "expect": [check]}]}
    (folder / "b.grice.json").write_text(json.dumps(suite))
    (folder / "goldens").mkdir()
    (folder / "goldens" / "g.golden.json").write_text(json.dumps(GOLDEN))
    run = grice("run", "suites", "b.grice.json", "goldens")
    assert run.code == 0, run.err
    assert "4 passed  1 golden, 3 scenarios, 4 checks in " in run.out
    assert "1 golden, 3 scenarios" in grice("run", ".", "suites/a.grice.yaml").out  # named twice, run once
    assert "1 passed  1 check in " in grice("run", "goldens").out


def test_the_example_s_suite_runs_from_anywhere(
    grice: Grice, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    shutil.copytree(EXAMPLE, tmp_path / "example", ignore=shutil.ignore_patterns("__pycache__", ".*"))
    run = grice("run", tmp_path / "example" / "suites")
    assert run.code == 0, run.out + run.err


def test_json_has_the_results_of_both_with_their_verdicts(folder: Path, grice: Grice) -> None:
    write(folder / "a.grice.yaml", scenario("bad", "Bye"), scenario("later", more="run_mode: SKIP"))
    (folder / "g.golden.json").write_text(json.dumps(GOLDEN))
    assert grice("run", ".", "--json", "out.json").code == 1
    found = json.loads((folder / "out.json").read_text())
    assert found["complete"] is True
    golden, bad, later = found["results"]
    assert golden["key"] == "golden"
    assert (bad["key"], bad["outcome"], bad["failure"]) == ("bad", "fail", "assertion")
    assert bad["verdicts"][0]["claim"] == "the reply to contain 'Hello'"
    assert bad["fingerprint"].startswith("sha256:")
    assert (later["key"], later["outcome"]) == ("later", "skipped")
    assert later["verdicts"][0]["reason"] == "its run_mode is SKIP"


def test_results_are_not_written_over_a_suite(folder: Path, grice: Grice) -> None:
    path = write(folder / "a.grice.yaml", scenario())
    before = path.read_text()
    run = grice("run", ".", "--json", "a.grice.yaml")
    assert run.code == 2
    assert path.read_text() == before


# -- run modes


def test_what_the_run_mode_leaves_out_is_listed_and_counted_as_skipped(folder: Path, grice: Grice) -> None:
    write(folder / "a.grice.yaml", scenario("one", more="run_mode: ONLY"), scenario("two"))
    write(folder / "b.grice.yaml", scenario("three"), scenario("four", "Bye", more="run_mode: SKIP"))
    run = grice("run", ".")
    assert run.code == 0
    assert run.out.splitlines()[:7] == [
        "pass   one",
        "skipped two",
        "       another scenario of this file has run_mode ONLY",
        "pass   three",
        "skipped four",
        "       its run_mode is SKIP",
        "",
    ]
    assert "2 passed, 2 skipped  4 scenarios, 2 checks in " in run.out
    only = [line for line in run.out.splitlines() if "is set" in line]
    assert only == ["a.grice.yaml: run_mode ONLY is set, 1 of its 2 scenarios were left out"]


def test_everything_skipped_is_no_green_run(folder: Path, grice: Grice) -> None:
    write(folder / "a.grice.yaml", scenario(more="run_mode: SKIP, agent: 'nowhere:agent'"))
    run = grice("run", ".")
    assert run.code == 2
    assert "1 skipped, nothing tested  1 scenario, 0 checks in " in run.out


# -- what is to be known besides


def test_soft_checks_are_shown_and_never_count(folder: Path, grice: Grice) -> None:
    soft = "  - {id: soft, say: Hi, model: [Hello], evaluate: [{matcher: toContain, expected: Bye}]}"
    write(folder / "a.grice.yaml", scenario(), soft)
    run = grice("run", ".")
    assert run.code == 0
    assert "pass   soft\n       soft fail  turn 1: contain 'Bye': the text is 'Hello'\n\n" in run.out
    assert run.out.splitlines()[-1] == "1 scenario has soft checks only: nothing there can fail"


def test_a_soft_check_that_broke_everywhere_is_the_first_line_of_the_summary(
    folder: Path, grice: Grice
) -> None:
    broken = "{on: exchange 7, matcher: toPassLint}"
    lines = [f"  - {{id: s{i}, say: Hi, model: [Hello], evaluate: [{broken}]}}" for i in range(2)]
    write(folder / "a.grice.yaml", *lines)
    run = grice("run", ".")
    assert run.code == 0
    summary = run.out.splitlines()[-3:]
    assert summary[0] == "every soft check of toPassLint ended in an error: nothing was judged by it"
    assert summary[1].startswith("2 passed  2 scenarios, 2 checks in ")


def test_verdicts_on_a_path_that_resolved_nothing_are_counted_and_named(folder: Path, grice: Grice) -> None:
    check = "{path: $.gone, matcher: toBeNull, not: true}"
    write(
        folder / "a.grice.yaml", f"  - {{id: path, say: Hi, model: ['{{}}'], expect: [{check}]}}", scenario()
    )
    run = grice("run", ".")
    assert run.code == 0
    assert run.out.splitlines()[-2:] == [
        "1 verdict rests on a path that resolved nothing, a hard pass:",
        "  path: hard pass: the value at $.gone of the reply not to be null",
    ]


def test_every_hard_pass_on_nothing_is_named(folder: Path, grice: Grice) -> None:
    check = "{path: $.gone, matcher: toBeNull, not: true}"
    lines = [f"  - {{id: s{n}, say: Hi, model: ['{{}}'], expect: [{check}]}}" for n in range(22)]
    write(folder / "a.grice.yaml", *lines)
    told = grice("run", ".").out.splitlines()
    assert sum("hard pass: the value" in line for line in told) == 20
    assert told[-1] == "  and 2 more"


def test_an_expected_output_that_is_not_looked_at_is_said_in_a_line(folder: Path, grice: Grice) -> None:
    write(folder / "a.grice.yaml", scenario(more="expected_output: other"))
    run = grice("run", ".")
    assert run.code == 0
    assert run.out.splitlines()[:3] == [
        "pass   greets",
        "       skipped: expected_output is not looked at beside 'expect'",
        "",
    ]


def test_update_does_nothing_to_suites_and_says_so_when_there_is_nothing_else(
    folder: Path, grice: Grice
) -> None:
    path = write(folder / "a.grice.yaml", scenario(reply="Bye"))
    before = path.read_text()
    told = "--grice-update rewrites goldens and cassettes; suites are not rewritten"
    assert told in grice("run", ".", "--grice-update").out
    (folder / "g.golden.json").write_text(json.dumps(GOLDEN))
    assert told not in grice("run", ".", "--grice-update").out
    assert path.read_text() == before


# -- what cannot be run


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("scenarios: []", "a.grice.yaml:1:12: scenarios: the file holds no scenario: it is an empty list"),
        ("scenarios:\n  - {say: Hi}", "a.grice.yaml:2:5: scenarios[0]: scenario 'scenario_"),
        ("scenarios:\n - {say: 3, expect: [{matcher: toBeNull}]}", "a.grice.yaml:2:10: scenarios[0].say: "),
        ("scenarios: {", "a.grice.yaml:1:12: not valid YAML"),
    ],
)
def test_a_wrong_suite_is_exit_code_2_with_the_place(
    folder: Path, grice: Grice, text: str, message: str
) -> None:
    (folder / "a.grice.yaml").write_text(text)
    run = grice("run", ".")
    assert run.code == 2
    assert message in run.err
    assert "Traceback" not in run.out + run.err


def test_every_error_of_suites_goldens_and_paths_is_told_at_once(folder: Path, grice: Grice) -> None:
    write(
        folder / "x" / "a.grice.yaml",
        "  - {say: Hi, expect: [{matcher: toContan, expected: x}, {matcher: toBeNul}]}",
    )
    (folder / "x" / "b.golden.json").write_text("{}")
    (folder / "empty").mkdir()
    run = grice("run", "x", "empty", "nowhere.grice.yaml")
    assert run.code == 2
    assert "unknown matcher 'toContan' (did you mean 'toContain'?)" in run.err
    assert "unknown matcher 'toBeNul' (did you mean 'toBeNull'?)" in run.err
    assert "b.golden.json:1:1: missing field" in run.err
    assert "empty: no golden files in this folder" in run.err
    assert "*.grice.yaml" in run.err
    assert "nowhere.grice.yaml: there is no such file or folder" in run.err


def test_a_suite_by_another_name_is_told_how_to_be_called(folder: Path, grice: Grice) -> None:
    write(folder / "plain.yaml", scenario())
    run = grice("run", "plain.yaml")
    assert run.code == 2
    assert run.err == "plain.yaml: it has scenarios, so it is a suite: name it plain.grice.yaml\n"


def test_one_id_in_two_suites_of_one_name_is_an_error(folder: Path, grice: Grice) -> None:
    write(folder / "a" / "shop.grice.yaml", scenario())
    write(folder / "b" / "shop.grice.yaml", scenario())
    run = grice("run", ".")
    assert run.code == 2
    assert "the id 'greets' is used already, at " in run.err
    write(folder / "b" / "shop.grice.yaml", scenario(), head="name: other")
    assert grice("run", ".").code == 0


def test_without_an_agent_it_says_what_to_do(folder: Path, grice: Grice) -> None:
    write(folder / "a.grice.yaml", scenario())
    (folder / "pyproject.toml").unlink()
    run = grice("run", ".")
    assert run.code == 2
    assert "no agent is configured: name it with --agent module:attribute" in run.err
    assert run.err.endswith(", or in the file itself as agent: module:attribute\n")


def test_an_agent_that_cannot_be_had_stops_only_its_own_scenarios(folder: Path, grice: Grice) -> None:
    write(folder / "a.grice.yaml", scenario("good"), scenario("bad", more="agent: 'suite_bots:nothing'"))
    run = grice("run", ".")
    assert run.code == 2
    assert "1 passed, 1 error  2 scenarios" in run.out
    assert "an agent to hold the conversation with" in run.out
    assert run.err.count("suite_bots:nothing") + run.err.count("nothing(context)") >= 1


def test_the_command_line_wins_over_scenario_and_suite(folder: Path, grice: Grice) -> None:
    check = "expect: [{matcher: toEqual, expected: you said Hi}]"
    write(folder / "a.grice.yaml", f"  - {{id: a, say: Hi, {check}}}", head="agent: suite_bots:echo")
    assert grice("run", ".").code == 0
    run = grice("run", ".", "--agent", "suite_bots:Talker")
    assert run.code == 1
    assert "model request 1 has no scripted reply" in run.out


def test_text_of_agents_and_of_suites_is_text(folder: Path, grice: Grice) -> None:
    check = '{matcher: toBeNull, description: "\\e[2J"}'
    text = f'scenarios:\n  - {{id: "a[bold]", say: "\\e[31mred", expect: [{check}]}}\n'
    (folder / "a.grice.yaml").write_text(text)
    run = grice("run", ".", "--agent", "suite_bots:echo")
    assert run.code == 1
    assert "\x1b" not in run.out
    assert "a[bold]" in run.out
    assert "[\\x1b[2J] the reply to be null" in run.out


def test_ctrl_c_in_the_middle_keeps_what_is_finished(folder: Path, grice: Grice) -> None:
    (folder / "suite_bots.py").write_text(
        AGENT
        + """
import signal

class Interrupted(Talker):
    def chat(self, messages):
        if messages[-1]["content"] == "wait":
            signal.raise_signal(signal.SIGINT)
        return super().chat(messages)
"""
    )
    write(
        folder / "a.grice.yaml",
        scenario("done"),
        scenario("hangs").replace("say: Hi", "say: wait"),
        scenario("never"),
    )
    run = grice("run", ".", "--agent", "suite_bots:Interrupted", "--json", "out.json")
    assert run.code == 130
    assert "interrupted after 1 of 3 scenarios" in run.err
    assert "pass   done" in run.out
    assert "1 passed, 2 not run  3 scenarios, 1 check in " in run.out
    assert "Traceback" not in run.out + run.err
    found = json.loads((folder / "out.json").read_text())
    assert found["complete"] is False
    assert [one["key"] for one in found["results"]] == ["done"]


def test_scenarios_run_at_once_where_it_is_asked_for(folder: Path, grice: Grice) -> None:
    agent = """
import threading

TOGETHER = threading.Barrier(3)

class Together(Talker):
    def chat(self, messages):
        TOGETHER.wait(100)
        return super().chat(messages)
"""
    (folder / "suite_bots.py").write_text(AGENT + agent)
    write(folder / "a.grice.yaml", scenario("first"), scenario("second"), scenario("third"))
    run = grice("run", ".", "--agent", "suite_bots:Together", "--concurrency", "3", "--json", "out.json")
    assert run.code == 0
    assert "3 passed  3 scenarios" in run.out
    found = json.loads((folder / "out.json").read_text())
    assert [one["key"] for one in found["results"]] == ["first", "second", "third"]


def test_one_scenario_is_run_by_its_id(folder: Path, grice: Grice) -> None:
    write(folder / "a.grice.yaml", scenario("good", "Hello"), scenario("bad", "Bye"))
    assert grice("run", "a.grice.yaml::good").code == 0
    both = grice("run", "a.grice.yaml::good", "a.grice.yaml::bad")
    assert (both.code, "1 passed" in both.out, "1 failed" in both.out) == (1, True, True)
    run = grice("run", "a.grice.yaml::god")
    assert (run.code, run.err) == (2, "a.grice.yaml: it has no 'god' (did you mean 'good'?)\n")
    assert grice("run", "a.grice.yaml::x").err == "a.grice.yaml: it has no 'x'; it has good, bad\n"
    told = grice("run", "a.grice.yaml", "--agent", "node server.js").err
    assert (
        "found 'node server.js'; Grice starts a program that serves HTTP where grice.toml says so: [server]"
        in told
    )


MANY = 150
"""Scenarios of a file, of which two files have more than a run holds at once."""


def write_many(folder: Path) -> list[Path]:
    """Three suites, which are read again when their turn comes."""
    return [
        write(folder / f"{name}.grice.yaml", *(scenario(f"{name}-{number}") for number in range(MANY)))
        for name in "abc"
    ]


def test_scenarios_of_many_files_are_run_though_not_all_are_held(folder: Path, grice: Grice) -> None:
    write_many(folder)
    run = grice("run", ".", "--repeat", "2")
    assert (run.code, run.err) == (0, "")
    lines = run.out.splitlines()
    assert [line.split()[1] for line in lines[:MANY]] == [f"a-{number}" for number in range(MANY)]
    assert f"{6 * MANY} passed  {6 * MANY} scenarios" in run.out


@pytest.mark.parametrize("concurrency", [1, 3])
def test_scenarios_of_a_file_that_changes_before_its_turn_stay_unfinished(
    folder: Path, grice: Grice, concurrency: int
) -> None:
    *_, last = write_many(folder)
    folder.joinpath("suite_bots.py").write_text(
        "import pathlib\n"
        "def changes(text):\n"
        f"    path = pathlib.Path({str(last)!r})\n"
        "    if path.exists() and not pathlib.Path('stay').exists():\n"
        "        path.rename(path.with_suffix('.away'))\n"
        "    return 'Hello!'\n"
    )
    files = ("a.grice.yaml", "b.grice.yaml", "c.grice.yaml")
    run = grice("run", *files, "--agent", "suite_bots:changes", "--concurrency", concurrency)
    assert run.code == 2
    assert run.err.splitlines()[-1].startswith("c.grice.yaml: there is no such file")
    assert f"{2 * MANY} errors, {MANY} not run" in run.out
    last.with_suffix(".away").rename(last)
    folder.joinpath("stay").touch()
    again = grice("run", *files, "--agent", "suite_bots:changes", "--resume", "latest")
    assert f"{2 * MANY} of {3 * MANY} were finished before" in again.out
    assert f"{3 * MANY} error" in again.out, "this agent never asks its model"
