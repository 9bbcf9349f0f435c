"""1,000 goldens of 4 turns and 6 checks, replayed by the library and as pytest items.

The library is held against a bare loop that makes the same records, the items against as many one-line
pytest tests. Prints ratios of CPU time, medians of paired runs; the bars are in the README of this folder.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import msgspec

from grice.files.golden_records import Assertions, Golden
from grice.files.goldens import load_goldens
from grice.records import Conversation, Exchange, Message, Outcome, Result, Turn, Verdict
from grice.running.golden import run_golden

COUNT = 1_000
TURNS = ("Which rooms are free?", "The Blue Room, please", "For ten people", "Book it")
REPLIES = (
    "The Blue Room and the Red Room are free tomorrow.",
    "The Blue Room seats twelve. For how many people?",
    "Ten people fit well. Shall we say 2 pm?",
    "The Blue Room is booked for ten people, tomorrow at 2 pm.",
)


class Shop:
    """The agent: one model request a turn, nothing else."""

    def __init__(self, context: Any) -> None:
        self.transport = context.model.transport

    def chat(self, messages: list[dict[str, Any]]) -> str:
        """The model's text."""
        reply = self.transport({"model": "m", "max_tokens": 500, "messages": messages})
        return str(reply["content"][0]["text"])


def golden(number: int) -> dict[str, Any]:
    """One golden as data."""
    turns: list[dict[str, Any]] = [
        {
            "userMessage": said,
            "mockLlmResponses": [{"step": "chat", "content": [{"type": "text", "text": reply}]}],
        }
        for said, reply in zip(TURNS, REPLIES, strict=True)
    ]
    turns[0]["assertions"] = {"finalText": {"contains": ["Blue Room"]}}
    turns[3]["assertions"] = {
        "finalText": {"contains": ["booked", "2 pm"], "notContains": ["sorry", "cannot"]},
        "validator": {"toolStatus": "success", "expectValid": True},
    }
    return {"id": f"booking-{number:04}", "description": "Books a room", "turns": turns}


def bare(goldens: list[Golden]) -> list[Result]:
    """The same conversations and verdicts with nothing around them: no agent, no script, no time-outs."""
    return [_bare_result(golden) for golden in goldens]


def _bare_result(golden: Golden) -> Result:
    sent: list[dict[str, Any]] = []
    turns: list[Turn] = []
    verdicts: list[Verdict] = []
    for number, turn in enumerate(golden.turns, 1):
        started = time.perf_counter()
        sent.append({"role": "user", "content": turn.user})
        request = _copy({"model": "m", "max_tokens": 500, "messages": sent})
        reply = _copy({"content": turn.replies[0].content, "stop_reason": "end_turn", "id": f"msg_{number}"})
        text = reply["content"][0]["text"]
        sent.append({"role": "assistant", "content": text})
        messages = (Message("user", turn.user), Message("assistant", text))
        exchange = Exchange(request, reply, turn=number)
        elapsed = time.perf_counter() - started
        turns.append(Turn(number, messages, exchanges=(exchange,), duration=elapsed))
        verdicts += _bare_verdicts(turn.assertions, text, number)
    conversation = Conversation(golden.id, tuple(turns), name=golden.id, termination="completed")
    return Result(golden.id, golden.id, Outcome.PASS, conversation, tuple(verdicts), file=golden.file)


def _bare_verdicts(asserted: Assertions, text: str, turn: int) -> list[Verdict]:
    final = asserted.final_text
    found = [_verdict(one in text, f"the final text to contain {one!r}", turn) for one in final.contains]
    for one in final.not_contains:
        found.append(_verdict(one.casefold() not in text.casefold(), f"not to contain {one!r}", turn))  # noqa: PERF401
    if asserted.validator is not None:
        found.append(_verdict("now!" not in text, "the final text to pass the validator", turn))
    return found


def _copy(value: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value))


def _verdict(holds: bool, claim: str, turn: int) -> Verdict:
    outcome = Outcome.PASS if holds else Outcome.FAIL
    return Verdict(outcome, "found at character 3", matcher="toContain", claim=claim, turn=turn)


def _cpu(function: Any, *arguments: Any) -> float:
    started = time.process_time()
    function(*arguments)
    return time.process_time() - started


def library(rounds: int) -> bool:
    """Print milliseconds a golden, and the ratio to the bare loop; whether both bars are met."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "all.golden.json"
        path.write_text(json.dumps([golden(number) for number in range(COUNT)]))
        goldens = load_goldens(path)
    results = [run_golden(one, Shop) for one in goldens]
    assert all(one.outcome is Outcome.PASS and len(one.verdicts) == 6 for one in results)
    assert all(one.outcome is Outcome.PASS and len(one.verdicts) == 6 for one in bare(goldens))
    pairs = [
        (_cpu(lambda: [run_golden(one, Shop) for one in goldens]), _cpu(bare, goldens)) for _ in range(rounds)
    ]
    own = statistics.median(pair[0] for pair in pairs) / COUNT * 1e3
    ratio = statistics.median(pair[0] / pair[1] for pair in pairs)
    print(f"golden replay, library: {own:.3f} ms each (bar 0.2), {ratio:.2f} times a bare loop (bar 4)")
    return own <= 0.2 and ratio <= 4


def items(rounds: int) -> bool:
    """Print the ratio of a session of golden items to one of plain tests; whether the bar is met."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "pytest.ini").write_text("[pytest]\n")
        (folder / "shop.py").write_text(
            "class Shop:\n"
            "    def __init__(self, context):\n        self.transport = context.model.transport\n"
            "    def chat(self, messages):\n"
            "        return self.transport({'model': 'm', 'messages': messages})['content'][0]['text']\n"
        )
        (folder / "all.golden.json").write_text(json.dumps([golden(number) for number in range(COUNT)]))
        (folder / "test_plain.py").write_text(
            "".join(f"def test_{n}():\n    assert 1\n" for n in range(COUNT))
        )
        pairs = []
        for _ in range(rounds + 1):  # the first pair only warms up
            ours = _session(folder, "all.golden.json", "--grice-agent", "shop:Shop")
            plain = _session(folder, "test_plain.py")
            pairs.append(ours / plain)
    ratio = statistics.median(pairs[1:])
    print(f"golden replay, pytest items: {ratio:.2f} times plain tests (bar 1.2)")
    return ratio <= 1.2


def _session(folder: Path, *arguments: str) -> float:
    """CPU seconds of one pytest session in a process of its own."""
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:randomly",
        "-p",
        "no:cacheprovider",
        *arguments,
    ]
    before = os.times()
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    after = os.times()
    if done.returncode != 0:
        raise SystemExit(done.stdout[-2000:] + done.stderr[-2000:])
    return after.children_user + after.children_system - before.children_user - before.children_system


if __name__ == "__main__":
    met = [library(rounds=7), items(rounds=3)]
    raise SystemExit(0 if all(met) else 1)
