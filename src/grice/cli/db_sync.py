"""`grice db sync`: what journals have that the database has not."""

from __future__ import annotations

from pathlib import Path

from grice.cli.commands import declared
from grice.cli.given import Given
from grice.cli.options import RUNS, URL

__all__ = ["Arguments", "command"]


class Arguments(Given):
    """What `grice db sync` was given."""

    url: str = URL
    runs: Path | None = RUNS


@declared(Arguments)
def command(given: Arguments) -> int:
    """Read into the database what journals have that it has not. May run at any time, and many times at once.

    The labels in labels.jsonl of the project are read too. Exit code 0: the database has all of it. 2: a
    journal or the labels were left out, the database cannot be used, or wrong usage.
    """
    from grice.cli.db_work import sync_database

    return sync_database(given)
