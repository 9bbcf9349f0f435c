"""`grice compare`: two experiments side by side."""

from __future__ import annotations

from typing import Any

from click import argument, option

from grice.cli.commands import declared
from grice.cli.options import json_file, markdown, output, runs, step_summary, verbose

__all__ = ["command"]


@declared
@argument(
    "experiments",
    nargs=-1,
    metavar="[BASELINE] CURRENT",
    help="What was before and what is now: ids or their beginnings, names, tags, branches, latest, latest~1, "
    "dates, folders; BASELINE may be a named baseline too. With --baseline only what is now (default: "
    "latest).",
)
@option("--baseline", metavar="BASELINE", default="", help="What was before.")
@json_file("the comparison")
@markdown
@output("the Markdown")
@step_summary
@runs
@verbose("every scenario that changed, and every p-value")
def command(experiments: tuple[str, ...], **given: Any) -> int:
    """Compare two experiments: did it get better, and how sure is that?

    Scenarios are paired by their ids. First of all stands whether the two can be compared.

    Exit code 0: compared, whatever came out; `grice gate` makes it a threshold. 2: wrong usage, no such
    experiment, nothing that both share, or two that cannot be compared, which is shown as far as it goes.
    141: nobody reads the output any more.
    """
    from grice.cli.compare_forms import CompareArguments, compare_experiments

    return compare_experiments(CompareArguments(experiments, **given))
