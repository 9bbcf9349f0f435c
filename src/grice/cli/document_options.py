"""The forms in which commands show a document: the options, which are the same wherever they are."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from click import UsageError

from grice.cli.arguments import Given
from grice.cli.options import HTML, MARKDOWN, STEP_SUMMARY, json_file, output, run_with_json, verbose


class Forms(Given):
    """What a command that shows a document is given for it."""

    html: Path | None = HTML
    json: Path | None = json_file("the report")
    markdown: bool = MARKDOWN
    output: Path | None = output("the Markdown")
    step_summary: bool = STEP_SUMMARY
    verbose: bool = verbose("whole lists, and every detail")


_Forms = TypeVar("_Forms", bound=Forms)


def run_in_forms(body: Callable[[_Forms], int], given: _Forms) -> int:
    """The exit code of the body, as `run_with_json`. Raises UsageError for forms that exclude each other."""
    from grice.cli.shown_document import wrong_forms

    if problem := wrong_forms(given):
        raise UsageError(problem)
    return run_with_json(body, given)
