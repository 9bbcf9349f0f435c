"""Records the cassettes of this example: `python record_venues.py`.

A real project sets VENUE_LLM_URL to its endpoint and runs `pytest --grice-record=all`. Here no model is
asked: the rules in `standins/` play the assistant's model, the user and the judge, behind Grice's own stub
server. The rest is the same: the assistant runs its tools on its database, pytest asks over HTTP, and writes
down what comes back.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from grice import ScriptedModel
from standins.models import answer

ENDED = re.compile(r"(\d+) (\w+?)s?\b(?=,| in )")
HERE = Path(__file__).parent
RUNS = {"tests/test_venues.py": {"passed": 14}, "broken/bookings.py": {"failed": 5, "passed": 7}}
"""What is run, and how many tests have to end how."""


def main() -> int:
    models = ScriptedModel(otherwise=answer)
    variables = {"VENUE_LLM_URL": f"{models.url}/v1", "VENUE_LLM_KEY": models.key}
    environment = {name: value for name, value in os.environ.items() if name != "VENUE_LLM_MODEL"} | variables
    wrong = []
    for what, expected in RUNS.items():
        command = [sys.executable, "-m", "pytest", "-q", "--grice-record=all", what]
        output = subprocess.run(
            command, cwd=HERE, env=environment, check=False, stdout=subprocess.PIPE
        ).stdout
        print(output.decode())
        ended = {word: int(count) for count, word in ENDED.findall(output.decode().splitlines()[-1])}
        if ended != expected:
            wrong.append(f"pytest {what} ended with {ended}, expected {expected}")
    wrong += [str(problem) for problem in models.problems]
    print("\n".join(["", "the cassettes are not right:", *wrong] if wrong else ["", "recorded"]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
