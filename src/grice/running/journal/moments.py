"""Moments in words: a date, or how long ago."""

from __future__ import annotations

import re
from datetime import UTC, datetime, time, timedelta

from grice.text import did_you_mean

__all__ = ["moment_of", "moment_problem"]

_UNITS = ("minutes", "hours", "days", "weeks")
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


def moment_problem(text: str) -> str:
    """What is wrong with a text that looks like a date or an age; "" for other texts, and for a moment."""
    now = datetime.now(UTC)
    if moment_of(text, now) is not None:
        return ""
    if _DATE.match(text):
        return "there is no such date: expected one as 2026-11-15 or 2026-11-15T14:30"
    if not text.endswith(" ago"):
        return ""
    number, _, unit = text.removesuffix(" ago").partition(" ")
    example = "expected an age as `7 days ago`"
    if not re.fullmatch(r"[0-9]{1,6}", number):
        return f"{example}, found {number!r} for the number"
    return f"{example}: {', '.join(_UNITS)}, found {unit!r}{did_you_mean(unit, _UNITS)}"
