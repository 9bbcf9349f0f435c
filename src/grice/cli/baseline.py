"""`grice baseline`: a run as a named baseline."""

from __future__ import annotations

from pathlib import Path

from grice.cli.arguments import Given, argument, option
from grice.cli.options import RUNS, given_text


class Command(Given):
    """Keep a run as a named baseline, in baselines/NAME.baseline.json; without a name list them.

    The file holds numbers and no transcripts, and is to be committed. Exit code 0: done. 2: there is one of
    that name (--accept replaces it), the run is not finished, there is none, or wrong usage.
    """

    name: str = argument(
        default="",
        metavar="[NAME]",
        callback=given_text,
        help="What the baseline is called. Without: list all.",
    )
    run: str = argument(
        default="latest",
        metavar="[RUN]",
        help="An id or its beginning, a name, a tag, a branch, a folder, or latest.",
    )
    accept: bool = option(help="Replace a baseline, or take a run that is not finished.")
    runs: Path | None = RUNS

    def __call__(self) -> int:
        from grice.cli.baseline_work import keep_baseline, list_baselines

        return keep_baseline(self) if self.name else list_baselines()
