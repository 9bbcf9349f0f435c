"""The sixty questions on where things live name files that are there."""

import json
from pathlib import Path

ROOT = Path(__file__).parent.parent


def test_every_answer_is_a_file() -> None:
    lines = (ROOT / "benchmarks/first_guesses/questions.jsonl").read_text("utf-8").splitlines()
    answers = [name for line in lines for name in json.loads(line)["files"]]
    assert len(lines) == 60
    assert [name for name in answers if not (ROOT / "src/grice" / name).is_file()] == []
