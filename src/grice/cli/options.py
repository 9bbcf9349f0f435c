"""Options that several commands have, and types of values that are refused as they are read."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any, TextIO

import click
from click import option

__all__ = [
    "FILE",
    "PROFILES",
    "OneOf",
    "criteria",
    "given_text",
    "json_file",
    "llm",
    "markdown",
    "output",
    "printed",
    "run_with_json",
    "runs",
    "save",
    "save_to",
    "step_summary",
    "verbose",
]

FILE = click.Path(path_type=Path)
PROFILES = ("seed", "robust")

_STDOUT = Path("-")


class OneOf(click.Choice[str]):
    """One of a few words, or none where it may be `empty`; an error says which was meant."""

    def __init__(self, choices: Sequence[str], *, empty: bool = False) -> None:
        super().__init__(choices)
        self.empty = empty

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:  # noqa: ARG002 - as click calls it
        """The words, for help."""
        return "|".join(self.choices)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The word. Raises BadParameter for any other."""
        if value not in self.choices and not (self.empty and value == ""):
            from grice.text import did_you_mean, value_text

            hint = did_you_mean(value, self.choices)
            self.fail(
                f"expected one of {', '.join(self.choices)}, found {value_text(value)}{hint}", param, ctx
            )
        return str(value)


def given_text(_ctx: click.Context, _param: click.Parameter, given: str | None) -> str:
    """What an option says, "" where it is not given. Raises BadParameter for an empty text.

    A variable of a script that is not set gives one, and is no choice of the default.
    """
    if given is not None and not given.strip():
        raise click.BadParameter(f"expected a value, found {given!r}")
    return given or ""


def _folder(ctx: click.Context, param: click.Parameter, given: str | None) -> Path | None:
    text = given_text(ctx, param, given)
    return Path(text) if text else None


def json_file(what: str) -> Callable[[Any], Any]:
    """The option `--json`, which means the same wherever it is."""
    text = f"Write {what} as JSON to this file; - is standard output, where nothing else is written then."
    return option("--json", type=FILE, metavar="FILE", help=text)


html = option(
    "--html", type=FILE, metavar="FILE", help="Write it as an HTML page to this file (needs grice[html])."
)


def printed(json: Path | None) -> bool:
    """Whether the JSON goes to standard output."""
    return json == _STDOUT


def run_with_json(body: Callable[[Path | None], int], json: Path | None, rest: TextIO | None = None) -> int:
    """The exit code of the body, which writes its JSON to the file that it is given.

    For `-` that is a file of its own, which is written to standard output when the body has ended, and what
    the body prints goes to `rest` or is left out.
    """
    if not printed(json):
        return body(json)
    import tempfile

    from grice.cli.exit_codes import NOBODY_READS
    from grice.cli.output import write_output
    from grice.reporting.console import console_for

    with tempfile.TemporaryDirectory() as folder, open(os.devnull, "w", encoding="utf-8") as nowhere:
        path = Path(folder, "out.json")
        with redirect_stdout(rest or nowhere):
            code = body(path)
        if path.exists():
            console = console_for(sys.stdout)
            write_output(console, path.read_bytes())
            return NOBODY_READS if console.quiet else code
    return code


runs = option(
    "--runs",
    metavar="FOLDER",
    callback=_folder,
    help="Where runs are kept (default: the project's, .grice/runs).",
)
markdown = option("--markdown", is_flag=True, help="Print it as Markdown, for a pull request.")
save = option(
    "--save",
    is_flag=True,
    help="Write the report to results/<id>.json as well (the folder: results in [tool.grice]).",
)
save_to = option("--save-to", type=FILE, metavar="FOLDER", help="As --save, to <id>.json in this folder.")
step_summary = option(
    "--step-summary", is_flag=True, help="Add the Markdown to the summary of a GitHub job as well."
)
criteria = option(
    "--criteria",
    metavar="MODULE:NAME",
    default="",
    help="The criteria: a list, a map or one of them (default: criteria in [tool.grice]).",
)
llm = option(
    "--llm",
    metavar="PROVIDER:MODEL",
    default="",
    help="The judge's LLM, or module:attribute (default: judge_llm in [tool.grice]).",
)


def output(what: str) -> Callable[[Any], Any]:
    """The option `--output`."""
    return option("--output", "-o", type=FILE, metavar="FILE", help=f"Write {what} to this file.")


def verbose(what: str) -> Callable[[Any], Any]:
    """The option `--verbose`."""
    return option("--verbose", "-v", is_flag=True, help=f"Show {what}.")
