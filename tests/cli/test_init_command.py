"""`grice init`: what it writes, what it leaves alone, what it refuses."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path, PurePosixPath

import pytest
from grice_command import Grice

from grice.cli.init_files import Answers, files_for, kind_of
from grice.files.document import parse_document

SERVER = """
import http.server, json, os
class Handler(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.send_response(200); self.end_headers()
        self.wfile.write(json.dumps({"reply": "You said: " + asked["message"]}).encode())
    def log_message(self, *_): pass
http.server.HTTPServer(("", int(os.environ["PORT"])), Handler).serve_forever()
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    return tmp_path


def files_in(folder: Path) -> list[str]:
    found = (one.relative_to(folder) for one in folder.rglob("*") if one.is_file())
    return sorted(str(one) for one in found if not {".grice", "__pycache__"} & set(one.parts))


def test_with_nothing_yet_it_is_green_and_names_its_files(grice: Grice, folder: Path) -> None:
    run = grice("init", "--yes")
    assert run.code == 0, run.err
    assert files_in(folder) == ["grice.toml", "my_assistant.py", "tests/first.grice.yaml"]
    assert (folder / ".grice/.gitignore").read_text() == "*\n"
    assert all(name in run.out.split("$ grice run tests")[0] for name in files_in(folder))
    assert "1 passed" in run.out


def test_with_a_server(grice: Grice, folder: Path) -> None:
    (folder / "server.py").write_text(SERVER)
    command = f"{sys.executable} -S server.py"
    run = grice("init", "--agent", command, "--path", "/ask", "--ci", "github", "--tests", "checks", "--yes")
    assert run.code == 0, run.out
    said = tomllib.loads((folder / "grice.toml").read_text())
    assert said["server"] == {"command": command}
    assert said["agent"] == {"type": "http", "url": "${server_url}/ask"}
    assert "grice run checks" in (folder / ".github/workflows/grice.yml").read_text()


def test_what_is_there_stays(grice: Grice, folder: Path) -> None:
    (folder / "bot.py").write_text("def chat(messages):\n    return 'Hello'\n")
    (folder / "pyproject.toml").write_text('[tool.grice]\nagent = "bot:chat"\n')
    (folder / "tests").mkdir()
    (folder / "tests/first.grice.yaml").write_text(
        "scenarios: [{say: Hi, expect: [{matcher: toContain, expected: Hello}]}]"
    )
    before = {name: (folder / name).read_bytes() for name in files_in(folder)}
    run = grice("init", "--yes")
    assert run.code == 0, run.err
    assert "tests/first.grice.yaml  is there and stays as it is" in run.out
    assert "The settings in pyproject.toml stay as they are." in run.out
    assert {name: (folder / name).read_bytes() for name in before} == before
    again = grice("init", "--yes", "--agent", "bot:chat")
    assert "--agent: pyproject.toml of this folder says what the agent is" in again.err


def test_runs_are_kept_out_of_git(grice: Grice, folder: Path) -> None:
    subprocess.run(["git", "init", "-q"], cwd=folder, check=True)
    grice("init", "--yes")
    ask = ["git", "status", "--porcelain", "--untracked-files=all"]
    untracked = subprocess.run(ask, cwd=folder, capture_output=True, text=True, check=True).stdout
    assert "grice.toml" in untracked
    assert ".grice/" not in untracked
    (folder / ".grice/.gitignore").unlink()
    assert "All files are there" in grice("init", "--yes").out
    assert not (folder / ".grice/.gitignore").exists()  # who wants to commit runs deletes it


def test_a_server_that_wants_another_body_is_told_how(grice: Grice, folder: Path) -> None:
    (folder / "server.py").write_text(SERVER.replace("200", "200 if 'session' in asked else 422"))
    run = grice("init", "--agent", f"{sys.executable} -S server.py", "--yes")
    assert run.code == 1
    said = " ".join(run.out.split())
    line = 'request = {message = "${user}", session = "${conversation_id}"}'
    assert re.search(r"POST http://localhost:\d+/chat answered 422", said)
    assert line in said
    settings = (folder / "grice.toml").read_text()
    (folder / "grice.toml").write_text(settings.replace(f"# {line}", line))
    assert grice("run", "tests").code == 0


def test_an_agent_that_does_not_answer_is_told_by_the_run(grice: Grice, folder: Path) -> None:
    run = grice("init", "--agent", "http://127.0.0.1:9/chat", "--yes")
    assert run.code == 1
    assert "the agent raised" in run.out


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ((), "nobody can be asked: give --agent, --tests, --as and --ci, or --yes for defaults"),
        (("--yes", "--agent", "nowhere:chat"), "--agent: agent 'nowhere:chat': there is no module 'nowhere'"),
        (("--yes", "--agent", "127.0.0.1:80/x"), "(did you mean 'http://127.0.0.1:80/x'?)"),
        (("--yes", "--agent", "npm ci && npm start"), "'&&' is for a shell"),
        (("--yes", "--agent", "sh s.sh", "--path", "chat"), "--path: expected a path such as /chat"),
        (
            ("--yes", "--agent", "pizza"),
            "--agent: there is no program 'pizza' on PATH (a Python agent is MODULE:NAME)",
        ),
        (("--yes", "--agent", "shh s.sh"), "--agent: there is no program 'shh' on PATH (did you mean 'sh'?)"),
        (("--yes", "--ready", "/up"), "--ready is for a program that serves HTTP; the agent is 'none'"),
        (("--yes", "--tests", "../x"), "--tests: expected a folder below this one"),
        (("--yes", "--ci", "gitlba"), "--ci: expected one of github, gitlab, none, found 'gitlba'"),
    ],
)
def test_refuses_before_anything_is_written(
    grice: Grice, folder: Path, arguments: tuple[str, ...], problem: str
) -> None:
    run = grice("init", *arguments)
    assert run.code == 2
    assert problem in run.err
    assert files_in(folder) == []


@pytest.mark.parametrize(
    ("agent", "kind"),
    [
        ("none", "none"),
        ("my_bot.app:agent", "python"),
        ("http://127.0.0.1:80/chat", "http"),
        ("localhost:80/chat", "http"),
        ("node server.js", "server"),
        ("./serve", "server"),
    ],
)
def test_the_answer_tells_the_kind(agent: str, kind: str) -> None:
    assert kind_of(agent) == kind


@pytest.mark.parametrize("ci", ["github", "gitlab"])
def test_ci_installs_what_the_project_has(folder: Path, ci: str) -> None:
    (folder / "package.json").write_text("{}")
    (folder / "requirements.txt").write_text("")
    source = "grice[pytest] @ git+https://127.0.0.1/x.git@abc"
    answers = Answers("node 'a \"b\".js'", PurePosixPath("my tests"), "pytest", ci, "/chat", "/up", source)
    written = {one.name: one.text for one in files_for(answers, folder)}
    settings = tomllib.loads(written["grice.toml"])
    assert settings["server"] == {"command": "node 'a \"b\".js'", "ready": "/up"}
    compile(written["my tests/test_first.py"], "test_first.py", "exec")
    text = next(text for name, text in written.items() if name.endswith(".yml"))
    value = parse_document(text, path="ci.yml", syntax="yaml").value
    jobs = (
        value["grice"]["script"]
        if ci == "gitlab"
        else [one.get("run") for one in value["jobs"]["grice"]["steps"]]
    )
    assert jobs[-4:] == [
        "pip install 'grice[pytest] @ git+https://127.0.0.1/x.git@abc'",
        "pip install -r requirements.txt",
        "npm install",
        "grice run 'my tests'",
    ]


@pytest.mark.parametrize("ci", ["github", "gitlab"])
def test_ci_says_so_where_it_cannot_have_what_is_installed_here(folder: Path, ci: str) -> None:
    answers = Answers("none", PurePosixPath("tests"), "yaml", ci, "/chat", "")
    file = next(one for one in files_for(answers, folder) if one.name.endswith(".yml"))
    assert "write there where it installs Grice from" in file.what
    assert "# Grice is installed here from a place that CI may not reach: write one that it can." in file.text
    assert not re.search("^[^#]*pip install", file.text, re.MULTILINE)
    parse_document(file.text, path="ci.yml", syntax="yaml")


def test_a_file_of_the_folder_is_no_program(grice: Grice, folder: Path) -> None:
    (folder / "server.sh").write_text("")
    run = grice("init", "--agent", "server.sh --port {port}", "--yes")
    assert "server.sh is a file of the folder: did you mean \"sh server.sh --port '{port}'\"?" in run.err
    assert files_in(folder) == ["server.sh"]


def test_a_server_that_ends_in_a_run_is_told_in_full_once(grice: Grice, folder: Path) -> None:
    ending = SERVER.replace(
        "asked = ", 'print("at x\\nError: no disk\\n", flush=True); os._exit(3); asked = '
    )
    (folder / "server.py").write_text(ending)
    (folder / "grice.toml").write_text(
        f'[server]\ncommand = "{sys.executable} -S server.py"\n'
        '[agent]\ntype = "http"\nurl = "${server_url}/chat"\n'
    )
    one = "{say: Hi, expect: [{matcher: toContain, expected: Hi}], id: "
    (folder / "a.grice.yaml").write_text(f"scenarios: [{one}a}}, {one}b}}]")
    run = grice("run", "a.grice.yaml")
    assert run.out.count("at x") == 1
    summary = run.out.partition("2 errors")[2]
    assert "a  error: the agent to answer: the server ended (exit code 3): Error: no disk" in summary
    assert "  error    b  error: an agent to hold the conversation with: the server ended" in summary
