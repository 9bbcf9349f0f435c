"""The lines of a log: a file, a compressed file or standard input, with a limit on every line."""

from __future__ import annotations

import codecs
import gzip
import importlib
import io
import json
import os
import re
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, Literal, NoReturn, cast

import msgspec

from grice.formats.buckets import find_object, is_address, open_bytes, without_secret
from grice.formats.errors import FormatError
from grice.records import JsonValue, clean_json
from grice.text.json_mistakes import json_mistake, no_number
from grice.user_files import NoFile, link_problem

Holding = Literal["JSON Lines", "JSON", "CSV"]
"""What a file is expected to hold: "JSON" is one document or JSON Lines."""

STDIN = "-"
MAX_LINE = 50_000_000
"""The bytes of the longest line that is read, after decompression."""

_ZSTD = b"\x28\xb5\x2f\xfd"

UTF8_MARK = b"\xef\xbb\xbf"

_FILES: dict[Holding, str] = {"JSON Lines": "logs/*.jsonl", "JSON": "requests/*.json", "CSV": "tables/*.csv"}

_decode = msgspec.json.Decoder().decode


class Unreadable(Exception):
    """A file that cannot be read as JSON Lines; the text says what was found and what to do."""


def long_line() -> str:
    """What is said of a line over the limit."""
    return f"longer than {MAX_LINE:,} bytes"


def name_of(path: Path | str) -> str:
    """How a report calls the file."""
    if is_address(path):
        return without_secret(str(path))
    return "<stdin>" if str(path) == STDIN else str(path)


def size_of(path: Path | str) -> int:
    """The bytes of a log as it lies there, 0 where nobody can say."""
    try:
        if is_address(path):
            return find_object(path).size
        return 0 if str(path) == STDIN else os.stat(path).st_size
    except OSError:
        return 0


@contextmanager
def open_log(
    path: Path | str, holds: Holding = "JSON Lines", *, stdin: bool = True, at_once: int = 0
) -> Iterator[BinaryIO]:
    """The bytes of a log, decompressed when they are gzip. Raises Unreadable with the reason.

    `holds` is what is expected in it; `stdin` says whether "-" is standard input. `at_once` is how many bytes
    of an object are wanted where it is read from its middle.
    """
    if stdin and str(path) == STDIN:
        stream = io.BufferedReader(cast("io.RawIOBase", sys.stdin.buffer))
        try:
            yield _checked(stream, "FILE", holds)
        finally:
            stream.detach()  # standard input is not ours to close
        return
    if os.path.isdir(path):
        raise Unreadable(f"is a directory; name the files in it, as in {_FILES[holds]}")
    try:
        opened = open_bytes(path, at_once)
    except FileNotFoundError:
        if is_address(path):
            raise Unreadable("there is no such object") from None
        is_elsewhere = re.match(r"[a-z][a-z0-9+.-]+:/", str(path))
        hint = "; such addresses are not read: mount what is there, or pipe it to -" if is_elsewhere else ""
        raise Unreadable(link_problem(path) or f"there is no such file{hint}") from None
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        hint = f", or {STDIN} for standard input" if stdin and isinstance(error, NoFile) else ""
        raise Unreadable(f"cannot be opened: {why}{hint}") from None
    with opened:
        yield _checked(opened, str(path), holds)


def read_lines(stream: BinaryIO) -> Iterator[tuple[int, bytes | None]]:
    """Each line that is not blank with its number, None for one over the limit. Raises Unreadable."""
    number = 0
    try:
        while line := stream.readline(MAX_LINE + 1):
            number += 1
            if len(line) > MAX_LINE:
                while line and not line.endswith(b"\n"):
                    line = stream.readline(1_000_000)
                yield number, None
                continue
            if number == 1:
                line = line.removeprefix(UTF8_MARK)
            if not line.isspace() and line:
                yield number, line
    except (OSError, EOFError, zlib.error) as error:
        raise Unreadable(f"cannot be read after line {number}: {error}") from None


def parse_line(line: bytes) -> JsonValue:
    """The value of a line of JSON. Raises FormatError with the reason when it is none."""
    try:
        return _decode(line)
    except RecursionError:
        raise FormatError("nested too deep") from None
    except UnicodeDecodeError as error:
        raise FormatError(f"not UTF-8: byte 0x{error.object[error.start]:02x}") from None
    except ValueError as error:
        return _parse_leniently(line.decode("utf-8", "replace").rstrip("\r\n"), str(error))


def _parse_leniently(text: str, reason: str) -> JsonValue:
    """The value of a text with halves of surrogate pairs, as Python writes text that was cut in an emoji.

    Raises FormatError, in the words of all files, for one that is no JSON.
    """
    if not text.lstrip().startswith(("{", "[")):
        raise FormatError("not valid JSON: a line begins with { or [")
    try:
        value = json.loads(text, parse_constant=_refuse)
    except json.JSONDecodeError as error:
        offset, message = json_mistake(text, error)
        line, column = text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)
        place = f"column {column}" if line == 1 else f"line {line}, column {column}"
        raise FormatError(message.replace("JSON", f"JSON at {place}", 1)) from None
    except (ValueError, RecursionError) as error:
        raise FormatError(f"not valid JSON: {error}") from None
    if "\\ud" in text.lower():
        return clean_json(value)
    raise FormatError(f"not valid JSON: {reason}")


def _refuse(constant: str) -> NoReturn:
    raise ValueError(no_number(constant))


def _checked(opened: io.BufferedReader[Any], name: str, holds: Holding) -> BinaryIO:
    stream: io.BufferedReader[Any] = opened
    try:
        if opened.peek(2).startswith(b"\x1f\x8b"):
            stream = io.BufferedReader(cast("io.RawIOBase", gzip.GzipFile(fileobj=opened, mode="rb")))
        elif opened.peek(4).startswith(_ZSTD):
            stream = io.BufferedReader(_decompressed(opened))
        head = stream.peek(8192)
        code = utf_16_of(head) if holds != "JSON Lines" else ""
        if code:
            stream = io.BufferedReader(Transcoded(stream, code))
            head = stream.peek(8192)
    except (OSError, EOFError, zlib.error, UnicodeError) as error:
        raise Unreadable(f"cannot be read: {error}") from None
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise Unreadable(f"is UTF-16; {holds} {'are' if holds == 'JSON Lines' else 'is'} UTF-8")
    if b"\0" in head.partition(b"\n")[0] or 50 * head.count(b"\0") > len(head):
        raise Unreadable(f"is not text; expected {holds}")
    if holds == "JSON Lines":
        _refuse_document(head, name)
    return stream


def utf_16_of(head: bytes) -> str:
    """The encoding of a text in UTF-16, with its mark or without; "" for any other."""
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "utf-16"
    few = head[:400]
    odd, even = few[1::2].count(0), few[::2].count(0)
    if len(few) > 7 and max(odd, even) > 0.4 * len(few) / 2 and not min(odd, even):
        return "utf-16-le" if odd else "utf-16-be"
    return ""


class Transcoded(io.RawIOBase):
    """The bytes of a text in UTF-8, whatever it is written in."""

    def __init__(self, reader: BinaryIO, encoding: str) -> None:
        self._reader = reader
        self._decoder = codecs.getincrementaldecoder(encoding)("replace")
        self._waiting = b""

    def readable(self) -> bool:
        """Whether it can be read: it can."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill the buffer with what comes next; how many bytes."""
        while not self._waiting:
            data = self._reader.read(len(buffer))
            self._waiting = self._decoder.decode(data, final=not data).encode("utf-8", "replace")
            if not data:
                break
        size = min(len(buffer), len(self._waiting))
        buffer[:size], self._waiting = self._waiting[:size], self._waiting[size:]
        return size


class _FromZstd(io.RawIOBase):
    """The bytes of a zstd stream; what is wrong with it is an OSError, as of the others."""

    def __init__(self, reader: BinaryIO, wrong: type[Exception]) -> None:
        self._reader = reader
        self._wrong = wrong

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        try:
            data = self._reader.read(len(buffer))
        except self._wrong as error:
            raise OSError(f"not valid zstd: {error}") from None
        buffer[: len(data)] = data
        return len(data)


def _decompressed(opened: BinaryIO) -> io.RawIOBase:
    """The stream of a zstd file: Python's own reader, else that of the package zstandard."""
    try:
        module = importlib.import_module("compression.zstd")  # from Python 3.14 on
        return _FromZstd(module.ZstdFile(opened), module.ZstdError)
    except ImportError:
        pass
    try:
        module = importlib.import_module("zstandard")
    except ImportError:
        raise Unreadable("is zstd, which needs a package: pip install 'grice[zstd]'") from None
    reader = module.ZstdDecompressor().stream_reader(opened, read_across_frames=True)
    return _FromZstd(reader, module.ZstdError)


def _refuse_document(head: bytes, name: str) -> None:
    """Refuse one JSON document written over several lines, of which every line would be malformed."""
    complete = head.removeprefix(UTF8_MARK).split(b"\n")[:-1]
    lines = [line.strip() for line in complete if line.strip()][:2]
    if len(lines) < 2 or not lines[0].endswith((b"[", b"{", b",")) or _is_json(lines[0]):
        return
    if lines[0] not in (b"[", b"{") and _is_json(lines[1]):
        return  # one malformed line, and then good ones
    converter = "jq -c '.[]'" if lines[0].startswith(b"[") else "jq -c ."
    raise Unreadable(
        "is one JSON document over several lines; expected JSON Lines, one conversation or message a line: "
        f"{converter} {name} > {Path(name).stem}.jsonl"
    )


def _is_json(line: bytes) -> bool:
    try:
        msgspec.json.decode(line)
    except (ValueError, RecursionError):
        return False
    return True
