"""The file of labels while somebody labels: a line is appended for every answer, and nothing is changed."""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any

import msgspec
from sqlalchemy import Engine

from grice.identity import redact_text
from grice.records import clean_json
from grice.store.columns import made_id
from grice.store.labels import LabelRow, write_labels
from grice.store.owners import moment_in
from grice.validation.judges.items import Label, LabelValue
from grice.validation.judges.labels import VERSION, read_labels
from grice.validation.labelling.asked import Asked

_BEGINS = b'{"version":'


def now() -> str:
    """The time, in UTC (ISO 8601)."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def labels_there(path: Path) -> list[Label]:
    """The labels that stand in the file, none when it is not there. Raises FileErrors.

    A last line that was never whole, as a full disk leaves it, is cut off: that answer is asked for again.
    """
    with suppress(OSError):
        _cut_torn(path)
        if not path.stat().st_size:
            return []
    return read_labels([path]) if path.exists() else []


def _cut_torn(path: Path) -> None:
    """Cut off what is the beginning of a line of ours and nothing else; others' lines are theirs to mend."""
    with path.open("rb+") as stream:
        content = stream.read()
        start = content.rfind(b"\n") + 1
        last = content[start:]
        if not last or not (last.startswith(_BEGINS) or _BEGINS.startswith(last)):
            return
        try:
            msgspec.json.decode(last)
        except msgspec.DecodeError:
            stream.truncate(start)
        except RecursionError:
            return  # no line of ours: who reads it says so


class Journal:
    """Appends what a rater says to a file, each line at once and whole.

    `clock` gives the time of a label. Raises OSError where nothing can be appended.
    """

    def __init__(self, path: Path, asked: Asked, rater: str, *, clock: Callable[[], str] = now) -> None:
        self._path = path
        self._asked = asked
        self._rater = rater
        self._clock = clock
        self._file = -1

    def __enter__(self) -> Journal:
        try:
            self._file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o666)
        except OSError as error:
            raise OSError(f"{self._path}: {error.strerror or error}") from error
        size = os.fstat(self._file).st_size
        if size and os.pread(self._file, 1, size - 1) != b"\n":
            self._append(b"\n")  # else the next line would become part of one that was cut off
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        os.close(self._file)

    def write(self, label: Label, **order: int) -> Label:
        """Append a label; as it was written.

        `order` says which item it was for the rater: the `seed` of their order, and the `place` in it from 1.
        """
        dated = msgspec.structs.replace(label, at=self._clock())
        line = self._line(
            dated.item, label=dated.value, note=dated.note, at=dated.at, seconds=round(dated.seconds, 1)
        )
        self._append(msgspec.json.encode({**line, **order}) + b"\n")
        return dated

    def retract(self, label: Label) -> None:
        """Append that a label is taken back."""
        line = self._line(label.item, retracts=True, at=self._clock())
        self._append(msgspec.json.encode(line) + b"\n")

    def _line(self, item: str, **fields: Any) -> dict[str, Any]:
        asked = self._asked
        line: dict[str, Any] = {
            "version": VERSION,
            "item": item,
            "rater": self._rater,
            "criterion": asked.criterion,
            "fingerprint": asked.fingerprint,
        }
        if asked.question:
            line["question"] = asked.question
        return {key: clean_json(value) for key, value in {**line, **fields}.items()}

    def _append(self, line: bytes) -> None:
        while line:
            line = line[os.write(self._file, line) :]
        with suppress(OSError):  # what is no disk cannot be synchronised
            os.fsync(self._file)


LABELS_FILE = "labels.jsonl"

"""The file of a project's labels, beside its settings: where `grice label` writes unless it is told."""


def sync_labels(engine: Engine, file: Path, project: str) -> tuple[int, int]:
    """Bring the database up to what the file says; how many labels are new, and how many were taken out.

    A label is known by the fingerprint of its line, so that the same file gives the same rows however often
    it is read, and from whichever copy. Lines that later ones replace or take back are taken out. Raises
    FileErrors and OSError.
    """
    if not file.stat().st_size:  # as who labels and leaves at once leaves it
        return 0, 0
    found = read_labels([file])
    marks = [_mark(project, line) for line in file.read_bytes().split(b"\n")]
    on_line = Counter(one.line for one in found)
    rows = [_stored(one, marks[one.line - 1], alone=on_line[one.line] == 1) for one in found]
    return write_labels(engine, rows, set(marks) - {one.id for one in rows})


def _mark(project: str, line: bytes) -> str:
    """The id of the label in a line of a project."""
    return hashlib.sha256(project.encode() + b"\0" + line.strip()).hexdigest()[:32]


def _stored(label: Label, mark: str, *, alone: bool) -> LabelRow:
    """The row of a label; a line with those of several raters has a row for each."""
    id_ = mark if alone else made_id(mark, label.rater)
    said = "unsure" if label.value is None else _label_text(label.value)
    asked, note = label.criterion or label.question or None, redact_text(label.note) or None
    return LabelRow(id_, made_id(label.item), None, asked, said, note, label.rater, moment_in(label.at))


def _label_text(value: LabelValue) -> str:
    if isinstance(value, bool):
        return "pass" if value else "fail"
    return value if isinstance(value, str) else f"{value:g}"
