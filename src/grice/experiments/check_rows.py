"""Verdicts as summaries count them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from grice.records import Verdict

__all__ = ["CheckRow", "check_rows"]


class CheckRow(NamedTuple):
    """One check in plain values."""

    criterion: str
    matcher: str
    mode: str
    outcome: str
    layer: int | None = None


def check_rows(verdicts: Iterable[Verdict]) -> Iterator[CheckRow]:
    """The checks of these verdicts: one a criterion where there are several."""
    for verdict in verdicts:
        parts = [part for part in verdict.parts if part.criterion] or [verdict]
        for part in parts:
            mode = part.mode if verdict.mode == "hard" else verdict.mode  # a hard one may have soft parts
            layer = verdict.layer if part.layer is None else part.layer
            yield CheckRow(part.criterion, part.matcher or verdict.matcher, mode, part.outcome.value, layer)
