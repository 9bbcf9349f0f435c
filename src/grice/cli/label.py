"""`grice label`: labels of people, which judges are measured against."""

from __future__ import annotations

from pathlib import Path

from grice.cli.arguments import Given, Number, argument, option


class Command(Given):
    """Label replies with single keys: what a judge is measured against.

    One item at a time, in an order of each rater's own, without any verdict or other people's labels. Every
    label is written at once, and the same command goes on where it was left. Lines are read where standard
    input is no terminal. Exit code 0: done, or left with q. 2: wrong usage, or something cannot be read or
    written. 130: interrupted.
    """

    items: tuple[Path, ...] = argument(
        required=True,
        metavar="ITEMS...",
        help="What is to be labelled: JSONL or CSV with id and text, or logs of conversations, of which the "
        "last replies are labelled.",
    )
    criterion: str = option(
        metavar="NAME", help="What is asked: a criterion, or naturalness, guidance, context_use."
    )
    question: str = option(metavar="TEXT", help="What is asked, in words.")
    criteria: str = option(
        metavar="MODULE:NAME", help="Where the criterion is found (default: criteria in [tool.grice])."
    )
    rater: str = option(metavar="NAME", help="Who labels (default: as git knows you).")
    out: Path = option(
        default=Path("labels.jsonl"),
        show_default=True,
        metavar="FILE",
        help="The file that labels are appended to.",
    )
    choices: str = option(metavar="A,B", help="Ask for one of these instead of pass or fail.")
    scale: bool = option(help="Ask for a score from 1 to 5.")
    seed: int = option(default=0, help="The seed of the order, and of what --limit draws.")
    limit: int = option(
        type=Number(0), default=0, metavar="N", help="Draw so many of the items, the same for every rater."
    )
    again: bool = option(help="Ask about labelled items again; the new label counts.")

    def __call__(self) -> int:
        from grice.cli.label_work import label_items

        return label_items(self)
