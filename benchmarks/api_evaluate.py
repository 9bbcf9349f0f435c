"""What `POST /api/evaluate` costs beside the library call: a 10 kB output and ten assertions.

The server runs in a process of its own, so that its CPU time can be told from the client's. The bar is 5 ms
of server CPU beside the library's own: `python benchmarks/api_evaluate.py`.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import sys
import tempfile
import time
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import httpx

import grice

BAR_MS = 5.0
OUTPUT: dict[str, Any] = {
    "status": "READY",
    "items": [
        {"id": f"item-{number:04d}", "name": f"The Blue Room, number {number}", "price": 40.5 + number}
        for number in range(140)
    ],
}
ASSERTIONS: list[dict[str, Any]] = [
    {"path": "$.status", "matcher": "toEqual", "expected": "READY"},
    {"path": "$.items", "matcher": "toHaveLength", "expected": 140},
    {"path": "$.items[*].price", "pathMatch": "ALL", "matcher": "toBeGreaterThan", "expected": 1},
    {"path": "$.items[0].name", "matcher": "toContain", "expected": "Blue"},
    {"path": "$.items[*].id", "pathMatch": "ALL", "matcher": "toMatch", "expected": r"^item-\d{4}$"},
    {"path": "$.items[0].price", "matcher": "toBeCloseTo", "expected": 40.5},
    {"path": "$.error", "matcher": "toBeUndefined"},
    {"path": "$.items[0]", "matcher": "toMatchObject", "expected": {"id": "item-0000"}},
    {"path": "$.items[3].name", "matcher": "toStartWith", "expected": "The"},
    {"path": "$.status", "matcher": "toBeOneOf", "expected": ["READY", "PENDING"]},
]


def serve(folder: Path, pipe: Connection) -> None:
    """Serve until told to end; answer each word with the CPU seconds that the process has used."""
    from grice.api.server import ApiServer
    from grice.api.service import Service
    from grice.files.settings import Settings
    from grice.store.database import open_database
    from grice.store.migrating import upgrade

    engine = open_database("sqlite:///grice.db", folder)
    upgrade(engine)
    with ApiServer(Service(Settings(folder), engine, folder / "runs", "t" * 32)) as server:
        pipe.send(server.url)
        while pipe.recv():
            pipe.send(time.process_time())
    engine.dispose()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=500)
    times = parser.parse_args().times
    body = json.dumps({"actual": OUTPUT, "assertions": ASSERTIONS}).encode()
    print(f"output {len(json.dumps(OUTPUT)):,} bytes, {len(ASSERTIONS)} assertions, {times} times")
    assert grice.evaluate_assertions(OUTPUT, ASSERTIONS).passed
    began = time.process_time()
    for _ in range(times):
        grice.evaluate_assertions(OUTPUT, ASSERTIONS)
    library = (time.process_time() - began) / times * 1000
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    with tempfile.TemporaryDirectory() as folder:
        process = context.Process(target=serve, args=(Path(folder), theirs))
        process.start()
        headers = {"Authorization": "Bearer " + "t" * 32, "Content-Type": "application/json"}
        with httpx.Client(base_url=ours.recv(), headers=headers, trust_env=False) as client:
            for _ in range(20):
                assert client.post("/api/evaluate", content=body).json()["passed"] is True
            used = cpu_seconds(ours)
            for _ in range(times):
                client.post("/api/evaluate", content=body)
            server = (cpu_seconds(ours) - used) / times * 1000
        ours.send(False)
        process.join()
    print(f"library call    {library:6.2f} ms of CPU")
    print(
        f"POST /evaluate  {server:6.2f} ms of CPU, {server - library:.2f} beside the library (bar {BAR_MS:g})"
    )
    return int(server - library > BAR_MS)


def cpu_seconds(pipe: Connection) -> float:
    """The CPU seconds that the server has used."""
    pipe.send(True)
    return float(pipe.recv())


if __name__ == "__main__":
    sys.exit(main())
