"""Read the file of a cassette, and say what is wrong with it."""

from __future__ import annotations

import os
from os import PathLike
from pathlib import Path
from typing import Any, NoReturn

import msgspec

from grice._version import __version__
from grice.identity import fingerprint, redact_text
from grice.records import JsonValue
from grice.text import did_you_mean, value_text
from grice.user_files import open_file
from grice.wire.cassettes.errors import RERECORD, CassetteError
from grice.wire.cassettes.scrub import first_secret, without_secrets
from grice.wire.cassettes.tape import (
    DIGEST,
    KINDS,
    MAX_FILE,
    MAX_LINE,
    TAPE_VERSION,
    Entry,
    Header,
    Tape,
    digest_of,
)

_HEADER = '{"version": 1, ...}'
_ENTRY_FIELDS = ("kind", "purpose", "subject", "key", "request", "response", "digest")
_CONFLICTS = (b"<<<<<<<", b"=======", b">>>>>>>", b"|||||||")


def read_tape(path: str | PathLike[str]) -> Tape:
    """Read the file of a cassette.

    Raises CassetteError that names file and line when it is broken, was edited, is of a newer version, is too
    large or holds a secret, and FileNotFoundError when there is no such file.
    """
    name = str(path)
    lines = _lines(Path(path), name)
    header: Header | None = None
    entries: list[Entry] = []
    for number, line, cut in lines:
        where = f"{name}:{number}"
        value = _decoded(where, line, cut)
        intact = _fits_digest(line)
        if header is None or not intact or header.grice != __version__:
            _refuse_secret(where, value)  # else this very version took them out
        if header is None:
            header = _header(where, value)
        else:
            entries.append(_entry(where, number, value, intact))
            if entries[-1].kind not in header.kinds:
                _refuse(f"{name}:1", f"the header was edited: its kinds lack the {entries[-1].kind} calls")
    if header is None:
        _refuse(f"{name}:1", f"the file is empty, expected a header such as {_HEADER}")
    if header.calls != len(entries):
        _refuse(
            f"{name}:1",
            f"the header says that {header.calls} calls follow, found {len(entries)}: lost or added some",
        )
    return Tape(name, header, tuple(entries))


def _lines(path: Path, name: str) -> list[tuple[int, bytes, bool]]:
    """The lines that are not blank: their numbers, their bytes, and whether one is cut off at its end."""
    try:
        with open_file(path) as stream:
            size = os.fstat(stream.fileno()).st_size
            if size > MAX_FILE:
                _refuse(f"{name}:1", f"the file has {size:,} bytes, a cassette has at most {MAX_FILE:,}")
            data = stream.read()
    except FileNotFoundError:
        raise
    except (OSError, ValueError) as error:  # the latter for a name that no file can have
        why = getattr(error, "strerror", None) or error
        raise CassetteError(f"{name}:1: the cassette cannot be read: {why}") from error
    lines = data.removeprefix(b"\xef\xbb\xbf").split(b"\n")
    last = len(lines)
    return [(n, line, n == last) for n, line in enumerate(lines, 1) if line and not line.isspace()]


def _decoded(where: str, line: bytes, cut: bool) -> dict[str, JsonValue]:
    if len(line) > MAX_LINE:
        _refuse(where, f"the line has {len(line):,} bytes, at most {MAX_LINE:,} are read")
    if line.startswith(_CONFLICTS):
        _refuse(where, "a conflict of a merge, expected one JSON object a line; take one side of it whole")
    try:
        line.decode()
        value = msgspec.json.decode(line)
    except UnicodeDecodeError as error:
        _refuse(
            where, f"not UTF-8 (byte 0x{line[error.start]:02x} at {error.start + 1}), expected UTF-8 JSON"
        )
    except RecursionError:
        _refuse(where, "nested too deep, expected a recorded call")
    except ValueError as error:
        if cut:
            _refuse(where, "the last line is cut short, expected a whole JSON object and a line end")
        _refuse(
            where, f"not JSON ({str(error).removeprefix('JSON is malformed: ')}), expected one object a line"
        )
    if not isinstance(value, dict):
        _refuse(where, f"a {type(value).__name__}, expected a JSON object")
    return value


def _refuse_secret(where: str, value: dict[str, JsonValue]) -> None:
    place = first_secret(value, without_secrets(value))
    if place is not None:
        raise CassetteError(
            f"{where}: a secret at {redact_text(place)}, expected [redacted: ...] in its place; {RERECORD}, "
            "and change the secret if the file was ever committed"
        )


def _header(where: str, value: dict[str, JsonValue]) -> Header:
    version = value.get("version")
    if "version" not in value:
        _refuse(where, f"the header is missing, expected {_HEADER} as the first line")
    if type(version) is not int or version < 1:
        _refuse(where, f"the version is {value_text(version)}, expected {TAPE_VERSION}")
    if version > TAPE_VERSION:
        raise CassetteError(
            f"{where}: version {version} of cassettes is newer than this Grice reads ({TAPE_VERSION}): "
            f"update Grice, or {RERECORD}"
        )
    try:
        return msgspec.convert(value, Header)
    except msgspec.ValidationError as error:
        _refuse(where, f"not a header: {error}")


def _entry(where: str, number: int, value: dict[str, Any], intact: bool) -> Entry:
    if "version" in value and "kind" not in value:
        _refuse(where, "a second header, expected a recorded call; two cassettes were joined")
    for name in _ENTRY_FIELDS:
        if name not in value:
            _refuse(where, f"no {name!r}, expected a recorded call with {', '.join(_ENTRY_FIELDS)}")
    kind = value["kind"]
    if kind not in KINDS:
        hint = did_you_mean(kind, KINDS) if isinstance(kind, str) else ""
        _refuse(where, f"unknown kind {value_text(kind)}{hint}, expected one of {', '.join(KINDS)}")
    try:
        entry = msgspec.convert({**value, "line": number}, Entry)
    except msgspec.ValidationError as error:
        _refuse(where, f"not a recorded call: {error}")
    if not intact:
        _refuse_edited(where, entry)
    return entry


def _fits_digest(line: bytes) -> bool:
    body, _, digest = line.rstrip().rpartition(DIGEST)
    return digest_of(body).encode() == b"sha256:" + digest.removesuffix(b'"}')


def _refuse_edited(where: str, entry: Entry) -> NoReturn:
    call = f"{entry.kind} call"
    if fingerprint(entry.request) != entry.key:
        _refuse(where, f"the request of this {call} was edited: it does not fit its key")
    _refuse(where, f"this {call} was edited: its request fits its key, the line does not fit its digest")


def _refuse(where: str, problem: str) -> NoReturn:
    raise CassetteError(f"{where}: {problem}; {RERECORD}")
