"""Reading the files that users name.

It imports the standard library only: every pytest session with a data file in it asks here.
"""

from __future__ import annotations

import errno
import os
import re
import stat
from io import BufferedReader
from os import PathLike
from pathlib import Path
from typing import Any

__all__ = ["NoFile", "TomlError", "link_problem", "open_file", "read_toml", "real_path"]

_KINDS = (
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
    (stat.S_ISSOCK, "a socket"),
)


class NoFile(OSError):
    """A pipe, a device or a socket where a file was expected; `strerror` says which."""


def open_file(path: str | PathLike[str]) -> BufferedReader:
    """The bytes of a file. Raises OSError as `open` does, and NoFile, which is one.

    A pipe would be waited for, and a device may have no end.
    """
    try:
        mode = os.stat(path).st_mode
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise OSError(errno.ELOOP, f"it {_LOOP}", os.fspath(path)) from None
        raise
    for is_kind, name in _KINDS:
        if is_kind(mode):
            raise NoFile(errno.EINVAL, f"it is {name}, expected a file", os.fspath(path))
    return open(path, "rb")


_LOOP = "is a loop of links"


def real_path(path: Path) -> Path:
    """The absolute path without links, as `Path.resolve` has it; links in a circle stay as they are."""
    return Path(os.path.realpath(path))


def link_problem(path: str | PathLike[str]) -> str:
    """Why a link leads to nothing, "" for what is no link."""
    try:
        target = os.readlink(path)
    except (OSError, ValueError):
        return ""
    try:
        os.stat(path)
    except FileNotFoundError:
        return f"is a link to {target}, which is not there"
    except OSError as error:
        return _LOOP if error.errno == errno.ELOOP else ""
    return ""


class TomlError(ValueError):
    """A text is not TOML that can be read: `line` and `column` (from 1) say where, the message why."""

    def __init__(self, line: int, column: int, message: str) -> None:
        super().__init__(message)
        self.line = line
        self.column = column


def read_toml(text: str) -> dict[str, Any]:
    """The tables of a TOML text. Raises TomlError."""
    import tomllib

    try:
        return tomllib.loads(text)
    except RecursionError as error:
        raise TomlError(1, 1, "nested too deep") from error
    except tomllib.TOMLDecodeError as error:
        said, _, where = str(error).rpartition(" (at ")
        found = re.match(r"line (\d+), column (\d+)", where)
        line, column = (int(found[1]), int(found[2])) if found else _place(text, len(text))
        raise TomlError(line, column, said or where) from error
    except ValueError as error:  # Python reads no number of so many digits
        found = _LONG_NUMBER.search(text)
        place = _place(text, found.start() if found else 0)
        raise TomlError(*place, "a number of thousands of digits") from error


_LONG_NUMBER = re.compile(r"\d[\d_]{3999,}")


def _place(text: str, offset: int) -> tuple[int, int]:
    return text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)
