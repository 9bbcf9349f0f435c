"""`grice gate`: whether a run keeps the thresholds that its operator declared."""

from __future__ import annotations

from pathlib import Path

from grice.cli.arguments import argument, option
from grice.cli.completion import gate_bundles, gate_rules
from grice.cli.options import RUNS, Forms, given_text


class Command(Forms):
    """Hold a run to the thresholds of [tool.grice.gates]: which fail, and a row for each gate.

    Exit code 0: all are kept. 1: one is not, or what it needs was never measured. 2: no gate is declared, or
    one is declared wrongly, no such run, or wrong usage. 141: nobody reads the output any more.
    """

    run: str = argument(
        default="latest",
        metavar="[RUN]",
        help="An id or its beginning, a name, a tag, a branch, a folder, or latest.",
    )
    gates: tuple[str, ...] = option(
        "--gate",
        metavar="NAME=LIMIT",
        help="A gate, such as completion=0.8, criteria.friendly=0.9 or regression.completion=0.02; it "
        "replaces that of the settings. May be given several times.",
    )
    bundle: tuple[str, ...] = option(
        metavar="NAME",
        shell_complete=gate_bundles,
        help="The gates of chat, recommend, performance.",
    )
    baseline: str = option(
        metavar="BASELINE",
        callback=given_text,
        help="What regressions and rises are held against: a named baseline, or any run.",
    )
    rule: str = option(
        metavar="RULE",
        callback=given_text,
        shell_complete=gate_rules,
        help="How sure a --gate on a rate has to be: point, shown or ruled_out.",
    )
    max_missing: str = option(
        metavar="SHARE|NUMBER",
        callback=given_text,
        help="How much may give no answer, an error or inconclusive: a share (0.02) or a number (3) of what "
        "a gate counts.  [default: 0]",
    )
    allow_unfinished: bool = option(help="Let a run keep its gates that is not finished.")
    runs: Path | None = RUNS

    def __call__(self) -> int:
        from grice.cli.gate_work import gate_run

        return gate_run(self)
