"""What a scan says: findings, what could not be read, the outcomes of each check, and the counts."""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import Any

import msgspec

from grice.files.writing import check_output
from grice.formats.pairing import orphans_told
from grice.identity import redact_text
from grice.records import Outcome, Verdict
from grice.records.codec import encode
from grice.scanning.check_choice import LogCheck
from grice.text import shorten
from grice.user_files import replacing

LISTED_LINES = 100
"""How many malformed lines a report lists."""
EXAMPLES = 3
"""How many findings of a check a report shows."""
VERSION = 2
_MOST_ALIKE = 2_000
"""How many different replies of a check are counted one by one."""
_MOST_HELD = 16_000_000
"""The bytes of lines that are kept to make findings of."""
_REASONS = 100
_LISTED_REASONS = 5
_LONGEST_REASON = 200
_CHANGING = re.compile(r"'[^']*'|\"[^\"]*\"|[0-9][0-9.,]*")
_SEVERAL = re.compile("…(?:, …)+")
_WITH_REASONS = (Outcome.INCONCLUSIVE, Outcome.SKIPPED, Outcome.ERROR)


class Finding(msgspec.Struct, frozen=True):
    """A reply or conversation on which a check failed.

    `label` names the check, `reason` is its reason and `claim` what was checked. `turn` counts from 1, and
    `line` holds the turn. `spans` are character offsets into the reply of the turn, its last answer; there
    are none where the check looked at something else. `marks` are the same places in `excerpt`. `user` is
    what the user had said before. Secrets are replaced in `excerpt`, `reason` and `user`. Findings of a check
    whose replies are the same, but for white space and case, have the same `key`.
    """

    label: str
    file: str
    line: int
    conversation: str
    turn: int
    excerpt: str
    marks: tuple[tuple[int, int], ...] = ()
    spans: tuple[tuple[int, int], ...] = ()
    reason: str = ""
    claim: str = ""
    key: str = ""
    user: str = ""


class CountedFinding(msgspec.Struct, frozen=True):
    """A finding of which nobody needs the words yet: they are made of `data`, its line, where it is shown."""

    label: str
    file: str
    line: int
    turn: int
    key: str
    data: bytes


class MalformedLine(msgspec.Struct, frozen=True):
    """A line that could not be read, or a message in it, and why."""

    file: str
    line: int
    reason: str


class FileProblem(msgspec.Struct, frozen=True):
    """A file that could not be read, or not to its end, and why."""

    file: str
    reason: str


class OrphanResults(msgspec.Struct, frozen=True):
    """How many tool results of a file match no call."""

    file: str
    results: int

    def __str__(self) -> str:
        return f"{self.file}: {orphans_told(self.results)}"


class ReasonCount(msgspec.Struct, frozen=True):
    """How often a check gave a reason.

    What changes from one to the next in it is an ellipsis; `example` is then the first of them.
    """

    outcome: Outcome
    reason: str
    times: int
    example: str = ""


class Example(msgspec.Struct, frozen=True):
    """A finding, and how often its check found the same reply."""

    finding: Finding
    times: int


class CheckCount(msgspec.Struct, frozen=True):
    """What a check said of all that it looked at: `on` replies, their data or calls, or conversations.

    `rate` is the share of `fail` among those on which it could tell, `passed` and `failed`; None where it
    could not tell on any. `reasons` are the most frequent ones of the other three outcomes. `rule` and
    `profile` are those of a rule of Grice, "" for another check.
    """

    label: str
    matcher: str
    claim: str
    on: str
    examined: int
    passed: int
    failed: int
    inconclusive: int
    skipped: int
    error: int
    rate: float | None
    reasons: tuple[ReasonCount, ...] = ()
    examples: tuple[Example, ...] = ()
    rule: str = ""
    profile: str = ""


class ScanReport(msgspec.Struct, frozen=True):
    """What a scan examined and found.

    Replies were examined in `turns_examined` of the `turns`. `malformed` counts lines that were not examined
    at all, `malformed_messages` messages that were left out of other lines; the first 100 of both are listed.
    `not_whole` counts conversations so long that their early turns were let go, `ended_early` those that were
    ended to keep memory bounded. `not_chosen` counts the conversations that a filter or sample left out.
    `orphan_results` has the files with tool results that match no call. `stopped` says where a scan was
    stopped by its user, "" for one that came to its end. `extract_options` is what `grice extract` needs to
    find the same, as `--map FILE`; `judged` the label of what a judge said, which it cannot.
    """

    files: tuple[str, ...]
    unreadable: tuple[FileProblem, ...]
    lines: int
    conversations: int
    conversations_with_findings: int
    turns: int
    turns_examined: int
    checks: tuple[CheckCount, ...]
    malformed: int
    malformed_lines: tuple[MalformedLine, ...]
    malformed_messages: int = 0
    not_whole: int = 0
    ended_early: int = 0
    not_chosen: int = 0
    left_out: tuple[str, ...] = ()
    orphan_results: tuple[OrphanResults, ...] = ()
    stopped: str = ""
    extract_options: tuple[str, ...] = ()
    judged: str = ""

    @property
    def found(self) -> bool:
        """Whether any check failed on anything."""
        return any(one.failed for one in self.checks)

    @property
    def decided(self) -> bool:
        """Whether any check could tell anything."""
        return any(one.passed or one.failed for one in self.checks)

    @property
    def broken(self) -> tuple[CheckCount, ...]:
        """The checks that broke somewhere."""
        return tuple(one for one in self.checks if one.error)

    @property
    def complete(self) -> bool:
        """Whether every file was read to its end, something could be told, and no check broke."""
        return self.decided and not self.unreadable and not self.broken and not self.stopped


def reason_shape(reason: str) -> str:
    """The reason with an ellipsis for what changes from one to the next: quotes and numbers."""
    return _SEVERAL.sub("…", _CHANGING.sub("…", reason[:_LONGEST_REASON]))


class CheckTally(msgspec.Struct):
    """The outcomes of one check so far; of those without a decision the reasons, and one of each shape."""

    outcomes: dict[Outcome, int] = {}
    reasons: dict[str, int] = {}
    examples: dict[str, str] = {}

    def count(self, outcome: Outcome, times: int) -> None:
        """Count an outcome that needs no words."""
        self.outcomes[outcome] = self.outcomes.get(outcome, 0) + times

    def add(self, verdict: Verdict) -> None:
        """Count a verdict."""
        self.outcomes[verdict.outcome] = self.outcomes.get(verdict.outcome, 0) + 1
        if verdict.outcome in _WITH_REASONS:
            shape = reason_shape(verdict.reason)
            key = f"{verdict.outcome}\0{shape}"
            if shape != verdict.reason and key not in self.examples and len(self.examples) < _REASONS:
                self.examples[key] = shorten(redact_text(verdict.reason), _LONGEST_REASON)
            self._give(key, 1)

    def merge(self, other: CheckTally) -> None:
        """Add what another part of the scan counted."""
        for outcome, times in other.outcomes.items():
            self.outcomes[outcome] = self.outcomes.get(outcome, 0) + times
        for reason, times in other.reasons.items():
            self._give(reason, times)
        self.examples = dict([*other.examples.items(), *self.examples.items()][-_REASONS:])

    def _give(self, reason: str, times: int) -> None:
        if reason not in self.reasons and len(self.reasons) >= _REASONS:
            reason = reason.partition("\0")[0] + "\0other reasons"
        self.reasons[reason] = self.reasons.get(reason, 0) + times

    def frequent(self) -> tuple[ReasonCount, ...]:
        """The most frequent reasons."""
        ordered = sorted(self.reasons.items(), key=lambda one: -one[1])[:_LISTED_REASONS]
        parts = ((key.partition("\0"), times) for key, times in ordered)
        return tuple(
            ReasonCount(Outcome(outcome), reason, times, self.examples.get(f"{outcome}\0{reason}", ""))
            for (outcome, _, reason), times in parts
        )


class Tally(msgspec.Struct):
    """The counts of a scan, or of a part of one: those of two parts merge. It is plain data, as JSON too."""

    files: list[str] = []
    unreadable: list[FileProblem] = []
    orphans: dict[str, int] = {}
    lines: int = 0
    conversations: int = 0
    conversations_with_findings: int = 0
    turns: int = 0
    turns_examined: int = 0
    malformed: int = 0
    malformed_messages: int = 0
    malformed_lines: list[MalformedLine] = []
    not_whole: int = 0
    ended_early: int = 0
    not_chosen: int = 0
    checks: dict[str, CheckTally] = {}

    def check(self, label: str) -> CheckTally:
        """The counts of a check."""
        found = self.checks.get(label)
        if found is None:
            found = self.checks[label] = CheckTally()
        return found

    def unread(self, line: MalformedLine, *, whole: bool = True) -> None:
        """Count a line that could not be read, or a message of one, and keep the first ones."""
        self.malformed += whole
        self.malformed_messages += not whole
        if len(self.malformed_lines) < LISTED_LINES:
            self.malformed_lines.append(line)

    def orphan(self, file: str, results: int) -> None:
        """Count tool results of a file that match no call."""
        if results:
            self.orphans[file] = self.orphans.get(file, 0) + results

    def merge(self, part: Tally) -> None:
        """Add what a later part of the logs has."""
        for name in _ADDED:
            setattr(self, name, getattr(self, name) + getattr(part, name))
        self.files += part.files
        self.unreadable += part.unreadable
        self.malformed_lines += part.malformed_lines[: LISTED_LINES - len(self.malformed_lines)]
        for file, results in part.orphans.items():
            self.orphan(file, results)
        for label, check in part.checks.items():
            self.check(label).merge(check)

    def report(
        self, checks: Sequence[LogCheck], alike: AlikeFindings, left_out: tuple[str, ...], stopped: str
    ) -> ScanReport:
        """The counts as they stand, the checks in the order of what matters."""
        return ScanReport(
            files=tuple(self.files),
            unreadable=tuple(self.unreadable),
            malformed_lines=tuple(self.malformed_lines),
            checks=tuple(_count(one, self.check(one.label), alike) for one in checks),
            left_out=left_out,
            orphan_results=tuple(OrphanResults(*one) for one in self.orphans.items()),
            stopped=stopped,
            **{name: getattr(self, name) for name in _ADDED},
        )


_ADDED: tuple[str, ...] = (
    "lines",
    "conversations",
    "conversations_with_findings",
    "turns",
    "turns_examined",
    "malformed",
    "malformed_messages",
    "not_whole",
    "ended_early",
    "not_chosen",
)
"""The counts of a tally that are added up."""


def _count(check: LogCheck, tally: CheckTally, alike: AlikeFindings) -> CheckCount:
    counts: dict[str, Any] = {one.name.lower(): tally.outcomes.get(one, 0) for one in Outcome}
    counts["passed"], counts["failed"] = counts.pop("pass"), counts.pop("fail")
    told = counts["passed"] + counts["failed"]
    rule, profile = check.rule
    return CheckCount(
        label=check.label,
        matcher=check.check.matcher.factory.name,
        claim=check.check.matcher.phrase,
        on=check.check.target.kind,
        examined=sum(tally.outcomes.values()),
        rate=counts["failed"] / told if told else None,
        reasons=tally.frequent(),
        examples=alike.examples(check.label),
        rule=rule,
        profile=profile,
        **counts,
    )


class AlikeFindings:
    """Counts the findings of a check whose replies are the same, and keeps the first of each.

    `whole` makes a finding that was only counted whole.
    """

    def __init__(self, whole: Callable[[CountedFinding], Finding]) -> None:
        self._found: dict[str, dict[str, tuple[Finding | CountedFinding, int]]] = {}
        self._whole = whole
        self._held = 0
        self._last = b""

    def add(self, finding: Finding | CountedFinding) -> None:
        """Take a finding. Of a check the first so many different replies are counted."""
        seen = self._found.setdefault(finding.label, {})
        first, times = seen.get(finding.key, (finding, 0))
        if times or len(seen) < _MOST_ALIKE:
            if not times and isinstance(finding, CountedFinding):
                self._held += len(finding.data) * (finding.data is not self._last)
                self._last = finding.data
                first = finding if self._held < _MOST_HELD else self._whole(finding)
            seen[finding.key] = first, times + 1

    def examples(self, label: str) -> tuple[Example, ...]:
        """The most frequent replies, each of another conversation than the one before."""
        ordered = sorted(self._found.get(label, {}).values(), key=lambda one: -one[1])
        shown: list[Example] = []
        for first, times in ordered:
            if shown and isinstance(first, CountedFinding) and _same_line(shown[-1].finding, first):
                continue
            finding = self._whole(first) if isinstance(first, CountedFinding) else first
            if not (shown and _same_conversation(shown[-1].finding, finding)):
                shown.append(Example(finding, times))
            if len(shown) == EXAMPLES:
                break
        return tuple(shown)


def _same_line(one: Finding, other: CountedFinding) -> bool:
    return (one.file, one.line) == (other.file, other.line)


def _same_conversation(one: Finding, other: Finding) -> bool:
    """Whether both are of the same conversation, as far as a log tells."""
    named = one.conversation or other.conversation
    return one.file == other.file and (
        one.conversation == other.conversation if named else one.line == other.line
    )


class FindingsFile:
    """One JSON document `{"version", "findings", "summary"}`, which has its name only once it is complete.

    Raises OSError at the start when the file cannot be written.
    """

    def __init__(self, path: Path) -> None:
        if path.is_dir():
            raise IsADirectoryError(f"{path} is a directory")
        self._replacing = replacing(path)
        self._file = self._replacing.__enter__()
        self._finished = False
        self._file.write(b'{"version":%d,"findings":[' % VERSION)
        self._separator = b"\n"

    def write(self, finding: Finding | bytes) -> None:
        """Add a finding, or one that is written already."""
        self._file.write(self._separator + (finding if isinstance(finding, bytes) else encode(finding)))
        self._separator = b",\n"

    def finish(self, report: ScanReport) -> None:
        """Add the summary and give the file its name."""
        self._file.write(b'\n],\n"summary":' + encode(report) + b"}\n")
        self._finished = True
        self._replacing.__exit__(None, None, None)

    def __enter__(self) -> FindingsFile:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if not self._finished:
            reason = error if error is not None else EOFError("the scan did not finish")
            self._replacing.__exit__(type(reason), reason, traceback)


class NoParquet(ValueError):
    """Parquet cannot be written; the text says what it needs."""


_TABLE_ROWS = 10_000
_WRITTEN_BY = b"grice.findings"
"""What the metadata of a table has, by which Grice knows what it may write over."""


def check_table(path: Path, inputs: Iterable[Path] = ()) -> None:
    """Raise OSError when no table of findings can be written there, or it is one of `inputs`, and NoParquet.

    An earlier table of findings may be written over.
    """
    _, parquet = _arrow()
    try:
        own = path.is_file() and _WRITTEN_BY in (parquet.read_schema(path).metadata or {})
    except (OSError, ValueError):  # it is no Parquet, or broken
        own = False
    if not own or any(one.exists() and path.samefile(one) for one in inputs):
        check_output(path, inputs)


def write_table(findings: Iterable[Finding], path: Path) -> None:
    """Write the findings as Parquet, a row each, whole or not at all. Raises OSError and NoParquet."""
    arrow, parquet = _arrow()
    place = arrow.struct([("start", arrow.int32()), ("end", arrow.int32())])
    types = {"line": arrow.int64(), "turn": arrow.int32(), "marks": arrow.list_(place)}
    types["spans"] = types["marks"]
    schema = arrow.schema(
        [(name, types.get(name, arrow.string())) for name in Finding.__struct_fields__],
        metadata={_WRITTEN_BY: str(VERSION).encode()},
    )
    with replacing(path) as stream, parquet.ParquetWriter(stream, schema) as writer:
        rows = map(_row, findings)
        while some := list(islice(rows, _TABLE_ROWS)):
            writer.write_table(arrow.Table.from_pylist(some, schema))


def _row(finding: Finding) -> dict[str, object]:
    row = msgspec.structs.asdict(finding)
    for name in ("marks", "spans"):
        row[name] = [{"start": start, "end": end} for start, end in row[name]]
    return row


def _arrow() -> tuple[Any, Any]:
    try:
        return importlib.import_module("pyarrow"), importlib.import_module("pyarrow.parquet")
    except ImportError:
        raise NoParquet("--parquet needs a package: pip install 'grice[parquet]'") from None
