"""`grice scan`: bad replies in chat logs."""

from __future__ import annotations

from pathlib import Path

from click import UsageError, argument, option

from grice.cli.commands import declared
from grice.cli.options import FILE, json_file, markdown, printed, run_with_json

__all__ = ["command"]


@declared
@argument(
    "files",
    nargs=-1,
    required=True,
    type=FILE,
    metavar="FILE...",
    help="JSONL logs, one conversation or message with conversation_id a line; .gz too; - is stdin.",
)
@json_file("every finding")
@markdown
@option("--fail-on-findings", is_flag=True, help="Exit with 1 when something is found.")
@option(
    "--checks",
    metavar="NAMES|FILE",
    help="Apply these checks instead: rules or matchers with commas (openers,toBeFreeOf,module:my_matcher), "
    "a group (all, tone, structure, evidence, semantics, tool_flow, contradiction), or a .yaml or .json file "
    "with a list of checks.",
)
@option("--profile", metavar="seed|robust", default="", help="The profile of --checks.")
def command(
    files: tuple[Path, ...], json: Path | None, checks: str | None, profile: str, **given: bool
) -> int:
    """Find bad replies in chat logs: no key, no set-up.

    Exits with 0 when the logs were scanned, 2 when a file could not be read or nothing was examined, and for
    --checks that are wrong, broke or could tell nothing.
    """
    from grice.cli.scan_logs import scan_files, scan_files_with

    if printed(json) and given["markdown"]:
        raise UsageError("--json - and --markdown exclude each other")

    def scan(path: Path | None) -> int:
        if checks is None and not profile:
            return scan_files(files, path, **given)
        return scan_files_with(checks or "", files, path, profile=profile, **given)

    return run_with_json(scan, json)
