"""The files in which projects have their settings: a grice.toml, or the `[tool.grice]` of a pyproject.toml.

It imports no other library: every pytest session with a data file in it asks here.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grice.user_files import SAVE_AS_UTF8, NoFile, TomlError, open_file, read_toml

if TYPE_CHECKING:
    from grice.files.locate import JsonPath


OWN, PROJECT = "grice.toml", "pyproject.toml"


class SettingsError(ValueError):
    """Something in the settings of a project is wrong: a line for each, with file, line and column."""


class UnmatchedPattern(SettingsError):
    """A pattern of `goldens` names no file."""


@dataclass(frozen=True, eq=False)
class SettingsFile:
    """A file with settings that has been read; `table` is what it says of Grice."""

    path: Path
    text: str
    table: dict[str, Any]

    @property
    def above(self) -> JsonPath:
        """The tables around the settings."""
        return () if self.path.name == OWN else ("tool", "grice")

    @property
    def patterns(self) -> tuple[str, ...]:
        """The patterns of `goldens`, as far as they are any: what is wrong with them is told elsewhere."""
        said = self.table.get("goldens")
        return tuple(one for one in said if isinstance(one, str)) if isinstance(said, list) else ()

    def position(self, place: JsonPath) -> tuple[int, int]:
        """The line and column, from 1, of the key at the place, or of the nearest around it."""
        from grice.files.toml_places import place_in

        return _line_and_column(self.text, place_in(self.text, (*self.above, *place)))

    def named(self, table: str = "") -> str:
        """The header of a table of the settings as it stands in the file."""
        names = (*map(str, self.above), *([table] if table else []))
        return f"[{'.'.join(names)}]" if names else ""

    def told(self, place: JsonPath, message: str) -> str:
        """What is wrong with the setting at the place, with file, line and column."""
        line, column = self.position(place)
        return f"{self.path}:{line}:{column}: {f'{self.named()} {message}'.lstrip()}"

    def refuse_unmatched(self, files: Iterable[Path]) -> None:
        """Raise UnmatchedPattern for a pattern of `goldens` that names none of these files."""
        root = self.path.parent
        own = [file.relative_to(root).parts for file in files if file.is_relative_to(root)]
        for number, pattern in enumerate(self.patterns):
            split = tuple(pattern.split("/"))
            if not any(_fits(parts, split) for parts in own):
                message = (
                    f"goldens: no .json, .yaml or .yml file matches {pattern!r}{_right_folder(root, split)}"
                )
                raise UnmatchedPattern(self.told(("goldens", number), message))


def find_settings_file(start: Path) -> SettingsFile | None:
    """The settings of the nearest folder from `start` upwards that has any. Raises SettingsError."""
    for folder in (start, *start.parents):
        found = settings_file_in(folder)
        if found is not None:
            return found
    return None


def settings_file_in(folder: Path) -> SettingsFile | None:
    """The settings that the folder has, None without any. Raises SettingsError.

    So it does for two files with settings: nobody could say which one counts.
    """
    own, project = _read(folder / OWN), _read(folder / PROJECT)
    if own is not None and project is not None:
        raise SettingsError(
            f"{own.path}:1:1: the settings stand in two files: {project.told((), 'is there too')}; "
            "keep them in one"
        )
    return own or project


def settings_mention(start: Path, word: bytes) -> bool:
    """Whether a file with settings, from `start` upwards, may say the word; nothing is parsed."""
    for folder in (start, *start.parents):
        for name in (OWN, PROJECT):
            with suppress(OSError), open_file(folder / name) as stream:
                if word in stream.read():
                    return True
    return False


def matches(path: Path, root: Path, patterns: Iterable[str]) -> bool:
    """Whether a pattern, seen from the folder, names the file; `**` stands for any number of folders."""
    if not path.is_relative_to(root):
        return False
    parts = path.relative_to(root).parts
    return any(_fits(parts, tuple(pattern.split("/"))) for pattern in patterns)


def _fits(parts: tuple[str, ...], pattern: tuple[str, ...]) -> bool:
    if not pattern or not parts:
        return not pattern and not parts
    if pattern[0] == "**":
        return _fits(parts, pattern[1:]) or _fits(parts[1:], pattern)
    return fnmatchcase(parts[0], pattern[0]) and _fits(parts[1:], pattern[1:])


def _right_folder(root: Path, pattern: tuple[str, ...]) -> str:
    """The hint for the first folder of the pattern that is not there."""
    from grice.text import did_you_mean

    for part in pattern[:-1]:
        if any(sign in part for sign in "*?["):
            break
        if not (root / part).is_dir():
            folders = [each.name for each in root.iterdir() if each.is_dir()] if root.is_dir() else []
            return f"; there is no folder {part!r} in {root}{did_you_mean(part, folders)}"
        root /= part
    return ""


def _read(path: Path) -> SettingsFile | None:
    """The settings in a file, None where it is not there or has none."""
    text = _text_of(path)
    if text is None or (path.name == PROJECT and "grice" not in text):
        return None
    try:
        table = read_toml(text)
    except TomlError as error:
        raise SettingsError(f"{path}:{error.line}:{error.column}: not valid TOML: {error}") from error
    if path.name == OWN:
        return SettingsFile(path, text, table)
    tool = table.get("tool", {})
    if not isinstance(tool, dict) or "grice" not in tool:
        return None
    if not isinstance(tool["grice"], dict):
        from grice.text import value_text

        said = f"expected a table, found {value_text(tool['grice'])}"
        raise SettingsError(SettingsFile(path, text, {}).told((), said))
    return SettingsFile(path, text, tool["grice"])


def _text_of(path: Path) -> str | None:
    """The text of the file, None where none can be read. Raises SettingsError for what is no file.

    So it does for settings that are not UTF-8: without them a check could pass that they refuse.
    """
    try:
        with open_file(path) as stream:
            data = stream.read()
    except NoFile as error:
        raise SettingsError(f"{path}:1:1: cannot be read: {error.strerror}") from error
    except OSError:
        return None
    try:
        return data.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        if path.name == PROJECT and b"grice" not in data:
            return None
        line = data.count(b"\n", 0, error.start) + 1
        column = error.start - data.rfind(b"\n", 0, error.start)
        raise SettingsError(f"{path}:{line}:{column}: not UTF-8{SAVE_AS_UTF8}") from error


def _line_and_column(text: str, offset: int) -> tuple[int, int]:
    return text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)
