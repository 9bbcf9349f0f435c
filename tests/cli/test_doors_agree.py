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


Kept = tuple[Experiment | None, dict[tuple[str, int], object], int]


def door(folder: Path, *command: str) -> Kept:
    """The head of the run, if there was one, its results without what a clock said, and the exit code."""
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
        return None, {}, done.returncode
    assert len(kept) == 1
    run = read_run(kept[0])
    return run.experiment, {(one.id, one.repeat): plain(one) for one in run.results}, done.returncode


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
    assert_same(door(folder, "pytest", "-p", "grice"), door(folder, "grice", "run"))


def assert_same(pytests: Kept, own: Kept) -> None:
    head, by_pytest, _ = pytests
    other, by_grice, _ = own
    assert by_pytest.keys() == by_grice.keys()
    for key, result in by_pytest.items():
        assert result == by_grice[key], key
    for field in Experiment.__struct_fields__:
        if head is not None and field not in OF_THE_RUN:
            assert getattr(head, field) == getattr(other, field), field


BOTS = """
def agent(text):
    if "break" in text:
        raise ValueError("no tables left")
    return f"you said {text}"
"""
SUITE = """
scenarios:
  - {id: good, say: hello, expect: [{matcher: toContain, expected: hello}]}
  - {id: bad, say: hello, expect: [{matcher: toContain, expected: bye}]}
  - {id: soft, say: hello, evaluate: [{matcher: toContain, expected: bye}]}
  - {id: breaks, say: break, expect: [{matcher: toContain, expected: hello}]}
  - {id: skipped, say: hello, run_mode: SKIP, expect: [{matcher: toContain, expected: hello}]}
  - {id: nobody, say: hello, agent: "bots:nobody", expect: [{matcher: toContain, expected: hello}]}
"""
GOLDEN = """
id: greets
userMessage: Hi
mockLlmResponses: [{step: chat, content: Hello}]
assertions: {finalText: {contains: you}}
"""


@pytest.mark.parametrize("repeat", [1, 2])
def test_suites_and_goldens_without_a_conftest_are_the_same_by_their_own_door(
    tmp_path: Path, repeat: int
) -> None:
    (tmp_path / "pyproject.toml").write_text('[tool.grice]\nagent = "bots:agent"\n')
    (tmp_path / "bots.py").write_text(BOTS)
    (tmp_path / "all.grice.yaml").write_text(SUITE)
    (tmp_path / "one.golden.yaml").write_text(GOLDEN)
    by_pytest = door(tmp_path, "pytest", "-p", "grice", f"--grice-repeat={repeat}")
    own = door(tmp_path, "grice", "run", f"--repeat={repeat}")
    assert_same(by_pytest, own)
    assert len(own[1]) == 7 * repeat - (repeat - 1)  # what is left out is so once
    assert (by_pytest[2], own[2]) == (1, 2)  # an agent is missing: not everything was tested
