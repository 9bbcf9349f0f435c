"""A scan that a project keeps: its counts, and of each label findings with the words that they are about.

A file is `.grice/scans/scan_<hex>.json`. Of a label with many findings some are drawn, each with the same
chance, so that a file stays small and what people say of them holds for the log.
"""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from random import Random

import msgspec
from msgspec.structs import replace

from grice.files.writing import make_folder
from grice.matching.redacted import redacted_record
from grice.records import Conversation
from grice.records.codec import encode
from grice.scanning.report import Finding, ScanReport
from grice.user_files import open_file, replacing

SCANS = Path(".grice", "scans")
"""Where a project keeps its scans."""
VERSION = 2
MOST = 500
"""How many findings of a label are kept."""
_WINDOW = 6
"""How many turns are kept of a conversation: the one of the finding is the last."""
_ID = re.compile(r"scan_[0-9a-f]{12}")


class ScannedLabel(msgspec.Struct, frozen=True, omit_defaults=True):
    """A label that was looked for: how often it was found, and which rule in which profile looks for it.

    `rule` is "" for a check that is no rule of Grice.
    """

    label: str
    found: int
    rule: str = ""
    profile: str = ""


class KeptFinding(msgspec.Struct, frozen=True, omit_defaults=True):
    """A finding with the last turns of its conversation up to it.

    Findings of a label have the same `key` whose replies are the same but for white space and case.
    """

    key: str
    finding: Finding
    conversation: Conversation


class KeptScan(msgspec.Struct, frozen=True, omit_defaults=True):
    """A scan of logs. `labels` has those with findings first."""

    version: int
    id: str
    at: datetime
    labels: tuple[ScannedLabel, ...]
    findings: tuple[KeptFinding, ...]
    report: ScanReport

    @property
    def files(self) -> tuple[str, ...]:
        """The logs that were scanned."""
        return self.report.files


class FindingGroup(msgspec.Struct, frozen=True):
    """The kept findings of a label whose replies are the same."""

    key: str
    label: str
    findings: tuple[KeptFinding, ...]


class ScanUnreadable(ValueError):
    """The file of a scan is none that this Grice reads; the text says why."""


class FindingSample:
    """Draws findings while a scan goes on, at most so many of a label, each with the same chance."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._seen: dict[str, int] = {}
        self._drawn: dict[str, list[tuple[Finding, Conversation]]] = {}
        self._random = Random(0)  # noqa: S311 - which of many findings are kept

    def add(self, finding: Finding, conversation: Conversation) -> None:
        """Take a finding, with its conversation up to its turn."""
        seen = self._seen[finding.label] = self._seen.get(finding.label, 0) + 1
        drawn = self._drawn.setdefault(finding.label, [])
        if seen <= self._most:
            drawn.append((finding, conversation))
        elif (place := self._random.randrange(seen)) < self._most:
            drawn[place] = (finding, conversation)

    def kept(self) -> tuple[KeptFinding, ...]:
        """What was drawn, without secrets."""
        return tuple(kept_finding(*one) for drawn in self._drawn.values() for one in drawn)


def kept_finding(finding: Finding, conversation: Conversation) -> KeptFinding:
    """The finding with the last turns of its conversation, without secrets."""
    turns = tuple(one for one in conversation.turns if one.number <= finding.turn)[-_WINDOW:]
    bare = tuple(replace(one, exchanges=(), metadata={}) for one in turns)
    held = redacted_record(Conversation(id=finding.conversation, turns=bare), Conversation)
    return KeptFinding(finding.key, finding, held)


def new_scan_id() -> str:
    """An id that no scan has."""
    return f"scan_{uuid.uuid4().hex[:12]}"


def write_scan(folder: Path, id_: str, report: ScanReport, sample: FindingSample) -> Path:
    """Keep a scan in the folder of scans; where. Raises OSError."""
    ordered = sorted(report.checks, key=lambda one: -one.failed)
    labels = tuple(ScannedLabel(one.label, one.failed, one.rule, one.profile) for one in ordered)
    kept = KeptScan(VERSION, id_, datetime.now(UTC), labels, sample.kept(), report)
    make_folder(folder)
    path = folder / f"{id_}.json"
    with replacing(path) as stream:
        stream.write(encode(kept) + b"\n")
    return path


class KeptScans:
    """The scans of a project. One object serves all threads."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._read: dict[str, tuple[tuple[int, int], KeptScan]] = {}

    def ids(self) -> list[str]:
        """The ids of all scans, the latest first."""
        found = [one for one in self.folder.glob("scan_*.json") if _ID.fullmatch(one.stem)]
        return [one.stem for one in sorted(found, key=lambda one: (-one.stat().st_mtime_ns, one.name))]

    def find(self, id_: str) -> KeptScan | None:
        """The scan of that id, None where there is none. Raises ScanUnreadable."""
        path = self.folder / f"{id_}.json"
        if _ID.fullmatch(id_) is None or not path.is_file():
            return None
        told = path.stat()
        state = (told.st_mtime_ns, told.st_size)
        known = self._read.get(id_)
        if known is not None and known[0] == state:
            return known[1]
        scan = _read(path)
        while len(self._read) > 3:
            self._read.pop(next(iter(self._read)), None)
        self._read[id_] = (state, scan)
        return scan


class _Versioned(msgspec.Struct):
    version: int


def _read(path: Path) -> KeptScan:
    try:
        with open_file(path) as stream:
            content = stream.read()
        version = msgspec.json.decode(content, type=_Versioned).version
        if version != VERSION:
            age = "a newer" if version > VERSION else "an older"
            raise ScanUnreadable(f"{path}: {age} Grice wrote it (version {version}, known is {VERSION})")
        return msgspec.json.decode(content, type=KeptScan)
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise ScanUnreadable(f"{path}: it cannot be read: {error}") from error


def grouped_findings(scan: KeptScan, label: str = "") -> list[FindingGroup]:
    """The findings of the scan, or those of a label, grouped by identical reply.

    They come by label, and by key: that is an order of chance, which stays.
    """
    groups: dict[tuple[str, str], list[KeptFinding]] = {}
    for one in _of_label(scan.findings, label):
        groups.setdefault((one.finding.label, one.key), []).append(one)
    order = {one.label: place for place, one in enumerate(scan.labels)}
    keys = sorted(groups, key=lambda one: (order.get(one[0], len(order)), one[1]))
    return [FindingGroup(key, name, tuple(groups[name, key])) for name, key in keys]


def _of_label(findings: Sequence[KeptFinding], label: str) -> Iterator[KeptFinding]:
    return (one for one in findings if not label or one.finding.label == label)
