"""A document in the forms that a command was asked for."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path

from grice.cli.exit_codes import UNUSABLE
from grice.cli.options import Forms, printed
from grice.cli.output import (
    check_html,
    check_json,
    check_markdown,
    print_unwritten,
    write_html,
    write_json,
    write_output,
)
from grice.files.settings_files import SettingsError
from grice.reporting.console import Screen, print_line, print_problem, screen_for
from grice.reporting.document import Document, Note
from grice.reporting.renderers.html import NoJinja
from grice.reporting.renderers.terminal import print_document
from grice.reporting.step_summary import append_step_summary, no_step_summary
from grice.running.journal.form import JournalError
from grice.text import visible


def run_showing(
    what: str,
    show: Callable[[Screen, Screen], int],
    *,
    wrong_usage: str = "",
    refused: tuple[type[Exception], ...] = (),
) -> int:
    """Give the exit code of `show`, which writes a document; where it is refused, say why on standard error.

    `what` names the document where it cannot be written. `wrong_usage` is told in place of it. `refused` are
    errors that are told beside those of journals, settings and files.
    """
    console, errors = screen_for(sys.stdout), screen_for(sys.stderr)
    if wrong_usage:
        print_problem(errors, f"error: {wrong_usage}")
        return UNUSABLE
    told: tuple[type[Exception], ...] = (JournalError, SettingsError, NoJinja, *refused)
    try:
        return show(console, errors)
    except told as error:
        print_problem(errors, f"error: {error}")
    except OSError as error:
        print_unwritten(errors, what, error)
    return UNUSABLE


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


def print_where(given: Forms, console: Screen) -> None:
    """Say below a report on a terminal where the JSON has every finding of it."""
    if given.json is not None and not given.markdown:
        console.print()
        print_line(console, f"All findings: {visible(str(given.json), newlines=False)}")


def beside(given: Forms, console: Screen, errors: Screen) -> Screen:
    """Where to say what is no part of the document: where Markdown is printed, on the other stream."""
    return errors if given.markdown and given.output is None else console


def show_document(
    given: Forms,
    document: Document,
    data: Callable[[], bytes],
    console: Screen,
    problems: Iterable[str] = (),
) -> None:
    """Print it, and write it as it is asked for; `data` gives its JSON. Raises OSError, NoJinja.

    A terminal has the problems from standard error, every other form below the answer.
    """
    text = document
    document = replace(document, notes=(*document.notes, *(Note(one, "bad") for one in problems)))
    if given.markdown:
        markdown = _markdown(document, verbose=given.verbose)
        write_output(console, markdown.encode(errors="backslashreplace"), given.output)
    elif not printed(given.json):
        print_document(console, text, verbose=given.verbose)
    if given.json is not None:
        write_json(console, data(), given.json)
    write_html(document, given.html)
    if given.step_summary:
        append_step_summary(_markdown(document))


def _markdown(document: Document, *, verbose: bool = False) -> str:
    from grice.reporting.renderers.markdown import document_markdown  # few ask for it

    return document_markdown(document, verbose=verbose)
