"""`grice run`: replay goldens and say what happened."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from grice.agents import AgentLoadError
from grice.records import Outcome, Result
from grice.reporting.console import console_for, print_problem, print_result, print_summary
from grice.reporting.json_file import write_json
from grice.running.interrupts import stops_the_run
from grice.running.replay import Replay, replay, unplayed
from grice.running.settings import Projects, SettingsError
from grice.suites.folders import files_below
from grice.suites.golden_records import Golden
from grice.suites.goldens import GoldenErrors, find_goldens, is_golden_file, load_all
from grice.suites.writing import check_output
from grice.text import visible

__all__ = ["FAILED", "INTERRUPTED", "NOBODY_READS", "PASSED", "UNUSABLE", "run_goldens"]

PASSED, FAILED, UNUSABLE, INTERRUPTED, NOBODY_READS = 0, 1, 2, 130, 141


@dataclass
class _Run:
    """One run as it goes on: what is done, and how it ended."""

    goldens: list[Golden]
    projects: Projects
    update: bool
    results: list[Result] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    """Why agents could not be had, each said once."""
    stopped: int = 0
    """The exit code of a run that was stopped early."""
    complete: bool = False
    """Whether every golden was replayed and shown."""

    @property
    def exit_code(self) -> int:
        if self.stopped:
            return self.stopped
        if self.problems or not self.results:
            return UNUSABLE
        return PASSED if all(one.outcome is Outcome.PASS for one in self.results) else FAILED


def run_goldens(
    paths: Sequence[Path], *, agent: str | None, json: Path | None, update: bool, verbose: bool
) -> int:
    """Replay the goldens under `paths`.

    Returns the exit code: 0 all passed, 1 something did not, 2 nothing or not everything could be tested,
    130 interrupted, 141 nobody reads the output any more.
    """
    console, errors = console_for(sys.stdout), console_for(sys.stderr)
    try:
        projects = Projects(Path.cwd(), agent=agent)
        files = find_goldens(_with_named(paths, projects))
        if json is not None:
            check_output(json, files)
        run = _Run(load_all(files), projects, update)
        _refuse_without_any_agent(run)
    except (GoldenErrors, SettingsError, AgentLoadError, OSError) as error:
        print_problem(errors, str(error))
        return UNUSABLE
    started = time.perf_counter()
    try:
        with _interrupt_told(run, errors):
            _show_replays(run, console, verbose=verbose)
    finally:  # what was replayed is told and kept even when Grice itself fails
        print_summary(console, run.results, time.perf_counter() - started, planned=len(run.goldens))
        for problem in run.problems:
            print_problem(errors, problem)
        code = _written(run, json, errors)
    return code


def _show_replays(run: _Run, console: Console, *, verbose: bool) -> None:
    """Replay the goldens and print each result, as long as somebody reads them."""
    width = max(len(visible(golden.id, newlines=False)) for golden in run.goldens)
    ends_blank = True
    try:
        for result, notes in _replayed(run, console):
            ends_blank = print_result(console, result, verbose=verbose, key_width=width, notes=notes)
            if console.quiet:
                run.stopped = NOBODY_READS
                break
        else:
            run.complete = True
    finally:
        if not ends_blank:
            console.print()


def _with_named(paths: Sequence[Path], projects: Projects) -> Iterator[Path]:
    """The paths, with the files below a folder that its settings name as goldens."""
    for path in paths:
        named = projects.named_goldens(path) if path.is_dir() else []
        others = [file for file in named if not is_golden_file(file.name)]
        if not others or any(is_golden_file(file.name) for file in files_below(path)):
            yield path
        yield from others


def _refuse_without_any_agent(run: _Run) -> None:
    """Raise AgentLoadError with every reason when no golden at all has an agent that can be loaded."""
    reasons: dict[str, None] = {}
    without = 0
    for golden in run.goldens:
        try:
            run.projects.agent_for(Path(golden.file), golden.agent)
        except AgentLoadError as error:
            reasons[str(error)] = None
            without += 1
    if without == len(run.goldens):
        raise AgentLoadError("\n".join(reasons))


@contextmanager
def _interrupt_told(run: _Run, errors: Console) -> Iterator[None]:
    """Ctrl-C ends the run, and what was finished stays."""
    try:
        yield
    except KeyboardInterrupt:
        run.stopped = INTERRUPTED
        print_problem(errors, f"interrupted after {len(run.results)} of {len(run.goldens)} goldens")


def _replayed(run: _Run, console: Console) -> Iterator[Replay]:
    """The replays one after the other, with a progress bar on a terminal."""
    columns = (TextColumn("replaying"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("", total=len(run.goldens))
        for golden in run.goldens:
            replayed = _replay(run, golden)
            run.results.append(replayed.result)
            yield replayed
            progress.advance(task)


def _replay(run: _Run, golden: Golden) -> Replay:
    """The replay of a golden; an agent that cannot be had is an error of this golden, and a problem."""
    path = Path(golden.file)
    try:
        target = run.projects.agent_for(path, golden.agent)
        return replay(golden, target, run.projects.of(path), update=run.update)
    except AgentLoadError as error:
        reason = str(error)
    except BaseException as error:
        if isinstance(error, Exception) or stops_the_run(error):
            raise
        name = type(error).__name__
        reason = f"the agent ended the program while it was made ({name}: {visible(str(error))})"
    if reason not in run.problems:
        run.problems.append(reason)
    return Replay(unplayed(golden, reason), [])


def _written(run: _Run, json: Path | None, errors: Console) -> int:
    """The exit code, once the JSON file is there when one is wanted."""
    if json is None:
        return run.exit_code
    try:
        write_json(json, run.results, complete=run.complete)
    except OSError as error:
        print_problem(errors, f"{json}: cannot be written: {error.strerror or error}")
        return UNUSABLE
    return run.exit_code
