"""`grice baseline`: a run as a named baseline."""

from __future__ import annotations

from pathlib import Path

from click import argument, option

from grice.cli.commands import declared
from grice.cli.options import given_text, runs

__all__ = ["command"]


@declared
@argument(
    "name",
    required=False,
    metavar="[NAME]",
    callback=given_text,
    help="What the baseline is called. Without: list all.",
)
@argument(
    "run",
    default="latest",
    metavar="[RUN]",
    help="An id or its beginning, a name, a tag, a branch, a folder, or latest.",
)
@option("--accept", is_flag=True, help="Replace a baseline, or take a run that is not finished.")
@runs
def command(name: str, run: str, accept: bool, runs: Path | None) -> int:
    """Keep a run as a named baseline, in baselines/NAME.baseline.json; without a name list them.

    The file holds numbers and no transcripts, and is to be committed. Exit code 0: done. 2: there is one of
    that name (--accept replaces it), the run is not finished, there is none, or wrong usage.
    """
    from grice.cli.baseline_files import keep_baseline, list_baselines

    return keep_baseline(name, run, accept=accept, runs=runs) if name else list_baselines()
