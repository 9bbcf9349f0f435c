"""Locks between processes: files that go when they are given up, and count for nothing when they are left."""

from __future__ import annotations

import os
import sys
from pathlib import Path

_FLAGS = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)

if sys.platform == "win32":

    def locked(path: Path) -> int | None:
        """The locked file, None while another process has it."""
        # the file is the lock: Windows removes it when its one handle ends
        try:
            return os.open(path, _FLAGS | os.O_EXCL | os.O_TEMPORARY, 0o600)
        except (FileExistsError, PermissionError):  # the latter while it is being removed
            return None

    def remove(path: Path, file: int) -> None:
        """Remove the file of a lock that is about to be closed."""

else:
    import fcntl

    def locked(path: Path) -> int | None:
        """The locked file, given up by `remove` and by closing it; None while another process has it."""
        file = os.open(path, _FLAGS, 0o600)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if _stands(path, file):
                return file
        except BlockingIOError:
            pass
        except BaseException:
            os.close(file)
            raise
        os.close(file)
        return None

    def remove(path: Path, file: int) -> None:
        """Remove the file while it is locked: who opened it before finds that it is not there any more."""
        if _stands(path, file):
            path.unlink(missing_ok=True)

    def _stands(path: Path, file: int) -> bool:
        """Whether the open file is still the one at that path: its last owner may just have removed it."""
        try:
            return os.path.samestat(os.fstat(file), path.lstat())
        except FileNotFoundError:
            return False
