"""Where a document goes: to the file of `--output`, else to standard output."""

from __future__ import annotations

from pathlib import Path

import typer
from rich.console import Console

from grice.files.writing import replacing

__all__ = ["write_output"]


def write_output(console: Console, content: bytes, output: Path | None = None) -> None:
    """Write the bytes as they are, to the console's stream when no file is named.

    A console whose reader has left goes quiet, as when it prints. Raises OSError when nothing can be written.
    """
    if output is not None:
        with replacing(output) as stream:
            stream.write(content)
        return
    try:
        typer.echo(content, file=console.file, nl=False)
    except BrokenPipeError:
        console.on_broken_pipe()
