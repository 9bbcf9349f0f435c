"""Journals into a database: `grice db sync` against plain inserts of the same rows with SQLAlchemy Core.

A journal of so many results with ten verdicts each is read into an empty SQLite file. Its rows are then read
back, ten thousand at a time, and inserted into another file with the same tables and indexes: only inserts
and commits are timed, in seconds of CPU, which SQLite takes within the process. Each side has a process of
its own, which tells its peak of memory. The bar: sync takes at most twice as long, and its memory does not
grow with the journal, nor with the scenarios in it.

    python benchmarks/store_sync.py [--results 100000] [--scenarios 1000]
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

VERDICTS = 10
CRITERIA = ("friendly", "on_topic", "no_jargon", "asks_once", "keeps_price")


def write_journal(folder: Path, results: int, scenarios: int = 1_000) -> None:
    """A run of so many scenarios, each as often as it takes."""
    from grice.records import Conversation, Message, Outcome, Result, Turn, Verdict
    from grice.records.codec import encode
    from grice.running.journal.experiment import Experiment
    from grice.running.journal.form import JOURNAL_KIND, JOURNAL_VERSION, Head

    head = Experiment(folder.name, "2026-11-27T10:00:00.000Z", name="large", planned=results)
    turns = tuple(
        Turn(
            number,
            (
                Message("user", f"What does the room on floor {number} cost, with lunch for twelve people?"),
                Message("assistant", f"It is {90 + number} pounds a day, lunch is {number + 8} pounds each."),
            ),
            duration=0.25 * number,
        )
        for number in range(1, 5)
    )
    folder.mkdir(parents=True)
    with (folder / "main.jsonl").open("wb") as stream:
        stream.write(encode(Head(JOURNAL_VERSION, JOURNAL_KIND, head)) + b"\n")
        for number in range(results):
            scenario, repeat = number % scenarios, number // scenarios + 1
            verdicts = tuple(
                Verdict(
                    Outcome.FAIL if (number + one) % 17 == 0 else Outcome.PASS,
                    reason="the reply says what it costs",
                    matcher="toContain" if one % 2 else "toMatch",
                    claim=f"the reply to contain {one}",
                    criterion=CRITERIA[one // 2] if one % 2 else "",
                    mode="soft" if one % 2 else "hard",
                    turn=one % 4 + 1,
                )
                for one in range(VERDICTS)
            )
            outcome = (
                Outcome.FAIL
                if any(v.outcome is Outcome.FAIL and v.mode == "hard" for v in verdicts)
                else Outcome.PASS
            )
            result = Result(
                f"example:{scenario:012x}",
                f"scenario_{scenario}",
                outcome,
                Conversation(turns=turns),
                verdicts,
                file="tests/test_rooms.py",
                repeat=repeat,
            )
            stream.write(encode({"result": result}) + b"\n")


def sync(folder: Path, database: Path) -> dict[str, float]:
    from grice.store.database import open_database
    from grice.store.migrating import upgrade
    from grice.store.syncing import sync_run

    engine = open_database(f"sqlite:///{database}")
    upgrade(engine)
    before = _peak()
    begin = time.process_time()
    found = sync_run(engine, folder, "bench")
    seconds = time.process_time() - begin
    assert not found.problem, found
    return {"seconds": seconds, "results": found.read, "peak_mb": _peak(), "before_mb": before}


def plain(source: Path, database: Path) -> dict[str, float]:
    """The rows of `source` into the tables of another file, with tables that SQLAlchemy reflects."""
    from sqlalchemy import MetaData, insert, select

    from grice.store.database import open_database
    from grice.store.migrating import upgrade

    engine, origin = open_database(f"sqlite:///{database}"), open_database(f"sqlite:///{source}")
    upgrade(engine)
    metadata = MetaData()
    metadata.reflect(engine)
    seconds = rows = 0.0
    with origin.connect() as reading:
        for table in metadata.sorted_tables:
            if table.name == "alembic_version":
                continue
            stream = reading.execution_options(yield_per=10_000).execute(select(table)).mappings()
            for chunk in stream.partitions():
                batch = [dict(one) for one in chunk]
                begin = time.process_time()
                with engine.begin() as connection:
                    connection.execute(insert(table), batch)
                seconds += time.process_time() - begin
                rows += len(batch)
    return {"seconds": seconds, "rows": rows}


def _peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1_024


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--results", type=int, default=100_000)
    parser.add_argument("--scenarios", type=int, default=1_000)
    parser.add_argument("--side", nargs=3, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.side:
        side, source, database = given.side
        done = sync if side == "sync" else plain
        print(json.dumps(done(Path(source), Path(database))))
        return
    for results in sorted({min(10_000, given.results), given.results}):
        with tempfile.TemporaryDirectory() as work:
            folder = Path(work, "exp_000000000001")
            write_journal(folder, results, given.scenarios)
            synced = _side("sync", folder, Path(work, "synced.db"))
            inserted = _side("plain", Path(work, "synced.db"), Path(work, "plain.db"))
        ratio = synced["seconds"] / inserted["seconds"]
        print(
            f"{results:>9,} results: sync {synced['seconds']:6.1f} s, plain inserts "
            f"{inserted['seconds']:6.1f} s of {inserted['rows']:,.0f} rows, {ratio:.2f} times; "
            f"peak {synced['peak_mb']:.0f} MB"
        )
    print("bar: at most 2 times, and memory as for the tenth part")


def _side(*arguments: object) -> dict[str, float]:
    command = [sys.executable, __file__, "--side", *map(str, arguments)]
    found: dict[str, float] = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    return found


if __name__ == "__main__":
    main()
