"""Numbers and names of things in words."""

from __future__ import annotations

from collections.abc import Iterable

from grice.text import plural

OTHER_NUMBERS = 0.1
"""What differs in more of the scenarios than this is flagged, or weakens; in fewer it may be chance."""

_SHOWN = 5


def of_both(before: int, after: int, what: str) -> str:
    """`2 lines of the baseline and 1 of the current`; a side that has none is not named."""
    if not after:
        return f"{plural(before, what)} of the baseline"
    if not before:
        return f"{plural(after, what)} of the current"
    return f"{plural(before, what)} of the baseline and {after:,} of the current"


def listed(values: Iterable[str]) -> str:
    """`a, b, c`, sorted, the first of many; `not recorded` for none."""
    every = sorted(values)
    shown = ", ".join(every[:_SHOWN]) or "not recorded"
    return f"{shown} and {len(every) - _SHOWN} more" if len(every) > _SHOWN else shown
