"""Moments in words: a date, or how long ago."""

from __future__ import annotations

import re
from datetime import UTC, datetime, time, timedelta

__all__ = ["moment_of"]

_AGO = re.compile(r"(\d{1,6}) (minute|hour|day|week)s? ago")
_DATE = re.compile(r"\d{4}-\d\d-\d\d")


def moment_of(text: str, now: datetime) -> datetime | None:
    """The moment that is meant: `7 days ago`, `2026-11-15` (the end of that day), `2026-11-15T14:30`.

    Dates are UTC unless they say otherwise. None for other texts, and for a date that there is not.
    """
    ago = _AGO.fullmatch(text)
    if ago is not None:
        try:
            return now - timedelta(**{f"{ago[2]}s": int(ago[1])})
        except OverflowError:
            return datetime.min.replace(tzinfo=UTC)
    if not _DATE.match(text):
        return None
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    if _DATE.fullmatch(text):
        return datetime.combine(moment, time.max, UTC)
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)
