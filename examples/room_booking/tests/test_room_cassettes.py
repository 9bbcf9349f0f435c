"""What the cassettes hold is what a person has written, see record.py."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import yaml

HERE = Path(__file__).parent.parent


def recorded() -> list[Any]:
    """The answers in all cassettes. The first line of each is its header."""
    tapes = [file.read_text("utf-8").splitlines() for file in HERE.glob("*/cassettes/*/*.jsonl")]
    return [json.loads(json.loads(line)["response"]["text"]) for tape in tapes for line in tape[1:]]


def test_every_answer_of_the_judge_was_written_by_hand_and_is_used() -> None:
    written = [one["answer"] for one in yaml.safe_load((HERE / "judge_answers.yaml").read_text("utf-8"))]
    assert [one for one in recorded() if one not in written] == []
    assert [one for one in written if one not in recorded()] == []
