"""The conversations that are open at once in a log of one message a line."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator

from grice.scanning.turns import OpenConversation

__all__ = ["MAX_OPEN", "OpenConversations"]

MAX_OPEN = 10_000
"""How many conversations may be open at once; the one quiet for longest is then considered over."""


class OpenConversations:
    """Finds the conversation of an id, and lets go of those that were quiet for longest."""

    def __init__(self, *, whole: bool = False) -> None:
        self._whole = whole
        self._open: OrderedDict[str, OpenConversation] = OrderedDict()

    def find(self, id: str) -> OpenConversation:  # noqa: A002
        """The conversation of this id: the open one, else a new one."""
        found = self._open.get(id)
        if found is None:
            found = self._open[id] = OpenConversation(id, whole=self._whole)
        else:
            self._open.move_to_end(id)
        return found

    def over(self) -> Iterator[OpenConversation]:
        """Take out the conversations above the limit, the one quiet for longest first."""
        while len(self._open) > MAX_OPEN:
            yield self._open.popitem(last=False)[1]

    def rest(self) -> Iterator[OpenConversation]:
        """Take out all that are still open, in the order of their last message."""
        while self._open:
            yield self._open.popitem(last=False)[1]
