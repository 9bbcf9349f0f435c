"""Which words of a sentence are denied."""

from __future__ import annotations

from collections.abc import Sequence

from grice.text.packs.pack import LanguagePack
from grice.text.words import Word

__all__ = ["negated"]


def negated(text: str, found: Sequence[Word], pack: LanguagePack) -> list[bool]:
    """For each word of the text, whether it stands in the scope of a negation.

    A scope runs from the negation (not, n't, no, never, without, hardly, far from) to the end of its clause (a
    full stop, a comma before a new clause, "but", "and" before a verb of its own); two negations cancel. The negation
    itself is not in its scope. "not only", "no problem", "no doubt" deny nothing.
    """
    raise NotImplementedError
