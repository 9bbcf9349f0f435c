"""Two experiments side by side, as a document: the answer, whether they can be compared, then the figures."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from grice.experiments.comparison.records import Comparison, Measure, Side
from grice.reporting.comparison.measure_words import delta, figure, interval, line, p_value, title
from grice.reporting.comparison.quality import not_compared
from grice.reporting.comparison.statistics_used import statistics_lines
from grice.reporting.comparison.variance import variance_lines, variance_rows
from grice.reporting.comparison.words import (
    KINDS,
    VARIANCE,
    alike,
    aspect_text,
    differing,
    legend,
    mark,
    sentences,
    side_text,
)
from grice.reporting.document import (
    Align,
    Answer,
    Document,
    Line,
    Note,
    Part,
    Section,
    Span,
    Table,
    Tone,
    lines,
)
from grice.reporting.figures_text import plural

__all__ = ["comparison_document"]

_NAMED, _SHOWN = 30, 10
_ALWAYS = ("Topic graph", "Criteria", "Scenarios", "Judge LLM")
_ANSWERS: dict[str, Tone] = {"improved": "good", "regressed": "bad", "not comparable": "bad"}
_ASPECTS: dict[str, Tone] = {"flagged": "warn", "weakens": "warn", "forbids": "bad"}
_DECISIONS: dict[str, Tone] = {"improved": "good", "regressed": "bad"}
_COLUMNS: tuple[Align, ...] = ("left", "right", "right", "right", "right")
_CHANGES = "Scenario changes"
_BY_CHANCE = "Scenario changes (what happened; a single scenario may change by chance)"


def comparison_document(comparison: Comparison) -> Document:
    """The whole comparison, nearest to the answer first."""
    first, *more = sentences(comparison)
    tone = (
        "bad" if comparison.scripted and comparison.newly_failing else _ANSWERS.get(comparison.conclusion, "")
    )
    sections = (
        Section("Comparability", tuple(_comparability(comparison))),
        *_figures(comparison),
        Section(_CHANGES if comparison.scripted else _BY_CHANCE, tuple(_changes(comparison))),
        Section("Added, removed, edited", tuple(_lists(comparison))),
        Section(VARIANCE, tuple(_variance(comparison))),
        Section("Statistics", tuple(_statistics(comparison))),
        Section("What would settle it", lines(comparison.advice, bullet=True)),
        Section("Notes", lines(comparison.notes, bullet=True)),
    )
    about = (_side("Baseline:", comparison.baseline), _side("Current: ", comparison.current))
    answer = Answer(first, tone, " ".join(more))
    return Document("comparison", "Experiment Comparison", answer, about, tuple(filter(None, sections)))


def _side(name: str, side: Side) -> Line:
    counts = f"{plural(side.scenarios, 'scenario')}, {plural(side.attempts, 'attempt')} that count"
    return Line(f"{name} {side_text(side)}", under=(Line(counts, "faint"),))


def _comparability(comparison: Comparison) -> Iterator[Line]:
    """A line an aspect; those that are fine and rarely asked for share one."""
    aspects = comparison.comparability.aspects
    fine = [one for one in aspects if one.grade == "same" and one.name not in _ALWAYS]
    for one in aspects:
        if one not in fine:
            yield Line(f"{mark(one.grade)} {aspect_text(one)}", _ASPECTS.get(one.grade, ""))
    if fine:
        yield Line(f"{mark('same')} also fine: {', '.join(line(one.name) for one in fine)}")
    yield Line(f"Comparison validity: {comparison.comparability.level}", "strong")


def _figures(comparison: Comparison) -> Iterator[Section]:
    families = {name: [] for name in ("completion", "quality", "efficiency")}  # type: dict[str, list[Measure]]
    for one in comparison.measures:
        families[one.family].append(one)
    shared = plural(comparison.shared, "shared scenario")
    completion = tuple(_measures("", families["completion"]))
    yield Section(f"Completion (hard expectations), {shared}", completion, folded=False)
    overall = [one for one in families["quality"] if one.overall]
    criteria = [one for one in families["quality"] if not one.overall]
    by_criterion = Section(
        "By criterion (hard and soft):", tuple(_measures("Criterion", criteria)), quiet=True
    )
    why_not = not_compared(comparison)
    quality = (*([Note(why_not)] if why_not else []), *_measures("", overall), by_criterion)
    if why_not or families["quality"]:
        yield Section("Quality (soft evaluations)", tuple(filter(None, quality)), folded=False)
    less = tuple(_measures("", families["efficiency"]))
    yield Section("Efficiency (\u25b2 means less)", less, folded=False)


def _measures(first: str, measures: Sequence[Measure]) -> Iterator[Part]:
    if not measures:
        return
    headers = (first, "Baseline", "Current", "Evaluated", "Delta", "95 % interval", "")
    rows = tuple(_row(one) for one in measures)
    tones = tuple(_DECISIONS.get(one.decision, "") for one in measures)
    counted = any(one.baseline_count or one.current_count for one in measures)
    measured = Table(headers, rows, _COLUMNS, tones=tones, spare=(3,))
    yield measured if counted else _without(measured, 3)
    notes: dict[str, list[str]] = {}
    for one in measures:
        if one.note:
            notes.setdefault(one.note, []).append(title(one))
    for note, names in notes.items():
        who = "" if len(names) == len(measures) > 1 else f"{', '.join(names)}: "
        yield Note(f"{who}{note}", "faint")


def _without(table: Table, column: int) -> Table:
    def rest(row: Sequence[object]) -> tuple[object, ...]:
        return (*row[:column], *row[column + 1 :])

    rows = tuple(map(rest, table.rows))
    return Table(rest(table.headers), rows, rest(table.align), tones=table.tones)  # type: ignore[arg-type]


def _row(one: Measure) -> tuple[str, ...]:
    decided = f"{one.arrow} {one.decision}" if one.decision in _DECISIONS else one.arrow
    return (
        title(one),
        figure(one, one.baseline),
        figure(one, one.current),
        _evaluated(one),
        delta(one),
        interval(one),
        decided,
    )


def _evaluated(one: Measure) -> str:
    before, after = one.baseline_count, one.current_count
    return f"{before[1] if before else '-'}, {after[1] if after else '-'}" if before or after else "-"


def _changes(comparison: Comparison) -> Iterator[Part]:
    for kind, words in KINDS.items():
        found = [one for one in comparison.changes if one.kind == kind]
        if found:
            groups = tuple(Line(_named(keys, said), bullet=True) for keys, said in alike(found))
            yield Section(f"{words} ({len(found)}):", groups, quiet=True, first=_SHOWN)
    if not comparison.changes and comparison.shared:
        yield Line("none")


def _named(names: Sequence[str], said: str = "") -> tuple[Span, ...]:
    spans: list[Span] = []
    for name in names[:_NAMED]:
        spans += [Span(", ")] if spans else []
        spans.append(Span(line(name), "code"))
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return (*spans, Span(f"{more}{f': {said}' if said else ''}"))


def _lists(comparison: Comparison) -> Iterator[Line]:
    """Scenarios and criteria that are in one of the two only, or in both but not the same."""
    for words, names in differing(comparison):
        if names:
            yield Line((Span(f"{words} ({len(names)}): "), *_named(names)))


def _variance(comparison: Comparison) -> Iterator[Part]:
    found = tuple(variance_rows(comparison))
    if found:
        yield Table(("", "Baseline", "Current", "Delta"), found)
        yield from lines(variance_lines(comparison))


def _statistics(comparison: Comparison) -> Iterator[Part]:
    yield from lines(statistics_lines(comparison), bullet=True)
    rows = tuple(_tested(comparison.measures))
    if rows:
        headers = ("", "Evaluated", "p", "p, corrected", "Scenarios that differ")
        yield Section("Tests", (Table(headers, rows, _COLUMNS),), quiet=True, detail=True)
    if any(one.arrow for one in comparison.measures):
        yield Line(legend(), "faint")


def _tested(measures: Iterable[Measure]) -> Iterator[tuple[str, ...]]:
    for one in measures:
        if (found := one.difference) is not None:
            differ = f"{found.changed} of {found.n}"
            yield title(one), _evaluated(one), p_value(found.p), p_value(one.adjusted_p), differ
