"""`grice matchers`: every matcher that files may name, those of the project too."""

from __future__ import annotations

from pathlib import Path

from grice.cli.arguments import Given, argument
from grice.cli.completion import matcher_names
from grice.cli.options import json_file, run_with_json


class Command(Given):
    """List the matchers that files may name: built-in ones, the project's, and those of packages.

    The project's are those of the modules that [tool.grice] matchers names. Exit code 0: listed. 2: a name is
    none, a module or package cannot be loaded, or the file cannot be written. 141: nobody reads the output.
    """

    names: tuple[str, ...] = argument(
        metavar="[NAME]...",
        shell_complete=matcher_names,
        help="Only these, with their arguments, how files write them, and an example.",
    )
    json: Path | None = json_file("them")

    def __call__(self) -> int:
        from grice.cli.matcher_pages import show_matchers

        return run_with_json(show_matchers, self)
