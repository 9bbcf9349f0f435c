"""Records the cassettes of this example: `python record.py`.

A real project sets two variables to its judge and runs `pytest --grice-record=all`. Here there is no judge:
`judge_answers.yaml` holds answers that a person has written, and Grice's own stub server plays the model that
gives them. The rest is the same: pytest asks over HTTP, and writes down what comes back.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import yaml

from grice import Exchange, ScriptedModel, structured

HERE = Path(__file__).parent
JUDGED = re.compile(r'<(data-\w+) from="agent" judged="yes">\n(.*?)\n</\1>', re.DOTALL)
RUNS = {".": 0, "broken/quotes.py": 1}
"""What is run, and the exit code that it has to have."""


class Answers:
    """The written answers, and how often each was asked for."""

    def __init__(self, written: list[dict[str, Any]]) -> None:
        self.written = written
        self.given = [0] * len(written)

    def __call__(self, exchange: Exchange) -> object:
        """The one answer that fits the request: its prompt, words of its question, words that are judged."""
        asked = exchange.request["response_format"]["json_schema"]["name"]
        material, _, question = exchange.request["messages"][-1]["content"].partition(
            "The material ends here."
        )
        said = "\n".join(text for _, text in JUDGED.findall(material))
        fitting = [
            place
            for place, one in enumerate(self.written)
            if one["asked"] == asked and one.get("about", "") in question and one["said"] in said
        ]
        if len(fitting) != 1:
            raise LookupError(f"{len(fitting)} written answers fit, expected one: {asked} of {said!r}")
        self.given[fitting[0]] += 1
        return structured(self.written[fitting[0]]["answer"])

    def unused(self) -> list[str]:
        """The answers that nobody has asked for."""
        pairs = zip(self.written, self.given, strict=True)
        return [f"{one['asked']} of {one['said']!r}" for one, times in pairs if not times]


def main() -> int:
    answers = Answers(yaml.safe_load((HERE / "judge_answers.yaml").read_text("utf-8")))
    judge = ScriptedModel(otherwise=answers)
    variables = {"ROOM_BOOKING_JUDGE_URL": f"{judge.url}/v1", "ROOM_BOOKING_JUDGE_KEY": judge.key}
    wrong = []
    for what, expected in RUNS.items():
        command = [sys.executable, "-m", "pytest", "-q", "--grice-record=all", what]
        code = subprocess.run(command, cwd=HERE, env=os.environ | variables, check=False).returncode
        if code != expected:
            wrong.append(f"pytest {what} ended with {code}, expected {expected}")
    wrong += [str(problem) for problem in judge.problems]
    wrong += [f"never asked for: {one}" for one in answers.unused()]
    print("\n".join(["", "the cassettes are not right:", *wrong] if wrong else ["", "recorded"]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
