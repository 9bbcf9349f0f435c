"""`grice validate drift`: a frozen set of anchors, judged anew."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from click import argument, option

from grice.cli.commands import declared
from grice.cli.options import FILE, criteria, json_file, llm, run_with_json

__all__ = ["command"]


@declared
@argument(
    "anchors",
    type=FILE,
    metavar="ANCHORS",
    help="The frozen set: items with judge and scenario (.jsonl, .json, .csv).",
)
@option("--judge", default="", help="The judge of anchors that name none.")
@option(
    "--baseline", type=FILE, metavar="FILE", help="What was accepted; without, ANCHORS with .baseline.json."
)
@option("--accept", is_flag=True, help="Compare, and then make these scores the baseline.")
@option(
    "--issue",
    type=FILE,
    metavar="FILE",
    help="Where a drop is written as an issue; without, ANCHORS with .drift.md.",
)
@option(
    "--samples",
    type=int,
    metavar="K",
    help="How often each anchor is judged; without, as often as in the baseline.",
)
@json_file("the comparison")
@criteria
@llm
def command(anchors: Path, json: Path | None, **given: Any) -> int:
    """Judge a frozen set of anchors anew, and compare with what was accepted.

    Exit code 0: no median dropped by 0.5 or more. 1: one did. 2: it cannot be told. 130: interrupted.
    """
    from grice.cli.drift_check import show_drift

    return run_with_json(lambda path: show_drift(anchors, json=path, **given), json)
