"""Prompts by the API: their files are saved, their versions come back, suites test them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from live import Live, serve

from grice.store.prompts import file_prompt_id

BOTS = """
def agent(messages):
    return "no prompt"

def answer(messages):
    return "Hello, Ada" if "Ada" in messages[-1]["content"] else "Hello"
"""
SUITE = """\
prompt: prompts/greet.md
scenarios:
  - {id: ada, inputs: {name: Ada}, expected_output: "Hello, Ada"}
"""


@pytest.fixture
def live(tmp_path: Path) -> Iterator[Live]:
    """A project with a suite that names a prompt in a file."""
    folder = tmp_path / "bot"
    (folder / "prompts").mkdir(parents=True)
    folder.joinpath("bots.py").write_text(BOTS)
    folder.joinpath("grice.toml").write_text('agent = "bots:agent"\nprompt_llm = "bots:answer"\n')
    folder.joinpath("prompts", "greet.md").write_text("Greet {{name}}.")
    folder.joinpath("greet.grice.yaml").write_text(SUITE)
    with serve(folder) as served:
        yield served


FILE = file_prompt_id("bot", "prompts/greet.md")


def ask(live: Live, method: str, path: str, body: Any = None, match: str = "", status: int = 200) -> Any:
    headers = {"If-Match": match} if match else {}
    answer = live.client.request(method, f"/api{path}", json=body, headers=headers)
    assert answer.status_code == status, answer.text
    return answer.json() if answer.content else None


def test_the_file_of_a_prompt_is_saved_as_a_version(live: Live) -> None:
    (prompt,) = ask(live, "GET", "/projects/bot/prompts")
    assert (prompt["id"], prompt["file"], prompt["version"]) == (FILE, "prompts/greet.md", 1)
    assert [one["id"] for one in ask(live, "GET", f"/prompts/{FILE}/test-suites")] == ["bot/greet.grice.yaml"]
    tag = live.client.get(f"/api/prompts/{FILE}").headers["ETag"]
    changed = ask(live, "PUT", f"/prompts/{FILE}", {"prompt": "Say hello to {{name}}."}, tag)
    file = live.folder / "prompts" / "greet.md"
    assert (changed["version"], file.read_text()) == (2, "Say hello to {{name}}.")
    late = ask(live, "PUT", f"/prompts/{FILE}", {"prompt": "mine {{name}}"}, tag, status=409)
    assert (late["mine"]["prompt"], late["theirs"]["prompt"]) == ("mine {{name}}", changed["prompt"])
    file.write_text("By hand {{name}}.")
    assert ask(live, "GET", f"/prompts/{FILE}")["version"] == 3
    restored = ask(live, "POST", f"/prompts/{FILE}/restore", {"version": 1})
    assert (restored["version"], file.read_text()) == (4, "Greet {{name}}.")
    history = ask(live, "GET", f"/prompts/{FILE}/history")
    assert [one["version"] for one in history] == [4, 3, 2, 1]
    assert ask(live, "GET", f"/prompt-history/{history[1]['id']}")["prompt"] == "By hand {{name}}."
    changes = [one["what"] for one in ask(live, "GET", "/changes")["changes"]]
    assert changes == [
        f"restored the version 1 of the prompt {FILE}",
        f"changed the prompt {FILE}",
    ]


def test_what_a_prompt_in_a_file_cannot_be_is_refused(live: Live) -> None:
    ask(live, "PUT", f"/prompts/{FILE}", {"name": "other"}, "*", status=409)
    ask(live, "DELETE", f"/prompts/{FILE}", match="*", status=409)
    told = ask(live, "PUT", f"/prompts/{FILE}", {"prompt": "{{}} {{open"}, "*", status=400)
    assert {one["field"] for one in told["details"]} == {"prompt"}
    ask(live, "POST", f"/prompts/{FILE}/restore", {"version": 9}, status=404)
    ask(live, "GET", "/prompts/none", status=404)
    ask(live, "PUT", "/prompts/bot/agent", {"prompt": "x"}, "*", status=404)
    assert (live.folder / "prompts" / "greet.md").read_text() == "Greet {{name}}."


def test_a_prompt_without_a_file_and_its_suite_are_made_run_and_deleted(live: Live) -> None:
    new = {"name": "hello", "prompt": "Greet {{name}}"}
    prompt = ask(live, "POST", "/projects/bot/prompts", new, status=201)
    twice = ask(live, "POST", "/projects/bot/prompts", {**new, "modelId": "none"}, status=400)
    assert [one["field"] for one in twice["details"]] == ["name", "modelId"]
    cases = [
        {"name": name, "inputs": {"name": name}, "expectedOutput": "Hello, Ada"} for name in ("Ada", "Bob")
    ]
    path = f"/prompts/{prompt['id']}/test-suites"
    wrong = [{**cases[0], "inputs": {"nam": "Ada"}}]
    told = ask(live, "POST", path, {"name": "greetings", "testCases": wrong}, status=400)
    assert {one["field"] for one in told["details"]} == {"testCases[0].inputs.nam", "testCases[0].inputs"}
    suite = ask(live, "POST", path, {"name": "greetings", "testCases": cases}, status=201)
    assert suite["promptId"] == prompt["id"]
    run = ask(live, "POST", f"/test-suites/{suite['id']}/run", {}, status=201)["runId"]
    with live.client.stream("GET", f"/api/test-suite-runs/{run}/events") as stream:
        stream.read()
    found = ask(live, "GET", f"/test-suite-runs/{run}")
    assert (found["state"], found["passPercentage"], found["testSuiteId"]) == ("FINISHED", 50, suite["id"])
    (version,) = ask(live, "GET", f"/prompts/{prompt['id']}/history")
    assert found["promptHistoryId"] == version["id"]
    changed = ask(live, "PUT", f"/prompts/{prompt['id']}", {"prompt": "Hi {{name}}"}, prompt["fingerprint"])
    ask(live, "PUT", f"/prompts/{prompt['id']}", {"prompt": "x"}, prompt["fingerprint"], status=409)
    assert (changed["version"], changed["name"]) == (2, "hello")
    assert ask(live, "POST", f"/prompts/{prompt['id']}/restore", {"version": 1})["version"] == 3
    ask(live, "DELETE", f"/prompts/{prompt['id']}", match="*", status=204)
    ask(live, "GET", f"/test-suites/{suite['id']}", status=404)


def test_a_suite_without_a_file_tests_a_prompt_in_one(live: Live) -> None:
    cases = [{"name": "ada", "inputs": {"name": "Ada"}, "expectedOutput": "Hello, Ada"}]
    suite = ask(live, "POST", f"/prompts/{FILE}/test-suites", {"name": "own", "testCases": cases}, status=201)
    run = ask(live, "POST", f"/test-suites/{suite['id']}/run", {}, status=201)["runId"]
    with live.client.stream("GET", f"/api/test-suite-runs/{run}/events") as stream:
        stream.read()
    found = ask(live, "GET", f"/test-suite-runs/{run}")
    (version,) = ask(live, "GET", f"/prompts/{FILE}/history")
    assert (found["outcome"], found["promptHistoryId"]) == ("pass", version["id"])


def test_the_path_of_a_prompt_cannot_be_changed_by_any_way(live: Live) -> None:
    (live.folder / "secret.md").write_text("{{name}}")
    for method in ("PUT", "PATCH"):
        told = ask(
            live, method, "/test-suites/bot/greet.grice.yaml", {"prompt": "secret.md"}, "*", status=403
        )
        assert [one["field"] for one in told["details"]] == ["prompt"]
    text = {"text": SUITE.replace("prompts/greet.md", "secret.md")}
    ask(live, "POST", "/test-suites/bot/greet.grice.yaml/import", text, "*", status=403)
    ask(live, "POST", "/projects/bot/test-suites/import", text | {"name": "new"}, status=403)
    ask(live, "PATCH", "/test-suites/bot/greet.grice.yaml", {"agent": "bots:agent"}, "*", status=403)
    assert (live.folder / "greet.grice.yaml").read_text() == SUITE


def test_a_suite_is_right_as_soon_as_the_file_of_its_prompt_is_there(live: Live) -> None:
    file = live.folder / "prompts" / "late.md"
    (live.folder / "late.grice.yaml").write_text(SUITE.replace("greet.md", "late.md"))
    path = "/projects/bot/test-suites"
    for _ in range(2):
        problems = {one["file"]: one["problems"] for one in ask(live, "GET", path)}
        assert "there is no such file" in problems["late.grice.yaml"][0]
    file.write_text("Greet {{name}}.")
    assert [one["problems"] for one in ask(live, "GET", path)] == [[], []]
    assert len(ask(live, "GET", "/projects/bot/prompts")) == 2
