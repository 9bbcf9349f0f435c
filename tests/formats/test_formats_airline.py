"""Logged conversations of a real agent keep everything on their way through the formats."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

import grice
from grice.formats import FORMATS, Format, Loss
from outside_data import AIRLINE, needs_airline_runs

FIXTURE = Path(__file__).parents[1] / "data" / "airline_agent_runs.jsonl"

logs = pytest.mark.parametrize(
    "path",
    [
        pytest.param(FIXTURE, id="two runs"),
        pytest.param(AIRLINE, id="all runs", marks=(pytest.mark.slow, needs_airline_runs)),
    ],
)


def standard(path: Path) -> Iterator[list[dict[str, Any]]]:
    """The conversations in OpenAI's own shape: the log has flat calls, and tool names beside results."""
    for conversation in grice.read_conversations(path):
        chat: list[dict[str, Any]] = [{"role": "system", "content": conversation.system}]
        for message in conversation.messages:
            bare = msgspec.structs.replace(message, name=None, metadata={})
            chat += grice.to_openai_chat([bare])
        yield chat


@logs
def test_a_log_is_written_back_as_it_was(path: Path) -> None:
    for line, conversation in zip(
        path.read_text("utf-8").splitlines(), grice.read_conversations(path), strict=True
    ):
        assert grice.to_openai_chat(conversation) == msgspec.json.decode(line)["messages"]


@logs
@pytest.mark.parametrize("form", FORMATS)
def test_chat_comes_back_from_every_other_format(path: Path, form: Format) -> None:
    count = 0
    for chat in standard(path):
        conversation = grice.read_conversation(chat)
        assert grice.to_openai_chat(conversation) == chat
        losses: list[Loss] = []
        written = getattr(grice, f"to_{form}")(conversation, losses=losses)
        apart = {"system": conversation.system} if form in ("adk", "anthropic") else {}
        again = grice.read_conversation({"messages": written, **apart}, format=form)
        plain = [msgspec.structs.replace(m, name=None, metadata={}) for m in again.messages]
        back = [{"role": "system", "content": again.system}, *grice.to_openai_chat(plain)]
        assert (losses, back) == ([], chat)
        count += 1
    assert count
