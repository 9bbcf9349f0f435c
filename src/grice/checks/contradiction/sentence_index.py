"""An index of the sentences of a conversation by their words; sentences are parsed when compared."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from grice.checks.contradiction.acknowledgement import acknowledges
from grice.checks.contradiction.opening_answer import answer_of
from grice.checks.contradiction.parsed_reply import ParsedReply
from grice.checks.contradiction.statements import MAX_ELLIPTIC, Statement, stands_for_another, statements_in
from grice.checks.contradiction.wordlists import Wordlists

MAX_BESIDE = 12
"""Sentences with one word that a later one is held against, the last ones."""

MAX_LEAD = 4
"""Words that open a sentence, among which "it" leans on what was said before."""

Place = tuple[int, int]
"""A reply, and one of its sentences; -1 for its answer to what was asked."""


class Talk:
    """The replies of a conversation. `said` has all of them, `since` for each the first reply that no tool
    call separates from it.
    """

    def __init__(self, said: Sequence[ParsedReply], words: Wordlists) -> None:
        self.said, self._words = said, words
        self.since: list[int] = []
        for number, one in enumerate(said):
            self.since.append(number if one.looked_up or not number else self.since[-1])
        self._read: dict[Place, list[Statement]] = {}
        self._keys: dict[Place, frozenset[str]] = {}

    def turns(self, place: Place) -> bool:
        """Whether a sentence may reverse another: it has a negation, an antonym or a word of opposing."""
        return place[1] < 0 or self.said[place[0]].turns[place[1]]

    def counts(self, place: Place) -> bool:
        """Whether a sentence has a value, such as a number or a weekday."""
        values = self._words.groups["values"]
        said = self.said[place[0]].tokens[place[1]] if place[1] >= 0 else ()
        return any(one[0].isdigit() or one in values for one in said)

    def places(self) -> Iterator[Place]:
        """The sentences in order, each reply's answer first, without replies that argue at length."""
        for here, one in enumerate(self.said):
            if one.weight is None:
                for place in range(-1, len(one.sentences)):
                    yield here, place

    def denies_of_speaker(self, place: Place) -> bool:
        """Whether a sentence denies something of its speaker: "I don't cook"."""
        return (
            place[1] >= 0
            and self.turns(place)
            and not self._words.groups["i"].isdisjoint(self.said[place[0]].tokens[place[1]])
        )

    def keys(self, place: Place) -> frozenset[str]:
        """The stems by which a sentence is found."""
        found = self._keys.get(place)
        if found is None:
            found = self._keys[place] = self._found_by(*place)
        return found

    def own(self, place: Place) -> frozenset[str]:
        """The keys that the sentence itself has."""
        return self.said[place[0]].keys[place[1]] if place[1] >= 0 else frozenset()

    def _found_by(self, here: int, place: int) -> frozenset[str]:
        one = self.said[here]
        if place < 0:
            return one.message.words if one.message.mood == "question" and one.message.polar else frozenset()
        keys = one.keys[place]
        keys = self._words.with_kinds(keys)
        return keys | self._topic(here, place) if self.leans(here, place) else keys

    def leans(self, here: int, place: int) -> bool:
        """Whether a sentence refers to what was said before it: "It is."."""
        if place < 0:
            return False
        one, tokens = self.said[here], self.said[here].tokens[place]
        opens = tokens if ": " in one.sentence(place) else tokens[:MAX_LEAD]
        return len(tokens) <= MAX_ELLIPTIC or stands_for_another(opens, tokens, self._words)

    def statements(self, place: Place) -> list[Statement]:
        """What a sentence, or the answer of a reply, states."""
        found = self._read.get(place)
        if found is None:
            one, sentence = self.said[place[0]], place[1]
            if sentence < 0:
                found = list(_answer_statements(one, self._words))
            else:
                found = statements_in(one, sentence, self._topic(*place), self._words)
            self._read[place] = found
        return found

    def _topic(self, here: int, place: int) -> frozenset[str]:
        """What "it" speaks of in a sentence: the sentence before it, or what was asked."""
        one = self.said[here]
        if place and one.keys[place - 1]:
            own = not self._words.groups["i"].isdisjoint(one.tokens[place - 1])
            if not (own and acknowledges(one.sentence(place - 1), self._words)):
                return one.keys[place - 1]
        return one.question.words if one.question is not None else frozenset()


class Index:
    """Finds earlier sentences by shared keys, as a step goes through a conversation. With `ignored` words
    given, neither these nor numbers count: a step that compares values sets them aside.
    """

    def __init__(self, talk: Talk, ignored: frozenset[str] = frozenset()) -> None:
        self._talk, self._ignored = talk, ignored
        self._by_key: dict[str, list[tuple[Place, int]]] = {}

    def add(self, place: Place) -> None:
        """Add a place for later ones to be compared with."""
        keys = self._keys(place)
        entry = place, self._needed(place, keys)
        for key in keys:
            self._by_key.setdefault(key, []).append(entry)

    def beside(self, place: Place) -> list[Place]:
        """The places of earlier replies, the earliest first, that share two words with one, or all that one
        of them has itself.
        """
        keys, by_key = self._keys(place), self._by_key
        found: dict[tuple[Place, int], int] = {}
        for key in keys:
            for entry in by_key.get(key, ())[-MAX_BESIDE:]:
                found[entry] = found.get(entry, 0) + 1
        needed = self._needed(place, keys) if found else 0
        return sorted(  # keys have no order, and the first that reverses decides
            one
            for (one, theirs), shared in found.items()
            if shared >= min(needed, theirs) and one[0] < place[0]
        )

    def _keys(self, place: Place) -> frozenset[str]:
        return self._telling(self._talk.keys(place))

    def _telling(self, keys: frozenset[str]) -> frozenset[str]:
        if not self._ignored:
            return keys
        named = frozenset(one for one in keys if not one[0].isdigit())
        return named - self._ignored or named

    def _needed(self, place: Place, keys: frozenset[str]) -> int:
        """How many keys another is to share with a place: two, or all that its sentence has itself; one,
        where it denies something of its speaker or of "it".
        """
        if self._talk.denies_of_speaker(place) or (self._talk.turns(place) and self._talk.leans(*place)):
            return 1
        own = self._telling(self._talk.own(place))
        return min(2, len(own or keys))


def _answer_statements(one: ParsedReply, words: Wordlists) -> Iterator[Statement]:
    """The answer to a question as a statement."""
    ask = one.message
    answer = answer_of(one, ask, words) if not ask.chooses else None
    if answer is not None and answer.side in ("yes", "no"):
        sign = ask.sign if answer.side == "yes" else -ask.sign
        place = next(place for place, (_, end) in enumerate(one.sentences) if end > answer.start)
        limits = ask.limits | words.groups["limits"].intersection(one.tokens[place])
        yield Statement(
            *(one.turn, ask.words, sign, answer.start, answer.end, ask.words, ask.around, limits),
            answers=True,
            denied=answer.side == "no",
        )
