"""The journal of a run: a line when a conversation is finished, so that nothing finished is lost.

`.grice/runs/<experiment id>/` holds one JSON Lines file for each worker. Its first line is a head, with what
identifies the run; every further one says what was begun, or holds a Result. A run that is resumed adds a
head of its own.
"""

from __future__ import annotations

import os
import re
import threading
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

from grice.files.writing import make_folder
from grice.identity.redacted_json import redacted_json
from grice.matching.details import within_limits
from grice.matching.limits import limits_in_force
from grice.records import Result
from grice.records.codec import encode
from grice.running.journal.experiment import Experiment
from grice.running.journal.file_lock import FileLock, LockHeld, holder_of
from grice.running.journal.form import (
    JOURNAL_KIND,
    JOURNAL_VERSION,
    Begun,
    BegunLine,
    Head,
    JournalError,
)
from grice.running.journal.reading import first_head

_START, _END = b'{"result":', b"}\n"
"""What stands around a result in its line."""


class Journal:
    """The file of one worker of one run, open for writing. A context manager; safe for threads.

    A line is there or not: it is written at once, with secrets redacted. After an error in writing nothing
    more is written, and what stands in the file stays.
    """

    def __init__(self, path: Path, lock: FileLock, file: int) -> None:
        self.path = path
        """The file."""
        self.cut = 0
        """The bytes of a torn last line that were cut off when the run was resumed."""
        self._lock = lock
        self._file = file
        self._broken = ""
        self._writing = threading.Lock()
        self._open = True

    @classmethod
    def create(cls, folder: Path, experiment: Experiment, *, worker: str = "main") -> Self:
        """Begin the file of a worker, with its head; the folder is made.

        Raises JournalError when the file is there already, another run has it, or it cannot be written; where
        nothing could be, nothing is left of it.
        """
        is_new = not folder.exists()
        try:
            journal = cls._locked(folder, worker)
        except JournalError as error:
            if is_new and not isinstance(error.__cause__, LockHeld):
                _leave_nothing(folder, worker)
            raise
        if os.fstat(journal._file).st_size:
            journal.close()
            raise JournalError(f"{journal.path}: there is a journal already; resume it, or take another id")
        try:
            return journal._begun(experiment)
        except BaseException:  # Ctrl-C too
            journal.close()
            _leave_nothing(folder, worker)
            raise

    @classmethod
    def resume(cls, folder: Path, experiment: Experiment, *, worker: str = "main") -> Self:
        """Go on with the file of a worker (or begin it), with a head of the resuming run.

        A torn last line is cut off: its conversation was not finished. Raises JournalError when another run
        has the file, when it is no journal of this experiment, or cannot be written.
        """
        journal = cls._locked(folder, worker)
        try:
            journal._check_same(experiment)
            journal._cut_torn_line()
        except (OSError, JournalError) as error:
            journal.close()
            if isinstance(error, OSError):
                raise _problem(journal.path, "cannot be resumed", error) from error
            raise
        return journal._begun(experiment)

    @classmethod
    def _locked(cls, folder: Path, worker: str) -> Self:
        if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,99}", worker):
            raise ValueError(f"a worker's name has letters, digits, _ . - only, found {worker!r}")
        path = folder / f"{worker}.jsonl"
        try:
            make_folder(folder)
            lock = FileLock(folder / f"{worker}.lock")
        except LockHeld as held:
            raise _written_by_another(path, held) from held
        except OSError as error:
            raise _problem(folder, "no journal can be written here", error) from error
        flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0)
        try:
            file = os.open(path, flags | getattr(os, "O_CLOEXEC", 0), 0o666)
            return cls(path, lock, file)
        except OSError as error:
            lock.release()
            raise _problem(path, "cannot be written", error) from error

    def begin(self, begun: Begun) -> None:
        """Write the line that says what begins now: without a result later it was not finished.

        Raises JournalError as `append` does.
        """
        self._write(redacted_json(encode(BegunLine(begun))) + b"\n")

    def append(self, result: Result) -> None:
        """Write the line of a finished conversation.

        Raises JournalError: nothing of the line stands in the file then, or only a torn one that no reader
        takes for finished, and every further call raises too.
        """
        try:
            encoded = encode(result)
            limits = limits_in_force()
            if len(_START) + len(encoded) + 1 > limits.max_test_result_details_bytes:
                encoded = encode(within_limits(result, limits))
        except (TypeError, ValueError, RecursionError) as error:
            raise JournalError(f"{self.path}: the result of {result.key!r} is not JSON: {error}") from error
        # who prints the result asks for the secrets of these very bytes, and the answer is remembered
        self._write(_START + redacted_json(encoded) + _END)

    def close(self) -> None:
        """Have what was written stand on the disk, and let others have the file. Further calls do nothing."""
        with self._writing:
            if not self._open:
                return
            self._open = False
            try:
                os.fsync(self._file)
            except OSError as error:
                self._broken = self._broken or str(error)
            finally:
                os.close(self._file)
                self._lock.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _begun(self, experiment: Experiment) -> Self:
        head = encode(Head(JOURNAL_VERSION, JOURNAL_KIND, experiment))
        try:
            self._write(redacted_json(head) + b"\n")
        except JournalError:
            self.close()
            raise
        return self

    def _write(self, line: bytes) -> None:
        with self._writing:
            if self._broken or not self._open:
                raise JournalError(self._broken or f"{self.path}: the journal is closed")
            before = os.fstat(self._file).st_size
            try:
                written = os.write(self._file, line)
                while written < len(line):  # as a rule the disk is full, and the next attempt says so
                    written += os.write(self._file, line[written:])
            except BaseException as error:  # Ctrl-C too: no line may be glued to half of one
                self._take_back(before, len(line))
                if not isinstance(error, OSError):
                    raise
                problem = _problem(self.path, "cannot be written", error)
                self._broken = str(problem)
                raise problem from error

    def _take_back(self, before: int, length: int) -> None:
        """Leave nothing of a line that was not written whole, where the system lets us."""
        try:
            if os.fstat(self._file).st_size != before + length:
                os.ftruncate(self._file, before)
        except OSError as error:  # it stays, torn: readers know, and nothing may follow it
            self._broken = str(_problem(self.path, "cannot be written", error))

    def _check_same(self, experiment: Experiment) -> None:
        head = first_head(self.path)
        if head is not None and head.id != experiment.id:
            raise JournalError(f"{self.path}: it is the journal of {head.id}, not of {experiment.id}")

    def _cut_torn_line(self) -> None:
        size = os.fstat(self._file).st_size
        whole = _end_of_last_line(self._file, size)
        if whole < size:
            os.ftruncate(self._file, whole)
            self.cut = size - whole


def wait_for_workers(folder: Path, tell: Callable[[str], object]) -> None:
    """Wait until nobody writes the journal of a run that is to be resumed.

    Workers of a run that was killed end by themselves, and may finish something until then; after half a
    second `tell` is called with what is waited for. Raises JournalError where one goes on, and where the
    process that began the run does.
    """
    begun, told = time.monotonic(), False
    files = sorted(folder.glob("*.lock"))
    for file in files:
        while True:
            try:
                FileLock(file).release()
                break
            except LockHeld as held:
                waited = time.monotonic() - begun
                if file.stem == "main" or waited > _ENDING:
                    raise _written_by_another(file.with_suffix(".jsonl"), held) from held
                if waited > _SILENT and not told:
                    told = True
                    tell(_waiting(files))
                time.sleep(_PAUSE)
            except OSError as error:
                raise _problem(file, "cannot be locked", error) from error


_SILENT, _ENDING, _PAUSE = 0.5, 30, 0.05
"""The seconds after which waiting is told, in which workers have to end, and between two looks at them."""


def _waiting(files: Iterable[Path]) -> str:
    """Which of the locked files are written still, and by whom."""
    holders = [(file.with_suffix(".jsonl"), holder_of(file)) for file in files]
    writers = [f"{path} (process {holder.pid})" for path, holder in holders if holder.writes]
    return f"waiting, {_ENDING} s at most, for workers that still write {', '.join(writers)}"


def _written_by_another(path: Path, held: LockHeld) -> JournalError:
    who = f" (process {held.pid})" if held.pid else ""
    return JournalError(f"{path}: another run{who} is writing it; wait until it has ended, or stop it")


def _leave_nothing(folder: Path, worker: str) -> None:
    """Take away what a worker made before it could write its head, and the folder if it has nothing else."""
    file = folder / f"{worker}.jsonl"
    with suppress(OSError):  # it stays, and readers say that nothing was written to it
        if not file.exists() or not file.stat().st_size:
            file.unlink(missing_ok=True)
            file.with_suffix(".lock").unlink(missing_ok=True)
            folder.rmdir()


def _end_of_last_line(file: int, size: int) -> int:
    """Where the last whole line ends, 0 when there is none."""
    end = size
    while end:
        start = max(0, end - _BLOCK)
        os.lseek(file, start, os.SEEK_SET)
        found = os.read(file, end - start).rfind(b"\n")
        if found >= 0:
            return start + found + 1
        end = start
    return 0


_BLOCK = 1 << 16


def _problem(path: Path, what: str, error: OSError) -> JournalError:
    return JournalError(f"{path}: {what}: {error.strerror or error}")
