"""A comparison on a terminal: whether the two can be compared, the answer, then the figures behind it."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from grice.experiments.comparison.records import Comparison, Measure
from grice.reporting.comparison.measure_words import line, title
from grice.reporting.comparison.quality import not_compared
from grice.reporting.comparison.statistics_used import statistics_lines
from grice.reporting.comparison.table import drawn, print_measures
from grice.reporting.comparison.variance import variance_lines, variance_rows
from grice.reporting.comparison.words import (
    KINDS,
    VARIANCE,
    alike,
    answer,
    aspect_text,
    differing,
    legend,
    mark,
    side_text,
)
from grice.reporting.console import print_line
from grice.reporting.figures_text import plural
from grice.reporting.layout import cells

__all__ = ["print_comparison"]

_SHOWN = 10
_LONGEST_KEY = 120
_RULE = 66
_ALL = " (--verbose shows all)"
_ALWAYS = ("Topic graph", "Criteria", "Scenarios", "Judge LLM")
_ANSWER_STYLES = {"improved": "bold green", "regressed": "bold red", "not comparable": "bold red"}
_ASPECT_STYLES = {"flagged": "yellow", "weakens": "bold yellow", "forbids": "bold red"}


def print_comparison(console: Console, comparison: Comparison, *, verbose: bool = False) -> None:
    """The whole comparison; with `verbose` every scenario that changed and every p-value.

    Lists have at most 10 lines otherwise. Arrows and marks are ASCII where the encoding has no others.
    """
    _say(console, "Experiment Comparison", style="bold")
    _say(console, "━" * min(console.width, _RULE))
    for name, side in (("Baseline:", comparison.baseline), ("Current:", comparison.current)):
        _say(console, side_text(side), indent=f"{name:<10}")
        counts = f"{plural(side.scenarios, 'scenario')}, {plural(side.attempts, 'attempt')} that count"
        _say(console, counts, indent=" " * 10, style="dim")
    _print_comparability(console, comparison, verbose=verbose)
    console.print()
    _say(console, answer(comparison), style=_ANSWER_STYLES.get(comparison.conclusion, "bold"))
    if comparison.measures:
        _print_completion(console, comparison)
        _print_quality(console, comparison)
        _print_efficiency(console, comparison)
    _print_changes(console, comparison, verbose=verbose)
    _print_lists(console, comparison, verbose=verbose)
    _print_variance(console, comparison)
    _print_bullets(console, "Statistics", statistics_lines(comparison, verbose=verbose))
    _print_bullets(console, "What would settle it", comparison.advice)
    _print_bullets(console, "Notes", comparison.notes)
    if any(one.arrow for one in comparison.measures):
        console.print()
        _say(console, legend(), style="dim")


def _say(console: Console, text: str, *, style: str = "", indent: str = "", hanging: str = "") -> None:
    """The text, wrapped under `hanging`, else under where it begins."""
    below = hanging or " " * cells(indent)
    print_line(console, drawn(console, text), style=style, indent=indent, hanging=below)


def _heading(console: Console, text: str) -> None:
    console.print()
    _say(console, text, style="bold")


def _print_comparability(console: Console, comparison: Comparison, *, verbose: bool) -> None:
    """A line an aspect; those that are fine and not in `_ALWAYS` share one, unless `verbose`."""
    _heading(console, "Comparability")
    aspects = comparison.comparability.aspects
    brief = [] if verbose else [one for one in aspects if one.grade == "same" and one.name not in _ALWAYS]
    for one in aspects:
        if one not in brief:
            style = _ASPECT_STYLES.get(one.grade, "")
            _say(console, aspect_text(one), style=style, indent=f"  {drawn(console, mark(one.grade))} ")
    if brief:
        names = ", ".join(line(one.name) for one in brief)
        _say(console, f"also fine: {names}", indent=f"  {drawn(console, mark('same'))} ")
    console.print()
    _say(console, f"Comparison validity: {comparison.comparability.level}", style="bold", indent="  ")


def _of(comparison: Comparison, family: str) -> list[Measure]:
    return [one for one in comparison.measures if one.family == family]


def _print_completion(console: Console, comparison: Comparison) -> None:
    measures = _of(comparison, "completion")
    if measures:
        _heading(console, f"Completion (hard expectations), {plural(comparison.shared, 'shared scenario')}")
        _print_table(console, "", measures)


def _print_quality(console: Console, comparison: Comparison) -> None:
    measures = _of(comparison, "quality")
    why_not = not_compared(comparison)
    if not measures and not why_not:
        return
    _heading(console, "Quality (soft evaluations)")
    if why_not:
        _say(console, why_not, style="yellow", indent="  ", hanging="    ")
    overall = [one for one in measures if one.overall]
    criteria = [one for one in measures if not one.overall]
    if overall:
        _print_table(console, "", overall)
    if criteria:
        console.print()
        _say(console, "By criterion (hard and soft):", indent="  ")
        _print_table(console, "Criterion", criteria)


def _print_efficiency(console: Console, comparison: Comparison) -> None:
    measures = _of(comparison, "efficiency")
    if measures:
        _heading(console, "Efficiency (▲ means less)")
        _print_table(console, "", measures)


def _print_table(console: Console, first: str, measures: Sequence[Measure]) -> None:
    print_measures(console, first, measures)
    notes: dict[str, list[str]] = {}
    for one in measures:
        if one.note:
            notes.setdefault(one.note, []).append(title(one))
    for note, names in notes.items():
        who = "" if len(names) == len(measures) > 1 else f"{', '.join(names)}: "
        _say(console, f"{who}{line(note)}", style="dim", indent="  ", hanging="    ")


def _print_changes(console: Console, comparison: Comparison, *, verbose: bool) -> None:
    if not comparison.changes:
        if comparison.shared:
            _heading(console, "Scenario changes")
            _say(console, "none", indent="  ")
        return
    chance = "" if comparison.scripted else " (what happened; a single scenario may change by chance)"
    _heading(console, f"Scenario changes{chance}")
    for kind, words in KINDS.items():
        found = [one for one in comparison.changes if one.kind == kind]
        if not found:
            continue
        _say(console, f"{words} ({len(found)}):", indent="  ")
        groups = alike(found, verbose=verbose)
        for keys, said in groups if verbose else groups[:_SHOWN]:
            names = _named(keys, verbose=verbose)
            _say(console, f"{names}{f': {said}' if said else ''}", indent="    - ")
        rest = 0 if verbose else sum(len(keys) for keys, _ in groups[_SHOWN:])
        if rest:
            _say(console, f"and {rest} more{_ALL}", indent="    ", style="dim")


def _named(names: Sequence[str], *, verbose: bool) -> str:
    shown = names if verbose else names[:_SHOWN]
    said = ", ".join(line(name, _LONGEST_KEY) for name in shown)
    return f"{said} and {len(names) - len(shown)} more{_ALL}" if len(shown) < len(names) else said


def _print_lists(console: Console, comparison: Comparison, *, verbose: bool) -> None:
    """Scenarios and criteria that are in one of the two only, or in both but not the same."""
    found = [(words, names) for words, names in differing(comparison) if names]
    if not found:
        return
    _heading(console, "Added, removed, edited")
    for words, names in found:
        said = _named(names, verbose=verbose)
        _say(console, f"{words} ({len(names)}): {said}", indent="  ", hanging="    ")


def _print_variance(console: Console, comparison: Comparison) -> None:
    found = variance_rows(comparison)
    if not found:
        return
    _heading(console, VARIANCE)
    rows = [("", "Baseline", "Current", "Delta"), *found]
    widths = [max(cells(row[column]) for row in rows) for column in range(4)]
    for number, row in enumerate(rows):
        texts = [one + " " * (width - cells(one)) for one, width in zip(row, widths, strict=True)]
        text = drawn(console, f"  {'  '.join(texts)}".rstrip())
        console.print(Text(text, style="" if number else "dim"), soft_wrap=True)
    for text in variance_lines(comparison):
        _say(console, text, indent="  ", hanging="    ")


def _print_bullets(console: Console, heading: str, texts: Sequence[str]) -> None:
    if texts:
        _heading(console, heading)
        for text in texts:
            _say(console, line(text), indent="  - ")
