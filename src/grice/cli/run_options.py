"""What is said with options of `grice run`: wrong values are refused as they are read."""

from __future__ import annotations

import typer

__all__ = ["RECORD_MODES", "record_mode", "run_name", "run_tags"]

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
