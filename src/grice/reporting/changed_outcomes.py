"""Which tests newly fail, which newly pass and which new ones fail, in the same words in every report."""

from __future__ import annotations

from collections.abc import Sequence

from grice.text import plural, shorten, visible

_NAMED = 5
_LONGEST_NAME = 60


def newly_text(
    failing: Sequence[str], passing: Sequence[str] = (), added: Sequence[str] = (), *, what: str = "test"
) -> str:
    """`2 tests newly fail: a, b; 1 newly passes: c; 1 added test fails: d`, "" where there is none of it.

    `added` are those that fail and were not there before. Of each the first five are named, in the order of
    the run.
    """
    told: list[str] = []
    for keys, one_does, several_do in ((failing, "fails", "fail"), (passing, "passes", "pass")):
        if keys:
            number = f"{len(keys):,}" if told else plural(len(keys), what)
            verb = one_does if len(keys) == 1 else several_do
            told.append(f"{number} newly {verb}: {names_text(keys)}")
    if added:
        verb = "fails" if len(added) == 1 else "fail"
        told.append(f"{plural(len(added), f'added {what}')} {verb}: {names_text(added)}")
    return "; ".join(told)


def names_text(keys: Sequence[str]) -> str:
    """The first five names and how many more there are, each on one line and cut where it is long."""
    shown = ", ".join(shorten(visible(key, newlines=False), _LONGEST_NAME) for key in keys[:_NAMED])
    return f"{shown} and {len(keys) - _NAMED:,} more" if len(keys) > _NAMED else shown
