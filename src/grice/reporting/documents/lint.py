"""What a lint of message arrays found, as a document."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

import msgspec

from grice.checks.message_lint import LintFinding
from grice.formats.pairing import orphans_told
from grice.reporting.document import Answer, Document, Line, Part, Section, Span, Tone, labelled
from grice.text import plural

_ORPHAN = "orphan-tool-result"
_TONES: dict[str, Tone] = {"error": "bad", "warning": "warn"}


class Linted(msgspec.Struct, frozen=True):
    """A finding and where it is: the file, its line (0 in a single document), what in it."""

    file: str
    line: int
    name: str
    finding: LintFinding


class LintReport(msgspec.Struct, frozen=True):
    """What was examined: `arrays` of messages; of `without` conversations no request is recorded."""

    files: tuple[str, ...]
    arrays: int
    without: int
    found: tuple[Linted, ...]
    problems: tuple[str, ...] = ()

    def count(self, severity: str) -> int:
        """How many findings are of this severity."""
        return sum(one.finding.severity == severity for one in self.found)


def lint_document(report: LintReport) -> Document:
    """How many errors and warnings, then each, those with errors first, and how to mend it."""
    errors, warnings = report.count("error"), report.count("warning")
    found = f"{plural(errors, 'error')}, {plural(warnings, 'warning')}"
    examined = f"{plural(len(report.files), 'file')}, {plural(report.arrays, 'message array')} examined"
    without = f"Of {plural(report.without, 'conversation')} no request to a model is recorded."
    answer = Answer(
        f"{found}: {examined}." if report.found else f"Nothing found: {examined}.",
        "bad" if errors else "warn" if warnings else "good",
        without if report.without else "",
    )
    return Document("findings", "", answer, parts=(*_orphans(report), *_arrays(report)))


def _orphans(report: LintReport) -> Iterator[Line]:
    """That results match no call, once for each file; the first of a file is shown as an example of all."""
    for file in dict.fromkeys(one.file for one in report.found):
        count = sum(one.file == file and one.finding.rule == _ORPHAN for one in report.found)
        if count > 1:
            yield Line(f"{file}: {orphans_told(count)}", "warn")


def _arrays(report: LintReport) -> Iterator[Part]:
    told: set[str] = set()
    shown = []
    for (file, line, name), group in groupby(report.found, key=lambda one: (one.file, one.line, one.name)):
        findings = []
        for one in group:
            if one.finding.rule != _ORPHAN or file not in told:
                findings.append(one.finding)
            told.update([file] if one.finding.rule == _ORPHAN else [])
        if findings:
            calm = all(one.severity != "error" for one in findings)
            title = f"{file}{f':{line}' if line else ''}{f'  {name}' if name else ''}"
            shown.append((calm, Section(title, tuple(map(_finding, findings)), folded=False)))
    yield from (section for _, section in sorted(shown, key=lambda one: one[0]))


def _finding(one: LintFinding) -> Line:
    number = "-" if one.index is None else str(one.index)
    words = (
        Span(f"{number:>3}  "),
        Span(one.severity, _TONES[one.severity]),
        Span(f"  {one.rule}", "strong"),
        Span(f"  {one.path}", "faint"),
    )
    told = {"found": one.found, "why": one.why, "fix": one.fix}
    return Line(words, under=tuple(Line(labelled(name, text, 6)) for name, text in told.items()))
