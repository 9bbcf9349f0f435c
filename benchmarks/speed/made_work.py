"""Make the work on which speed is compared: recorded conversations, a Grice suite of them, a log.

Every run makes the same. 9 of 1,000 conversations fail by design, 6,777 of the 100,000 of the log.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

FILLERS = (
    "We looked at the delivery notes and the warehouse scan",
    "The parcel left the depot this morning",
    "Your address on file has not been changed",
    "The plugin settings stay as they were",
    "Our records show one open request for this account",
    "The courier gives a window of two hours",
)
BAD = (
    "Updating it now!",
    "Would you like me to update it?",
    "It seems an update was triggered unexpectedly.",
    "Please confirm with the buttons below.",
    "Hello, I'm your AI helper.",
)
LOGGED = 100_000
LAST_CHECKS: list[dict[str, Any]] = [
    {"matcher": "toContain", "expected": "ships on Tuesday"},
    {"matcher": "toMatch", "expected": r"\bA-\d{4}\b"},
    {"matcher": "toHaveAtMostSentences", "expected": 3},
    {
        "on": "conversation",
        "path": "$.turns[*].messages[*].content",
        "matcher": "toContain",
        "expected": "as an AI",
        "not": True,
    },
]


def conversations(count: int, seed: int, bad: float, bad_json: float) -> Iterator[dict[str, Any]]:
    """Conversations of four turns; a share of them holds a bad sentence, another a wrong status."""
    drawn = random.Random(seed)
    for number in range(count):
        broken = drawn.randrange(len(BAD)) if drawn.random() < bad else None
        yield _conversation(number, drawn, broken, drawn.random() < bad_json)


def _conversation(number: int, drawn: random.Random, broken: int | None, lost: bool) -> dict[str, Any]:
    order = f"A-{1000 + number % 9000}"

    def paragraph(sentences: int) -> str:
        return ". ".join(drawn.choice(FILLERS) for _ in range(sentences)) + "."

    details = {
        "order": {
            "id": order,
            "status": "lost" if lost else "shipped",
            "items": [{"sku": f"S{k}", "qty": k + 1, "price": 9.5 + k} for k in range(3)],
        },
        "meta": {"tools_used": ["lookup_order"], "card": True},
    }
    call = {"name": "lookup_order", "arguments": {"order_id": order, "verbose": True}}
    first = paragraph(3) + (f" {BAD[broken]}" if broken is not None else "")
    turns: tuple[tuple[str, str, list[Any]], ...] = (
        (f"Hi, conv-{number:06d}, where is my order?", first, []),
        (f"It is {order}, can you look it up?", paragraph(2), [call]),
        ("Give me the details as JSON please.", json.dumps(details), []),
        ("Thanks, when does it arrive?", f"Order {order} ships on Tuesday. It arrives on Thursday.", []),
    )
    return {
        "id": f"conv-{number:06d}",
        "order_id": order,
        "turns": [{"user": one[0], "assistant": one[1], "tool_calls": one[2]} for one in turns],
    }


def make(folder: Path) -> None:
    """Write all files of the work into the folder."""
    recorded = list(conversations(1_000, 1, 0.0, 0.01))
    _write_lines(folder / "conversations.jsonl", recorded)
    _write_suite(folder / "suite_1000.grice.json", recorded, range(1_000))
    for name, files in (("few", 1), ("many", 100)):
        (folder / name).mkdir()
        for number in range(files):
            scenarios = range(100 * number, 100 * (number + 1))
            _write_suite(folder / name / f"part_{number:02d}.grice.json", recorded, scenarios)
    _write_lines(folder / "log.jsonl", conversations(LOGGED, 2, 0.05, 0.02))
    _write_lines(folder / "chat_log.jsonl", map(_chat, conversations(LOGGED, 2, 0.05, 0.02)))


def _write_suite(path: Path, recorded: list[dict[str, Any]], numbers: range) -> None:
    """Write the scenarios with these numbers; from the 1,000th on they are the first ones with another id."""
    scenarios = [_scenario(recorded[number % 1_000], number // 1_000) for number in numbers]
    path.write_text(json.dumps({"scenarios": scenarios}), encoding="utf-8")


def _write_lines(path: Path, records: Any) -> None:
    with path.open("w", encoding="utf-8") as lines:
        lines.writelines(json.dumps(one) + "\n" for one in records)


def _scenario(recorded: dict[str, Any], copy: int) -> dict[str, Any]:
    turns: list[dict[str, Any]] = []
    for turn in recorded["turns"]:
        calls = [{"tool": one["name"], "arguments": one["arguments"]} for one in turn["tool_calls"]]
        reply = [turn["assistant"], *calls] if calls else turn["assistant"]
        turns.append({"say": turn["user"], "model": [reply]})
    called = {"name": "lookup_order", "arguments": {"order_id": recorded["order_id"]}}
    turns[1]["expect"] = [{"on": "tool_calls", "matcher": "toCallTool", "expected": called}]
    turns[2]["expect"] = [{"path": "$.order.status", "matcher": "toEqual", "expected": "shipped"}]
    turns[3]["expect"] = LAST_CHECKS
    return {"id": recorded["id"] + (f"-{copy}" if copy else ""), "turns": turns}


def _chat(logged: dict[str, Any]) -> dict[str, Any]:
    """The conversation as OpenAI writes messages."""
    messages: list[dict[str, Any]] = []
    for turn in logged["turns"]:
        reply: dict[str, Any] = {"role": "assistant", "content": turn["assistant"]}
        for number, call in enumerate(turn["tool_calls"]):
            function = {"name": call["name"], "arguments": json.dumps(call["arguments"])}
            reply.setdefault("tool_calls", []).append(
                {"id": f"call_{number}", "type": "function", "function": function}
            )
        messages += [{"role": "user", "content": turn["user"]}, reply]
    return {"id": logged["id"], "messages": messages}
