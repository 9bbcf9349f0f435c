"""Dates and times of day in a text."""

from __future__ import annotations

from typing import Literal

import msgspec

from grice.text.packs.pack import LanguagePack

__all__ = ["Moment", "moments"]


class Moment(msgspec.Struct, frozen=True, gc=False):
    """A date or a time of day, as far as the text says it: what it leaves open is None.

    `weekday` is 0 (Monday) to 6. 03/04/2026 is a date whose day and month nobody knows: `ambiguous`.
    """

    kind: Literal["date", "time", "weekday"]
    start: int
    end: int
    year: int | None = None
    month: int | None = None
    day: int | None = None
    hour: int | None = None
    minute: int | None = None
    weekday: int | None = None
    ambiguous: bool = False

    def agrees_with(self, other: Moment) -> bool | None:
        """Whether both can be the same moment; None when they say nothing about one another."""
        raise NotImplementedError


def moments(text: str, pack: LanguagePack | None = None) -> list[Moment]:
    """The dates and times of day of a text, in order."""
    raise NotImplementedError
