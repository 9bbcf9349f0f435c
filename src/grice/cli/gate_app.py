"""The commands `grice gate` and `grice baseline`; their bodies are imported when they run."""

from pathlib import Path
from typing import Annotated

import typer

from grice.cli.run_options import Runs, given_text

__all__ = ["baseline", "gate"]


def gate(
    run: Annotated[
        str,
        typer.Argument(
            metavar="RUN", help="An id or its beginning, a name, a tag, a branch, a folder, or latest."
        ),
    ] = "latest",
    gates: Annotated[
        list[str] | None,
        typer.Option(
            "--gate",
            metavar="NAME=LIMIT",
            show_default=False,
            help="A gate, such as completion=0.8, criteria.friendly=0.9 or regression.completion=0.02; it "
            "replaces that of the settings. May be given several times.",
        ),
    ] = None,
    bundle: Annotated[
        list[str] | None,
        typer.Option(
            "--bundle", metavar="NAME", show_default=False, help="The gates of chat, recommend, performance."
        ),
    ] = None,
    baseline: Annotated[
        str | None,
        typer.Option(
            "--baseline",
            metavar="BASELINE",
            callback=given_text,
            show_default=False,
            help="What regressions and rises are held against: a named baseline, or any run.",
        ),
    ] = None,
    rule: Annotated[
        str | None,
        typer.Option(
            "--rule",
            metavar="point|shown|ruled_out",
            callback=given_text,
            show_default=False,
            help="How sure a --gate on a rate has to be.",
        ),
    ] = None,
    allow_unfinished: Annotated[
        bool, typer.Option("--allow-unfinished", help="Let a run keep its gates that is not finished.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="Print the report as JSON.")] = False,
    markdown: Annotated[
        bool, typer.Option("--markdown", help="Print it as Markdown, for a pull request.")
    ] = False,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write the JSON or Markdown to this file.")
    ] = None,
    step_summary: Annotated[
        bool, typer.Option("--step-summary", help="Add the Markdown to the summary of a GitHub job as well.")
    ] = False,
    runs: Runs = None,
) -> None:
    """Hold a run to the thresholds of [tool.grice.gates]: one line a gate.

    Exit code 0: all are kept. 1: one is not, or what it needs was never measured. 2: no gate is declared, or
    one is declared wrongly, no such run, or wrong usage. 141: nobody reads the output any more.
    """
    from grice.cli.gate import GateArguments, gate_run
    from grice.experiments.gates.declared import GateOptions

    options = GateOptions(gates or (), bundle or (), baseline or "", rule or "", allow_unfinished)
    raise typer.Exit(
        gate_run(
            GateArguments(
                run,
                options,
                json=json,
                markdown=markdown,
                output=output,
                step_summary=step_summary,
                runs=runs,
            )
        )
    )


def baseline(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="[NAME]",
            callback=given_text,
            help="What the baseline is called. Without: list all.",
            show_default=False,
        ),
    ] = None,
    run: Annotated[
        str,
        typer.Argument(
            metavar="[RUN]", help="An id or its beginning, a name, a tag, a branch, a folder, or latest."
        ),
    ] = "latest",
    accept: Annotated[
        bool,
        typer.Option("--accept", help="Replace a baseline, or take a run that is not finished."),
    ] = False,
    runs: Runs = None,
) -> None:
    """Keep a run as a named baseline, in baselines/NAME.baseline.json; without a name list them.

    The file holds numbers and no transcripts, and is to be committed. Exit code 0: done. 2: there is one of
    that name (--accept replaces it), the run is not finished, there is none, or wrong usage.
    """
    from grice.cli.baseline import keep_baseline, list_baselines

    raise typer.Exit(keep_baseline(name, run, accept=accept, runs=runs) if name else list_baselines())
