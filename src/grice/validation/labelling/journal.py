"""The file of labels: each answer appends a line, and no line is changed."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any

import msgspec

from grice.records import clean_json
from grice.validation.judges.items import Label
from grice.validation.judges.labels import VERSION, read_labels
from grice.validation.labelling.labelling_questions import LabellingQuestion

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
    """Appends a rater's labels to a file, each line at once and whole.

    `clock` gives the time of a label. Raises OSError where nothing can be appended.
    """

    def __init__(
        self,
        path: Path,
        asked: LabellingQuestion,
        rater: str,
        *,
        clock: Callable[[], str] = now,
    ) -> None:
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
        """Append a label; the label as it was written.

        `order` says which item it was for the rater: the `seed` of their order, and the `place` in it from 1.
        """
        dated = msgspec.structs.replace(label, at=self._clock())
        line = self._line(
            dated.item, label=dated.value, note=dated.note, at=dated.at, seconds=round(dated.seconds, 1)
        )
        self._append(msgspec.json.encode({**line, **order}) + b"\n")
        return dated

    def retract(self, label: Label) -> None:
        """Append that a label is withdrawn."""
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
