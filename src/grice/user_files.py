"""Reading the files that users name.

It imports the standard library only: every pytest session with a data file in it asks here.
"""

from __future__ import annotations

import errno
import os
import re
import stat
from collections.abc import Callable
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
        offset = _offset(text, int(found[1]), int(found[2])) if found else len(text)
        offset, message = _toml_mistake(text, offset, said or where)
        raise TomlError(*_place(text, offset), message) from error
    except ValueError as error:  # Python reads no number of so many digits
        found = _LONG_NUMBER.search(text)
        place = _place(text, found.start() if found else 0)
        raise TomlError(*place, "a number of thousands of digits") from error


_LONG_NUMBER = re.compile(r"\d[\d_]{3999,}")


def _place(text: str, offset: int) -> tuple[int, int]:
    return text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)


def _offset(text: str, line: int, column: int) -> int:
    start = 0
    for _ in range(line - 1):
        start = text.find("\n", start) + 1
    return start + column - 1


def _toml_mistake(text: str, offset: int, said: str) -> tuple[int, str]:
    """Where the mistake is, and what to write instead, for what the parser refused in its words."""
    for words, explain in _TOML_MISTAKES:
        if said.startswith(words):
            return explain(text, offset)
    return offset, said


def _wrong_value(text: str, offset: int) -> tuple[int, str]:
    rest = text[offset : offset + 200].partition("\n")[0].partition("#")[0].strip()
    if not rest and text[:offset].rstrip().endswith("="):
        return offset, "a value is missing behind the ="
    if not rest:
        return _open_list(text, offset)
    if rest in ("True", "False"):
        return offset, f"TOML has no {rest}: write {rest.lower()}"
    if rest in ("null", "None", "nil"):
        return offset, f"TOML has no {rest}: leave the line out"
    if rest[0] in "“”„‟‘’":
        return offset, f'TOML has straight quotes only: write " instead of {rest[0]}'
    if rest.isprintable() and len(rest) <= 60 and not set(rest) & set("\"'\\,[]{}="):
        return offset, f'a text needs quotes: write "{rest}"'
    return offset, "this is no value of TOML: a text needs double quotes"


def _no_equals_sign(text: str, offset: int) -> tuple[int, str]:
    if text.startswith(":", offset):
        return offset, "a = stands between a name and its value, found :"
    return offset, "a = is missing behind the name; a name with blanks or signs in it needs quotes"


def _open_text(text: str, offset: int) -> tuple[int, str]:
    """A text that is not closed: the quote that opens it is the last one before."""
    opened = max(text.rfind('"', 0, offset), text.rfind("'", 0, offset), 0)
    return opened, f"the quote that opens here is not closed: end the text with {text[opened]}"


def _illegal(text: str, offset: int) -> tuple[int, str]:
    if text.startswith(("\n", "\r"), offset):
        return _open_text(text, offset)
    return offset, f"the character U+{ord(text[offset]):04X} cannot stand here"


def _open_list(text: str, offset: int) -> tuple[int, str]:
    depth = 1
    opened = offset
    while depth and opened > 0:
        opened -= 1
        depth += {"[": -1, "]": 1}.get(text[opened], 0)
    return opened, "the [ that opens here is not closed: ] is missing, or a comma between two values is"


def _told(message: str) -> Callable[[str, int], tuple[int, str]]:
    return lambda _, offset: (offset, message)


_TOML_MISTAKES: tuple[tuple[str, Callable[[str, int], tuple[int, str]]], ...] = (
    ("Invalid value", _wrong_value),
    ("Expected '=' after", _no_equals_sign),
    ("Illegal character", _illegal),
    ("Unterminated string", _open_text),
    ('Expected "\'"', _open_text),
    ("Expected '\"", _open_text),
    ("Unclosed array", _open_list),
    ("Cannot overwrite a value", _told("the name on this line stands twice in its table")),
    ("Cannot declare", _told("this table stands twice: put its fields together")),
    ("Expected ']' at the end of a table", _told("the [ of this table is not closed: ] is missing")),
    (
        "Unescaped '\\'",
        _told("a backslash in double quotes is written \\\\; in single quotes it stands as it is"),
    ),
    ("Expected newline or end", _told("the value ends here, and a line holds one: leave out what follows")),
    ("Invalid statement", _told("this is no 'name = value' and no [table]; a comment begins with #")),
)
