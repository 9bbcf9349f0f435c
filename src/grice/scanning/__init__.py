"""Scanning logs: the checks that need no set-up, over every assistant turn, in bounded memory."""

from grice.scanning.report import (
    MALFORMED_ARGUMENTS,
    FileProblem,
    Finding,
    FindingsFile,
    LabelCount,
    MalformedLine,
    OrphanResults,
    ScanReport,
)
from grice.scanning.scanner import scan

__all__ = [
    "MALFORMED_ARGUMENTS",
    "FileProblem",
    "Finding",
    "FindingsFile",
    "LabelCount",
    "MalformedLine",
    "OrphanResults",
    "ScanReport",
    "scan",
]
