"""A study, no benchmark: `grice run` is killed with SIGKILL a hundred times and resumed each time.

Grice's stub server plays the model of an agent and counts requests by the id of the conversation, which every
message of the user begins with. `grice run` holds forty scenarios of two turns, eight at once; at a moment
drawn by seed it is killed, and resumed until it gets through; then the next run begins. After each kill:

- every whole line that stood in the journal before still stands there, byte by byte;
- no conversation with a line was asked about again: its number of requests stays as it was;
- every whole line can be read, so that none is glued to half of another.

At the end of each run the union is complete, and nothing stands there twice. The exit code is 1 when any of
it does not hold.

    python benchmarks/kill_nine.py [--kills 100] [--seed 0]
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from grice.records import Exchange
from grice.wire import ScriptedModel
from grice.wire.stub import StubServer

SCENARIOS, TURNS, AT_ONCE = 40, 2, 8
RUNS_FOLDER = "runs"
COMMAND = [sys.executable, "-m", "grice", "run", "test_rooms.py", "--runs", RUNS_FOLDER]
LONGEST = 60.0

AGENT = """
import asyncio, json, os, urllib.request

def ask(messages):
    asked = [{"role": m["role"], "content": m["content"]} for m in messages]
    body = json.dumps({"model": "m", "messages": asked})
    request = urllib.request.Request(
        os.environ["STUB_URL"] + "/v1/chat/completions",
        body.encode(),
        {"Authorization": "Bearer " + os.environ["STUB_KEY"], "Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)["choices"][0]["message"]["content"]

async def agent(messages):
    await asyncio.sleep(0.01)
    return await asyncio.to_thread(ask, messages)
"""

TESTS = """
import os
from grice import expect, scenarios

@scenarios([{"id": f"c{number:03d}"} for number in range(int(os.environ["SCENARIOS"]))], name="rooms")
def test_answers(conversation, scenario):
    for number in range(int(os.environ["TURNS"])):
        reply = conversation.say(f"{scenario['id']} asks {number}")
        expect(reply).to_contain(f"{scenario['id']} asks {number}")
"""


class Counted:
    """Plays the model, and counts what it is asked by conversation."""

    def __init__(self) -> None:
        self.requests: Counter[str] = Counter()
        self._arrived = threading.Condition()
        self._total = 0

    def __call__(self, exchange: Exchange) -> str:
        """Repeat what the user said last."""
        said = str(exchange.messages[-1]["content"])
        with self._arrived:
            self.requests[said.split()[0]] += 1
            self._total += 1
            self._arrived.notify_all()
        return f"You said: {said}"

    def wait(self, count: int, process: subprocess.Popen[bytes]) -> None:
        """Wait until so many more requests have come, or the process has ended."""
        with self._arrived:
            until = self._total + count
            while self._total < until and process.poll() is None:
                self._arrived.wait(0.02)


@dataclass
class Journal:
    """What stands in the journal of the run, as bytes and as the keys of finished conversations."""

    whole: bytes = b""
    torn: int = 0
    keys: list[str] = field(default_factory=list)
    id: str = ""

    @classmethod
    def of(cls, folder: Path) -> Journal:
        """Read the only run in the folder; raises ValueError for a line that cannot be read."""
        files = sorted(folder.glob("*/*.jsonl"))
        if not files:
            return cls()
        (file,) = files
        whole, newline, torn = file.read_bytes().rpartition(b"\n")
        lines = [json.loads(line) for line in whole.split(b"\n")] if whole else []
        keys = [line["result"]["key"] for line in lines if "result" in line]
        begun = any("experiment" in line for line in lines)
        return cls(whole + newline, len(torn), keys, file.parent.name if begun else "")


@dataclass
class Study:
    """What was seen over all runs."""

    kills: int = 0
    runs: int = 0
    during_start: int = 0
    """Kills before anything was asked."""
    torn: int = 0
    """Kills that left half a line."""
    survived: int = 0
    """Finished lines that were there after a kill, summed over the kills."""
    repeated: int = 0
    """Requests of conversations that were not finished when the run was killed, and are paid twice."""
    problems: list[str] = field(default_factory=list)


@dataclass
class Held:
    """One run that is killed and resumed: its folder, the requests counted, what its journal held last."""

    folder: Path
    environment: dict[str, str]
    counted: Counted
    chance: random.Random
    study: Study
    scenarios: int
    journal: Journal = field(default_factory=Journal)
    asked: Counter[str] = field(default_factory=Counter)

    def hold(self, kills: int) -> None:
        """Kill and resume it, at most `kills` times, until it gets through."""
        while self._try(kill=kills > 0) and not self.study.problems:
            kills -= 1
        self.study.runs += 1
        self.study.repeated += sum(self.counted.requests.values()) - self.scenarios * TURNS
        wanted = [f"c{number:03d}" for number in range(self.scenarios)]
        if sorted(self.journal.keys) != wanted:
            found = sorted(self.journal.keys)
            self.study.problems.append(f"expected {len(wanted)} conversations, each once, found {found}")

    def _try(self, *, kill: bool) -> bool:
        """Begin or resume it; whether it was killed."""
        resume = ["--resume", self.journal.id] if self.journal.id else []
        before = sum(self.counted.requests.values())
        with tempfile.TemporaryFile() as output:
            process = subprocess.Popen(
                [*COMMAND, "--concurrency", str(AT_ONCE), *resume],
                cwd=self.folder,
                env=self.environment,
                stdout=output,
                stderr=subprocess.STDOUT,
            )
            killed = kill and _kill(process, self.counted, self.chance, self.scenarios)
            code = process.wait(timeout=LONGEST)
            output.seek(0)
            said = output.read().decode()
        try:
            after = Journal.of(self.folder / RUNS_FOLDER)
        except ValueError as error:
            self.study.problems.append(f"a line of the journal cannot be read: {error}")
            return False
        _compare(self.journal, after, self.asked, self.counted.requests, self.study)
        if killed:
            self.study.kills += 1
            self.study.torn += after.torn > 0
            self.study.survived += len(after.keys)
            self.study.during_start += sum(self.counted.requests.values()) == before
        elif code != 0:
            self.study.problems.append(f"exit code {code}: {said[-500:]}")
        if not after.id:  # killed before its first line: there is nothing to resume
            shutil.rmtree(self.folder / RUNS_FOLDER, ignore_errors=True)
        self.journal = after if after.id else Journal()
        self.asked = Counter({key: self.counted.requests[key] for key in after.keys})
        return killed


def _kill(process: subprocess.Popen[bytes], counted: Counted, chance: random.Random, scenarios: int) -> bool:
    """Kill the process at a moment drawn by chance; False when it had ended before."""
    if chance.random() < 0.1:  # while it starts
        time.sleep(chance.uniform(0, 0.6))
    else:
        counted.wait(chance.randint(1, scenarios * TURNS // 3), process)
        time.sleep(chance.uniform(0, 0.02))
    if process.poll() is not None:
        return False
    process.kill()
    return True


def _compare(
    before: Journal, after: Journal, asked: Counter[str], requests: Counter[str], study: Study
) -> None:
    """Note what is lost, and what was asked again though it was finished."""
    if not after.whole.startswith(before.whole):
        study.problems.append(
            f"a line that stood there is gone: {len(before.keys)} before, {len(after.keys)} now"
        )
    again = [key for key, count in asked.items() if requests[key] != count]
    if again:
        study.problems.append(f"finished, and asked again: {again}")
    if len(set(after.keys)) != len(after.keys):
        twice = [key for key, count in Counter(after.keys).items() if count > 1]
        study.problems.append(f"stands there twice: {twice}")
    short = [key for key in after.keys if requests[key] < TURNS]
    if short:
        study.problems.append(f"finished without its requests: {short}")


def kill_and_resume(kills: int, *, seed: int = 0, scenarios: int = SCENARIOS) -> Study:
    """Kill `grice run` so many times, over as many runs as that takes."""
    study, chance = Study(), random.Random(seed)
    model = ScriptedModel()
    with tempfile.TemporaryDirectory() as name, StubServer(root=model) as stub:
        folder = Path(name)
        folder.joinpath("bots.py").write_text(AGENT)
        folder.joinpath("test_rooms.py").write_text(TESTS)
        folder.joinpath("pyproject.toml").write_text('[tool.grice]\nagent = "bots:agent"\n')
        environment = os.environ | {
            "STUB_URL": stub.url,
            "STUB_KEY": stub.key,
            "SCENARIOS": str(scenarios),
            "TURNS": str(TURNS),
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        while study.kills < kills and not study.problems:
            model.otherwise = counted = Counted()
            Held(folder, environment, counted, chance, study, scenarios).hold(kills - study.kills)
            shutil.rmtree(folder / RUNS_FOLDER, ignore_errors=True)
    return study


def main() -> int:
    """Print what was seen; 1 when something was lost or paid twice."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    began = time.perf_counter()
    study = kill_and_resume(given.kills, seed=given.seed)
    rows = (
        ("kills", study.kills),
        ("  of them before anything was asked", study.during_start),
        ("  of them leaving half a line", study.torn),
        ("runs, each resumed until it got through", study.runs),
        ("finished lines after a kill, on average", round(study.survived / max(study.kills, 1), 1)),
        ("requests of unfinished conversations, paid again", study.repeated),
        ("finished conversations lost or asked again", len(study.problems)),
        ("seconds", round(time.perf_counter() - began)),
    )
    for name, value in rows:
        print(f"{name:<50} {value:>8}")
    for problem in study.problems:
        print(f"PROBLEM: {problem}")
    return 1 if study.problems or study.kills < given.kills else 0


if __name__ == "__main__":
    sys.exit(main())
