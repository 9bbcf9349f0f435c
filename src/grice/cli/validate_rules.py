"""`grice validate rules`: rules that are data, on their own examples."""

from __future__ import annotations

from pathlib import Path

from grice.cli.arguments import argument
from grice.cli.options import Forms, run_in_forms


class Command(Forms):
    """Try rules on wording that you wrote as data on their own good and bad examples.

    Exit code 0: every example comes out as it should. 1: one does not. 2: something cannot be read.
    """

    files: tuple[Path, ...] = argument(
        required=True, metavar="FILE...", help="Files of rules: .yaml, .json or .toml."
    )

    def __call__(self) -> int:
        from grice.cli.validate_rules_work import show_rules

        return run_in_forms(show_rules, self)
