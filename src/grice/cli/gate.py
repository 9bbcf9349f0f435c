"""`grice gate`: whether a run keeps the thresholds that its operator declared."""

from __future__ import annotations

from typing import Any

from click import argument, option

from grice.cli.commands import declared
from grice.cli.options import given_text, html, json_file, markdown, output, runs, step_summary

__all__ = ["command"]


@declared
@argument(
    "run",
    default="latest",
    metavar="[RUN]",
    help="An id or its beginning, a name, a tag, a branch, a folder, or latest.",
)
@option(
    "--gate",
    "gates",
    multiple=True,
    metavar="NAME=LIMIT",
    help="A gate, such as completion=0.8, criteria.friendly=0.9 or regression.completion=0.02; it replaces "
    "that of the settings. May be given several times.",
)
@option("--bundle", multiple=True, metavar="NAME", help="The gates of chat, recommend, performance.")
@option(
    "--baseline",
    metavar="BASELINE",
    callback=given_text,
    help="What regressions and rises are held against: a named baseline, or any run.",
)
@option(
    "--rule",
    metavar="point|shown|ruled_out",
    callback=given_text,
    help="How sure a --gate on a rate has to be.",
)
@option("--allow-unfinished", is_flag=True, help="Let a run keep its gates that is not finished.")
@html
@json_file("the report")
@markdown
@output("the Markdown")
@step_summary
@runs
def command(
    run: str,
    gates: tuple[str, ...],
    bundle: tuple[str, ...],
    baseline: str,
    rule: str,
    allow_unfinished: bool,
    **given: Any,
) -> int:
    """Hold a run to the thresholds of [tool.grice.gates]: one line a gate.

    Exit code 0: all are kept. 1: one is not, or what it needs was never measured. 2: no gate is declared, or
    one is declared wrongly, no such run, or wrong usage. 141: nobody reads the output any more.
    """
    from grice.cli.gate_forms import GateArguments, gate_run
    from grice.experiments.gates.declared import GateOptions

    options = GateOptions(gates, bundle, baseline, rule, allow_unfinished)
    return gate_run(GateArguments(run, options, **given))
