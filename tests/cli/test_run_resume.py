"""`grice run --resume`, and what is left of a run that was stopped."""

import importlib.util
import io
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from subprocess import PIPE
from types import ModuleType
from typing import TextIO

import pytest
from grice_command import Grice

from grice.running.journal.experiment import Experiment
from grice.running.journal.folders import find_run
from grice.running.journal.reading import read_run
from grice.running.journal.writing import Journal

CHECKS = "expect: [{matcher: toContain, expected: Booked}]"


def rooms(asks: Iterable[str]) -> str:
    """A suite with a scenario for each."""
    lines = [f"  - {{id: s{number}, say: {ask}, {CHECKS}}}\n" for number, ask in enumerate(asks)]
    return f"scenarios:\n{''.join(lines)}"


SUITE = rooms(f"room {number}" for number in range(4))


@pytest.fixture
def stopped(project: Path, grice: Grice) -> Path:
    """The journal of a run of four scenarios of which two are finished, and half a line."""
    project.joinpath("rooms.grice.yaml").write_text(SUITE)
    run = grice("run", "rooms.grice.yaml", "--name", "first")
    assert run.code == 0
    (journal,) = Path(".grice/runs").glob("*/main.jsonl")
    lines = journal.read_bytes().splitlines(keepends=True)  # the head, and two lines a conversation
    journal.write_bytes(b"".join(lines[:6]) + lines[6][:50])
    Path("held.txt").unlink()
    return journal


def held() -> list[str]:
    """What the agent was asked since."""
    path = Path("held.txt")
    return sorted(path.read_text().split("\n")[:-1]) if path.exists() else []


def id_of(journal: Path) -> str:
    return journal.parent.name


def keys(journal: Path) -> list[str]:
    lines = map(json.loads, journal.read_text().splitlines())
    return [line["result"]["key"] for line in lines if "result" in line]


@pytest.mark.parametrize("how", ["latest", "id", "beginning", "digits", "folder"])
def test_only_what_is_unfinished_is_held(project: Path, grice: Grice, stopped: Path, how: str) -> None:
    wanted = {
        "latest": "latest",
        "id": id_of(stopped),
        "beginning": id_of(stopped)[:8],
        "digits": id_of(stopped)[4:9],
        "folder": str(stopped.parent),
    }[how]
    run = grice("run", "rooms.grice.yaml", "--resume", wanted)
    assert (run.code, run.err) == (0, "")
    assert held() == ["room 2", "room 3"]
    assert "2 of 4 were finished before" in run.out
    assert "4 passed  4 scenarios, 4 checks in " in run.out
    assert sorted(keys(stopped)) == ["s0", "s1", "s2", "s3"]
    assert [path.name for path in Path(".grice/runs").iterdir()] == [id_of(stopped)]
    report = grice("report", "latest")
    assert (report.code, report.err) == (0, "")
    assert "Completion Rate: 100% (4/4)" in report.out


def test_a_finished_run_is_resumed_without_holding_anything(
    project: Path, grice: Grice, stopped: Path
) -> None:
    assert grice("run", "rooms.grice.yaml", "--resume", "latest").code == 0
    Path("held.txt").unlink()
    run = grice("run", "rooms.grice.yaml", "--resume", "latest", "--json", "out.json")
    assert (run.code, run.err) == (0, "")
    assert held() == []
    assert "4 of 4 were finished before" in run.out
    assert len(json.loads(Path("out.json").read_text())["results"]) == 4


def test_a_torn_line_that_was_cut_off_is_told_as_that_and_once(
    project: Path, grice: Grice, stopped: Path
) -> None:
    run = grice("run", "rooms.grice.yaml", "--resume", "latest")
    said = " ".join(run.out.split())
    assert "main.jsonl: its torn last line (50 bytes) was cut off" in said
    assert "not finished" not in said
    again = " ".join(grice("run", "rooms.grice.yaml", "--resume", "latest").out.split())
    assert "torn" not in again


def test_a_failure_of_before_still_decides_the_exit_code(project: Path, grice: Grice, stopped: Path) -> None:
    text = stopped.read_text()
    stopped.write_text(text.replace('"outcome":"pass"', '"outcome":"fail"'))
    run = grice("run", "rooms.grice.yaml", "--resume", "latest")
    assert run.code == 1
    assert "2 passed, 2 failed" in run.out


def test_a_scenario_that_changed_is_held_again(project: Path, grice: Grice, stopped: Path) -> None:
    Path("rooms.grice.yaml").write_text(rooms(["another", "room 1", "room 2", "room 3"]))
    run = grice("run", "rooms.grice.yaml", "--resume", "latest")
    assert (run.code, run.err) == (0, "")
    assert held() == ["another", "room 2", "room 3"]
    assert "1 of 4 were finished before" in run.out
    assert "4 passed" in run.out


def test_more_repeats_of_a_run_are_held_in_it(project: Path, grice: Grice, stopped: Path) -> None:
    run = grice("run", "rooms.grice.yaml", "--resume", "latest", "--repeat", "2")
    assert run.code == 0
    assert held() == ["room 0", "room 1", "room 2", "room 2", "room 3", "room 3"]
    assert "2 of 8 were finished before" in run.out


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        ("exp_nothing", "exp_nothing: there is no such run; there is 1 in .grice/runs"),
        ("lates", "there is no such run (did you mean 'latest'?)"),
        ("", None),
    ],
)
def test_a_run_that_is_not_there(
    project: Path, grice: Grice, stopped: Path, wanted: str, said: str | None
) -> None:
    run = grice("run", "rooms.grice.yaml", "--resume", wanted)
    if said is None:  # an empty name is none: a run of its own
        assert (run.code, held()) == (0, ["room 0", "room 1", "room 2", "room 3"])
        return
    assert (run.code, run.out, held()) == (2, "", [])
    assert said in run.err


def test_two_runs_that_begin_alike_are_named(project: Path, grice: Grice, stopped: Path) -> None:
    assert grice("run", "rooms.grice.yaml").code == 0
    run = grice("run", "rooms.grice.yaml", "--resume", "exp_")
    assert run.code == 2
    assert "exp_: several runs in .grice/runs begin so: exp_" in run.err


def test_without_any_run_there_is_nothing_to_resume(project: Path, grice: Grice) -> None:
    project.joinpath("rooms.grice.yaml").write_text(SUITE)
    run = grice("run", "rooms.grice.yaml", "--resume", "latest")
    assert (run.code, run.out) == (2, "")
    assert run.err == ".grice/runs: there are no runs yet\n"


def test_a_run_of_other_conversations_is_not_resumed(project: Path, grice: Grice, stopped: Path) -> None:
    Path("other.grice.yaml").write_text(SUITE)
    before = stopped.read_bytes()
    run = grice("run", "other.grice.yaml", "--resume", "latest")
    assert (run.code, run.out, held()) == (2, "", [])
    assert "it is a run of other conversations, such as 's0'" in run.err
    assert stopped.read_bytes() == before


def test_a_journal_of_a_newer_grice_is_refused(project: Path, grice: Grice, stopped: Path) -> None:
    stopped.write_text(stopped.read_text().replace('"version":3', '"version":99', 1))
    run = grice("run", "rooms.grice.yaml", "--resume", "latest")
    assert (run.code, run.out, held()) == (2, "", [])
    assert "main.jsonl:1: journal version 99 is newer than this Grice reads" in run.err


def test_a_file_that_is_no_journal_is_refused(project: Path, grice: Grice, stopped: Path) -> None:
    stopped.write_text("not a journal\n")
    run = grice("run", "rooms.grice.yaml", "--resume", id_of(stopped))
    assert (run.code, run.out, held()) == (2, "", [])
    assert "main.jsonl:1: not a journal of Grice" in run.err


def test_a_run_that_another_process_writes_is_refused(project: Path, grice: Grice, stopped: Path) -> None:
    head = Experiment(id_of(stopped), "2025-01-16T14:30:00.000Z")
    with Journal.resume(stopped.parent, head):
        before = stopped.read_bytes()
        run = grice("run", "rooms.grice.yaml", "--resume", "latest")
        assert run.code == 2
        assert held() == []
        assert f"another run (process {os.getpid()}) is writing it" in run.err
        assert stopped.read_bytes() == before
    assert grice("run", "rooms.grice.yaml", "--resume", "latest").code == 0


WORKER = """
import sys
from pathlib import Path
from grice.running.journal.file_lock import FileLock
lock = FileLock(Path(sys.argv[1]))
print("locked", flush=True)
sys.stdin.read()
"""


def test_a_worker_that_outlives_its_run_is_waited_for_aloud(
    project: Path, grice: Grice, stopped: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = [sys.executable, "-c", WORKER, str(stopped.with_name("ray-1.lock"))]
    with subprocess.Popen(command, stdin=PIPE, stdout=PIPE, text=True) as worker:
        assert worker.stdout is not None
        assert worker.stdout.readline() == "locked\n"
        errors = _Ending(worker)
        monkeypatch.setattr(sys, "stderr", errors)
        run = grice("run", "rooms.grice.yaml", "--resume", "latest")
    assert run.code == 0
    assert held() == ["room 2", "room 3"]
    assert "waiting, 30 s at most, for workers that still write" in errors.getvalue()
    assert f"ray-1.jsonl (process {worker.pid})" in errors.getvalue()


class _Ending(io.StringIO):
    """Standard error; when something is told there, the worker is killed."""

    def __init__(self, worker: subprocess.Popen[str]) -> None:
        super().__init__()
        self._worker = worker

    def write(self, text: str) -> int:
        self._worker.kill()
        return super().write(text)


def test_a_line_that_cannot_be_read_is_told_and_its_conversation_held_again(
    project: Path, grice: Grice, stopped: Path
) -> None:
    lines = stopped.read_text().splitlines()
    stopped.write_text("\n".join([lines[0], "{}", lines[4]]) + "\n")
    run = grice("run", "rooms.grice.yaml", "--resume", "latest")
    assert run.code == 0
    assert held() == ["room 0", "room 2", "room 3"]
    assert "main.jsonl:2: left out, it cannot be read" in run.out


CHANGED = ("--agent", "bots:other", "--seed", "5")


def test_another_configuration_is_refused_with_what_differs(
    project: Path, grice: Grice, stopped: Path
) -> None:
    before = stopped.read_bytes()
    run = grice("run", "rooms.grice.yaml", "--resume", "latest", *CHANGED)
    assert (run.code, run.out, held()) == (2, "", [])
    assert f"{stopped.parent}: the run cannot go on as it began:\n" in run.err
    assert "  another agent: 'bots:agent' before, 'bots:other' now\n" in run.err
    assert "  another seed: 0 before, 5 now\n" in run.err
    assert "begin a new run, or add --mix" in run.err
    assert stopped.read_bytes() == before


def test_other_code_is_refused(project: Path, grice: Grice, stopped: Path) -> None:
    with project.joinpath("bots.py").open("a") as bots:
        bots.write("# another line\n")
    run = grice("run", "rooms.grice.yaml", "--resume", "latest")
    assert (run.code, run.out, held()) == (2, "", [])
    assert "  other files: what git tracks has changed, or Python files beside it\n" in run.err


def test_mix_goes_on_all_the_same_and_every_report_says_so(
    project: Path, grice: Grice, stopped: Path
) -> None:
    run = grice("run", "rooms.grice.yaml", "--resume", "latest", "--mix", *CHANGED)
    assert run.code == 0
    assert "the run goes on with another agent: 'bots:agent' before, 'bots:other' now" in run.out
    assert "the run goes on with another seed: 0 before, 5 now" in run.out
    said = "several configurations in one run"
    for form in ((), ("--markdown",), ("--verbose",)):
        assert said in "\n".join(grice("report", "latest", *form).out.splitlines()[:12])
    assert said in grice("report", "latest", "--json", "-").out


def test_a_folder_in_which_no_run_can_be_kept_is_an_error(project: Path, grice: Grice) -> None:
    Path("rooms.grice.yaml").write_text(SUITE)
    Path("file").write_text("in the way")
    run = grice("run", "rooms.grice.yaml", "--runs", "file/runs")
    assert run.code == 2
    assert held() == []
    assert "no journal can be written here" in run.err


# -- runs that are stopped from outside

TOGETHER = """
import contextlib, re, threading

BEGUN, GO = threading.Barrier(4), threading.Event()

class Slow:
    @contextlib.contextmanager
    def around(self):
        try:
            yield
        finally:
            with open("left.txt", "a") as left:
                left.write("left ")

    def chat(self, messages):
        if not GO.is_set():
            BEGUN.wait()
        if messages[-1]["content"] in ("room 2", "room 3"):
            while not GO.wait(0.001):  # Python code, which can be interrupted
                pass
        return "Booked"

def agent(context):
    return Slow()

def play(messages):
    text = "\\n".join(one["content"] for one in messages)
    if "Booked" in messages[-1]["content"]:
        return {"message": "", "done": "goal_reached", "reason": "so"}
    return {"message": re.search(r"room \\d", text)[0], "done": "no", "reason": "so"}

def is_booked(conversation):
    return "Booked" in conversation.turns[-1].text
"""


class InterruptedAfterTwo(io.StringIO):
    """An output at which somebody presses Ctrl-C when two results are there."""

    def write(self, text: str) -> int:
        before = self.getvalue().count("pass ")
        written = super().write(text)
        if before < 2 <= self.getvalue().count("pass "):
            signal.raise_signal(signal.SIGINT)
        return written


ROOMS = [{"id": f"s{n}", "goal": f"Get room {n}"} for n in range(4)]
SCENARIOS = [
    {
        "id": f"s{n}",
        "turns": [{"say": f"room {n}", "expect": [{"matcher": "toContain", "expected": "Booked"}]}],
    }
    for n in range(4)
]
INTERRUPTED = {
    "set": ("rooms.json", ROOMS, "conversations", ("--check", "slow:is_booked")),
    "suite": ("rooms.grice.json", {"scenarios": SCENARIOS}, "scenarios", ("--concurrency", "4")),
}


@pytest.mark.parametrize(("file", "content", "kind", "options"), INTERRUPTED.values(), ids=INTERRUPTED)
def test_ctrl_c_keeps_what_is_finished_and_leaves_around(
    project: Path, grice: Grice, file: str, content: object, kind: str, options: tuple[str, ...]
) -> None:
    Path("slow.py").write_text(TOGETHER)
    Path(file).write_text(json.dumps(content))
    project.joinpath("pyproject.toml").write_text('[tool.grice]\nuser_llm = "slow:play"\n')
    command = ("run", file, "--agent", "slow:agent", *options)
    output = InterruptedAfterTwo()
    try:
        run = grice(*command, stdout=output)
    finally:
        sys.modules["slow"].GO.set()
    out = output.getvalue()
    assert (run.code, "Traceback" in out + run.err) == (130, False)
    assert f"interrupted after 2 of 4 {kind}" in run.err
    assert "2 passed, 2 not run" in out
    assert Path("left.txt").read_text().split() == ["left"] * 4
    stopped = read_run(find_run("latest"))
    assert (sorted(stopped.unfinished), stopped.never_begun) == (["s2", "s3"], 0)
    said = re.search(r"--resume (exp_\w+)", out)
    assert said is not None
    again = grice(*command, "--resume", said[1])
    assert (again.code, again.err) == (0, "")
    assert "2 of 4 were finished before" in again.out


def test_a_run_that_nobody_reads_ends_after_what_is_under_way(
    project: Path, grice: Grice, nobody_reads: TextIO
) -> None:
    Path("rooms.grice.yaml").write_text(rooms(f"room {number}" for number in range(40)))
    run = grice("run", "rooms.grice.yaml", "--concurrency", "2", stdout=nobody_reads)
    assert (run.code, run.err) == (141, "")
    (journal,) = Path(".grice/runs").glob("*/main.jsonl")
    assert 1 <= len(keys(journal)) < 40


def _kill_nine() -> ModuleType:
    path = Path(__file__).parents[2] / "benchmarks" / "kill_nine.py"
    spec = importlib.util.spec_from_file_location("kill_nine", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["kill_nine"] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="there is no SIGKILL")
def test_nothing_finished_is_lost_or_paid_twice_when_runs_are_killed() -> None:
    study = _kill_nine().kill_and_resume(10, seed=3, scenarios=30)
    assert study.problems == []
    assert study.kills == 10
    assert study.survived > 0
