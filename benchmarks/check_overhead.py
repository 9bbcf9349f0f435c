"""What one check costs beside the bare operation that it asks for, in microseconds of CPU.

    python benchmarks/check_overhead.py

A loaded reply is checked over and over, with a recorder as a test has one: by `expect`, and by an assertion
that was loaded before. The bare operation is what a hand-written test would do. Bars: 8 us for a matcher of
plain text, 15 us for a path on data.
"""

from __future__ import annotations

import json
import re
import statistics
import time
from collections.abc import Callable
from typing import Any

import grice
from grice import evaluate_assertions, expect, load_assertions
from grice.matching.recording import CURRENT
from grice.records import Conversation, Message, Reply, Turn, Verdict

CHECKS = 2_000
ROUNDS = 7
TEXT = "The Blue Room is free tomorrow at 2pm. It holds 12 people, and I booked it for you under A101."
DATA: dict[str, Any] = {
    "items": [{"name": "Blue Room", "seats": 12, "status": "READY"}, {"name": "Red", "status": "PENDING"}]
}


class Kept:
    """A recorder that keeps what it is given."""

    name = "test_it"

    def __init__(self) -> None:
        self.verdicts: list[Verdict] = []

    def add(self, verdict: Verdict) -> None:
        self.verdicts.append(verdict)


def a_reply() -> Reply:
    turns = tuple(
        Turn(number, (Message("user", "Is a room free?"), Message("assistant", TEXT)), data=DATA)
        for number in range(1, 4)
    )
    return Reply(Conversation("c", turns), 3)


def micros(work: Callable[[], object], times: int = CHECKS) -> float:
    """Microseconds of CPU that one call takes: the median of a few rounds."""
    for _ in range(times // 10):
        work()
    rounds = []
    for _ in range(ROUNDS):
        began = time.process_time()
        for _ in range(times):
            work()
        rounds.append((time.process_time() - began) / times * 1e6)
    return statistics.median(rounds)


def main() -> None:
    reply, data = a_reply(), DATA
    pattern, as_json = re.compile(r"2(:00)?\s*pm"), json.dumps(DATA)
    one, path, every = (
        load_assertions([given])
        for given in (
            {"matcher": "toContain", "expected": "Blue Room"},
            {"matcher": "toEqual", "path": "$.items[0].seats", "expected": 12},
            {
                "matcher": "toBeOneOf",
                "path": "$.items[*].status",
                "pathMatch": "ALL",
                "expected": ["READY", "PENDING"],
            },
        )
    )
    rows: list[tuple[str, float, Callable[[], object], Callable[[], object]]] = [
        ("expect contain", 8, lambda: expect(reply).to_contain("Blue Room"), lambda: "Blue Room" in TEXT),
        ("expect match", 8, lambda: expect(reply).to_match(r"2(:00)?\s*pm"), lambda: pattern.search(TEXT)),
        ("expect call none", 8, lambda: expect(reply).not_to_call_tool("book"), lambda: not reply.tool_calls),
        ("assertion contain", 8, lambda: evaluate_assertions(TEXT, one), lambda: "Blue Room" in TEXT),
        (
            "expect path",
            15,
            lambda: expect(data, path="$.items[0].seats").to_equal(12),
            lambda: data["items"][0]["seats"] == 12,
        ),
        (
            "assertion path",
            15,
            lambda: evaluate_assertions(data, path),
            lambda: data["items"][0]["seats"] == 12,
        ),
        (
            "assertion path of JSON text",
            15,
            lambda: evaluate_assertions(as_json, path),
            lambda: json.loads(as_json)["items"][0]["seats"] == 12,
        ),
        (
            "assertion ALL of 2",
            15,
            lambda: evaluate_assertions(data, every),
            lambda: all(each["status"] in {"READY", "PENDING"} for each in data["items"]),
        ),
    ]
    token = CURRENT.set(Kept())
    print(f"grice {grice.__version__}: microseconds of CPU a check")
    print(f"{'':30}{'check':>8}{'bare':>8}{'bar':>6}")
    for name, bar, check, bare in rows:
        print(f"{name:30}{micros(check):8.1f}{micros(bare):8.2f}{bar:6.0f}")
    CURRENT.reset(token)
    print()
    large = {"items": [{"n": n, "status": "READY", "text": "x" * 140} for n in range(5_600)]}
    loaded = load_assertions(
        [{"matcher": "toEqual", "path": "$..status", "pathMatch": "ALL", "expected": "READY"}]
    )
    for name, subject in (("a dict of 1 MB", large), ("JSON text of 1 MB", json.dumps(large))):
        outcome = evaluate_assertions(subject, loaded).outcome
        taken = micros(lambda: evaluate_assertions(subject, loaded), 5) / 1_000  # noqa: B023
        print(f"{name}, 5,600 values: {outcome}, {taken:.0f} ms with reading (budget 50 without)")


if __name__ == "__main__":
    main()
