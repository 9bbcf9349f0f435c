"""The whole suite of the WordPress example in one pytest session: seconds, against the bar of 5."""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parent.parent


def main(rounds: int = 3) -> None:
    """Print the median wall time of the session, start-up included."""
    command = [sys.executable, "-m", "pytest", "-q", "examples/wordpress_assistant"]
    times = []
    for _ in range(rounds):
        started = time.perf_counter()
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        times.append(time.perf_counter() - started)
        if done.returncode != 0:
            raise SystemExit(done.stdout[-3000:])
    last = done.stdout.strip().splitlines()[-1]
    print(f"example suite: {statistics.median(times):.2f} s (bar 5): {last}")


if __name__ == "__main__":
    main()
