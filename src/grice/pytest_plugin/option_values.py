"""What is said with options on the command line of pytest."""

from __future__ import annotations

from argparse import ArgumentTypeError
from pathlib import Path

RECORD_MODES = ("none", "once", "new", "all", "off")


def agent_name(text: str) -> str:
    """The agent under test. Raises ArgumentTypeError for what cannot be an address.

    So it does for an empty text, as of a variable that is not set.
    """
    if not text.strip():
        raise ArgumentTypeError(f"expected a value, found {text!r}")
    from grice.wire.addresses import meant_as_address

    if meant_as_address(text):
        from grice.agents.configured import agent_at

        try:
            agent_at(text)
        except ValueError as error:
            raise ArgumentTypeError(str(error)) from None
    return text


def count(text: str) -> int:
    """A number from 1. Raises ArgumentTypeError."""
    if text.isascii() and text.isdecimal() and int(text) > 0:
        return int(text)
    raise ArgumentTypeError(f"expected a number from 1, found {text!r}")


def record_mode(text: str) -> str:
    """The mode of cassettes. Raises ArgumentTypeError."""
    if text in RECORD_MODES:
        return text
    raise ArgumentTypeError(
        f"expected one of {', '.join(RECORD_MODES)}, or =once before a path, found {text!r}"
    )


def folder_name(text: str, what: str, default: str) -> str:
    """The folder for `what`. Raises ArgumentTypeError for tests that stand where it is expected."""
    if text and ("::" in text or _holds_tests(Path(text))):
        raise ArgumentTypeError(
            f"expected a folder for {what}, found {text!r}: write ={default} before a path"
        )
    return text


def _holds_tests(path: Path) -> bool:
    """Whether it is something for pytest to collect: code, suites and goldens, and no runs or results."""
    if path.is_file() or any(path.glob("*.py")):
        return True
    if any(path.glob("*/*.jsonl")) or any(path.glob("exp_*.json")):
        return False
    from grice.files.folders import files_below

    return any(file.name.endswith(_COLLECTED) for file in files_below(path))


_COLLECTED = (".py", *(f".{kind}.{form}" for kind in ("golden", "grice") for form in ("json", "yaml", "yml")))
