"""Writing files for users: refused before the work when it cannot be done, and never half a file."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from pathlib import Path

from grice.user_files import link_problem, real_path


def check_output(path: Path, inputs: Iterable[Path] = ()) -> None:
    """Raise OSError, in words, when no file can be written there; folders on the way are made.

    Only a file that Grice wrote is written over, and never one of `inputs`, by whatever name or link.
    """
    if str(path) == "-":
        raise OSError("- stands for no file here: name the file to write")
    target = real_path(path)
    if target.is_symlink():  # what is left of a link is one that leads to itself
        raise OSError(f"{path} {link_problem(path)}")
    if target.is_dir():
        raise IsADirectoryError(f"{path} is a folder: name the file to write")
    if target.exists() and not target.is_file():
        raise OSError(f"{path} is not a regular file")
    if any(target.exists() and one.exists() and target.samefile(one) for one in inputs):
        raise FileExistsError(f"{path} is one of the files to read: it is not written over")
    if target.exists() and not _is_own(target):
        raise FileExistsError(f"{path} exists and is no result of Grice: it is not written over")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OSError(f"{path}: the folder cannot be made: {error.strerror or error}") from error
    if not os.access(target.parent, os.W_OK):
        raise PermissionError(f"{path}: the folder is not writable")
    if target.exists() and not os.access(target, os.W_OK):
        raise PermissionError(f"{path}: the file is not writable")


def _is_own(path: Path) -> bool:
    """Whether the file is empty or begins as every file does that Grice writes: with its version."""
    with path.open("rb") as stream:
        beginning = stream.read(100)
    return not beginning.strip() or re.match(rb'\s*\{\s*"version"', beginning) is not None


def make_folder(folder: Path) -> None:
    """Make a folder and those above it. Git is told to leave a new `.grice` alone: transcripts are in it.

    Raises OSError.
    """
    own = next((one for one in (folder, *folder.parents) if one.name == ".grice"), None)
    is_new = own is not None and not own.exists()
    folder.mkdir(parents=True, exist_ok=True)
    if own is not None and is_new:
        (own / ".gitignore").write_text("*\n", encoding="utf-8")
