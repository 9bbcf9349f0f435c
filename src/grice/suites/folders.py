"""The files of a project's folders, without those of environments, packages and builds."""

from __future__ import annotations

import os
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path

__all__ = ["files_below"]

_LEFT_OUT = (".*", "*.egg", "__pycache__", "_darcs", "build", "CVS", "dist", "node_modules", "venv")
"""Names of folders that are not gone into: hidden ones, and those of pytest's `norecursedirs`."""


def files_below(folder: Path) -> Iterator[Path]:
    """Every file below the folder, sorted by path; hidden folders, environments and builds are left out.

    The folder itself may have any name. An environment is a folder with a `pyvenv.cfg`.
    """
    found: list[Path] = []
    for parent, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if not _is_left_out(parent, name)]
        found += [Path(parent, name) for name in files]
    yield from sorted(found)


def _is_left_out(parent: str, name: str) -> bool:
    if any(fnmatchcase(name, pattern) for pattern in _LEFT_OUT):
        return True
    return os.path.exists(os.path.join(parent, name, "pyvenv.cfg"))
