"""Read the lines that were added to the journal of a run since the last time."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from grice.records import Result
from grice.running.journal.experiment import Experiment
from grice.running.journal.form import JournalError, decode_line
from grice.running.journal.result_selector import Place
from grice.user_files import open_file

_MOST_LINES = 1_000
_MOST_BYTES = 8 * 1024 * 1024
"""Of a chunk: it is in memory at once."""


class Position(NamedTuple):
    """How far a file was read: whole lines only.

    `session` is that of the last head, and `results` how many stand below it.
    """

    bytes: int = 0
    lines: int = 0
    damaged: int = 0
    session: str = ""
    results: int = 0


class Added(NamedTuple):
    """Some further lines of a file, and where the next begins."""

    position: Position
    heads: list[tuple[Place, Experiment]]
    results: list[tuple[Result, Place]]
    notes: list[str]


def session_name(head: Experiment) -> str:
    """The name that all workers share which continued a run together, from the heads of their files."""
    return f"{head.timestamp} {head.finished_before}"


def read_added(file: Path, start: Position) -> Added:
    """Read the lines from a position on, at most as many as are processed at once.

    A torn last line is left for the next time, when the rest of it may be there. Raises JournalError for a
    newer journal and for a file that cannot be read.
    """
    added = Added(start, [], [], [])
    try:
        for line in _lines(file, start):
            position = added.position
            place = (file.name, position.lines + 1)
            if not line.endswith(b"\n"):
                added.notes.append(f"{file}:{place[1]}: the last line is torn; it is left out")
                break
            position = position._replace(bytes=position.bytes + len(line), lines=place[1])
            added = _with_line(added, position, file, line)
            if position.lines - start.lines >= _MOST_LINES or position.bytes - start.bytes >= _MOST_BYTES:
                break
    except OSError as error:
        raise JournalError(f"{file}: cannot be read: {error.strerror or error}") from error
    return added


def _with_line(added: Added, position: Position, file: Path, line: bytes) -> Added:
    """What was added, and what the line holds; it ends at the position."""
    if line.isspace():
        return added._replace(position=position)
    place = (file.name, position.lines)
    try:
        found = decode_line(line)
    except JournalError as error:
        raise JournalError(f"{file}:{place[1]}: {error}") from error
    except ValueError as error:
        added.notes.append(f"{file}:{place[1]}: left out, it cannot be read: {error}")
        return added._replace(position=position._replace(damaged=position.damaged + 1))
    if isinstance(found, Experiment):
        added.heads.append((place, found))
        position = position._replace(session=session_name(found), results=0)
    elif isinstance(found, Result):
        added.results.append((found, place))
        position = position._replace(results=position.results + 1)
    return added._replace(position=position)


def _lines(file: Path, start: Position) -> Iterator[bytes]:
    with open_file(file) as stream:
        stream.seek(start.bytes)
        yield from stream
