"""The work of `grice baseline`: named baselines, to be committed with the code."""

from __future__ import annotations

import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from grice.cli.baseline import Command
from grice.cli.exit_codes import NOBODY_READS, PASSED, UNUSABLE
from grice.experiments.baselines import (
    baseline_path,
    baselines_folder,
    folder_problem,
    known_baselines,
    load_replaced,
    read_baseline_file,
    results_of,
    save_baseline,
)
from grice.experiments.loading import read_experiment
from grice.experiments.results import ExperimentResults
from grice.experiments.unfinished import why_mixed
from grice.files.settings_files import SettingsError
from grice.reporting.console import Screen, print_line, print_problem, screen_for
from grice.reporting.figures_text import counted_rate
from grice.running.journal.form import JournalError
from grice.running.runs_folder import runs_folder
from grice.text import visible

_OUTPUT = "standard output"


def keep_baseline(given: Command) -> int:
    """Save the run as the named baseline; the exit code."""
    name, accept = given.name, given.accept
    console, errors = screen_for(sys.stdout), screen_for(sys.stderr)
    where = _OUTPUT
    try:
        folder = baselines_folder()
        path = baseline_path(name, folder)
        results = read_experiment(given.run, runs=runs_folder(given.runs), named=False)
        if accept and path.exists():
            _print_change(console, name, load_replaced(path), results)
        where = str(path)
        saved = save_baseline(name, results, folder, accept=accept)
        where = _OUTPUT
        print_line(console, visible(f"{name} is {_told(results)}", newlines=False))
        print_line(console, visible(f"kept in {_shown(saved)}; commit it with the code", newlines=False))
    except (JournalError, SettingsError) as error:
        print_problem(errors, f"error: {error}")
        return UNUSABLE
    except OSError as error:
        place, what = error.filename or where, "answer" if where == _OUTPUT else "baseline"
        reason = f"{place}: {error.strerror or error}"
        print_problem(errors, f"error: the {what} cannot be written: {reason}")
        return UNUSABLE
    if mixed := why_mixed(results):
        print_line(errors, visible(f"warning: {results.id}: {mixed}", newlines=False), style="yellow")
    return NOBODY_READS if console.quiet else PASSED


def _print_change(
    console: Screen, name: str, before: ExperimentResults | None, now: ExperimentResults
) -> None:
    """What the new baseline is against the one that it replaces, unless that was edited since it was kept."""
    if before is None:
        print_line(console, f"the file of {name} was edited or merged since it was kept: it is not compared")
        return
    from grice.experiments.comparison.comparing import compare
    from grice.reporting.comparison.answer import answer

    print_line(console, visible(f"{name} was {_told(before)}", newlines=False))
    print_line(console, visible(answer(compare(before, now)), newlines=False))


def _told(results: ExperimentResults) -> str:
    """The experiment with its completion: `exp_1 "Prompt v1", completion 82.9% (39/47)`."""
    named = f'{results.id} "{results.name}"' if results.name else results.id
    completion = results.summary.completion
    if not completion.total:
        return f"{named}, nothing counts"
    if results.summary.never_checked:
        return f"{named}, completion was never checked: no conversation has a hard check"
    return f"{named}, completion {counted_rate(completion)}"


def _shown(path: Path) -> str:
    here = Path.cwd().resolve()
    return str(path.relative_to(here) if path.is_relative_to(here) else path)


def list_baselines(*, clock: Callable[[], datetime] | None = None) -> int:
    """Show every named baseline with its age; the exit code.

    0: shown, also when there are none. 2: one cannot be read, or the settings are wrong.
    """
    console, errors = screen_for(sys.stdout), screen_for(sys.stderr)
    try:
        folder = baselines_folder()
    except SettingsError as error:
        print_problem(errors, f"error: {error}")
        return UNUSABLE
    if problem := folder_problem(Path(_shown(folder))):
        print_problem(errors, f"error: {problem}")
        return UNUSABLE
    try:
        problems = _print_list(console, folder, clock() if clock is not None else datetime.now(UTC))
    except OSError as error:
        print_problem(errors, f"error: the answer cannot be written: {_OUTPUT}: {error.strerror or error}")
        return UNUSABLE
    for problem in problems:
        print_problem(errors, f"error: {problem}")
    if console.quiet:
        return NOBODY_READS
    return UNUSABLE if problems else PASSED


def _print_list(console: Screen, folder: Path, now: datetime) -> list[str]:
    """A line for each baseline; what is wrong with those that cannot be read."""
    known = known_baselines(folder)
    if not known:
        print_line(console, f"no baselines in {_shown(folder)}: grice baseline NAME [RUN] keeps one")
    width = max(map(len, known), default=0)
    problems: list[str] = []
    for name, path in known.items():
        try:
            found = read_baseline_file(path)
        except JournalError as error:
            problems.append(str(error))
            continue
        told = f"{name:<{width}}  {_age(found.accepted, now)}  {_told(results_of(found, path))}"
        print_line(console, visible(told, newlines=False), hanging=" " * (width + 2))
    return problems


def _age(accepted: str, now: datetime) -> str:
    """How long ago it was saved, in the largest whole unit."""
    try:
        then = datetime.fromisoformat(accepted)
    except ValueError:
        return f"saved {accepted}"
    if then.tzinfo is None:
        then = then.replace(tzinfo=UTC)
    seconds = max((now - then).total_seconds(), 0)
    for size, unit in ((86_400, "day"), (3_600, "hour"), (60, "minute")):
        number = int(seconds // size)
        if number:
            return f"{number} {unit}{'' if number == 1 else 's'} ago"
    return "just now"
