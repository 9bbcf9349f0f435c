"""A study, no benchmark: workers of pytest-xdist are killed with SIGKILL a hundred times while tests run.

`pytest -n 2 --grice-store` runs tests with a conversation each; at moments drawn by seed a worker of it is
killed, and xdist starts another in its place, until the session has had its kills. What really happened is
written down beside the journal, in lines that one `write` appends: by the agent when it is asked, and by a
hook of pytest when a test is over, which is after its line must stand in the journal. After each session:

- every test that was over has its result (nothing finished is lost), and no result is of a test that did not
  run to its end;
- a result counts once, however many lines it has: xdist runs a test again when its report did not arrive;
- every test that was begun has a result or is named as unfinished, never both;
- results, unfinished and never begun are together what was planned, and all heads are the same.

The exit code is 1 when any of it does not hold.

    python benchmarks/kill_worker.py [--kills 100] [--seed 0]
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from grice.running.journal.reading import Run, index_run, read_run

TESTS, WORKERS, KILLS_OF_A_SESSION = 120, 2, 5
LONGEST = 120.0

CONFTEST = """
import os, time
import pytest

def note(name, text):
    file = os.open(name, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
    os.write(file, (text + "\\n").encode())
    os.close(file)

def pytest_sessionstart(session):
    if hasattr(session.config, "workerinput"):
        note("workers.txt", str(os.getpid()))

@pytest.fixture
def agent(request):
    def reply(text):
        note("begun.txt", request.node.name)
        time.sleep(0.01)
        return "You said: " + text
    return reply

@pytest.hookimpl(trylast=True)
def pytest_runtest_logreport(report):
    if report.when == "teardown" and "PYTEST_XDIST_WORKER" in os.environ:
        note("over.txt", report.nodeid.partition("::")[2])
"""

TEST = """
import os
import pytest
from conftest import note
from grice import expect

@pytest.mark.parametrize("number", range(int(os.environ["TESTS"])))
def test_answers(conversation, request, number):
    expect(conversation.say(f"{number} asks")).to_contain(f"{number} asks")
    note("ended.txt", request.node.name)
"""


@dataclass
class Study:
    """What was seen over all sessions."""

    kills: int = 0
    sessions: int = 0
    finished: int = 0
    """Results, summed over the sessions."""
    unfinished: int = 0
    """Tests that were begun and have no result."""
    never_begun: int = 0
    """Tests that xdist gave up as their worker was killed just before they began."""
    again: int = 0
    """Lines of results that were replaced: the test was run again, for its report had not arrived."""
    torn: int = 0
    """Files that end within a line."""
    files: int = 0
    problems: list[str] = field(default_factory=list)


def kill_workers(kills: int, *, seed: int = 0, tests: int = TESTS, each: int = KILLS_OF_A_SESSION) -> Study:
    """Kill so many workers, at most `each` of them in one session."""
    study, chance = Study(), random.Random(seed)
    while study.kills < kills and not study.problems:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            folder.joinpath("conftest.py").write_text(CONFTEST)
            folder.joinpath("test_rooms.py").write_text(TEST)
            before = study.kills
            said = _session(folder, min(each, kills - study.kills), tests, chance, study)
            study.sessions += 1
            if not study.problems:
                _compare(folder, tests, study)
            if study.kills == before:
                study.problems.append(f"no worker could be killed: {said[-1000:]}")
    return study


def _session(folder: Path, kills: int, tests: int, chance: random.Random, study: Study) -> str:
    """One session of pytest, with its kills; what it said."""
    plugins = ["-p", "xdist", "-p", "grice.pytest_plugin", "-p", "no:cacheprovider"]
    command = [sys.executable, "-m", "pytest", "-q", "-n", str(WORKERS), "--grice-store", *plugins]
    environment = os.environ | {"TESTS": str(tests), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    environment.pop("PYTEST_PLUGINS", None)
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(
            [*command, "--max-worker-restart", str(kills)],
            cwd=folder,
            env=environment,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
        killed: set[int] = set()
        for _ in range(kills):
            if not _kill(process, folder, killed, tests // (kills + 1), chance):
                break
            study.kills += 1
        try:
            process.wait(timeout=LONGEST)
        except subprocess.TimeoutExpired:
            process.kill()
            study.problems.append(f"the session did not end within {LONGEST} s after {len(killed)} kills")
        output.seek(0)
        return output.read().decode(errors="replace")


def _kill(
    process: subprocess.Popen[bytes], folder: Path, killed: set[int], every: int, chance: random.Random
) -> bool:
    """Kill one of the workers after some more tests; False when the session had ended before."""
    begun = len(_lines(folder / "begun.txt")) + chance.randint(1, max(1, every - 1))
    while len(_lines(folder / "begun.txt")) < begun:
        if process.poll() is not None:
            return False
        time.sleep(0.001)
    time.sleep(chance.uniform(0, 0.02))
    alive = [pid for pid in map(int, _lines(folder / "workers.txt")) if pid not in killed]
    if not alive:
        return False
    victim = chance.choice(alive)
    killed.add(victim)
    with suppress(ProcessLookupError):
        os.kill(victim, signal.SIGKILL)
        return True
    return False


def _compare(folder: Path, tests: int, study: Study) -> None:
    """Hold what happened against what the journal says."""
    (journal,) = (folder / ".grice" / "runs").iterdir()
    run = read_run(journal)
    results = Counter(one.key for one in run.results)
    begun, ended, over = (set(_lines(folder / f"{name}.txt")) for name in ("begun", "ended", "over"))
    found = set(results)
    checks = {
        "over, and without a result": over - found,
        "a result, and never run to the end": found - ended,
        "counted twice": {key for key, count in results.items() if count > 1},
        "begun, and neither finished nor named": begun - found - set(run.unfinished),
        "finished, and named as unfinished": found & set(run.unfinished),
        "not passed": {one.key for one in run.results if one.outcome != "pass"},
    }
    study.problems += [f"{what}: {sorted(names)}" for what, names in checks.items() if names]
    study.problems += _contradictions(run, journal, tests)
    study.finished += len(run.results)
    study.unfinished += len(run.unfinished)
    study.never_begun += run.never_begun or 0
    lines = [path.read_bytes() for path in journal.glob("*.jsonl")]
    study.again += sum(text.count(b'\n{"result":') for text in lines) - len(run.results)
    study.torn += sum(not text.endswith(b"\n") for text in lines)
    study.files += len(lines)


def _contradictions(run: Run, journal: Path, tests: int) -> list[str]:
    """Numbers that do not fit together."""
    whole = len(run.results) + len(run.unfinished) + (run.never_begun or 0)
    checks = (
        (run.planned == tests == whole, f"{run.planned} planned, {tests} tests, {whole} in the journal"),
        (run.damaged == 0, f"{run.damaged} lines cannot be read"),
        (len({head.id for head in run.heads}) == 1, "heads of several runs"),
        (all(head == run.experiment for head in run.heads), "heads that differ"),
        (index_run(journal).unfinished == run.unfinished, "two readings differ"),
    )
    return [said for holds, said in checks if not holds]


def _lines(path: Path) -> list[str]:
    """The whole lines of a file that others append to."""
    if not path.exists():
        return []
    whole, _, _ = path.read_text().rpartition("\n")
    return whole.split("\n") if whole else []


def main() -> int:
    """Print what was seen; 1 when something was lost or counted twice."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    began = time.perf_counter()
    study = kill_workers(given.kills, seed=given.seed)
    rows = (
        ("workers killed", study.kills),
        (f"sessions of {TESTS} tests on {WORKERS} workers", study.sessions),
        ("files of workers", study.files),
        ("  of them ending within a line", study.torn),
        ("tests finished", study.finished),
        ("tests in flight when their worker was killed, and named", study.unfinished),
        ("tests that xdist gave up before they began", study.never_begun),
        ("results of a test that was run again, counted once", study.again),
        ("tests lost, counted twice or named wrongly", len(study.problems)),
        ("seconds", round(time.perf_counter() - began)),
    )
    for name, value in rows:
        print(f"{name:<58} {value:>8}")
    for problem in study.problems:
        print(f"PROBLEM: {problem}")
    return 1 if study.problems or study.kills < given.kills else 0


if __name__ == "__main__":
    sys.exit(main())
