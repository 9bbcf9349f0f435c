"""`grice serve` and `grice token`, as a user gives them."""

from __future__ import annotations

import io
import re
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from typing import Any

import httpx
import pytest

from grice.api import service
from grice.api.run_queue import RunQueue
from grice.cli import main
from grice.cli.serve import Command
from grice.cli.serve_work import serve_project

TOKEN = "a-token-of-my-own-0123456789"


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    tmp_path.joinpath("pyproject.toml").write_text(
        '[project]\nname = "rooms"\n[tool.grice]\nagent = "bots:agent"\n'
    )
    return tmp_path


def grice(capsys: pytest.CaptureFixture[str], *args: object) -> tuple[int, str, str]:
    """The exit code of the command, and what it wrote."""
    with pytest.raises(SystemExit) as left:
        main([str(one) for one in args])
    written = capsys.readouterr()
    assert isinstance(left.value.code, int)
    return left.value.code, written.out, written.err


def served(ask: Callable[[str], object], **given: object) -> tuple[int, str]:
    """The exit code and the output of the server, which is ended when `ask` has had its output."""
    screen = io.StringIO()

    @contextmanager
    def until() -> Iterator[Callable[[], object]]:
        yield lambda: ask(screen.getvalue())

    with redirect_stdout(screen):
        code = serve_project(Command(port=0, **given), until=until)
    return code, screen.getvalue()


def test_a_link_is_printed_and_lets_in() -> None:
    def ask(out: str) -> None:
        (link,) = re.findall(r"^http://127\.0\.0\.1:\d+/login\?token=grice_\S+$", out, re.MULTILINE)
        with httpx.Client(trust_env=False, follow_redirects=True) as browser:
            answer = browser.get(link)
        assert answer.status_code == 200
        assert "token=" not in str(answer.url)

    code, out = served(ask)
    assert code == 0
    assert re.match(r"Grice serves rooms at http://127\.0\.0\.1:\d+\. Ctrl-C ends it\.\n", out)


def test_a_token_of_a_file_is_taken_and_never_shown(project: Path) -> None:
    file = project / "token.txt"
    file.write_text(TOKEN + "\n")

    def ask(out: str) -> None:
        (url,) = re.findall(r"http://127\.0\.0\.1:\d+", out)
        headers = {"Authorization": f"Bearer {TOKEN}"}
        assert httpx.get(f"{url}/api/projects", headers=headers, trust_env=False).json() == [
            {"id": "rooms", "name": "rooms"}
        ]

    code, out = served(ask, token_file=file)
    assert (code, TOKEN in out, "login" in out) == (0, False, False)


def test_as_many_runs_go_on_at_once_as_are_asked_for(
    project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[int] = []
    queue = service.RunQueue

    def made(*args: Any, most_at_once: int) -> RunQueue:
        given.append(most_at_once)
        return queue(*args, most_at_once=most_at_once)

    monkeypatch.setattr(service, "RunQueue", made)
    assert [served(lambda _: None, **more)[0] for more in ({}, {"runs_at_once": 5})] == [0, 0]
    assert given == [2, 5]
    code, _, err = grice(capsys, "serve", "--runs-at-once", 0)
    assert code == 2
    assert "--runs-at-once" in err


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, "error: --token-file: token.txt: No such file or directory\n"),
        (b"", "expected one token of 16 to 1000 characters without spaces, found 0 characters"),
        (b"short", "found 5 characters"),
        (b"two tokens of 123456789", "without spaces"),
        (b"x" * 5_000, "16 to 1000 characters"),
        ("schlüssel-0123456789".encode(), "expected letters, digits and signs of ASCII"),
    ],
)
def test_a_file_without_a_token_is_refused(
    project: Path, capsys: pytest.CaptureFixture[str], content: bytes | None, said: str
) -> None:
    if content is not None:
        (project / "token.txt").write_bytes(content)
    code, out, err = grice(capsys, "serve", "--port", 0, "--token-file", "token.txt")
    assert (code, out) == (2, "")
    assert said in " ".join(err.split()) + "\n"


def test_a_port_that_is_taken_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        held.listen()
        port = held.getsockname()[1]
        code, _, err = grice(capsys, "serve", "--port", port)
    assert (code, err) == (2, f"error: port {port} is in use; --port 0 takes a free one\n")


def test_a_folder_of_runs_has_one_server(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def ask(out: str) -> None:
        (url,) = re.findall(r"http://127\.0\.0\.1:\d+", out.partition("\n")[0])
        code, _, err = grice(capsys, "serve", "--port", 0)
        said = f"serves {project / '.grice' / 'runs'} already at {url}: open that, or end it first;"
        assert (code, said in " ".join(err.split())) == (2, True)
        assert served(lambda _: None, runs=project / "other")[0] == 0

    assert served(ask)[0] == 0
    assert served(lambda _: None)[0] == 0


def test_tokens_are_made_listed_and_revoked(capsys: pytest.CaptureFixture[str]) -> None:
    assert grice(capsys, "token", "list") == (0, "no tokens: `grice token add NAME` makes one\n", "")
    code, made, _ = grice(capsys, "token", "add", "ci", "--role", "run")
    assert code == 0
    assert re.fullmatch(r"grice_[\w-]{43}\n", made)
    code, out, _ = grice(capsys, "token", "list")
    assert code == 0
    assert re.fullmatch(r"ci: run, made \d{4}-\d\d-\d\d\n", out)
    assert grice(capsys, "token", "add", "ci")[0::2] == (
        2,
        "error: there is a token 'ci' already: revoke it first, or take another name\n",
    )

    def ask(out: str) -> None:
        (url,) = re.findall(r"(http://127\.0\.0\.1:\d+)\.", out)
        headers = {"Authorization": f"Bearer {made.strip()}"}
        assert httpx.get(f"{url}/api/projects", headers=headers, trust_env=False).status_code == 200
        assert grice(capsys, "token", "revoke", "ci")[0] == 0
        assert httpx.get(f"{url}/api/projects", headers=headers, trust_env=False).status_code == 401

    assert served(ask)[0] == 0
    assert grice(capsys, "token", "revoke", "ci")[0::2] == (
        2,
        "error: rooms has no token 'ci'; there are none\n",
    )


def test_a_role_that_there_is_not_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = grice(capsys, "token", "add", "ci", "--role", "raed")
    assert code == 2
    assert "--role: expected one of read, run, edit, found 'raed' (did you mean 'read'?)" in " ".join(
        err.split()
    )
