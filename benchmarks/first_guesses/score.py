"""How many first guesses are right: `python score.py guesses.txt`, a line `number<TAB>path` for each."""

from __future__ import annotations

import json
import sys
from pathlib import Path

QUESTIONS = Path(__file__).parent / "questions.jsonl"


def main() -> None:
    """Print each wrong guess beside the files that would have been right, then the count."""
    questions = [json.loads(line) for line in QUESTIONS.read_text("utf-8").splitlines()]
    lines = Path(sys.argv[1]).read_text("utf-8").splitlines()
    guesses = dict(line.split("\t", 1) for line in lines if line.strip())
    right = 0
    for number, asked in enumerate(questions, 1):
        guess = guesses.get(str(number), "").strip().removeprefix("src/grice/")
        if guess in asked["files"]:
            right += 1
        else:
            print(
                f"{number}. {asked['question']}\n   {guess or 'no guess'}, not {' or '.join(asked['files'])}"
            )
    print(f"{right} of {len(questions)} first guesses are right")


if __name__ == "__main__":
    main()
