"""A client that is generated from the OpenAPI document does a day's work, on both databases."""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

sys.path.append(str(Path(__file__).parent.parent / "api"))
from live import Live, serve

pytestmark = pytest.mark.slow

BOTS = """
import pathlib
import time

def agent(messages):
    said = messages[-1]["content"]
    while "wait" in said and not pathlib.Path("go.txt").exists():
        time.sleep(0.01)
    return "Booked: " + said
"""
ROOMS = "# ours\nscenarios:\n  - {id: blue, say: blue, expected_output: 'Booked: blue'}\n"


@pytest.fixture
def live(tmp_path: Path, url: str) -> Iterator[Live]:
    """A server of a project with an agent and a suite in a file."""
    folder = tmp_path / "rooms"
    folder.mkdir()
    folder.joinpath("bots.py").write_text(BOTS)
    folder.joinpath("rooms.grice.yaml").write_text(ROOMS)
    with serve(folder, url) as served:
        yield served
        folder.joinpath("go.txt").touch()


class Generated:
    """The generated client: `call("cases.change_case", ...)` gives what came, read as the document says."""

    def __init__(self, live: Live, folder: Path) -> None:
        document = folder / "openapi.json"
        document.write_text(live.client.get("/api/openapi.json").text)
        settings = folder / "settings.yaml"
        settings.write_text("post_hooks: []\n")
        self.name = f"client_{live.server.port}"
        generator = [sys.executable, "-m", "openapi_python_client", "generate", "--meta", "none"]
        made = subprocess.run(
            [*generator, "--path", document, "--output-path", folder / self.name, "--config", settings],
            capture_output=True,
            text=True,
            check=True,
        )
        assert "warning" not in made.stdout.lower(), made.stdout
        self.client = self._part("client").AuthenticatedClient(
            base_url=live.server.url, token=live.token, timeout=60
        )

    def _part(self, name: str) -> Any:
        return importlib.import_module(f"{self.name}.{name}")

    def model(self, name: str, /, **fields: Any) -> Any:
        """A body of the document, made of JSON."""
        return getattr(self._part("models"), name).from_dict(fields)

    def call(self, route: str, *path: str, status: int = 200, **given: Any) -> Any:
        """What a route answers, which has to have this status."""
        answer = self._part(f"api.{route}").sync_detailed(*path, client=self.client, **given)
        assert answer.status_code == status, answer.content
        return answer.parsed

    def follow(self, run: str, until: str = "") -> list[dict[str, Any]]:
        """What happens in a run, to its end or to an event that has `until` in it."""
        found: list[dict[str, Any]] = []
        with self.client.get_httpx_client().stream("GET", f"/api/test-suite-runs/{run}/events") as stream:
            for line in stream.iter_lines():
                if line.startswith("data: "):
                    found.append(json.loads(line.removeprefix("data: ")))
                    if until and until in line:
                        break
        return found


@pytest.fixture
def generated(live: Live, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Generated]:
    """A client for the server."""
    monkeypatch.syspath_prepend(tmp_path)
    made = Generated(live, tmp_path)
    with made.client:
        yield made


@pytest.mark.filterwarnings("default")
def test_a_generated_client_makes_runs_edits_compares_and_cancels(generated: Generated, live: Live) -> None:
    call, model = generated.call, generated.model
    (project,) = call("projects.list_projects")
    suite = call("suites.create_suite", project.id, body=model("SuiteFields", name="lunch"), status=201)
    check = {"matcher": "toContain", "expected": "soup"}
    for name, say in (("soup", "soup"), ("tea", "tea")):
        body = model("NewCaseBody", name=name, say=say, assertions=[check])
        call("cases.create_case", suite.id, body=body, status=201)
    soup, tea = call("cases.list_cases", suite.id)
    assert (soup.name, soup.position, tea.test_suite_id) == ("soup", 0, suite.id)

    first = call("running.run_suite", suite.id, body=model("RunOptionsBody", name="first"), status=201).run_id
    assert [one["outcome"] for one in generated.follow(first) if "outcome" in one] == ["pass", "fail"]
    run = call("runs.get_run", first)
    details = {one.test_case_id: one.details[0] for one in run.results}
    assert (run.status, details[tea.id]["passed"], details[tea.id]["matcher"]) == (
        "COMPLETED",
        False,
        "toContain",
    )

    changed = call(
        "cases.change_case", tea.id, body=model("CaseFields", say="tea, no soup"), if_match=tea.fingerprint
    )
    assert (changed.say, changed.assertions[0].to_dict()) == ("tea, no soup", check)
    late = call(
        "cases.change_case",
        tea.id,
        body=model("CaseFields", say="mine"),
        if_match=tea.fingerprint,
        status=409,
    )
    assert (late.mine, late.theirs["say"], late.base) == ({"say": "mine"}, "tea, no soup", tea.fingerprint)
    call("cases.change_case", tea.id, body=model("CaseFields", runMode="DEFAULT"), if_match=late.fingerprint)
    code = model("CaseFields", agent="os:system")
    refused = call("cases.change_case", tea.id, body=code, if_match="*", status=403)
    assert [one.field for one in refused.details] == ["agent"]

    second = call("running.run_again", first, status=201).run_id
    assert generated.follow(second)[-1]["state"] == "FINISHED"
    compared = call("runs.compare_runs", a=first, b=second).to_dict()
    assert "tea" in str(compared)

    (in_file,) = [one for one in call("suites.list_suites", project.id) if one.file == "rooms.grice.yaml"]
    body = model("NewCaseBody", name="slow", say="please wait", expectedOutput="Booked: please wait")
    call("cases.create_case", in_file.id, body=body, status=201)
    assert (live.folder / "rooms.grice.yaml").read_text().startswith(ROOMS)
    third = call("running.run_suite", in_file.id, body=model("RunOptionsBody"), status=201).run_id
    generated.follow(third, until='"slow"')
    call("running.cancel_run", third)
    assert generated.follow(third)[-1]["state"] == "CANCELLED"
    assert {one.who for one in call("history.list_changes").changes} == {"owner"}
