"""The console of rich that shows no secret."""

from __future__ import annotations

import os
from typing import Any, TextIO

from rich.console import Console
from rich.text import Text

from grice.identity import redact_text
from grice.reporting.lines import Line, leave


class _RichConsole(Console):
    """A console that shows no secret, and goes quiet when nobody reads it any more, as before `| head -1`."""

    def print(self, *objects: Any, **options: Any) -> None:
        """Print the objects, of which lines of text lose their secrets."""
        super().print(*map(_clean, objects), **options)

    def on_broken_pipe(self) -> None:
        self.quiet = True
        leave(self.file)


def rich_console(stream: TextIO, size: tuple[int, int] | None) -> Console:
    """The console on the stream, as large as it is unless its columns and lines are given."""
    width, height = size or (None, None)
    return _RichConsole(
        file=stream,
        markup=False,
        highlight=False,
        emoji=False,
        width=width,
        height=height,
        color_system=None if os.environ.get("NO_COLOR") else "auto",
    )


def _clean(shown: object) -> object:
    if isinstance(shown, Text | Line):
        clean = redact_text(shown.plain)
        return shown if clean == shown.plain else Text(clean, style=shown.style)
    return redact_text(shown) if isinstance(shown, str) else shown
