"""The project's settings: `[tool.grice]` in its pyproject.toml."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec

from grice.suites.files import FileError
from grice.text import did_you_mean

__all__ = ["Settings", "find_project", "load_settings"]


class Settings(msgspec.Struct, frozen=True):
    """What a project configures. `root` is the folder of its pyproject.toml; time-outs are seconds."""

    root: Path
    agent: str | None = None
    goldens: tuple[str, ...] = ()
    turn_timeout: float = 60.0
    timeout: float = 600.0


_KINDS: dict[str, tuple[type | tuple[type, ...], str]] = {
    "agent": (str, "a string such as 'module:attribute'"),
    "goldens": (list, "a list of file patterns"),
    "turn_timeout": ((int, float), "a number of seconds"),
    "timeout": ((int, float), "a number of seconds"),
}


def find_project(start: Path) -> Path:
    """The nearest folder from `start` upwards that has a pyproject.toml, else `start` itself."""
    start = start.resolve()
    folders: Iterable[Path] = (start if start.is_dir() else start.parent, *start.parents)
    return next((folder for folder in folders if (folder / "pyproject.toml").is_file()), start)


def load_settings(root: Path) -> Settings:
    """The settings in `root`/pyproject.toml; the defaults when there are none. Raises FileError."""
    path = root / "pyproject.toml"
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError):
        return Settings(root)
    if "tool.grice" not in text:
        return Settings(root)
    import tomllib

    try:
        table = tomllib.loads(text).get("tool", {}).get("grice", {})
    except tomllib.TOMLDecodeError as error:
        raise FileError(str(path), 1, 1, f"not valid TOML: {error}") from error
    for name, value in table.items():
        _check(path, text, name, value)
    fields = {name: tuple(value) if isinstance(value, list) else value for name, value in table.items()}
    return Settings(root, **fields)


def _check(path: Path, text: str, name: str, value: Any) -> None:
    found = re.search(rf"^\s*{re.escape(name)}\s*=", text, re.MULTILINE)
    line = text.count("\n", 0, found.start() + len(found[0]) - len(found[0].lstrip())) + 1 if found else 1
    if name not in _KINDS:
        raise FileError(str(path), line, 1, f"[tool.grice]: unknown setting {name!r}{did_you_mean(name, _KINDS)}")
    kind, words = _KINDS[name]
    if isinstance(value, bool) or not isinstance(value, kind):
        raise FileError(str(path), line, 1, f"[tool.grice] {name}: expected {words}, found {value!r}")
