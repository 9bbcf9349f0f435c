"""Figures over the last runs of a project, as a document."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from grice.reporting.document import Answer, Document, Line, Part, Point, Section, Trend
from grice.text import plural

__all__ = ["RunFigures", "trends_document"]

RunFigures = tuple[str, str, dict[str, Any], tuple[int | None, float | None, float | None]]
"""A run: its name, its commit, the JSON of its summary, and its tokens and seconds a turn (p50, p95)."""

_CRITERIA = 12


def trends_document(runs: Sequence[RunFigures]) -> Document:
    """The trends of runs, the earliest first: one for each figure that two of them have."""
    answer = Answer(f"The last {plural(len(runs), 'finished run')}" if runs else "No run is finished yet")
    return Document("trends", "", answer, parts=tuple(_parts(runs)))


def _parts(runs: Sequence[RunFigures]) -> Iterator[Part]:
    def named(
        rate: Callable[[dict[str, Any]], Any], interval: Callable[[dict[str, Any]], Any]
    ) -> tuple[Point, ...]:
        return tuple(_rate(_name(one), rate(one[2]), interval(one[2])) for one in runs)

    yield from _section(
        "Pass rate",
        Trend(
            "Pass rate",
            named(
                lambda of: of.get("summary", {}).get("completion_rate"),
                lambda of: of.get("summary", {}).get("completion_interval"),
            ),
        ),
    )
    criteria = list(
        dict.fromkeys(name for one in reversed(runs) for name in one[2].get("criteria_results", {}))
    )
    shown = [
        Trend(
            name,
            named(
                lambda of, name=name: of.get("criteria_results", {}).get(name, {}).get("rate"),  # type: ignore[misc]
                lambda of, name=name: of.get("criteria_results", {}).get(name, {}).get("interval"),  # type: ignore[misc]
            ),
        )
        for name in criteria[:_CRITERIA]
    ]
    yield from _section("Criteria", *shown, more=len(criteria) - len(shown))
    judged = [
        Trend(
            f"{name}, as judged and set right by its calibration card",
            named(
                lambda of, name=name: _value(of.get("corrected_results", {}).get(name)),  # type: ignore[misc]
                lambda of, name=name: of.get("corrected_results", {}).get(name),  # type: ignore[misc]
            ),
        )
        for name in dict.fromkeys(name for one in runs for name in one[2].get("corrected_results", {}))
    ]
    yield from _section("Judges", *judged[:_CRITERIA])
    for title, place, unit in (
        ("Tokens", 0, "tokens"),
        ("Seconds a turn, median", 1, "s"),
        ("Seconds a turn, 95 of 100", 2, "s"),
    ):
        yield from _section(title, _amounts(title, [(_name(one), one[3][place]) for one in runs], unit))


def _name(one: RunFigures) -> str:
    name, commit = one[:2]
    return f"{name} {commit}" if commit else name


def _value(found: Any) -> Any:
    return found.get("value") if isinstance(found, dict) else None


def _rate(name: str, rate: Any, interval: Any) -> Point:
    low, high = (interval.get("low"), interval.get("high")) if isinstance(interval, dict) else (None, None)
    return Point(name, rate, low, high)


def _amounts(title: str, given: Sequence[tuple[str, float | None]], unit: str) -> Trend:
    most = max((value for _, value in given if value is not None), default=0)
    points = tuple(
        Point(name, value / most if value is not None and most else None, words=_amount(value, unit))
        for name, value in given
    )
    return Trend(title, points, most=_amount(most, unit))


def _amount(value: float | None, unit: str) -> str:
    if value is None:
        return "-"
    return f"{value:,.0f} {unit}" if unit == "tokens" else f"{value:.2f} {unit}"


def _section(title: str, *trends: Trend, more: int = 0) -> Iterator[Section]:
    """The trends that have a line or a point to show."""
    shown: tuple[Part, ...] = tuple(
        one for one in trends if any(point.rate is not None for point in one.points)
    )
    if shown:
        rest = (Line(f"and {more} more", "faint"),) if more > 0 else ()
        parts = (
            tuple(Section(one.name, (one,), folded=False, quiet=True) for one in shown)
            if len(trends) > 1
            else shown
        )  # type: ignore[union-attr]
        yield Section(title, (*parts, *rest), folded=False)
