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
    """Show the help of a command.

    It is the same as that of --help behind the command. For what a single matcher does and takes, and how
    files write it: grice matchers NAME
    """
    found: click.Command | None = ctx.find_root().command
    for number, name in enumerate(names):
        if found is not None and not isinstance(found, click.Group):
            before = " ".join(("grice", *names[:number]))
            raise click.UsageError(f"{before} is a command without others, found {name!r}.")
        found = found.get_command(ctx, name) if found is not None else None
    ctx.find_root().command.main([*names, "--help"], prog_name="grice", standalone_mode=False)
    return 0
