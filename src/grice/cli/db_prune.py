"""`grice db prune`: old transcripts out of the database."""

from __future__ import annotations

from grice.cli.commands import declared
from grice.cli.given import Given, option
from grice.cli.options import URL

__all__ = ["Arguments", "command"]


class Arguments(Given):
    """What `grice db prune` was given."""

    keep: str = option(
        metavar="AGE", required=True, help="Which runs stay whole: those of the last 90d, or 12w."
    )
    url: str = URL


@declared(Arguments)
def command(given: Arguments) -> int:
    """Take the results and transcripts of old runs of this project out of the database; their sums stay.

    What named baselines were made of stays, and so do journals. Exit code 0: done. 2: the database or a
    baseline cannot be used, or wrong usage.
    """
    from grice.cli.db_work import prune_database

    return prune_database(given)
