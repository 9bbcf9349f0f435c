"""The cassettes hold what the rules in `standins/` say, and nobody else's answers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from standins import judge, user
from venue_search.model import MODEL

HERE = Path(__file__).parent.parent


def recorded() -> list[dict[str, Any]]:
    """The recorded calls of LLMs in all cassettes. The first line of each is its header."""
    tapes = [file.read_text("utf-8").splitlines() for file in HERE.glob("*/cassettes/*/*.jsonl")]
    calls = [json.loads(line) for tape in tapes for line in tape[1:]]
    return [call for call in calls if call["kind"] in ("judge", "user")]


def test_every_answer_of_judge_and_user_is_that_of_the_rules() -> None:
    strange = []
    for call in recorded():
        request, prompt = call["request"], call["request"]["messages"][-1]["content"]
        name = request["schema_name"]
        expected = user.answer(prompt) if name == "user" else judge.answer(name, prompt)
        if json.loads(call["response"]["text"]) != expected or request["model"] != MODEL:
            strange.append(call)
    assert strange == []
    assert len(recorded()) > 100
