"""The file of a scan's findings, written while the scan goes on."""

from __future__ import annotations

import os
from pathlib import Path
from types import TracebackType
from typing import BinaryIO

import msgspec

from grice.scanning.report import Finding, ScanReport

__all__ = ["VERSION", "FindingsFile"]

VERSION = 1


class FindingsFile:
    """One JSON document `{"version", "findings", "summary"}`, which has its name only once it is complete.

    Raises OSError at the start when the file cannot be written.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._part = path.with_name(f".{path.name}.{os.getpid()}.part")
        if path.is_dir():
            raise IsADirectoryError(f"{path} is a directory")
        self._file: BinaryIO = open(self._part, "wb")  # noqa: SIM115 - closed by `__exit__`
        self._file.write(b'{"version":%d,"findings":[' % VERSION)
        self._separator = b"\n"

    def write(self, finding: Finding) -> None:
        """Add a finding."""
        self._file.write(self._separator + msgspec.json.encode(finding))
        self._separator = b",\n"

    def finish(self, report: ScanReport) -> None:
        """Add the summary and give the file its name."""
        self._file.write(b'\n],\n"summary":' + msgspec.json.encode(report) + b"}\n")
        self._file.close()
        os.replace(self._part, self._path)

    def __enter__(self) -> FindingsFile:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._file.close()
        self._part.unlink(missing_ok=True)
