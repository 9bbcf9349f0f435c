"""Figures over the last runs of a project, as a document."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from grice.reporting.document import Answer, Document, Line, Part, Point, Section, Trend
from grice.text import plural


class RunFigures(NamedTuple):
    """A run: its name, its commit, the JSON of its sums, what it took."""

    name: str
    commit: str
    sums: dict[str, Any]
    tokens: int | None = None
    seconds_p50: float | None = None
    seconds_p95: float | None = None


_CRITERIA = 12


def trends_document(runs: Sequence[RunFigures]) -> Document:
    """The trends of runs, the earliest first: one for each figure that two of them have."""
    answer = Answer(f"The last {plural(len(runs), 'finished run')}" if runs else "No run is finished yet")
    return Document("trends", "", answer, parts=tuple(_parts(runs)))


def _parts(runs: Sequence[RunFigures]) -> Iterator[Part]:
    totals = [one.sums.get("summary", {}) for one in runs]
    rates = [(one.get("completion_rate"), one.get("completion_interval")) for one in totals]
    yield from _shown(Trend("Pass rate", _rates(runs, rates)))
    criteria = [one.sums.get("criteria_results", {}) for one in runs]
    names = list(dict.fromkeys(name for one in reversed(criteria) for name in one))
    for name in names[:_CRITERIA]:
        of = [one.get(name, {}) for one in criteria]
        given = [(one.get("rate"), one.get("interval")) for one in of]
        yield from _shown(Trend(f"Criterion {name}", _rates(runs, given)))
    if len(names) > _CRITERIA:
        yield Line(f"and {len(names) - _CRITERIA:,} more criteria", "faint")
    judged = [one.sums.get("corrected_results", {}) for one in runs]
    for name in list(dict.fromkeys(name for one in reversed(judged) for name in one))[:_CRITERIA]:
        estimates = [one.get(name) or {} for one in judged]
        given = [(one.get("value"), one or None) for one in estimates]
        yield from _shown(Trend(f"Judge of {name}, set right by its calibration card", _rates(runs, given)))
    yield from _shown(_amounts("Tokens", runs, lambda one: one.tokens, lambda value: f"{value:,.0f}"))
    yield from _shown(_amounts("Time of a turn, median", runs, lambda one: one.seconds_p50, _seconds))
    yield from _shown(
        _amounts("Time of a turn, 95 of 100 take at most", runs, lambda one: one.seconds_p95, _seconds)
    )


def _name(one: RunFigures) -> str:
    return f"{one.name} {one.commit}" if one.commit else one.name


def _rates(runs: Sequence[RunFigures], given: Sequence[tuple[Any, Any]]) -> tuple[Point, ...]:
    return tuple(
        Point(_name(one), rate, (interval or {}).get("low"), (interval or {}).get("high"))
        for one, (rate, interval) in zip(runs, given, strict=True)
    )


def _amounts(
    title: str,
    runs: Sequence[RunFigures],
    amount: Callable[[RunFigures], float | None],
    words: Callable[[float], str],
) -> Trend:
    """An amount as the share of the largest one."""
    values = [amount(one) for one in runs]
    most = max((value for value in values if value is not None), default=0)
    points = tuple(
        Point(_name(one), None)
        if value is None or not most
        else Point(_name(one), value / most, words=words(value))
        for one, value in zip(runs, values, strict=True)
    )
    return Trend(title, points, most=words(most))


def _seconds(value: float) -> str:
    return f"{value:.1f} s" if value >= 1 else f"{value * 1000:.3g} ms"


def _shown(trend: Trend) -> Iterator[Section]:
    """The trend, where it has a point."""
    if any(one.rate is not None for one in trend.points):
        yield Section(trend.name, (trend,), folded=False)
