"""Which scenarios count in a run, read from its journal without decoding whole conversations."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import msgspec

from grice.user_files import open_file

__all__ = ["counted_ids"]


class _Result(msgspec.Struct, frozen=True, gc=False):
    id: str
    counts: bool = True


class _Line(msgspec.Struct, frozen=True, gc=False):
    result: _Result | None = None


_line = msgspec.json.Decoder(_Line)


def counted_ids(folder: Path) -> Iterator[str]:
    """The stable ids of the results that count, as they stand in the journal; repeats come again.

    Lines that cannot be read are left out. Raises OSError.
    """
    for file in sorted(folder.glob("*.jsonl")):
        with open_file(file) as stream:
            for line in stream:
                with suppress(msgspec.MsgspecError, UnicodeError, RecursionError):
                    result = _line.decode(line).result
                    if result is not None and result.counts:
                        yield result.id
