"""`grice db rebuild`: the rows of runs, made again from their journals."""

from __future__ import annotations

from grice.cli.commands import declared
from grice.cli.db_sync import Arguments

__all__ = ["Arguments", "command"]


@declared(Arguments)
def command(given: Arguments) -> int:
    """Make the rows of every run again whose journal is here; others stay.

    Exit code 0: done. 2: a journal was left out, the database cannot be used, or wrong usage.
    """
    from grice.cli.db_work import rebuild_database

    return rebuild_database(given)
