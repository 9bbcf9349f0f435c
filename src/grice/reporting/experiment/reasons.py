"""Reasons on one line, as rows and cells of a report have them."""

from __future__ import annotations

from grice.text import visible


def reason_text(reason: str) -> str:
    """The reason on one line: its lines with a blank between them, anything that could act as an escape."""
    lines = (line.strip() for line in reason.split("\n"))
    return visible(" ".join(filter(None, lines)), newlines=False)
