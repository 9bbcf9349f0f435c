"""Where a document goes: to a file, else to standard output."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path

import click

from grice.cli.options import printed
from grice.files.writing import check_output
from grice.reporting.console import Screen, print_line, print_problem
from grice.reporting.document import Document, Note
from grice.text import visible
from grice.user_files import replacing

_MOST_PROBLEMS = 50


def write_output(console: Screen, content: bytes | Iterable[bytes], output: Path | None = None) -> None:
    """Write the bytes, or the parts of them, as they are, to the console's stream when no file is named.

    A console whose reader has left goes quiet, as when it prints. Raises OSError, which names
    the file, when nothing can be written.
    """
    parts = (content,) if isinstance(content, bytes) else content
    if output is not None:
        try:
            with replacing(output) as stream:
                stream.writelines(parts)
        except OSError as error:
            raise OSError(error.errno, error.strerror or str(error), str(output)) from error
        return
    try:
        for part in parts:
            click.echo(part, file=console.file, nl=False)
    except BrokenPipeError:
        console.on_broken_pipe()


def print_unwritten(errors: Screen, what: str, error: OSError) -> None:
    """Say that a document cannot be written, where and why."""
    where = error.filename or "standard output"
    reason = str(error) if error.strerror is None else f"{where}: {error.strerror}"
    print_problem(errors, f"error: the {what} cannot be written: {reason}")


def print_problems(errors: Screen, problems: Iterable[object]) -> None:
    """Say what is wrong, of very much the first fifty."""
    told = list(problems)
    for problem in told[:_MOST_PROBLEMS]:
        print_problem(errors, f"error: {problem}")
    if len(told) > _MOST_PROBLEMS:
        print_problem(errors, f"error: and {len(told) - _MOST_PROBLEMS:,} more")


def print_written(console: Screen, path: Path | str) -> None:
    """Say that a file is written."""
    print_line(console, f"Written: {visible(str(path), newlines=False)}")


def check_json(json: Path | None, inputs: Iterable[Path] = ()) -> None:
    """Raise OSError when `--json` names a file that cannot be written, or one of `inputs`."""
    if json is not None and not printed(json):
        check_output(json, inputs)


def write_json(console: Screen, content: bytes | Iterable[bytes], json: Path) -> None:
    """Write the JSON to where `--json` says. Raises OSError as `write_output` does."""
    write_output(console, content, None if printed(json) else json)


def check_html(html: Path | None, inputs: Iterable[Path] = ()) -> None:
    """Raise OSError or NoJinja when `--html` cannot be obeyed, or names one of `inputs`."""
    if html is not None:
        from grice.reporting.renderers.html.page import check_page

        check_page(html, inputs)


def write_html(document: Document, html: Path | None) -> None:
    """Write the document as a page to where `--html` says, if it does. Raises as `check_html` does."""
    if html is not None:
        from grice.reporting.renderers.html.page import write_page

        write_page(document, html)


def write_pages(pages: Iterable[tuple[str, Document]], first: Path, problems: Sequence[str] = ()) -> None:
    """Write the pages of a document beside the first, which has the problems. Raises as `check_html` does.

    Pages that are left of an earlier document of more pages are removed.
    """
    from grice.reporting.renderers.html.page import is_page, write_page

    names: set[str] = set()
    for name, page in pages:
        notes = page.notes if names else (*page.notes, *(Note(one, "bad") for one in problems))
        write_page(replace(page, notes=notes), first.with_name(name))
        names.add(name)
    numbered = re.compile(re.escape(first.stem) + r"-[1-9]\d*" + re.escape(first.suffix))
    for path in first.parent.iterdir():
        if numbered.fullmatch(path.name) and path.name not in names and is_page(path):
            path.unlink()


def check_markdown(path: Path | None, kind: str, inputs: Iterable[Path] = ()) -> None:
    """Raise OSError for a file that cannot be written; one of Grice of the same kind may be written over."""
    if path is not None and path.is_file():  # Markdown has no version to tell it by
        from grice.reporting.renderers.markdown import mark_of

        mark = mark_of(kind).encode()
        with path.open("rb") as stream:
            begins = stream.read(len(mark))
        if begins.strip() and begins != mark:
            raise FileExistsError(f"{path} exists and is no report of Grice: it is not written over")
    elif path is not None:
        check_output(path, inputs)


def write_told(console: Screen, path: Path | None, content: Callable[[], bytes]) -> None:
    """Write the content where a path is named, and say so. Raises OSError."""
    if path is not None:
        with replacing(path) as stream:
            stream.write(content())
        print_written(console, path)
