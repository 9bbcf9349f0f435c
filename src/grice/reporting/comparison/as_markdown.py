"""A comparison as Markdown, for a pull request and the summary of a GitHub job: the answer, then details."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from grice.experiments.comparison.records import Comparison, Measure, Side
from grice.reporting.comparison.measure_words import delta, figure, interval, p_value, title
from grice.reporting.comparison.quality import not_compared
from grice.reporting.comparison.statistics_used import statistics_lines
from grice.reporting.comparison.variance import variance_lines, variance_rows
from grice.reporting.comparison.words import (
    KINDS,
    VARIANCE,
    alike,
    answer,
    aspect_text,
    differing,
    headline,
    legend,
    mark,
    side_text,
)
from grice.reporting.figures_text import plural
from grice.reporting.markdown import code, details, escape, table
from grice.text import shorten

__all__ = ["COMPARISON_MARK", "comparison_markdown"]

COMPARISON_MARK = "<!-- grice.comparison -->"
"""The first line: by it a job finds the comment of an earlier run, to write over it."""

_SHOWN = 10
_ROWS = 30
_LONGEST_KEY = 120
_COUNTED = {
    "newly passing": "newly passing",
    "newly failing": "newly failing",
    "passes more often": "passing more often",
    "passes less often": "passing less often",
    "quality improved": "of better quality",
    "quality regressed": "of worse quality",
}
_SIGNS = {"improved": "▲", "regressed": "▼", "mixed": "▲▼", "no difference shown": "─", "not comparable": "✗"}


def comparison_markdown(comparison: Comparison, *, verbose: bool = False) -> str:
    """The comparison: verdict first, a table, the rest folded away. Ends with a newline.

    Lists have at most 10 lines and tables 30 rows, so that it fits into a comment; `verbose` shows all.
    Nothing in names and reasons is read as Markdown or HTML.
    """
    parts = [
        COMPARISON_MARK,
        f"### {_SIGNS[comparison.conclusion]} Grice: {headline(comparison)}",
        escape(answer(comparison)),
        f"Baseline: {_side(comparison.baseline)}  \nCurrent: {_side(comparison.current)}",
        f"Validity: **{comparison.comparability.level}**, {plural(comparison.shared, 'shared scenario')}.",
        _measures(comparison, verbose=verbose),
        *_folded(comparison, verbose=verbose),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _side(side: Side) -> str:
    counts = f"{plural(side.scenarios, 'scenario')}, {plural(side.attempts, 'attempt')}"
    return f"{escape(side_text(side))}: {counts}"


def _measures(comparison: Comparison, *, verbose: bool) -> str:
    found = comparison.measures if verbose else comparison.measures[:_ROWS]
    rows = [_row(one) for one in found]
    if found and not_compared(comparison):
        after = sum(one.family == "completion" for one in found)
        rows.insert(after, ("Quality (soft)", "-", "-", "-", "-", "not compared"))
    headers = ("", "Baseline", "Current", "Delta", "95 % interval", "")
    shown = table(headers, rows, ("left", "right", "right", "right", "left", "left"))
    rest = len(comparison.measures) - len(found)
    return f"{shown}\n\nand {rest} more" if rest else shown


def _row(one: Measure) -> tuple[str, ...]:
    return (
        shorten(title(one), _LONGEST_KEY),
        figure(one, one.baseline),
        figure(one, one.current),
        delta(one),
        interval(one),
        f"{one.arrow} {one.decision}" if one.decision in ("improved", "regressed") else one.arrow,
    )


def _folded(comparison: Comparison, *, verbose: bool) -> Iterator[str]:
    """The parts that are folded away, those without content left out."""
    aspects = comparison.comparability.aspects
    yield _details("Comparability", [f"{mark(one.grade)} {escape(aspect_text(one))}" for one in aspects])
    yield _changes(comparison, verbose=verbose)
    yield _lists(comparison, verbose=verbose)
    variance = _together(
        table(("", "Baseline", "Current", "Delta"), variance_rows(comparison)),
        _bullets(map(escape, variance_lines(comparison))),
    )
    yield details(VARIANCE, variance) if variance else ""
    lines = statistics_lines(comparison)
    lines += [legend()] if any(one.arrow for one in comparison.measures) else []
    statistics = _together(_p_values(comparison, verbose=verbose), _bullets(map(escape, lines)))
    yield details("Statistics", statistics) if statistics else ""
    yield _details("What would settle it", list(map(escape, comparison.advice)))
    yield _details("Notes", list(map(escape, comparison.notes)))


def _details(summary: str, items: Sequence[str]) -> str:
    return details(summary, _bullets(items)) if items else ""


def _together(*parts: str) -> str:
    return "\n\n".join(part for part in parts if part)


def _bullets(items: Iterable[str]) -> str:
    return "\n".join(f"- {one}" for one in items)


def _changes(comparison: Comparison, *, verbose: bool) -> str:
    counts: list[str] = []
    parts: list[str] = []
    for kind, words in KINDS.items():
        found = [one for one in comparison.changes if one.kind == kind]
        if not found:
            continue
        counts.append(f"{len(found)} {_COUNTED[kind]}")
        groups = alike(found)
        items = [
            _item(keys, said, verbose=verbose) for keys, said in (groups if verbose else groups[:_SHOWN])
        ]
        rest = sum(len(keys) for keys, _ in groups[len(items) :])
        items += [f"and {rest} more"] if rest else []
        parts.append(f"{words}:\n\n{_bullets(items)}")
    if not parts:
        return ""
    parts += [] if comparison.scripted else ["A single scenario may change by chance."]
    return details(f"Scenario changes: {', '.join(counts)}", "\n\n".join(parts))


def _item(keys: Sequence[str], said: str, *, verbose: bool) -> str:
    names = _named(keys, verbose=verbose)
    return f"{names}: {escape(said)}" if said else names


def _named(names: Sequence[str], *, verbose: bool) -> str:
    shown = names if verbose else names[:_SHOWN]
    said = ", ".join(code(shorten(name, _LONGEST_KEY)) for name in shown)
    return f"{said} and {len(names) - len(shown)} more" if len(shown) < len(names) else said


def _lists(comparison: Comparison, *, verbose: bool) -> str:
    items: list[str] = []
    for words, names in differing(comparison):
        said = _named(names, verbose=verbose)
        items += [f"{words} ({len(names)}): {said}"] if names else []
    return _details("Added, removed, edited", items)


def _p_values(comparison: Comparison, *, verbose: bool) -> str:
    tested = [one for one in comparison.measures if one.difference is not None]
    rows = [
        (
            shorten(title(one), _LONGEST_KEY),
            _evaluated(one.baseline_count, one.current_count),
            p_value(found.p),
            p_value(one.adjusted_p),
            f"{found.changed} of {found.n}",
        )
        for one in (tested if verbose else tested[:_ROWS])
        if (found := one.difference) is not None
    ]
    headers = ("", "Evaluated", "p", "p, corrected", "Scenarios that differ")
    return table(headers, rows, ("left", "right", "right", "right", "right"))


def _evaluated(before: tuple[int, int] | None, after: tuple[int, int] | None) -> str:
    return f"{before[1] if before else '-'}, {after[1] if after else '-'}" if before or after else "-"
