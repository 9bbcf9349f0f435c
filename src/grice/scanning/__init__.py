"""Scanning logs: checks over every assistant turn and every conversation, in bounded memory, on all cores."""

from grice.scanning.batch import Part, ScanChecks, scan_batch
from grice.scanning.check_choice import Choice, choose_checks, default_checks
from grice.scanning.log_scan import ScanOptions, scan
from grice.scanning.report import (
    CheckCount,
    Example,
    FileProblem,
    Finding,
    FindingsFile,
    MalformedLine,
    OrphanResults,
    ReasonCount,
    ScanReport,
)

__all__ = [
    "CheckCount",
    "Choice",
    "Example",
    "FileProblem",
    "Finding",
    "FindingsFile",
    "MalformedLine",
    "OrphanResults",
    "Part",
    "ReasonCount",
    "ScanChecks",
    "ScanOptions",
    "ScanReport",
    "choose_checks",
    "default_checks",
    "scan",
    "scan_batch",
]
