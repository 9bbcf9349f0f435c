"""A log as a whole, judged from its first line to its last: what cannot be read from the middle."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice
from pathlib import Path
from typing import Literal

from grice.formats import FormatError
from grice.formats.lines import STDIN, Unreadable, open_log, parse_line, read_lines
from grice.formats.log_files import is_table
from grice.formats.logs import Entry, entry_of, is_plain_line, read_log
from grice.formats.mapping import LogMapping
from grice.scanning.batch import MessageJudging, Part, ScanChecks, scan_batch, scan_entries
from grice.scanning.log_parts import read_parts
from grice.scanning.report import Tally

ENTRIES = 500
"""How many entries of a log that is no plain lines are judged at once."""


def layout_of(path: Path | str) -> Literal["lines", "messages", "other"]:
    """How a log is laid out: a conversation on each line, one message on each, or otherwise.

    Lines are several, of which the first two are plain ones.
    """
    if str(path) == STDIN or is_table(path):
        return "other"
    try:
        with open_log(path, "JSON") as stream:
            first = [line for _, line in islice(read_lines(stream), 2)]
    except Unreadable:  # who reads it otherwise can, or says why not
        return "other"
    if len(first) != 2 or not all(line is not None and _is_plain(line) for line in first):
        return "other"
    return "messages" if entry_of(parse_line(first[0] or b"")).kind == "message" else "lines"


def _is_plain(line: bytes) -> bool:
    try:
        return is_plain_line(parse_line(line))
    except FormatError:
        return False


def entries_in(path: Path | str, mapping: LogMapping | None) -> Iterator[list[Entry]]:
    """What the log holds, some at a time; first an empty list, once it is known that it can be read.

    Raises Unreadable.
    """
    entries = read_log(path, mapping)
    first = next(entries, None)
    yield []
    rest = chain([] if first is None else [first], entries)
    while some := list(islice(rest, ENTRIES)):
        yield some


def judge_file(path: str, name: str, mapping: LogMapping | None, checks: ScanChecks) -> Iterator[Part]:
    """What each piece of the log gave, and the messages in it, which belong together. Raises Unreadable."""
    messages = MessageJudging(name, checks)
    problem = None
    try:
        for part in _pieces(path, name, mapping, checks):
            for entry in part.messages:
                messages.take(entry)
            part.messages = []
            yield part
            yield messages.handed_over()
    except Unreadable as unreadable:
        problem = unreadable
    messages.end()
    yield messages.handed_over()
    if problem is not None:
        raise problem


def _pieces(path: str, name: str, mapping: LogMapping | None, checks: ScanChecks) -> Iterator[Part]:
    if mapping is not None or layout_of(path) == "other":
        for some in entries_in(path, mapping):
            yield scan_entries(some, checks, file=name) if some else Part(Tally(files=[name]))
        return
    with open_log(path) as stream:
        yield Part(Tally(files=[name]))
        first = 1
        for data in read_parts(stream):
            part = scan_batch(data, checks, file=name, first=first)
            first += part.ends
            part.ends = 0  # who puts parts together counts on: here all lines have their number in the file
            yield part
