"""The nearest right name, for error messages."""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["did_you_mean", "nearest"]

_LONGEST_NAME = 100


def did_you_mean(word: str, known: Iterable[str], *, likeness: float = 0.6) -> str:
    """` (did you mean 'x'?)` for the known name nearest to `word`, without regard to case, "" when none is.

    Meant to be put at the end of "unknown field 'y'". The two are alike by at least
    `likeness`, from 0 to 1.
    """
    found = nearest(word, known, likeness=likeness)
    return f" (did you mean '{found}'?)" if found else ""


def nearest(word: str, known: Iterable[str], *, likeness: float = 0.6) -> str:
    """The known name nearest to `word`, without regard to case, "" when none is so much alike."""
    if len(word) > _LONGEST_NAME:
        return ""  # comparing is quadratic, and no name is so long
    from difflib import get_close_matches

    names = {name.lower(): name for name in known}
    found = get_close_matches(word.lower(), names, n=1, cutoff=likeness)
    return names[found[0]] if found else ""
