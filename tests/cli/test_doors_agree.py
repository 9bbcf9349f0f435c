"""The same project by `pytest --grice-store` and by `grice run`: items, outcomes, verdicts, and records."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from grice.records import Result
from grice.running.journal.experiment import Experiment
from grice.running.journal.reading import read_run

EXAMPLES = Path(__file__).parents[2] / "examples"
WITH_TESTS = sorted(
    folder.name
    for folder in EXAMPLES.iterdir()
    if any(folder.rglob("test_*.py")) or any(folder.rglob("*.grice.yaml"))
)
OWN = {"duration", "latency", "started", "ended", "elapsed"}
OF_THE_RUN = {"id", "timestamp", "command"}


def door(folder: Path, *command: str) -> tuple[Experiment | None, dict[tuple[str, int], object]]:
    """The head of the run, None where nothing is run, and each of its results without what a clock said."""
    runs = folder / f"runs-{command[0]}"
    options = ("--grice-only", f"--grice-store={runs}") if command[0] == "pytest" else ("--runs", str(runs))
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    done = subprocess.run(
        [sys.executable, "-m", *command, *options, "."],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
    )
    kept = list(runs.glob("exp_*"))
    if not kept:
        assert done.returncode in (2, pytest.ExitCode.NO_TESTS_COLLECTED), done.stdout + done.stderr
        return None, {}
    assert len(kept) == 1
    run = read_run(kept[0])
    return run.experiment, {(one.id, one.repeat): plain(one) for one in run.results}


def plain(result: Result) -> object:
    return without_times(msgspec.to_builtins(result))


def without_times(value: object) -> object:
    if isinstance(value, dict):
        return {name: without_times(one) for name, one in value.items() if name not in OWN}
    if isinstance(value, list | tuple):
        return [without_times(one) for one in value]
    return re.sub(r"\d+\.\d+ s\b", "N s", value) if isinstance(value, str) else value


@pytest.mark.slow
@pytest.mark.parametrize("name", WITH_TESTS)
def test_both_doors_keep_the_same(tmp_path: Path, name: str) -> None:
    folder = tmp_path / name
    shutil.copytree(EXAMPLES / name, folder, ignore=shutil.ignore_patterns("__pycache__", ".grice"))
    head, by_pytest = door(folder, "pytest", "-p", "grice")
    other, by_grice = door(folder, "grice", "run")
    assert by_pytest.keys() == by_grice.keys()
    for key, result in by_pytest.items():
        assert result == by_grice[key], key
    for field in Experiment.__struct_fields__:
        if head is not None and field not in OF_THE_RUN:
            assert getattr(head, field) == getattr(other, field), field
