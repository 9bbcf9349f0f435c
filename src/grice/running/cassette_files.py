"""Where the cassette of a test lies, and how it is used."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from grice.files.settings import Settings
from grice.identity import stable_id

if TYPE_CHECKING:
    from grice.wire.cassettes import Cassette, Recorded

__all__ = ["cassette_name", "cassette_path", "open_cassette", "recorded_lines"]

_LONGEST = 80
_RESERVED = re.compile(r"(con|prn|aux|nul|com[0-9]|lpt[0-9])(\.|$)")  # devices on Windows, with any suffix
_MOST_LINES = 20


def cassette_path(file: Path, folder: str, name: str) -> Path:
    """The cassette of the test or scenario of that name in that file: `folder/<file>/<name>.jsonl` beside it.

    A name that no file could have is shortened and made unique by its stable id.
    """
    plain = re.sub(r"[^\w.=+-]+", "-", name, flags=re.ASCII).strip("-.")
    if plain != name or len(plain) > _LONGEST or plain.lower() != plain or _RESERVED.match(plain):
        plain = f"{plain[:_LONGEST].strip('-.')}-{stable_id(name).removeprefix('example:')[:8]}"
    return file.parent / folder / file.name.split(".")[0] / f"{plain}.jsonl"


def cassette_name(title: str, key: str = "", repeat: int = 1) -> str:
    """What the cassette of a test with a scenario is named by, in pytest and elsewhere.

    pytest escapes what is not ASCII in the ids of its tests; `title` has its class and its name.
    """
    escaped = key.encode("unicode_escape").decode("ascii")
    name = f"{title}[{escaped}]" if key else title
    return (name if repeat == 1 else f"{name}.{repeat}").replace("::", ".")


def open_cassette(
    path: Path, settings: Settings, *, test: str, mode: str = "", marked: str = "", update: bool = False
) -> Cassette:
    """The cassette at the path, in the command line's `mode`, or that which its test has, or the settings'.

    A test that leaves cassettes alone, `off`, does so whatever the command line says.

    With `update` one that exists is recorded anew, unless the command line says not to. Raises CassetteError,
    and SettingsError for scrub rules.
    """
    from grice.wire.cassettes import Cassette, ScrubError

    chosen = "off" if marked == "off" else mode or marked or settings.record
    if chosen != "off" and update and path.exists() and mode not in ("off", "none"):
        chosen = "all"
    try:
        return Cassette.open(path, chosen, scrub=settings.scrub, kinds=settings.record_kinds, test=test)
    except ScrubError as error:
        raise settings.problem_with("scrub", str(error)) from error


def recorded_lines(recorded: Recorded) -> list[str]:
    """What a summary says of a recording: its counts, and what is no longer as it was."""
    said, *lines = f"recorded {recorded}".split("\n")
    if not recorded.removed and not recorded.changed:
        return [said]  # what was added is in the file
    rest = len(lines) - _MOST_LINES
    return [said, *lines[:_MOST_LINES], *([f"  and {rest} more lines"] if rest > 0 else ())]
