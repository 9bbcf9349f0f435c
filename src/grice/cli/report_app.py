"""The command `grice report`; its body is imported when it runs."""

from pathlib import Path
from typing import Annotated

import typer

from grice.cli.run_options import Runs

__all__ = ["report"]


def report(
    run: Annotated[
        str,
        typer.Argument(
            metavar="RUN",
            help="A folder, the id of a run or its beginning, a name, tag, branch or date, latest, latest~1.",
        ),
    ] = "latest",
    graph: Annotated[
        str,
        typer.Option(
            "--graph",
            metavar="mermaid|svg",
            show_default=False,
            help="Draw the topic graph with visits and transitions instead.",
        ),
    ] = "",
    json: Annotated[bool, typer.Option("--json", help="Print the report as JSON.")] = False,
    markdown: Annotated[
        bool, typer.Option("--markdown", help="Print it as Markdown, for a pull request.")
    ] = False,
    junit: Annotated[
        bool, typer.Option("--junit", help="Print it as JUnit XML, a test case a conversation.")
    ] = False,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Write the JSON, Markdown, XML or drawing to this file."),
    ] = None,
    save: Annotated[
        bool,
        typer.Option(
            "--save",
            help="Write the JSON to results/<id>.json as well (the folder: results in [tool.grice]).",
        ),
    ] = False,
    save_to: Annotated[
        Path | None,
        typer.Option("--save-to", metavar="FOLDER", help="As --save, to <id>.json in this folder."),
    ] = None,
    step_summary: Annotated[
        bool,
        typer.Option("--step-summary", help="Add the Markdown to the summary of a GitHub job as well."),
    ] = False,
    list_: Annotated[
        bool, typer.Option("--list", help="List the runs that are kept, the latest first.")
    ] = False,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Show every result, with its transcript, and whole lists.")
    ] = False,
    runs: Runs = None,
) -> None:
    """Show what a run came to, from its journal.

    Exit code 0: all passed. 1: something did not. 2: no such run, nothing or not everything of it was
    finished or can be read, wrong usage, or a file that cannot be written. 141: nobody reads the output any
    more.
    """
    from grice.cli.report import ReportArguments, report_run

    raise typer.Exit(
        report_run(
            ReportArguments(
                run,
                graph=graph,
                json=json,
                markdown=markdown,
                junit=junit,
                output=output,
                save=save,
                save_to=save_to,
                step_summary=step_summary,
                list=list_,
                verbose=verbose,
                runs=runs,
            )
        )
    )
