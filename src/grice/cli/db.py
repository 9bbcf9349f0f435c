"""`grice db`: runs in a database."""

from __future__ import annotations

from pathlib import Path

from grice.cli.arguments import Given, argument, option
from grice.cli.options import RUNS, URL


class Upgrade(Given):
    """Make the tables, or bring them up to date; rows that are there stay as they are.

    Exit code 0: done, or nothing was to be done. 2: the database cannot be used, a newer Grice made its
    tables, or wrong usage.
    """

    url: str = URL

    def __call__(self) -> int:
        from grice.cli.db_work import upgrade_database

        return upgrade_database(self)


class Sync(Given):
    """Read into the database what journals have that it has not. May run at any time, and many times at once.

    The labels in labels.jsonl of the project are read too. Exit code 0: the database has all of it. 2: a
    journal or the labels were left out, the database cannot be used, or wrong usage.
    """

    url: str = URL
    runs: Path | None = RUNS

    def __call__(self) -> int:
        from grice.cli.db_work import sync_database

        return sync_database(self)


class Rebuild(Sync):
    """Make the rows of every run again whose journal is here; others stay.

    Exit code 0: done. 2: a journal was left out, the database cannot be used, or wrong usage.
    """

    def __call__(self) -> int:
        from grice.cli.db_work import rebuild_database

        return rebuild_database(self)


class Status(Sync):
    """Say which version the tables have, how many runs there are in which state, and what is to be synced.

    Exit code 0: said. 2: the database cannot be used, or wrong usage.
    """

    def __call__(self) -> int:
        from grice.cli.db_work import show_status

        return show_status(self)


class Prune(Given):
    """Take the results and transcripts of old runs of this project out of the database; their sums stay.

    What named baselines were made of stays, and so do journals. Exit code 0: done. 2: the database or a
    baseline cannot be used, or wrong usage.
    """

    keep: str = option(
        metavar="AGE", required=True, help="Which runs stay whole: those of the last 90d, or 12w."
    )
    url: str = URL

    def __call__(self) -> int:
        from grice.cli.db_work import prune_database

        return prune_database(self)


class Push(Given):
    """Read one run into the database, as from a machine of CI into the one that a team shares.

    Exit code 0: the database has it. 2: there is no such run, its journal or the database cannot be used, or
    wrong usage.
    """

    run: str = argument(
        metavar="RUN",
        help="An id or its beginning, a name, a tag, a branch, a folder, or latest.",
    )
    url: str = URL
    runs: Path | None = RUNS

    def __call__(self) -> int:
        from grice.cli.db_work import push_run

        return push_run(self)


class MigrateCase(Given):
    """Give a case one assertion, toEqual at $, that says what its expected output says.

    Exit code 0: done. 2: there is no such case, it has assertions, or wrong usage.
    """

    case: str = argument(metavar="ID", help="The id of the case.")
    url: str = URL

    def __call__(self) -> int:
        from grice.cli.db_work import migrate

        return migrate(self)
