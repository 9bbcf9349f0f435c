"""What came of gates: on a terminal, as JSON, as Markdown."""

from __future__ import annotations

from math import isinf

import msgspec
from rich.console import Console
from rich.text import Text

from grice.experiments.gates.kinds import VALIDITY_GATE, kind_of, needs_baseline
from grice.experiments.gates.records import GateReport, GateResult
from grice.experiments.gates.words import figure_text
from grice.identity.redacted_json import redacted_json
from grice.records.codec import encode
from grice.reporting.console import print_line
from grice.reporting.layout import cells
from grice.reporting.markdown import escape, table
from grice.text import visible

__all__ = ["GATES_MARK", "gates_json", "gates_markdown", "print_gates"]

VERSION = 1
GATES_MARK = "<!-- grice.gates -->"
"""How the Markdown of gates begins: a file that does may be written over."""

_MOST_NOTES = 10


def print_gates(console: Console, report: GateReport) -> None:
    """A line for each gate, what a reader has to know, and a sentence at the end."""
    width = max((cells(_name(one)) for one in report.results), default=0)
    for one in report.results:
        start = f"{_word(one)}  {_name(one)}{' ' * (width - cells(_name(one)))}  "
        style = "bold red" if not one.passed else "yellow" if one.open else "green"
        console.print(Text(f"{start}{_told(one)}", style=style), soft_wrap=True)
    for note in _notes(report):
        print_line(console, f"note: {visible(note, newlines=False)}", style="yellow", hanging="      ")
    print_line(console, _sentence(report), style="green" if report.passed else "bold red")


def _notes(report: GateReport) -> list[str]:
    left_out = len(report.notes) - _MOST_NOTES
    more = [f"and {left_out} more notes, which --json has"] if left_out > 0 else []
    return [*report.notes[:_MOST_NOTES], *more]


def _word(one: GateResult) -> str:
    return "open" if one.open else "pass" if one.passed else "FAIL"


def _name(one: GateResult) -> str:
    return visible(one.gate.name, newlines=False)


def _told(one: GateResult) -> str:
    word = "" if one.passed and not one.open else "expected "
    if needs_baseline(one.gate.name) and one.gate.name != VALIDITY_GATE:
        word = "limit: "
    return f"{visible(one.found, newlines=False)}, {word}{one.wanted}"


def _sentence(report: GateReport) -> str:
    number = len(report.declared)
    kept = sum(one.passed for one in report.declared)
    shown = visible(report.experiment, newlines=False)
    opened = sum(one.open for one in report.declared)
    partly = "" if report.whole else f", {'but' if kept == number else 'and'} the experiment is not whole"
    partly += f", with {opened} open: beyond the limit, and perhaps by chance" if opened else ""
    if number == 1:
        return f"{shown} {'keeps' if kept else 'does not keep'} its gate{partly}."
    if kept in (0, number):
        return f"{shown} keeps {'all' if kept else 'none of its'} {number} gates{partly}."
    return f"{shown} does not keep {number - kept} of {number} gates{partly}."


def gates_json(report: GateReport) -> bytes:
    """The report as JSON, indented: `version`, `kind`, `passed`, and each gate with its figure and limit."""
    plain = {
        "version": VERSION,
        "kind": "grice.gates",
        "experiment": report.experiment,
        "passed": report.passed,
        "gates": [_plain(one) for one in report.results],
        "notes": report.notes,
    }
    return msgspec.json.format(redacted_json(encode(plain)), indent=2) + b"\n"


def _plain(one: GateResult) -> dict[str, object]:
    return {
        "name": one.gate.name,
        "passed": one.passed,
        "open": one.open,
        "missing": one.missing,
        "actual": _figure(one, one.actual),
        "worst": "infinite" if one.worst is not None and isinf(one.worst) else one.worst,
        "low": one.low,
        "high": one.high,
        "bound": one.gate.bound,
        "limit": _figure(one, one.gate.limit),
        "rule": one.gate.rule,
        "baseline": one.gate.baseline or None,
        "origin": one.gate.origin,
        "found": one.found,
        "wanted": one.wanted,
    }


def _figure(one: GateResult, value: float | None) -> float | str | None:
    """A number, or the name of a level."""
    if value is None or kind_of(one.gate).unit != "level":
        return value
    return figure_text(one.gate, value)


def gates_markdown(report: GateReport) -> str:
    """The report for a pull request or a step summary."""
    rows = [(_word(one), one.gate.name, one.found, one.wanted) for one in report.results]
    answer = "kept" if report.passed else "not kept"
    parts = [GATES_MARK, f"### Grice: gates {answer}", escape(_sentence(report))]
    parts.append(table(("", "Gate", "Found", "Wanted"), rows))
    parts.append("\n".join(f"- {escape(note)}" for note in _notes(report)))
    return "\n\n".join(part for part in parts if part) + "\n"
