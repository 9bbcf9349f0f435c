"""The whole suite of the WordPress example in one pytest session: seconds, against the bar of 5."""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parent.parent


BAR = 5.0


def main(rounds: int = 3) -> int:
    """Print the median wall time of the session, start-up included; the exit code says whether it holds."""
    command = [sys.executable, "-m", "pytest", "-q", "examples/wordpress_assistant"]
    times = []
    for _ in range(rounds):
        started = time.perf_counter()
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        times.append(time.perf_counter() - started)
        if done.returncode != 0:
            print(f"{done.stdout[-3000:]}\nexample suite: MISSED, its tests do not pass")
            return 1
    last = done.stdout.strip().splitlines()[-1]
    median = statistics.median(times)
    word = "ok" if median <= BAR else "MISSED"
    print(f"example suite: {median:.2f} s (bar {BAR:g}): {word}: {last}")
    return 0 if median <= BAR else 1


if __name__ == "__main__":
    sys.exit(main())
