"""The goldens over HTTP: the server in a process of its own, driven as the README configures it."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest

from grice import Outcome, Result, load_goldens, run_golden
from grice.files.settings import Settings, load_settings
from wordpress_assistant.app import agent

HERE = Path(__file__).parents[1]
GOLDENS = {
    golden.id: golden for path in sorted((HERE / "goldens").iterdir()) for golden in load_goldens(path)
}


class Project(NamedTuple):
    """A folder with the README's configuration, for the addresses of this run."""

    folder: Path
    settings: Settings

    def replay(self, id: str) -> Result:  # noqa: A002
        """The golden of that id, played to the server."""
        return run_golden(
            GOLDENS[id],
            self.settings.agent,
            model_port=self.settings.model_port,
            model_key=self.settings.model_key,
        )


@contextmanager
def serving(folder: Path, bugs: str = "") -> Iterator[Project]:
    """The server, which asks its model at a fixed address, and the project that talks to it."""
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        port = held.getsockname()[1]
    env = os.environ | {
        "ANTHROPIC_BASE_URL": f"http://127.0.0.1:{port}",
        "ANTHROPIC_API_KEY": "local-key",
        "WORDPRESS_ASSISTANT_BUGS": bugs,
        "no_proxy": "127.0.0.1",
    }
    command = [sys.executable, "-m", "wordpress_assistant.server", "--port", "0"]
    with subprocess.Popen(command, cwd=HERE, env=env, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            address = server.stdout.readline().strip()
            (declared,) = re.findall(
                r"^```toml\n(.*?)^```", (HERE / "README.md").read_text("utf-8"), re.M | re.S
            )
            text = declared.replace("http://127.0.0.1:8787", address).replace("8799", str(port))
            (folder / "pyproject.toml").write_text(text, "utf-8")
            settings = load_settings(folder)
            assert settings is not None
            yield Project(folder, settings)
        finally:
            server.kill()


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Project]:
    with serving(tmp_path_factory.mktemp("http")) as project:
        yield project


@pytest.mark.parametrize("id_", GOLDENS)
def test_a_golden_passes_over_http(project: Project, id_: str) -> None:
    result = project.replay(id_)

    assert [verdict for verdict in result.verdicts if verdict.outcome is not Outcome.PASS] == []
    assert result.outcome is Outcome.PASS
    assert result.conversation.exchanges


def test_the_conversation_is_the_same_as_in_process(project: Project) -> None:
    here = run_golden(GOLDENS["confirm-update"], agent)
    there = project.replay("confirm-update")

    assert there.conversation.messages == here.conversation.messages
    assert roles_sent(there) == roles_sent(here)


def roles_sent(result: Result) -> list[list[str]]:
    return [[message["role"] for message in one.messages] for one in result.conversation.exchanges]


def test_grice_run_does_the_same_from_the_configuration(project: Project) -> None:
    goldens = project.folder / "goldens"
    shutil.copytree(HERE / "goldens", goldens)
    command = [sys.executable, "-m", "grice", "run", str(goldens)]

    done = subprocess.run(
        command, cwd=project.folder, capture_output=True, text=True, timeout=60, check=False
    )

    assert "6 passed" in done.stdout
    assert done.returncode == 0


def test_the_bugs_are_caught_over_http_too(tmp_path: Path) -> None:
    with serving(tmp_path, bugs="A,B") as project:
        narrated, confused = project.replay("list-plugins"), project.replay("update-plugin-success")

    assert "PRE_TOOL_NARRATION" in failures(narrated)
    assert "there is no user message" in failures(confused)


def failures(result: Result) -> str:
    assert result.outcome is Outcome.FAIL
    return "\n".join(str(verdict) for verdict in result.verdicts if verdict.outcome is Outcome.FAIL)
