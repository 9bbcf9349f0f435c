"""The commands of `grice`; their bodies are imported when they run."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

__all__ = ["app"]

app = typer.Typer(
    name="grice",
    help="Test conversations with chatbots and LLM agents.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def _version(wanted: bool) -> None:
    if wanted:
        from grice._version import __version__

        typer.echo(f"grice {__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Test conversations with chatbots and LLM agents."""


@app.command()
def scan(
    files: Annotated[list[Path], typer.Argument(help="JSONL logs.", show_default=False)],
    json: Annotated[Path | None, typer.Option("--json", help="Write the findings to this file.")] = None,
) -> None:
    """Find bad replies in chat logs: no key, no set-up."""
    from grice.cli.scan import scan_files

    raise typer.Exit(scan_files(files, json))
