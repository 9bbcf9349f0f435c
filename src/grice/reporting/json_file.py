"""Results as a JSON file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec

from grice.identity import redact
from grice.records import Result, encode_results
from grice.suites.writing import replacing

__all__ = ["write_json"]


def write_json(path: Path, results: Sequence[Result], *, complete: bool = True) -> None:
    """Write the results with their format version, secrets redacted; the file appears whole or not at all.

    `complete` says whether everything that was asked for was run.
    """
    plain = msgspec.json.decode(encode_results(tuple(results)))
    clean = [redact(one) for one in plain["results"]]  # each by itself, as in a journal
    whole = {"version": plain["version"], "complete": complete, "results": clean}
    path.parent.mkdir(parents=True, exist_ok=True)
    with replacing(path) as stream:
        stream.write(msgspec.json.format(msgspec.json.encode(whole), indent=2) + b"\n")
