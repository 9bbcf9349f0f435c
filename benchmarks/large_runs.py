"""What reading a run takes: CPU seconds and peak memory of `grice report`, `gate` and `compare`, by its size.

Each run has ten verdicts a result, and once a thousand scenarios, once as many as it has results: sums hold
something of every scenario, and nothing of every result. Every command is a process of its own. No bar.

    python benchmarks/large_runs.py [RESULTS ...]
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from store_sync import write_journal  # type: ignore[import-not-found]  # beside this file

COMMANDS = {
    "report": ("report", "exp_after"),
    "report --json": ("report", "exp_after", "--json", "-"),
    "gate": ("gate", "exp_after"),
    "compare": ("compare", "exp_before", "exp_after"),
}
GATES = "[gates]\ncompletion = 0.5\nevaluation = 0.5\nlatency_p95 = 5.0\n[gates.criteria]\nfriendly = 0.5\n"


def main() -> None:
    for results in [int(one) for one in sys.argv[1:]] or [1_000, 10_000, 50_000]:
        for scenarios in sorted({min(1_000, results), results}):
            with tempfile.TemporaryDirectory() as work:
                Path(work, "grice.toml").write_text(GATES)
                for name in ("exp_before", "exp_after"):
                    write_journal(Path(work, ".grice", "runs", name), results, scenarios)
                took = [f"{name} {_measured(work, *command)}" for name, command in COMMANDS.items()]
            print(f"{results:>7,} results, {scenarios:>6,} scenarios: {'; '.join(took)}")


def _measured(folder: str, *command: str) -> str:
    process = subprocess.Popen(
        [sys.executable, "-m", "grice", *command], cwd=folder, stdout=subprocess.DEVNULL
    )
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in (0, 1):
        sys.exit(f"grice {' '.join(command)} ended with {process.returncode}")
    return f"{used.ru_utime + used.ru_stime:.1f} s, {used.ru_maxrss / 1_024:.0f} MB"


if __name__ == "__main__":
    main()
