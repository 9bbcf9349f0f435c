"""The commands of `grice validate`; their bodies are imported when they run."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

__all__ = ["validate"]

validate = typer.Typer(help="Measure how often checks are right, on labelled examples.", no_args_is_help=True)


@validate.command("checks")
def validate_checks(
    name: Annotated[
        str,
        typer.Argument(
            metavar="[NAME]",
            help="A rule or a matcher (openers, toOpenDifferently, module:my_matcher); without, all rules.",
            show_default=False,
        ),
    ] = "",
    folder: Annotated[
        Path | None,
        typer.Argument(
            metavar="[FOLDER]",
            help="A folder of your own examples, or a file (.jsonl, .json); without, those of Grice.",
            show_default=False,
        ),
    ] = None,
    profile: Annotated[str, typer.Option("--profile", metavar="seed|robust|both")] = "both",
    json: Annotated[Path | None, typer.Option("--json", help="Write the measurements to this file.")] = None,
    markdown: Annotated[
        Path | None, typer.Option("--markdown", help="Write the table to this file as Markdown.")
    ] = None,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Show every wrong outcome with its trace.")
    ] = False,
) -> None:
    """Measure rules on labelled examples: precision, recall, and each outcome that is not as documented.

    Exit code 0: every outcome is as documented. 1: one is not. 2: wrong usage, something cannot be read or
    written, or nothing was examined.
    """
    from grice.cli.validate import show_checks

    raise typer.Exit(
        show_checks(name, folder, profile=profile, json=json, markdown=markdown, verbose=verbose)
    )
