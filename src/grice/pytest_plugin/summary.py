"""The verdicts of tests on their reports, and what the terminal says at the end about them."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest
from _pytest.terminal import TerminalReporter

from grice.experiments.check_rows import CheckRow, check_rows, count_softened, count_uncalibrated
from grice.identity import Redaction
from grice.matching.failure import phrase_of, shown_reason
from grice.matching.redacted import redaction_of
from grice.matching.verdicts import says_little
from grice.pytest_plugin.attempts import HELD_ADDRESS, conduct_lines, redaction_of_test
from grice.pytest_plugin.judging import RECORDED, cassette_place
from grice.pytest_plugin.projects import settings_of
from grice.records import Outcome, Turn, Verdict
from grice.reporting.layout import transcript_rows
from grice.reporting.text import (
    WIDTH,
    Hollow,
    broken_check_lines,
    claim_text,
    fixed_address_lines,
    hollow_lines,
    hollow_verdicts,
    only_lines,
    reason_lines,
    soft_only_lines,
    softened_lines,
    times,
    turn_text,
    uncalibrated_lines,
    unchecked_lines,
    verdict_lines,
)
from grice.text import shorten, visible

SUITES = (".grice.json", ".grice.yaml", ".grice.yml")

KIND = pytest.StashKey[str]()
"""What the conversation of an item from a file is: golden or scenario."""

_LONGEST_REASON = 500
_ORDER = ("pass", "fail", "inconclusive", "error", "skipped")
_MOST_NAMED = 10


def attach(item: pytest.Item, report: Any, verdicts: Sequence[Verdict]) -> None:
    """Put the verdicts on a report in plain values, and into JUnit's properties those on values at a path,
    and soft ones that did not pass.

    A test that failed shows the soft verdicts of that phase in a section of its own; what a golden or
    scenario says of its failure has them already.
    """
    redaction = _redaction(item, verdicts)
    _put(report, verdicts, item, redaction)
    soft = [verdict for verdict in verdicts if verdict.mode == "soft"]
    for verdict in soft:
        if verdict.outcome is not Outcome.PASS:
            claim = f"{turn_text(verdict)}{claim_text(verdict)}"
            said = redaction.text(f"{verdict.outcome}: {claim}: {verdict.reason}")
            text = visible(said, newlines=False)
            _add_property(item, report, "grice.soft", text)
    for text in _assertions(item, verdicts):
        _add_property(item, report, "grice.assertion", text)
    if soft and report.failed and KIND not in item.stash:
        report.sections.append(
            ("grice: soft verdicts", redaction.text("\n".join(verdict_lines(soft, turns=True))))
        )
    if report.when == "call":
        _attach_conduct(item, report)


def _add_property(item: pytest.Item, report: Any, name: str, text: str) -> None:
    for properties in (item.user_properties, report.user_properties):  # the latter is a copy
        properties.append((name, text))


def _assertions(item: pytest.Item, verdicts: Sequence[Verdict]) -> Iterator[str]:
    """The results of assertions on data, as JSON on one line."""
    if all(one.selection is None for one in verdicts):
        return
    from grice.matching.assertions.results import assertion_results

    redaction = redaction_of_test(item)
    for one in assertion_results(verdicts)[0]:
        yield visible(redaction.text(msgspec.json.encode(one).decode(), quoted=True), newlines=False)


def _attach_conduct(item: pytest.Item, report: Any) -> None:
    """What its played users did not keep to, also beside the failure of the test, which may come from it."""
    report.grice_conduct = [visible(line, newlines=False) for line in conduct_lines(item)]
    if report.failed and report.grice_conduct:
        report.sections.append(("grice: the simulated user", "\n".join(report.grice_conduct)))


def interrupted(item: pytest.Item, turns: tuple[Turn, ...], verdicts: Sequence[Verdict]) -> Any:
    """A report of the test in the middle of which the session was stopped: neither passed nor failed."""
    report: Any = pytest.TestReport(item.nodeid, item.location, {}, "skipped", None, "call")
    _put(report, verdicts, item, redaction_of(*turns))
    report.grice_interrupted = transcript_rows(turns, marked=None, width=WIDTH) if turns else []
    return report


def _redaction(item: pytest.Item, verdicts: Sequence[Verdict]) -> Redaction:
    """What takes secrets out of the verdicts that are shown; those that passed are not."""
    shown = any(one.outcome is not Outcome.PASS or says_little(one) for one in verdicts)
    return redaction_of_test(item) if shown else Redaction()


def _put(report: Any, verdicts: Sequence[Verdict], item: pytest.Item, redaction: Redaction) -> None:
    """Put the verdicts on the report in values that workers of xdist can send: the hard ones are counted."""
    report.grice_kind = item.stash.get(KIND, "")
    report.grice_hollow = [
        tuple(redaction.text(part) if isinstance(part, str) else part for part in found)
        for found in hollow_verdicts(item.nodeid, verdicts)
    ]
    report.grice_model_address = item.stash.get(HELD_ADDRESS, "")
    report.grice_checks = [tuple(row) for row in check_rows(verdicts) if row.criterion or row.mode == "soft"]
    report.grice_recorded = item.stash.get(RECORDED, "")
    if RECORDED in item.stash:
        del item.stash[RECORDED]  # a test has several reports
    report.grice_softened = count_softened(verdicts)
    report.grice_uncalibrated = count_uncalibrated(verdicts)
    report.grice_hard = dict(Counter(one.outcome.value for one in verdicts if one.mode == "hard"))
    report.grice_soft = [
        {
            "outcome": verdict.outcome.value,
            "headline": redaction.text(_headline(verdict)),
            "claim": redaction.text(claim_text(verdict)),
            "reasons": redaction.lines(reason_lines(verdict)),
            "turn": turn_text(verdict),
        }
        for verdict in verdicts
        if verdict.mode == "soft"
    ]


def write_summary(terminal: TerminalReporter, reports: Sequence[Any]) -> None:
    """Count hard and soft verdicts, and list every soft one that did not pass, with why.

    The order is that of the node ids, so that it is the same whoever ran the tests.
    """
    scenarios = scenario_reports(terminal)
    reports = sorted(reports, key=lambda report: (report.nodeid, _PHASES.index(report.when)))
    terminal.write_sep("=", "grice")
    for line in broken_check_lines(CheckRow(*row) for report in reports for row in report.grice_checks):
        terminal.write_line(line, red=True)
    for line in _not_run(scenarios):
        terminal.write_line(line, red=True)
    hard = sum((Counter(report.grice_hard) for report in reports), Counter[str]())
    soft = Counter(verdict["outcome"] for report in reports for verdict in report.grice_soft)
    if hard:
        terminal.write_line(f"hard checks: {_counted(hard)}{_in_passed_tests(reports)}")
    if soft:
        terminal.write_line(f"soft checks: {_counted(soft)}")
    for line in only_lines((id_.split("::")[0], why) for id_, why in _why_left_out(scenarios).items()):
        terminal.write_line(line)
    for line in fixed_address_lines(_addresses(reports)):
        terminal.write_line(line)
    _write_soft(terminal, reports)
    _write_conduct(terminal, reports)
    _write_hints(terminal, reports)
    for line in _notes(terminal, reports):
        terminal.write_line(line)
    _write_recorded(terminal, reports)
    for line in _orphan_lines(terminal):
        terminal.write_line(line)
    _write_interrupted(terminal, reports)


def scenario_reports(terminal: TerminalReporter) -> list[Any]:
    """The reports of all scenarios, also of those that were left out."""
    return [
        report
        for reports in terminal.stats.values()
        for report in reports
        if isinstance(report, pytest.TestReport) and report.nodeid.split("::")[0].endswith(SUITES)
    ]


def nothing_ran(terminal: TerminalReporter) -> bool:
    """Whether there were scenarios, all were skipped, and no other test ran either."""
    tests = [report for reports in terminal.stats.values() for report in reports if hasattr(report, "when")]
    return bool(scenario_reports(terminal)) and not any(map(_says_something, tests))


def _says_something(report: Any) -> bool:
    """Whether a test was run, or broke before it was: it says more than that it was left out."""
    return report.failed or (report.when == "call" and not report.skipped) or hasattr(report, "wasxfail")


def _not_run(scenarios: Sequence[Any]) -> Iterator[str]:
    if scenarios and not any(map(_says_something, scenarios)):
        count = len({report.nodeid for report in scenarios})
        said = "the only scenario was" if count == 1 else f"all {count} scenarios were"
        yield f"{said} left out or skipped: no suite tested anything"


def _why_left_out(scenarios: Sequence[Any]) -> dict[str, str]:
    """Why each scenario was left out, by node id; "" for those that were not."""
    reasons: dict[str, str] = {}
    for report in scenarios:
        skipped = report.when == "setup" and report.skipped and isinstance(report.longrepr, tuple)
        reasons[report.nodeid] = reasons.get(report.nodeid, "") or (report.longrepr[2] if skipped else "")
    return dict(sorted(reasons.items()))


def _addresses(reports: Sequence[Any]) -> list[str]:
    """The fixed model address of each test that had one."""
    held = {report.nodeid: getattr(report, "grice_model_address", "") for report in reports}
    return [address for address in held.values() if address]


def _notes(terminal: TerminalReporter, reports: Sequence[Any]) -> Iterator[str]:
    """What is to be known besides the counts."""
    scenarios = [report for report in reports if report.grice_kind == "scenario" and report.when == "call"]
    yield from soft_only_lines(
        sum(report.passed and bool(report.grice_soft) and not report.grice_hard for report in scenarios)
    )
    yield from uncalibrated_lines(sum(report.grice_uncalibrated for report in reports))
    yield from softened_lines(sum(report.grice_softened for report in reports))
    yield from unchecked_lines([one.nodeid for one in reports if getattr(one, "grice_unchecked", False)])
    yield from hollow_lines([Hollow(*each) for report in reports for each in report.grice_hollow])
    goldens = any(report.grice_kind == "golden" for report in reports)
    if scenarios and not goldens and terminal.config.getoption("--grice-update"):
        yield "--grice-update rewrites goldens and cassettes; suites are not rewritten"


def _headline(verdict: Verdict) -> str:
    """The verdict and why on one line, with its score and what is to be known of its judge."""
    said = phrase_of(msgspec.structs.replace(verdict, claim=claim_text(verdict)))
    why = shorten(shown_reason(verdict.reason)[0], _LONGEST_REASON) if verdict.reason else ""
    return f"{said}: {why}" if why else said


def _write_soft(terminal: TerminalReporter, reports: Sequence[Any]) -> None:
    """Each that did not pass on a line under its test; with -v its whole reason too, and who judged.

    Those that say the same are one, under the first test, with their number.
    """
    whole = terminal.config.get_verbosity() > 0
    told = [
        (report.nodeid, tuple(_lines(verdict, whole=whole)))
        for report in reports
        for verdict in report.grice_soft
        if verdict["outcome"] != "pass"
    ]
    counts = Counter(lines for _, lines in told)
    first: dict[tuple[str, ...], str] = {}
    for nodeid, lines in told:
        first.setdefault(lines, nodeid)
    last = ""
    for lines, nodeid in first.items():
        if nodeid != last:
            last = nodeid
            terminal.write_line(visible(last))
        terminal.write_line(f"{lines[0]}{times(counts[lines])}")
        for line in lines[1:]:
            terminal.write_line(line)


def _write_conduct(terminal: TerminalReporter, reports: Sequence[Any]) -> None:
    """Where simulated users did not keep to their rules, which is no part of any outcome."""
    broken = [report for report in reports if getattr(report, "grice_conduct", ())]
    if broken:
        terminal.write_line("simulated users that did not keep to their rules:")
    for report in broken:
        for line in report.grice_conduct:
            terminal.write_line(f"  {visible(report.nodeid, newlines=False)}: {line}")


def _write_hints(terminal: TerminalReporter, reports: Sequence[Any]) -> None:
    """What the records of tests that passed show, which is no part of any outcome."""
    hinting = [report for report in reports if getattr(report, "grice_hints", ())]
    if hinting:
        terminal.write_line('what the records of passed tests show (hints = "off" in the settings hides it):')
    for report in hinting:
        for line in report.grice_hints:
            told = visible(f"{report.nodeid}: {line}", newlines=False)
            terminal.write_line(f"  {told}")


def _write_recorded(terminal: TerminalReporter, reports: Sequence[Any]) -> None:
    """What was recorded, in the order of the cassettes' paths as they are seen from the root folder."""
    root = f"{terminal.config.rootpath}{os.sep}"
    for recorded in sorted(report.grice_recorded for report in reports if report.grice_recorded):
        for line in recorded.split("\n"):
            terminal.write_line(visible(line.replace(root, ""), newlines=False))


def _write_interrupted(terminal: TerminalReporter, reports: Sequence[Any]) -> None:
    for report in reports:
        rows = getattr(report, "grice_interrupted", None)
        if rows is not None:
            terminal.write_line(f"interrupted: {visible(report.nodeid, newlines=False)}")
            for row in rows:
                terminal.write_line(f"  {row}")


def _counted(counts: Counter[str]) -> str:
    return ", ".join(f"{counts[outcome]} {outcome}" for outcome in _ORDER if counts[outcome])


def _in_passed_tests(reports: Sequence[Any]) -> str:
    """Says how many hard checks did not pass in tests that did, as below `pytest.raises`."""
    good = [report.grice_hard for report in reports if report.passed]
    count = sum(n for hard in good for outcome, n in hard.items() if outcome not in ("pass", "skipped"))
    return f" ({count} not passing in tests that passed)" if count else ""


_PHASES = ("setup", "call", "teardown")


def _lines(verdict: dict[str, Any], *, whole: bool) -> Iterator[str]:
    said = f"expected {verdict['claim']}" if whole else verdict["headline"]
    yield f"  soft {verdict['outcome']:<13}{verdict['turn']}{said}"
    for line in verdict["reasons"] if whole else ():
        yield f"    {line}"


def _orphan_lines(terminal: TerminalReporter) -> list[str]:
    """What a summary says of cassettes that no test has any more.

    Nothing unless the session had every test of its files: of those that were left out nobody knows.
    """
    config = terminal.config
    items: Sequence[pytest.Item] = getattr(terminal._session, "items", ())  # none where workers run the tests
    if any("::" in arg for arg in config.args) or terminal.stats.get("deselected"):
        return []
    recorded = set(_recorded(items))
    orphans = sorted(recorded - {cassette_place(item) for item in items}) if recorded else []
    if not orphans:
        return []
    root = config.rootpath
    shown = [str(one.relative_to(root) if one.is_relative_to(root) else one) for one in orphans[:_MOST_NAMED]]
    rest = [f"  and {len(orphans) - _MOST_NAMED} more"] if len(orphans) > _MOST_NAMED else []
    said = "1 cassette belongs" if len(orphans) == 1 else f"{len(orphans)} cassettes belong"
    said = f"{said} to no test any more, renamed or removed as it may be:"
    return [said, *(f"  {one}" for one in shown), *rest]


def _recorded(items: Sequence[pytest.Item]) -> Iterator[Path]:
    """The cassettes of the tests' files, and those beside them whose file is not there any more."""
    files = {item.path: settings_of(item.config, item.path).cassettes for item in items}
    stems = {(file.parent, file.name.split(".")[0]) for file in files}
    for folder, named in {(file.parent, named) for file, named in files.items()}:
        for path in (folder / named).glob("*/*.jsonl"):
            if (folder, path.parent.name) in stems or not any(folder.glob(f"{path.parent.name}.*")):
                yield path
