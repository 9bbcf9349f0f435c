"""Results as a JSON file."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import msgspec

from grice.identity import redact
from grice.records import Result, encode_results

__all__ = ["check_json_path", "write_json"]


def check_json_path(path: Path) -> None:
    """Raise OSError, in words, when no file can be written there; folders on the way are made."""
    if path.is_dir():
        raise IsADirectoryError(f"{path} is a folder: name the file to write")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OSError(f"{path}: the folder cannot be made: {error.strerror or error}") from error
    if not os.access(path.parent, os.W_OK):
        raise PermissionError(f"{path}: the folder is not writable")


def write_json(path: Path, results: Sequence[Result], *, complete: bool = True) -> None:
    """Write the results with their format version, secrets redacted; the file appears whole or not at all.

    `complete` says whether everything that was asked for was run.
    """
    plain = redact(msgspec.json.decode(encode_results(tuple(results))))
    plain = {"version": plain.pop("version"), "complete": complete, **plain}
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        temporary.write_bytes(msgspec.json.format(msgspec.json.encode(plain), indent=2) + b"\n")
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
