"""What came of gates, as a document and as JSON."""

from __future__ import annotations

from math import isinf

import msgspec

from grice.experiments.gates.kinds import VALIDITY_GATE, kind_of, needs_baseline
from grice.experiments.gates.records import GateReport, GateResult
from grice.experiments.gates.words import figure_text
from grice.identity.redacted_json import redacted_json
from grice.records.codec import encode
from grice.reporting.document import Answer, Document, Note, Table, Tone

__all__ = ["gates_document", "gates_json"]

_VERSION = 1
_MOST_NOTES = 10


def gates_document(report: GateReport) -> Document:
    """The sentence that an operator wants, a row for each gate, the broken ones first, and what to know."""
    ordered = sorted(report.results, key=lambda one: (one.passed, not one.open))
    rows = tuple((_word(one), one.gate.name, one.found, _wanted(one)) for one in ordered)
    tones: tuple[Tone, ...] = tuple(map(_tone, ordered))
    left_out = len(report.notes) - _MOST_NOTES
    more = (f"and {left_out} more notes, which --json has",) if left_out > 0 else ()
    notes = tuple(Note(f"note: {one}") for one in (*report.notes[:_MOST_NOTES], *more))
    answer = Answer(_sentence(report), "good" if report.passed else "bad")
    table = Table(("", "Gate", "Found", "Wanted"), rows, tones=tones)
    return Document("gates", "", answer, parts=(table, *notes))


def _word(one: GateResult) -> str:
    return "open" if one.open else "pass" if one.passed else "FAIL"


def _tone(one: GateResult) -> Tone:
    return "bad" if not one.passed else "warn" if one.open else "good"


def _wanted(one: GateResult) -> str:
    is_limit = needs_baseline(one.gate.name) and one.gate.name != VALIDITY_GATE
    return f"limit: {one.wanted}" if is_limit else one.wanted


def _sentence(report: GateReport) -> str:
    number = len(report.declared)
    kept = sum(one.passed for one in report.declared)
    shown = report.experiment
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
        "version": _VERSION,
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
