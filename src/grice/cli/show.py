"""`grice show`: one conversation with its verdicts."""

from __future__ import annotations

from pathlib import Path

from grice.cli.arguments import argument
from grice.cli.options import MAP, RUNS, Forms


class Command(Forms):
    """Show one conversation of a run or a log: the answer, the transcript, every verdict or finding.

    Findings of a log are those of the checks that grice scan applies without options.

    Exit code 0: shown. 2: no such conversation, run, file or line, or wrong usage. 141: nobody reads the
    output any more.
    """

    conversation: str = argument(
        metavar="RUN@ID|FILE:LINE",
        help="A run and the key or id of a test or scenario in it (latest@refund, or latest@refund#2 for its "
        "second repeat), or a log and a line.",
    )
    runs: Path | None = RUNS
    map: str | None = MAP

    def __call__(self) -> int:
        from grice.cli.show_work import show_conversation

        return show_conversation(self)
