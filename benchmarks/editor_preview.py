"""What the preview of an editor costs the server: 10 kB and ten rows, and one row over 1,000 stored replies.

The server runs in a process of its own, so that its CPU time can be told from the client's. The bars are
20 ms of CPU for `POST /api/evaluate/preview` and 100 ms for `POST /api/evaluate/many`, whose first call reads
the journal and is told apart: `python benchmarks/editor_preview.py`.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
from api_evaluate import ASSERTIONS, OUTPUT, cpu_seconds, serve  # type: ignore[import-not-found]

from grice.records import Conversation, Message, Outcome, Result, Turn
from grice.running.journal.experiment import Experiment
from grice.running.journal.writing import Journal

RUN = "exp_stored"
PREVIEW_MS, MANY_MS = 20.0, 100.0
ROWS: dict[str, dict[str, Any]] = {
    "a value of JSON": {"path": "$.status", "matcher": "toEqual", "expected": "READY"},
    "ALL over a list": ASSERTIONS[2],
    "a pattern": {"matcher": "toMatch", "expected": {"source": "blue room,? number 1\\b", "flags": "i"}},
    "no reply passes": {"matcher": "toContain", "expected": "no such words"},
}


def write_run(folder: Path, replies: int) -> None:
    """A run whose replies are JSON of 1 kB, each another one."""
    head = Experiment(RUN, "2026-11-01T10:00:00.000Z", planned=replies)
    with Journal.create(folder / "runs" / RUN, head, worker="main") as journal:
        for number in range(replies):
            items = [{**one, "price": one["price"] + number} for one in OUTPUT["items"][:13]]
            words = (Message("user", "Rooms?"), Message("assistant", json.dumps({**OUTPUT, "items": items})))
            held = Conversation(turns=(Turn(1, words),))
            journal.append(Result(f"example:{number:012x}", f"s{number}", Outcome.PASS, held))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=50)
    parser.add_argument("--replies", type=int, default=1_000)
    args = parser.parse_args()
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    worst = {"preview": 0.0, "many": 0.0}
    with tempfile.TemporaryDirectory() as folder:
        write_run(Path(folder), args.replies)
        process = context.Process(target=serve, args=(Path(folder), theirs), daemon=True)
        process.start()
        headers = {"Authorization": "Bearer " + "t" * 32, "Content-Type": "application/json"}
        with httpx.Client(base_url=ours.recv(), headers=headers, trust_env=False, timeout=60) as client:

            def cost(ask: Callable[[], Any], times: int) -> float:
                used = cpu_seconds(ours)
                for _ in range(times):
                    ask()
                return float(cpu_seconds(ours) - used) / times * 1000

            def told(what: str, path: str, body: dict[str, Any], bar: float) -> None:
                sent = json.dumps(body).encode()

                def ask() -> None:
                    answer = client.post(f"/api/evaluate/{path}", content=sent)
                    assert answer.status_code == 200, answer.text

                first, later = cost(ask, 1), cost(ask, args.times)
                worst[path] = max(worst[path], later)
                print(f"{what:<42} {later:7.2f} ms of CPU (first {first:.2f}; bar {bar:g})")

            for text, actual in (("JSON", OUTPUT), ("a text of JSON", json.dumps(OUTPUT))):
                body = {"actual": actual, "assertions": ASSERTIONS}
                told(f"preview: 10 kB, ten rows, {text}", "preview", body, PREVIEW_MS)
            for name, row in ROWS.items():
                body = {"run": RUN, "assertions": [row]}
                told(f"many: {args.replies:,} replies, {name}", "many", body, MANY_MS)
        ours.send(False)
        process.join()
    return int(worst["preview"] > PREVIEW_MS or worst["many"] > MANY_MS)


if __name__ == "__main__":
    sys.exit(main())
