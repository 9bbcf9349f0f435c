"""Figures and limits of gates in words."""

from __future__ import annotations

from grice.experiments.gates.gate_kinds import LEVELS, Unit, kind_of
from grice.experiments.gates.records import Gate

EXACT = 1e-9
"""Less than this is rounding of floats: 0.1 + 0.2 is at most 0.3."""

_SHARES = ("share", "drop", "rise")
_LESS = ("drop", "fall")
_MOST_DIGITS = 9


def amounts(before: float, now: float, unit: Unit) -> tuple[str, str]:
    """Two values in their unit, with as many decimals as tell them apart where they differ, and from 0."""
    digits = _first(unit)
    while abs(before - now) > EXACT and digits < _MOST_DIGITS and _same(before, now, unit, digits):
        digits += 1
    return _shown(before, unit, digits), _shown(now, unit, digits)


def amount(value: float, unit: Unit, limit: float | None = None) -> str:
    """A value in its unit: `2.4 turns`, `1,204 tokens`, `4.12 s`, `3.9 points`.

    A share has one decimal, as reports tell it, and `100%` is of all only. With a limit it has as many as it
    needs to be on the right side of it (`79.96%` of 80 %), or as the limit has where it is on it.
    """
    return _shown(value, unit, _digits(value, unit, limit))


def _shown(value: float, unit: Unit, digits: int) -> str:
    if unit == "share" and not _is_whole(value):
        return f"{_rounded(value, unit, digits):.{digits}f}%"
    number = _short(value * _scale(unit), digits)
    return f"{number}{_unit(unit, number)}"


def figure_text(gate: Gate, value: float) -> str:
    """The figure of a gate in words: `82.9%`, `3.1 points less`, `12% more`, `no change`."""
    unit = kind_of(gate).unit
    if unit == "level":
        return LEVELS[int(value)]
    if unit not in (*_LESS, "rise"):
        return amount(value, unit, gate.limit)
    if not value:
        return "no change"
    size = amount(abs(value), unit, gate.limit if value > 0 else None)
    return f"{size} {'less' if (value > 0) is (unit in _LESS) else 'more'}"


def interval_text(gate: Gate, low: float, high: float) -> str:
    """The 95 % interval of a figure; that of a drop is told as one of the change, as comparisons do."""
    unit = kind_of(gate).unit
    if unit not in _LESS:
        return f"{amount(low, unit, gate.limit)} to {amount(high, unit, gate.limit)}"
    scale = _scale(unit)
    ends = [f"{-one * scale:+z,.{_digits(one, unit, gate.limit)}f}" for one in (high, low)]
    return f"{ends[0]} to {ends[1]}"


def wanted_text(gate: Gate) -> str:
    """The limit in words: `at least 80%`, `at most 2 points less (rule shown)`."""
    unit = kind_of(gate).unit
    if unit == "level":
        return f"{gate.bound} {LEVELS[int(gate.limit)]}"
    number = _short(gate.limit * _scale(unit), _MOST_DIGITS)
    limit = f"{gate.bound} {number}{_unit(unit, number)}"
    words = f"{limit} less" if unit in _LESS else f"{limit} more" if unit == "rise" else limit
    return words if gate.rule == "point" else f"{words} (rule {gate.rule})"


def _digits(value: float, unit: Unit, limit: float | None) -> int:
    """One decimal for shares and two for others, more where rounding would put it on or over the limit."""
    first = _first(unit)
    if limit is None:
        return first
    if abs(value - limit) <= EXACT:
        exact = _short(limit * _scale(unit), _MOST_DIGITS)
        return max(first, len(exact.partition(".")[2]))
    for digits in range(first, _MOST_DIGITS):
        beyond = _rounded(value, unit, digits) - limit * _scale(unit)
        if abs(beyond) > EXACT and (beyond > 0) == (value > limit):
            return digits
    return _MOST_DIGITS


def _first(unit: Unit) -> int:
    return 1 if unit in _SHARES else 2


def _same(before: float, now: float, unit: Unit, digits: int) -> bool:
    """Whether the two look alike, or one of them like nothing."""
    shown = {_rounded(one, unit, digits) for one in (before, now)}
    return len(shown) < 2 or (0 in shown and 0 not in (before, now))


def _rounded(value: float, unit: Unit, digits: int) -> float:
    """The number that is shown; a share is never rounded up to all or down to none."""
    rounded = round(value * _scale(unit), digits)
    if unit != "share" or _is_whole(value):
        return rounded
    least: float = 10**-digits
    return min(max(rounded, least), 100 - least)


def _is_whole(share: float) -> bool:
    """Whether it is all or none."""
    return min(abs(share), abs(share - 1)) <= EXACT


def _scale(unit: Unit) -> int:
    return 100 if unit in _SHARES else 1


def _short(number: float, digits: int) -> str:
    return f"{number:z,.{digits}f}".rstrip("0").rstrip(".")


def _unit(unit: Unit, number: str) -> str:
    signs = {"share": "%", "rise": "%", "number": "", "seconds": " s"}
    if unit in signs:
        return signs[unit]
    words = "points" if unit in _LESS else unit
    return f" {words.removesuffix('s') if number == '1' else words}"
