"""What OpenAILLM adds to bare aiohttp: 1,100 calls of a model, 100 in flight.

Both make the same calls to the same server, a process of its own that answers after 20 to 50 ms, in turns,
several rounds, in one process: wall and CPU time, and the ratios. Both are asked to read what the answer
says; the client also limits, times, counts and checks. The bar is on the CPU time.
"""

from __future__ import annotations

import asyncio
import itertools
import multiprocessing
import statistics
import sys
import time
from collections.abc import Awaitable, Callable
from multiprocessing.connection import Connection
from typing import NamedTuple

import aiohttp
import msgspec

from grice.llm.budget import Budget
from grice.llm.openai_llm import OpenAILLM
from grice.records import LLMRequest
from grice.wire.openai_chat import reply_body
from grice.wire.replies import ModelReply

CALLS, AT_ONCE, ROUNDS = 1_100, 100, 9
BAR = 1.5
DELAYS = (0.02, 0.035, 0.05, 0.028, 0.042)
SCHEMA = {
    "type": "object",
    "properties": {"satisfied": {"type": "boolean"}, "reason": {"type": "string"}},
    "required": ["satisfied", "reason"],
    "additionalProperties": False,
}
MESSAGES = (
    {"role": "system", "content": "You judge replies of an assistant that books rooms. " * 20},
    {"role": "user", "content": "Is this friendly? The Blue Room is free tomorrow at two. " * 10},
)
REQUEST = LLMRequest(MESSAGES, "criterion", "friendly", SCHEMA, "verdict", 256)
BODY = {
    "model": "m",
    "messages": list(MESSAGES),
    "max_tokens": 256,
    "response_format": {
        "type": "json_schema",
        "json_schema": {"name": "verdict", "strict": True, "schema": SCHEMA},
    },
}
ANSWER = '{"satisfied": true, "reason": "It greets and offers help."}'


class Round(NamedTuple):
    """Seconds of wall and CPU time."""

    wall: float
    cpu: float


def serve(told: Connection) -> None:
    """A server that waits and writes fixed bytes; a message to the pipe ends it."""
    body = msgspec.json.encode(reply_body(ModelReply((ANSWER,)), BODY, 1))
    head = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
    whole, delays = head % len(body) + body, itertools.cycle(DELAYS)

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                asked = await reader.readuntil(b"\r\n\r\n")
                await reader.readexactly(int(asked.lower().split(b"content-length: ")[1].split(b"\r\n")[0]))
                await asyncio.sleep(next(delays))
                writer.write(whole)
                await writer.drain()
        except (asyncio.IncompleteReadError, OSError):
            writer.close()

    async def run() -> None:
        server = await asyncio.start_server(answer, "127.0.0.1", 0, backlog=1_024)
        told.send(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1")
        await asyncio.get_running_loop().run_in_executor(None, told.recv)

    asyncio.run(run())


async def in_flight(call: Callable[[], Awaitable[None]]) -> None:
    """Make all calls, so many at once."""
    left = iter(range(CALLS))

    async def one_after_the_other() -> None:
        for _ in left:
            await call()

    await asyncio.gather(*(one_after_the_other() for _ in range(AT_ONCE)))


async def bare(address: str) -> None:
    """The calls as one would write them by hand."""
    headers = {"Authorization": "Bearer key"}
    connector = aiohttp.TCPConnector(limit=AT_ONCE)
    async with aiohttp.ClientSession(connector=connector, headers=headers) as session:

        async def call() -> None:
            async with session.post(f"{address}/chat/completions", json=BODY) as response:
                answer = await response.json()
            assert answer["choices"][0]["message"]["content"] == ANSWER

        await in_flight(call)


async def client(address: str) -> None:
    """The calls of a client of Grice's."""
    llm = OpenAILLM(
        "m", base_url=address, api_key="key", max_concurrency=AT_ONCE, budget=Budget(tokens=10**9)
    )

    async def call() -> None:
        response = await llm.ask(REQUEST)
        assert response.text == ANSWER

    await in_flight(call)
    assert llm.concurrency == AT_ONCE


def timed(run: Callable[[str], Awaitable[None]], address: str) -> Round:
    """One round, on a loop of its own."""
    wall, cpu = time.perf_counter(), time.process_time()
    asyncio.run(run(address))  # type: ignore[arg-type]
    return Round(time.perf_counter() - wall, time.process_time() - cpu)


def main() -> int:
    """Print the ratios; the exit code says whether the bar holds."""
    context = multiprocessing.get_context("spawn")
    told, other = context.Pipe()
    process = context.Process(target=serve, args=(other,), daemon=True)
    process.start()
    address = told.recv()
    pairs = [(timed(bare, address), timed(client, address)) for _ in range(1 + ROUNDS)][1:]  # one warms up
    told.send("done")
    process.join(10)
    plain, ours = (
        Round(*map(statistics.median, zip(*column, strict=True))) for column in zip(*pairs, strict=True)
    )
    cpu = statistics.median(our.cpu / one.cpu for one, our in pairs)
    wall = statistics.median(our.wall / one.wall for one, our in pairs)
    print(f"{CALLS:,} calls of a model, {AT_ONCE} in flight, medians of {ROUNDS} paired rounds")
    print(f"  bare aiohttp: {plain.wall:.2f} s, CPU {1_000 * plain.cpu / CALLS:.2f} ms a call")
    print(f"  OpenAILLM:    {ours.wall:.2f} s, CPU {1_000 * ours.cpu / CALLS:.2f} ms a call")
    print(f"  CPU {cpu:.2f} times (bar {BAR}), wall {wall:.2f} times")
    return 0 if cpu <= BAR else 1


if __name__ == "__main__":
    sys.exit(main())
