"""The messages about calls that a cassette lacks, and about recorded calls that were not made."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec

from grice.matching.differences import distance, value_differences
from grice.records import JsonValue
from grice.text import shorten, value_text, visible
from grice.wire.cassettes.errors import RECORD, RERECORD, NotRecorded
from grice.wire.cassettes.tape import Entry, Kind

MAX_EXCERPT = 120
_JUDGED, _END = 'judged="yes">', "\n</data-"
"""What stands before and after the part of a conversation that a judge is asked about."""

MAX_CANDIDATES = 10


class StaleCall(msgspec.Struct, frozen=True):
    """A recorded call that a whole run did not make: its place, its purpose, and its beginning."""

    path: str
    line: int
    kind: Kind
    purpose: str
    subject: str
    excerpt: str

    def __str__(self) -> str:
        name = _name(self.kind, self.purpose, self.subject)
        return f"{self.path}:{self.line}: nothing asked for this {name} any more: {self.excerpt}; {RERECORD}"


def stale_call(path: Path, entry: Entry) -> StaleCall:
    """The finding for a recorded call that was not made."""
    return StaleCall(str(path), entry.line, entry.kind, entry.purpose, entry.subject, excerpt(entry))


def call_name(entry: Entry) -> str:
    """The name of a call in a message."""
    return _name(entry.kind, entry.purpose, entry.subject)


def _name(kind: str, purpose: str, subject: str) -> str:
    tags = " ".join(filter(None, (purpose if purpose != kind else "", visible(subject, newlines=False))))
    return f"{kind} call ({shorten(tags, 80)})" if tags else f"{kind} call"


def excerpt(entry: Entry) -> str:
    """A call in short: the last message, or the tool with its arguments."""
    messages = entry.request.get("messages")
    shown: JsonValue = entry.request
    if isinstance(messages, list) and messages:
        last = messages[-1]
        shown = last.get("content") or last if isinstance(last, dict) else last
    if isinstance(shown, str):  # what a judge is asked begins the same every time
        shown = shown.partition(_JUDGED)[2].partition(_END)[0].strip() or shown
    return value_text(shorten(shown, MAX_EXCERPT) if isinstance(shown, str) else shown)


def missing_file(path: Path, entry: Entry) -> NotRecorded:
    """The message that there is no cassette."""
    return NotRecorded(
        f"{path}: there is no such cassette, and nothing is asked live in mode none (auto under CI), so this "
        f"{call_name(entry)} has no answer: {excerpt(entry)}; {RECORD}"
    )


def used_up(path: Path, entry: Entry, recorded: int, asked: int) -> NotRecorded:
    """The message that a request was made more often than it is recorded."""
    return NotRecorded(
        f"{path}: this {call_name(entry)} was made more often than it is recorded (recorded {recorded}, "
        f"asked {asked}): {excerpt(entry)}; {RERECORD}"
    )


def not_recorded(path: Path, entry: Entry, free: Sequence[Entry], used: Sequence[Entry]) -> NotRecorded:
    """The message that a request is not recorded, with its difference from the nearest one that is."""
    here = [f"{path}: this {call_name(entry)} is not recorded: {excerpt(entry)}"]
    same = [one for one in free if one.kind == entry.kind]
    other = [one for one in used if one.kind == entry.kind]
    near = nearest(entry, same) or nearest(entry, other)
    if near is None:
        here.append(f"  no {entry.kind} call is recorded")
    else:
        state = "not used yet" if near in same else "used already"
        here.append(f"  it differs from the nearest, the {call_name(near)} in line {near.line} ({state}), in")
        here += [f"    {line}" for line in value_differences(near.request, entry.request)]
    return NotRecorded("\n".join([*here, f"  if that is meant, {RERECORD}"]))


def nearest(entry: Entry, candidates: Sequence[Entry]) -> Entry | None:
    """The candidate that is most like the entry, of its purpose and subject if possible; None without any."""
    alike = sorted(candidates, key=lambda one: (one.purpose != entry.purpose, one.subject != entry.subject))
    return min(
        alike[:MAX_CANDIDATES],
        key=lambda one: (
            one.purpose != entry.purpose,
            one.subject != entry.subject,
            distance(one.request, entry.request),
        ),
        default=None,
    )
