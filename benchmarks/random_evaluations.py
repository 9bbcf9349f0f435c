"""What 10,000 random checks, scenarios and redactions come to, here and at another commit.

    python benchmarks/random_evaluations.py --against main    every line that differs; exit code 1 if one does
    python benchmarks/random_evaluations.py                   one line of JSON for each

A change that only makes Grice faster changes none of them.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import string
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

COUNT = 10_000
WORDS = (
    *("The", "order", "A-1042", "ships", "on", "Tuesday.", "refund", "now!", "café", "\U0001f600"),
    *("as an AI", "token", "api_key=abcDEF123456", "Bearer abcdefghijk", "sk-abcdefghijklmnop1234"),
    *("pass-word", "\n", "\t", "https://u:pw@host/x", "curl -u a:b", "\u00a0", "api\u212aey"),
    *('"quoted"', "back\\slash", "basic 12345678"),
)
NAMES = (
    "status",
    "items",
    "max_tokens",
    "apiKey",
    "api key",
    "pass_word",
    "name",
    "value",
    "x-token",
    "note",
)
MATCHERS: tuple[tuple[str, Any], ...] = (
    *(("toContain", one) for one in ("ships", "refund", "now!", 3)),
    *(("toEqual", one) for one in ("shipped", 3, None, [1, 2], {"status": "lost"})),
    *(("toMatch", one) for one in (r"\bA-\d{4}\b", {"source": "ORDER", "flags": "i"}, "^$")),
    *(("toHaveAtMostSentences", one) for one in (1, 3)),
    *(("toHaveLength", one) for one in (0, 3)),
    ("toStartWith", "The"),
    ("toBeGreaterThan", 2),
)
PATHS = ("$", "$.status", "$.items[*]", "$..name", "$.items[0].note", "$.missing", "$.max_tokens")


def text(drawn: random.Random) -> str:
    """Some words, of which a few are secrets or odd."""
    return " ".join(drawn.choice(WORDS) for _ in range(drawn.randrange(7)))


def value(drawn: random.Random, depth: int = 3) -> Any:
    """A JSON value."""
    kind = drawn.randrange(8 if depth else 5)
    if kind < 5:
        return (text(drawn), drawn.randrange(9), 1.5, None, "shipped")[kind]
    if kind == 5:
        return [value(drawn, depth - 1) for _ in range(drawn.randrange(4))]
    return {drawn.choice(NAMES): value(drawn, depth - 1) for _ in range(drawn.randrange(5))}


def check(drawn: random.Random) -> dict[str, Any]:
    """A check of a suite, which may not fit what it looks at."""
    matcher, expected = drawn.choice(MATCHERS)
    made: dict[str, Any] = {"matcher": matcher, "expected": expected, "path": drawn.choice(PATHS)}
    if drawn.random() < 0.3:
        made["not"] = True
    if drawn.random() < 0.3:
        made["pathMatch"] = "ALL"
    if drawn.random() < 0.2:
        made["on"] = drawn.choice(("conversation", "tool_calls", "reply"))
    return made


def evaluations() -> Iterator[str]:
    """What each comes to, in order."""
    import msgspec

    from grice.files.suite_files import SuiteErrors, load_suite
    from grice.identity.redacted_json import redacted_json
    from grice.running.suite import run_scenario

    drawn = random.Random(32)
    for _ in range(COUNT // 2):
        secret = "".join(drawn.choices(string.ascii_letters, k=8))
        encoded = msgspec.json.encode({"a": value(drawn), "b": [secret, text(drawn)], "c": value(drawn)})
        yield redacted_json(encoded).decode()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "random.grice.json")
        for number in range(COUNT // 30):
            replies = [json.dumps(value(drawn)) if drawn.random() < 0.6 else text(drawn) for _ in range(5)]
            turns = [
                {
                    "say": f"Message {place} {text(drawn)}",
                    "model": [reply or "-"],
                    "expect": [check(drawn) for _ in range(5)],
                }
                for place, reply in enumerate(replies)
            ]
            path.write_text(json.dumps([{"id": f"s{number}", "turns": turns}]), encoding="utf-8")
            try:
                for scenario in load_suite(path):
                    for verdict in run_scenario(scenario, Agent, clock=lambda: 0.0).verdicts:
                        yield msgspec.json.encode(verdict).decode()
            except SuiteErrors as error:
                yield str(error).replace(folder, "")


class Agent:
    """Asks its model once a turn."""

    def __init__(self, context: Any) -> None:
        self.transport = context.model.transport

    def chat(self, messages: list[dict[str, Any]]) -> str:
        """The model's text."""
        return str(self.transport({"model": "m", "messages": messages})["content"][0]["text"])


def at(source: Path) -> list[str]:
    """The lines that a checkout's source gives."""
    given = {**os.environ, "PYTHONPATH": str(source)}
    done = subprocess.run(
        [sys.executable, __file__], env=given, stdout=subprocess.PIPE, text=True, check=True
    )
    return done.stdout.splitlines()


def main() -> int:
    """Print the lines, or those that differ."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--against", metavar="COMMIT")
    given = parser.parse_args()
    if given.against is None:
        for line in evaluations():
            print(json.dumps(line))
        return 0
    root = Path(__file__).resolve().parent.parent
    with tempfile.TemporaryDirectory() as folder:
        packed = subprocess.run(
            ["git", "archive", given.against, "src"], cwd=root, capture_output=True, check=True
        )
        subprocess.run(["tar", "-x", "-C", folder], input=packed.stdout, check=True)
        before, now = at(Path(folder, "src")), at(root / "src")
    different = [pair for pair in zip(before, now, strict=True) if pair[0] != pair[1]]
    for was, found in different[:20]:
        print(f"was {was}\nis  {found}\n")
    print(f"{len(now)} evaluations, {len(different)} differ")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
