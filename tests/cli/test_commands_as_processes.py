"""Every command once as its user starts it: `python -m grice`. All else is tested in this process."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from test_compare_command import some, written
from test_validate_drift_command import BOTS, ROWS, STEADY

import grice
from grice.cli.app import app
from grice.cli.commands import Commands

AGENT = """
import contextlib, time
from pathlib import Path

class Agent:
    @contextlib.contextmanager
    def around(self):
        try:
            yield
        finally:
            with open("left.txt", "a") as left:
                left.write("left ")

    def chat(self, messages):
        said = messages[-1]["content"]
        if said == "busy":
            Path("busy.txt").touch()
            while True:
                time.sleep(0.01)
        return f"You said: {said}"

def agent(context):
    return Agent()
"""
TESTS = """
from grice import expect, scenarios

@scenarios([{"id": word, "ask": word} for word in ("one", "busy")], name="rooms")
def test_echoes(conversation, scenario):
    expect(conversation.say(scenario["ask"])).to_contain("You said")
"""
SUITE = "- {id: greets, say: Hi, expect: [{matcher: toContain, expected: You said}]}\n"
SETTINGS = """
[tool.grice]
agent = "echo:agent"
judge_llm = "bots:judge"
criteria = "bots:tried"
"""
TRIED = """
tried = [criterion("brief", check=lambda c: len(c.turns[-1].text) < 20, good=[("Hi.", "brief")])]
"""
RULES = """
rules:
  - {id: no-slugs, any_of: [slug], why: users must not see them, good: [It is up to date.], bad: [The slug]}
"""
TALK = [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "I am an AI."}]
ASKS = [
    {"role": "user", "content": "Update it"},
    {"role": "assistant", "content": "Updating now! Would you like me to update it?"},
]
YES = {"role": "assistant", "content": "Yes, it is a bird."}
CHECKED = {"id": "one", "text": "Visit example.com for more.", "args": {"limit": 1}, "expected": "pass"}

GRICE = [sys.executable, "-m", "grice"]
UNBUFFERED = {"PYTHONUNBUFFERED": "1"}


def write(folder: Path, name: str, *rows: object) -> None:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(one) + "\n" for one in rows))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with two runs that are kept, and something for every command."""
    folder = tmp_path_factory.mktemp("project")
    with pytest.MonkeyPatch.context() as patched:
        patched.chdir(folder)
        written("exp_a1", some("+-" * 10))
        written("exp_b2", some("+" * 20))
    folder.joinpath("pyproject.toml").write_text(SETTINGS)
    folder.joinpath("echo.py").write_text(AGENT)
    folder.joinpath("bots.py").write_text(BOTS + TRIED)
    folder.joinpath("scores.json").write_text(json.dumps(STEADY))
    folder.joinpath("test_rooms.py").write_text(TESTS)
    folder.joinpath("a.grice.yaml").write_text(SUITE)
    folder.joinpath("house.yaml").write_text(RULES)
    write(folder, "log.jsonl", {"messages": ASKS})
    write(folder, "request.json", TALK[:1])
    write(folder, "twice.json", [{"role": "user", "content": "Is it?"}, YES, *TALK[:1], YES])
    write(folder, "examples/sentences.jsonl", CHECKED)
    write(folder, "anchors.jsonl", *ROWS[:2])
    write(folder, "items.jsonl", {"id": "a", "text": "Hi."}, {"id": "b", "text": "I would not know that."})
    write(folder, "labels.jsonl", *({"item": one, "label": one == "a", "rater": "ann"} for one in "ab"))
    return folder


def test_the_module_and_the_version_answer() -> None:
    done = subprocess.run([*GRICE, "--version"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, f"grice {grice.__version__}\n", "")


CASES = [
    ("run a.grice.yaml --runs elsewhere", 0, "pass   greets"),
    ("check a.grice.yaml", 0, "ok     a.grice.yaml  suite, 1 scenario"),
    (
        "demo",
        0,
        "fail   list-plugins  A tool that only reads; the plugins are listed, and an update is offered",
    ),
    ("scan log.jsonl", 0, "Found 1 finding in 1 of 1 conversation: tool-flow 1."),
    ("extract log.jsonl:1 -o kept", 0, "  1 turn; proved"),
    ("lint request.json", 0, "Nothing found: 1 file, 1 message array examined."),
    (
        "rubric twice.json",
        0,
        "false  twice.json:1: consistent: 1 comparison (stated answers), none is a reversal",
    ),
    ("suite convert a.grice.yaml", 0, SUITE.strip()),
    ("suite import a.grice.yaml", 0, "a.grice.yaml: a, 1 scenario"),
    ("schema suite", 0, '  "$schema": "https://json-schema.org/draft/2020-12/schema",'),
    ("matchers toBeNull", 0, "          in a file: - {matcher: toBeNull}"),
    ("completion fish", 0, 'complete --no-files --command grice --arguments "(_grice_completion)";'),
    ("help report", 0, "Usage: grice report [OPTIONS] [RUN]"),
    ("compare exp_a1 exp_b2", 0, "Experiment Comparison"),
    ("gate exp_b2 --gate completion=0.9", 0, "The only gate holds."),
    ("baseline main exp_a1", 0, "main is exp_a1, completion 50.0% (10/20)"),
    ("label items.jsonl --rater ben --out ben.jsonl", 0, "2 of 2 done, 2 now"),
    ("show exp_a1@s10", 0, "    pass   the reply to greet"),
    ("report exp_a1", 1, "  Scenarios: 20 total, 10 passed, 10 failed"),
    (
        "validate checks sentences examples",
        0,
        "Every outcome is as documented: 1 rule on 1 labelled example.",
    ),
    ("validate rules house.yaml", 0, "1 rule, right on all of 2 examples."),
    ("validate criteria", 0, "Judged: brief by code."),
    (
        "validate judge brief labels.jsonl --items items.jsonl",
        0,
        "brief (code): kappa 1.00 (-0.66 to 1.00) on 2 held-out items.",
    ),
    ("validate drift anchors.jsonl --accept", 0, "Accepted as the first baseline: 2 anchors of naturalness."),
]


def test_every_command_is_among_them() -> None:
    names = [
        f"{name} {below}".rstrip()
        for name, command in app.found.items()
        for below in (command.found if isinstance(command, Commands) else [""])
    ]
    started = [case[0] for case in CASES] + ["stub --port 0"]  # below
    elsewhere = (
        "db ",
        "init",
        "prompt ",
        "serve",
        "suite export",
        "token ",
    )  # in other tests
    names = [name for name in names if not name.startswith(elsewhere)]
    assert [name for name in names if not any(f"{one} ".startswith(f"{name} ") for one in started)] == []


@pytest.mark.slow
@pytest.mark.parametrize(("command", "code", "line"), CASES, ids=[case[0] for case in CASES])
def test_a_command_runs_as_a_process(folder: Path, command: str, code: int, line: str) -> None:
    done = subprocess.run(
        [*GRICE, *command.split()],
        cwd=folder,
        input="y\nn\n",
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == code, done.stderr
    assert line in done.stdout.splitlines()


# -- what only a process shows of signals; what handles them is tested in test_stub_command.py,
# test_run_resume.py, test_label_command.py and test_reader_that_leaves.py


@pytest.mark.slow
@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_stub_while_it_waits(sign: signal.Signals) -> None:
    command = [*GRICE, "stub", "--port", "0"]
    with subprocess.Popen(
        command, env=os.environ | UNBUFFERED, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as stub:
        assert stub.stdout is not None
        assert any("OPENAI_BASE_URL" in line for line in iter(stub.stdout.readline, ""))
        stub.send_signal(sign)
        assert stub.stdout.read() == "\n0 requests\n"
    assert stub.returncode == 0


@pytest.mark.slow
def test_ctrl_c_ends_a_run_whose_agents_are_busy(folder: Path) -> None:
    command = [*GRICE, "run", "test_rooms.py", "--concurrency", "1", "--runs", "interrupted"]
    left = folder / "left.txt"
    left.unlink(missing_ok=True)  # of another command
    with subprocess.Popen(
        command,
        cwd=folder,
        env=os.environ | UNBUFFERED,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as run:
        assert run.stdout is not None
        while not (folder / "busy.txt").exists() and run.poll() is None:
            time.sleep(0.01)
        run.send_signal(signal.SIGINT)
        out, err = run.communicate()
    assert (run.returncode, err) == (130, "")
    assert "1 passed in " in out
    assert "go on with it: the same command and --resume exp_" in out
    assert left.read_text() == "left left "


@pytest.mark.slow
def test_a_reader_that_leaves_ends_a_process_without_a_word(folder: Path) -> None:
    command = [*GRICE, "report", "exp_a1", "--json", "-"]
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as report:
        assert report.stdout is not None
        assert report.stderr is not None
        report.stdout.close()
        said = report.stderr.read()
    assert (report.returncode, said) == (141, b"")


@pytest.mark.slow
@pytest.mark.parametrize("command", ["report", "compare", "gate"])
def test_what_reads_kept_runs_loads_nothing_that_makes_them(command: str) -> None:
    code = f"import sys, grice.cli.app, grice.cli.{command}_work; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert not set(loaded.split()) & {"grice.agents", "grice.files.goldens", "grice.checks.message_lint"}


def test_a_run_in_a_pipe_loads_no_layout_and_no_readers_of_logs(tmp_path: Path) -> None:
    tmp_path.joinpath("a.grice.yaml").write_text(
        "- {id: a, say: Hi, model: [Hello], expect: [{matcher: toContain, expected: Hello}]}\n"
    )
    tmp_path.joinpath("bots.py").write_text(
        "class Bot:\n"
        "    def __init__(self, context):\n"
        "        self.ask = context.model.transport\n"
        "    def chat(self, messages):\n"
        "        sent = [{'role': one['role'], 'content': one['content']} for one in messages]\n"
        "        return self.ask({'model': 'm', 'max_tokens': 9, 'messages': sent})['content'][0]['text']\n"
    )
    code = (
        "import sys; from grice.cli import main\n"
        "try: main(['run', 'a.grice.yaml', '--agent', 'bots:Bot'])\n"
        "finally: print(*sys.modules, file=sys.stderr)"
    )
    run = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert "1 passed" in run.stdout
    for_others = {"rich", "csv", "logging", "asyncio", "grice.formats.log_files"}
    assert for_others & set(run.stderr.split()) == set()
