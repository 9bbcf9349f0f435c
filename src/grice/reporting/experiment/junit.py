"""An experiment as JUnit XML, which CI systems show: a test case for each conversation."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import zip_longest
from pathlib import PurePath
from xml.etree import ElementTree as ET

import msgspec

from grice.experiments.attempts import attempt_of, failure_message, why_not_counted
from grice.matching.assertions.results import assertion_results
from grice.matching.failure import MAX_REASON
from grice.records import Outcome, Result, Verdict
from grice.reporting.identity_text import mixed_text
from grice.reporting.text import reason_text, verdict_lines
from grice.running.journal.experiment import Experiment
from grice.text import shorten, visible

JUNIT_MARK = '<testsuites name="Grice"'
"""What is found at the beginning of every such file."""

_SUITE = "grice"


def junit_xml(
    heads: Sequence[Experiment],
    results: Iterable[Result],
    *,
    unfinished: Sequence[str] = (),
    unfinished_in: Sequence[str] = (),
    never_begun: int | None = None,
    damaged: int = 0,
    notes: Sequence[str] = (),
) -> bytes:
    """The results as UTF-8 XML; only a conversation that passed and counts is a case without anything in it.

    What passed with soft checks only is skipped: nothing in it could fail.

    A failure is what hard checks found; soft ones stand in `system-out` and fail nothing. What was
    inconclusive or broke is an error in words, and what passed without counting is skipped. What was begun
    and not finished, what was never begun, and lines of the journal that cannot be read are errors, and so is
    a run without any result. A line that cannot be read is counted once, as the conversation that it leaves
    without a result where there is one. `unfinished_in` is the group of each of `unfinished`, the set or file
    that its result would stand under. `notes` stand in the `system-out` of the suite.
    """
    head = heads[0]
    suite = ET.Element(
        "testsuite", name=_one_line(head.name or head.id), timestamp=head.timestamp.rstrip("Z")
    )
    suite.append(_properties(head, mixed_text(heads)))
    kinds: Counter[str] = Counter()
    seconds = 0.0
    for result in results:
        case, kind = _case(result)
        suite.append(case)
        kinds[kind] += 1
        seconds += result.duration or 0.0
    missing = _all_missing(unfinished, unfinished_in, never_begun or 0, damaged)
    if not kinds and not missing:
        missing.append(_missing("run", "no conversation was finished"))
    suite.extend(missing)
    if notes:
        ET.SubElement(suite, "system-out").text = _text(notes)
    kinds["error"] += len(missing)
    counts = {
        "tests": str(kinds.total()),
        "failures": str(kinds["failure"]),
        "errors": str(kinds["error"]),
        "skipped": str(kinds["skipped"]),
        "time": f"{seconds:.3f}",
    }
    suite.attrib.update(counts)
    root = ET.Element("testsuites", {"name": "Grice", **counts})
    root.append(suite)
    ET.indent(root)
    text: bytes = ET.tostring(root, encoding="utf-8", xml_declaration=True)
    return text + b"\n"


def _properties(head: Experiment, mixed: str) -> ET.Element:
    """What the run was, as far as it is known."""
    values = {
        "experiment": head.id,
        "mixed": mixed,
        "name": head.name,
        "tags": ", ".join(head.tags),
        "git_commit": head.git_commit or "",
        "git_branch": head.git_branch or "",
        "git_dirty": "" if head.git_dirty is None else str(head.git_dirty).lower(),
        "config_hash": head.config_hash,
        "grice_version": head.grice_version,
    }
    properties = ET.Element("properties")
    for name, value in values.items():
        if value:
            ET.SubElement(properties, "property", name=name, value=_one_line(value))
    return properties


def _case(result: Result) -> tuple[ET.Element, str]:
    """The test case, and what it is: passed, failure, error or skipped."""
    again = f" (repeat {result.repeat})" if result.repeat > 1 else ""
    group = result.set_name or PurePath(result.file).stem or _SUITE
    case = ET.Element("testcase", classname=_one_line(group), name=_one_line(result.key) + again)
    if result.duration is not None:
        case.set("time", f"{result.duration:.3f}")
    properties = ET.SubElement(case, "properties")
    ET.SubElement(properties, "property", name="stable_id", value=_one_line(result.id))
    for one in assertion_results(result.verdicts)[0]:
        value = _one_line(msgspec.json.encode(one).decode())
        ET.SubElement(properties, "property", name="grice.assertion", value=value)
    kind = _kind(result)
    if kind != "passed":
        told = ET.SubElement(case, kind, message=_no_xml(reason_text(shorten(_message(result), MAX_REASON))))
        if kind != "skipped":
            told.set("type", result.failure if kind == "failure" else result.outcome.value)
        told.text = _text(verdict_lines(_notable(result, "hard"), turns=True))
    soft = _notable(result, "soft")
    if soft:
        lines = ["soft evaluations that did not pass, which fail nothing:", *verdict_lines(soft, turns=True)]
        ET.SubElement(case, "system-out").text = _text(lines)
    return case, kind


def _kind(result: Result) -> str:
    if result.outcome is Outcome.SKIPPED:
        return "skipped"
    if result.outcome is Outcome.PASS:
        return "passed" if result.counts and not attempt_of(result).unchecked else "skipped"
    return "failure" if result.outcome is Outcome.FAIL and result.counts else "error"


def _message(result: Result) -> str:
    """Why it is not simply passed."""
    if result.outcome is Outcome.SKIPPED:
        return next((one.reason for one in result.verdicts if one.reason), "skipped")
    if not result.counts:
        passed = "passed, and does not count" if result.outcome is Outcome.PASS else "does not count"
        return f"{passed}: {why_not_counted(result)}"
    if result.outcome is Outcome.PASS:
        return "no hard check: nothing in it could fail"
    why = failure_message(result)
    if result.outcome is Outcome.INCONCLUSIVE:
        return f"inconclusive, it could not be told: {why}"
    return why


def _notable(result: Result, mode: str) -> list[Verdict]:
    calm = (Outcome.PASS, Outcome.SKIPPED)
    return [one for one in result.verdicts if one.mode == mode and one.outcome not in calm]


def _all_missing(
    unfinished: Sequence[str], groups: Sequence[str], never_begun: int, damaged: int
) -> list[ET.Element]:
    """An error for each thing without a result; lines that cannot be read may be why, and add none then."""
    lines = "a line" if damaged == 1 else f"{damaged} lines"
    or_damaged = f", or finished in {lines} of the journal that cannot be read" if damaged else ""
    missing = [
        _missing(key, f"begun and not finished{or_damaged}", group)
        for key, group in zip_longest(unfinished, groups[: len(unfinished)], fillvalue="")
    ]
    if never_begun:
        said = f"{never_begun} planned and never begun{or_damaged}"
        missing.append(_missing("planned conversations", said))
    if damaged > len(unfinished) + never_begun:
        missing.append(_missing("journal", f"{lines} of it cannot be read"))
    return missing


def _missing(name: str, why: str, group: str = "") -> ET.Element:
    """An error for what has no result."""
    case = ET.Element("testcase", classname=_one_line(group or _SUITE), name=_one_line(name))
    ET.SubElement(case, "error", type="unfinished", message=why)
    return case


def _one_line(text: str) -> str:
    return _no_xml(visible(text, newlines=False))


def _text(lines: Sequence[str]) -> str:
    return _no_xml(visible("\n".join(lines)))


def _no_xml(shown: str) -> str:
    return _NO_XML.sub("?", shown)


_NO_XML = re.compile("[\ufffe\uffff]")  # XML has no place for them, and `visible` shows them as they are
