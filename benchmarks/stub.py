"""What the stub server adds to a bare asyncio HTTP server that answers fixed bytes: throughput and latency.

Both run in processes of their own and are asked by the same client, aiohttp over kept connections, in turns.
The stub reads each request, answers from its script and keeps the exchange; the bare server does nothing of
that. The client's own work is in both, so that where it is the slower part the throughputs come close; what
the server's process spends on a request is measured too. The bar is on the throughput of every line.
"""

from __future__ import annotations

import asyncio
import gc
import itertools
import multiprocessing
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from multiprocessing.connection import Connection
from typing import Any, NamedTuple

import aiohttp
import msgspec

from grice.wire import ScriptedModel
from grice.wire.openai_chat import events, reply_body
from grice.wire.replies import ModelReply
from grice.wire.stub import StubServer

REQUESTS = {1: 400, 50: 1_000, 500: 1_500}
"""How many requests a round has, by how many are made at once."""

ROUNDS = 5
BAR = 2.5
TEXT = "The Blue Room is free tomorrow at two, and holds twelve people. Shall I book it for you?"
REQUEST = {
    "model": "m",
    "messages": [
        {"role": "system", "content": "You book rooms."},
        {"role": "user", "content": "Which rooms are free tomorrow at two for ten people?"},
    ],
}


class Round(NamedTuple):
    """One round: requests a second, median and 99th percentile of the latencies in milliseconds.

    `cpu` is what the server spent on a request, in milliseconds.
    """

    throughput: float
    median: float
    p99: float
    cpu: float = 0.0


# -- the two servers


def serve_stub(told: Connection) -> None:
    """The stub with one scripted model for each round; a message to the pipe ends it."""
    with StubServer() as stub:
        while (count := told.recv()) is not None:
            model = ScriptedModel(*[TEXT] * count)
            began = time.process_time()
            told.send((f"{stub.address_of(model)}/v1/chat/completions", stub.key))
            told.recv()
            told.send(time.process_time() - began)
            assert (model.unused, model.problems) == (0, [])
            del model
            gc.collect()


def serve_bare(told: Connection) -> None:
    """A server that reads a request to its end and writes fixed bytes."""
    body = reply_body(ModelReply((TEXT,)), REQUEST, 1)
    plain = msgspec.json.encode(body)
    ok = b"HTTP/1.1 200 OK\r\nContent-Type: "
    whole = ok + b"application/json\r\nContent-Length: %d\r\n\r\n%b" % (len(plain), plain)
    opening = ok + b"text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
    frames = [
        b"data: %b\n\n" % (event.encode() if isinstance(event, str) else msgspec.json.encode(event))
        for _, event in events(body, REQUEST)
    ]

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                length = int(head.lower().split(b"content-length: ")[1].split(b"\r\n")[0])
                asked = await reader.readexactly(length)
                if b'"stream": true' not in asked:
                    writer.write(whole)
                else:
                    writer.write(opening)
                    for frame in frames:
                        writer.write(b"%x\r\n%b\r\n" % (len(frame), frame))
                        await writer.drain()
                    writer.write(b"0\r\n\r\n")
                await writer.drain()
        except (asyncio.IncompleteReadError, OSError):
            writer.close()

    async def run() -> None:
        server = await asyncio.start_server(answer, "127.0.0.1", 0, backlog=1_024)
        address = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1/chat/completions"
        loop = asyncio.get_running_loop()
        while await loop.run_in_executor(None, told.recv) is not None:
            began = time.process_time()
            told.send((address, "key"))
            await loop.run_in_executor(None, told.recv)
            told.send(time.process_time() - began)

    asyncio.run(run())


# -- the client


async def ask(address: str, key: str, at_once: int, count: int, *, stream: bool) -> Round:
    """Ask `count` times over `at_once` connections that are kept open."""
    latencies: list[float] = []
    left = iter(range(count))
    request: dict[str, Any] = REQUEST | ({"stream": True} if stream else {})
    connector = aiohttp.TCPConnector(limit=at_once)
    headers = {"Authorization": f"Bearer {key}"}

    async def one_after_the_other(session: aiohttp.ClientSession) -> None:
        for _ in left:
            began = time.perf_counter()
            async with session.post(address, json=request) as response:
                assert response.status == 200
                await response.read()
            latencies.append((time.perf_counter() - began) * 1_000)

    async with aiohttp.ClientSession(connector=connector, headers=headers) as session:
        began = time.perf_counter()
        await asyncio.gather(*(one_after_the_other(session) for _ in range(at_once)))
        elapsed = time.perf_counter() - began
    latencies.sort()
    return Round(count / elapsed, statistics.median(latencies), latencies[int(len(latencies) * 0.99)])


class Server:
    """One of the servers in a process of its own."""

    def __init__(self, serve: Callable[[Connection], None]) -> None:
        context = multiprocessing.get_context("spawn")
        self._told, other = context.Pipe()
        self._process = context.Process(target=serve, args=(other,), daemon=True)
        self._process.start()

    def round(self, at_once: int, *, stream: bool) -> Round:
        """One round of requests."""
        self._told.send(REQUESTS[at_once])
        address, key = self._told.recv()
        made = asyncio.run(ask(address, key, at_once, REQUESTS[at_once], stream=stream))
        self._told.send("done")
        return made._replace(cpu=self._told.recv() / REQUESTS[at_once] * 1_000)

    def stop(self) -> None:
        """End the process."""
        self._told.send(None)
        self._process.join(10)


def middle(rounds: Sequence[Round]) -> Round:
    """The median of each number."""
    return Round(*map(statistics.median, zip(*rounds, strict=True)))


def main() -> int:
    """Print the ratios; the exit code says whether the bar holds."""
    bare, stub = Server(serve_bare), Server(serve_stub)
    worst = 0.0
    print(f"Chat Completions from a bare server and from the stub, medians of {ROUNDS} paired rounds")
    for stream, at_once in itertools.product((False, True), REQUESTS):
        pairs = [
            (bare.round(at_once, stream=stream), stub.round(at_once, stream=stream))
            for _ in range(1 + ROUNDS)
        ][1:]  # the first warms up
        ratio = statistics.median(one.throughput / other.throughput for one, other in pairs)
        worst = max(worst, ratio)
        plain, ours = (middle(column) for column in zip(*pairs, strict=True))
        print(
            f"  {'stream' if stream else 'whole '} {at_once:3} at once"
            f"  {plain.throughput:6.0f} /s {ours.throughput:6.0f} /s  {ratio:.2f} times (bar {BAR})"
            f"  CPU {plain.cpu:.3f} {ours.cpu:.3f} ms"
            f"  median {plain.median:6.2f} {ours.median:6.2f} ms ({ours.median - plain.median:+.2f})"
            f"  p99 {plain.p99:6.2f} {ours.p99:6.2f} ms ({ours.p99 - plain.p99:+.2f})"
        )
    bare.stop()
    stub.stop()
    return 0 if worst <= BAR else 1


if __name__ == "__main__":
    sys.exit(main())
