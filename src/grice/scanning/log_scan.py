"""Scanning logs: parts of them judged on all cores, what they give put together in the order of the files."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from itertools import chain, islice
from pathlib import Path
from types import MappingProxyType
from typing import BinaryIO, NamedTuple

import msgspec

from grice.formats import FormatError
from grice.formats.lines import STDIN, Unreadable, name_of, open_log, parse_line, read_lines
from grice.formats.log_files import is_table
from grice.formats.logs import entry_of, is_plain_line, read_log
from grice.formats.mapping import LogMapping
from grice.records import Conversation
from grice.scanning import log_parts
from grice.scanning.batch import MessageJudging, Part, ScanChecks, scan_batch, scan_entries, unit_of
from grice.scanning.check_choice import Choice
from grice.scanning.chosen_lines import LineFilter, largest_drawn
from grice.scanning.log_parts import file_parts, plain_size, read_parts
from grice.scanning.report import AlikeFindings, FileProblem, Finding, ScanReport, Tally
from grice.scanning.stopping import Stopping
from grice.scanning.unfinished import Place, Unfinished
from grice.scanning.workers import ScanSetup, Workers, packed

OnFinding = Callable[[Finding], object]
OnConversation = Callable[[Finding, Conversation], object]

_ENTRIES = 500
_FOR_WORKERS = 2_000_000
"""The bytes of a file from which on it is worth to start processes."""
_PAUSE = 0.5
"""The seconds between two looks at a log that is followed."""


class Progress(NamedTuple):
    """How far a scan is: `done` of `total` bytes, 0 where nobody knows; lines, and findings."""

    done: int
    total: int
    lines: int
    findings: int


class ScanOptions(msgspec.Struct, frozen=True):
    """How a scan goes about it.

    `project` is the folder whose settings hold. `chosen` says which conversations are looked at, and `limit`
    how many at most. With `follow` the end of a file is waited for.
    """

    cores: int = 1
    project: str = ""
    chosen: LineFilter | None = None
    limit: int | None = None
    follow: bool = False


def scan(
    paths: Iterable[Path | str],
    choice: Choice,
    options: ScanOptions | None = None,
    *,
    mappings: Mapping[str, LogMapping] = MappingProxyType({}),
    on_finding: OnFinding | None = None,
    on_conversation: OnConversation | None = None,
    on_progress: Callable[[Progress], object] | None = None,
    unfinished: Unfinished | None = None,
) -> ScanReport:
    """Apply checks to every assistant turn of JSONL logs, and to every conversation.

    A line holds a conversation (`{"messages": [...]}`, `{"input": [...]}` or a bare list, in the shapes that
    Grice reads), a request to a model with its reply (`response`, `choices` or `output`), or one message with
    the id of its conversation; "-" is standard input, gzip is read as it is. What a check of a reply judges
    is the last answer of a turn, with the turns before it; structured data beside it is read from `data` of
    its message. A check of a conversation judges it once, when it is over. Malformed lines, malformed
    messages and unreadable files are part of the report.

    Conversations that stand on one line are judged whole, those of one message a line as far as they are
    kept: after 1,000,000 characters only the last six turns are, and a check of the whole is then
    `inconclusive`; after 50,000,000 characters of all that are open, after 10,000 of them, the one quiet for
    longest is considered over. Either is cut after 5,000 turns.

    `mappings` says, by the name of a file, how a log of a home-made shape is read.

    `on_finding` is called for every finding in the order of the logs, `on_conversation` with the last turns
    of its conversation up to it besides. `unfinished` keeps what is done, for a scan that is killed. Ctrl-C
    ends the scan: the report says where.
    """
    options = options or ScanOptions()
    setup = ScanSetup(choice, options.project, on_conversation is not None, options.chosen)
    running = _Running(list(paths), setup, options, unfinished)
    running.mappings = mappings
    running.listeners = on_finding, on_conversation, on_progress
    return running.report()


def draw_sample(
    paths: Sequence[Path | str],
    number: int,
    seed: int,
    chosen: LineFilter,
    mappings: Mapping[str, LogMapping] = MappingProxyType({}),
) -> LineFilter:
    """The filter that takes so many of the conversations that `chosen` takes. It reads the logs once.

    Files that cannot be read are left to the scan.
    """

    def units() -> Iterator[bytes]:
        meets = chosen.predicate()
        for path in paths:
            try:
                for entry in read_log(path, mappings.get(str(path))):
                    if entry.kind in ("conversation", "message", "record") and meets(entry):
                        yield unit_of(entry)
            except Unreadable:
                continue

    last = largest_drawn(units(), number, seed)
    return msgspec.structs.replace(chosen, sample=last or "-", seed=seed)


class _Running:
    """A scan that goes on."""

    mappings: Mapping[str, LogMapping] = MappingProxyType({})

    listeners: tuple[OnFinding | None, OnConversation | None, Callable[[Progress], object] | None] = (
        None,
        None,
        None,
    )

    def __init__(
        self,
        paths: list[Path | str],
        setup: ScanSetup,
        options: ScanOptions,
        unfinished: Unfinished | None,
    ) -> None:
        self._paths = paths
        self._setup = setup
        self._options = options
        self._unfinished = unfinished
        self._tally = Tally()
        self._alike = AlikeFindings()
        self._checks: ScanChecks | None = None
        self._before = 0
        self._line = 0
        self._findings = 0
        self._total = sum(_size(one) for one in paths)
        self._workers: Workers | None = None
        self._stack = ExitStack()
        self._stopping = Stopping()

    def report(self) -> ScanReport:
        stopped = ""
        file = ""
        start = self._resumed()
        with self._stack, self._stopping as stopping:
            try:
                for number in range(start.file, len(self._paths)):
                    path = self._paths[number]
                    file = name_of(path)
                    self._line = start.lines
                    self._scan_file(number, start)
                    self._before += _size(path)
                    start = Place(number + 1)
                    if self._full:
                        break
            except KeyboardInterrupt:
                stopped = f"{file}:{self._line}"
            stopping.over()
        labels = self._setup.choice
        return self._tally.report(labels.checks, self._alike, labels.left_out, stopped)

    def _resumed(self) -> Place:
        if self._unfinished is None:
            return Place(0)
        kept = self._unfinished.begin()
        self._tally = kept.tally
        for finding in self._unfinished.findings():
            self._alike.add(finding)
            self._findings += 1
        self._before = sum(_size(one) for one in self._paths[: kept.place.file])
        return kept.place

    @property
    def checks(self) -> ScanChecks:
        """The checks, ready for this process."""
        if self._checks is None:
            self._checks = self._setup.ready()
        return self._checks

    @property
    def _left(self) -> int | None:
        """How many conversations may still be looked at."""
        limit = self._options.limit
        return None if limit is None else max(0, limit - self._tally.conversations)

    @property
    def _full(self) -> bool:
        return self._left == 0

    # -- one file

    def _scan_file(self, number: int, start: Place) -> None:
        path = self._paths[number]
        name = name_of(path)
        mapping = self.mappings.get(str(path))
        messages = MessageJudging(name, self.checks, most=self._left)
        try:
            if not self._options.follow and (mapping is not None or not _has_plain_lines(path)):
                self._scan_entries(path, mapping, messages)
            else:
                with open_log(path) as stream:
                    if not start.at:
                        self._tally.files.append(name)
                    self._scan_lines(number, stream, messages, start.at)
        except Unreadable as problem:
            self._tally.unreadable.append(FileProblem(name, str(problem)))
        messages.end()
        self._take(messages.handed_over())
        self._keep(Place(number + 1))

    def _scan_entries(self, path: Path | str, mapping: LogMapping | None, messages: MessageJudging) -> None:
        """Scan what is no plain lines, as a table or a log of a home-made shape."""
        name = name_of(path)
        entries = read_log(path, mapping)
        first = next(entries, None)
        self._tally.files.append(name)
        rest = chain([] if first is None else [first], entries)
        while some := list(islice(rest, _ENTRIES)):
            part = scan_entries(some, self.checks, file=name, most=self._left)
            self._absorb(part, messages, 0)
            self._line = some[-1].line
            if self._full:
                return

    def _scan_lines(self, number: int, stream: BinaryIO, messages: MessageJudging, start: int) -> None:
        size = plain_size(stream)
        at = start
        for part, ends in self._parts(number, stream, size, start):
            part.moved(self._line)
            self._absorb(part, messages, ends)
            at += log_parts.PART
            if not messages.is_open and size is not None:
                self._keep(Place(number, at, self._line))
            self._tell(at if size is not None else 0)
            if self._full:
                return

    def _parts(
        self, number: int, stream: BinaryIO, size: int | None, start: int
    ) -> Iterator[tuple[Part, int]]:
        path = self._paths[number]
        workers = None
        if size is not None and size - start >= _FOR_WORKERS and not _holds_messages(path):
            workers = self._started()
        if workers is not None and size is not None:
            yield from workers.judged(file_parts(path, size, start))
            return
        name = name_of(path)
        for data in self._followed(read_parts(stream, start), stream):
            yield scan_batch(data, self.checks, file=name, most=self._left), data.count(b"\n")

    def _followed(self, parts: Iterator[bytes], stream: BinaryIO) -> Iterator[bytes]:
        """The parts; with `follow` what is written behind the end too, by whole lines."""
        if not self._options.follow:
            yield from parts
            return
        rest = b""
        while True:
            data = rest + stream.read(log_parts.PART)
            end = data.rfind(b"\n") + 1
            rest = data[end:]
            if end:
                yield data[:end]
            else:
                time.sleep(_PAUSE)

    def _started(self) -> Workers | None:
        options = self._options
        if self._workers is None and options.cores > 1 and options.limit is None and not options.follow:
            sent = packed(self._setup)
            if sent is not None:
                self._workers = self._stack.enter_context(Workers(sent, options.cores))
        return self._workers

    # -- what a part gave

    def _absorb(self, part: Part, messages: MessageJudging, ends: int) -> None:
        for entry in part.messages:
            messages.take(entry)
        with self._stopping.held():
            self._take(part)
            self._take(messages.handed_over())
            self._line += ends

    def _take(self, part: Part) -> None:
        on_finding, on_conversation, _ = self.listeners
        self._tally.merge(part.tally)
        for number, finding in enumerate(part.findings):
            self._alike.add(finding)
            if self._unfinished is not None:
                self._unfinished.write(finding)
            if on_finding is not None:
                on_finding(finding)
            if on_conversation is not None:
                on_conversation(finding, part.conversations[number])
        self._findings += len(part.findings)

    def _keep(self, place: Place) -> None:
        if self._unfinished is not None:
            with self._stopping.held():
                self._unfinished.keep(place, self._tally)

    def _tell(self, at: int) -> None:
        told = self.listeners[2]
        if told is not None:
            done = min(self._before + at, self._total)
            told(Progress(done, self._total, self._tally.lines, self._findings))


def _size(path: Path | str) -> int:
    try:
        return 0 if str(path) == STDIN else os.stat(path).st_size
    except OSError:
        return 0


def _has_plain_lines(path: Path | str) -> bool:
    """Whether a file can be read in parts: several lines, of which the first two are plain ones."""
    if str(path) == STDIN or is_table(path):
        return False
    try:
        with open_log(path, "JSON") as stream:
            first = [line for _, line in islice(read_lines(stream), 2)]
    except Unreadable:  # who reads it otherwise can, or says why not
        return False
    return len(first) == 2 and all(line is not None and _is_plain(line) for line in first)


def _is_plain(line: bytes) -> bool:
    try:
        return is_plain_line(parse_line(line))
    except FormatError:
        return False


def _holds_messages(path: Path | str) -> bool:
    """Whether the first line is one message: then conversations go over lines."""
    with open_log(path, "JSON") as stream:
        first = next((line for _, line in read_lines(stream)), None)
    return first is not None and _is_plain(first) and entry_of(parse_line(first)).kind == "message"
