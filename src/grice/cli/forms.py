"""The forms in which commands show a document: the options, which are the same wherever they are."""

from __future__ import annotations

from pathlib import Path

from grice.cli.given import Given
from grice.cli.options import HTML, MARKDOWN, STEP_SUMMARY, json_file, output, verbose

__all__ = ["Forms"]


class Forms(Given):
    """What a command that shows a document is given for it."""

    html: Path | None = HTML
    json: Path | None = json_file("the report")
    markdown: bool = MARKDOWN
    output: Path | None = output("the Markdown")
    step_summary: bool = STEP_SUMMARY
    verbose: bool = verbose("whole lists, and every detail")
