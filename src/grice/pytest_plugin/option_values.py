"""What is said with options on the command line of pytest."""

from __future__ import annotations

from argparse import ArgumentTypeError
from pathlib import Path

__all__ = ["folder_name", "record_mode"]

_MODES = ("none", "once", "new", "all", "off")


def record_mode(text: str) -> str:
    """The mode of cassettes. Raises ArgumentTypeError."""
    if text in _MODES:
        return text
    raise ArgumentTypeError(f"expected one of {', '.join(_MODES)}, or =once before a path, found {text!r}")


def folder_name(text: str, what: str, default: str) -> str:
    """The folder for `what`. Raises ArgumentTypeError for tests that stand where it is expected."""
    path = Path(text)
    tests = "::" in text or path.is_file() or (path.is_dir() and any(path.glob("*.py")))
    if text and tests:
        raise ArgumentTypeError(
            f"expected a folder for {what}, found {text!r}: write ={default} before a path"
        )
    return text
