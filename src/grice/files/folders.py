"""The files of a project's folders, without those of environments, packages and builds."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from fnmatch import fnmatchcase
from os import PathLike
from pathlib import Path

from grice.files.document import FileError, WholeFileError, missing_file
from grice.user_files import real_path

_LEFT_OUT = (".*", "*.egg", "__pycache__", "_darcs", "build", "CVS", "dist", "node_modules", "venv")
"""Names of folders that are not gone into: hidden ones, and those of pytest's `norecursedirs`."""


def files_below(folder: Path) -> Iterator[Path]:
    """Every file below the folder, sorted by path; hidden folders, environments and builds are left out.

    The folder itself may have any name. An environment is a folder with a `pyvenv.cfg`.
    """
    found: list[Path] = []
    for parent, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if not is_left_out(Path(parent, name))]
        found += [Path(parent, name) for name in files]
    yield from sorted(found)


def python_files(folder: Path, most: int) -> list[Path]:
    """The first Python files below the folder, at most so many; folders as for `files_below`.

    Of a folder with very many files of other kinds only the beginning is looked at.
    """
    found: list[Path] = []
    looked_at = 0
    for parent, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not is_left_out(Path(parent, name)))
        found += sorted(Path(parent, name) for name in files if name.endswith(".py"))
        looked_at += len(files) + len(folders)
        if len(found) >= most or looked_at > _MOST_LOOKED_AT:
            break
    return found[:most]


_MOST_LOOKED_AT = 20_000


def files_named(
    paths: Iterable[str | PathLike[str]], wanted: Callable[[str], bool], nothing: str
) -> tuple[list[Path], list[FileError]]:
    """The files that the paths name: a file as it is, of a folder all whose names are wanted, sorted.

    A file that is named twice counts once. The errors are for paths that are not there, and for folders
    without such a file: `nothing` is what is said of them.
    """
    found: dict[Path, Path] = {}  # by where it really is
    errors: list[FileError] = []
    for path in map(Path, paths):
        if path.is_dir():
            files = [file for file in files_below(path) if wanted(file.name)]
            if not files:
                errors.append(WholeFileError(path, nothing))
            for file in files:
                found.setdefault(real_path(file), file)
        elif path.exists():
            found.setdefault(real_path(path), path)
        else:
            errors.append(missing_file(path, "file or folder"))
    return list(found.values()), errors


def is_left_out(folder: Path) -> bool:
    """Whether the folder is not gone into: hidden, an environment, packages or a build."""
    if any(fnmatchcase(folder.name, pattern) for pattern in _LEFT_OUT):
        return True
    return os.path.exists(folder / "pyvenv.cfg")
