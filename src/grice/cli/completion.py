"""`grice completion`: tab completion in a shell, and the names that are completed."""

from __future__ import annotations

from collections.abc import Iterable

import click
from click.shell_completion import CompletionItem, get_completion_class

from grice.cli.arguments import Given, argument
from grice.cli.options import OneOf


def command_names(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """The commands of `grice help`, and those below the one that is named."""
    found: click.Command | None = ctx.find_root().command
    for name in ctx.params.get(str(param.name)) or ():
        found = found.get_command(ctx, name) if isinstance(found, click.Group) else None
    return _begun(found.list_commands(ctx), incomplete) if isinstance(found, click.Group) else []


def matcher_names(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[str]:
    """The built-in matchers; to know a project's own its modules would have to be imported."""
    from grice._catalogue import MODULES

    return _begun(MODULES, incomplete)


def rule_names(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """The rules, and the built-in matchers."""
    from grice.checks.rules import RULES

    return _begun((one.name for one in RULES), incomplete) + matcher_names(ctx, param, incomplete)


def lint_rule_names(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[str]:
    """The rules of `grice lint`."""
    from grice.checks.message_lint import RULES

    return _begun(RULES, incomplete)


def gate_bundles(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[str]:
    """The bundles of gates."""
    from grice.experiments.gates.gate_kinds import BUNDLES

    return _begun(BUNDLES, incomplete)


def gate_rules(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[str]:
    """How sure a gate has to be."""
    from grice.experiments.gates.gate_settings import RULES

    return _begun(RULES, incomplete)


def check_names(
    ctx: click.Context, param: click.Parameter, incomplete: str
) -> list[str] | list[CompletionItem]:
    """The groups, rules and matchers of `--checks`, of which the last is completed; else a file."""
    from grice.checks.rules import rule_groups

    before, comma, last = incomplete.rpartition(",")
    names = _begun(rule_groups(), last) + rule_names(ctx, param, last)
    return [f"{before}{comma}{one}" for one in names] or [CompletionItem(incomplete, type="file")]


def _begun(names: Iterable[str], incomplete: str) -> list[str]:
    return [one for one in names if one.startswith(incomplete)]


class Command(Given):
    """Print what makes a shell complete commands, options and files.

    bash: put eval "$(grice completion bash)" into ~/.bashrc. zsh: put eval "$(grice completion zsh)" into
    ~/.zshrc, below compinit. fish: grice completion fish > ~/.config/fish/completions/grice.fish
    """

    shell: str = argument(type=OneOf(("bash", "zsh", "fish")), metavar="SHELL", help="bash, zsh or fish.")

    def __call__(self) -> int:
        of_shell = get_completion_class(self.shell)
        assert of_shell is not None
        root = click.get_current_context().find_root().command
        click.echo(of_shell(root, {}, "grice", "_GRICE_COMPLETE").source())
        return 0
