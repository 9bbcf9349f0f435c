"""`grice scan --checks` with six plain checks beside a loop that a person would write.

    python benchmarks/scan_checks.py [CONVERSATIONS]

A made-up log of so many conversations of five turns. Both are whole commands; CPU time, medians of paired
rounds. The bar is 6 times the loop.
"""

from __future__ import annotations

import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

ROUNDS = 3
CHECKS = [
    {"matcher": "toContain", "expected": "unable to help", "not": True},
    {"matcher": "toMatch", "expected": {"source": "\\bas an ai\\b", "flags": "i"}, "not": True},
    {"matcher": "toMatch", "expected": "TODO|FIXME", "not": True},
    {"matcher": "toStartWith", "expected": "Error", "not": True},
    {"matcher": "toEndWith", "expected": "...", "not": True},
    {"matcher": "toContain", "expected": "refund", "not": True},
]
LOOP = """
import json, re, sys
as_ai, todo = re.compile(r"\\\\bas an ai\\\\b", re.I), re.compile("TODO|FIXME")
found = 0
for line in open(sys.argv[1], encoding="utf-8"):
    for message in json.loads(line)["messages"]:
        if message["role"] != "assistant":
            continue
        text = message["content"]
        found += "unable to help" in text
        found += as_ai.search(text) is not None
        found += todo.search(text) is not None
        found += text.startswith("Error")
        found += text.endswith("...")
        found += "refund" in text
print(found)
"""
REPLIES = (
    "The Blue Room is free tomorrow at 2 pm, and it seats twelve people. Shall I book it for you?",
    "I looked at your order A101. It left our warehouse on Monday and should be with you by Thursday.",
    "Of course! A refund takes five to seven days. You will get a message when it is on its way.",
    "That is a good question. Boards of this length are easy to turn, and they forgive a beginner much.",
)
REFUND = 2
"""The reply of which a check fails: one conversation in nine has it."""


def write_log(path: Path, count: int) -> None:
    with path.open("w", encoding="utf-8") as log:
        for number in range(count):
            messages = []
            for turn in range(5):
                reply = (
                    REPLIES[(number + turn) % 4] if (number + turn) % 4 != 2 or not number % 9 else REPLIES[0]
                )
                messages += [{"role": "user", "content": f"Question {turn} of {number}?"}]
                messages += [{"role": "assistant", "content": reply}]
            log.write(json.dumps({"id": f"c{number}", "messages": messages}) + "\n")


def seconds(command: list[str]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, stdout=subprocess.DEVNULL, check=False, env={**os.environ, "NO_COLOR": "1"})
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 5_000
    with tempfile.TemporaryDirectory() as folder:
        log, checks, loop = (Path(folder) / name for name in ("log.jsonl", "checks.json", "loop.py"))
        write_log(log, count)
        checks.write_text(json.dumps(CHECKS), encoding="utf-8")
        loop.write_text(LOOP, encoding="utf-8")
        pairs = []
        for _ in range(ROUNDS):
            scan = seconds([sys.executable, "-m", "grice", "scan", "--checks", str(checks), str(log)])
            pairs.append((scan, seconds([sys.executable, str(loop), str(log)])))
        scanned, plain = (statistics.median(one) for one in zip(*pairs, strict=True))
        ratio = statistics.median(scan / bare for scan, bare in pairs)
        size = f"{count:,} conversations, {5 * count:,} replies, six checks"
        print(f"{size}: scan {scanned:.2f} s, loop {plain:.2f} s")
        print(f"{ratio:.1f} times the loop (bar 6)")


if __name__ == "__main__":
    main()
