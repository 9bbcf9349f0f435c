"""`grice validate drift`: a frozen set of anchors, judged anew."""

from __future__ import annotations

from pathlib import Path

from grice.cli.arguments import argument, option
from grice.cli.options import CRITERIA, LLM, Forms, run_in_forms


class Command(Forms):
    """Judge a frozen set of anchors anew, and compare with what was accepted.

    Exit code 0: no median dropped by 0.5 or more. 1: one did. 2: it cannot be told. 130: interrupted.
    """

    anchors: Path = argument(
        metavar="ANCHORS", help="The frozen set: items with judge and scenario (.jsonl, .json, .csv)."
    )
    judge: str = option(help="The judge of anchors that name none.")
    baseline: Path | None = option(
        metavar="FILE", help="What was accepted; without, ANCHORS with .baseline.json."
    )
    accept: bool = option(help="Compare, and then make these scores the baseline.")
    issue: Path | None = option(
        metavar="FILE", help="Where a drop is written as an issue; without, ANCHORS with .drift.md."
    )
    samples: int | None = option(
        metavar="K", help="How often each anchor is judged; without, as often as in the baseline."
    )
    criteria: str = CRITERIA
    llm: str = LLM

    def __call__(self) -> int:
        from grice.cli.validate_drift_work import show_drift

        return run_in_forms(show_drift, self)
