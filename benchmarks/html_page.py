"""An HTML page of 1,000 conversations, and one of a conversation with 120 MB of tool results.

    python benchmarks/html_page.py [CONVERSATIONS]

The transcripts are those of a real airline agent with its tool calls (../shared/data, else the two of
tests/data), again and again; a quarter of them fails, and each has twelve verdicts. Bars: 1,000
conversations take at most 2 s of CPU and 10 MB. Beside them stands what plain `json.dumps` of the same
records takes.
"""

from __future__ import annotations

import io
import json
import random
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec

import grice
from grice.records import Conversation, Evidence, Message, Outcome, Result, ToolCall, Turn, Verdict
from grice.reporting.document import Answer, Conversations, Document
from grice.reporting.renderers.html.page import html_page

HERE = Path(__file__).resolve().parents[1]
CRITERIA = ("grounded", "helpful", "friendly", "concise")


def main() -> int:
    """Write both pages and print what they took; 1 where a bar is broken."""
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    results = list(airline_results(number))
    began = time.process_time()
    plain = len(json.dumps([msgspec.to_builtins(one) for one in results]))
    dumped = time.process_time() - began
    seconds, size = _measured(results)
    print(
        f"{number:,} conversations: {seconds:.2f} s of CPU, {size / 1e6:.1f} MB; "
        f"json.dumps: {dumped:.2f} s, {plain / 1e6:.1f} MB; ratio {seconds / dumped:.1f}"
    )
    large_seconds, large_size = _measured([large_result()])
    print(
        f"1 conversation with 120 MB of tool results: {large_seconds:.2f} s of CPU, {large_size / 1e6:.1f} MB"
    )
    return int(number <= 1000 and (seconds > 2 or size > 10e6))


def airline_results(number: int) -> Iterator[Result]:
    """Results with real transcripts, of which a quarter fails."""
    files = (
        HERE.parent / "shared/data/airline_agent_runs.jsonl",
        HERE / "tests/data/airline_agent_runs.jsonl",
    )
    file = next(one for one in files if one.exists())
    lines = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    conversations = [grice.read_conversation(line["messages"]) for line in lines]
    dice = random.Random(1)
    for place in range(number):
        conversation = conversations[place % len(conversations)]
        bad = dice.random() < 0.25
        verdicts = tuple(_verdict(conversation, each, bad and each == 5) for each in range(12))
        outcome = Outcome.FAIL if bad else Outcome.PASS
        yield Result(f"example:{place}", f"scenario_{place}", outcome, conversation, verdicts, duration=1.5)


def _verdict(conversation: Conversation, number: int, bad: bool) -> Verdict:
    turn = conversation.turns[number % len(conversation.turns)]
    quote = turn.full_text[10:60]
    name = CRITERIA[number % len(CRITERIA)]
    return Verdict(
        Outcome.FAIL if bad else Outcome.PASS,
        "It says what no tool result says." if bad else "All of it is said by a tool result.",
        (Evidence(quote, turn.number),) if quote else (),
        "toSatisfy",
        f"the reply to satisfy {name}",
        mode="hard" if number == 5 else "soft",
        turn=turn.number,
        criterion=name,
        layer=3,
    )


def large_result(turns: int = 280, size: int = 120_000_000) -> Result:
    """A conversation that fails, with so many characters of tool results."""
    row = {"venue": "Warkworth House", "seats": 16, "price": "95 pounds", "area": "east"}
    rows = [row] * (size // turns // len(json.dumps(row)))
    made = tuple(_large_turn(number, json.dumps([number, *rows])) for number in range(1, turns + 1))
    verdict = Verdict(
        Outcome.FAIL,
        "the reply names no venue",
        (Evidence("Here are", turns),),
        "toContain",
        "the reply to contain 'Warkworth'",
        turn=turns,
    )
    return Result("example:large", "large", Outcome.FAIL, Conversation("large", made), (verdict,))


def _large_turn(number: int, text: str) -> Turn:
    call = ToolCall("search", {"guests": number}, id=f"call_{number}", result=text)
    said = (
        Message("user", f"What is there for {number} guests?"),
        Message("assistant", tool_calls=(call,)),
        Message("tool", text, tool_call_id=call.id),
        Message("assistant", "Here are some that fit. " * 5),
    )
    return Turn(number, said, (call,))


def _document(results: list[Result]) -> Document:
    return Document("experiment", "", Answer(""), parts=(Conversations(results),))


def _measured(results: list[Result]) -> tuple[float, int]:
    html_page(_document(results[:1]), io.BytesIO())  # what is loaded once
    page = io.BytesIO()
    began = time.process_time()
    html_page(_document(results), page)
    return time.process_time() - began, len(page.getvalue())


if __name__ == "__main__":
    sys.exit(main())
