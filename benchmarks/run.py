"""Measure how fast Grice is beside plain code that does the same work: the rows of the README of this folder.

    python benchmarks/run.py                 every row, and what is slower than `last.json`
    python benchmarks/run.py suite scan      the rows whose name begins so
    python benchmarks/run.py --accept        write what was measured into `last.json`
    python benchmarks/run.py --rounds 1      one pair a row, as CI does

Each row has two contenders that take turns: one round that warms up, then five pairs. CPU time is user and
system time of a whole process tree. A row shows the median of the ratios and their quartiles, its spread.
A row that is slower is printed; only a contender that does not find what it should ends with an exit code.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent))

from speed import goldens, made_work, simulated  # type: ignore[import-not-found]  # beside this script

HERE = Path(__file__).resolve().parent
LAST = HERE / "last.json"
ROUNDS = 5
SUITE_TOLD = "991 passed, 9 failed"
LOG_TOLD = "6,777 of 100,000 conversations"

Contender = Callable[[], dict[str, float]]
"""Does the work once and returns what it took: `cpu` and `wall` in seconds, `memory` in MB, `calls`."""


class Row(NamedTuple):
    """A piece of work, its two contenders, and how many times the other's each measure may be."""

    name: str
    ours: Contender
    bare: Contender
    bars: dict[str, float]
    rounds: int = ROUNDS


class Ratio(NamedTuple):
    """The median of the rounds' ratios and their quartiles."""

    median: float
    low: float
    high: float


OTHERS = ("randomly", "xdist", "asyncio", "timeout", "hypothesispytest", "anyio", "sybil", "schemathesis")
"""Plugins of this environment that a session of the rows does without."""


def environment(folder: Path) -> dict[str, str]:
    """Variables of a contender: this checkout, and a cache of compiled modules of its own."""
    return {
        **{name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"},
        "PYTHONPATH": os.pathsep.join([str(HERE.parent / "src"), str(folder)]),
        "PYTHONPYCACHEPREFIX": str(folder / "pycache"),
        "NO_COLOR": "1",
    }


def run(
    folder: Path, command: str, *, told: str, times: int = 1, cores: int = 0, python: str = sys.executable
) -> dict[str, float]:
    """What a command of Python takes, with the processes it starts; `told` has to be in what it prints.

    `cores` says on how many it may run; 0 means all.
    """
    bound = ("taskset", "-c", f"0-{cores - 1}") if cores else ()
    spent = {"cpu": 0.0, "wall": 0.0}
    for _ in range(times):
        shutil.rmtree(folder / ".grice", ignore_errors=True)
        started = time.perf_counter()
        with subprocess.Popen(
            [*bound, python, *command.split()],
            cwd=folder,
            env=environment(folder),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        ) as child:
            assert child.stdout is not None
            printed = child.stdout.read().decode()
            _, status, usage = os.wait4(child.pid, 0)
            child.returncode = os.waitstatus_to_exitcode(status)
        spent["wall"] += time.perf_counter() - started
        spent["cpu"] += usage.ru_utime + usage.ru_stime
        if told not in printed:
            raise SystemExit(f"`{command}` did not print {told!r}, but:\n{printed[-3_000:]}")
    return spent


def peak(folder: Path, command: str, *, told: str) -> dict[str, float]:
    """The most memory of a command in MB. A small process starts it: a new one counts that of its parent."""
    code = (
        "import resource, subprocess, sys; subprocess.run([sys.executable, *sys.argv[1:]])\n"
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    )
    shutil.rmtree(folder / ".grice", ignore_errors=True)
    done = subprocess.run(
        [sys.executable, "-c", code, *command.split()],
        cwd=folder,
        env=environment(folder),
        capture_output=True,
        text=True,
        check=True,
    )
    if told not in done.stdout:
        raise SystemExit(f"`{command}` did not print {told!r}, but:\n{done.stdout[-3_000:]}")
    return {"memory": float(done.stdout.split()[-1]) / 1024}


def calls(folder: Path, arguments: str) -> dict[str, float]:
    """How many Python calls a pytest session makes, with no other plugin that this environment has."""
    done = subprocess.run(
        [sys.executable, "../count_calls.py", *arguments.split()],
        cwd=folder / "unrelated",
        env=environment(folder),
        capture_output=True,
        text=True,
        check=True,
    )
    return {"calls": float(done.stdout.split()[-2])}


def rows(folder: Path, stack: ExitStack) -> Iterator[Row]:
    """All rows; their files are made in the folder."""
    shutil.copytree(HERE / "speed" / "contenders", folder, dirs_exist_ok=True)
    made_work.make(folder)
    write_trivial_tests(folder)
    without = " ".join(f"-p no:{one}" for one in OTHERS)
    pytest = f"-m pytest -q -p no:cacheprovider {without}"
    suite = "-m grice run {} --agent shop:Shop"
    scan = "-m grice scan --checks checks.yaml chat_log.jsonl"
    go = partial(run, folder)

    yield Row(
        "suite",
        partial(go, suite.format("suite_1000.grice.json"), told=SUITE_TOLD),
        partial(go, "bare_suite.py", told=SUITE_TOLD),
        {"cpu": 4.5},
    )
    yield Row(
        "items",
        partial(go, f"{pytest} grice_items.py", told="9 failed, 991 passed"),
        partial(go, f"{pytest} -p no:grice plain_items.py", told="9 failed, 991 passed"),
        {"cpu": 1.5},
    )
    ours, bare = goldens.contenders(folder)
    yield Row("goldens", ours, bare, {"cpu": 3})
    yield Row(
        "golden items",
        partial(go, f"{pytest} all.golden.json --grice-agent shop:Shop", told="1000 passed"),
        partial(go, f"{pytest} -p no:grice plain_thousand.py", told="1000 passed"),
        {"cpu": 1.3},
    )
    ours, bare = stack.enter_context(simulated.contenders())
    yield Row("simulated", ours, bare, {"cpu": 1.8, "wall": 1.3})
    yield Row(
        "one test",
        partial(go, f"{pytest} one_test.py", told="1 passed", times=4),
        partial(go, f"{pytest} -p no:grice plain_one.py", told="1 passed", times=4),
        {"cpu": 1.2},
    )
    yield Row(
        "unrelated session",
        partial(calls, folder, f"{without} test_all.py"),
        partial(calls, folder, f"{without} -p no:grice test_all.py"),
        {"calls": 1.02},
        rounds=1,
    )
    yield Row(
        "scan",
        partial(go, scan, told=LOG_TOLD, cores=1),
        partial(go, "bare_scan.py", told=LOG_TOLD.replace(",", ""), cores=1),
        {"cpu": 2},
    )
    yield Row(
        "scan on two cores",
        partial(go, scan, told=LOG_TOLD, cores=2),
        partial(go, scan, told=LOG_TOLD, cores=1),
        {"wall": 0.6},
    )
    yield Row(
        "memory of suites",
        partial(peak, folder, suite.format("many"), told="9910 passed, 90 failed"),
        partial(peak, folder, suite.format("few"), told="98 passed, 2 failed"),
        {"memory": 1.1},
        rounds=1,
    )


def write_trivial_tests(folder: Path) -> None:
    """Files of one-line tests."""
    (folder / "unrelated").mkdir()
    for name, count in (("plain_one", 1), ("unrelated/test_all", 200), ("plain_thousand", 1_000)):
        tests = "".join(f"def test_{number}():\n    assert True\n" for number in range(count))
        (folder / f"{name}.py").write_text(tests, encoding="utf-8")


def measure(row: Row, rounds: int) -> dict[str, Ratio]:
    """The ratios of a row, by measure."""
    pairs = [(row.ours(), row.bare()) for _ in range(1 + min(rounds, row.rounds))][1:]
    found: dict[str, Ratio] = {}
    for name in row.bars:
        ratios = [ours[name] / bare[name] for ours, bare in pairs]
        low, median, high = (
            statistics.quantiles(ratios, n=4, method="inclusive") if len(ratios) > 1 else ratios * 3
        )
        found[name] = Ratio(round(median, 3), round(low, 3), round(high, 3))
        ours, bare = (statistics.median(one[name] for one in side) for side in zip(*pairs, strict=True))
        over = "" if median <= row.bars[name] else "  OVER THE BAR"
        print(
            f"{row.name:18} {name:7} {ours:10,.3f} {bare:10,.3f}  {median:7.3f} times "
            f"({low:.3f} to {high:.3f}), bar {row.bars[name]:g}{over}",
            flush=True,
        )
    return found


def slower(now: Ratio, last: list[float] | None) -> bool:
    """Whether a ratio is worse than the accepted one by more than the spreads of both, and by 2 %."""
    return last is not None and now.low > last[2] and now.median > 1.02 * last[0]


def main() -> None:
    """Measure, compare with `last.json`, and write it where asked."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("row", nargs="*", help="beginnings of the names of rows")
    parser.add_argument("--accept", action="store_true", help="write what was measured into last.json")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="pairs of each row, 5 unless told")
    given = parser.parse_args()
    least = 3 if given.accept else 1
    if given.rounds < least:
        parser.error(f"--rounds {given.rounds}: expected at least {least}")
    last = json.loads(LAST.read_text("utf-8")) if LAST.exists() else {}
    print(f"{'':26} {'Grice':>10} {'plain':>10}   ratio (quartiles)")
    now: dict[str, Ratio] = {}
    with tempfile.TemporaryDirectory() as name, ExitStack() as stack:
        for row in rows(Path(name), stack):
            if not given.row or row.name.startswith(tuple(given.row)):
                now |= {f"{row.name}, {what}": ratio for what, ratio in measure(row, given.rounds).items()}
                if given.accept:
                    LAST.write_text(json.dumps({**last, **now}, indent=2) + "\n", encoding="utf-8")
    if not now:
        parser.error(f"no row begins with {' or '.join(map(repr, given.row))}")
    worse = [name for name, ratio in now.items() if slower(ratio, last.get(name))]
    for name in worse:
        print(f"SLOWER than accepted: {name}: {now[name].median} times, was {last[name][0]}")


if __name__ == "__main__":
    main()
