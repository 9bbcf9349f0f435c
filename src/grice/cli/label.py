"""`grice label`: labels of people, which judges are measured against."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
from click import argument, option

from grice.cli.commands import declared
from grice.cli.options import FILE

__all__ = ["command"]


@declared
@argument(
    "items",
    nargs=-1,
    required=True,
    type=FILE,
    metavar="ITEMS...",
    help="What is to be labelled: JSONL or CSV with id and text, or logs of conversations, of which the last "
    "replies are labelled.",
)
@option(
    "--criterion",
    metavar="NAME",
    default="",
    help="What is asked: a criterion, or naturalness, guidance, context_use.",
)
@option("--question", metavar="TEXT", default="", help="What is asked, in words.")
@option(
    "--criteria",
    metavar="MODULE:NAME",
    default="",
    help="Where the criterion is found (default: criteria in [tool.grice]).",
)
@option("--rater", metavar="NAME", default="", help="Who labels (default: as git knows you).")
@option(
    "--out",
    type=FILE,
    default="labels.jsonl",
    show_default=True,
    metavar="FILE",
    help="The file that labels are appended to.",
)
@option("--choices", metavar="A,B", default="", help="Ask for one of these instead of pass or fail.")
@option("--scale", is_flag=True, help="Ask for a score from 1 to 5.")
@option("--seed", type=int, default=0, help="The seed of the order, and of what --limit draws.")
@option(
    "--limit",
    type=click.IntRange(min=0),
    default=0,
    metavar="N",
    help="Draw so many of the items, the same for every rater.",
)
@option("--again", is_flag=True, help="Ask about labelled items again; the new label counts.")
def command(items: tuple[Path, ...], **given: Any) -> int:
    """Label replies with single keys: what a judge is measured against.

    One item at a time, in an order of each rater's own, without any verdict or other people's labels. Every
    label is written at once, and the same command goes on where it was left. Lines are read where standard
    input is no terminal. Exit code 0: done, or left with q. 2: wrong usage, or something cannot be read or
    written. 130: interrupted.
    """
    from grice.cli.labelling import LabelArguments, label_items

    return label_items(LabelArguments(items, **given))
