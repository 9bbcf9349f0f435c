"""Assertions as data against the same questions in plain Python: microseconds per assertion.

One assertion on a reply of 10 kB, and 1,000 assertions over 1,000 replies, as dicts that are loaded each time
and loaded once. Prints microseconds of CPU time and ratios, medians of paired runs. There is no bar.
"""

from __future__ import annotations

import json
import re
import statistics
import time
from collections.abc import Callable
from typing import Any

import grice

ROUNDS = 7


def reply(number: int, items: int = 4) -> dict[str, Any]:
    """The structured output of an agent; 60 items make 10 kB of JSON."""
    return {
        "user": {"name": "Ada", "id": number},
        "items": [
            {
                "id": n,
                "status": "READY" if n % 3 else "PENDING",
                "note": f"item {n} of order {number}: " + "x" * 90,
            }
            for n in range(items)
        ],
        "answer": f"Order {number} has {items} items and leaves on Friday.",
    }


QUESTIONS: list[tuple[dict[str, Any], Callable[[Any], bool]]] = [
    (
        {"path": "$.user.name", "matcher": "toMatch", "expected": "^[A-Z][a-z]+$"},
        lambda value: re.search("^[A-Z][a-z]+$", value["user"]["name"]) is not None,
    ),
    (
        {
            "path": "$.items[*].status",
            "pathMatch": "ALL",
            "matcher": "toBeOneOf",
            "expected": ["READY", "PENDING"],
        },
        lambda value: all(item["status"] in ("READY", "PENDING") for item in value["items"]),
    ),
    (
        {"path": "$.answer", "matcher": "toContain", "expected": "Friday"},
        lambda value: "Friday" in value["answer"],
    ),
    ({"path": "$.items", "matcher": "toHaveLength", "expected": 4}, lambda value: len(value["items"]) == 4),
    ({"path": "$.user.email", "matcher": "toBeUndefined"}, lambda value: "email" not in value["user"]),
]


def seconds(work: Callable[[], object]) -> float:
    """The least CPU time of three runs."""
    times = []
    for _ in range(3):
        began = time.process_time()
        work()
        times.append(time.process_time() - began)
    return min(times)


def compared(name: str, ours: Callable[[], object], plain: Callable[[], object], count: int) -> None:
    """Print what one assertion costs each way, and the median ratio of paired runs."""
    pairs = [(seconds(ours), seconds(plain)) for _ in range(ROUNDS)]
    ratio = statistics.median(one / other for one, other in pairs)
    micro, bare = (statistics.median(side) / count * 1e6 for side in zip(*pairs, strict=True))
    print(f"{name}: {micro:.1f} us an assertion, plain Python {bare:.2f} us, {ratio:.1f} times")


def compare_one(question: dict[str, Any], plain: Callable[[Any], bool], text: str) -> None:
    """Print what one assertion costs on a text that is read as JSON each time, and on its value."""
    one = grice.load_assertions([question])
    value = json.loads(text)
    name = f"  {question['matcher']} at {question['path']}"
    compared(
        f"{name}, as text",
        lambda: [grice.evaluate_assertions(text, one) for _ in range(200)],
        lambda: [plain(json.loads(text)) for _ in range(200)],
        200,
    )
    compared(
        f"{name}, as value",
        lambda: [grice.evaluate_assertions(value, one) for _ in range(200)],
        lambda: [plain(value) for _ in range(200)],
        200,
    )


def main() -> None:
    """Measure both cases of the issue."""
    large = json.dumps(reply(1, items=60))
    print(f"a reply of {len(large):,} bytes of JSON")
    for question, plain in QUESTIONS[:3]:
        compare_one(question, plain, large)
    replies = [reply(number) for number in range(1_000)]
    asked = [question for question, _ in QUESTIONS]
    loaded = grice.load_assertions(asked)
    count = len(replies) * len(asked)

    def in_python() -> list[list[bool]]:
        return [[plain(value) for _, plain in QUESTIONS] for value in replies]

    print("5 assertions on each of 1,000 replies")
    compared(
        "  loaded once", lambda: [grice.evaluate_assertions(one, loaded) for one in replies], in_python, count
    )
    compared(
        "  dicts each time",
        lambda: [grice.evaluate_assertions(one, asked) for one in replies],
        in_python,
        count,
    )
    thousand = [
        {"path": f"$[{n}].items[*].id", "matcher": "toEqual", "expected": n % 4} for n in range(1_000)
    ]
    print("1,000 assertions on 1,000 replies in one value")
    loaded_thousand = grice.load_assertions(thousand, limits=grice.Limits(max_assertion_json_bytes=10**7))
    compared(
        "  loaded once",
        lambda: grice.evaluate_assertions(replies, loaded_thousand),
        lambda: [any(item["id"] == n % 4 for item in replies[n]["items"]) for n in range(1_000)],
        1_000,
    )
    wrong = [one for one in grice.evaluate_assertions(replies, loaded_thousand).results if not one.passed]
    assert not wrong, wrong[0]


if __name__ == "__main__":
    main()
