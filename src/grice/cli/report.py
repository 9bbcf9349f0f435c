"""`grice report`: what a run came to."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from grice.cli.arguments import Given, argument, option
from grice.cli.options import (
    HTML,
    MARKDOWN,
    RUNS,
    SAVE,
    SAVE_TO,
    STEP_SUMMARY,
    OneOf,
    json_file,
    output,
    printed,
    verbose,
)


class Command(Given):
    """Show what a run came to, from its journal.

    Exit code 0: all passed. 1: something did not. 2: no such run, nothing or not everything of it was
    finished or can be read, wrong usage, or a file that cannot be written. 141: nobody reads the output any
    more.
    """

    run: str = argument(
        default="latest",
        metavar="[RUN]",
        help="A folder, the id of a run or its beginning, a name, tag, branch or date, latest, latest~1.",
    )
    graph: str = option(
        type=OneOf(("mermaid", "svg"), empty=True),
        help="Draw the topic graph with visits and transitions instead.",
    )
    html: Path | None = HTML
    json: Path | None = json_file("the report")
    markdown: bool = MARKDOWN
    junit: bool = option(help="Print it as JUnit XML, a test case a conversation.")
    output: Path | None = output("the Markdown, XML or drawing")
    save: bool = SAVE
    save_to: Path | None = SAVE_TO
    step_summary: bool = STEP_SUMMARY
    list: bool = option(help="List the runs that are kept, the latest first.")
    verbose: bool = verbose("every result, with its transcript, and whole lists")
    runs: Path | None = RUNS

    @property
    def forms(self) -> Sequence[str]:
        """The options that ask for another form than text on standard output."""
        wanted = {
            "--graph": self.graph,
            "--json -": printed(self.json),
            "--markdown": self.markdown,
            "--junit": self.junit,
        }
        return [name for name, value in wanted.items() if value]

    def __call__(self) -> int:
        from grice.cli.report_work import report_run

        return report_run(self)
