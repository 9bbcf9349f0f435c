"""The examples of the documentation. A test sends each of them to the server."""

from __future__ import annotations

from typing import Any, NamedTuple


class Example(NamedTuple):
    """A request: its path with what follows `?`, the body as JSON, and the status of the answer.

    `if_match` is a header that saving needs.
    """

    path: str
    body: Any = None
    status: int = 200
    if_match: str = ""


EXAMPLES = {
    ("GET", "/api/projects"): Example("/api/projects"),
    ("GET", "/api/projects/{project_id}"): Example("/api/projects/rooms"),
    ("GET", "/api/test-suite-runs"): Example("/api/test-suite-runs?branch=main&outcome=fail&limit=10"),
    ("GET", "/api/test-suite-runs/{run_id}"): Example("/api/test-suite-runs/exp_2"),
    ("GET", "/api/test-suite-runs/{run_id}/results"): Example(
        "/api/test-suite-runs/exp_2/results?outcome=fail"
    ),
    ("GET", "/api/test-suite-runs/{run_id}/conversations/{conversation_id}"): Example(
        "/api/test-suite-runs/exp_2/conversations/exp_2/main/000000002"
    ),
    ("GET", "/api/projects/{project_id}/test-suites"): Example("/api/projects/rooms/test-suites"),
    ("GET", "/api/projects/{project_id}/prompts"): Example("/api/projects/rooms/prompts"),
    ("POST", "/api/projects/{project_id}/prompts"): Example(
        "/api/projects/rooms/prompts", {"name": "capital", "prompt": "Name the capital of {{country}}."}, 201
    ),
    ("GET", "/api/prompts/{prompt_id}"): Example("/api/prompts/prompt_0b6f4f0e6a1d"),
    ("PUT", "/api/prompts/{prompt_id}"): Example(
        "/api/prompts/prompt_0b6f4f0e6a1d", {"prompt": "Greet {{name}} warmly."}, if_match="*"
    ),
    ("DELETE", "/api/prompts/{prompt_id}"): Example(
        "/api/prompts/prompt_2f1f3a6c7d10", status=204, if_match="*"
    ),
    ("GET", "/api/prompts/{prompt_id}/history"): Example("/api/prompts/prompt_0b6f4f0e6a1d/history"),
    ("GET", "/api/prompt-history/{version_id}"): Example("/api/prompt-history/prompt_0b6f4f0e6a1d/v1"),
    ("POST", "/api/prompts/{prompt_id}/restore"): Example(
        "/api/prompts/prompt_0b6f4f0e6a1d/restore", {"version": 1}
    ),
    ("GET", "/api/prompts/{prompt_id}/test-suites"): Example("/api/prompts/prompt_0b6f4f0e6a1d/test-suites"),
    ("POST", "/api/prompts/{prompt_id}/test-suites"): Example(
        "/api/prompts/prompt_0b6f4f0e6a1d/test-suites",
        {
            "name": "greetings",
            "testCases": [{"name": "ada", "inputs": {"name": "Ada"}, "expectedOutput": "Hello, Ada"}],
        },
        201,
    ),
    ("POST", "/api/projects/{project_id}/test-suites"): Example(
        "/api/projects/rooms/test-suites",
        {
            "name": "lunch",
            "testCases": [
                {
                    "name": "soup",
                    "say": "Is there soup?",
                    "assertions": [{"matcher": "toContain", "expected": "soup"}],
                }
            ],
        },
        201,
    ),
    ("POST", "/api/projects/{project_id}/test-suites/import"): Example(
        "/api/projects/rooms/test-suites/import",
        {"text": "name: tea\nscenarios:\n  - {id: green, say: Green tea, expected_output: Yes}\n"},
        201,
    ),
    ("GET", "/api/test-suites/{suite_id}"): Example("/api/test-suites/rooms/rooms.grice.yaml"),
    ("PUT", "/api/test-suites/{suite_id}"): Example(
        "/api/test-suites/rooms/rooms.grice.yaml",
        {"name": "rooms", "criteria": {"friendly": "The reply is warm."}},
        if_match="*",
    ),
    ("PATCH", "/api/test-suites/{suite_id}"): Example(
        "/api/test-suites/rooms/rooms.grice.yaml", {"criteria": {}}, if_match="*"
    ),
    ("DELETE", "/api/test-suites/{suite_id}"): Example("/api/test-suites/rooms/old.grice.yaml", if_match="*"),
    ("POST", "/api/test-suites/{suite_id}/copy"): Example(
        "/api/test-suites/rooms/rooms.grice.yaml/copy", {"name": "rooms of the annex"}, 201
    ),
    ("GET", "/api/test-suites/{suite_id}/export"): Example(
        "/api/test-suites/rooms/rooms.grice.yaml/export?format=json"
    ),
    ("POST", "/api/test-suites/{suite_id}/import"): Example(
        "/api/test-suites/rooms/tea.grice.yaml/import",
        {"text": "scenarios:\n  - {id: black, say: Black tea, expected_output: Yes}\n"},
        if_match="*",
    ),
    ("GET", "/api/test-suites/{suite_id}/test-cases"): Example(
        "/api/test-suites/rooms/rooms.grice.yaml/test-cases"
    ),
    ("POST", "/api/test-suites/{suite_id}/test-cases"): Example(
        "/api/test-suites/rooms/rooms.grice.yaml/test-cases",
        {
            "name": "projector",
            "say": "Is there a projector?",
            "assertions": [{"matcher": "toMatch", "expected": "projector"}],
            "position": 0,
        },
        201,
    ),
    ("GET", "/api/test-cases/{case_id}"): Example("/api/test-cases/rooms/example:71b72d1e6b37"),
    ("PUT", "/api/test-cases/{case_id}"): Example(
        "/api/test-cases/rooms/example:71b72d1e6b37",
        {"say": "The blue room", "assertions": [{"matcher": "toContain", "expected": "blue"}]},
        if_match="*",
    ),
    ("PATCH", "/api/test-cases/{case_id}"): Example(
        "/api/test-cases/rooms/example:71b72d1e6b37", {"runMode": "SKIP"}, if_match="*"
    ),
    ("DELETE", "/api/test-cases/{case_id}"): Example(
        "/api/test-cases/rooms/example:a69a7f6f8903", if_match="*"
    ),
    ("POST", "/api/test-cases/{case_id}/copy"): Example(
        "/api/test-cases/rooms/example:71b72d1e6b37/copy", status=201
    ),
    ("POST", "/api/test-cases/{case_id}/move"): Example(
        "/api/test-cases/rooms/example:71b72d1e6b37/move", {"position": 0}
    ),
    ("POST", "/api/test-cases/{case_id}/difference"): Example(
        "/api/test-cases/rooms/example:71b72d1e6b37/difference",
        {"say": "The blue room", "assertions": [{"matcher": "toContain", "expected": "blue"}]},
    ),
    ("GET", "/api/test-cases/{case_id}/last-output"): Example(
        "/api/test-cases/rooms/example:71b72d1e6b37/last-output"
    ),
    ("POST", "/api/test-cases/{case_id}/merge"): Example(
        "/api/test-cases/rooms/example:71b72d1e6b37/merge",
        {"base": {"say": "The blue room"}, "mine": {"say": "The red room"}},
    ),
    ("POST", "/api/deletions/{undo}/undo"): Example("/api/deletions/9Yq3kH2bW0aXo1sLr8vTgA/undo", status=404),
    ("POST", "/api/test-suites/{suite_id}/run"): Example(
        "/api/test-suites/rooms/rooms.grice.yaml/run", {"name": "nightly", "tags": ["api"]}, 201
    ),
    ("POST", "/api/test-suite-runs/{run_id}/again"): Example("/api/test-suite-runs/exp_3/again", status=201),
    ("POST", "/api/test-suite-runs/{run_id}/cancel"): Example(
        "/api/test-suite-runs/exp_1/cancel", status=409
    ),
    ("POST", "/api/test-suite-runs/{run_id}/resume"): Example("/api/test-suite-runs/exp_3/resume"),
    ("GET", "/api/run-queue"): Example("/api/run-queue"),
    ("GET", "/api/test-suite-runs/{run_id}/state"): Example("/api/test-suite-runs/exp_2/state"),
    ("GET", "/api/test-suite-runs/{run_id}/events"): Example("/api/test-suite-runs/exp_2/events"),
    ("GET", "/api/registry"): Example("/api/registry"),
    ("POST", "/api/evaluate"): Example(
        "/api/evaluate",
        {
            "actual": {"rooms": [{"name": "Blue Room", "seats": 10}]},
            "assertions": [
                {"path": "$.rooms[*].seats", "matcher": "toBeGreaterThan", "expected": 8, "pathMatch": "ALL"}
            ],
        },
    ),
    ("POST", "/api/evaluate/preview"): Example(
        "/api/evaluate/preview",
        {
            "actual": {"rooms": [{"name": "Blue Room"}]},
            "assertions": [{"path": "$.rooms[0].nam", "matcher": "toEqual", "expected": "Blue Room"}],
        },
    ),
    ("POST", "/api/evaluate/many"): Example(
        "/api/evaluate/many", {"run": "exp_2", "assertions": [{"matcher": "toContain", "expected": "room"}]}
    ),
    ("POST", "/api/expected-output/assertion"): Example(
        "/api/expected-output/assertion", {"expectedOutput": '{"rooms": 2}', "outputType": "json"}
    ),
    ("POST", "/api/evaluate/suggest"): Example(
        "/api/evaluate/suggest",
        {"output": {"rooms": [{"name": "Blue Room", "seats": 10}]}, "pointer": ["rooms", 0, "seats"]},
    ),
    ("POST", "/api/scaffold"): Example(
        "/api/scaffold", {"output": {"status": "READY", "created_at": "2026-01-16T14:30:00Z"}}
    ),
    ("GET", "/api/compare"): Example("/api/compare?a=exp_1&b=exp_2"),
    ("GET", "/api/labels"): Example("/api/labels?conversationId=exp_2/main/000000002"),
    ("POST", "/api/labelling"): Example(
        "/api/labelling",
        {"items": "replies.jsonl", "question": "Does it lead on?", "item": "size", "label": True},
        201,
    ),
    ("POST", "/api/labelling/undo"): Example(
        "/api/labelling/undo", {"items": "replies.jsonl", "question": "Does it lead on?"}
    ),
    ("GET", "/api/models"): Example("/api/models"),
    ("POST", "/api/models/refresh"): Example("/api/models/refresh"),
    ("GET", "/api/matcher-usage"): Example("/api/matcher-usage?runs=10"),
    ("GET", "/api/changes"): Example("/api/changes?limit=10"),
}
"""By method and path of the route."""
