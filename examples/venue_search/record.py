"""Records the cassettes of this example: `python record.py`.

A real project sets VENUE_LLM_URL to its endpoint and runs `pytest --grice-record=all`. Here no model is asked:
the rules in `standins/` play the assistant's model, the user and the judge, behind Grice's own stub server. The
rest is the same: the assistant runs its tools on its database, pytest asks over HTTP, and writes down what comes
back.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from grice import ScriptedModel
from standins.models import answer

HERE = Path(__file__).parent
RUNS = {".": 0, "broken/bookings.py": 1}
"""What is run, and the exit code that it has to have."""


def main() -> int:
    models = ScriptedModel(otherwise=answer)
    variables = {"VENUE_LLM_URL": f"{models.url}/v1", "VENUE_LLM_KEY": models.key}
    environment = {name: value for name, value in os.environ.items() if name != "VENUE_LLM_MODEL"} | variables
    wrong = []
    for what, expected in RUNS.items():
        command = [sys.executable, "-m", "pytest", "-q", "--grice-record=all", what]
        code = subprocess.run(command, cwd=HERE, env=environment, check=False).returncode
        if code != expected:
            wrong.append(f"pytest {what} ended with {code}, expected {expected}")
    wrong += [str(problem) for problem in models.problems]
    print("\n".join(["", "the cassettes are not right:", *wrong] if wrong else ["", "recorded"]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
