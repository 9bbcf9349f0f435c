"""`grice report`: what a run came to."""

from __future__ import annotations

from typing import Any

from click import argument, option

from grice.cli.commands import declared
from grice.cli.options import json_file, markdown, output, runs, save, save_to, step_summary, verbose

__all__ = ["command"]


@declared
@argument(
    "run",
    default="latest",
    metavar="[RUN]",
    help="A folder, the id of a run or its beginning, a name, tag, branch or date, latest, latest~1.",
)
@option(
    "--graph",
    metavar="mermaid|svg",
    default="",
    help="Draw the topic graph with visits and transitions instead.",
)
@json_file("the report")
@markdown
@option("--junit", is_flag=True, help="Print it as JUnit XML, a test case a conversation.")
@output("the Markdown, XML or drawing")
@save
@save_to
@step_summary
@option("--list", is_flag=True, help="List the runs that are kept, the latest first.")
@verbose("every result, with its transcript, and whole lists")
@runs
def command(run: str, **given: Any) -> int:
    """Show what a run came to, from its journal.

    Exit code 0: all passed. 1: something did not. 2: no such run, nothing or not everything of it was
    finished or can be read, wrong usage, or a file that cannot be written. 141: nobody reads the output any
    more.
    """
    from grice.cli.report_forms import ReportArguments, report_run

    return report_run(ReportArguments(run, **given))
