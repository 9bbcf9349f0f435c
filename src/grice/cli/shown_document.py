"""A document in the forms that a command was asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from rich.console import Console

from grice.cli.forms import Forms
from grice.cli.options import printed
from grice.cli.output import check_html, check_json, check_markdown, write_html, write_json, write_output
from grice.reporting.document import Document
from grice.reporting.renderers.markdown import document_markdown
from grice.reporting.renderers.terminal import print_document
from grice.reporting.step_summary import append_step_summary, no_step_summary

__all__ = ["check_forms", "show_document", "wrong_forms"]


def wrong_forms(given: Forms) -> str:
    """What is wrong with the forms that are asked for, "" for nothing."""
    if printed(given.json) and given.markdown:
        return "--json - and --markdown exclude each other"
    if given.output and not given.markdown:
        return "--output goes with --markdown; for the text use > FILE"
    return no_step_summary() if given.step_summary else ""


def check_forms(given: Forms, kind: str, inputs: Iterable[Path] = ()) -> None:
    """Raise OSError where a file cannot be written; Markdown of an earlier such document is written over."""
    read = list(inputs)
    check_json(given.json, read)
    check_html(given.html, read)
    check_markdown(given.output, kind, read)


def show_document(
    given: Forms,
    document: Document,
    data: Callable[[], bytes],
    console: Console,
    text: Document | None = None,
) -> None:
    """Print it, and write it as it is asked for; `data` gives its JSON. Raises OSError, NoJinja.

    `text` is what is printed for a terminal, where that is another one.
    """
    if given.markdown:
        markdown = document_markdown(document, verbose=given.verbose)
        write_output(console, markdown.encode(errors="backslashreplace"), given.output)
    elif not printed(given.json):
        print_document(console, text or document, verbose=given.verbose)
    if given.json is not None:
        write_json(console, data(), given.json)
    write_html(document, given.html)
    if given.step_summary:
        append_step_summary(document_markdown(document))
