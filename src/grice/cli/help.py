"""`grice help`: the help of a command."""

from __future__ import annotations

import click
from click import argument

from grice.cli.commands import declared

__all__ = ["command"]


@declared
@argument("names", nargs=-1, metavar="[COMMAND]...", help="A command, as in: grice help validate checks.")
@click.pass_context
def command(ctx: click.Context, names: tuple[str, ...]) -> int:
    """Show the help of a command, as --help behind it does.

    What a single matcher does, takes and looks like in files is shown by: grice matchers NAME
    """
    ctx.find_root().command.main([*names, "--help"], prog_name="grice", standalone_mode=False)
    return 0
