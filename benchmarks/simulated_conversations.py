"""What Grice adds to 300 simulated conversations: five turns each, one judge call, a model that takes 50 ms.

Agent, played user and judge ask one server, a process of its own that answers after 50 ms. First one
conversation is held and its requests are kept; then `grice.run` holds 300 at once, and a bare aiohttp loop
posts the same bodies in the same order for each of 300 conversations, in turns, several rounds: wall and CPU
time, and the ratios. `--more` holds 1,000 conversations at most 100 at once and tells the peak memory,
`--pytest` has pytest hold 300 by `@simulated`.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import multiprocessing
import os
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, NamedTuple

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

CONVERSATIONS, TURNS, ROUNDS = 300, 5, 5
DELAY = 0.05
WALL_BAR, CPU_BAR = 1.3, 1.8
AGENT_TEXT = "The Blue Room is free tomorrow at two; shall I note anything else for your meeting of ten?"
USER_TEXT = "Question %02d: is it quiet there, and is there a projector?"
JUDGED = {"requirement": "The user has a room.", "reasoning": "It is booked.", "achieved": True}
KEPT = re.compile(rb'"achieved"|"goal_reached"')


class Round(NamedTuple):
    """Seconds of wall and CPU time, and how many conversations were going on at once at most."""

    wall: float
    cpu: float
    at_once: int = 0


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


def held(address: str, count: int, at_once: int, *, journal: Path | None = None) -> Round:
    """Conversations held by grice.run."""
    going = most = 0

    def watch(event: object) -> None:
        nonlocal going, most
        going += isinstance(event, ConversationStarted) - isinstance(event, ConversationFinished)
        most = max(most, going)

    llm = OpenAILLM("m", base_url=address, api_key="key", max_concurrency=1_000)
    wall, cpu = time.perf_counter(), time.process_time()
    agent = Agent(address)
    run = asyncio.run(_held(agent, count, llm, concurrency=at_once, journal=journal, observers=[watch]))
    took = Round(time.perf_counter() - wall, time.process_time() - cpu, most)
    assert len(run.results) == count
    assert all(one.outcome == "pass" and len(one.conversation.turns) == TURNS for one in run.results)
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
            **options,
        )
    finally:
        if agent.session is not None:
            await agent.session.close()


async def bare(address: str, bodies: list[bytes], count: int, at_once: int) -> None:
    """The same requests as one would write them by hand, and the answers read."""
    left = iter(range(count))
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=1_000), headers=HEADERS) as session:

        async def conversations() -> None:
            for _ in left:
                for body in bodies:
                    async with session.post(f"{address}/chat/completions", data=body) as response:
                        answer = await response.json()
                    assert answer["choices"][0]["message"]["content"]

        await asyncio.gather(*(conversations() for _ in range(at_once)))


def timed_bare(address: str, bodies: list[bytes], count: int, at_once: int) -> Round:
    """A round of the bare loop."""
    wall, cpu = time.perf_counter(), time.process_time()
    asyncio.run(bare(address, bodies, count, at_once))
    return Round(time.perf_counter() - wall, time.process_time() - cpu, at_once)


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


def main() -> int:
    """Print the ratios; the exit code says whether the bars hold."""
    context = multiprocessing.get_context("spawn")
    told, other = context.Pipe()
    process = context.Process(target=serve, args=(other,), daemon=True)
    process.start()
    address = told.recv()
    try:
        if "--more" in sys.argv:
            return more(address)
        if "--pytest" in sys.argv:
            return by_pytest(address)
        return paired(address)
    finally:
        told.send("done")
        process.join(10)


def paired(address: str) -> int:
    """Grice against the bare loop."""
    bodies = requests_of_one(address)
    rounds = []
    with tempfile.TemporaryDirectory() as folder:
        for number in range(1 + ROUNDS):
            plain = timed_bare(address, bodies, CONVERSATIONS, CONVERSATIONS)
            ours = held(address, CONVERSATIONS, CONVERSATIONS, journal=Path(folder) / str(number))
            rounds.append((plain, ours))
    rounds = rounds[1:]  # one warms up
    wall = statistics.median(ours.wall / plain.wall for plain, ours in rounds)
    cpu = statistics.median(ours.cpu / plain.cpu for plain, ours in rounds)
    at_once = min(ours.at_once for _, ours in rounds) / CONVERSATIONS
    plain, ours = (_median(side) for side in zip(*rounds, strict=True))
    print(f"{CONVERSATIONS} conversations of {TURNS} turns, all at once, {len(bodies)} requests each,")
    print(f"a model that takes {1_000 * DELAY:g} ms; medians of {ROUNDS} paired rounds, with a journal")
    print(f"  bare aiohttp: {plain.wall:.2f} s, CPU {plain.cpu:.2f} s")
    print(f"  grice.run:    {ours.wall:.2f} s, CPU {ours.cpu:.2f} s")
    print(f"  wall {wall:.2f} times (bar {WALL_BAR}), CPU {cpu:.2f} times (bar {CPU_BAR})")
    print(f"  going on at once: {at_once:.0%} (bar 95%)")
    return 0 if wall <= WALL_BAR and cpu <= CPU_BAR and at_once >= 0.95 else 1


def _median(rounds: tuple[Round, ...]) -> Round:
    return Round(*map(statistics.median, zip(*rounds, strict=True)))


def more(address: str) -> int:
    """1,000 conversations, 100 at once."""
    bodies = requests_of_one(address)
    with tempfile.TemporaryDirectory() as folder:
        plain = timed_bare(address, bodies, 1_000, 100)
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        ours = held(address, 1_000, 100, journal=Path(folder))
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print("1,000 conversations, 100 at once")
    print(f"  bare aiohttp: {plain.wall:.2f} s, CPU {plain.cpu:.2f} s")
    print(f"  grice.run:    {ours.wall:.2f} s, CPU {ours.cpu:.2f} s")
    print(f"  peak memory:  {after / 1024:.0f} MB, {before / 1024:.0f} before it")
    return 0


TEST = """
from grice import expect, scenarios, simulated

@scenarios([{{"id": f"s{{n}}", "goal": "Find a quiet room for ten people"}} for n in range({count})])
@simulated(max_turns={turns})
def test_books(conversation, scenario):
    expect(conversation).to_have_achieved_goal()
"""
CONFTEST = """
import sys
sys.path.insert(0, {folder!r})
import pytest
from grice.llm.openai_llm import OpenAILLM
from simulated_conversations import Agent

AGENT = Agent({address!r})
LLM = OpenAILLM("m", base_url={address!r}, api_key="key", max_concurrency=1000)

@pytest.fixture(scope="session")
def agent_factory():
    return lambda context: AGENT

@pytest.fixture(scope="session")
def judge_llm():
    return LLM

@pytest.fixture(scope="session")
def user_llm():
    return LLM
"""


def by_pytest(address: str) -> int:
    """300 conversations by `@simulated`, 300 ahead."""
    bodies = requests_of_one(address)
    plain = timed_bare(address, bodies, CONVERSATIONS, CONVERSATIONS)
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        root.joinpath("test_rooms.py").write_text(TEST.format(count=CONVERSATIONS, turns=TURNS))
        here = str(Path(__file__).parent)
        root.joinpath("conftest.py").write_text(CONFTEST.format(folder=here, address=address))
        root.joinpath("pyproject.toml").write_text(f"[tool.grice]\nconcurrency = {CONVERSATIONS}\n")
        wall = time.perf_counter()
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:randomly"]
        done = subprocess.run(command, cwd=root, env={**os.environ, "COLUMNS": "100"}, check=False)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print(f"{CONVERSATIONS} conversations by @simulated under pytest, {CONVERSATIONS} ahead")
    print(f"  bare aiohttp: {plain.wall:.2f} s, CPU {plain.cpu:.2f} s")
    wall = time.perf_counter() - wall
    print(f"  pytest:       {wall:.2f} s, CPU {cpu:.2f} s, peak {after.ru_maxrss / 1024:.0f} MB")
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
