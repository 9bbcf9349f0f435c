"""Results as a JSON file."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import msgspec

from grice.identity import redact
from grice.records import Result, encode_results

__all__ = ["write_json"]


def write_json(path: Path, results: Sequence[Result]) -> None:
    """Write the results with their format version, secrets redacted; the file appears whole or not at all."""
    plain = redact(msgspec.json.decode(encode_results(tuple(results))))
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary.write_bytes(msgspec.json.format(msgspec.json.encode(plain), indent=2) + b"\n")
    temporary.replace(path)
