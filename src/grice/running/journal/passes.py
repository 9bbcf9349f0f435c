"""What passed in a run, read from its journal without decoding whole conversations."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import msgspec

from grice.records import Outcome
from grice.running.journal.result_selector import ResultSelector
from grice.user_files import open_file

__all__ = ["Passes", "passes_in"]


class Passes(NamedTuple):
    """Of each stable id whether each of its repeats passed; `keys` has those too of which nothing counts."""

    of: dict[str, list[bool]]
    keys: dict[str, str]


class _Result(msgspec.Struct, frozen=True, gc=False):
    id: str
    outcome: Outcome
    key: str = ""
    repeat: int = 1
    counts: bool = True


class _Head(msgspec.Struct, frozen=True, gc=False):
    recorded: bool = False


class _Line(msgspec.Struct, frozen=True, gc=False):
    result: _Result | None = None
    experiment: _Head | None = None


_line = msgspec.json.Decoder(_Line)


def passes_in(folder: Path) -> Passes:
    """What passed and what did not; what does not count or was skipped is not in `of`.

    Of several results of one repeat that counts which counts in a report. Lines that cannot be read are left
    out. Raises OSError.
    """
    selector = ResultSelector()
    found: dict[tuple[str, int], _Result] = {}
    for file in sorted(folder.glob("*.jsonl")):
        own: dict[tuple[str, int], _Result] = {}
        with open_file(file) as stream:
            for number, line in enumerate(stream, 1):
                with suppress(msgspec.MsgspecError, UnicodeError, RecursionError):
                    read = _line.decode(line)
                    if read.experiment is not None and number > 1 and not read.experiment.recorded:
                        selector.next_session()
                    one = read.result
                    if one is not None and selector.take(one, (file.name, number), hash(line)):
                        own[one.id, one.repeat] = one
        selector.end_file()
        places = selector.places
        found.update({key: one for key, one in own.items() if places[key][0] == file.name})
    passes = Passes({}, {})
    for one in found.values():
        passes.keys.setdefault(one.id, one.key)
        if one.counts and one.outcome is not Outcome.SKIPPED:
            passes.of.setdefault(one.id, []).append(one.outcome is Outcome.PASS)
    return passes
