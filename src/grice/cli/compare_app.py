"""The command `grice compare`; its body is imported when it runs."""

from pathlib import Path
from typing import Annotated

import typer

from grice.cli.run_options import Runs

__all__ = ["compare"]


def compare(
    experiments: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[BASELINE] CURRENT",
            help="What was before and what is now: ids or their beginnings, names, tags, branches, latest, "
            "latest~1, dates, folders; BASELINE may be a named baseline too. With --baseline only what is "
            "now (default: latest).",
            show_default=False,
        ),
    ] = None,
    baseline: Annotated[
        str,
        typer.Option("--baseline", metavar="BASELINE", show_default=False, help="What was before."),
    ] = "",
    json: Annotated[bool, typer.Option("--json", help="Print the comparison as JSON.")] = False,
    markdown: Annotated[
        bool, typer.Option("--markdown", help="Print it as Markdown, for a pull request.")
    ] = False,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write the JSON or Markdown to this file.")
    ] = None,
    step_summary: Annotated[
        bool,
        typer.Option("--step-summary", help="Add the Markdown to the summary of a GitHub job as well."),
    ] = False,
    runs: Runs = None,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Show every scenario that changed, and every p-value.")
    ] = False,
) -> None:
    """Compare two experiments: did it get better, and how sure is that?

    Scenarios are paired by their ids. First of all stands whether the two can be compared.

    Exit code 0: compared, whatever came out; `grice gate` makes it a threshold. 2: wrong usage, no such
    experiment, nothing that both share, or two that cannot be compared, which is shown as far as it goes.
    141: nobody reads the output any more.
    """
    from grice.cli.compare import CompareArguments, compare_experiments

    raise typer.Exit(
        compare_experiments(
            CompareArguments(
                tuple(experiments or ()),
                baseline=baseline,
                json=json,
                markdown=markdown,
                output=output,
                step_summary=step_summary,
                runs=runs,
                verbose=verbose,
            )
        )
    )
