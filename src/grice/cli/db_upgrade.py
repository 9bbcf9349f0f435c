"""`grice db upgrade`: the tables as this Grice has them."""

from __future__ import annotations

from grice.cli.commands import declared
from grice.cli.given import Given
from grice.cli.options import URL

__all__ = ["Arguments", "command"]


class Arguments(Given):
    """What `grice db upgrade` was given."""

    url: str = URL


@declared(Arguments)
def command(given: Arguments) -> int:
    """Make the tables, or bring them up to date; rows that are there stay as they are.

    Exit code 0: done, or nothing was to be done. 2: the database cannot be used, a newer Grice made its
    tables, or wrong usage.
    """
    from grice.cli.db_work import upgrade_database

    return upgrade_database(given)
