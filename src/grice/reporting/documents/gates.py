"""What came of gates, as a document and as JSON."""

from __future__ import annotations

import msgspec

from grice.experiments.gates.gate_kinds import kind_of
from grice.experiments.gates.gate_texts import figure_text
from grice.experiments.gates.records import GateReport, GateResult
from grice.identity.redacted_json import redacted_json
from grice.records.codec import encode
from grice.reporting.changed_outcomes import names_text, newly_text
from grice.reporting.document import Answer, Document, Line, Note, Table, Tone

_VERSION = 1
_MOST_NAMED = 5
_MOST_NOTES = 10


def gates_document(report: GateReport) -> Document:
    """Whether all gates hold and which do not, a row for each, those that fail first, and what to know."""
    ordered = sorted(report.results, key=lambda one: (one.passed, not one.open, not one.applies))
    columns = [
        ("", [_word(one) for one in ordered]),
        ("Gate", [one.gate.name for one in ordered]),
        ("Found", [one.found for one in ordered]),
        ("95 % interval", [one.interval for one in ordered]),
        ("Wanted", [one.wanted for one in ordered]),
    ]
    shown = [(header, cells) for header, cells in columns if not header or any(cells)]
    tones: list[Tone] = [_tone(one) for one in ordered]
    table = Table(
        tuple(header for header, _ in shown),
        tuple(zip(*(cells for _, cells in shown), strict=True)),
        tones=tuple(tones),
    )
    left_out = len(report.notes) - _MOST_NOTES
    more = (f"and {left_out} more notes, which --json has",) if left_out > 0 else ()
    notes = tuple(Note(f"note: {one}", "faint") for one in (*report.notes[:_MOST_NOTES], *more))
    answer = Answer(_sentence(report), "good" if report.passed else "bad", _tests(report))
    return Document("gates", "", answer, (Line(f"Run {report.experiment}"),), (table, *notes))


def _tests(report: GateReport) -> str:
    """Which tests newly fail, else which fail where that breaks a gate on completion."""
    if newly := newly_text(report.newly_failing):
        return f"{newly}."
    broken = {one.gate.name for one in report.results if not one.passed}
    of_completion = broken & {"completion", "regression.completion"}
    return f"Failed: {names_text(report.failing)}." if of_completion and report.failing else ""


def _word(one: GateResult) -> str:
    if not one.applies:
        return "n/a" if one.passed else "FAIL"
    return "open" if one.open else "pass" if one.passed else "FAIL"


def _tone(one: GateResult) -> Tone:
    if not one.passed:
        return "bad"
    return "warn" if one.open else "good" if one.applies else "faint"


def _sentence(report: GateReport) -> str:
    """`All 2 gates that apply hold; 3 do not apply.`, `1 of 5 gates fails: regression.criteria.brief.`"""
    broken = [one.gate.name for one in report.declared if not one.passed]
    number = len(report.declared)
    idle = sum(one.passed and not one.applies for one in report.declared)
    if broken:
        more = len(broken) - _MOST_NAMED
        named = f"{', '.join(broken[:_MOST_NAMED])}{f' and {more} more' if more > 0 else ''}"
        of = "The only gate" if number == 1 else f"{len(broken)} of {number} gates"
        said = f"{of} {'fails' if len(broken) == 1 else 'fail'}: {named}"
    else:
        number -= idle
        which = " that applies" if idle and number == 1 else " that apply" if idle else ""
        said = f"The only gate{which} holds" if number == 1 else f"All {number} gates{which} hold"
    opened = sum(one.open for one in report.declared)
    if opened:
        verb = "is" if opened == 1 else "are"
        said += f"; {opened} {verb} open, beyond the limit and perhaps by chance"
    if idle:
        said += f"; {idle} {'does' if idle == 1 else 'do'} not apply"
    if not report.whole:
        said += f"{'; and' if broken else ', but'} the run is not finished"
    return f"{said}."


def gates_json(report: GateReport) -> bytes:
    """The report as JSON, indented: `version`, `kind`, `passed`, and each gate with its figure and limit."""
    plain = {
        "version": _VERSION,
        "kind": "grice.gates",
        "experiment": report.experiment,
        "passed": report.passed,
        "gates": [_plain(one) for one in report.results],
        "newly_failing": report.newly_failing,
        "failing": report.failing,
        "notes": report.notes,
    }
    return msgspec.json.format(redacted_json(encode(plain)), indent=2) + b"\n"


def _plain(one: GateResult) -> dict[str, object]:
    return {
        "name": one.gate.name,
        "passed": one.passed,
        "open": one.open,
        "applies": one.applies,
        "missing": one.missing,
        "max_missing": one.max_missing,
        "actual": _figure(one, one.actual),
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
