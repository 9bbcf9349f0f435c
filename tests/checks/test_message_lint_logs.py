"""Logged conversations in every shape."""

from __future__ import annotations

import json
from typing import Any

import pytest
from message_arrays import said

from grice import (
    lint_messages,
    read_conversation,
    to_anthropic,
    to_openai_chat,
    to_openai_responses,
)
from outside_data import AIRLINE, needs_airline_runs

REUSED = [
    said("You are the agent of an airline, and you may call one tool at a time.", "system"),
    said("Change my flight"),
    {
        "role": "assistant",
        "content": "",
        "tool_calls": [{"id": "c1", "name": "user", "arguments": {"id": "mia"}}],
    },
    {"role": "tool", "tool_call_id": "c1", "name": "user", "content": ""},
    said("Which one?", "assistant"),
    said("The one to Rome"),
    {
        "role": "assistant",
        "content": "",
        "tool_calls": [{"id": "c1", "name": "search", "arguments": {"to": "FCO"}}],
    },
    {"role": "tool", "tool_call_id": "c1", "name": "search", "content": "[]"},
]


def shapes_of(log: Any) -> list[tuple[Any, str | None, str]]:
    conversation = read_conversation(log)
    return [
        (log, None, "warning"),
        (to_openai_chat(conversation), None, "warning"),
        (to_openai_chat(conversation), "openai_chat", "warning"),
        (to_anthropic(conversation), None, "error"),
        (to_anthropic(conversation), "anthropic", "error"),
        (to_openai_responses(conversation), None, "error"),
    ]


def test_a_log_with_an_id_used_twice_has_that_finding_alone() -> None:
    for subject, dialect, severity in shapes_of({"id": "x", "messages": REUSED}):
        (finding,) = lint_messages(subject, dialect=dialect)  # type: ignore[arg-type]
        assert (finding.rule, finding.severity) == ("tool-call-id-reused", severity)
        assert "'c1'" in finding.found


@pytest.mark.slow
@needs_airline_runs
def test_real_runs_have_only_ids_that_their_model_used_twice() -> None:
    """tau-bench's airline runs (sierra-research/tau-bench, MIT): in 42 of 156 an id comes back."""
    found = 0
    for line in AIRLINE.read_text("utf-8").splitlines():
        log = json.loads(line)
        ids = [call["id"] for one in log["messages"] for call in one.get("tool_calls") or ()]
        twice = len(ids) - len(set(ids))
        found += twice > 0
        for subject, dialect, severity in shapes_of(log):
            findings = lint_messages(subject, dialect=dialect)  # type: ignore[arg-type]
            assert [(one.rule, one.severity) for one in findings] == [
                ("tool-call-id-reused", severity)
            ] * twice
    assert found == 42
