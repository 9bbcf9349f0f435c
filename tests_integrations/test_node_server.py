"""From an empty folder to a green suite against a backend in Node: `grice init`, and nothing else."""

import subprocess
import sys

SERVER = """
const http = require("http");
http.createServer((request, response) => {
  if (request.url === "/health") return response.end("ok");
  let body = "";
  request.on("data", (part) => (body += part));
  request.on("end", () => response.end(JSON.stringify({ reply: "You said: " + JSON.parse(body).message })));
}).listen(process.env.PORT);
"""


def grice(folder, *arguments):
    command = [sys.executable, "-m", "grice", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120)


def test_init_and_one_command_are_green(tmp_path):
    (tmp_path / "server.js").write_text(SERVER)
    init = grice(tmp_path, "init", "--agent", "node server.js", "--ready", "/health", "--yes")
    assert (init.returncode, init.stderr) == (0, "")
    again = grice(tmp_path, "run", "tests")
    assert again.returncode == 0
    assert "1 passed" in again.stdout


def test_pytest_has_one_server_for_all_workers(tmp_path):
    (tmp_path / "server.js").write_text(SERVER)
    chosen = ("--agent", "node server.js", "--as", "pytest", "--yes")
    assert grice(tmp_path, "init", *chosen).returncode == 0
    test = (tmp_path / "tests/test_first.py").read_text()
    (tmp_path / "tests/test_second.py").write_text(test)
    run = grice(tmp_path, "run", "-n", "2", "tests")
    assert run.returncode == 0, run.stdout
    assert "2 passed" in run.stdout


def test_a_server_that_cannot_start_says_why(tmp_path):
    init = grice(tmp_path, "init", "--agent", "node server.js", "--yes")
    assert init.returncode == 2
    assert "the server ended before it was ready (exit code 1)" in init.stdout
    assert "Cannot find module" in init.stdout
