"""Compare the side that a long reply argues for with that of the reply before."""

from __future__ import annotations

from collections.abc import Iterator

from grice.checks.contradiction.consistency import Comparison
from grice.checks.contradiction.parsed_reply import ParsedReply
from grice.checks.contradiction.sentence_index import Talk
from grice.checks.contradiction.stated_answers import is_same
from grice.checks.contradiction.wordlists import Wordlists

LEAST = 0.1
"""A weight nearer to nothing takes no side: the reply only weighs up."""


def argued_sides(talk: Talk, words: Wordlists) -> Iterator[Comparison]:
    """Compare the side of each long reply with that of the one before, on the same question."""
    last: tuple[ParsedReply, float] | None = None
    for one in talk.said:
        weight = one.weight if one.question is not None and one.question.polar else None
        if weight is None or abs(weight) <= LEAST:
            continue
        if last is not None and _is_of_one(last[0], one, words):
            yield _compared(last[0], last[1], one, weight)
        last = one, weight


def _is_of_one(before: ParsedReply, one: ParsedReply, words: Wordlists) -> bool:
    """Whether two replies answer one question."""
    assert before.question is not None
    assert one.question is not None
    return is_same(before.question, one.question, before, words)


def _compared(before: ParsedReply, earlier: float, one: ParsedReply, later: float) -> Comparison:
    assert one.question is not None
    first, last = (
        each.holds("yes" if weight > 0 else "no", *each.sentences[0], "argument", one.question.text)
        for each, weight in ((before, earlier), (one, later))
    )
    return Comparison("argument", first, last, (earlier > 0) != (later > 0))
