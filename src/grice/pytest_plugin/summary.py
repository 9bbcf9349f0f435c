"""The verdicts of tests on their reports, and what the terminal says at the end about them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from _pytest.terminal import TerminalReporter

from grice.records import Outcome, Turn, Verdict
from grice.reporting.layout import transcript_rows
from grice.reporting.text import WIDTH, verdict_lines
from grice.text import visible

__all__ = ["attach", "interrupted", "write_summary"]

_ORDER = ("pass", "fail", "inconclusive", "error", "skipped")


def attach(item: pytest.Item, report: Any, verdicts: Sequence[Verdict]) -> None:
    """Put the verdicts on a report in plain values, and soft ones that did not pass into JUnit's properties.

    A test that failed shows the soft verdicts of that phase in a section of its own.
    """
    report.grice_verdicts = _plain(verdicts)
    soft = [verdict for verdict in verdicts if verdict.mode == "soft"]
    for verdict in soft:
        if verdict.outcome is not Outcome.PASS:
            text = visible(f"{verdict.outcome}: {verdict.claim}: {verdict.reason}", newlines=False)
            for properties in (item.user_properties, report.user_properties):  # the latter is a copy
                properties.append(("grice.soft", text))
    if soft and report.failed:
        report.sections.append(("grice: soft verdicts", "\n".join(verdict_lines(soft))))


def interrupted(item: pytest.Item, turns: tuple[Turn, ...], verdicts: Sequence[Verdict]) -> Any:
    """A report of the test in the middle of which the session was stopped: neither passed nor failed."""
    report: Any = pytest.TestReport(item.nodeid, item.location, {}, "skipped", None, "call")
    report.grice_verdicts = _plain(verdicts)
    report.grice_interrupted = transcript_rows(turns, marked=None, width=WIDTH) if turns else []
    return report


def _plain(verdicts: Sequence[Verdict]) -> list[dict[str, Any]]:
    """The verdicts in values that workers of xdist can send."""
    return [
        {
            "mode": verdict.mode,
            "outcome": str(verdict.outcome),
            "matcher": verdict.matcher,
            "claim": visible(verdict.claim),
            "reason": visible(verdict.reason),
            "turn": verdict.turn,
        }
        for verdict in verdicts
    ]


def write_summary(terminal: TerminalReporter, reports: Sequence[Any]) -> None:
    """Count hard and soft verdicts, and list every soft one that did not pass, with its reason.

    The order is that of the node ids, so that it is the same whoever ran the tests.
    """
    reports = sorted(reports, key=lambda report: (report.nodeid, _PHASES.index(report.when)))
    terminal.write_sep("=", "grice")
    for line in _broken_checks(reports):
        terminal.write_line(line, red=True)
    for mode in ("hard", "soft"):
        counts = Counter(verdict["outcome"] for verdict in _verdicts(reports, mode))
        if counts:
            shown = ", ".join(f"{counts[outcome]} {outcome}" for outcome in _ORDER if counts[outcome])
            terminal.write_line(f"{mode} checks: {shown}{_in_passed_tests(reports, mode)}")
    _write_soft(terminal, reports)
    _write_interrupted(terminal, reports)


def _write_soft(terminal: TerminalReporter, reports: Sequence[Any]) -> None:
    last = ""
    for report in reports:
        for verdict in _verdicts([report], "soft"):
            if verdict["outcome"] == "pass":
                continue
            if report.nodeid != last:
                last = report.nodeid
                terminal.write_line(visible(last))
            for line in _lines(verdict):
                terminal.write_line(line)


def _write_interrupted(terminal: TerminalReporter, reports: Sequence[Any]) -> None:
    for report in reports:
        rows = getattr(report, "grice_interrupted", None)
        if rows is not None:
            terminal.write_line(f"interrupted: {visible(report.nodeid, newlines=False)}")
            for row in rows:
                terminal.write_line(f"  {row}")


def _in_passed_tests(reports: Sequence[Any], mode: str) -> str:
    """Says how many hard checks did not pass in tests that did, as below `pytest.raises`."""
    if mode == "soft":
        return ""
    good = [report for report in reports if report.passed]
    count = sum(verdict["outcome"] not in ("pass", "skipped") for verdict in _verdicts(good, mode))
    return f" ({count} not passing in tests that passed)" if count else ""


_PHASES = ("setup", "call", "teardown")


def _verdicts(reports: Sequence[Any], mode: str) -> Iterator[dict[str, Any]]:
    return (verdict for report in reports for verdict in report.grice_verdicts if verdict["mode"] == mode)


def _broken_checks(reports: Sequence[Any]) -> Iterator[str]:
    """A line for each soft check that gave nothing but errors: it judged nothing at all."""
    outcomes: dict[str, set[str]] = {}
    for verdict in _verdicts(reports, "soft"):
        outcomes.setdefault(verdict["matcher"], set()).add(verdict["outcome"])
    for matcher, found in outcomes.items():
        if found == {"error"}:
            yield f"every soft check of {visible(matcher)} ended in an error: nothing was judged by it"


def _lines(verdict: dict[str, Any]) -> Iterator[str]:
    turn = f"turn {verdict['turn']}: " if verdict["turn"] else ""
    claim = verdict["claim"].split("\n")
    yield f"  soft {verdict['outcome']:<13}{turn}expected {claim[0]}"
    for line in claim[1:]:
        yield f"    {line}"
    for line in verdict["reason"].split("\n") if verdict["reason"] else ():
        yield f"    {line}"
