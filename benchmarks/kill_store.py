"""A study, no benchmark: `grice db sync`, `push` and `upgrade` are killed with SIGKILL at any moment.

Each command begins with a database that lacks what it is to do, is killed at a moment drawn by seed, and is
killed again until it gets through, or was killed so often. After each kill:

- of the upgrade the version is the one before or that of this Grice, and the rows of PromptKitchen stand;
- of sync and push each run has as many results as were read of its journal, and none stands there twice;
  of each suite file all scenarios stand there or none, and no text of a prompt is two versions.

At the end the command runs through: the tables are those of a database that nobody killed anything of, and
`rebuild` gives the same. The exit code is 1 when any of it does not hold.

    python benchmarks/kill_store.py [--kills 10] [--seed 0] [--postgres]
"""

from __future__ import annotations

import argparse
import io
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sqlalchemy import Engine

TESTS = Path(__file__).parent.parent / "tests" / "store"
sys.path[:0] = [str(TESTS), str(TESTS.parent)]

Rows = dict[str, list[dict[str, Any]]]
RUNS, RESULTS = 2, 1_200
SUITES, SCENARIOS = 20, 50
OF_FILES = ("test_suites", "test_cases", "prompts", "prompt_history")
"""Tables into which `rebuild` reads suite files too, and `push` does not."""


class Broken(Exception):
    """Something that has to hold after a kill does not."""


def grice(*arguments: object) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "grice", "db", *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=os.environ)


def seconds_of(*arguments: object) -> float:
    """Run the command as a process to its end; its seconds."""
    begin = time.perf_counter()
    process = grice(*arguments)
    _, errors = process.communicate()
    if process.returncode:
        raise Broken(f"grice db {' '.join(map(str, arguments))}: {errors.decode()}")
    return time.perf_counter() - begin


def run(*arguments: object) -> None:
    """Run the command to its end in this process, where nobody kills it and all is imported already."""
    from grice.cli import main

    said = io.StringIO()
    code: object = 0
    with redirect_stdout(said), redirect_stderr(said):
        try:
            main(["db", *map(str, arguments)])
        except SystemExit as ended:
            code = ended.code
    if code:
        raise Broken(f"grice db {' '.join(map(str, arguments))}: {said.getvalue()}")


class Killer:
    """Kills commands at moments up to what they take, which changes with what else the machine does."""

    def __init__(self, draw: random.Random, seconds: float) -> None:
        self.draw = draw
        self.seconds = seconds

    def kill(self, *arguments: object) -> bool:
        """Run the command and kill it; whether it was still at it."""
        begin = time.perf_counter()
        process = grice(*arguments)
        try:
            process.wait(self.draw.uniform(0.4, 1.0) * self.seconds)
        except subprocess.TimeoutExpired:
            process.kill()
        process.communicate()
        if process.returncode >= 0:
            self.seconds = time.perf_counter() - begin
            return False
        self.seconds *= 1.02
        return True


def kill_upgrade(url: str, kills: int, draw: random.Random) -> int:
    from baseline import baseline_rows, make_baseline

    from grice.store.database import open_database
    from grice.store.migrating import head_version, version_of

    done = 0
    with fresh(url) as first:
        make_baseline(open_database(first))
        killer = Killer(draw, seconds_of("upgrade", "--url", first))
    while done < kills:
        with fresh(url) as meant:
            engine = open_database(meant)
            make_baseline(engine)
            before = baseline_rows(engine)
            done += killer.kill("upgrade", "--url", meant)
            with engine.connect() as connection:
                version = version_of(connection)
            if version not in ("", head_version()) or baseline_rows(engine) != before:
                raise Broken(f"upgrade: version {version!r}, or other rows than before")
            run("upgrade", "--url", meant)
            if baseline_rows(engine) != before:
                raise Broken("upgrade: other rows than before")
            engine.dispose()
    return done


def kill_reading(url: str, kills: int, draw: random.Random, command: str, runs: Path) -> int:
    from grice.store.database import open_database

    def arguments(meant: str) -> list[list[object]]:
        told: list[object] = ["--runs", runs, "--url", meant]
        names = sorted(one.name for one in runs.iterdir())
        return [["sync", *told]] if command == "sync" else [["push", name, *told] for name in names]

    with fresh(url) as first:
        killer = Killer(draw, max(seconds_of(*each) for each in arguments(first)))
        engine = open_database(first)
        wanted = {"": standing(engine)}
        run("rebuild", "--runs", runs, "--url", first)
        wanted["rebuild"] = standing(engine)
        engine.dispose()
    changed = set(other_tables(wanted[""], wanted["rebuild"]))
    if changed - set(OF_FILES if command == "push" else ()):
        raise Broken(f"rebuild after {command}: other rows in {', '.join(sorted(changed))}")
    done = 0
    while done < kills:
        with fresh(url) as meant:
            run("upgrade", "--url", meant)
            engine = open_database(meant)
            while done < kills and killer.kill(*draw.choice(arguments(meant))):
                done += 1
                check(standing(engine))
            for each in arguments(meant):
                run(*each)
            for why in ("", "rebuild"):
                if why:
                    run("rebuild", "--runs", runs, "--url", meant)
                if other := other_tables(wanted[why], standing(engine)):
                    raise Broken(f"{why or command}: other rows in {', '.join(other)}")
            engine.dispose()
    return done


def standing(engine: Engine) -> Rows:
    """Everything that stands in the tables, but for when it was written."""
    from journals import rows

    found = rows(engine)
    for version in found["prompt_history"]:
        version["kept_at"] = None
    return found


def other_tables(wanted: Rows, found: Rows) -> list[str]:
    return [name for name in wanted if found[name] != wanted[name]]


def write_suites(project: Path) -> None:
    """Suite files, each with a prompt of its own."""
    for number in range(SUITES):
        (project / f"prompt_{number}.md").write_text(f"Answer number {number}: {{{{question}}}}\n")
        scenarios = "".join(
            f"  - {{id: s{number}-{each}, inputs: {{question: What costs {each}?}}, "
            f"expect: [{{matcher: toBeTruthy}}]}}\n"
            for each in range(SCENARIOS)
        )
        text = f"prompt: prompt_{number}.md\nscenarios:\n{scenarios}"
        (project / f"suite_{number}.grice.yaml").write_text(text)


def check(found: Rows) -> None:
    """Whether each run has what was read of its journal, once, and suites and prompts are whole."""
    for suite in found["test_suites"]:
        number = sum(
            one["test_suite_id"] == suite["id"] and one["content"] is not None for one in found["test_cases"]
        )
        if suite["fingerprint"] is not None and number != SCENARIOS:
            raise Broken(f"{suite['source_file']}: {number} cases of {SCENARIOS}")
    kept = [(one["prompt_id"], one["version"]) for one in found["prompt_history"]]
    for prompt in found["prompts"]:
        if kept.count((prompt["id"], 1)) != 1 or kept.count((prompt["id"], 2)):
            raise Broken(f"{prompt['name']}: versions other than one")
    for file in found["journal_files"]:
        held = [one for one in found["conversations"] if one["run_id"] == file["run_id"]]
        if len(held) != file["results"] or len({one["stable_id"] for one in held}) != len(held):
            raise Broken(f"{file['run_id']}: {len(held)} conversations, {file['results']} were read")


@contextmanager
def fresh(url: str) -> Iterator[str]:
    """An empty database."""
    if not url:
        with tempfile.TemporaryDirectory() as folder:
            yield f"sqlite:///{folder}/grice.db"
        return
    from grice.store.database import open_database

    engine = open_database(url)
    with engine.begin() as connection:
        connection.exec_driver_sql("DROP SCHEMA IF EXISTS public CASCADE")
        connection.exec_driver_sql("CREATE SCHEMA public")
    engine.dispose()
    yield url


def study(kills: int, seed: int, url: str) -> None:
    from journals import write_run

    draw = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        runs = Path(folder, "runs")
        for number in range(RUNS):
            write_run(runs, f"exp_{number}", "+-?" * (RESULTS // 3), day=number + 1)
        write_suites(Path(folder))
        for command in ("sync", "push"):
            done = kill_reading(url, kills, draw, command, runs)
            print(f"{command}: {done} kills, all is well")
        print(f"upgrade: {kill_upgrade(url, kills, draw)} kills, all is well")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--postgres", action="store_true", help="in a cluster that is started for it")
    given = parser.parse_args()
    try:
        if given.postgres:
            from postgres import cluster

            with cluster() as url:
                study(given.kills, given.seed, url)
        else:
            study(given.kills, given.seed, "")
    except Broken as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
