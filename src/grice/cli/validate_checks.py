"""`grice validate checks`: how often rules and matchers are right."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from click import argument, option

from grice.cli.commands import declared
from grice.cli.options import FILE, json_file, run_with_json, verbose

__all__ = ["command"]


@declared
@argument(
    "name",
    default="",
    metavar="[NAME]",
    help="A rule or a matcher (openers, toOpenDifferently, module:my_matcher); without, all rules.",
)
@argument(
    "folder",
    required=False,
    type=FILE,
    metavar="[FOLDER]",
    help="A folder of your own examples, or a file (.jsonl, .json); without, those of Grice.",
)
@option(
    "--profile",
    metavar="seed|robust|both",
    default="both",
    show_default=True,
    help="Which rules are measured.",
)
@json_file("the measurements")
@option("--markdown", type=FILE, metavar="FILE", help="Write the table to this file as Markdown.")
@verbose("every wrong outcome with its trace")
def command(name: str, folder: Path | None, json: Path | None, **given: Any) -> int:
    """Measure rules on labelled examples: precision, recall, and each outcome that is not as documented.

    Exit code 0: every outcome is as documented. 1: one is not. 2: wrong usage, something cannot be read or
    written, or nothing was examined.
    """
    from grice.cli.check_trials import show_checks

    return run_with_json(lambda path: show_checks(name, folder, json=path, **given), json)
