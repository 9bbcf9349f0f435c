"""`grice validate rules`: rules that are data, on their own examples."""

from __future__ import annotations

from pathlib import Path

from click import argument

from grice.cli.commands import declared
from grice.cli.options import FILE

__all__ = ["command"]


@declared
@argument(
    "files",
    nargs=-1,
    required=True,
    type=FILE,
    metavar="FILE...",
    help="Files of rules: .yaml, .json or .toml.",
)
def command(files: tuple[Path, ...]) -> int:
    """Try rules on wording that you wrote as data on their own good and bad examples.

    Exit code 0: every example comes out as it should. 1: one does not. 2: something cannot be read.
    """
    from grice.cli.rule_trials import show_rules

    return show_rules(files)
