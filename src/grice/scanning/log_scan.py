"""Scanning logs: parts of them judged on all cores, what they give put together in the order of the files."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from types import MappingProxyType
from typing import BinaryIO, NamedTuple

import msgspec

from grice.formats.buckets import is_address
from grice.formats.lines import STDIN, Unreadable, name_of, open_log, size_of
from grice.formats.logs import read_log
from grice.formats.mapping import LogMapping
from grice.records import Conversation
from grice.scanning import log_parts
from grice.scanning.batch import (
    MessageJudging,
    Part,
    ScanChecks,
    scan_batch,
    scan_entries,
    unit_of,
    whole_finding,
)
from grice.scanning.check_choice import Choice
from grice.scanning.chosen_lines import LineFilter, largest_drawn
from grice.scanning.engines import Answer, Engine, EngineFailed, ScanSetup, judge_of, unsendable
from grice.scanning.following import GrowingLogs, scan_growth
from grice.scanning.log_parts import OBJECT_PART, FileParts, LogPart, plain_size, read_parts
from grice.scanning.report import AlikeFindings, CountedFinding, FileProblem, Finding, ScanReport, Tally
from grice.scanning.stopping import Stopping
from grice.scanning.unfinished import Place, Unfinished
from grice.scanning.whole_file import entries_in, layout_of
from grice.scanning.workers import Workers

OnFinding = Callable[[Finding], object]
OnConversation = Callable[[Finding, Conversation], object]

_FOR_WORKERS = 2_000_000
"""The bytes of logs from which on it is worth to start processes."""


class Progress(NamedTuple):
    """How far a scan is: `done` of `total` bytes, 0 where nobody knows; lines, and findings."""

    done: int
    total: int
    lines: int
    findings: int


class ScanOptions(msgspec.Struct, frozen=True):
    """How a scan goes about it.

    The parts of logs are judged by the `engine`, else on so many `cores` of this machine. `project` is the
    folder whose settings hold. `chosen` says which conversations are looked at, and `limit` how many at most.
    With `follow` what is written behind the end of files, and into folders that are named, is waited for.
    """

    cores: int = 1
    engine: Engine | None = None
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
    setup = ScanSetup(
        choice,
        options.project,
        with_conversations=on_conversation is not None,
        chosen=options.chosen,
        only_counted=(on_finding, on_conversation, unfinished) == (None, None, None),
    )
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


class _Layout(NamedTuple):
    """How a file is scanned: as plain lines or not, here or by an engine; by that in parts or as a whole."""

    lines: bool
    here: bool = True
    parts: Iterable[LogPart] = ()


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
        self._alike = AlikeFindings(lambda one: whole_finding(one, self.checks))
        self._checks: ScanChecks | None = None
        self._before = 0
        self._name = ""
        self._line = 0
        self._findings = 0
        self._total = sum(size_of(one) for one in paths)
        self._first = Place(0)
        self._layouts: dict[int, _Layout] = {}
        self._engine: Engine | None = None
        self._answers: Iterator[Answer] = iter(())
        self._stack = ExitStack()
        self._stopping = Stopping()

    def report(self) -> ScanReport:
        stopped = ""
        start = self._first = self._resumed()
        self._begin()
        with self._stack, self._stopping as stopping:
            try:
                if self._options.follow:
                    self._follow()
                    start = Place(len(self._paths))
                for number in range(start.file, len(self._paths)):
                    path = self._paths[number]
                    self._name = name_of(path)
                    self._line = start.lines
                    self._scan_file(number, start)
                    self._before += size_of(path)
                    start = Place(number + 1)
                    if self._full:
                        break
            except KeyboardInterrupt:
                stopped = f"{self._name}:{self._line}"
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
        self._before = sum(size_of(one) for one in self._paths[: kept.place.file])
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

    # -- what is judged elsewhere

    def _begin(self) -> None:
        """Have an engine judge the parts of all files, where that is worth it. Raises EngineFailed."""
        options = self._options
        engine = options.engine
        left = self._total - self._before - self._first.at
        if engine is None and options.cores > 1 and left >= _FOR_WORKERS:
            engine = Workers(options.cores)
        if engine is None or options.limit is not None or options.follow:
            return
        judge = judge_of(self._setup)
        if judge is not None:
            self._engine = engine
            answers = engine.map(self._parts(), judge)
            self._stack.callback(answers.close)
            self._answers = answers
        elif engine.far:
            told = ", ".join(unsendable(self._setup.choice))
            raise EngineFailed(f"cannot be sent to other machines: {told}; define it in a module of its own")

    def _parts(self) -> Iterator[LogPart]:
        for number in range(self._first.file, len(self._paths)):
            yield from self._layout(number).parts

    def _layout(self, number: int) -> _Layout:
        if number not in self._layouts:
            self._layouts[number] = self._found_layout(number)
        return self._layouts[number]

    def _found_layout(self, number: int) -> _Layout:
        path = self._paths[number]
        mapping = self.mappings.get(str(path))
        layout = "other" if mapping is not None else layout_of(path)
        lines = layout != "other"
        engine = self._engine
        start = self._first.at if number == self._first.file else 0
        size = _plain_size(path) if engine is not None and layout == "lines" else None
        if engine is not None and size is not None:
            length = max(engine.size, OBJECT_PART) if is_address(path) else engine.size
            return _Layout(lines, False, FileParts(os.fspath(path), start, size, length))
        if engine is not None and engine.far and not start and str(path) != STDIN:
            return _Layout(lines, False, (LogPart(os.fspath(path), mapping=mapping),))
        return _Layout(lines)

    # -- one file

    def _scan_file(self, number: int, start: Place) -> None:
        path = self._paths[number]
        name = name_of(path)
        messages = MessageJudging(name, self.checks, most=self._left)
        try:
            layout = self._layout(number)
            if not layout.here:
                self._scan_elsewhere(number, layout.parts, messages)
            elif not layout.lines:
                self._scan_entries(path, messages)
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

    def _scan_elsewhere(self, number: int, parts: Iterable[LogPart], messages: MessageJudging) -> None:
        """Put together what an engine says of the parts, up to the first that could not be read."""
        problem: Exception | None = None
        for part, answer in zip(parts, self._answers, strict=False):  # the answers of other files follow
            for one in answer:
                if isinstance(one, EngineFailed):
                    raise one
                if isinstance(one, Exception):
                    problem = problem or one
                elif problem is None:
                    one.moved(self._line)
                    self._absorb(one, messages)
            if problem is None and part.end is not None and not messages.is_open:
                self._keep(Place(number, part.end, self._line))
            self._tell(part.end or 0)
        if problem is not None:
            raise problem

    def _scan_entries(self, path: Path | str, messages: MessageJudging) -> None:
        """Scan what is no plain lines, as a table or a log of a home-made shape."""
        name = name_of(path)
        for some in entries_in(path, self.mappings.get(str(path))):
            if not some:
                self._tally.files.append(name)
                continue
            part = scan_entries(some, self.checks, file=name, most=self._left)
            self._absorb(part, messages)
            self._line = some[-1].line
            if self._full:
                return

    def _scan_lines(self, number: int, stream: BinaryIO, messages: MessageJudging, start: int) -> None:
        name = name_of(self._paths[number])
        size = plain_size(stream)
        at = start
        for data in read_parts(stream, start):
            part = scan_batch(data, self.checks, file=name, first=self._line + 1, most=self._left)
            self._absorb(part, messages)
            at += log_parts.PART
            if not messages.is_open and size is not None:
                self._keep(Place(number, at, self._line))
            self._tell(at if size is not None else 0)
            if self._full:
                return

    def _follow(self) -> None:
        """Scan lines as they are written, until somebody stops it or so many conversations were looked at.

        Conversations of one message a line that are open by then are judged as they stand.
        """
        logs = GrowingLogs(self._paths, self.checks, self.mappings)
        try:
            for log, data in logs.written():
                self._name, self._line = log.path, log.lines
                if not log.lines and log.path not in self._tally.files:
                    self._tally.files.append(log.path)
                self._absorb(scan_growth(log, data, self.checks, most=self._left), log.messages)
                log.lines = self._line
                if self._full:
                    return
        except Unreadable as problem:
            self._tally.unreadable.append(FileProblem(", ".join(map(name_of, self._paths)), str(problem)))
        finally:
            with self._stopping.held():
                for log in logs.known:
                    log.messages.end()
                    self._take(log.messages.handed_over())

    # -- what a part gave

    def _absorb(self, part: Part, messages: MessageJudging) -> None:
        for entry in part.messages:
            messages.take(entry)
        with self._stopping.held():
            self._take(part)
            self._take(messages.handed_over())
            self._line += part.ends

    def _take(self, part: Part) -> None:
        on_finding, on_conversation, _ = self.listeners
        self._tally.merge(part.tally)
        for number, finding in enumerate(part.findings):
            self._alike.add(finding)
            if isinstance(finding, CountedFinding):
                continue
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


def _plain_size(path: Path | str) -> int | None:
    try:
        with open_log(path) as stream:
            return plain_size(stream)
    except Unreadable:  # who scans it says why
        return None
