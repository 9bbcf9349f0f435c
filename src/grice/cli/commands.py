"""How commands are found, listed and refused: click's, whose modules are imported when they are used."""

from __future__ import annotations

import importlib
import inspect
import re
import shutil
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from grice.cli.arguments import Given

_WIDEST = 100
_NARROWEST = 30


class _Page(click.HelpFormatter):
    """A page of help, as wide as the terminal up to a hundred columns."""

    def __init__(
        self, indent_increment: int = 2, width: int | None = None, max_width: int | None = None
    ) -> None:
        columns = max(min(shutil.get_terminal_size().columns, max_width or _WIDEST), _NARROWEST)
        super().__init__(indent_increment, width or columns)

    def write_dl(self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2) -> None:
        super().write_dl(rows, min(col_max, self.width // 3), col_spacing)


class _Context(click.Context):
    formatter_class = _Page


class _Hinting(click.Command):
    """A command that says plainly what is wrong with what it was given, and what was meant."""

    context_class = _Context

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        try:
            return super().parse_args(ctx, args)
        except click.exceptions.NoArgsIsHelpError:
            raise
        except click.UsageError as error:
            raise click.UsageError(self._told(ctx, error), ctx) from None

    def _told(self, ctx: click.Context, error: click.UsageError) -> str:
        """What is wrong: the option or argument first, as it is written."""
        options = [one for one in self.get_params(ctx) if isinstance(one, click.Option)]
        if isinstance(error, click.NoSuchOption):
            names = [name for one in options for name in (*one.opts, *one.secondary_opts)]
            hint = _hint(error.option_name, [name for name in names if name.startswith("--")])
            return f"No such option {error.option_name!r}{hint}."
        if isinstance(error, click.BadOptionUsage):
            name = error.option_name
            one = next(one for one in options if name in (*one.opts, *one.secondary_opts))
            if one.is_flag:
                return f"{name}: it takes no value"
            return f"{name}: its value is missing, as in {name} {one.make_metavar(ctx)}"
        if isinstance(error, click.BadParameter) and error.param is not None:
            name = error.param.opts[0]
            if not isinstance(error.param, click.Option):
                name = error.param.make_metavar(ctx)
            if isinstance(error, click.MissingParameter):
                return f"{name} is missing: {re.split('[;.:] |[.]$', getattr(error.param, 'help', ''))[0]}"
            return f"{name}: {error.message}"
        extra = r"Got unexpected extra arguments? \((.*)\)"
        return re.sub(extra, r"nothing more is expected, found \1", error.format_message())


class _Command(_Hinting):
    """A command whose callback returns the exit code."""

    def invoke(self, ctx: click.Context) -> Any:
        ctx.exit(super().invoke(ctx) or 0)


class Commands(_Hinting, click.Group):
    """Commands by name: each a class `module:Name` of `grice.cli` below `Given`, or commands in their turn.

    `module` alone stands for `module:Command`. A module imports what its work needs only when the command
    runs, so that a list of all is cheap too.
    """

    def __init__(self, name: str, text: str, found: Mapping[str, str | Commands], **more: Any) -> None:
        names = {"help_option_names": ["-h", "--help"]}
        super().__init__(name, help=text, no_args_is_help=True, context_settings=names, **more)
        self.found = found

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - as click calls it
        """The names of the commands, in the order in which they are listed."""
        return list(self.found)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """The command of this name; None for an unknown one."""
        found = self.found.get(cmd_name)
        if not isinstance(found, str):
            return found
        module, _, name = found.partition(":")
        given: type[Given] = getattr(importlib.import_module(f"grice.cli.{module}"), name or "Command")
        text = inspect.getdoc(given)
        return _Command(None, callback=lambda **all_: given(**all_)(), params=given.parameters, help=text)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List every command with the whole first paragraph of its help."""
        commands = [(name, self.get_command(ctx, name)) for name in self.found]
        rows = [(name, (one.help or "").partition("\n\n")[0]) for name, one in commands if one is not None]
        with formatter.section("Commands"):
            formatter.write_dl(rows)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that the first argument names. Raises UsageError, which says which was meant."""
        try:
            return super().resolve_command(ctx, args)
        except click.exceptions.NoSuchCommand as error:
            hint = _hint(error.command_name, self.found)
            raise click.UsageError(f"No such command {error.command_name!r}{hint}.", ctx) from None

    def invoke(self, ctx: click.Context) -> Any:
        """Invoke the command; Ctrl-C where it is not handled ends it with 130."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            ctx.exit(130)


def _hint(given: str, names: Iterable[str]) -> str:
    """What may have been meant: the only name that begins so, else the one that is spelled most alike."""
    from grice.text import did_you_mean

    known = list(names)
    begun = [name for name in known if given and name.startswith(given)]
    return f" (did you mean {begun[0]!r}?)" if len(begun) == 1 else did_you_mean(given, known)
