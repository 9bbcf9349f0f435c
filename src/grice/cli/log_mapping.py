"""Which files a scan reads, and how: what `--map` or the settings name, or what is proposed and taken."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from io import BufferedReader, BytesIO, TextIOWrapper
from itertools import count
from pathlib import Path
from typing import NamedTuple

from grice.files.document import FileErrors
from grice.files.log_mapping_files import load_log_mapping, log_mapping_text
from grice.files.settings import find_settings
from grice.files.settings_files import find_settings_file
from grice.formats.lines import STDIN, Unreadable, name_of
from grice.formats.log_files import Rejoined, files_in, values_of
from grice.formats.mapping import LogMapping
from grice.formats.proposal import Proposal, UnlikeMessages, described, guess, propose, propose_for
from grice.reporting.console import Screen, print_line, print_problem, screen_for
from grice.text import plural, shorten, visible
from grice.user_files import replacing

AUTO = "auto"
_SHOWN = 100
_LISTED = 10
_HEAD = 1_000_000
"""The bytes of standard input from which a mapping is proposed."""


class MappedLogs(NamedTuple):
    """The files to read, and the mapping of each that is of a home-made shape, by its name."""

    files: tuple[Path | str, ...]
    mappings: Mapping[str, LogMapping]


class NotMapped(Exception):
    """The files cannot be read as they are, which has been said."""


def mapped_logs(paths: Sequence[Path | str], named: str | None, *, growing: bool = False) -> MappedLogs:
    """The logs that the paths name, those of home-made shapes with their mappings.

    `named` is a file with a mapping for all, or "auto" for what is proposed. Without it a log whose shape is
    not known is read by the mapping that the settings name; else one is proposed, and asked for where
    somebody sits at a terminal. Folders whose logs are `growing` stay folders, and are read as they are
    unless the mapping is named. Raises NotMapped.
    """
    errors = screen_for(sys.stderr)
    try:
        files = tuple(paths if growing else files_in(paths))
        if named and named != AUTO:
            mapping = load_log_mapping(named)
            return MappedLogs(files, {str(file): mapping for file in files})
        usual = None if named == AUTO else _of_settings()
    except (FileErrors, Unreadable) as wrong:
        for line in str(wrong).split("\n"):
            print_problem(errors, f"error: {line}")
        raise NotMapped from wrong
    mappings: dict[str, LogMapping] = {}
    taken: set[str] = set()
    for file in files:
        proposal = None if growing and Path(file).is_dir() else _proposed(errors, file)
        if proposal is None:
            continue
        if usual is not None:
            mappings[str(file)] = usual
            continue
        text = described(proposal.mapping)
        if text not in taken:
            _show(errors, file, proposal)
            if named != AUTO and not _is_taken(errors, file, proposal):
                raise NotMapped
            taken.add(text)
        mappings[str(file)] = proposal.mapping
    return MappedLogs(files, mappings)


def _of_settings() -> LogMapping | None:
    settings = find_settings(Path.cwd())
    return load_log_mapping(settings.root / settings.map) if settings is not None and settings.map else None


def _proposed(errors: Screen, file: Path | str) -> Proposal | None:
    try:
        return propose(file) if str(file) != STDIN else _proposed_for_stdin()
    except Unreadable:
        return None  # the scan says why
    except UnlikeMessages:
        said = f"{name_of(file)}: nothing in it is clearly a conversation, so no mapping is proposed"
        print_problem(errors, f"{said}; say where its messages stand with --map FILE (grice schema map)")
        return None


def _proposed_for_stdin() -> Proposal | None:
    """What is proposed for the beginning of standard input, which stays to be read."""
    given = sys.stdin  # held, or its stream is closed
    head = given.buffer.read(_HEAD)
    rejoined = Rejoined(head, lambda size: given.buffer.read(size))
    sys.stdin = TextIOWrapper(BufferedReader(rejoined), encoding="utf-8")
    whole = len(head) < _HEAD
    lines = head if whole else head[: head.rfind(b"\n") + 1]
    return propose_for([*values_of(BytesIO(lines))], whole=whole)


def _show(console: Screen, file: Path | str, proposal: Proposal) -> None:
    """Say how the file would be read, what of it, and what not."""
    print_line(console, f"{name_of(file)} has a shape of its own. Proposed mapping:", style="bold")
    print_line(console, described(proposal.mapping), indent="  ")
    if guessed := guess(proposal.mapping):
        print_line(console, f"A guess: {guessed}", indent="  ", hanging="    ")
    for message in proposal.shown:
        text = message["content"] if isinstance(message["content"], str) else "..."
        calls = " (calls tools)" if message.get("tool_calls") else ""
        line = shorten(visible(text, newlines=False), _SHOWN)
        print_line(console, f"{message['role']}: {line}{calls}", indent="    ", hanging="      ")
    print_line(
        console, f"Left out: {', '.join(proposal.left_out) or 'no field'}", indent="  ", hanging="    "
    )
    counted = "" if proposal.whole else "first "
    units = plural(proposal.lines, "record" if proposal.in_document else "line")
    parts = len({place for _, places in proposal.problems for place in places}) - proposal.skipped
    in_part = f"{parts:,} of them in part, " if parts > 0 else ""
    print_line(
        console,
        f"The {counted}{units}: {proposal.lines - proposal.skipped:,} read as "
        f"{plural(proposal.conversations, 'conversation')}, {in_part}"
        f"{proposal.skipped:,} not read",
        indent="  ",
    )
    for reason, places in proposal.problems:
        more = f" and {len(places) - _LISTED:,} more" if len(places) > _LISTED else ""
        listed = f"{name_of(file)}:{', '.join(map(str, places[:_LISTED]))}{more}"
        print_line(console, f"{listed}: {visible(reason)}", indent="    ", hanging="      ")


def _is_taken(console: Screen, file: Path | str, proposal: Proposal) -> bool:
    """Whether the person at the terminal takes the mapping; where nobody sits there, say how to give it."""
    saved = _free_name(Path(file).name.partition(".")[0])
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        print_problem(
            console, f"error: give --map auto to read it so, or save this as {saved} and give --map {saved}:"
        )
        for line in log_mapping_text(proposal.mapping).splitlines():
            print_line(console, line, indent="  ")
        return False
    print_line(console, f"Read it so? [y]es, [s]ave it as {saved} too, [n]o: ")
    answer = sys.stdin.readline().strip().lower()[:1]
    if answer == "s":
        with replacing(saved) as stream:
            stream.write(log_mapping_text(proposal.mapping).encode())
        settings = find_settings_file(Path.cwd())
        table = "" if settings is not None and not settings.above else "[tool.grice] "
        place = settings.path.name if settings is not None else "pyproject.toml"
        print_line(console, f'saved: {saved}; {table}map = "{saved}" in {place} keeps it')
    return answer in ("y", "s")


def _free_name(stem: str) -> Path:
    """The name of a mapping that is not there yet."""
    names = (Path(f"{stem}-{number}.map.yaml" if number > 1 else f"{stem}.map.yaml") for number in count(1))
    return next(one for one in names if not one.exists())
