"""`grice db push`: one run, into a database elsewhere."""

from __future__ import annotations

from pathlib import Path

from grice.cli.commands import declared
from grice.cli.given import Given, argument
from grice.cli.options import RUNS, URL

__all__ = ["Arguments", "command"]


class Arguments(Given):
    """What `grice db push` was given."""

    run: str = argument(
        metavar="RUN",
        help="An id or its beginning, a name, a tag, a branch, a folder, or latest.",
    )
    url: str = URL
    runs: Path | None = RUNS


@declared(Arguments)
def command(given: Arguments) -> int:
    """Read one run into the database, as from a machine of CI into the one that a team shares.

    Exit code 0: the database has it. 2: there is no such run, its journal or the database cannot be used, or
    wrong usage.
    """
    from grice.cli.db_work import push_run

    return push_run(given)
