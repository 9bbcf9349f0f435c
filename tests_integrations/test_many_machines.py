"""Ray and Daft on this machine: the findings of its own cores, byte for byte, after a kill too."""

import gzip
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

SCAN = """
import os, signal, sys
from pathlib import Path
from grice.scanning import FindingsFile, ScanOptions, choose_checks, scan
from grice.scanning.many_machines import engine_of
from grice.scanning.unfinished import Unfinished, scan_digest

engine, kill = sys.argv[1], int(sys.argv[2])
files = sorted(Path("logs").iterdir())
choice = choose_checks("checks.json")
output = Path(f"{engine}.json")
unfinished = Unfinished(output, scan_digest(files, choice, None, None), resume=True)
seen = []

def found(finding):
    seen.append(finding)
    if len(seen) == kill:
        os.kill(os.getpid(), signal.SIGKILL)

options = ScanOptions(engine=engine_of(engine) if engine != "here" else None)
report = scan(files, choice, options, on_finding=found, unfinished=unfinished)
with FindingsFile(output) as file:
    for line in unfinished.lines():
        file.write(line)
    file.finish(report)
unfinished.close(done=True)
print(len(seen))
"""


def scanned(folder: Path, engine: str, kill: int = 0) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-W", "error", "-c", SCAN, engine, str(kill)]
    environment = {**os.environ, "PYTHONWARNINGS": ""}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=120)


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    """Four parts: files of 50 conversations, of which one is packed."""
    (tmp_path / "logs").mkdir()
    checks = [{"matcher": "toMatch", "expected": "TODO", "not": True, "id": "todo"}]
    (tmp_path / "checks.json").write_text(json.dumps(checks))
    for part in range(4):
        rows = []
        for number in range(50):
            reply = {"role": "assistant", "content": f"Reply {number}{' TODO' if number % 10 == 3 else ''}"}
            rows.append({"id": f"{part}-{number}", "messages": [{"role": "user", "content": "Hi"}, reply]})
        data = "".join(json.dumps(row) + "\n" for row in rows).encode()
        name = f"{part}.jsonl" if part else "0.jsonl.gz"
        (tmp_path / "logs" / name).write_bytes(data if part else gzip.compress(data))
    return tmp_path


@pytest.mark.timeout(300)
@pytest.mark.parametrize("engine", ["ray", "daft"])
def test_findings_are_those_of_this_machine_also_after_a_kill(logs: Path, engine: str) -> None:
    pytest.importorskip(engine)
    here = scanned(logs, "here")
    assert here.returncode == 0, here.stderr
    killed = scanned(logs, engine, kill=13)  # in the third part
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    assert json.loads((logs / f"{engine}.json.manifest.part").read_text())["place"][0] == 2
    again = scanned(logs, engine)
    assert again.returncode == 0, again.stderr
    assert again.stdout == "10\n"
    assert (logs / f"{engine}.json").read_bytes() == (logs / "here.json").read_bytes()


BOTS = """
import os
from pathlib import Path
from grice.running.journal.writing import Journal

append = Journal.append

def die(journal, result):  # as a machine that is taken away, when something is finished and not sent
    append(journal, result)
    os._exit(1)

class Rooms:
    def __init__(self, context):
        self.context = context

    def chat(self, messages, on_tool_call=None):
        with open(f"worker-{os.getpid()}", "a") as held:
            held.write(self.context.scenario["id"] + "\\n")
        fatal = Path("fatal")
        if fatal.exists():
            fatal.unlink()
            Journal.append = die
        on_tool_call("book", {"room": messages[-1]["content"]}, result={"ok": True})
        return "Booked: " + messages[-1]["content"]

def agent(context):
    return Rooms(context)

def play(messages):
    done = "Booked" in messages[-1]["content"]
    said = "" if done else "A room, please"
    return {"message": said, "done": "goal_reached" if done else "no", "reason": "so"}

def is_booked(conversation):
    return "Booked" in conversation.turns[-1].text
"""


def held(folder: Path, *options: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "grice", "run", "venues.jsonl", "--check", "bots:is_booked", *options]
    return subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def finished(folder: Path) -> list[str]:
    """The keys of the results in the journals of workers."""
    journals = folder.glob(".grice/runs/*/ray-*.jsonl")
    lines = [line for one in journals for line in one.read_text().rpartition("\n")[0].splitlines()]
    return [json.loads(line)["result"]["key"] for line in lines if line.startswith('{"result"')]


def timeless(value: object) -> object:
    if isinstance(value, dict):
        return {name: timeless(one) for name, one in value.items() if name not in ("duration", "latency_ms")}
    return [timeless(one) for one in value] if isinstance(value, list) else value


@pytest.mark.timeout(300)
def test_workers_of_ray_hold_conversations_also_after_kills(tmp_path: Path) -> None:
    """A worker that dies is replaced, and a run that is killed goes on: nothing finished is held again."""
    pytest.importorskip("ray")
    (tmp_path / "bots.py").write_text(BOTS)
    (tmp_path / "grice.toml").write_text('agent = "bots:agent"\nuser_llm = "bots:play"\n')
    lines = [json.dumps({"id": f"v{number}", "goal": "A room"}) + "\n" for number in range(400)]
    (tmp_path / "venues.jsonl").write_text("".join(lines))
    here = held(tmp_path, "--json", "here.json")
    assert "400 passed" in here.communicate(timeout=120)[0]
    for one in tmp_path.glob("worker-*"):
        one.unlink()
    killed = held(tmp_path, "--engine", "ray", "--concurrency", "2", "--name", "far")
    while killed.poll() is None and len(finished(tmp_path)) < 20:
        time.sleep(0.02)
    killed.kill()
    assert killed.wait() == -signal.SIGKILL
    (tmp_path / "fatal").touch()
    again = held(tmp_path, "--engine", "ray", "--resume", "far", "--json", "ray.json")
    said = again.communicate(timeout=200)[0]
    assert again.returncode == 0, said
    assert "400 passed" in said
    assert not (tmp_path / "fatal").exists()
    before = re.search(r"(\d+) of 400 were finished before", said)
    assert before is not None
    assert 20 <= int(before[1]) < 400
    assert sorted(finished(tmp_path)) == sorted(f"v{number}" for number in range(400))  # each once
    assert not list(tmp_path.glob(f"worker-{again.pid}"))  # the agents were elsewhere
    assert list(tmp_path.glob("worker-*"))
    both = [json.loads((tmp_path / name).read_text())["results"] for name in ("here.json", "ray.json")]
    assert timeless(both[0]) == timeless(both[1])


@pytest.mark.parametrize(
    ("settings", "path", "said"),
    [
        ("", "one.grice.yaml", "--engine is for scenario sets, and there is none"),
        (
            '[server]\ncommand = "python server.py"\n',
            "venues.jsonl",
            "has a [server], which each worker would start",
        ),
        (
            '[judge_llm]\nprovider = "openai"\nmodel = "m"\nbudget = {tokens = 9}\n',
            "venues.jsonl",
            "an LLM has a budget, which each worker would spend by itself",
        ),
    ],
)
def test_what_workers_cannot_hold_is_refused(tmp_path: Path, settings: str, path: str, said: str) -> None:
    pytest.importorskip("ray")
    (tmp_path / "bots.py").write_text(BOTS)
    (tmp_path / "grice.toml").write_text(f'agent = "bots:agent"\nuser_llm = "bots:play"\n{settings}')
    (tmp_path / "venues.jsonl").write_text('{"id": "v1", "goal": "A room"}\n')
    (tmp_path / "one.grice.yaml").write_text(
        "scenarios:\n  - {id: a, say: Hi, expect: [{matcher: toContain, expected: B}]}\n"
    )
    command = [sys.executable, "-m", "grice", "run", path, "--engine", "ray"]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert run.returncode == 2
    assert said in " ".join(run.stderr.split())
