"""`grice compare`: two experiments side by side."""

from __future__ import annotations

from pathlib import Path

from grice.cli.arguments import argument, option
from grice.cli.options import RUNS, Forms


class Command(Forms):
    """Compare two experiments, or two scans of logs: did it get better, and how sure is that?

    Scenarios are paired by their ids. What newly fails stands first, with whether the two can be compared.
    Two files of grice scan --json are compared by the share of conversations with each label.

    Exit code 0: compared, whatever came out; `grice gate` makes it a threshold. 2: wrong usage, no such
    experiment, nothing that both share, or two that cannot be compared, which is shown as far as it goes.
    141: nobody reads the output any more.
    """

    experiments: tuple[str, ...] = argument(
        metavar="[BASELINE] CURRENT",
        help="What was before and what is now: ids or their beginnings, names, tags, branches, latest, "
        "latest~1, dates, folders; BASELINE may be a named baseline too. With --baseline only what is now "
        "(default: latest).",
    )
    baseline: str = option(metavar="BASELINE", help="What was before.")
    runs: Path | None = RUNS

    def __call__(self) -> int:
        from grice.cli.compare_work import compare_experiments

        return compare_experiments(self)
