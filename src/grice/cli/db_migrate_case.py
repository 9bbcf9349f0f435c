"""`grice db migrate-case`: assertions for a case that has an expected output."""

from __future__ import annotations

from grice.cli.commands import declared
from grice.cli.given import Given, argument
from grice.cli.options import URL

__all__ = ["Arguments", "command"]


class Arguments(Given):
    """What `grice db migrate-case` was given."""

    case: str = argument(metavar="ID", help="The id of the case.")
    url: str = URL


@declared(Arguments)
def command(given: Arguments) -> int:
    """Give a case one assertion, toEqual at $, that says what its expected output says.

    Exit code 0: done. 2: there is no such case, it has assertions, or wrong usage.
    """
    from grice.cli.db_work import migrate

    return migrate(given)
