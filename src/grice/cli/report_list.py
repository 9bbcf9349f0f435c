"""`grice report --list`: the runs that are kept."""

from __future__ import annotations

from pathlib import Path

from grice.cli.exit_codes import NOBODY_READS, PASSED, UNUSABLE
from grice.experiments.loading import results_in
from grice.experiments.results import ExperimentResults
from grice.reporting.console import Screen, print_line, print_problem
from grice.reporting.figures_text import counted_rate
from grice.reporting.identity_text import moment_text
from grice.reporting.layout import cells
from grice.running.journal.experiment import Experiment
from grice.running.journal.folders import runs_in
from grice.running.journal.form import JournalError
from grice.text import shorten, visible

_SHOWN = 20
_LONGEST = 32
_TITLES = ("Run", "Began", "Name", "Tags", "Branch")


def list_runs(root: Path, console: Screen, errors: Screen, *, verbose: bool = False) -> int:
    """Show the latest 20 runs in the folder, all with `verbose`, each when it is read; the exit code.

    0: shown, also when there are none. 2: one cannot be read. 141: nobody reads the output any more. Raises
    JournalError where the folder is a file.
    """
    runs, problems, copies = runs_in(root)
    if not runs and not problems:
        print_line(
            console, f"no runs in {visible(str(root), newlines=False)}: grice run, or pytest --grice-store"
        )
    shown = runs if verbose else runs[:_SHOWN]
    rows = [_TITLES, *(_cells_of(head) for _, head in shown)]
    widths = [max(map(cells, column)) for column in zip(*rows, strict=True)]
    if shown:
        _print_row(console, _TITLES, widths, "Completion")
    for (folder, _), row in zip(shown, rows[1:], strict=True):
        if console.quiet:
            return NOBODY_READS
        try:
            completion = _completion(results_in(folder))
        except JournalError as error:
            problems.append(str(error))
            completion = "cannot be read"
        _print_row(console, row, widths, completion)
    if len(runs) > len(shown):
        print_line(console, f"and {len(runs) - len(shown)} earlier; --verbose lists all")
    for copy in copies:
        print_line(errors, f"warning: {visible(copy, newlines=False)}", style="yellow", hanging="  ")
    for problem in problems:
        print_problem(errors, f"error: {problem}")
    return NOBODY_READS if console.quiet else UNUSABLE if problems else PASSED


def _cells_of(head: Experiment) -> tuple[str, ...]:
    said = (head.id, moment_text(head.timestamp), head.name, ", ".join(head.tags), head.git_branch or "")
    return tuple(shorten(visible(one, newlines=False), _LONGEST) or "-" for one in said)


def _print_row(console: Screen, row: tuple[str, ...], widths: list[int], completion: str) -> None:
    padded = [cell + " " * (width - cells(cell)) for cell, width in zip(row, widths, strict=True)]
    print_line(console, "  ".join([*padded, completion]), hanging="    ")


def _completion(results: ExperimentResults) -> str:
    """`78.7% (37/47)`, and whether that is of everything that was planned."""
    summary = results.summary
    if not summary.counted:
        rate = "nothing counts"
    elif summary.never_checked:
        rate = "never checked"
    else:
        rate = counted_rate(summary.completion)
    return rate if results.complete else f"{rate}, not finished"
