"""The replies of a conversation, each with its prose in sentences and with what it answers."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from msgspec.structs import replace

from grice.checks.contradiction.consistency import Stance, Step
from grice.checks.contradiction.user_message import LONGER_LOWERED, UserMessage, read_message
from grice.checks.contradiction.wordlists import Wordlists
from grice.records import Turn
from grice.text import shorten
from grice.text.normalised import Normalised, normalise
from grice.text.sentences import sentence_spans
from grice.text.words import Word
from grice.text.words import words as words_of

MAX_SHOWN = 80
MIN_WORDS, MIN_REASONS = 60, 6
"""Words of a reply that argues, and how many of them are for or against something."""

STANDS, DENIES, CONCEDES = 0.2, 0.1, 0.2
"""What it adds or takes that a reply stands by its view, finds fault, or opens with a concession; the
balance of its words for and against is from -1 to 1.
"""

MAX_STANDS, MAX_DENIES = 2, 3
HEAD = 350
"""Characters with which a reply opens."""
MAX_BEFORE = 50
"""Questions with which a later one may go on, the last ones."""

MAX_REPLY = 20_000
"""Characters of a reply that are read, the first ones."""


class ParsedReply(msgspec.Struct, frozen=True, eq=False):
    """One reply: its turn, its prose with the places of its sentences, and what it answers.

    `tokens` are the words of each sentence, `keys` the stems by which it can be found, antonyms under one;
    `turns` says of each whether it has a word that may turn a statement round.

    `question` is the one that stands: that of this turn, or else the last one that has an answer. `looked_up`
    says that a tool was called before it. `weight` is how much a long reply argues for what was asked, from
    about -2 to 2, None for one that argues nothing.
    """

    turn: int
    prose: Normalised
    sentences: Sequence[tuple[int, int]]
    tokens: Sequence[Sequence[str]]
    keys: Sequence[frozenset[str]]
    turns: Sequence[bool]
    message: UserMessage
    question: UserMessage | None
    looked_up: bool
    weight: float | None

    def holds(self, position: str, start: int, end: int, step: Step, about: str = "") -> Stance:
        """Make the stance that the reply takes at a place in its prose; with "" for a position, the words
        there are the position.
        """
        first, last = self.prose.span(start, end)
        said = position or self.prose.original[first:last]
        return Stance(self.turn, said, first, last, shorten(about, MAX_SHOWN) if about else "", step)

    def sentence(self, place: int) -> str:
        """A sentence of the prose."""
        start, end = self.sentences[place]
        return self.prose.text[start:end]


def parse_replies(turns: Sequence[Turn], words: Wordlists) -> list[ParsedReply]:
    """Parse the replies that have a text, in order, without those that play a part for the user."""
    found: list[ParsedReply] = []
    before: list[UserMessage] = []
    for turn in turns:
        ask = read_message(turn.user, before[-MAX_BEFORE:], words)
        standing: UserMessage | None = ask
        if ask.mood == "question":
            before.append(ask)
        else:
            standing = before[-1] if before else None
        prose = normalise(turn.text[:MAX_REPLY])
        prose = replace(prose, text=prose.text.replace(*LONGER_LOWERED))
        spans = sentence_spans(prose.text, words.lexicon.pack.code) if prose.text.strip() else ()
        if spans and not ask.plays:
            tokens = _by_sentence(words_of(prose.text), spans)
            keys = [words.keys(said) for said in tokens]
            turning = [words.turns(one) for one in tokens]
            called = bool(turn.tool_calls)
            weight = _weight(prose.text, tokens, words)
            found.append(
                ParsedReply(turn.number, prose, spans, tokens, keys, turning, ask, standing, called, weight)
            )
    return found


def _by_sentence(tokens: Sequence[Word], spans: Sequence[tuple[int, int]]) -> list[list[str]]:
    """The words of each sentence."""
    found: list[list[str]] = [[] for _ in spans]
    place = 0
    for word in tokens:
        while place < len(spans) and word.start >= spans[place][1]:
            place += 1
        if place < len(spans) and word.start >= spans[place][0]:
            found[place].append(word.text)
    return found


def _weight(prose: str, tokens: Sequence[Sequence[str]], words: Wordlists) -> float | None:
    """How much a long reply speaks for what was asked, by its words for and against; None where it argues
    nothing.
    """
    if sum(map(len, tokens)) < MIN_WORDS:
        return None
    speaks_for, speaks_against = (
        sum(word in words.groups[side] for said in tokens for word in said)
        for side in ("speaks_for", "speaks_against")
    )
    if speaks_for + speaks_against < MIN_REASONS:
        return None
    text, patterns = prose.lower(), words.patterns
    head = text[:HEAD]
    weight = (speaks_for - speaks_against) / (speaks_for + speaks_against)
    weight += STANDS * min(MAX_STANDS, sum(1 for _ in patterns["stands_by"].finditer(text)))
    weight -= DENIES * min(MAX_DENIES, sum(1 for _ in patterns["finds_fault"].finditer(text)))
    return weight - CONCEDES * (patterns["opens_conceding"].search(head) is not None)
