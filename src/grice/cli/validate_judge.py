"""`grice validate judge`: a judge against people's labels."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from click import argument, option

from grice.cli.commands import declared
from grice.cli.options import FILE, criteria, json_file, llm, run_with_json, verbose

__all__ = ["command"]


@declared
@argument("name", metavar="NAME", help="A criterion, or naturalness, guidance or context_use.")
@argument(
    "labels",
    nargs=-1,
    required=True,
    type=FILE,
    metavar="LABELS...",
    help="People's labels, .jsonl or .csv, as `grice label` writes them or with item and label.",
)
@option(
    "--items",
    multiple=True,
    type=FILE,
    metavar="FILE",
    help="What was labelled, where it does not stand beside the labels. May be given several times.",
)
@option(
    "--verdicts",
    type=FILE,
    metavar="FILE",
    help="A log of the judge's answers: those there are not asked for again, new ones are appended. Without "
    "an LLM they are what is measured.",
)
@criteria
@llm
@option("--model", default="", help="Measure the recorded verdicts of this model only.")
@option(
    "--samples",
    type=int,
    metavar="K",
    help="Ask so often about each; the majority counts (default: judge_samples in [tool.grice], 1).",
)
@option(
    "--split",
    metavar="KEY=SHARE",
    default="",
    help="Which items are for tuning (dev), by a hash of KEY and cluster, and what share of them (default: "
    "grice=0.5).",
)
@option("--card", is_flag=True, help="Write the calibration card, which verdicts then carry.")
@json_file("the measurements")
@option("--markdown", type=FILE, metavar="FILE", help="Write the tables to this file as Markdown.")
@verbose("every item judged otherwise than by most people")
def command(name: str, labels: tuple[Path, ...], json: Path | None, **given: Any) -> int:
    """Measure how far a judge agrees with people's labels.

    What counts are the items held out: those for tuning are shown beside them. Kappa, the rates of right
    passes and fails, agreement among the people, self-consistency, bias by position and length, and cost.

    Exit code 0: it was measured. 2: it was not, or wrong usage. 130: interrupted; answers in --verdicts stay.
    """
    from grice.cli.judge_trials import show_judge

    return run_with_json(lambda path: show_judge(name, labels, json=path, **given), json)
