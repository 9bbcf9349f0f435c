"""What the terminal says at the end about verdicts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from _pytest.terminal import TerminalReporter

__all__ = ["write_summary"]

_ORDER = ("pass", "fail", "inconclusive", "error", "skipped")


def write_summary(terminal: TerminalReporter, reports: Sequence[Any]) -> None:
    """Count hard and soft verdicts, and list every soft one that did not pass, with its reason."""
    terminal.section("grice")
    for mode in ("hard", "soft"):
        counts = Counter(
            verdict["outcome"]
            for report in reports
            for verdict in report.grice_verdicts
            if verdict["mode"] == mode
        )
        if counts:
            shown = ", ".join(f"{counts[outcome]} {outcome}" for outcome in _ORDER if counts[outcome])
            terminal.write_line(f"{mode} checks: {shown}")
    for report in reports:
        notable = [one for one in report.grice_verdicts if one["mode"] == "soft" and one["outcome"] != "pass"]
        if notable:
            terminal.write_line(report.nodeid)
        for verdict in notable:
            turn = f"turn {verdict['turn']}  " if verdict["turn"] else ""
            terminal.write_line(f"  soft {verdict['outcome']:<13}{turn}expected {verdict['claim']}")
            for line in verdict["reason"].split("\n") if verdict["reason"] else ():
                terminal.write_line(f"    {line}")
