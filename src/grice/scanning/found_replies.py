"""The different replies that a scan found, with their conversations, on disk until they are shown."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from typing import Self

import msgspec

from grice.records import Conversation
from grice.records.codec import encode
from grice.scanning.kept_scan import KeptFinding, kept_finding
from grice.scanning.report import Finding

MOST = 20_000
"""How many different replies are kept."""
_PLACES = 20


class FoundReply(msgspec.Struct):
    """A reply on which a check failed: where it was first found and where else, and how often in all."""

    label: str
    at: int
    size: int
    times: int = 1
    others: list[str] = []


class FoundReplies:
    """Keeps the first finding of each label and reply, without secrets, in a file that has no name."""

    def __init__(self) -> None:
        self._file = tempfile.TemporaryFile()  # noqa: SIM115 - it is closed with this
        self._found: dict[tuple[str, str], FoundReply] = {}
        self.left_out = 0
        """The findings on other replies than those that are kept."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def add(self, finding: Finding, conversation: Conversation) -> None:
        """Take a finding, with its conversation up to its turn."""
        known = self._found.get((finding.label, finding.key))
        if known is not None:
            known.times += 1
            if len(known.others) < _PLACES:
                known.others.append(f"{finding.file}:{finding.line}")
        elif len(self._found) >= MOST:
            self.left_out += 1
        else:
            data = encode(kept_finding(finding, conversation))
            self._found[finding.label, finding.key] = FoundReply(finding.label, self._file.tell(), len(data))
            self._file.write(data)

    def ordered(self, labels: Sequence[str]) -> list[FoundReply]:
        """The replies by label, in this order of labels, of each the most frequent first."""
        order = {label: place for place, label in enumerate(labels)}
        return sorted(self._found.values(), key=lambda one: (order[one.label], -one.times))

    def read(self, found: FoundReply) -> KeptFinding:
        """The first finding of a reply, with its conversation."""
        self._file.seek(found.at)
        return msgspec.json.decode(self._file.read(found.size), type=KeptFinding)
