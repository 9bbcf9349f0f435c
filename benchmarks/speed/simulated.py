"""300 simulated conversations at once: five turns each, one judge call, a model that takes 50 ms.

Agent, simulated user and judge ask one server, a process of its own that answers after 50 ms. First one
conversation is held and its requests are kept. A bare aiohttp loop posts the same bodies in the same order
for each conversation.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import multiprocessing
import re
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import aiohttp
import msgspec

import grice
from grice.llm.openai_llm import OpenAILLM
from grice.matchers import have_achieved_goal
from grice.running.events import ConversationFinished, ConversationStarted
from grice.running.run_many import run_later
from grice.wire import http
from grice.wire.openai_chat import reply_body
from grice.wire.replies import ModelReply

CONVERSATIONS, TURNS = 300, 5
DELAY = 0.05
AGENT_TEXT = "The Blue Room is free tomorrow at two; shall I note anything else for your meeting of ten?"
USER_TEXT = "Question %02d: is it quiet there, and is there a projector?"
JUDGED = {"requirement": "The user has a room.", "reasoning": "It is booked.", "achieved": True}
Contender = Callable[[], dict[str, float]]
KEPT = re.compile(rb'"achieved"|"goal_reached"')


def serve(told: Connection) -> None:
    """A server that waits and answers by who asks; a message to the pipe ends it."""
    said = [{"message": USER_TEXT % n, "done": "no", "reason": "not booked"} for n in range(97)]
    texts = {"agent": [AGENT_TEXT], "user": list(map(json.dumps, said)), "judge": [json.dumps(JUDGED)]}
    whole = {who: itertools.cycle([_answer(text) for text in own]) for who, own in texts.items()}

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                size = int(head.lower().split(b"content-length: ")[1].split(b"\r\n")[0])
                found = KEPT.search(await reader.readexactly(size))
                who = "agent" if found is None else "judge" if found[0] == b'"achieved"' else "user"
                await asyncio.sleep(DELAY)
                writer.write(next(whole[who]))
                await writer.drain()
        except (asyncio.IncompleteReadError, OSError):
            writer.close()

    async def run() -> None:
        server = await asyncio.start_server(answer, "127.0.0.1", 0, backlog=2_048)
        told.send(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1")
        await asyncio.get_running_loop().run_in_executor(None, told.recv)

    asyncio.run(run())


def _answer(text: str) -> bytes:
    body = msgspec.json.encode(reply_body(ModelReply((text,)), {"model": "m", "messages": []}, 1))
    head = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
    return head % len(body) + body


class Agent:
    """The agent under test, as somebody would write it: one aiohttp session for all conversations."""

    def __init__(self, address: str, kept: list[bytes] | None = None) -> None:
        self._url = f"{address}/chat/completions"
        self._kept = kept
        self.session: aiohttp.ClientSession | None = None

    async def chat(self, messages: list[dict[str, Any]]) -> str:
        if self.session is None:
            self.session = aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=1_000))
        body = json.dumps({"model": "m", "messages": messages}).encode()
        if self._kept is not None:
            self._kept.append(body)
        async with self.session.post(self._url, data=body, headers=HEADERS) as response:
            answer = await response.json()
        return str(answer["choices"][0]["message"]["content"])


HEADERS = {"Content-Type": "application/json", "Authorization": "Bearer key"}


def scenarios(count: int) -> list[dict[str, Any]]:
    """Scenarios of users who want a room."""
    return [
        {"id": f"s{n}", "goal": "Find a quiet room for ten people tomorrow at two", "personality": "brief"}
        for n in range(count)
    ]


def held(address: str) -> dict[str, float]:
    """The conversations held by grice.run, with a journal."""
    going = most = 0

    def watch(event: object) -> None:
        nonlocal going, most
        going += isinstance(event, ConversationStarted) - isinstance(event, ConversationFinished)
        most = max(most, going)

    llm = OpenAILLM("m", base_url=address, api_key="key", max_concurrency=1_000)
    with tempfile.TemporaryDirectory() as folder:
        wall, cpu = time.perf_counter(), time.process_time()
        run = asyncio.run(
            _held(
                Agent(address),
                CONVERSATIONS,
                llm,
                concurrency=CONVERSATIONS,
                journal=Path(folder, "run"),
                observers=[watch],
            )
        )
        took = {"cpu": time.process_time() - cpu, "wall": time.perf_counter() - wall}
    assert len(run.results) == CONVERSATIONS
    assert all(one.outcome == "pass" and len(one.conversation.turns) == TURNS for one in run.results)
    assert most >= 0.95 * CONVERSATIONS, f"{most} of {CONVERSATIONS} were in flight at once"
    return took


async def _held(
    agent: Agent, count: int, llm: OpenAILLM, *, journal: Path | None, **options: Any
) -> grice.Run:
    """The run; afterwards the agent's connections are closed."""
    try:
        return await run_later(
            scenarios(count),
            agent,
            [have_achieved_goal()],
            user=grice.SimulatedUser(max_turns=TURNS),
            user_llm=llm,
            judge_llm=llm,
            journal=journal or False,
            record="off",  # else a CI would ask for a cassette
            **options,
        )
    finally:
        if agent.session is not None:
            await agent.session.close()


async def bare(address: str, bodies: list[bytes]) -> None:
    """The same requests as one would write them by hand, and the answers read."""
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=1_000), headers=HEADERS) as session:

        async def conversation() -> None:
            for body in bodies:
                async with session.post(f"{address}/chat/completions", data=body) as response:
                    answer = await response.json()
                assert answer["choices"][0]["message"]["content"]

        await asyncio.gather(*(conversation() for _ in range(CONVERSATIONS)))


def timed_bare(address: str, bodies: list[bytes]) -> dict[str, float]:
    """A round of the bare loop."""
    wall, cpu = time.perf_counter(), time.process_time()
    asyncio.run(bare(address, bodies))
    return {"cpu": time.process_time() - cpu, "wall": time.perf_counter() - wall}


def requests_of_one(address: str) -> list[bytes]:
    """The bodies of all requests of one conversation, in order."""
    kept: list[bytes] = []
    plain = http.HttpClient.post

    async def post(self: Any, request: Any) -> Any:
        kept.append(request.body)
        return await plain(self, request)

    http.HttpClient.post = post  # type: ignore[method-assign]
    try:
        llm = OpenAILLM("m", base_url=address, api_key="key")
        run = asyncio.run(_held(Agent(address, kept), 1, llm, journal=None))
    finally:
        http.HttpClient.post = plain  # type: ignore[method-assign]
    assert run.results[0].outcome == "pass", run.results[0].verdicts
    return kept


@contextmanager
def contenders() -> Iterator[tuple[Contender, Contender]]:
    """`grice.run` and the bare loop, which send the same requests to one server."""
    context = multiprocessing.get_context("spawn")
    told, other = context.Pipe()
    process = context.Process(target=serve, args=(other,), daemon=True)
    process.start()
    address = told.recv()
    bodies = requests_of_one(address)
    try:
        yield partial(held, address), partial(timed_bare, address, bodies)
    finally:
        told.send("done")
        process.join(10)
