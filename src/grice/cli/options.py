"""Options that several commands have, and types of values that are refused as they are read."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any, TextIO, TypeVar

import click
from click import UsageError
from click.core import ParameterSource

from grice.cli.arguments import Given, option

PROFILES = ("seed", "robust")

_STDOUT = Path("-")
_Arguments = TypeVar("_Arguments", bound=Given)


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


def given_text(ctx: click.Context, param: click.Parameter, given: str) -> str:
    """What an option says, "" where it is not given. Raises BadParameter for an empty text.

    A variable of a script that is not set gives one, and is no choice of the default.
    """
    if not given.strip() and ctx.get_parameter_source(str(param.name)) is ParameterSource.COMMANDLINE:
        raise click.BadParameter(f"expected a value, found {given!r}")
    return given


class _Folder(click.Path):
    """A folder; an empty text is none, as for `given_text`."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if not str(value).strip():
            self.fail(f"expected a value, found {value!r}", param, ctx)
        return super().convert(value, param, ctx)


def json_file(what: str) -> Any:
    """The option `--json`, which means the same wherever it is."""
    text = f"Write {what} as JSON to this file; - is standard output, where nothing else is written then."
    return option(metavar="FILE", help=text)


def printed(json: Path | None) -> bool:
    """Whether the JSON goes to standard output."""
    return json == _STDOUT


def run_with_json(body: Callable[[_Arguments], int], given: _Arguments, rest: TextIO | None = None) -> int:
    """The exit code of the body, which writes its JSON to the file `json` of what it is given.

    For `-` that is a file of its own, which is written to standard output when the body has ended, and what
    the body prints goes to `rest` or is left out.
    """
    if not printed(getattr(given, "json", None)):
        return body(given)
    import tempfile

    from grice.cli.exit_codes import NOBODY_READS
    from grice.cli.output import write_output
    from grice.reporting.console import screen_for

    with tempfile.TemporaryDirectory() as folder, open(os.devnull, "w", encoding="utf-8") as nowhere:
        path = Path(folder, "out.json")
        with redirect_stdout(rest or nowhere):
            code = body(given.but(json=path))
        if path.exists():
            console = screen_for(sys.stdout)
            write_output(console, path.read_bytes())
            return NOBODY_READS if console.quiet else code
    return code


MAP: Any = option(
    default=None,
    metavar="FILE|auto",
    help="How a log of a shape of its own is read: a mapping (*.map.yaml), or auto for the one that is "
    "proposed. Default: the map of [tool.grice], else a proposal that is asked for.",
)
RUNS = option(
    type=_Folder(path_type=Path),
    metavar="FOLDER",
    help="Where runs are kept (default: the project's, .grice/runs).",
)
URL = option(
    metavar="URL",
    callback=given_text,
    help="The database (default: database in [tool.grice], else sqlite:///.grice/grice.db).",
)
HTML = option(metavar="FILE", help="Write it as an HTML page to this file (needs grice[html]).")
MARKDOWN = option(help="Print it as Markdown, for a pull request.")
SAVE = option(help="Write the report to results/<id>.json as well (the folder: results in [tool.grice]).")
SAVE_TO = option(metavar="FOLDER", help="As --save, to <id>.json in this folder.")
STEP_SUMMARY = option(help="Add the Markdown to the summary of a GitHub job as well.")
CRITERIA = option(
    metavar="MODULE:NAME",
    help="The criteria: a list, a map or one of them (default: criteria in [tool.grice]).",
)
LLM = option(
    metavar="PROVIDER:MODEL",
    help="The judge's LLM, or module:attribute (default: judge_llm in [tool.grice]).",
)
SAMPLES = option(
    metavar="K",
    help="Ask so often about each; the majority counts (default: judge_samples in [tool.grice], 1).",
)


def output(what: str) -> Any:
    """The option `--output`."""
    return option("--output", "-o", metavar="FILE", help=f"Write {what} to this file.")


def verbose(what: str) -> Any:
    """The option `--verbose`."""
    return option("--verbose", "-v", help=f"Show {what}.")


class Forms(Given):
    """What a command that shows a document is given for it."""

    html: Path | None = HTML
    json: Path | None = json_file("the report")
    markdown: bool = MARKDOWN
    output: Path | None = output("the Markdown")
    step_summary: bool = STEP_SUMMARY
    verbose: bool = verbose("whole lists, and every detail")


def run_in_forms(body: Callable[[_Forms], int], given: _Forms) -> int:
    """The exit code of the body, as `run_with_json`. Raises UsageError for forms that exclude each other."""
    from grice.cli.shown_document import wrong_forms

    if problem := wrong_forms(given):
        raise UsageError(problem)
    return run_with_json(body, given)


_Forms = TypeVar("_Forms", bound=Forms)
