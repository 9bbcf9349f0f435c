"""A conversation as this rule looks at it: what was asked, what was said, and what came between."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from grice.checks.contradiction.asking import Asked, asked
from grice.checks.contradiction.consistency import Stance, Step
from grice.checks.contradiction.wordlists import Wordlists
from grice.records import Turn
from grice.text import shorten
from grice.text.normalised import Normalised, normalise
from grice.text.sentences import sentence_spans
from grice.text.words import words as words_of

__all__ = ["Said", "said_in"]

MAX_SHOWN = 80
MAX_REPLY = 20_000
"""Characters of a reply that are read, the first ones."""


class Said(msgspec.Struct, frozen=True, eq=False):
    """One reply: its turn, its prose with the places of its sentences, and what it answers.

    `tokens` are the words of each sentence, `keys` the stems by which it can be found, antonyms under one.

    `question` is the one that stands: that of this turn, or else the last one that has an answer. `looked_up`
    says that a tool was called before it.
    """

    turn: int
    prose: Normalised
    sentences: Sequence[tuple[int, int]]
    tokens: Sequence[Sequence[str]]
    keys: Sequence[frozenset[str]]
    turns: Sequence[bool]
    asked: Asked
    question: Asked | None
    looked_up: bool
    user: str

    def holds(self, position: str, start: int, end: int, step: Step, about: str = "") -> Stance:
        """What it holds, said at a place in its prose; "" takes the words themselves for the position."""
        first, last = self.prose.span(start, end)
        said = position or self.prose.original[first:last]
        return Stance(self.turn, said, first, last, shorten(about, MAX_SHOWN) if about else "", step)

    def sentence(self, place: int) -> str:
        """A sentence of the prose."""
        start, end = self.sentences[place]
        return self.prose.text[start:end]


def said_in(turns: Sequence[Turn], words: Wordlists) -> list[Said]:
    """The replies that have a text, in order. What the user asks to argue is nobody's own view."""
    found: list[Said] = []
    before: list[Asked] = []
    for turn in turns:
        ask = asked(turn.user, before, words)
        standing: Asked | None = ask
        if ask.mood == "question":
            before.append(ask)
        else:
            standing = next((one for one in reversed(before) if one.answerable), None)
        prose = normalise(turn.text[:MAX_REPLY])
        spans = sentence_spans(prose.text, words.lexicon.pack.code) if prose.text.strip() else ()
        if spans and not ask.plays:
            tokens = [[word.text for word in words_of(prose.text[start:end])] for start, end in spans]
            keys = [words.keys(said) for said in tokens]
            turning = [words.turns(one) for one in tokens]
            called = bool(turn.tool_calls)
            found.append(
                Said(turn.number, prose, spans, tokens, keys, turning, ask, standing, called, turn.user)
            )
    return found
