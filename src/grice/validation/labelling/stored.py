"""Read the labels of a file into the database."""

from __future__ import annotations

import hashlib
from collections import Counter
from pathlib import Path

from sqlalchemy import Engine

from grice.identity import redact_text
from grice.store.columns import made_id
from grice.store.labels import LabelRow, write_labels
from grice.store.owners import moment_in
from grice.validation.judges.items import Label, LabelValue
from grice.validation.judges.labels import read_labels

LABELS_FILE = "labels.jsonl"
"""The file of a project's labels, beside its settings: where `grice label` writes unless it is told."""


def sync_labels(engine: Engine, file: Path, project: str) -> tuple[int, int]:
    """Bring the database up to date with the file; the numbers of new and of removed labels.

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
    return LabelRow(id_, made_id(label.item), asked, said, note, label.rater, moment_in(label.at))


def _label_text(value: LabelValue) -> str:
    if isinstance(value, bool):
        return "pass" if value else "fail"
    return value if isinstance(value, str) else f"{value:g}"
