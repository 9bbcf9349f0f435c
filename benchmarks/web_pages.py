"""Pages of `grice serve` for a run of 100,000 results, and for one conversation of 300 turns and 127 MB.

A page is asked for in the process, without a browser: its bytes, and the CPU time that the server took for
it, the first time and the best of five. The bars: the first page of a run under 100 kB, at most 50 ms of CPU
for a page of the list with any filter; of the large conversation the first turns within 1 s of opening it,
any others within 200 ms (wall time). `--keep FOLDER` keeps the project, and finds it there the next time.

    python benchmarks/web_pages.py [--results 100000] [--keep FOLDER]
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

CRITERIA = ("friendly", "on_topic", "no_jargon", "asks_once", "keeps_price")
TOPICS = ("greeting", "gathering", "results", "complaint")
PERSONAS = ("hurried", "polite", "confused", "terse")
LARGE, HUGE, EARLIER = "exp_000000000001", "exp_000000000002", "exp_000000000003"


def write_large(folder: Path, id_: str, results: int, rare: int) -> None:
    """A run of a thousand scenarios with repeats: topics, personas, criteria; one of `rare` fails."""
    from grice.records import Conversation, Message, Outcome, Result, Turn, Verdict
    from grice.records.conversation import Simulation
    from grice.records.topic import Classification

    def results_of() -> Any:
        for number in range(results):
            topics = (TOPICS[0], TOPICS[1], TOPICS[2 + (number % 500 == 0)])
            turns = tuple(
                Turn(
                    place,
                    (
                        Message("user", f"What does the room on floor {place} cost, for {number} people?"),
                        Message("assistant", f"It is {90 + place} pounds a day, lunch {place} each."),
                    ),
                    duration=0.25 * place + (number % 1_000) / 500,
                    classified=Classification(topic, "trigger"),
                )
                for place, topic in enumerate(topics, 1)
            )
            verdicts = tuple(
                Verdict(
                    Outcome.FAIL if (number + one) % (17 if one else rare) == 0 else Outcome.PASS,
                    reason="the reply says what it costs",
                    matcher=("toBeRare", "toContain", "toMatch")[min(one, 1 + one % 2)],
                    claim=f"the reply to contain {one}",
                    criterion=CRITERIA[one // 2] if one % 2 else "",
                    mode="soft" if one % 2 else "hard",
                    turn=one % 3 + 1,
                )
                for one in range(6)
            )
            failed = any(one.outcome is Outcome.FAIL and one.mode == "hard" for one in verdicts)
            persona = PERSONAS[number % 3] if number % 777 else PERSONAS[3]
            yield Result(
                f"example:{number % 1_000:012x}",
                f"scenario_{number % 1_000}",
                Outcome.FAIL if failed else Outcome.PASS,
                Conversation(
                    turns=turns,
                    simulations=(Simulation(1, 3, "goal_reached", persona=persona),),
                ),
                verdicts,
                failure="assertion" if failed else "none",
                file="tests/test_rooms.py",
                repeat=number // 1_000 + 1,
            )

    _write(folder, id_, "large", results, results_of())


def write_huge(folder: Path) -> None:
    """One conversation of 300 turns: each request tells the model all that was said before."""
    from grice.records import Conversation, Exchange, Message, Outcome, Result, ToolCall, Turn, Verdict

    said: list[dict[str, Any]] = []
    turns = []
    for number in range(1, 301):
        filler = f"turn {number}: " + "the room has a view of the harbour, and lunch is served there. " * 43
        said.append({"role": "user", "content": filler})
        reply = {"role": "assistant", "content": f"answer {number}"}
        call = ToolCall("find_rooms", {"floor": number}, id=f"c{number}", result={"rooms": [number]})
        turns.append(
            Turn(
                number,
                (Message("user", filler), Message("assistant", f"answer {number}", tool_calls=(call,))),
                tool_calls=(call,),
                exchanges=(Exchange({"messages": list(said)}, reply, "openai_chat", number),),
                duration=1.5,
            )
        )
        said.append(reply)
    verdicts = tuple(
        Verdict(
            Outcome.FAIL if one == 250 else Outcome.PASS,
            reason="the reply names no price",
            matcher="toContain",
            turn=one,
        )
        for one in range(1, 301)
    )
    held = Conversation(turns=tuple(turns))
    _write(folder, HUGE, "huge", 1, [Result("example:0", "huge", Outcome.FAIL, held, verdicts)])


def _write(folder: Path, id_: str, name: str, planned: int, results: Any) -> None:
    from grice.records.codec import encode
    from grice.running.journal.experiment import Experiment
    from grice.running.journal.form import JOURNAL_KIND, JOURNAL_VERSION, Head

    folder.mkdir(parents=True)
    began = "2026-11-26T10:00:00.000Z" if id_ == EARLIER else "2026-11-27T10:00:00.000Z"
    head = Experiment(id_, began, name=name, planned=planned)
    with (folder / "main.jsonl").open("wb") as stream:
        stream.write(encode(Head(JOURNAL_VERSION, JOURNAL_KIND, head)) + b"\n")
        for one in results:
            stream.write(encode({"result": one}) + b"\n")


class Client:
    """Asks the application as a server would, and measures."""

    def __init__(self, root: Path) -> None:
        from grice.api.service import Service
        from grice.files.settings import Settings
        from grice.store.database import open_database
        from grice.store.migrating import upgrade
        from grice.web.site import make_site

        engine = open_database("sqlite:///.grice/grice.db", root)
        upgrade(engine)
        self.service = Service(Settings(root), engine, root / ".grice" / "runs", "a-token-of-the-benchmark")
        self._site = make_site(self.service)
        asyncio.run(self._start())

    async def _start(self) -> None:
        """Prepare what a server prepares before its first request."""
        async with self._site.router.lifespan_context(self._site):
            pass

    def get(self, address: str) -> bytes:
        """The body of an answer, which has to be 200."""
        path, _, query = address.partition("?")
        status, body = 0, b""

        async def send(message: Any) -> None:
            nonlocal status, body
            status = message.get("status", status)
            body += message.get("body", b"")

        async def receive() -> Any:
            return {"type": "http.request", "body": b"", "more_body": False}

        headers = [(b"host", b"127.0.0.1"), (b"authorization", b"Bearer a-token-of-the-benchmark")]
        scope = {
            "type": "http",
            "method": "GET",
            "path": path,
            "raw_path": path.encode(),
            "query_string": query.encode(),
            "headers": headers,
            "server": ("127.0.0.1", 80),
            "state": {},
            "http_version": "1.1",
            "scheme": "http",
            "root_path": "",
        }
        asyncio.run(self._site(scope, receive, send))
        assert status == 200, (address, status, body[:500])
        return body

    def measured(
        self, address: str, clock: Callable[[], float] = time.process_time
    ) -> tuple[float, float, int]:
        """The first and the best of five times in ms, and the bytes."""
        times, size = [], 0
        for _ in range(5):
            begun = clock()
            size = len(self.get(address))
            times.append((clock() - begun) * 1_000)
        return times[0], min(times), size


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--results", type=int, default=100_000)
    parser.add_argument("--keep", type=Path)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as work:
        root = given.keep or Path(work)
        runs = root / ".grice" / "runs"
        if not runs.is_dir():
            write_large(runs / EARLIER, EARLIER, given.results, 4_000)
            write_large(runs / LARGE, LARGE, given.results, 5_000)
            write_huge(runs / HUGE)
        client = Client(root)
        with client.service.reading():
            pass  # the journals
        _measure(client, root)


def _measure(client: Client, root: Path) -> None:
    large = f"/runs/{LARGE}"
    print(f"{'page':<58}{'first ms':>9}{'best ms':>9}{'kB':>8}")
    filters = (
        "outcome=pass",
        "failure=assertion",
        "criterion=friendly",
        "matcher=toBeRare",
        "topic=results",
        "topic=complaint",
        "persona=terse",
        "persona=terse&outcome=pass&matcher=toContain",
        "slower=2.7",
        "q=99999",
        "q=harbour",
    )
    for address in ("/", "/trends", large, *(f"{large}?{one}" for one in filters)):
        _row(address, *client.measured(address))
    pair = f"a={EARLIER}&b={LARGE}"
    for address in (
        f"/compare?{pair}",
        f"/compare?{pair}&wait=true",
        f"/compare/pair?{pair}&test=example:000000000000",
    ):
        _row(address, *client.measured(address))
    # of the huge conversation: from its address to the first turns, then one far away
    journal = root / ".grice" / "runs" / HUGE / "main.jsonl"
    print(f"\nthe journal of the large conversation has {journal.stat().st_size / 1e6:.0f} MB; wall time")
    address = f"/runs/{HUGE}/conversations/{HUGE}/main/000000002"
    for one in (address, f"{address}?turn=250", f"{address}?turn=150"):
        _row(one, *client.measured(one, time.perf_counter))


def _row(address: str, first: float, best: float, size: int) -> None:
    shown = address.replace(LARGE, "RUN").replace(HUGE, "RUN").replace(EARLIER, "EARLIER")
    print(f"{shown:<58}{first:>9.1f}{best:>9.1f}{size / 1e3:>8.1f}")


if __name__ == "__main__":
    main()
