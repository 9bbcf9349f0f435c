"""What a scan says: findings, what could not be read, and the counts."""

from __future__ import annotations

from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from grice.checks.tool_flow.labels import LABELS
from grice.checks.tool_flow.status import ToolStatus
from grice.files.writing import replacing
from grice.formats.pairing import orphans_told
from grice.records.codec import encode

if TYPE_CHECKING:
    from grice.scanning.check_report import CheckReport


MALFORMED_ARGUMENTS = "MALFORMED_TOOL_ARGUMENTS"

"""The label of a finding about a tool call whose arguments are not a JSON object."""

LISTED_LINES = 100

"""How many malformed lines a report lists."""

EXAMPLES = 3

"""How many findings of a kind a report shows."""


class Finding(msgspec.Struct, frozen=True):
    """One thing found in a log.

    `label` is one of the five of the response validator, or MALFORMED_TOOL_ARGUMENTS, which names its `tool`.
    `line` holds the message with the first span. `turn` counts from 1. `spans` are character offsets into
    everything the assistant said in the turn (its messages joined by newlines), empty for arguments;
    `marks` are the same places in `excerpt`, where secrets are replaced.
    """

    label: str
    file: str
    line: int
    conversation: str
    turn: int
    tool_status: ToolStatus | None
    excerpt: str
    marks: tuple[tuple[int, int], ...] = ()
    spans: tuple[tuple[int, int], ...] = ()
    tool: str = ""


F = TypeVar("F", bound=Finding)


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


class LabelCount(msgspec.Struct, frozen=True):
    """How many assistant turns show a label, as a share of those examined, with the first few."""

    label: str
    turns: int
    rate: float
    examples: tuple[Finding, ...] = ()


class ScanReport(msgspec.Struct, frozen=True):
    """What a scan examined and found.

    `turns` is the number of turns; in `turns_examined` of them the assistant said something, and every rate
    is per examined turn. `malformed` counts lines that were not examined at all, `malformed_messages`
    messages that were left out of other lines; the first 100 of both are listed. `malformed_arguments`
    counts tool calls, of `tool_calls`. `orphan_results` has the files with tool results that match no call.
    """

    files: tuple[str, ...]
    unreadable: tuple[FileProblem, ...]
    lines: int
    conversations: int
    conversations_without_text: int
    conversations_with_findings: int
    turns: int
    turns_examined: int
    turns_with_findings: int
    labels: tuple[LabelCount, ...]
    tool_calls: int
    malformed_arguments: int
    malformed_arguments_examples: tuple[Finding, ...]
    malformed: int
    malformed_lines: tuple[MalformedLine, ...]
    malformed_messages: int = 0
    orphan_results: tuple[OrphanResults, ...] = ()

    @property
    def found(self) -> bool:
        """Whether anything was found in what was read."""
        return bool(self.turns_with_findings or self.malformed_arguments)

    @property
    def silent_turns(self) -> int:
        """The turns in which the assistant said nothing."""
        return self.turns - self.turns_examined

    @property
    def rate(self) -> float:
        """The share of the examined turns that show any of the labels."""
        return _share(self.turns_with_findings, self.turns_examined)

    @property
    def malformed_arguments_rate(self) -> float:
        """The share of the tool calls whose arguments are malformed."""
        return _share(self.malformed_arguments, self.tool_calls)

    @property
    def complete(self) -> bool:
        """Whether every file was read to its end and at least one assistant turn was examined."""
        return bool(self.turns_examined) and not self.unreadable


class LogTally:
    """What every running scan counts."""

    def __init__(self) -> None:
        self.files: list[str] = []
        self.unreadable: list[FileProblem] = []
        self.orphan_results: list[OrphanResults] = []
        self.lines = 0
        self.conversations = 0
        self.conversations_with_findings = 0
        self.turns = 0
        self.examined = 0
        self._malformed = 0
        self._malformed_messages = 0
        self._malformed_lines: list[MalformedLine] = []

    def malformed(self, line: MalformedLine, *, whole: bool = True) -> None:
        """Count a line that could not be read, or a message of one, and keep the first ones."""
        self._malformed += whole
        self._malformed_messages += not whole
        if len(self._malformed_lines) < LISTED_LINES:
            self._malformed_lines.append(line)

    @property
    def counts(self) -> dict[str, Any]:
        """The fields that every report has, as they stand."""
        return {
            "files": tuple(self.files),
            "unreadable": tuple(self.unreadable),
            "lines": self.lines,
            "conversations": self.conversations,
            "conversations_with_findings": self.conversations_with_findings,
            "turns": self.turns,
            "turns_examined": self.examined,
            "malformed": self._malformed,
            "malformed_lines": tuple(self._malformed_lines),
            "malformed_messages": self._malformed_messages,
            "orphan_results": tuple(self.orphan_results),
        }


class Tally(LogTally):
    """The counts of a running scan for labels."""

    def __init__(self) -> None:
        super().__init__()
        self.silent_conversations = 0
        self.with_findings = 0
        self.tool_calls = 0
        self._counts: dict[str, int] = dict.fromkeys((*LABELS, MALFORMED_ARGUMENTS), 0)
        self._examples: dict[str, list[Finding]] = {label: [] for label in self._counts}

    def found(self, finding: Finding) -> None:
        """Count a finding, and keep the first ones of each label."""
        self._counts[finding.label] += 1
        keep_example(self._examples[finding.label], finding)

    def report(self) -> ScanReport:
        """The counts as they stand."""
        found, shown = self._counts, self._examples
        return ScanReport(
            **self.counts,
            conversations_without_text=self.silent_conversations,
            turns_with_findings=self.with_findings,
            labels=tuple(
                LabelCount(one, found[one], _share(found[one], self.examined), tuple(shown[one]))
                for one in LABELS
            ),
            tool_calls=self.tool_calls,
            malformed_arguments=found[MALFORMED_ARGUMENTS],
            malformed_arguments_examples=tuple(shown[MALFORMED_ARGUMENTS]),
        )


def keep_example(examples: list[F], finding: F) -> None:
    """Keep the finding when it is one of the first few, and of another conversation than the last."""
    if len(examples) < EXAMPLES and not (examples and _same_conversation(examples[-1], finding)):
        examples.append(finding)


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0


def _same_conversation(one: Finding, other: Finding) -> bool:
    """Whether both are of the same conversation, as far as a log tells."""
    named = one.conversation or other.conversation
    return one.file == other.file and (
        one.conversation == other.conversation if named else one.line == other.line
    )


VERSION = 1


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

    def write(self, finding: Finding) -> None:
        """Add a finding."""
        self._file.write(self._separator + encode(finding))
        self._separator = b",\n"

    def finish(self, report: ScanReport | CheckReport) -> None:
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
