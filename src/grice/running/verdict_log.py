"""The verdicts of one test."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grice.records import Verdict

if TYPE_CHECKING:
    from grice.running.live import LiveConversation

__all__ = ["VerdictLog"]


class VerdictLog:
    """The verdicts of one test, in order. `name` is the test's, `conversation` the one that it holds."""

    def __init__(self, name: str = "") -> None:
        self.name = name
        self.conversation: LiveConversation | None = None
        self.verdicts: list[Verdict] = []

    def add(self, verdict: Verdict) -> None:
        """Keep a verdict."""
        self.verdicts.append(verdict)
