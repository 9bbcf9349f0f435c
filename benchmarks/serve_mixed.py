"""A study, no benchmark: clients use `grice serve` for minutes while its process is killed again and again.

Twenty clients read runs, cases and the registry, judge outputs, add and change cases of a suite in a file and
of one in the tables, start runs and follow them. The server is killed with SIGKILL at moments drawn by seed
and started again. At the end, and at the beginning of each server:

- every change that was answered is there, and none that was refused: each client counts in a case of its own
  in either suite, and one case is counted in by all of them, who may be in each other's way;
- every run that was answered ended, and none holds a conversation twice;
- the files are read without mistakes, and comments stand where they stood.

Resident memory is measured once every ten seconds: of a server that is not killed it must not grow by more
than 20 % between the end of its first quarter and its end. The exit code is 1 when any of it does not hold.

    python benchmarks/serve_mixed.py [--minutes 5] [--clients 20] [--kill-every 10] [--seed 0]
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path
from typing import Any

import httpx

TOKEN = "a-token-that-nobody-guesses-0123456789"
BOTS = "def agent(messages):\n    return 'Booked: ' + messages[-1]['content']\n"
CHECK = [{"matcher": "toContain", "expected": "Booked"}]
HEAD = "# kept for ever\nscenarios:\n"
GROWTH = 1.2
WAIT = 90.0


class Broken(Exception):
    """Something that has to hold does not."""


class Server:
    """The process of the server, which is killed and started again on its port."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = 0
        self.process: subprocess.Popen[str] | None = None
        self.memory: list[float] = []

    def start(self) -> None:
        command = [
            sys.executable,
            "-m",
            "grice",
            "serve",
            "--port",
            str(self.port),
            "--token-file",
            "token.txt",
        ]
        self.process = subprocess.Popen(
            command, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if " at http://" not in line:
            raise Broken(f"the server does not start: {line}{self.process.stdout.read()}")
        self.port = int(line.split("127.0.0.1:")[1].split(".")[0])
        self.memory = []

    def kill(self) -> None:
        assert self.process is not None
        self.process.send_signal(signal.SIGKILL)
        self.process.communicate()

    def measure(self) -> None:
        assert self.process is not None
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        self.memory.append(int(status.split("VmRSS:")[1].split()[0]) / 1024)


class Client(threading.Thread):
    """Somebody who uses the server until the time is over, and knows what was answered."""

    def __init__(
        self, server: Server, number: int, suites: dict[str, str], seed: int, over: threading.Event
    ) -> None:
        super().__init__(daemon=True)
        self.server = server
        self.number = number
        self.suites = suites
        self.draw = random.Random(f"{seed}/{number}")
        self.over = over
        self.cases: dict[str, str] = {}
        self.counted: Counter[str] = Counter()
        self.unsure: Counter[str] = Counter()
        self.did: Counter[str] = Counter()
        self.runs: list[str] = []
        self.broken: list[str] = []

    def run(self) -> None:
        while not self.over.is_set():
            try:
                with httpx.Client(
                    base_url=f"http://127.0.0.1:{self.server.port}",
                    headers={"Authorization": f"Bearer {TOKEN}"},
                    timeout=60,
                    trust_env=False,
                ) as client:
                    while not self.over.is_set():
                        self.step(client)
                        time.sleep(self.draw.uniform(0, 0.2))
            except httpx.TransportError:  # it was killed
                self.did["killed"] += 1
                time.sleep(0.1)
            except Broken as error:
                self.broken.append(str(error))
                return

    def step(self, client: httpx.Client) -> None:
        what = self.draw.choices(
            ["runs", "cases", "registry", "evaluate", "own", "common", "run"], [4, 3, 1, 4, 3, 3, 0.15]
        )[0]
        self.did[what] += 1
        if what == "runs":
            found = self.ask(client, "GET", "/api/test-suite-runs?limit=5")["runs"]
            if found:
                self.ask(client, "GET", f"/api/test-suite-runs/{self.draw.choice(found)['id']}", known=(404,))
        elif what == "cases":
            self.ask(
                client, "GET", f"/api/test-suites/{self.draw.choice(list(self.suites.values()))}/test-cases"
            )
        elif what == "registry":
            self.ask(client, "GET", "/api/registry")
        elif what == "evaluate":
            body = {
                "actual": {"rooms": ["blue"] * 50},
                "assertions": [{"path": "$.rooms[*]", "matcher": "toEqual", "expected": "blue"}],
            }
            self.ask(client, "POST", "/api/evaluate", body)
        elif what == "run":
            suite = self.draw.choice(list(self.suites.values()))
            answer = self.ask(client, "POST", f"/api/test-suites/{suite}/run", {}, known=(409,))
            self.runs += [answer["runId"]] if "runId" in answer else []
        else:
            where = self.draw.choice(list(self.suites))
            self.count(client, where, "common" if what == "common" else f"of-{self.number}")

    def count(self, client: httpx.Client, where: str, name: str) -> None:
        """Count one up in a case, as an editor does: read, save what was read plus one, or be told."""
        key = f"{where}/{name}"
        id_ = self.cases.get(key) or self.find(client, where, name)
        case = self.ask(client, "GET", f"/api/test-cases/{id_}")
        said = str(int(case["say"]) + 1)
        self.unsure[key] += 1  # whether it is saved is not known before the answer is there
        answer = self.ask(
            client, "PATCH", f"/api/test-cases/{id_}", {"say": said}, case["fingerprint"], known=(409,)
        )
        self.unsure[key] -= 1
        if "mine" in answer:
            self.did["conflict"] += 1
        elif answer.get("say") != said:
            raise Broken(f"{key}: saved {said}, answered {answer}")
        else:
            self.counted[key] += 1

    def find(self, client: httpx.Client, where: str, name: str) -> str:
        for one in self.ask(client, "GET", f"/api/test-suites/{self.suites[where]}/test-cases"):
            if one["name"] == name:
                self.cases[f"{where}/{name}"] = one["id"]
                return str(one["id"])
        body = {"name": name, "say": "0", "assertions": CHECK}
        made = self.ask(client, "POST", f"/api/test-suites/{self.suites[where]}/test-cases", body)
        self.cases[f"{where}/{name}"] = made["id"]
        return str(made["id"])

    def ask(
        self,
        client: httpx.Client,
        method: str,
        path: str,
        body: Any = None,
        match: str = "",
        known: tuple[int, ...] = (),
    ) -> Any:
        answer = client.request(method, path, json=body, headers={"If-Match": match} if match else {})
        if answer.status_code >= 400 and answer.status_code not in known:
            raise Broken(f"client {self.number}: {method} {path}: {answer.status_code} {answer.text[:500]}")
        return answer.json()


def check(server: Server, clients: list[Client], suites: dict[str, str]) -> int:
    """Whether everything is there that was answered; how many changes that are. Raises Broken."""
    from grice.files.document import load_file
    from grice.running.journal.reading import read_run

    file = server.folder / "rooms.grice.yaml"
    load_file(file)
    if not file.read_text().startswith(HEAD) or file.read_text().count("# of ") != 1:
        raise Broken("a comment is lost")
    headers = {"Authorization": f"Bearer {TOKEN}"}
    total = 0
    with httpx.Client(
        base_url=f"http://127.0.0.1:{server.port}", headers=headers, timeout=60, trust_env=False
    ) as client:
        for where, suite in suites.items():
            found = client.get(f"/api/test-suites/{suite}/test-cases").json()
            for one in found:
                key = f"{where}/{one['name']}"
                sure = sum(each.counted[key] for each in clients)
                unsure = sum(each.unsure[key] for each in clients)
                if not sure <= int(one["say"]) <= sure + unsure:
                    raise Broken(f"{key}: {one['say']}, {sure} were answered and {unsure} may be there")
                total += sure
        until = time.monotonic() + WAIT * 2
        runs = [run for one in clients for run in one.runs]
        for run in runs:
            while (state := client.get(f"/api/test-suite-runs/{run}/state").json())["state"] in (
                "QUEUED",
                "RUNNING",
            ):
                if time.monotonic() > until:
                    raise Broken(f"{run} does not end: {state}")
                time.sleep(0.2)
            if state["state"] != "FINISHED":
                raise Broken(f"{run}: {state}")
            keys = [one.key for one in read_run(server.folder / ".grice" / "runs" / run).results]
            if len(keys) != len(set(keys)):
                raise Broken(f"{run} holds a conversation twice")
    return total


def study(minutes: float, number: int, kill_every: float, seed: int) -> None:
    draw = random.Random(seed)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        folder = Path(name) / "rooms"
        folder.mkdir()
        (folder / "grice.toml").write_text('agent = "bots:agent"\n')
        (folder / "bots.py").write_text(BOTS)
        (folder / "token.txt").write_text(TOKEN)
        case = (
            "  # of all\n  - id: common\n    say: '0'\n    expect: [{matcher: toContain, expected: Booked}]\n"
        )
        (folder / "rooms.grice.yaml").write_text(HEAD + case)
        server = Server(folder)
        server.start()
        with httpx.Client(
            base_url=f"http://127.0.0.1:{server.port}",
            headers={"Authorization": f"Bearer {TOKEN}"},
            trust_env=False,
        ) as client:
            case_ = {"name": "common", "say": "0", "assertions": CHECK}
            made = client.post("/api/projects/rooms/test-suites", json={"name": "own", "testCases": [case_]})
        suites = {"file": "rooms/rooms.grice.yaml", "tables": made.json()["id"]}
        over = threading.Event()
        clients = [Client(server, one, suites, seed, over) for one in range(number)]
        for one in clients:
            one.start()
        kills, end = 0, time.monotonic() + minutes * 60
        calm = time.monotonic() + minutes * 30  # in the second half memory is watched
        while time.monotonic() < end and not any(one.broken for one in clients):
            if time.monotonic() < calm:
                time.sleep(draw.uniform(0.5, 1.5) * kill_every)
                server.kill()
                kills += 1
                server.start()
            else:
                time.sleep(2)
                server.measure()
        over.set()
        for one in clients:
            one.join(WAIT)
        broken = [error for one in clients for error in one.broken]
        if broken:
            raise Broken("\n".join(broken))
        did = sum((one.did for one in clients), Counter())
        total = check(server, clients, suites)
        runs = sum(len(one.runs) for one in clients)
        print(f"{minutes:g} minutes, {number} clients, {kills} kills: {dict(sorted(did.items()))}")
        print(f"{total} changes were answered and are there; {runs} runs ended, none holds anything twice")
        memory = server.memory
        first, last = max(memory[: len(memory) // 4 + 1]), max(memory[-3:])
        print(f"memory of the server while it is not killed: {memory[0]:.0f} to {last:.0f} MB")
        assert server.process is not None
        server.process.send_signal(signal.SIGTERM)
        server.process.communicate()
        if last > first * GROWTH:
            raise Broken(f"memory grew from {first:.0f} to {last:.0f} MB")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--minutes", type=float, default=5)
    parser.add_argument("--clients", type=int, default=20)
    parser.add_argument("--kill-every", type=float, default=10)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    if sys.platform == "win32" or not os.path.exists("/proc/self/status"):
        sys.exit("it kills processes and reads their memory as Linux has it")
    try:
        study(given.minutes, given.clients, given.kill_every, given.seed)
    except Broken as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
