"""`grice completion`: tab completion in a shell."""

from __future__ import annotations

import click

from grice.cli.commands import declared
from grice.cli.given import Given, argument
from grice.cli.options import OneOf

__all__ = ["Arguments", "command"]


class Arguments(Given):
    """What `grice completion` was given."""

    shell: str = argument(type=OneOf(("bash", "zsh", "fish")), metavar="SHELL", help="bash, zsh or fish.")


@declared(Arguments)
def command(given: Arguments) -> int:
    """Print what makes a shell complete commands, options and files.

    bash: put eval "$(grice completion bash)" into ~/.bashrc. zsh: put eval "$(grice completion zsh)" into
    ~/.zshrc, below compinit. fish: grice completion fish > ~/.config/fish/completions/grice.fish
    """
    from click.shell_completion import get_completion_class

    of_shell = get_completion_class(given.shell)
    assert of_shell is not None
    root = click.get_current_context().find_root().command
    click.echo(of_shell(root, {}, "grice", "_GRICE_COMPLETE").source())
    return 0
