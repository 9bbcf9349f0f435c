"""1,000 goldens of 4 turns and 6 checks: the library's runner, and a loop that makes the same records."""

from __future__ import annotations

import gc
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from grice.files.golden_records import Assertions, Golden, Validator
from grice.files.goldens import load_goldens
from grice.records import Conversation, Exchange, Message, Outcome, Result, Turn, Verdict
from grice.running.golden import run_golden

Contender = Callable[[], dict[str, float]]
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
    if isinstance(asserted.validator, Validator):
        found.append(_verdict("now!" not in text, "the final text to pass the validator", turn))
    return found


def _copy(value: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value))


def _verdict(holds: bool, claim: str, turn: int) -> Verdict:
    outcome = Outcome.PASS if holds else Outcome.FAIL
    return Verdict(outcome, "found at character 3", matcher="toContain", claim=claim, turn=turn)


def contenders(folder: Path) -> tuple[Contender, Contender]:
    """The library's runner and the bare loop; writes `all.golden.json` into the folder for the items."""
    path = folder / "all.golden.json"
    path.write_text(json.dumps([golden(number) for number in range(COUNT)]), encoding="utf-8")
    goldens = load_goldens(path)
    return (
        lambda: _spent(lambda: [run_golden(one, Shop) for one in goldens]),
        lambda: _spent(lambda: bare(goldens)),
    )


def _spent(play: Callable[[], list[Result]]) -> dict[str, float]:
    gc.collect()
    gc.freeze()  # what the benchmark itself holds is not looked through while one of them plays
    started = time.process_time()
    results = play()
    spent = time.process_time() - started
    gc.unfreeze()
    assert all(one.outcome is Outcome.PASS and len(one.verdicts) == 6 for one in results)
    return {"cpu": spent}
