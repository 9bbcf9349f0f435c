"""The bare loop of the suite: turns, six checks, a line for each result."""

import asyncio
import time
from collections.abc import Iterator
from typing import Any

import msgspec
from bare_checks import CHECKS  # type: ignore[import-not-found]  # beside this script


class Check(msgspec.Struct):
    name: str
    ok: bool


class Result(msgspec.Struct):
    id: str
    ok: bool
    turns: list[Any]
    checks: list[Check]
    ms: float


async def answer(turns: Iterator[Any], text: str) -> Any:
    return next(turns)


async def main() -> None:
    encode, failed, count = msgspec.json.Encoder().encode, 0, 0
    with open("conversations.jsonl", "rb") as lines, open("results.jsonl", "wb") as out:
        for line in lines:
            recorded = msgspec.json.decode(line)
            started = time.perf_counter()
            left, replies, calls, turns = iter(recorded["turns"]), [], [], []
            for turn in recorded["turns"]:
                reply = await answer(left, turn["user"])
                replies.append(reply["assistant"])
                calls += reply["tool_calls"]
                turns.append(
                    {"user": turn["user"], "assistant": reply["assistant"], "calls": reply["tool_calls"]}
                )
            found = [Check(one.__name__, one(replies, calls, recorded["order_id"])) for one in CHECKS]
            ok = all(one.ok for one in found)
            failed, count = failed + (not ok), count + 1
            result = Result(recorded["id"], ok, turns, found, time.perf_counter() - started)
            out.write(encode(result) + b"\n")
            out.flush()
    print(f"{count - failed} passed, {failed} failed")


asyncio.run(main())
