"""`grice completion`: tab completion in a shell."""

from __future__ import annotations

import click
from click import argument

from grice.cli.commands import declared

__all__ = ["command"]


@declared
@argument("shell", type=click.Choice(["bash", "zsh", "fish"]), help="The shell that is to complete.")
@click.pass_context
def command(ctx: click.Context, shell: str) -> int:
    """Print what makes a shell complete commands, options and files.

    bash: put eval "$(grice completion bash)" into ~/.bashrc. zsh: put eval "$(grice completion zsh)" into
    ~/.zshrc, below compinit. fish: grice completion fish > ~/.config/fish/completions/grice.fish
    """
    from click.shell_completion import get_completion_class

    of_shell = get_completion_class(shell)
    assert of_shell is not None
    click.echo(of_shell(ctx.find_root().command, {}, "grice", "_GRICE_COMPLETE").source())
    return 0
