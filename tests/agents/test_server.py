"""The server of a project: started once, ready when it says so, ended with everything that it started."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

from grice.agents import AgentContext, AgentLoadError
from grice.agents.server import Server, command_of

SERVER = """
import http.server, os, subprocess, sys
class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200 if self.path == "/health" else 404); self.end_headers()
    def log_message(self, *_): pass
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
open("pids", "w").write(f"{os.getpid()} {child.pid}")
http.server.HTTPServer(("", int(os.environ["PORT"])), Handler).serve_forever()
"""


@pytest.fixture
def command(tmp_path: Path) -> list[str]:
    (tmp_path / "server.py").write_text(SERVER)
    return [sys.executable, "-S", "server.py"]


def is_running(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2][0]
    except FileNotFoundError:
        return False
    return state != "Z"


def wait_until_gone(pids: list[int]) -> None:
    end = time.monotonic() + 10
    while any(map(is_running, pids)):
        assert time.monotonic() < end, pids
        time.sleep(0.02)


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="looks processes up in /proc")
def test_is_started_once_and_ended_with_all_that_it_started(tmp_path: Path, command: list[str]) -> None:
    server = Server(command, tmp_path, ready="/health")
    url = AgentContext(server=server).server_url
    with urllib.request.urlopen(f"{url}/health") as answer:
        assert answer.status == 200
    assert server.url == url
    pids = [int(one) for one in (tmp_path / "pids").read_text().split()]
    server.end()
    wait_until_gone(pids)


def test_tells_what_it_printed_where_it_ends_before_it_is_ready(tmp_path: Path) -> None:
    server = Server([sys.executable, "-c", "print('no database at {port}'); raise SystemExit(3)"], tmp_path)
    said: list[str] = []
    for _ in range(2):  # it is not started again for each test
        with pytest.raises(AgentLoadError) as caught:
            _ = server.url
        said.append(str(caught.value))
    assert re.fullmatch(
        r"(?s)the server ended before it was ready \(exit code 3\): no database at \d+\n.*", said[0]
    )
    assert said[0].count("no database at") == 3  # in the line, in the command, in the output
    assert said[1] == said[0].split("\n")[0]


@pytest.mark.parametrize(("taken", "starts"), [(2, True), (3, False)])
def test_tries_other_ports_where_one_is_taken(tmp_path: Path, taken: int, starts: bool) -> None:
    code = (
        "import os, socket, time\n"
        "tries = open('tries', 'a+'); tries.write('x'); tries.flush(); tries.seek(0)\n"
        f"if len(tries.read()) <= {taken}: raise SystemExit('Error: listen EADDRINUSE\\n at x\\nNode v20')\n"
        "one = socket.create_server(('localhost', int(os.environ['PORT']))); time.sleep(60)"
    )
    server = Server([sys.executable, "-S", "-c", code], tmp_path)
    if starts:
        assert server.url
    else:
        with pytest.raises(AgentLoadError, match=r"\(exit code 1\): Error: listen EADDRINUSE\n"):
            _ = server.url
    server.end()
    assert (tmp_path / "tries").read_text() == "xxx"


def test_tells_once_that_it_ended_in_use(tmp_path: Path) -> None:
    code = (
        "import os, socket; one = socket.create_server(('localhost', int(os.environ['PORT'])))\n"
        "while one.accept()[0].recv(1) != b'x': pass\n"
        "raise KeyError('boom')"
    )
    server = Server([sys.executable, "-S", "-c", code], tmp_path)
    port = int(server.url.rpartition(":")[2])
    with socket.create_connection(("localhost", port)) as one:
        one.sendall(b"x")
        one.recv(1)
    whole, line = server.why_gone(), server.why_gone()
    server.end()
    assert line == "the server ended (exit code 1): KeyError: 'boom'"
    assert whole.startswith(f"{line}\nIts command is ")
    assert "Traceback" in whole


def test_tells_what_it_waited_for(tmp_path: Path, command: list[str]) -> None:
    server = Server(command, tmp_path, ready="/up", timeout=1.0)
    with pytest.raises(AgentLoadError, match="GET /up answers with status 404"):
        _ = server.url


def test_tells_a_program_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(AgentLoadError, match="there is no program 'nowhere-to-be-found' on PATH"):
        _ = Server("nowhere-to-be-found --port {port}", tmp_path).url


@pytest.mark.parametrize(
    ("said", "problem"),
    [
        ("", "found an empty one"),
        ([], "found an empty one"),
        ("npm ci && npm start", "'&&' is for a shell"),
        ("node 'server.js", "No closing quotation"),
    ],
)
def test_refuses_what_is_no_command(said: str | list[str], problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        command_of(said)


def test_splits_a_command() -> None:
    assert command_of("node 'my server.js'") == ["node", "my server.js"]
    assert command_of(["sh", "-c", "a && b"]) == ["sh", "-c", "a && b"]


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc").is_dir(), reason="looks processes up in /proc")
def test_is_ended_where_its_owner_is_killed(tmp_path: Path, command: list[str]) -> None:
    code = (
        "import sys, time; from pathlib import Path; from grice.agents.server import Server\n"
        f"print(Server({command!r}, Path({str(tmp_path)!r})).url, flush=True); time.sleep(60)"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) as owner:
        assert owner.stdout is not None
        assert owner.stdout.readline()
        os.kill(owner.pid, signal.SIGKILL)
    wait_until_gone([int(one) for one in (tmp_path / "pids").read_text().split()])
