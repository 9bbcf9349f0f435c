"""The nearest right name, for error messages."""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["did_you_mean"]

_LONGEST_NAME = 100


def did_you_mean(word: str, known: Iterable[str], *, likeness: float = 0.6) -> str:
    """` (did you mean 'x'?)` for the known name nearest to `word`, without regard to case, "" when none is.

    Meant to be put at the end of "unknown field 'y'". The two are alike by at least
    `likeness`, from 0 to 1.
    """
    if len(word) > _LONGEST_NAME:
        return ""  # comparing is quadratic, and no name is so long
    from difflib import get_close_matches

    names = {name.lower(): name for name in known}
    nearest = get_close_matches(word.lower(), names, n=1, cutoff=likeness)
    return f" (did you mean '{names[nearest[0]]}'?)" if nearest else ""
