"""Records the cassettes of this example: `python record_concierge.py`.

A real project sets STORE_JUDGE_URL to its judge and runs `pytest --grice-record=all`. Here no model is asked:
the rules in `standin_judge.py` play the judge, behind Grice's own stub server. The rest is the same: pytest
asks over HTTP, and writes down what comes back.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from grice import ScriptedModel
from standin_judge import answer

HERE = Path(__file__).parent
RUNS = {"tests/test_t6_recommendation.py": 0, "broken/over_budget.py": 1}
"""What is run, and the exit code that it has to have."""


def main() -> int:
    judge = ScriptedModel(otherwise=answer)
    variables = {"STORE_JUDGE_URL": f"{judge.url}/v1", "STORE_JUDGE_KEY": judge.key}
    environment = {
        name: value for name, value in os.environ.items() if name != "STORE_JUDGE_MODEL"
    } | variables
    wrong = []
    for what, expected in RUNS.items():
        command = [sys.executable, "-m", "pytest", "-q", "--grice-record=all", what]
        code = subprocess.run(command, cwd=HERE, env=environment, check=False).returncode
        if code != expected:
            wrong.append(f"pytest {what} ended with {code}, expected {expected}")
    wrong += [str(problem) for problem in judge.problems]
    print("\n".join(["", "the cassettes are not right:", *wrong] if wrong else ["", "recorded"]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
