import io
import json
import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TextIO

import pytest
from grice_command import Grice

from grice.files.golden_records import Golden

EXAMPLE = Path(__file__).parents[2] / "examples" / "wordpress_assistant"

AGENT = """
class Talker:
    def __init__(self, context):
        self.model = context.model

    def chat(self, messages):
        asked = [{"role": m["role"], "content": m["content"]} for m in messages]
        return self.model.client.messages.create(messages=asked).content[0].text

def raises(text):
    raise RuntimeError("out of order")

def nothing(context):
    return None

def leaves(text):
    raise SystemExit(0)

class Odd(BaseException):
    pass

def odd(text):
    raise Odd("no end")

def makes_odd(context):
    raise Odd("not made")

def quits(context):
    raise SystemExit(0)
"""


def golden(id_: str = "greets", reply: str = "Hello!", **changes: object) -> dict[str, object]:
    return {
        "id": id_,
        "userMessage": "Hi",
        "mockLlmResponses": [{"step": "chat", "content": [{"type": "text", "text": reply}]}],
        "assertions": {"finalText": {"contains": ["Hello"]}},
        **changes,
    }


def write(path: Path, *goldens: dict[str, object]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(goldens[0] if len(goldens) == 1 else list(goldens), indent=1))
    return path


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A project with agents in a module of its own name, and the current folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    tmp_path.joinpath("bots.py").write_text(AGENT)
    tmp_path.joinpath("pyproject.toml").write_text('[tool.grice]\nagent = "bots:Talker"\n')
    before = set(sys.modules)
    yield tmp_path
    for name in set(sys.modules) - before:
        if name.startswith(("bots", "other")):
            del sys.modules[name]


def test_goldens_that_pass_give_a_line_each_and_exit_code_0(folder: Path, grice: Grice) -> None:
    write(folder / "a.golden.json", golden("short"), golden("a-longer-key", description="Greets back"))
    run = grice("run", ".")
    assert run.code == 0
    assert run.err == ""
    lines = run.out.splitlines()
    assert lines[:3] == ["pass   short", "pass   a-longer-key  Greets back", ""]
    assert lines[3].startswith("2 passed  2 checks in ")
    assert len(lines) == 4


def test_a_golden_that_fails_gives_a_bug_report_and_exit_code_1(folder: Path, grice: Grice) -> None:
    write(folder / "a.golden.json", golden("good"), golden("bad", "Bye"))
    run = grice("run", "a.golden.json")
    assert run.code == 1
    assert (
        run.out.splitlines()[:-3]
        == [
            "pass   good",
            "fail   bad",
            "       a.golden.json",
            "",
            "    1  user       Hi",
            "  >    assistant  Bye",
            "",
            "    fail   the final text to contain 'Hello'",
            "           the text is 'Bye'",
            "",
        ][: len(run.out.splitlines()) - 3]
    )
    assert "1 passed, 1 failed  2 checks in " in run.out
    assert run.out.splitlines()[-1] == "  failed   bad  the final text to contain 'Hello': the text is 'Bye'"


def test_an_agent_that_raises_is_broken_not_failed_and_exit_code_1(folder: Path, grice: Grice) -> None:
    write(folder / "a.golden.json", golden())
    run = grice("run", "a.golden.json", "--agent", "bots:raises")
    assert run.code == 1
    assert "error  greets" in run.out
    assert "the agent raised RuntimeError: out of order" in run.out
    assert "1 error" in run.out


def test_an_agent_that_ends_the_program_does_not_end_the_run(folder: Path, grice: Grice) -> None:
    write(folder / "a.golden.json", golden("one", agent="bots:leaves"), golden("two"))
    run = grice("run", "a.golden.json")
    assert run.code == 1
    assert "the agent raised SystemExit" in run.out
    assert "1 passed, 1 error" in run.out


def test_an_exception_that_is_no_error_does_not_end_the_run_either(folder: Path, grice: Grice) -> None:
    goldens = golden("one", agent="bots:odd"), golden("two", agent="bots:makes_odd"), golden("three")
    write(folder / "a.golden.json", *goldens)
    run = grice("run", "a.golden.json", "--json", "out.json")
    assert run.code == 2
    assert "the agent raised Odd: no end" in run.out
    assert "the agent ended the program while it was made (Odd: not made)" in run.err
    assert "1 passed, 2 errors" in run.out
    assert json.loads((folder / "out.json").read_text())["complete"] is True


def test_what_was_replayed_is_kept_when_grice_itself_fails(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write(folder / "a.golden.json", golden("one"), golden("two"), golden("three"))
    from grice.cli.run import Command
    from grice.cli.run_work import run_paths
    from grice.running import file_work

    whole = file_work.replay

    def breaks(one: Golden, *args: Any, **options: Any) -> Any:
        if one.id == "two":
            raise ZeroDivisionError
        return whole(one, *args, **options)

    monkeypatch.setattr(file_work, "replay", breaks)
    with pytest.raises(ZeroDivisionError):
        run_paths(Command(paths=[folder], json=folder / "out.json"))
    assert "1 passed, 2 not run" in capsys.readouterr().out
    found = json.loads((folder / "out.json").read_text())
    assert (found["complete"], [one["key"] for one in found["results"]]) == (False, ["one"])


PATTERNS = {
    "tset/chats/*.json": "there is no folder 'tset' in {folder} (did you mean 'test'?)",
    "test/chat/*.json": "there is no folder 'chat' in {folder}/test (did you mean 'chats'?)",
    "test/chats/*.yaml": "no .json, .yaml or .yml file matches 'test/chats/*.yaml'",
}


@pytest.mark.parametrize(("pattern", "message"), PATTERNS.items())
def test_a_pattern_of_the_settings_that_matches_nothing_is_exit_code_2(
    folder: Path, grice: Grice, pattern: str, message: str
) -> None:
    settings = f'[tool.grice]\nagent = "bots:Talker"\ngoldens = ["{pattern}"]\n'
    (folder / "pyproject.toml").write_text(settings)
    write(folder / "a.golden.json", golden())
    write(folder / "test" / "chats" / "a.json", golden("other"))
    run = grice("run", ".")
    assert run.code == 2
    assert "pyproject.toml:3:12: [tool.grice] goldens: " in run.err
    assert message.format(folder=folder) in run.err.replace("\n", "")
    assert grice("run", "a.golden.json").code == 0


UNUSABLE: dict[str, tuple[list[str], str]] = {
    "no path": (["run"], "Error: PATH... is missing: Suites, goldens and test files, or folders of them"),
    "a path that is not there": (
        ["run", "goldns"],
        "goldns: there is no such file or folder (did you mean 'goldens'?)",
    ),
    "a folder without goldens": (["run", "empty"], "empty: no golden files in this folder"),
    "a file that is wrong": (["run", "wrong.golden.json"], "wrong.golden.json:1:2: [0]: missing field 'id'"),
    "a module that is not there": (["run", "goldens", "--agent", "nobots:x"], "there is no module 'nobots'"),
    "an attribute that is not there": (
        ["run", "goldens", "--agent", "bots:Talkr"],
        "(did you mean 'Talker'?)",
    ),
    "a name that is no name": (
        ["run", "goldens", "--agent", "bots"],
        "an agent is named as 'module:attribute'",
    ),
    "an agent that makes nothing": (["run", "goldens", "--agent", "bots:nothing"], "returned None"),
    "a module that ends the program": (
        ["run", "goldens", "--agent", "exits:x"],
        "exits raised SystemExit",
    ),
    "an unknown option": (["run", "goldens", "--jsn", "x"], "No such option"),
    "JSON to a folder": (["run", "goldens", "--json", "empty"], "empty is a folder: name the file to write"),
    "JSON below a file": (["run", "goldens", "--json", "bots.py/x.json"], "the folder cannot be made"),
}


@pytest.mark.parametrize(("args", "message"), UNUSABLE.values(), ids=UNUSABLE.keys())
def test_what_cannot_be_run_is_exit_code_2_with_words(
    folder: Path, grice: Grice, args: list[str], message: str
) -> None:
    write(folder / "goldens" / "a.golden.json", golden())
    (folder / "empty").mkdir()
    (folder / "wrong.golden.json").write_text("[{}]")
    (folder / "exits.py").write_text("raise SystemExit(0)")
    run = grice(*args)
    assert run.code == 2
    assert message in run.err
    assert "Traceback" not in run.out + run.err


def test_every_error_of_every_file_is_told_at_once(folder: Path, grice: Grice) -> None:
    write(folder / "a.golden.json", golden("same"))
    write(folder / "b.golden.json", golden("same"))
    (folder / "c.golden.json").write_text('{\n "id": 3')
    run = grice("run", ".")
    assert run.code == 2
    assert "b.golden.json:1:1: the id 'same' is used already, at a.golden.json:1" in run.err
    assert "c.golden.json:1:1: not valid JSON" in run.err


@pytest.mark.parametrize("settings", ["agnet = 'x'", "agent = 3", "turn_timeout = 'x'", "not toml"])
def test_wrong_settings_are_exit_code_2_with_their_place(folder: Path, grice: Grice, settings: str) -> None:
    write(folder / "a.golden.json", golden())
    (folder / "pyproject.toml").write_text(f"[tool.grice]\n{settings}\n")
    run = grice("run", ".")
    assert run.code == 2
    assert f"{folder}/pyproject.toml:2:" in run.err


@pytest.mark.parametrize("path", [".", "a.grice.yaml", "a.grice.yaml::one"])
def test_wrong_settings_hide_no_error_of_a_file(folder: Path, grice: Grice, path: str) -> None:
    (folder / "pyproject.toml").write_text("[tool.grice]\nagnet = 'x'\n")
    (folder / "a.grice.yaml").write_text("scenarios:\n  - {id: one, say: Hi, expct: []}\n")
    run = grice("run", path)
    assert (run.code, run.out) == (2, "")
    assert run.err.replace("\n", " ").count("unknown field 'agnet'") == 1
    assert run.err.endswith(
        "a.grice.yaml:2:24: scenarios[0]: unknown field 'expct' (did you mean 'expect'?)\n"
    )


def test_without_an_agent_it_says_what_to_do(folder: Path, grice: Grice) -> None:
    write(folder / "a.golden.json", golden())
    (folder / "pyproject.toml").unlink()
    run = grice("run", ".")
    assert run.code == 2
    assert "no agent is configured: name it with --agent module:attribute" in run.err


def test_settings_and_agent_are_those_of_the_golden_s_own_project(
    folder: Path, grice: Grice, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    other = folder / "other"
    write(other / "goldens" / "b.golden.json", golden("theirs"))
    (other / "pyproject.toml").write_text('[tool.grice]\nagent = "other_bots:Talker"\n')
    (other / "other_bots.py").write_text(AGENT)
    write(folder / "goldens" / "a.golden.json", golden("ours"))
    run = grice("run", "other/goldens", "goldens")
    assert run.code == 0, run.err
    monkeypatch.chdir(tmp_path_factory.mktemp("outside"))
    assert grice("run", other / "goldens").code == 0


def test_the_example_runs_from_anywhere(
    grice: Grice, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    shutil.copytree(EXAMPLE, tmp_path / "example", ignore=shutil.ignore_patterns("__pycache__", ".*"))
    run = grice("run", tmp_path / "example" / "goldens")
    assert run.code == 0, run.err
    assert "6 passed" in run.out


def test_two_projects_with_modules_of_one_name_are_not_mixed_up(folder: Path, grice: Grice) -> None:
    other = folder / "other"
    write(other / "b.golden.json", golden("theirs"))
    (other / "pyproject.toml").write_text('[tool.grice]\nagent = "bots:raises"\n')
    (other / "bots.py").write_text(AGENT)
    write(folder / "goldens" / "a.golden.json", golden("ours"))
    run = grice("run", "goldens", "other")
    assert run.code == 2
    assert "was imported under it before" in run.err


def test_the_command_line_wins_over_the_golden_and_that_over_the_settings(folder: Path, grice: Grice) -> None:
    (folder / "pyproject.toml").write_text('[tool.grice]\nagent = "bots:raises"\n')
    write(folder / "a.golden.json", golden(agent="bots:Talker"))
    assert grice("run", ".").code == 0
    run = grice("run", ".", "--agent", "bots:raises")
    assert "out of order" in run.out


def test_files_that_the_settings_name_are_found_in_folders(folder: Path, grice: Grice) -> None:
    (folder / "pyproject.toml").write_text(
        '[tool.grice]\nagent = "bots:Talker"\ngoldens = ["cases/**/*.json"]\n'
    )
    write(folder / "cases" / "deep" / "a.json", golden("named"))
    write(folder / "b.golden.json", golden("standard"))
    write(folder / "c.json", golden("neither"))
    assert "2 passed" in grice("run", ".").out
    assert "1 passed" in grice("run", "cases").out


def test_json_is_versioned_redacted_and_has_fingerprints(folder: Path, grice: Grice) -> None:
    secret = "Hello, sk-ant-api03-abcdefghijklmnopqrstuvwxyz"
    write(folder / "a.golden.json", golden("good"), golden("bad", "Bye"), golden("secret", secret))
    run = grice("run", ".", "--json", "out/deep/results.json")
    assert run.code == 1
    text = (folder / "out" / "deep" / "results.json").read_text()
    found = json.loads(text)
    assert found["version"] == 1
    assert found["complete"] is True
    assert [(one["key"], one["outcome"], one.get("failure", "none")) for one in found["results"]] == [
        ("good", "pass", "none"),
        ("bad", "fail", "assertion"),
        ("secret", "pass", "none"),
    ]
    assert all(one["fingerprint"].startswith("sha256:") for one in found["results"])
    assert all(one["id"].startswith("example:") for one in found["results"])
    assert "sk-ant-api03" not in text
    assert "[redacted: api key]" in text
    assert os.listdir(folder / "out" / "deep") == ["results.json"]


BAD_AGENTS = {
    "bots:nothing": "returned None",
    "nobots:x": "there is no module 'nobots'",
    "bots:quits": "the agent ended the program while it was made",
}


@pytest.mark.parametrize(("agent", "reason"), BAD_AGENTS.items())
def test_an_agent_that_cannot_be_had_stops_only_its_own_golden(
    folder: Path, grice: Grice, agent: str, reason: str
) -> None:
    write(folder / "a.golden.json", golden("good"), golden("bad", agent=agent), golden("third"))
    run = grice("run", ".", "--json", "out.json")
    assert run.code == 2
    assert run.err.count(reason) == 1
    assert "error  bad" in run.out
    assert "2 passed, 1 error" in run.out
    found = json.loads((folder / "out.json").read_text())
    assert found["complete"] is True
    assert [(one["key"], one["outcome"]) for one in found["results"]] == [
        ("good", "pass"),
        ("bad", "error"),
        ("third", "pass"),
    ]
    assert all(one["fingerprint"] for one in found["results"])


def test_results_are_not_written_over_a_golden(folder: Path, grice: Grice) -> None:
    path = write(folder / "a.golden.json", golden())
    before = path.read_text()
    for place in ("a.golden.json", folder / "a.golden.json"):
        run = grice("run", ".", "--json", place)
        assert (run.code, run.out) == (2, "")
        assert "is one of the files to read" in run.err
    assert path.read_text() == before


def test_hidden_folders_environments_and_builds_are_not_searched(folder: Path, grice: Grice) -> None:
    (folder / "pyproject.toml").write_text(
        '[tool.grice]\nagent = "bots:Talker"\ngoldens = ["**/cases.json"]\n'
    )
    write(folder / "deep" / "a.golden.json", golden("one"))
    write(folder / "deep" / "cases.json", golden("named"))
    for number, name in enumerate((".git", "node_modules", "build", "dist", "x.egg", "my-env", ".venv")):
        write(folder / name / "b.golden.json", golden(f"standard-{number}"))
        write(folder / name / "cases.json", golden(f"named-{number}"))
    (folder / "my-env" / "pyvenv.cfg").touch()
    assert "2 passed" in grice("run", ".").out
    assert "2 passed" in grice("run", "build").out


def test_a_path_that_is_not_there_hides_no_other_error(folder: Path, grice: Grice) -> None:
    (folder / "wrong.golden.json").write_text("[{}]")
    run = grice("run", "gone", "wrong.golden.json")
    assert run.code == 2
    assert "gone: there is no such file or folder" in run.err
    assert "wrong.golden.json:1:2: [0]: missing field 'id'" in run.err


def test_a_run_that_nobody_reads_ends_after_what_is_under_way(
    folder: Path, grice: Grice, nobody_reads: TextIO
) -> None:
    write(folder / "a.golden.json", *(golden(f"g{number}") for number in range(50)))
    run = grice("run", ".", "--json", "out.json", stdout=nobody_reads)
    assert (run.code, run.err) == (141, "")
    found = json.loads((folder / "out.json").read_text())
    assert found["complete"] is False
    assert [one["outcome"] for one in found["results"]] == ["pass"]


def test_output_on_a_stream_that_is_not_utf_8_is_escaped(folder: Path, grice: Grice) -> None:
    write(folder / "a.golden.json", golden("caf\u00e9", "Good bye \u00e9"))
    with io.TextIOWrapper(io.BytesIO(), "ascii") as ascii_only:
        run = grice("run", ".", stdout=ascii_only)
        ascii_only.seek(0)
        assert "fail   caf\\xe9" in ascii_only.read()
    assert (run.code, run.err) == (1, "")


def test_verbose_shows_every_transcript_and_verdict(folder: Path, grice: Grice) -> None:
    write(folder / "a.golden.json", golden("good"))
    run = grice("run", ".", "--verbose")
    assert "    1  user       Hi" in run.out
    assert "    pass   the final text to contain 'Hello'" in run.out


def test_update_rewrites_what_was_observed(folder: Path, grice: Grice) -> None:
    path = write(
        folder / "a.golden.json", golden("g", "Hello you!", assertions={"finalText": {"equals": "Hello!"}})
    )
    assert grice("run", ".").code == 1
    run = grice("run", ".", "--grice-update")
    assert run.code == 0, run.out
    assert run.out.splitlines()[:3] == [
        "pass   g",
        "       g: rewrote a.golden.json",
        "         equals is the new final text",
    ]
    assert json.loads(path.read_text())["assertions"] == {"finalText": {"equals": "Hello you!"}}


NASTY = "[bold]no markup[/bold] :smile: \x1b[31mred\x1b[0m \u202e back ]]>"


@pytest.mark.parametrize("columns", ["40", "100", "300"])
def test_text_of_agents_is_text_in_any_width(
    folder: Path, grice: Grice, monkeypatch: pytest.MonkeyPatch, columns: str
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    write(folder / "a.golden.json", golden("[red]key[/red]", NASTY, description="[blink]d\x1b[5m"))
    run = grice("run", ".")
    shown = " ".join(run.out.replace(">", " ").split())
    assert "[bold]no markup[/bold] :smile: \\x1b[31mred\\x1b[0m \\u202e back" in shown
    assert "fail   [red]key[/red]" in run.out
    assert "\x1b" not in run.out
    if columns != "300":
        assert max(map(len, run.out.splitlines())) <= int(columns)


def test_colours_are_there_on_a_terminal_only(
    folder: Path, grice: Grice, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(folder / "a.golden.json", golden("bad", NASTY))
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm-256color")
    run = grice("run", ".")
    assert "\x1b[1;31mfail" in run.out
    assert "\\x1b[31mred" in run.out
    assert "\x1b[31mred" not in run.out


def test_ctrl_c_in_the_middle_keeps_what_is_finished(folder: Path, grice: Grice) -> None:
    (folder / "bots.py").write_text(
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
    write(folder / "a.golden.json", golden("done"), golden("hangs", userMessage="wait"), golden("never"))
    run = grice("run", ".", "--agent", "bots:Interrupted", "--json", "out.json")
    assert run.code == 130
    assert "interrupted after 1 of 3 goldens" in run.err
    assert "pass   done" in run.out
    assert "1 passed, 2 not run" in run.out
    assert "Traceback" not in run.out + run.err
    found = json.loads((folder / "out.json").read_text())
    assert found["complete"] is False
    assert [one["key"] for one in found["results"]] == ["done"]


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
@pytest.mark.parametrize(
    "name", ["loop.golden.json", "loop.json", "loop", "loop.py", "loop.csv", "loop.jsonl"]
)
def test_a_loop_of_links_is_called_so(folder: Path, grice: Grice, name: str) -> None:
    (folder / name).symlink_to(name)
    run = grice("run", name)
    assert run.code == 2
    assert run.err.startswith(f"{name}: ")
    assert "is a loop of links" in run.err
    assert "did you mean" not in run.err


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_a_loop_of_links_in_a_folder_is_told(folder: Path, grice: Grice) -> None:
    (folder / "pyproject.toml").write_text('[tool.grice]\ngoldens = ["loop/*.json"]\n')
    (folder / "loop").mkdir()
    for name in ("one.golden.json", "two.json", "test_three.py"):
        (folder / "loop" / name).symlink_to(name)
    run = grice("run", "loop")
    assert run.code == 2
    assert "loop of links" in run.err


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_a_link_to_nothing_says_where_it_leads(folder: Path, grice: Grice) -> None:
    (folder / "now.golden.json").symlink_to("old.golden.json")
    run = grice("run", "now.golden.json")
    assert (run.code, run.err) == (2, "now.golden.json: is a link to old.golden.json, which is not there\n")
