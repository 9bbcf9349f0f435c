"""`grice validate rules`: rules that are data, on their own examples."""

from __future__ import annotations

from pathlib import Path

from grice.cli.arguments import argument
from grice.cli.commands import declared
from grice.cli.document_options import Forms, run_in_forms


class Arguments(Forms):
    """What `grice validate rules` was given."""

    files: tuple[Path, ...] = argument(
        required=True, metavar="FILE...", help="Files of rules: .yaml, .json or .toml."
    )


@declared(Arguments)
def command(given: Arguments) -> int:
    """Try rules on wording that you wrote as data on their own good and bad examples.

    Exit code 0: every example comes out as it should. 1: one does not. 2: something cannot be read.
    """
    from grice.cli.validate_rules_work import show_rules

    return run_in_forms(show_rules, given)
