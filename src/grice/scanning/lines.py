"""The lines of a log: a file, a compressed file or standard input, with a limit on every line."""

from __future__ import annotations

import gzip
import io
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, cast

import msgspec

__all__ = ["MAX_LINE", "STDIN", "Unreadable", "name_of", "open_log", "read_lines"]

STDIN = "-"
MAX_LINE = 50_000_000
"""The bytes of the longest line that is read, after decompression."""

_UTF8_MARK = b"\xef\xbb\xbf"


class Unreadable(Exception):
    """A file that cannot be read as JSON Lines; the text says what was found and what to do."""


def name_of(path: Path | str) -> str:
    """How a report calls the file."""
    return "<stdin>" if str(path) == STDIN else str(path)


@contextmanager
def open_log(path: Path | str) -> Iterator[BinaryIO]:
    """The bytes of a log, decompressed when they are gzip. Raises Unreadable with the reason."""
    if str(path) == STDIN:
        stream = io.BufferedReader(cast("io.RawIOBase", sys.stdin.buffer))
        try:
            yield _checked(stream, "FILE")
        finally:
            stream.detach()  # standard input is not ours to close
        return
    if Path(path).is_dir():
        raise Unreadable("is a directory; name the files in it, as in logs/*.jsonl")
    try:
        opened = open(path, "rb")  # noqa: SIM115 - closed below, by then perhaps wrapped
    except FileNotFoundError:
        raise Unreadable("there is no such file") from None
    except (OSError, ValueError) as error:
        raise Unreadable(f"cannot be opened: {getattr(error, 'strerror', None) or error}") from None
    with opened:
        yield _checked(opened, str(path))


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
                line = line.removeprefix(_UTF8_MARK)
            if not line.isspace() and line:
                yield number, line
    except (OSError, EOFError, zlib.error) as error:
        raise Unreadable(f"cannot be read after line {number}: {error}") from None


def _checked(opened: io.BufferedReader[Any], name: str) -> BinaryIO:
    stream: io.BufferedReader[Any] = opened
    try:
        if opened.peek(2).startswith(b"\x1f\x8b"):
            stream = io.BufferedReader(cast("io.RawIOBase", gzip.GzipFile(fileobj=opened, mode="rb")))
        head = stream.peek(8192)
    except (OSError, EOFError, zlib.error) as error:
        raise Unreadable(f"cannot be read: {error}") from None
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise Unreadable("is UTF-16; JSON Lines are UTF-8")
    if b"\0" in head:
        raise Unreadable("is not text; expected JSON Lines")
    _refuse_document(head, name)
    return stream


def _refuse_document(head: bytes, name: str) -> None:
    """Refuse one JSON document written over several lines, of which every line would be malformed."""
    complete = head.removeprefix(_UTF8_MARK).split(b"\n")[:-1]
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
