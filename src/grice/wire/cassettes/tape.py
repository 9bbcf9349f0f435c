"""The file of a cassette: a header, and one line for each recorded call."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal, NamedTuple, get_args

import msgspec

from grice._version import __version__
from grice.records import JsonValue
from grice.text import did_you_mean
from grice.user_files import replacing
from grice.wire.cassettes.errors import CassetteError

Mode = Literal["auto", "none", "once", "new", "all", "off"]

MODES: tuple[Mode, ...] = get_args(Mode)

_NO = ("", "0", "false", "no", "off")


class Behaviour(NamedTuple):
    """How a cassette behaves: it `plays` recorded calls, `records` new ones, or neither."""

    mode: Mode
    plays: bool = False
    records: bool = False


def behaviour(mode: str, *, exists: bool, environ: Mapping[str, str]) -> Behaviour:
    """The behaviour of a mode for a cassette that exists or does not.

    `none` plays, and asks nothing live. `once` plays a cassette that exists, and records one that does not.
    `new` plays what is recorded and records the rest. `all` records everything anew. `off` touches no
    cassette. `auto` plays a cassette that exists, and without one asks live and writes nothing; where the
    environment variable CI is set it is `none`. Raises ValueError for another mode.
    """
    match mode:
        case "auto" if environ.get("CI", "").strip().lower() not in _NO:
            return Behaviour("none", plays=True)
        case "auto":
            return Behaviour("auto", plays=exists)
        case "none":
            return Behaviour("none", plays=True)
        case "once":
            return Behaviour("once", plays=exists, records=not exists)
        case "new":
            return Behaviour("new", plays=True, records=True)
        case "all":
            return Behaviour("all", records=True)
        case "off":
            return Behaviour("off")
        case _:
            raise ValueError(
                f"unknown mode {mode!r}{did_you_mean(mode, MODES)}; known are {', '.join(MODES)}"
            )


TAPE_VERSION = 1

MAX_LINE = 16_000_000

"""The bytes of the longest line."""

MAX_FILE = 128_000_000

"""The bytes of the largest file."""

Kind = Literal["judge", "user", "agent", "tools", "model"]

KINDS: tuple[Kind, ...] = ("judge", "user", "agent", "tools", "model")


class Header(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The first line of a cassette.

    `grice` is the version that wrote it, `test` whose calls these are, `kinds` the traffic that was recorded
    (other traffic is live), `calls` how many lines follow.
    """

    version: int
    grice: str = __version__
    test: str = ""
    kinds: tuple[Kind, ...] = KINDS
    calls: int = 0


class Entry(msgspec.Struct, frozen=True):
    """One recorded call.

    `purpose` and `subject` are tags that say what it was for. `key` is the fingerprint of `request`. `line`
    is where it stands in the file, 0 for one that is not written yet.
    """

    kind: Kind
    key: str
    request: dict[str, JsonValue]
    response: JsonValue
    purpose: str = ""
    subject: str = ""
    line: int = 0


class Tape(msgspec.Struct, frozen=True):
    """The content of a cassette's file."""

    path: str
    header: Header
    entries: tuple[Entry, ...] = ()


class _Line(msgspec.Struct, frozen=True):
    """An entry in the order in which its fields are written."""

    kind: str
    purpose: str
    subject: str
    key: str
    request: JsonValue
    response: JsonValue


DIGEST = b',"digest":"sha256:'


def digest_of(body: bytes) -> str:
    """The digest of a line without its end, from the comma before `"digest"` on."""
    return f"sha256:{hashlib.sha256(body).hexdigest()}"


def write_tape(path: Path, header: Header, entries: Sequence[Entry]) -> None:
    """Write the file of a cassette; a reader finds the old one or the whole new one.

    Raises CassetteError when it cannot be written, or would be too large to be read.
    """
    lines = [msgspec.json.encode(msgspec.structs.replace(header, calls=len(entries)))]
    for number, entry in enumerate(entries, 2):
        lines.append(_encoded(entry))
        if len(lines[-1]) > MAX_LINE:
            raise CassetteError(
                f"{path}:{number}: the {entry.kind} call would take {len(lines[-1]):,} bytes, a line has at "
                f"most {MAX_LINE:,}: nothing was written"
            )
    data = b"\n".join([*lines, b""])
    if len(data) > MAX_FILE:
        raise CassetteError(
            f"{path}: the {len(entries)} calls would take {len(data):,} bytes, a cassette has at most "
            f"{MAX_FILE:,}: nothing was written"
        )
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with replacing(path) as stream:
            stream.write(data)
    except OSError as error:
        raise CassetteError(f"{path}: the cassette cannot be written: {error.strerror or error}") from error


def _encoded(entry: Entry) -> bytes:
    body = msgspec.json.encode(
        _Line(entry.kind, entry.purpose, entry.subject, entry.key, entry.request, entry.response)
    )[:-1]
    return b'%s,"digest":"%s"}' % (body, digest_of(body).encode())
