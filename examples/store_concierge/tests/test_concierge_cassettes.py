"""The cassettes hold what the rules in `standin_judge.py` say, and nobody else's answers."""

from __future__ import annotations

import json
from pathlib import Path

from standin_judge import score

HERE = Path(__file__).parent.parent


def test_every_answer_of_the_judge_is_that_of_the_rules() -> None:
    tapes = [file.read_text("utf-8").splitlines() for file in HERE.glob("*/cassettes/*/*.jsonl")]
    calls = [json.loads(line) for tape in tapes for line in tape[1:]]
    strange = [
        call
        for call in calls
        if json.loads(call["response"]["text"])
        != score(call["request"]["schema_name"], call["request"]["messages"][-1]["content"])
    ]
    assert strange == []
    assert calls
