"""What `grice run` costs for 200 Python tests of each kind, beside pytest with a journal, in turns.

One kind talks by itself (`conversation.say`), the other is `@simulated` with a user who is a function; their
agent answers after 20 ms without holding up the loop. Wall and CPU seconds of the whole processes, medians.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

TESTS, ROUNDS = 200, 3

HEAD = """
import pytest

from grice import expect, scenarios, simulated

ROOMS = scenarios([{"id": f"room-{n}", "room": n} for n in range(TESTS)])
""".replace("TESTS", str(TESTS))

AGENT = """
import asyncio

async def agent(messages):
    await asyncio.sleep(0.02)
    return f"Booked: {messages[-1]['content']}"

def play(messages):
    done = "Booked" in messages[-1]["content"]
    return {"message": "" if done else "A room, please", "done": "goal_reached" if done else "no", "reason": "so"}
"""  # noqa: E501

KINDS = {
    "test_talks.py": """
@ROOMS
def test_it(conversation, scenario):
    expect(conversation.say(f"Room {scenario['room']}, please")).to_contain("Booked")
""",
    "test_simulated.py": """
from bots import play

@pytest.fixture(scope="session")
def user_llm():
    return play

@ROOMS
@simulated(goal="Book a room", max_turns=2)
def test_it(conversation, scenario):
    expect(conversation.last).to_contain("Booked")
""",
}


class Spent(NamedTuple):
    """Seconds of one process."""

    wall: float
    cpu: float


def spent(folder: Path, *command: str) -> Spent:
    """What the command takes; it has to succeed."""
    started = time.perf_counter()
    environment = {**os.environ, "PYTHONPYCACHEPREFIX": str(folder / "cache")}
    with subprocess.Popen(
        [sys.executable, "-m", *command], cwd=folder, env=environment, stdout=subprocess.PIPE
    ) as child:
        assert child.stdout is not None
        said = child.stdout.read()
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    assert child.returncode == 0, said.decode()
    return Spent(time.perf_counter() - started, usage.ru_utime + usage.ru_stime)


def main() -> None:
    """Print both doors' seconds for each kind."""
    with tempfile.TemporaryDirectory() as kept:
        folder = Path(kept)
        (folder / "bots.py").write_text(AGENT)
        (folder / "pyproject.toml").write_text(
            '[tool.grice]\nagent = "bots:agent"\nuser_llm = "bots:play"\n[tool.pytest.ini_options]\n'
            'pythonpath = ["."]\naddopts = "-p no:randomly"\n'
        )
        print(f"{TESTS} tests of each kind, {ROUNDS} rounds: seconds of wall and CPU time")
        for name, test in KINDS.items():
            (folder / name).write_text(HEAD + test)
            doors = {
                "grice run": ("grice", "run", name),
                "pytest --grice-store": ("pytest", "-q", "--grice-store=.grice/runs", name),
            }
            rounds = [
                {door: spent(folder, *command) for door, command in doors.items()} for _ in range(ROUNDS)
            ]
            for door in doors:
                wall = statistics.median(one[door].wall for one in rounds)
                cpu = statistics.median(one[door].cpu for one in rounds)
                print(f"{name:20} {door:22} wall {wall:6.2f}  CPU {cpu:6.2f}")


if __name__ == "__main__":
    main()
