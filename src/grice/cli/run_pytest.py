"""`grice run` with Python tests: pytest, in this process, with the recorder on."""

from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import Iterator, Sequence, Set
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console

from grice.cli.exit_codes import FAILED, INTERRUPTED, NOBODY_READS, PASSED, UNUSABLE
from grice.records import Outcome
from grice.reporting.console import print_problem
from grice.reporting.json_file import write_json
from grice.running.journal.form import JournalError
from grice.running.journal.reading import collect_run, read_run

if TYPE_CHECKING:
    from grice.cli.run import RunArguments

__all__ = ["run_by_pytest"]


class Door:
    """Tells pytest's session which command it is, and sees how it ends."""

    def __init__(self, command: Sequence[str]) -> None:
        self.command = command
        self.kept: dict[str, None] = {}
        self.interrupted = False

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Remember where the result is kept."""
        folder = getattr(report, "grice_kept", "")
        if folder:
            self.kept[folder] = None

    def pytest_keyboard_interrupt(self, excinfo: Any) -> None:
        """Remember that Ctrl-C ended it; pytest says so of errors at collection too."""
        self.interrupted = excinfo.type is KeyboardInterrupt


def run_by_pytest(arguments: RunArguments, runs: Path, results: Path | None, errors: Console) -> int:
    """Run the tests, goldens and suites of the paths; the exit code, as `grice run` has it."""
    if importlib.util.find_spec("pytest") is None:
        print_problem(errors, "Python tests are run by pytest, which is not installed: pip install pytest")
        return UNUSABLE
    import pytest

    door = Door(arguments.command)
    plugins: list[object] = [_Named(door)]
    sys.stdout.flush()
    try:
        code = pytest.main([*_options(arguments, runs, results), *map(str, arguments.paths)], plugins=plugins)
    except BrokenPipeError:
        return NOBODY_READS
    try:
        found = {one for folder in door.kept for one in _outcomes(Path(folder))}
        if arguments.json is not None:
            runs_kept = [read_run(Path(folder)) for folder in door.kept]
            finished = [result for run in runs_kept for result in run.results]
            complete = bool(runs_kept) and all(run.complete for run in runs_kept)
            write_json(arguments.json, finished, complete=complete)
    except (JournalError, OSError) as error:
        print_problem(errors, f"the results cannot be read or written: {error}")
        return UNUSABLE
    if door.interrupted:
        return INTERRUPTED
    if not door.kept and code == pytest.ExitCode.NO_TESTS_COLLECTED:
        chosen = "-k chooses none that asks" if arguments.keyword else "none asks"
        print_problem(errors, f"no test was run: {chosen} for a fixture of Grice")
    outcomes = {outcome for outcome, _ in found}
    if Outcome.PASS in outcomes and not any(counts for _, counts in found):
        print_problem(errors, "no conversation counts: nothing was found out about the agent, see the report")
        return UNUSABLE
    return _exit_code(int(code), outcomes)


def _outcomes(folder: Path) -> Sequence[tuple[Outcome, bool]]:
    """Those of everything that the run has finished, and whether they count. Raises JournalError."""
    return collect_run(folder, lambda result: (result.outcome, result.counts)).results


def _exit_code(code: int, outcomes: Set[Outcome]) -> int:
    """The exit code of the run for that of pytest; a run that goes on is judged with what was finished."""
    if code not in (0, 1, 5) or (not outcomes and code != 1):
        return UNUSABLE
    if code == 1 or not outcomes <= {Outcome.PASS, Outcome.SKIPPED}:
        return FAILED
    return UNUSABLE if outcomes <= {Outcome.SKIPPED} else PASSED


class _Named:
    """Registers the door under its name."""

    def __init__(self, door: Door) -> None:
        self._door = door

    def pytest_configure(self, config: Any) -> None:
        """Register it, before the plugin of Grice asks for it."""
        config.pluginmanager.register(self._door, "grice-door")


def _nobody_loads_grice() -> bool:
    """Whether pytest is told to load no plugin by itself, and the plugin of Grice is not named either."""
    named = " ".join(os.environ.get(name, "") for name in ("PYTEST_PLUGINS", "PYTEST_ADDOPTS"))
    return bool(os.environ.get("PYTEST_DISABLE_PLUGIN_AUTOLOAD")) and "grice" not in named


def _options(arguments: RunArguments, runs: Path, results: Path | None) -> Iterator[str]:
    """The command line of pytest for the same."""
    yield from ("-p", "grice") if _nobody_loads_grice() else ()
    yield from ("--grice-only", f"--grice-store={runs}")
    given = {
        "agent": arguments.agent,
        "record": arguments.record,
        "resume": arguments.resume,
        "name": arguments.name,
        "concurrency": arguments.concurrency,
        "seed": arguments.seed,
        "results": results,
    }
    yield from (f"--grice-{name}={value}" for name, value in given.items() if value)
    yield from (f"--grice-tag={tag}" for tag in arguments.tags)
    yield f"--grice-repeat={arguments.repeat}"
    switches = {"update": arguments.update, "strict": arguments.strict, "mix": arguments.mix}
    yield from (f"--grice-{name}" for name, given in switches.items() if given)
    yield from ("-v",) if arguments.verbose else ()
    yield from ("-x",) if arguments.stop_at_first else ()
    yield from ("--last-failed",) if arguments.last_failed else ()
    yield from ("-k", arguments.keyword) if arguments.keyword else ()
    yield from ("-n", arguments.workers) if arguments.workers else ()
