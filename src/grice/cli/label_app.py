"""The command `grice label`; its body is imported when it runs."""

from pathlib import Path
from typing import Annotated

import typer

__all__ = ["label"]


def label(
    items: Annotated[
        list[Path],
        typer.Argument(
            metavar="ITEMS",
            help="What is to be labelled: JSONL or CSV with id and text, or logs of conversations, of which "
            "the last replies are labelled.",
            show_default=False,
        ),
    ],
    criterion: Annotated[
        str,
        typer.Option(
            "--criterion",
            metavar="NAME",
            show_default=False,
            help="What is asked: a criterion, or naturalness, guidance, context_use.",
        ),
    ] = "",
    question: Annotated[
        str, typer.Option("--question", metavar="TEXT", show_default=False, help="What is asked, in words.")
    ] = "",
    criteria: Annotated[
        str,
        typer.Option(
            "--criteria",
            metavar="MODULE:NAME",
            show_default=False,
            help="Where the criterion is found (default: criteria in [tool.grice]).",
        ),
    ] = "",
    rater: Annotated[
        str,
        typer.Option(
            "--rater", metavar="NAME", show_default=False, help="Who labels (default: as git knows you)."
        ),
    ] = "",
    out: Annotated[
        Path, typer.Option("--out", metavar="FILE", help="The file that labels are appended to.")
    ] = Path("labels.jsonl"),
    choices: Annotated[
        str,
        typer.Option(
            "--choices",
            metavar="A,B",
            show_default=False,
            help="Ask for one of these instead of pass or fail.",
        ),
    ] = "",
    scale: Annotated[bool, typer.Option("--scale", help="Ask for a score from 1 to 5.")] = False,
    seed: Annotated[
        int, typer.Option("--seed", help="The seed of the order, and of what --limit draws.")
    ] = 0,
    limit: Annotated[
        int,
        typer.Option(
            "--limit",
            min=0,
            metavar="N",
            show_default=False,
            help="Draw so many of the items, the same for every rater.",
        ),
    ] = 0,
    again: Annotated[
        bool, typer.Option("--again", help="Ask about labelled items again; the new label counts.")
    ] = False,
) -> None:
    """Label replies with single keys: what a judge is measured against.

    One item at a time, in an order of each rater's own, without any verdict or other people's labels. Every
    label is written at once, and the same command goes on where it was left. Lines are read where standard
    input is no terminal. Exit code 0: done, or left with q. 2: wrong usage, or something cannot be read or
    written. 130: interrupted.
    """
    from grice.cli.label import LabelArguments, label_items

    raise typer.Exit(
        label_items(
            LabelArguments(
                items,
                criterion=criterion,
                question=question,
                criteria=criteria,
                rater=rater,
                out=out,
                choices=choices,
                scale=scale,
                seed=seed,
                limit=limit,
                again=again,
            )
        )
    )
