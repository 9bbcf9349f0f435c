"""`grice run`: replay goldens and say what happened."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import msgspec
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from grice.agents import AgentLoadError
from grice.identity import fingerprint
from grice.records import Outcome, Result
from grice.reporting.console import console_for, print_line, print_problem, print_result, print_summary
from grice.reporting.json_file import check_json_path, write_json
from grice.running.golden import run_golden
from grice.running.settings import Projects, SettingsError
from grice.suites.golden_records import Golden
from grice.suites.goldens import GoldenErrors, find_goldens, is_golden_file, load_all, load_goldens
from grice.text import visible

__all__ = ["FAILED", "INTERRUPTED", "PASSED", "UNUSABLE", "run_goldens"]

PASSED, FAILED, UNUSABLE, INTERRUPTED = 0, 1, 2, 130


@dataclass
class _Run:
    """One run as it goes on: what is done, and how it ended."""

    goldens: list[Golden]
    projects: Projects
    update: bool
    results: list[Result] = field(default_factory=list)
    problem: str = ""
    interrupted: bool = False

    @property
    def exit_code(self) -> int:
        if self.interrupted:
            return INTERRUPTED
        if self.problem or not self.results:
            return UNUSABLE
        return PASSED if all(one.outcome is Outcome.PASS for one in self.results) else FAILED


def run_goldens(
    paths: Sequence[Path], *, agent: str | None, json: Path | None, update: bool, verbose: bool
) -> int:
    """Replay the goldens under `paths`.

    Returns the exit code: 0 all passed, 1 something did not, 2 nothing or not everything could be tested,
    130 interrupted.
    """
    console, errors = console_for(sys.stdout), console_for(sys.stderr)
    try:
        if json is not None:
            check_json_path(json)
        projects = Projects(Path.cwd(), agent=agent)
        goldens = load_all(find_goldens(_with_named(paths, projects)))
        for golden in goldens:
            projects.agent_for(Path(golden.file), golden.agent)
    except (GoldenErrors, SettingsError, AgentLoadError, OSError) as error:
        print_problem(errors, str(error))
        return UNUSABLE
    except SystemExit as error:
        print_problem(errors, f"importing the agent ended the program (SystemExit: {error})")
        return UNUSABLE
    run = _Run(goldens, projects, update)
    started = time.perf_counter()
    width = max(len(visible(golden.id, newlines=False)) for golden in goldens)
    detailed = True
    with _ends_told(run, errors):
        for result in _replayed(run, console):
            detailed = print_result(console, result, verbose=verbose, key_width=width)
    if not detailed:
        console.print()
    print_summary(console, run.results, time.perf_counter() - started, planned=len(goldens))
    return _written(run, json, errors)


def _with_named(paths: Sequence[Path], projects: Projects) -> Iterator[Path]:
    """The paths, with the files below a folder that its settings name as goldens."""
    for path in paths:
        named = projects.named_goldens(path) if path.is_dir() else []
        others = [file for file in named if not is_golden_file(file.name)]
        if not others or any(is_golden_file(file.name) for file in path.rglob("*")):
            yield path
        yield from others


@contextmanager
def _ends_told(run: _Run, errors: Console) -> Iterator[None]:
    """Whatever ends the run early is said, and what was finished stays."""
    try:
        yield
    except KeyboardInterrupt:
        run.interrupted = True
        print_problem(errors, f"interrupted after {len(run.results)} of {len(run.goldens)} goldens")
    except (AgentLoadError, GoldenErrors, OSError, SystemExit) as error:
        name = run.goldens[min(len(run.results), len(run.goldens) - 1)].id
        kind = "the agent ended the program (SystemExit)" if isinstance(error, SystemExit) else str(error)
        run.problem = f"golden {name}: {kind}"
        print_problem(errors, run.problem)


def _replayed(run: _Run, console: Console) -> Iterator[Result]:
    """The results one after the other, with a progress bar on a terminal."""
    columns = (TextColumn("replaying"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("", total=len(run.goldens))
        for golden in run.goldens:
            result = _replay(run, golden)
            if run.update and result.outcome is not Outcome.PASS:
                result = _updated(run, golden, result, console)
            run.results.append(result)
            yield result
            progress.advance(task)


def _replay(run: _Run, golden: Golden) -> Result:
    path = Path(golden.file)
    settings, target = run.projects.of(path), run.projects.agent_for(path, golden.agent)
    result = run_golden(golden, target, turn_timeout=settings.turn_timeout, timeout=settings.timeout)
    return msgspec.structs.replace(result, fingerprint=fingerprint(golden.content))


def _updated(run: _Run, golden: Golden, result: Result, console: Console) -> Result:
    """The result after the golden's observations were rewritten."""
    from grice.running.update import update_golden

    for note in update_golden(golden, result):
        print_line(console, visible(note), style="cyan")
    return _replay(run, next(one for one in load_goldens(golden.file) if one.id == golden.id))


def _written(run: _Run, json: Path | None, errors: Console) -> int:
    """The exit code, once the JSON file is there when one is wanted."""
    if json is None:
        return run.exit_code
    try:
        write_json(json, run.results, complete=len(run.results) == len(run.goldens))
    except OSError as error:
        print_problem(errors, f"{json}: cannot be written: {error.strerror or error}")
        return UNUSABLE
    return run.exit_code
