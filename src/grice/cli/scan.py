"""`grice scan`: bad replies in chat logs."""

from __future__ import annotations

from pathlib import Path

from grice.cli.arguments import LogFile, Number, argument, option
from grice.cli.completion import check_names
from grice.cli.options import MAP, PROFILES, Forms, OneOf, run_in_forms


class Command(Forms):
    """Find bad replies in chat logs: no key, no set-up.

    Exits with 0 when the logs were scanned, 2 when a file could not be read, nothing was examined, or a check
    is wrong, broke or could tell nothing, 130 when it was stopped by Ctrl-C.
    """

    files: tuple[Path | str, ...] = argument(
        required=True,
        nargs=-1,
        type=LogFile(path_type=Path),
        metavar="FILE...",
        help="Logs, or folders of them: JSONL, JSON, CSV, Parquet or .eval, packed (.gz, .zst) or not; - is "
        "stdin. s3://, gs:// and az:// name them in buckets (needs grice[buckets]).",
    )
    fail_on_findings: bool = option(help="Exit with 1 when something is found.")
    checks: str | None = option(
        default=None,
        metavar="NAMES|FILE",
        shell_complete=check_names,
        help="Apply these checks instead: rules or matchers with commas "
        "(openers,toBeFreeOf,module:my_matcher), a group (default, all, tone, structure, evidence, "
        "semantics, tool_flow, contradiction), or a .yaml or .json file with a list of checks; default,FILE "
        "adds those of a file.",
    )
    map: str | None = MAP
    label: tuple[str, ...] = option(metavar="LABEL", help="Apply the check of this label only; repeatable.")
    where: str = option(metavar="CONDITION", help="Look at lines that meet it, as in 'meta.rating < 3'.")
    since: str = option(metavar="TIME", help="Look at conversations from this date or time on.")
    sample: int | None = option(type=Number(1), metavar="N", help="Look at so many conversations, drawn.")
    seed: int = option(default=1, help="The number by which --sample draws.")
    limit: int | None = option(type=Number(1), metavar="N", help="Look at the first so many conversations.")
    judge: str = option(
        metavar="NAME",
        help="Ask a judge about each conversation of --sample: a criterion of the project, or naturalness, "
        "guidance or context_use. What it takes is told first; answers are recorded.",
    )
    keep: bool = option(
        help="Keep the findings with their conversations in .grice/scans, where grice serve shows them."
    )
    parquet: Path | None = option(
        metavar="FILE", help="Write the findings as Parquet, a row each (needs grice[parquet])."
    )
    resume: bool = option(
        help="Go on with a scan that was stopped or killed: its findings are beside --json or --parquet."
    )
    follow: bool = option(
        help="Wait for more at the end of logs, and for new logs in a folder, until Ctrl-C. Findings show as "
        "they come."
    )
    engine: str = option(
        type=OneOf(("ray", "daft"), empty=True),
        help="Judge on Ray or Daft, which have other machines too. Default: all cores of this one.",
    )
    profile: str = option(type=OneOf(PROFILES, empty=True), help="The profile of --checks.")

    def __call__(self) -> int:
        from grice.cli.scan_work import scan_files

        return run_in_forms(scan_files, self)
