"""Reading the journal of a run: the files of all its workers together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Generic, NamedTuple, TypeVar

import msgspec

from grice.records import Outcome, Result
from grice.running.journal.experiment import Experiment
from grice.running.journal.form import Begun, JournalError, decode_line
from grice.running.journal.result_selector import Key, Place, ResultSelector
from grice.user_files import open_file

T = TypeVar("T")

Finished = tuple[str, int, str]

"""What was finished: stable id, repeat from 1, fingerprint of the scenario."""


class _Heads(msgspec.Struct, frozen=True):
    """What is known of a run without its results.

    `heads` are those of all workers and resumed runs, the earliest first.
    """

    folder: Path
    heads: tuple[Experiment, ...]

    @property
    def experiment(self) -> Experiment:
        """The head of the run as it first began."""
        return self.heads[0]

    @property
    def planned(self) -> int | None:
        """How many conversations were to be held, as the latest head says it; None when it does not."""
        return self.heads[-1].planned


class Run(_Heads, frozen=True):
    """What a journal holds.

    Of results with the same id and repeat the worse one stands in `results`, and behind the head of a run
    that was resumed the later one. `notes` say what was left out
    and where, a line each; `damaged` counts the lines of it that cannot be read, but for a torn last one,
    which is an unfinished conversation. `done` counts the results that are of what was planned, where others
    may be among them: a run that is resumed may have other scenarios than before. `unfinished` names what was
    begun and has no result.
    """

    results: tuple[Result, ...] = ()
    notes: tuple[str, ...] = ()
    damaged: int = 0
    done: int | None = None
    unfinished: tuple[str, ...] = ()

    @property
    def never_begun(self) -> int | None:
        """How much was planned and not even begun, None where the plan is not known."""
        done = len(self.results) if self.done is None else self.done
        return never_begun(self.planned, done, len(self.unfinished))

    @property
    def complete(self) -> bool:
        """Whether everything that was planned is finished; not so where a budget ended it."""
        done = len(self.results) if self.done is None else self.done
        return self.planned is not None and done >= self.planned > 0

    @property
    def passed(self) -> bool:
        """Whether it is complete, and every result passed or was skipped, a pass that counts among them."""
        good = all(one.outcome in (Outcome.PASS, Outcome.SKIPPED) for one in self.results)
        sure = any(one.counts and one.outcome is Outcome.PASS for one in self.results)
        return self.complete and good and sure

    def __repr__(self) -> str:
        return f"<Run {self.experiment.id if self.heads else ''}: {len(self.results)} results>"


class RunIndex(_Heads, frozen=True):
    """As `Run`, for runs of any size: the results are read when they are asked for, and not kept.

    `latest` has the place (file and line) of the result that counts, by stable id and repeat. `done` and
    `unfinished` are as those of `Run`; `unfinished_in` is the group of each of the unfinished.
    """

    latest: dict[Key, Place] = {}
    notes: tuple[str, ...] = ()
    damaged: int = 0
    done: int = 0
    unfinished: tuple[str, ...] = ()
    unfinished_in: tuple[str, ...] = ()

    @property
    def never_begun(self) -> int | None:
        """How much was planned and not even begun, None where the plan is not known."""
        return never_begun(self.planned, self.done, len(self.unfinished))

    def results(self) -> Iterator[Result]:
        """The results that count, read anew. Raises JournalError."""
        reading = _Reading(self.folder)
        for result in reading.results():  # of a run that goes on there may be more by now
            if self.latest.get((result.id, result.repeat)) == reading.place:
                yield result


def read_run(folder: Path | str) -> Run:
    """Everything in the journal of that folder.

    Raises JournalError when there is none, it cannot be read, a newer Grice wrote it, or its files belong to
    different runs.
    """
    folder = Path(folder)
    found = collect_run(folder, lambda result: result)
    return Run(folder, found.heads, found.results, found.notes, found.damaged, found.done, found.unfinished)


class Collected(NamedTuple, Generic[T]):
    """What a journal holds, with something made of each result that counts; else as `Run`.

    `unfinished` names what was begun and has no result.
    """

    heads: tuple[Experiment, ...]
    results: tuple[T, ...]
    notes: tuple[str, ...]
    damaged: int
    done: int
    unfinished: tuple[str, ...]


def collect_run(folder: Path, take: Callable[[Result], T]) -> Collected[T]:
    """Everything in the journal of that folder, read once, in the order in which it was finished.

    Raises as `read_run` does.
    """
    reading = _Reading(folder)
    taken: dict[tuple[Key, str], T] = {}  # what counts in each file
    for result in reading.results():
        if reading.stands:
            own = (result.id, result.repeat), reading.place[0]
            taken.pop(own, None)
            taken[own] = take(result)
    places = reading.standing.places
    return Collected(
        reading.sorted_heads(),
        tuple(one for (key, file), one in taken.items() if places[key][0] == file),
        reading.all_notes(),
        reading.damaged,
        reading.done,
        reading.unfinished,
    )


def index_run(folder: Path) -> RunIndex:
    """What the journal of that folder holds, without keeping the results. Raises as `read_run` does."""
    reading = _Reading(folder)
    for _ in reading.results():
        pass
    return RunIndex(
        folder,
        reading.sorted_heads(),
        reading.standing.places,
        reading.all_notes(),
        reading.damaged,
        reading.done,
        reading.unfinished,
        reading.unfinished_in,
    )


def never_begun(planned: int | None, done: int, unfinished: int) -> int | None:
    """How much of what was planned was not even begun; None where that is not known."""
    return None if planned is None else max(0, planned - done - unfinished)


def first_head(path: Path) -> Experiment | None:
    """The head of the file, None when nothing whole stands there. Raises JournalError and OSError."""
    with open_file(path) as stream:
        line = stream.readline()
    return _head(path, line) if line.endswith(b"\n") else None


def _head(path: Path, line: bytes) -> Experiment:
    try:
        head = decode_line(line)
    except (ValueError, JournalError) as error:
        what = error if isinstance(error, JournalError) else f"not a journal of Grice: {error}"
        raise JournalError(f"{path}:1: {what}") from error
    if not isinstance(head, Experiment):
        raise JournalError(f"{path}:1: not a journal of Grice: its first line is no head")
    return head


def heads_in_order(found: Iterable[tuple[str, Experiment]]) -> tuple[Experiment, ...]:
    """The heads that stand in files, the earliest first; those of one file as they stand there."""
    latest: dict[str, str] = {}  # for each file the latest timestamp so far, whatever the clock said
    placed: list[tuple[str, Experiment]] = []
    for file, head in found:
        latest[file] = max(latest.get(file, ""), head.timestamp)
        placed.append((latest[file], head))
    return tuple(head for _, head in sorted(placed, key=lambda one: one[0]))


class _Reading:
    """One pass over the files of a folder: what it came by besides the results."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.heads: list[Experiment] = []
        self.notes: list[str] = []
        self.damaged = 0
        self.place: Place = ("", 0)  # of the last result
        self.stands = False  # whether that one counts in its file so far
        self.standing = ResultSelector()
        self._begun: dict[Key, tuple[str, str]] = {}  # the name and group
        self._sessions: dict[tuple[str, int], set[Key]] = {}  # results, by the head they stand behind
        self._session: set[Key] = set()
        self._files: list[str] = []  # of each head

    def results(self) -> Iterator[Result]:
        """The results of all files, in the order in which each worker wrote them."""
        try:
            files = sorted(self.folder.glob("*.jsonl"))
            for file in files:
                yield from self._of_file(file)
                self.standing.end_file()
        except OSError as error:
            raise JournalError(
                f"{error.filename or self.folder}: cannot be read: {error.strerror or error}"
            ) from error
        if not self.heads:
            raise JournalError(f"{self.folder}: {_why_nothing(self.folder, bool(files))}")

    @property
    def done(self) -> int:
        """How many results are of what the latest head plans."""
        latest = self.sorted_heads()[-1]
        since = self._sessions[_session_of(latest)]
        return min(latest.finished_before + len(since), len(self.standing))  # a worker's file may be gone

    @property
    def unfinished(self) -> tuple[str, ...]:
        """The names of what was begun and is not among the finished."""
        return tuple(name for place, (name, _) in self._begun.items() if place not in self.standing)

    @property
    def unfinished_in(self) -> tuple[str, ...]:
        """The group of each of the unfinished."""
        return tuple(group for place, (_, group) in self._begun.items() if place not in self.standing)

    def sorted_heads(self) -> tuple[Experiment, ...]:
        """The heads, the earliest first; those of one file as they stand there, whatever the clock said."""
        return heads_in_order(zip(self._files, self.heads, strict=True))

    def all_notes(self) -> tuple[str, ...]:
        """What was left out, for readers; long lists are cut short and counted."""
        notes = self.notes[:_NOTES]
        if len(self.notes) > _NOTES:
            notes.append(f"and {len(self.notes) - _NOTES} more such lines")
        notes.extend(self.standing.notes())
        return tuple(notes)

    def _of_file(self, file: Path) -> Iterator[Result]:
        with open_file(file) as stream:
            first = stream.readline()
            if not first.endswith(b"\n"):
                self.notes.append(f"{file}: its worker ended before anything was written")
                return
            self._add_head(file, 1, _head(file, first))
            for number, line in enumerate(stream, 2):
                if not line.endswith(b"\n"):
                    self.notes.append(
                        f"{file}:{number}: the last line is torn ({len(line)} bytes): its "
                        "conversation counts as not finished, unless its result stands elsewhere"
                    )
                    return
                if not line.isspace():
                    yield from self._of_line(file, number, line)

    def _of_line(self, file: Path, number: int, line: bytes) -> Iterator[Result]:
        try:
            found = decode_line(line)
        except JournalError as error:
            raise JournalError(f"{file}:{number}: {error}") from error
        except ValueError as error:
            self.damaged += 1
            self.notes.append(f"{file}:{number}: left out, it cannot be read: {error}")
            return
        if isinstance(found, Experiment):
            self._add_head(file, number, found)
        elif isinstance(found, Begun):
            name = found.key if found.repeat == 1 else f"{found.key} (repeat {found.repeat})"
            self._begun[found.id, found.repeat] = (name, found.group)
        else:
            self.place = (file.name, number)
            self._session.add((found.id, found.repeat))
            self.stands = self.standing.take(found, self.place, hash(line))
            yield found

    def _add_head(self, file: Path, number: int, head: Experiment) -> None:
        if self.heads and head.id != self.heads[0].id:
            raise JournalError(
                f"{file}:{number}: it is the journal of {head.id}, and other files here are of "
                f"{self.heads[0].id}: a folder holds one run"
            )
        self.heads.append(head)
        self._files.append(file.name)
        self._session = self._sessions.setdefault(_session_of(head), set())
        if not head.recorded or number == 1:  # a recording cannot be resumed: its second head is its end
            self.standing.begin_session(head.timestamp, head.finished_before)


def _session_of(head: Experiment) -> tuple[str, int]:
    """What the heads of all workers have in common that went on with a run together."""
    return head.timestamp, head.finished_before


def _why_nothing(folder: Path, files: bool) -> str:
    if not folder.is_dir():
        return "there is no such folder"
    return "nothing was written to its journal" if files else "there is no journal (*.jsonl) in this folder"


_NOTES = 20


class Passes(NamedTuple):
    """Of each stable id whether each of its repeats passed; `keys` has those too of which nothing counts."""

    of: dict[str, list[bool]]
    keys: dict[str, str]


class _Result(msgspec.Struct, frozen=True, gc=False):
    id: str
    outcome: Outcome
    key: str = ""
    repeat: int = 1
    counts: bool = True


class _Head(msgspec.Struct, frozen=True, gc=False):
    timestamp: str = ""
    finished_before: int = 0
    recorded: bool = False


class _Line(msgspec.Struct, frozen=True, gc=False):
    result: _Result | None = None
    experiment: _Head | None = None


_line = msgspec.json.Decoder(_Line)


def passes_in(folder: Path) -> Passes:
    """What passed and what did not; what does not count or was skipped is not in `of`.

    Of several results of one repeat that counts which counts in a report. Lines that cannot be read are left
    out. Raises OSError.
    """
    selector = ResultSelector()
    found: dict[tuple[str, int], _Result] = {}
    for file in sorted(folder.glob("*.jsonl")):
        own: dict[tuple[str, int], _Result] = {}
        with open_file(file) as stream:
            for number, line in enumerate(stream, 1):
                with suppress(msgspec.MsgspecError, UnicodeError, RecursionError):
                    read = _line.decode(line)
                    head = read.experiment
                    if head is not None and (number == 1 or not head.recorded):
                        selector.begin_session(head.timestamp, head.finished_before)
                    one = read.result
                    if one is not None and selector.take(one, (file.name, number), hash(line)):
                        own[one.id, one.repeat] = one
        selector.end_file()
        places = selector.places
        found.update({key: one for key, one in own.items() if places[key][0] == file.name})
    passes = Passes({}, {})
    for one in found.values():
        passes.keys.setdefault(one.id, one.key)
        if one.counts and one.outcome is not Outcome.SKIPPED:
            passes.of.setdefault(one.id, []).append(one.outcome is Outcome.PASS)
    return passes
