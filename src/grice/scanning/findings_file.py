"""The file of a scan's findings, written while the scan goes on."""

from __future__ import annotations

from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from grice.files.writing import replacing
from grice.records.codec import encode
from grice.scanning.report import Finding, ScanReport

if TYPE_CHECKING:  # a scan without checks does not load them
    from grice.scanning.check_report import CheckReport

__all__ = ["VERSION", "FindingsFile"]

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
