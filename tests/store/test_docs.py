"""The workflow of docs/store.md does what the page says, on both databases."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from sqlalchemy import Engine

from journals import rows

PAGE = Path(__file__).parent.parent.parent / "docs" / "store.md"

TESTS = """
from grice import expect

def agent(messages):
    return "Booked: " + messages[-1]["content"]

def test_books(conversation):
    expect(conversation.say("a room")).to_contain("Booked")

def test_greets(conversation):
    expect(conversation.say("a room")).to_contain("Hello")
"""


def steps() -> list[str]:
    """The commands of the workflow that are Grice's."""
    block = PAGE.read_text("utf-8").split("```yaml\n")[1].split("```")[0]
    jobs = yaml.safe_load(block)["jobs"]
    found = [one["run"] for one in jobs["conversations"]["steps"] if "run" in one]
    return [one for one in found if one.startswith("grice ")]


@pytest.mark.skipif(sys.platform == "win32", reason="the workflow is for a shell")
def test_the_workflow_of_the_page(url: str, empty: Engine, tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    (project / "test_bot.py").write_text(TESTS)
    (project / "pyproject.toml").write_text('[tool.grice]\nagent = "test_bot:agent"\n')
    environment = {**os.environ, "DATABASE_URL": url, "GITHUB_REF_NAME": "main"}
    script = f'grice() {{ "{sys.executable}" -m grice "$@"; }}\n'
    codes = []
    for step in steps():
        done = subprocess.run(
            ["bash", "-c", script + step],
            cwd=project,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        codes.append(done.returncode)
    assert codes == [1, 0], done.stderr  # a test fails, and its run is pushed all the same
    found = rows(empty)
    (run,) = found["test_suite_runs"]
    assert (run["name"], run["state"], run["outcome"]) == ("main", "FINISHED", "fail")
    assert sorted(one["outcome"] for one in found["test_results"]) == ["fail", "pass"]
