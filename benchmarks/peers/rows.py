"""Grice beside pydantic-evals, DeepEval and Inspect on the same work, each in an environment of its own.

    python benchmarks/peers/rows.py [--rounds 5] [--environments build/peers]

Two rows: the suite of 1,000 conversations of 4 turns with 6 checks, and six checks over the first 2,000
conversations of the log. Everybody plays back the same replies, finds the same failures and takes turns; what
is read is the CPU time of the whole process tree, as a multiple of Grice's. The peers call checks in plain
Python: what differs is the framework.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import venv
from functools import partial
from itertools import islice
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from run import Contender, run  # type: ignore[import-not-found]  # in the folder above
from speed import made_work  # type: ignore[import-not-found]  # in the folder above

HERE = Path(__file__).resolve().parent
PEERS = ("pydantic-evals", "deepeval", "inspect-ai")
ROWS = {
    "suite": (
        "-m grice run suite_1000.grice.json --agent shop:Shop",
        "991 passed, 9 failed",
        "991 passed, 9 failed",
    ),
    "log": (
        "-m grice scan --checks checks.yaml chat_log_2000.jsonl",
        "135 of 2,000 conversations",
        "1865 passed, 135 failed",
    ),
}
LOGGED = 2_000


def environment_of(peer: str, folder: Path) -> str:
    """The interpreter of an environment that has the peer, made when it is not there."""
    python = folder / peer / "bin" / "python"
    if not python.exists():
        venv.create(folder / peer, with_pip=True)
        subprocess.run([python, "-m", "pip", "install", "-q", peer], check=True)
    asked = f"import importlib.metadata as m; print(m.version({peer!r}))"
    version = subprocess.run([python, "-c", asked], check=True, capture_output=True, text=True).stdout.strip()
    print(f"{peer} {version}", flush=True)
    return str(python)


def make_work(folder: Path) -> None:
    """Write what all read, and copy what they run, into the folder."""
    shutil.copytree(HERE.parent / "speed" / "contenders", folder, dirs_exist_ok=True)
    for script in HERE.glob("*_rows.py"):
        shutil.copy(script, folder)
    made_work.make(folder)
    for name in ("log", "chat_log"):
        with (folder / f"{name}.jsonl").open("rb") as whole:
            (folder / f"{name}_{LOGGED}.jsonl").write_bytes(b"".join(islice(whole, LOGGED)))


def main() -> None:
    """Measure and print both rows."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--environments", type=Path, default=HERE.parents[1] / "build" / "peers")
    given = parser.parse_args()
    os.environ["DEEPEVAL_TELEMETRY_OPT_OUT"] = "YES"
    pythons = {peer: environment_of(peer, given.environments.resolve()) for peer in PEERS}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        make_work(folder)
        for row, (command, told, told_by_peers) in ROWS.items():
            contenders: dict[str, Contender] = {"grice": partial(run, folder, command, told=told)}
            for peer, python in pythons.items():
                script = f"{peer.replace('-', '_')}_rows.py {row}"
                contenders[peer] = partial(run, folder, script, told=told_by_peers, python=python)
            rounds = [
                {name: one()["cpu"] for name, one in contenders.items()} for _ in range(1 + given.rounds)
            ][1:]
            for name in contenders:
                seconds = statistics.median(one[name] for one in rounds)
                ratios = sorted(one[name] / one["grice"] for one in rounds)
                print(
                    f"{row:6} {name:15} {seconds:7.2f} s  {statistics.median(ratios):6.2f} times Grice's "
                    f"({ratios[0]:.2f} to {ratios[-1]:.2f})",
                    flush=True,
                )


if __name__ == "__main__":
    main()
