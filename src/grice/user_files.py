"""Reading the files that users name, and replacing them.

It imports the standard library only: every pytest session with a data file in it asks here.
"""

from __future__ import annotations

import errno
import os
import re
import stat
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from io import BufferedReader
from os import PathLike
from pathlib import Path
from typing import Any, BinaryIO

SAVE_AS_UTF8 = "; save the file as UTF-8"

TYPOGRAPHIC = "“”„‟«»‘‚"
"""Quotes with which no syntax begins a text. The apostrophe ’ is none: words begin with it."""

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

    A pipe would be waited for, and a device may have no end. Within `no_files` every file raises.
    """
    check_files_are_read(path)
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


def check_files_are_read(path: str | PathLike[str]) -> None:
    """Raise NoFile within `no_files`."""
    if _no_files.get():
        raise NoFile(errno.EPERM, "files are not read here: give the content itself", os.fspath(path))


_no_files: ContextVar[bool] = ContextVar("grice_no_files", default=False)


@contextmanager
def no_files() -> Iterator[None]:
    """Have no file opened in the block: who names it is a stranger, and may not see what is in it."""
    before = _no_files.set(True)
    try:
        yield
    finally:
        _no_files.reset(before)


_LOOP = "is a loop of links"


def real_path(path: Path) -> Path:
    """The absolute path without links, as `Path.resolve` has it; links in a circle stay as they are."""
    return Path(os.path.realpath(path))


@contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """A stream for the new content of a file; it has its name when the block ends without an exception.

    Readers find the old file or the whole new one. A link is followed; permissions are those of the file
    that was there, or of any new file. Raises OSError, also for a loop of links.
    """
    target = real_path(path)
    if target.is_symlink():
        raise OSError(errno.ELOOP, f"it {_LOOP}", os.fspath(path))
    temporary = target.with_name(f".{target.name}.{os.getpid()}-{threading.get_ident()}.part")
    try:
        with open(temporary, "wb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        if target.exists():
            temporary.chmod(stat.S_IMODE(target.stat().st_mode))
        temporary.replace(target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


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


_LEFT_OVER = re.compile(r"\A\s*```|^(?:<{7}|>{7})(?=[ \r\n])", re.MULTILINE)


def left_over(text: str) -> tuple[int, str] | None:
    """Where a text that is not what it should be has something of git or Markdown in it, and what to do."""
    found = _LEFT_OVER.search(text)
    if found is None:
        return None
    if found[0].endswith("`"):
        return found.end() - 3, "``` is Markdown: leave this line out, and the ``` below"
    message = (
        "a merge conflict is left here: keep one side, and leave the lines <<<<<<<, ======= and >>>>>>> out"
    )
    return found.start(), message


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
    if found := left_over(text):
        return found
    sign = text[offset : offset + 1]
    if sign and sign in f"’{TYPOGRAPHIC}" and said.startswith("Invalid"):
        return offset, f'TOML has straight quotes only: write " instead of {sign}'
    explain = next((explain for words, explain in _TOML_MISTAKES if said.startswith(words)), None)
    return explain(text, offset) if explain else (offset, "TOML cannot have this here")


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


def _open_list(text: str, offset: int, brackets: str = "[]") -> tuple[int, str]:
    depth = 1
    opened = offset
    while depth and opened > 0:
        opened -= 1
        depth += {brackets[0]: -1, brackets[1]: 1}.get(text[opened], 0)
    missing = f"the {brackets[0]} that opens here is not closed: {brackets[1]} is missing"
    return opened, f"{missing}, or a comma between two values is"


def _open_table(text: str, offset: int) -> tuple[int, str]:
    return _open_list(text, offset, "{}")


def _twice(text: str, offset: int) -> tuple[int, str]:
    """The name, or the table, that stands twice is on the line."""
    start = text.rfind("\n", 0, offset) + 1
    found = re.compile(r"[ \t]*\[*[ \t]*([^=\]\n]*[^=\]\s])").match(text, start)
    if found is None:
        return offset, "a name stands twice in its table: keep one"
    return found.start(1), f"{found[1]} stands twice: keep one, or put the fields of both together"


def _no_name(text: str, offset: int) -> tuple[int, str]:
    before = text[:offset].rstrip()
    if before.endswith(",") and text.startswith("}", offset):
        return len(before) - 1, "a comma stands before }: leave it out"
    return offset, "the name of a field is expected here"


def _behind_value(text: str, offset: int) -> tuple[int, str]:
    if re.search(r"=\s*[+-]?0$", text[:offset]) and text[offset : offset + 1].isdecimal():
        return offset - 1, "a number does not begin with 0: leave it out, or put the text in quotes"
    return offset, "the value ends here, and a line holds one: leave out what follows"


def _told(message: str) -> Callable[[str, int], tuple[int, str]]:
    return lambda _, offset: (offset, message)


_BACKSLASH = _told("a backslash in double quotes is written \\\\; in single quotes it stands as it is")
_TOML_MISTAKES: tuple[tuple[str | tuple[str, ...], Callable[[str, int], tuple[int, str]]], ...] = (
    ("Invalid value", _wrong_value),
    ("Expected '=' after", _no_equals_sign),
    ("Illegal character", _illegal),
    (("Unterminated string", "Expected \"'", "Expected '\""), _open_text),
    ("Unclosed array", _open_list),
    ("Unclosed inline table", _open_table),
    (("Cannot overwrite", "Cannot declare", "Cannot mutate", "Cannot redefine"), _twice),
    ("Duplicate inline", _told("a name stands twice in these braces: keep one")),
    ("Expected ']", _told("the [ of this table is not closed: ] is missing")),
    (("Unescaped '\\'", "Invalid hex value", "Escaped character"), _BACKSLASH),
    ("Invalid initial character", _no_name),
    ("Invalid date", _told("this is no date: write it as 2030-12-31, or in quotes")),
    ("Expected newline or end", _behind_value),
    ("Invalid statement", _told("this is no 'name = value' and no [table]; a comment begins with #")),
)
