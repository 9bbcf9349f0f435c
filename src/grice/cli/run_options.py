"""What is said with options: wrong values are refused as they are read."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

__all__ = ["RECORD_MODES", "Runs", "given_text", "profile_name", "record_mode", "run_name", "run_tags"]

RECORD_MODES = ("none", "once", "new", "all", "off")


def record_mode(given: str) -> str:
    """The mode of cassettes. Raises BadParameter."""
    if given and given not in RECORD_MODES:
        from grice.text import did_you_mean, value_text

        hint = did_you_mean(given, RECORD_MODES)
        raise typer.BadParameter(
            f"expected one of {', '.join(RECORD_MODES)}, found {value_text(given)}{hint}"
        )
    return given


def profile_name(given: str) -> str:
    """The profile of a rule. Raises BadParameter."""
    if given not in ("seed", "robust"):
        from grice.text import did_you_mean, value_text

        hint = did_you_mean(given, ("seed", "robust"))
        raise typer.BadParameter(f"expected seed or robust, found {value_text(given)}{hint}")
    return given


def given_text(given: str | None) -> str:
    """What an option says, "" where it is not given. Raises BadParameter for an empty text.

    A variable of a script that is not set gives one, and is no choice of the default.
    """
    if given is not None and not given.strip():
        raise typer.BadParameter(f"expected a value, found {given!r}")
    return given or ""


def _folder(given: str) -> Path:
    return Path(given_text(given))


Runs = Annotated[
    Path | None,
    typer.Option(
        "--runs",
        metavar="FOLDER",
        parser=_folder,
        help="Where runs are kept (default: the project's, .grice/runs).",
    ),
]
"""The option that names the folder of runs."""


def run_name(given: str | None) -> str:
    """The name of the run, "" without one. Raises BadParameter for what no run can be called."""
    if given is None:
        return ""
    _refuse(given)
    return given


def run_tags(given: list[str] | None) -> list[str]:
    """The tags of the run. Raises BadParameter for what no run can be found by."""
    for tag in given or ():
        _refuse(tag)
    return given or []


def _refuse(text: str) -> None:
    from grice.running.run_names import name_problem

    problem = name_problem(text)
    if problem:
        raise typer.BadParameter(problem)
