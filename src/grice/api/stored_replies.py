"""What the agent replied in a run that is kept."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Literal

from grice.running.journal.reading import index_run

__all__ = ["On", "replies_of_run"]

On = Literal["reply", "reply.data"]
"""The text of a reply, or its structured payload."""


def replies_of_run(folder: Path, on: On) -> Iterator[tuple[str, object]]:
    """Every reply of the results that count, with the name of its scenario and its turn.

    Replies without a payload have None as such. Raises JournalError.
    """
    for result in index_run(folder).results():
        repeat = f" (repeat {result.repeat})" if result.repeat > 1 else ""
        for turn in result.conversation.turns:
            reply = turn.text if on == "reply" else turn.data
            yield f"{result.key}{repeat}, turn {turn.number}", reply
