"""`grice scan`: bad replies in chat logs."""

from __future__ import annotations

from pathlib import Path

from grice.cli.commands import declared
from grice.cli.completion import check_names
from grice.cli.forms import Forms, run_in_forms
from grice.cli.given import argument, option
from grice.cli.options import PROFILES, OneOf


class Arguments(Forms):
    """What `grice scan` was given."""

    files: tuple[Path, ...] = argument(
        required=True,
        metavar="FILE...",
        help="Logs, or folders of them: JSONL, JSON, CSV, Parquet or .eval, packed (.gz, .zst) or not; - is "
        "stdin.",
    )
    fail_on_findings: bool = option(help="Exit with 1 when something is found.")
    checks: str | None = option(
        default=None,
        metavar="NAMES|FILE",
        shell_complete=check_names,
        help="Apply these checks instead: rules or matchers with commas "
        "(openers,toBeFreeOf,module:my_matcher), a group (all, tone, structure, evidence, semantics, "
        "tool_flow, contradiction), or a .yaml or .json file with a list of checks.",
    )
    map: str | None = option(
        default=None,
        metavar="FILE|auto",
        help="How a log of a shape of its own is read: a mapping (*.map.yaml), or auto for the one that is "
        "proposed. Default: the map of [tool.grice], else a proposal that is asked for.",
    )
    keep: bool = option(
        help="Keep the findings with their conversations in .grice/scans, where grice serve shows them."
    )
    profile: str = option(type=OneOf(PROFILES, empty=True), help="The profile of --checks.")


@declared(Arguments)
def command(given: Arguments) -> int:
    """Find bad replies in chat logs: no key, no set-up.

    Exits with 0 when the logs were scanned, 2 when a file could not be read or nothing was examined, and for
    --checks that are wrong, broke or could tell nothing.
    """
    from grice.cli.scan_work import scan_files, scan_files_with

    named = given.checks is not None or given.profile
    return run_in_forms(scan_files_with if named else scan_files, given)
