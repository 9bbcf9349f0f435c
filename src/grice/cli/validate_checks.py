"""`grice validate checks`: how often rules and matchers are right."""

from __future__ import annotations

from pathlib import Path

from grice.cli.arguments import argument, option
from grice.cli.completion import rule_names
from grice.cli.options import PROFILES, Forms, OneOf, run_in_forms


class Command(Forms):
    """Measure rules on labelled examples: precision, recall, and each outcome that is not as documented.

    Exit code 0: every outcome is as documented. 1: one is not. 2: wrong usage, something cannot be read or
    written, or nothing was examined.
    """

    name: str = argument(
        default="",
        metavar="[NAME]",
        shell_complete=rule_names,
        help="A rule or a matcher (openers, toOpenDifferently, module:my_matcher); without, all rules.",
    )
    folder: Path | None = argument(
        required=False,
        metavar="[FOLDER]",
        help="A folder of your own examples, or a file (.jsonl, .json); without, those of Grice.",
    )
    profile: str = option(
        type=OneOf((*PROFILES, "both")), default="both", show_default=True, help="Which rules are measured."
    )

    def __call__(self) -> int:
        from grice.cli.validate_checks_work import show_checks

        return run_in_forms(show_checks, self)
