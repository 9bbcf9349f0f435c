"""What came of some tests, as a document: how many did not pass, and every conversation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from grice.records import Outcome, Result
from grice.reporting.document import Answer, Conversations, Document, Line, Note
from grice.text import shorten

__all__ = ["results_document"]

_NAMED = 3
_BAD = {
    Outcome.FAIL: "failed",
    Outcome.ERROR: "ended in an error",
    Outcome.INCONCLUSIVE: "could not be told",
}


def results_document(
    results: Sequence[Result],
    *,
    title: str = "",
    about: Sequence[str] = (),
    notes: Sequence[str] = (),
    newly: frozenset[str] = frozenset(),
) -> Document:
    """The document. `notes` say what the results do not, `newly` are the ids of those that passed before."""
    return Document(
        "experiment",
        title,
        _answer(results, newly),
        tuple(Line(one) for one in about),
        (*(Note(one) for one in notes), Conversations(results, newly=newly)),
    )


def _answer(results: Sequence[Result], newly: frozenset[str]) -> Answer:
    """How many of them did not pass, and the first of those; what was skipped is no part of them."""
    counts = Counter(one.outcome for one in results)
    skipped = counts[Outcome.SKIPPED]
    made = len(results) - skipped
    more = f"{skipped:,} {'was' if skipped == 1 else 'were'} skipped." if skipped else ""
    if not made:
        return Answer("Nothing was tested", "bad", more)
    bad = sorted((one for one in results if one.outcome in _BAD), key=lambda one: one.key)
    if not bad:
        return Answer(f"All {made:,} passed" if made > 1 else "The test passed", "good", more)
    said = [f"{counts[one]:,} {word}" for one, word in _BAD.items() if counts[one]]
    said[0] = said[0].replace(" ", f" of {made:,} ", 1)
    names = list(dict.fromkeys(shorten(one.key, 60) for one in bad))
    rest = f" and {len(names) - _NAMED:,} more" if len(names) > _NAMED else ""
    fresh = len({one.id for one in bad} & newly)
    told = (f"{fresh:,} newly {'fails' if fresh == 1 else 'fail'}." if fresh else "", more)
    return Answer(
        f"{', '.join(said)}: {', '.join(names[:_NAMED])}{rest}", "bad", " ".join(filter(None, told))
    )
