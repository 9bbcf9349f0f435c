"""`grice suite export`: a suite of the database as a suite file."""

from __future__ import annotations

from pathlib import Path

from grice.cli.commands import declared
from grice.cli.given import Given, argument
from grice.cli.options import URL, output

__all__ = ["Arguments", "command"]


class Arguments(Given):
    """What `grice suite export` was given."""

    suite: str = argument(metavar="SUITE", help="The name, the file or the id of a suite in the database.")
    output: Path | None = output("the suite")
    url: str = URL


@declared(Arguments)
def command(given: Arguments) -> int:
    """Write a suite of the database as a suite file: YAML, or JSON to a file that is named *.grice.json.

    The suite is printed unless a file is named. Exit code 0: done. 2: there is no such suite, it cannot be
    written, the database cannot be used, or wrong usage. 141: nobody reads the output any more.
    """
    from grice.cli.suite_tables import export_suite

    return export_suite(given)
