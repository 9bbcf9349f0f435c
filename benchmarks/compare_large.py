"""`grice compare` of two experiments of 5,000 scenarios each, with real transcripts: seconds, peak memory.

    python benchmarks/compare_large.py [SCENARIOS]

Two runs of an airline agent with their tool calls (tests/data/airline_agent_runs.jsonl) are the transcripts,
by turns, with twelve soft checks each; the journals are in a folder that is removed again. The command runs
in a process of its own. Beside it stands the time that decoding the JSON alone takes with `msgspec`. No bar.
"""

from __future__ import annotations

import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import msgspec

import grice
from grice.records import Conversation, Outcome, Result, Verdict
from grice.running.journal.experiment import GitState, new_experiment
from grice.running.journal.writing import Journal

TRANSCRIPTS = Path(__file__).resolve().parent.parent / "tests" / "data" / "airline_agent_runs.jsonl"
CRITERIA = ("grounded", "helpful", "friendly", "concise")
CHECKS = 12


def main() -> int:
    """Write the journals, compare them, and print what it took."""
    scenarios = int(sys.argv[1]) if len(sys.argv) > 1 else 5000
    lines = TRANSCRIPTS.read_bytes().splitlines()
    conversations = [grice.read_conversation(msgspec.json.decode(line)["messages"]) for line in lines]
    with tempfile.TemporaryDirectory() as folder:
        runs = Path(folder) / "runs"
        for name, rate in (("before", 0.70), ("after", 0.75)):
            _write(runs, name, rate, scenarios, conversations)
        files = sorted(runs.glob("*/*.jsonl"))
        size = sum(file.stat().st_size for file in files)
        print(f"2 journals of {scenarios} results, {size / 1e6:.0f} MB")
        bare = _bare(files)
        wall, shown = _compared(runs)
        cpu = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = cpu.ru_utime + cpu.ru_stime
    print(
        f"  grice compare: {wall:.1f} s, CPU {seconds:.1f} s, of which decoding the JSON takes {bare:.1f} s"
    )
    print(f"  peak memory:   {cpu.ru_maxrss / 1024:.0f} MB")
    print(next((line for line in shown.splitlines() if "Completion" in line), shown[-400:]))
    return 0


def _compared(runs: Path) -> tuple[float, str]:
    """The seconds of the command, and its output."""
    command = [sys.executable, "-m", "grice", "compare", "exp_before", "exp_after", "--runs", str(runs)]
    started = time.perf_counter()
    done = subprocess.run(command, check=False, capture_output=True, encoding="utf-8")
    wall = time.perf_counter() - started
    if done.returncode:
        sys.exit(f"grice compare ended with {done.returncode}: {done.stderr[-800:]}")
    return wall, done.stdout


def _bare(files: list[Path]) -> float:
    started = time.perf_counter()
    for file in files:
        with file.open("rb") as stream:
            for line in stream:
                msgspec.json.decode(line)
    return time.perf_counter() - started


def _write(runs: Path, name: str, rate: float, scenarios: int, conversations: list[Conversation]) -> None:
    rng = random.Random(name)
    git = GitState("0" * 40, "main", dirty=False)
    head = new_experiment(id=f"exp_{name}", name=name, git=git, planned=scenarios)
    with Journal.create(runs / head.id, head) as journal:
        for number in range(scenarios):
            journal.append(_result(rng, number, rate, conversations[number % len(conversations)]))


def _result(rng: random.Random, number: int, rate: float, conversation: Conversation) -> Result:
    passed = rng.random() < rate
    outcome = Outcome.PASS if passed else Outcome.FAIL
    verdicts = [Verdict(outcome, "the booking is as wanted", (), "toCallTool", "to call book")]
    for place in range(CHECKS):
        answer = Outcome.PASS if rng.random() < 0.85 else Outcome.FAIL
        name = CRITERIA[place % len(CRITERIA)]
        verdicts.append(
            Verdict(answer, "as the judge saw it", (), "toSatisfy", name, mode="soft", turn=1, criterion=name)
        )
    return Result(
        f"example:{number:012x}",
        f"booking_{number}",
        outcome,
        conversation,
        tuple(verdicts),
        failure="none" if passed else "assertion",
    )


if __name__ == "__main__":
    sys.exit(main())
