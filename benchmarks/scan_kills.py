"""Kill a scan twenty times, resume it each time, and compare its findings with those of one left alone.

python benchmarks/scan_kills.py [CONVERSATIONS] [KILLS]
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

CHECKS = '[{"matcher": "toMatch", "expected": "TODO", "not": true}, {"matcher": "repetition"}]'


def write_log(path: Path, conversations: int) -> None:
    """A log in which every fifth conversation has a finding."""
    with path.open("w") as stream:
        for number in range(conversations):
            reply = f"The room {number} is free.{' TODO' if number % 5 == 0 else ''}"
            messages = [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": reply}]
            stream.write(json.dumps({"id": f"c{number}", "messages": messages}) + "\n")


def main(conversations: int = 40_000, kills: int = 20) -> int:
    """The exit code: 0 where both scans found the same."""
    chance = random.Random(1)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_log(folder / "log.jsonl", conversations)
        (folder / "checks.json").write_text(CHECKS)
        scan = [sys.executable, "-m", "grice", "scan", "log.jsonl", "--checks", "checks.json"]
        started = time.monotonic()
        subprocess.run([*scan, "--json", "whole.json"], cwd=folder, check=True, capture_output=True)
        taken = time.monotonic() - started
        killed = 0
        for _ in range(kills):
            process = subprocess.Popen(
                [*scan, "--json", "found.json", "--resume"],
                cwd=folder,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            try:
                process.wait(taken * chance.uniform(0.2, 0.8))
            except subprocess.TimeoutExpired:
                process.kill()
                killed += 1
            process.wait()
        resume = [*scan, "--json", "found.json", "--resume"]
        subprocess.run(resume, cwd=folder, check=True, capture_output=True)
        whole, found = (json.loads((folder / f"{one}.json").read_text()) for one in ("whole", "found"))
        print(f"{killed} of {kills} killed; {len(found['findings']):,} findings, the same: {whole == found}")
        return int(whole != found)


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
