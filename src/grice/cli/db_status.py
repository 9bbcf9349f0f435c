"""`grice db status`: what the database holds."""

from __future__ import annotations

from grice.cli.commands import declared
from grice.cli.db_sync import Arguments

__all__ = ["Arguments", "command"]


@declared(Arguments)
def command(given: Arguments) -> int:
    """Say which version the tables have, how many runs there are in which state, and what is to be synced.

    Exit code 0: said. 2: the database cannot be used, or wrong usage.
    """
    from grice.cli.db_work import show_status

    return show_status(given)
