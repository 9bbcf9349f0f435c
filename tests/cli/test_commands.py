"""The commands as a whole: how they are listed, found, refused and completed, and what they load."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from grice_command import Grice

from grice.checks.message_lint import DIALECTS
from grice.checks.profiles import PROFILES
from grice.cli.app import app
from grice.cli.commands import Commands

LOADED = """
import sys
from grice.cli import main
try:
    main(sys.argv[1:])
finally:
    print(*sys.modules, file=sys.stderr)
"""
LIGHT = {"grice._lazy", "grice._runner", "grice._version"}


def every(group: Commands, *path: str) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """The commands that do something, with the words that name them."""
    for name in group.found:
        below = group.get_command(click.Context(group), name)
        if isinstance(below, Commands):
            yield from every(below, *path, name)
        elif below is not None:
            yield (*path, name), below


COMMANDS = dict(every(app))


@pytest.mark.parametrize("path", COMMANDS, ids=" ".join)
@pytest.mark.parametrize("columns", [40, 80, 200])
def test_the_help_of_a_command_is_whole(grice: Grice, path: tuple[str, ...], columns: int) -> None:
    run = grice(*path, "-h", columns=columns)
    assert (run.code, run.err) == (0, "")
    assert "".join((COMMANDS[path].help or "").split()) in "".join(run.out.split())  # words are broken at -
    wide = [line for line in run.out.splitlines() if len(line) > columns]
    assert columns == 40 or wide == []
    assert grice("help", *path, columns=columns) == run


@pytest.mark.parametrize("columns", [40, 80, 200])
def test_every_command_is_listed_with_its_whole_line(grice: Grice, columns: int) -> None:
    run = grice("--help", columns=columns)
    said = "".join(run.out.split())  # a name that is longer than a line is broken
    assert (run.code, run.err, max(map(len, run.out.splitlines())) <= columns) == (0, "", True)
    for path, command in COMMANDS.items():
        line = (command.help or "").partition("\n\n")[0]
        assert len(path) > 1 or "".join(f"{path[0]}{line}".split()) in said


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["reprot"], "No such command 'reprot' (did you mean 'report'?)."),
        (["vali"], "No such command 'vali' (did you mean 'validate'?)."),
        (["validate", "judges"], "No such command 'judges' (did you mean 'judge'?)."),
        (["help", "reprot"], "No such command 'reprot' (did you mean 'report'?)."),
        (["report", "--verb"], "No such option '--verb' (did you mean '--verbose'?)."),
        (["report", "--jsno", "-"], "No such option '--jsno' (did you mean '--json'?)."),
        (["--verison"], "No such option '--verison' (did you mean '--version'?)."),
        (["[bold]x[/bold]"], "No such command '[bold]x[/bold]'."),
    ],
)
def test_an_unknown_name_is_refused_with_the_nearest(grice: Grice, arguments: list[str], said: str) -> None:
    run = grice(*arguments)
    assert (run.code, run.out, run.err.splitlines()[-1]) == (2, "", f"Error: {said}")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("run . --repeat 0", "--repeat: 0 is too small: at least 1"),
        ("run . --repeat two", "--repeat: expected a whole number, found 'two'"),
        ("run . --seed 1.5", "--seed: expected a whole number, found '1.5'"),
        ("stub --port 70000", "--port: 70000 is too large: at most 65535"),
        ("run . --repeat", "--repeat: its value is missing, as in --repeat N"),
        ("report --json", "--json: its value is missing, as in --json FILE"),
        ("report -o", "-o: its value is missing, as in -o FILE"),
        ("run . --strict=1", "--strict: it takes no value"),
        ("scan", "FILE... is missing: Logs, or folders of them"),
        ("show", "RUN@ID|FILE:LINE is missing: A run and the key or id of a test or scenario in it (latest@refund, or latest@refund#2 for its second repeat), or a log and a line"),  # noqa: E501
        ("schema", "KIND is missing: suite, golden, scenarios, graph, script, personas, rules, map or settings"),  # noqa: E501
        ("rubric x --profile robst", "--profile: expected one of seed, robust, found 'robst' (did you mean 'robust'?)"),  # noqa: E501
        ("report --graph mermaids", "--graph: expected one of mermaid, svg, found 'mermaids' (did you mean 'mermaid'?)"),  # noqa: E501
        ("completion fihs", "SHELL: expected one of bash, zsh, fish, found 'fihs' (did you mean 'fish'?)"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_an_option_or_argument_is_said_plainly(
    grice: Grice, arguments: str, said: str
) -> None:
    run = grice(*arguments.split())
    assert (run.code, run.out, run.err.splitlines()[-1]) == (2, "", f"Error: {said}")


@pytest.mark.parametrize("arguments", ["report --help", "--help", "--version", "validate judge -h"])
def test_help_loads_nothing_but_the_command_line(arguments: str) -> None:
    command = [sys.executable, "-S", "-c", LOADED, *arguments.split()]
    places = os.environ | {"PYTHONPATH": os.pathsep.join(one for one in sys.path if one)}
    done = subprocess.run(command, env=places, capture_output=True, text=True, check=True)
    loaded = set(done.stderr.split())
    known = {*sys.stdlib_module_names, "__main__"}
    assert {name.partition(".")[0] for name in loaded} - known == {"grice", "click"}
    own = {name for name in loaded if name.startswith("grice.") and not name.startswith("grice.cli")}
    assert own <= LIGHT


JSON = [
    ["report", "exp_1"],
    ["compare", "exp_1", "exp_1"],
    ["gate", "exp_1", "--gate", "completion=0.1"],
    ["run", "a.grice.yaml"],
    ["scan", "log.jsonl"],
    ["scan", "log.jsonl", "--checks", "openers"],
    ["lint", "request.json"],
    ["matchers"],
    ["matchers", "toBeNull"],
    ["validate", "checks", "exclamations"],
]


@pytest.mark.parametrize("arguments", JSON, ids=" ".join)
def test_json_goes_to_a_file_beside_the_text_or_alone_to_standard_output(
    project: Path, grice: Grice, arguments: list[str]
) -> None:
    talk = [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello!"}]
    project.joinpath("a.grice.yaml").write_text(
        "scenarios:\n  - {id: one, say: A room, expect: [{matcher: toContain, expected: Booked}]}\n"
    )
    project.joinpath("log.jsonl").write_text(json.dumps({"messages": talk}))
    project.joinpath("request.json").write_text(json.dumps(talk[:1]))
    grice("run", "a.grice.yaml")
    run_id = next(project.joinpath(".grice", "runs").iterdir()).name
    given = [run_id if one == "exp_1" else one for one in arguments]
    text, beside, alone = grice(*given), grice(*given, "--json", "out.json"), grice(*given, "--json", "-")
    assert (beside.code, alone.code) == (text.code, text.code)
    assert beside.out
    assert json.loads(alone.out).keys() == json.loads(project.joinpath("out.json").read_text()).keys()
    if arguments[0] == "run":
        assert "1 passed" in alone.err


def completed(grice: Grice, monkeypatch: pytest.MonkeyPatch, words: str) -> list[str]:
    """What the words, of which the last is begun, may go on with."""
    monkeypatch.setenv("_GRICE_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", words)
    monkeypatch.setenv("COMP_CWORD", str(len(words.split(" ")) - 1))
    return grice().out.split()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("grice help sc", ["scan", "schema"]),
        ("grice help validate ", ["checks", "rules", "criteria", "judge", "drift"]),
        ("grice help scan x", []),
        ("grice matchers toCallT", ["toCallTool", "toCallTools"]),
        ("grice matchers toBeNull toBeUnd", ["toBeUndefined"]),
        ("grice gate --bundle ", ["chat", "recommend", "performance"]),
        ("grice gate --rule s", ["shown"]),
        ("grice schema s", ["suite", "scenarios", "script", "settings"]),
        ("grice validate checks open", ["openers"]),
        ("grice scan --checks to", None),
        ("grice scan --checks exclamations,open", ["exclamations,openers"]),
        ("grice scan --checks structure,toOpen", ["structure,toOpenDifferently"]),
        ("grice scan --checks sem", ["semantics"]),
        ("grice scan --profile ", ["seed", "robust"]),
        ("grice validate checks --profile b", ["both"]),
        ("grice report --graph ", ["mermaid", "svg"]),
        ("grice gate --rule ", ["point", "shown", "ruled_out"]),
        ("grice gate --bundle chat --bundle ", ["chat", "recommend", "performance"]),
        ("grice lint --dialect openai_c", ["openai_chat"]),
        ("grice lint --ignore orphan", ["orphan-tool-result"]),
    ],
)
def test_names_are_completed(
    grice: Grice, monkeypatch: pytest.MonkeyPatch, words: str, said: list[str] | None
) -> None:
    found = completed(grice, monkeypatch, words)
    if said is None:
        assert {"plain,tone", "plain,topicality", "plain,toContain"} <= {*found}
        said = [one.removeprefix("plain,") for one in found]
    assert found == [f"plain,{one}" for one in said]


def test_a_file_of_checks_is_completed_where_no_name_begins_so(
    grice: Grice, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert completed(grice, monkeypatch, "grice scan --checks my-ch") == ["file,my-ch"]


@pytest.mark.parametrize("words", ["grice matchers toC", "grice scan --checks op", "grice help sc"])
def test_names_are_completed_without_what_they_name(words: str) -> None:
    told = {"_GRICE_COMPLETE": "bash_complete", "COMP_WORDS": words}
    told["COMP_CWORD"] = str(len(words.split()) - 1)
    command = [sys.executable, "-c", LOADED]
    done = subprocess.run(command, env=os.environ | told, capture_output=True, text=True, check=True)
    assert done.stdout
    assert not {"grice.files", "grice.checks.tone", "grice.running", "rich"} & {*done.stderr.split()}


def test_a_scan_with_checks_of_a_file_loads_no_rules_and_what_reads_other_logs(tmp_path: Path) -> None:
    tmp_path.joinpath("checks.yaml").write_text("- {matcher: toContain, expected: Hi}\n")
    tmp_path.joinpath("log.jsonl").write_text(
        '{"messages": [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hi"}]}\n' * 2
    )
    command = [sys.executable, "-c", LOADED, "scan", "--checks", "checks.yaml", "log.jsonl"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert "Nothing found" in done.stdout
    loaded = {*done.stderr.split()}
    assert "grice.scanning.batch" in loaded
    unused = {
        "grice.checks.tone",
        "grice.checks.contradiction",
        "grice.checks.log_facts",
        "grice.formats.log_places",
        "grice.experiments.aggregation.summary",
        "grice.reporting.renderers.markdown",
        "zipfile",
    }
    assert not unused & loaded


def choices(path: str, option: str) -> list[str]:
    """The words that an option of a command takes."""
    command: click.Command = app
    for name in path.split():
        assert isinstance(command, Commands)
        command = command.get_command(click.Context(command), name) or command
    return next([*one.type.choices] for one in command.params if option in one.opts)  # type: ignore[attr-defined]


def test_options_take_the_words_that_are_known() -> None:
    """The words stand in the commands too: help and completion load nothing that knows them."""
    assert choices("scan", "--profile") == [*PROFILES]
    assert choices("validate checks", "--profile") == [*PROFILES, "both"]
    assert choices("lint", "--dialect") == [*DIALECTS]


BASH = """
eval "$(grice completion bash)"
compopt() {{ echo compopt "$@"; }}
COMP_WORDS=({words}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); COMPREPLY=()
_grice_completion grice
echo "${{COMPREPLY[@]}}"
"""


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("grice rep", "report"),
        ("grice validate ju", "judge"),
        ("grice report --js", "--json"),
        ("grice run --record on", "once"),
        ("grice completion z", "zsh"),
        ("grice lint req", "compopt -o default"),
    ],
)
def test_bash_completes(tmp_path: Path, words: str, said: str) -> None:
    folder = tmp_path / "bin"
    folder.mkdir()
    script = folder / "grice"
    script.write_text(f'#!/bin/sh\nexec {sys.executable} -m grice "$@"\n')
    script.chmod(0o755)
    done = subprocess.run(
        ["bash", "-c", BASH.format(words=words)],
        env=os.environ | {"PATH": f"{folder}{os.pathsep}{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert (done.stdout.strip(), done.stderr) == (said, "")


@pytest.mark.parametrize(
    ("shell", "line"), [("zsh", "#compdef grice"), ("fish", "complete --no-files --command grice")]
)
def test_other_shells_get_their_script(grice: Grice, shell: str, line: str) -> None:
    run = grice("completion", shell)
    assert (run.code, run.err) == (0, "")
    assert line in run.out


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
@pytest.mark.parametrize(
    "command", ["matchers --json -", "schema suite", "help", "completion bash", "rubric -"]
)
def test_a_standard_output_that_is_full_is_told(command: str) -> None:
    words = [sys.executable, "-m", "grice", *command.split()]
    said = '[{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello"}]'
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(words, check=False, input=said, stdout=full, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 2
    assert done.stderr == "error: the output cannot be written: standard output: No space left on device\n"
