"""The lines of a journal.

Version 3 says of each result which test it is of, of each criterion all its texts, and what code was tested.
"""

from __future__ import annotations

from typing import Annotated

import msgspec

from grice.records import Result
from grice.running.journal.experiment import Experiment

JOURNAL_VERSION = 3
JOURNAL_KIND = "grice.journal"


class JournalError(Exception):
    """A journal cannot be made, written or read. The message begins with the path."""

    __module__ = "grice"


class Head(msgspec.Struct, frozen=True):
    """The first line of a file, and of what a resumed run adds to it."""

    version: int
    kind: str
    experiment: Experiment


class Begun(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """A test or scenario that was begun: one without a result was not finished.

    `group` is what its result would be listed under: the scenario set, else the name of the file.
    """

    id: str
    key: str
    repeat: Annotated[int, msgspec.Meta(ge=1)] = 1
    group: str = ""


class BegunLine(msgspec.Struct, frozen=True, gc=False):
    """A line that says what was begun."""

    begun: Begun


_ABSENT = msgspec.Raw()


class _Found(msgspec.Struct, frozen=True, gc=False):
    """A line of any version, as far as every version has it."""

    version: int | None = None
    kind: str = ""
    experiment: msgspec.Raw = _ABSENT
    result: msgspec.Raw = _ABSENT
    begun: msgspec.Raw = _ABSENT


_found = msgspec.json.Decoder(_Found)
_result = msgspec.json.Decoder(Result)
_begun = msgspec.json.Decoder(Begun)


def decode_line(data: bytes) -> Experiment | Result | Begun:
    """What the line holds.

    Raises ValueError for what is no line of a journal, and JournalError, without a path, for a head that a
    newer Grice wrote.
    """
    try:
        found = _found.decode(data)
        if found.result != _ABSENT:
            return _checked(_result.decode(found.result))
        if found.begun != _ABSENT:
            return _begun.decode(found.begun)
        if found.version is not None and found.kind == JOURNAL_KIND:
            if found.version != JOURNAL_VERSION:
                raise JournalError(_other_version(found.version))
            if found.experiment != _ABSENT:
                return msgspec.json.decode(found.experiment, type=Experiment)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise ValueError(str(error)) from error
    raise ValueError("neither a head nor a result")


def _other_version(found: int) -> str:
    if found > JOURNAL_VERSION:
        return f"journal version {found} is newer than this Grice reads ({JOURNAL_VERSION}); update Grice"
    return (
        f"journal version {found} is older than this Grice reads ({JOURNAL_VERSION}): run it again, or read "
        "it with the Grice that wrote it"
    )


def _checked(result: Result) -> Result:
    """The result. Raises ValueError for a repeat that there is not."""
    if result.repeat < 1:
        raise ValueError(f"repeats count from 1, found {result.repeat}")
    return result
