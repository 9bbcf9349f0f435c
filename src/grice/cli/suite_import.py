"""`grice suite import`: suite files into the database."""

from __future__ import annotations

from pathlib import Path

from grice.cli.commands import declared
from grice.cli.given import Given, argument
from grice.cli.options import URL

__all__ = ["Arguments", "command"]


class Arguments(Given):
    """What `grice suite import` was given."""

    files: tuple[Path, ...] = argument(metavar="FILE...", required=True, help="Suite files.")
    url: str = URL


@declared(Arguments)
def command(given: Arguments) -> int:
    """Take suites into the database, where they live on without their files.

    A suite that is there under the same name, and stands in no file, says then what the file says. Suites
    whose files stay in the project need no import: `grice db sync` follows them. Exit code 0: done. 2: a file
    has mistakes, then nothing is changed, the database cannot be used, or wrong usage.
    """
    from grice.cli.suite_tables import import_suites

    return import_suites(given)
