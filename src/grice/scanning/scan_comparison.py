"""Two scans side by side: in how many conversations each label was found, before and later."""

from __future__ import annotations

from pathlib import Path

import msgspec

from grice.scanning.report import VERSION, Finding, ScanReport
from grice.stats.rates import Rate, difference_bounds, rate
from grice.user_files import open_file

_BEGINS = b'{"version":%d,"findings":[' % VERSION


class WrittenScan(msgspec.Struct, frozen=True):
    """What `grice scan --json` writes."""

    version: int
    findings: tuple[Finding, ...]
    summary: ScanReport


class LabelChange(msgspec.Struct, frozen=True):
    """The share of conversations in which a label was found, and the interval of its change.

    A conversation counts once, whatever was found in it: its findings hang together. A share is None where
    the scan did not look for the label or has no conversations.
    """

    label: str
    before: Rate | None
    later: Rate | None
    low: float | None
    high: float | None

    @property
    def change(self) -> float | None:
        """How much the share grew."""
        return None if self.before is None or self.later is None else self.later.value - self.before.value

    @property
    def sure(self) -> bool:
        """Whether the interval leaves out that nothing changed."""
        return self.low is not None and self.high is not None and not self.low <= 0 <= self.high


class ScanComparison(msgspec.Struct, frozen=True):
    """Two scans, and what changed by label. `problems` say why they cannot be compared."""

    before: str
    later: str
    conversations: tuple[int, int]
    labels: tuple[LabelChange, ...]
    problems: tuple[str, ...] = ()


class NoScan(ValueError):
    """A file that is no scan; the text says why."""


def is_written_scan(path: Path) -> bool:
    """Whether a file looks like what `grice scan --json` writes."""
    try:
        with open_file(path) as stream:
            return stream.read(len(_BEGINS)) == _BEGINS
    except OSError:
        return False


def read_scan(path: Path) -> WrittenScan:
    """The scan that a file holds. Raises NoScan, OSError."""
    try:
        with open_file(path) as stream:
            return msgspec.json.decode(stream.read(), type=WrittenScan)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise NoScan(f"{path}: it is no scan as grice scan --json writes it: {error}") from error


def compare_scans(before: Path, later: Path) -> ScanComparison:
    """What changed from one scan to the next. Raises NoScan, OSError."""
    one, other = read_scan(before), read_scan(later)
    shares = _shares(one), _shares(other)
    labels = dict.fromkeys([*shares[0], *shares[1]])
    changes = [_change(label, shares[0].get(label), shares[1].get(label)) for label in labels]
    problems = [
        f"{path}: the scan was stopped at {scan.summary.stopped}: what comes behind it is not in it"
        for path, scan in ((before, one), (later, other))
        if scan.summary.stopped
    ]
    if not any(each.change is not None for each in changes):
        problems.append("no label was looked for in both scans")
    counts = one.summary.conversations, other.summary.conversations
    return ScanComparison(str(before), str(later), counts, tuple(changes), tuple(problems))


def _shares(scan: WrittenScan) -> dict[str, Rate | None]:
    found: dict[str, set[tuple[str, str | int]]] = {one.label: set() for one in scan.summary.checks}
    for one in scan.findings:
        found.setdefault(one.label, set()).add((one.file, one.conversation or one.line))
    whole = scan.summary.conversations
    return {label: rate(min(len(where), whole), whole) for label, where in found.items()}


def _change(label: str, before: Rate | None, later: Rate | None) -> LabelChange:
    if before is None or later is None:
        return LabelChange(label, before, later, None, None)
    return LabelChange(label, before, later, *difference_bounds(later, before))
