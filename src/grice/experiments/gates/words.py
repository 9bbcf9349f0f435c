"""Figures and limits of gates in words."""

from __future__ import annotations

from grice.experiments.gates.kinds import kind_of
from grice.experiments.gates.records import Gate

__all__ = ["amount", "percent", "wanted_text"]


def percent(share: float) -> str:
    """A share from 0 to 1 with one decimal, whole ones without: `82.9%`, `80%`."""
    return f"{_short(round(share * 100, 1))}%"


def amount(value: float, unit: str) -> str:
    """A value in its unit: `2.4 turns`, `1,204 tokens`, `4.12 s`, `3.9 points`."""
    words = {"share": percent, "drop": _points, "rise": percent, "number": _short}
    if unit in words:
        return words[unit](value)
    return f"{_short(round(value, 2))} {'s' if unit == 'seconds' else unit}"


def _points(drop: float) -> str:
    """A difference of rates in percentage points."""
    number = round(drop * 100, 1) + 0.0
    return f"{_short(number)} point{'' if number == 1 else 's'}"


def _short(number: float) -> str:
    return f"{number:,.2f}".rstrip("0").rstrip(".")


def wanted_text(gate: Gate) -> str:
    """The limit in words: `at least 80%`, `a drop of at most 2 points (rule shown)`."""
    unit = kind_of(gate).unit
    limit = f"{gate.bound} {amount(gate.limit, unit)}"
    words = {"drop": f"a drop of {limit}", "rise": f"{limit} more"}.get(unit, limit)
    return words if gate.rule == "point" else f"{words} (rule {gate.rule})"
