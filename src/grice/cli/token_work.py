"""The work of `grice token`: who may ask the service."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from grice.cli.db_work import in_database, project_here
from grice.cli.token import Add, ListAll, Revoke
from grice.reporting.console import Screen, print_line
from grice.text import visible

if TYPE_CHECKING:
    from sqlalchemy import Engine


def make_token(given: Add) -> int:
    """Make a token and print it; the exit code."""

    def work(console: Screen, engine: Engine) -> None:
        from grice.store.database import locked
        from grice.store.tokens import Role, add_token

        with locked(engine) as connection:
            made = add_token(connection, project_here()[1], given.name, Role(given.role))
        click.echo(made, file=console.file)  # it is there to be copied

    return in_database(given.url, work, make=True)


def list_tokens(given: ListAll) -> int:
    """List the tokens; the exit code."""

    def work(console: Screen, engine: Engine) -> None:
        from grice.store.database import read_only
        from grice.store.tokens import token_rows

        with read_only(engine) as connection:
            rows = token_rows(connection, project_here()[1])
        for one in rows:
            told = f"{one.name}: {one.role}, made {one.made_at:%Y-%m-%d}"
            print_line(console, visible(told, newlines=False))
        if not rows:
            print_line(console, "no tokens: `grice token add NAME` makes one")

    return in_database(given.url, work, make=True)


def take_token(given: Revoke) -> int:
    """Take a token away; the exit code."""

    def work(console: Screen, engine: Engine) -> None:
        from grice.store.database import locked
        from grice.store.tokens import revoke_token

        with locked(engine) as connection:
            revoke_token(connection, project_here()[1], given.name)
        print_line(console, visible(f"revoked: {given.name}", newlines=False))

    return in_database(given.url, work, make=True)
