"""What people and judges are asked about: items, and the labels that people gave them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import msgspec

from grice.records import Conversation, Reply

__all__ = ["Item", "Label", "LabelValue", "read_items"]

LabelValue = bool | float | str
"""Whether a criterion is met, a score from 1 to 5, or one of some choices (which of two replies is better)."""


class Item(msgspec.Struct, frozen=True):
    """One thing to be judged: the last reply of a conversation.

    `cluster` names what it shares with others, such as the conversation that several items are cut from;
    it is the item's own id where nothing is said. `value` labels come apart from it. `line` counts from 1.
    """

    id: str
    conversation: Conversation
    cluster: str = ""
    text: str = ""
    file: str = ""
    line: int = 1

    @property
    def subject(self) -> Reply:
        """What is judged: the last reply."""
        return Reply(self.conversation, len(self.conversation.turns))


class Label(msgspec.Struct, frozen=True, omit_defaults=True):
    """What one person said of one item. `value` is None where they could not tell."""

    item: str
    value: LabelValue | None
    rater: str = ""
    criterion: str = ""
    note: str = ""
    file: str = ""
    line: int = 1


def read_items(files: Iterable[Path]) -> list[Item]:
    """The items of the files (JSONL or CSV). Raises FileErrors with everything that is wrong."""
    raise NotImplementedError
