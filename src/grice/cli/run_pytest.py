"""`grice run` with Python tests: pytest, in this process, with the recorder on."""

from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from grice.cli.exit_codes import FAILED, INTERRUPTED, NOBODY_READS, PASSED, UNUSABLE
from grice.cli.run import Command
from grice.records import Outcome, Result
from grice.reporting.console import Screen, print_problem
from grice.reporting.json_file import write_json
from grice.running.journal.form import JournalError
from grice.running.journal.reading import Run, collect_run, read_run
from grice.running.outcomes import NO_AGENT, judged_together
from grice.running.planned_conversations import outline_of


class Door:
    """Tells pytest's session which command it is and the id of its run, and sees how it ends."""

    def __init__(self, command: Sequence[str], run_id: str) -> None:
        self.command = command
        self.run_id = run_id
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


def run_by_pytest(arguments: Command, runs: Path, results: Path | None, errors: Screen) -> int:
    """Run the tests, goldens and suites of the paths; the exit code, as `grice run` has it."""
    if importlib.util.find_spec("pytest") is None:
        print_problem(errors, "Python tests are run by pytest, which is not installed: pip install pytest")
        return UNUSABLE
    import pytest

    door = Door(("grice", *sys.argv[1:]), arguments.run_id or "")
    plugins: list[object] = [_Named(door)]
    sys.stdout.flush()
    try:
        code = pytest.main([*_options(arguments, runs, results), *map(str, arguments.paths)], plugins=plugins)
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # for what is flushed at the end
        return NOBODY_READS
    try:
        kept = [_outlined(Path(folder)) for folder in door.kept]
        if arguments.json is not None:
            finished = [result for run in kept for result in read_run(run.folder).results]
            complete = bool(kept) and all(run.complete for run in kept)
            write_json(arguments.json, finished, complete=complete)
    except (JournalError, OSError) as error:
        print_problem(errors, f"the results cannot be read or written: {error}")
        return UNUSABLE
    if door.interrupted:
        return INTERRUPTED
    if not door.kept and code == pytest.ExitCode.NO_TESTS_COLLECTED:
        chosen = "-k chooses none that asks" if arguments.keyword else "none asks"
        print_problem(errors, f"no test was run: {chosen} for a fixture of Grice")
    ended, why = _ending(int(code), kept)
    for problem in why:
        print_problem(errors, problem)
    return ended


def _outlined(folder: Path) -> Run:
    """The run without what was said in it. Raises JournalError."""
    found = collect_run(folder, outline_of)
    return Run(folder, found.heads, found.results, found.notes)


def _ending(code: int, kept: Sequence[Run]) -> tuple[int, list[str]]:
    """The exit code of the run for that of pytest, and why where pytest does not say so itself.

    A run that goes on is judged with what was finished before.
    """
    results = judged_together(result for run in kept for result in run.results)
    good = (Outcome.PASS, Outcome.SKIPPED)
    bad = [one for one in results if one.outcome not in good]
    if any(one.claim == NO_AGENT for result in bad for one in result.verdicts):
        return UNUSABLE, []
    if code not in (0, 1, 5) or code == 1:
        return (FAILED if code == 1 else UNUSABLE), []
    if bad:
        return FAILED, [_said(one) for one in bad[:_TOLD]]
    passed = [one for one in results if one.outcome is Outcome.PASS]
    if passed and not any(one.counts for one in passed):
        return UNUSABLE, ["no conversation counts: nothing was found out about the agent, see the report"]
    cut = sum((run.planned or 0) - len(run.results) for run in kept if not run.complete)
    if cut > 0:
        return UNUSABLE, [f"the run was cut short: {cut} conversations were not finished; resume it"]
    if not results and code == 0:
        return UNUSABLE, ["no conversation was held: nothing was found out about the agent"]
    return (PASSED if passed else UNUSABLE), []


def _said(result: Result) -> str:
    """Why a result is none that passed."""
    verdict = next((one for one in result.verdicts if one.outcome is result.outcome), None)
    reason = f": {verdict.reason}" if verdict is not None and verdict.reason else ""
    return f"{result.key}: {result.outcome}{reason}"


_TOLD = 5


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


def _options(arguments: Command, runs: Path, results: Path | None) -> Iterator[str]:
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
