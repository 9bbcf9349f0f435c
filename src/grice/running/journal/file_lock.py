"""A lock that one process has at a time and that ends with it, whatever ends it."""

from __future__ import annotations

import errno
import os
import time
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

_PLACE = 1 << 30  # what is locked on Windows: far behind the text, which others may then read


class LockHeld(Exception):
    """Another process has the lock. `pid` is its number, `said` what it tells; "" when nobody knows."""

    def __init__(self, pid: str, said: str = "") -> None:
        super().__init__(f"locked by process {pid or '(unknown)'}")
        self.pid = pid
        self.said = said


class Holder(NamedTuple):
    """Whether a process has the lock, and its number; one that is gone without a word left its number."""

    writes: bool
    pid: str

    @property
    def is_gone(self) -> bool:
        """Whether the process ended without giving the lock up."""
        return bool(self.pid) and not self.writes


class FileLock:
    """The lock of a file, which holds the number of the process that has it. The file stays.

    Raises LockHeld when another one has it, also within this process, and OSError where files cannot be
    locked.
    """

    def __init__(self, path: Path) -> None:
        flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
        self._file = os.open(path, flags, 0o644)
        try:
            _lock_soon(self._file)
            os.ftruncate(self._file, 0)
            _write_pid(self._file)
        except OSError as error:
            pid, said = _read(self._file) if error.errno in _BUSY else ("", "")
            os.close(self._file)
            if error.errno in _BUSY:
                raise LockHeld(pid, said) from error
            raise

    def tell(self, text: str) -> None:
        """Have whoever finds the lock held read this, one line."""
        os.write(self._file, f"{text}\n".encode())

    def release(self) -> None:
        """Give the lock up: a file without a number says that its process ended in good order."""
        with suppress(OSError):
            os.ftruncate(self._file, 0)
        os.close(self._file)


def holder_of(path: Path) -> Holder:
    """Who has the lock of a file, or had it last."""
    try:
        file = os.open(path, os.O_RDWR | getattr(os, "O_CLOEXEC", 0))
    except OSError:  # nobody ever locked it, or it is of another user's run
        return Holder(False, "")
    pid = ""
    try:
        pid, _ = _read(file)
        _lock_now(file, shared=True)
    except OSError as error:
        return Holder(error.errno in _BUSY, pid)
    else:
        return Holder(False, pid)
    finally:
        os.close(file)


_BUSY = (errno.EWOULDBLOCK, errno.EAGAIN, errno.EACCES, errno.EDEADLK)


def _lock_soon(file: int) -> None:
    """Lock the file; who only asks `holder_of` has it for a moment."""
    for _ in range(_TRIES):
        with suppress(OSError):
            return _lock_now(file)
        time.sleep(_PAUSE)
    return _lock_now(file)


_TRIES, _PAUSE = 5, 0.01


def _write_pid(file: int) -> None:
    os.lseek(file, 0, os.SEEK_SET)
    os.write(file, f"{os.getpid()}\n".encode())


def _read(file: int) -> tuple[str, str]:
    """The number of the process, and what it tells."""
    os.lseek(file, 0, os.SEEK_SET)
    pid, _, said = os.read(file, 1_000).decode("utf-8", "replace").partition("\n")
    return (pid.strip(), said.strip()) if pid.strip().isdigit() else ("", "")


try:
    import fcntl

    def _lock_now(file: int, *, shared: bool = False) -> None:
        fcntl.flock(file, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)

except ImportError:  # Windows
    import msvcrt

    def _lock_now(file: int, *, shared: bool = False) -> None:  # noqa: ARG001 - Windows has one kind
        os.lseek(file, _PLACE, os.SEEK_SET)
        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined, unused-ignore]
