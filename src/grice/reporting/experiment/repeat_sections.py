"""Sections of a report on a terminal: how far the runs of an experiment lie apart, and what repeats tell."""

from __future__ import annotations

from collections.abc import Mapping

from rich.console import Console

from grice.experiments.aggregation.repeats import RunRates, repeat_rows, run_rates, wavering
from grice.experiments.aggregation.summary import Summary
from grice.reporting.console import print_line
from grice.reporting.figures_text import counted_rate, percent, plural, range_text
from grice.reporting.headings import print_heading, print_table
from grice.text import visible

__all__ = ["print_repeats", "print_variance"]

_RUNS = 10
_SHOWN = 20


def print_variance(console: Console, summary: Summary, id_: str, *, verbose: bool = False) -> None:
    """The rate of each run of the experiment, their mean and standard deviation."""
    shown: Mapping[str, RunRates | None] = {
        "Completion Rate": None if summary.never_checked else run_rates(summary.repeats),
        "Evaluation Rate": run_rates(summary.soft_repeats),
    }
    first = next((title for title, rates in shown.items() if rates is not None), "")
    for title, rates in shown.items():
        if rates is None:
            continue
        of = f" of {visible(id_, newlines=False)}" if title == first else ""
        print_heading(console, f"{title} ({len(rates.runs)} runs{of})")
        _print_runs(console, rates, verbose=verbose)
        if title == "Completion Rate" and len({one.total for one in rates.runs.values()}) > 1:
            note = "Note: not every scenario counts in every run, which sets them apart too"
            print_line(console, note, indent="  ", hanging="    ", style="dim")


def _print_runs(console: Console, rates: RunRates, *, verbose: bool) -> None:
    runs = list(rates.runs.items())
    for number, one in runs if verbose else runs[:_RUNS]:
        print_line(console, f"Run {number}: {counted_rate(one)}", indent="  ")
    if len(runs) > _RUNS and not verbose:
        print_line(console, f"and {len(runs) - _RUNS} more runs; --verbose shows all", indent="  ")
    print_line(console, f"Mean: {percent(rates.mean)}", indent="  ")
    print_line(console, f"StdDev: {rates.deviation * 100:.1f}pp", indent="  ")


def print_repeats(console: Console, summary: Summary, *, verbose: bool = False) -> None:
    """pass@k and pass^k, and the scenarios that pass now and then."""
    rows = repeat_rows([(one.passed, one.total) for one in summary.attempts.values()])
    if not rows or summary.never_checked:
        return
    print_heading(console, "Repeats")
    print_table(
        console,
        ["k", "Scenarios", "pass@k", "95 % interval", "pass^k", "95 % interval"],
        [
            [
                str(row.k),
                f"{row.scenarios:,}",
                percent(row.at_least_one.value),
                range_text(row.at_least_one),
                percent(row.all.value),
                range_text(row.all),
            ]
            for row in rows
        ],
        ("right",) * 6,
    )
    print_line(
        console, "pass@k: at least one of k attempts passes. pass^k: all k do.", indent="  ", style="dim"
    )
    _print_wavering(console, summary, verbose=verbose)


def _print_wavering(console: Console, summary: Summary, *, verbose: bool) -> None:
    found = wavering(summary.attempts)
    repeated = sum(one.total > 1 for one in summary.attempts.values())
    print_line(console, f"Pass now and then: {len(found):,} of {plural(repeated, 'scenario')}", indent="  ")
    named = list(found.items())[: len(found) if verbose else _SHOWN]
    if named:
        shown = [
            f"{visible(summary.keys[id_], newlines=False)} {one.passed}/{one.total}" for id_, one in named
        ]
        more = f" and {len(found) - len(named):,} more" if len(found) > len(named) else ""
        print_line(console, f"{', '.join(shown)}{more}", indent="    ")
