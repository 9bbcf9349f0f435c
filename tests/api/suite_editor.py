"""Somebody who edits suites and cases by the API, in a project with a suite in a file."""

from __future__ import annotations

from typing import Any

import httpx
from live import Live

from grice.store.result_rows import suite_id
from grice.store.suite_rows import case_id

ROOMS = """\
# our rooms
agent: bots:agent

scenarios:
  # the blue one
  - id: blue
    say: blue   # in one word
    expect:
      - {matcher: toContain, expected: blue}   # why

  - id: red
    say: red
    agent: bots:agent
    expect: [{matcher: toContain, expected: red}]
"""
BOTS = "def agent(messages):\n    return 'Booked: ' + messages[-1]['content']\n"
CHECK = [{"matcher": "toContain", "expected": "x"}]


class Editor:
    """Somebody who edits a project by the API."""

    def __init__(self, live: Live) -> None:
        self.live = live
        self.project = live.service.project
        self.rooms = suite_id(self.project, "rooms.grice.yaml")
        self.blue, self.red = (case_id(self.project, "rooms", one) for one in ("blue", "red"))

    def ask(self, method: str, path: str, body: Any = None, match: str = "", status: int = 200) -> Any:
        headers = {"If-Match": match} if match else {}
        answer = self.live.client.request(method, f"/api{path}", json=body, headers=headers)
        assert answer.status_code == status, answer.text
        return answer.json() if answer.content else None

    def tagged(self, path: str) -> tuple[Any, str]:
        answer: httpx.Response = self.live.client.get(f"/api{path}")
        return answer.json(), answer.headers["ETag"]

    def table_suite(self, **fields: Any) -> str:
        made: str = self.ask(
            "POST", f"/projects/{self.project}/test-suites", {"name": "own", **fields}, status=201
        )["id"]
        return made

    @property
    def text(self) -> str:
        return (self.live.folder / "rooms.grice.yaml").read_text()


def in_tables(editor: Editor) -> tuple[str, str]:
    cases = [{"name": one, "say": one, "assertions": CHECK} for one in ("blue", "red")]
    return editor.table_suite(testCases=cases), "own"


def names(editor: Editor, suite: str) -> list[str]:
    return [one["name"] for one in editor.ask("GET", f"/test-suites/{suite}/test-cases")]
