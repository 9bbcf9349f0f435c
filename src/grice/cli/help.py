"""`grice help`: the help of a command."""

from __future__ import annotations

import click

from grice.cli.arguments import Given, argument
from grice.cli.completion import command_names


class Command(Given):
    """Show the help of a command.

    It is the same as that of --help behind the command. For what a single matcher does and takes, and how
    files write it: grice matchers NAME
    """

    names: tuple[str, ...] = argument(
        metavar="[COMMAND]...",
        shell_complete=command_names,
        help="A command, as in: grice help validate checks.",
    )

    def __call__(self) -> int:
        root = click.get_current_context().find_root()
        found: click.Command | None = root.command
        for number, name in enumerate(self.names):
            if found is not None and not isinstance(found, click.Group):
                before = " ".join(("grice", *self.names[:number]))
                raise click.UsageError(f"{before} is a command without others, found {name!r}.")
            found = found.get_command(root, name) if found is not None else None
        root.command.main([*self.names, "--help"], prog_name="grice", standalone_mode=False)
        return 0
