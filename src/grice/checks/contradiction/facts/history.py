"""A talk as it goes: what was said, and what contradicts it without a reason."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from grice.checks.contradiction.facts.comparing import Conflict, Difference, agreement, difference
from grice.checks.contradiction.facts.results import Results
from grice.checks.contradiction.facts.sayings import Saying, sayings_of
from grice.checks.contradiction.facts.values import Value
from grice.checks.contradiction.facts.vocabulary import Vocabulary
from grice.claims.terms import parse_text
from grice.records import ToolCall
from grice.text.normalised import normalise
from grice.text.quantities import Quantity
from grice.text.times import Moment

__all__ = ["History"]

MAX_BESIDE = 20
"""Sayings that share a word with a later one and are held against it, the last ones."""

MAX_HEARD = 4_000
MAX_QUESTION, MAX_FOLLOWING, MAX_BARE = 12, 6, 3
"""Words of a question of which "it" may speak, of one that goes on with the last, of a mere name."""

_BEARING = frozenset(("money", "clock", "date", "choice"))
"""What changes with what the user asks for; a weight or a warranty does not."""


class _Heard(msgspec.Struct, frozen=True):
    """What the user said before a reply: its stems and values, and what it may be.

    `changes` something or `follows` up ("And the large one?"); `question` is what the reply answers.
    """

    stems: frozenset[str] = frozenset()
    values: tuple[Value, ...] = ()
    changes: bool = False
    follows: bool = False
    question: str = ""


class History:
    """What was said so far. Turns are taken in order; `take` gives what contradicts in the next one."""

    def __init__(self, words: Vocabulary, *, tool_results: bool) -> None:
        self.stated = self.compared = self.corrected = 0
        self._words, self._tool_results = words, tool_results
        self._by_key: dict[str, list[Saying]] = {}
        self._heard: dict[int, _Heard] = {}
        self._results = Results(words)

    def take(self, turn: int, user: str, text: str, calls: Sequence[ToolCall] = ()) -> list[Conflict]:
        """What contradicts in a reply, against itself, all before it and what tools told."""
        heard = self._heard[turn] = _hear(user[:MAX_HEARD], self._words)
        for call in calls:
            self._results.take(call, turn)
        found: list[Conflict] = []
        reply = sayings_of(text, turn, self._words, heard.question)
        for one in reply:
            self.stated += len(one.values) or bool(one.terms and not one.listed and "i" not in one.marks)
            conflict = self._against_results(one) or self._against_earlier(one, reply)
            if conflict is not None and not any(each.later.quote == one.quote for each in found):
                found.append(conflict)
            for key in one.keys:
                self._by_key.setdefault(key, []).append(one)
        return found

    def _against_results(self, one: Saying) -> Conflict | None:
        conflict = self._results.against(one) if self._tool_results else None
        if conflict is None or "corrects" in one.marks:
            return None
        since = range(conflict.earlier.turn + 1, one.turn + 1)
        return None if any(self._heard[turn].changes for turn in since) else conflict

    def _against_earlier(self, one: Saying, reply: list[Saying]) -> Conflict | None:
        """The conflict with an earlier saying, where no other of the same thing says something else."""
        beside = {id(each): each for key in one.keys for each in self._by_key.get(key, ())[-MAX_BESIDE:]}
        found: list[Conflict] = []
        for other in beside.values():
            if (other.turn, other.start) == (one.turn, one.start) or (one.listed and other.listed):
                continue
            apart = difference(other, one, self._words)
            if apart is None:
                continue
            self.compared += 1
            if apart.same:
                return None
            if not self._is_explained(other, one, apart, reply):
                found.append(Conflict(other, one, apart))
            else:
                self.corrected += "corrects" in one.marks
        values = {each.difference.earlier.said for each in found if each.difference.earlier is not None}
        return found[-1] if found and len(values) < 2 else None

    def _is_explained(self, one: Saying, other: Saying, apart: Difference, reply: list[Saying]) -> bool:
        """Whether something makes the later of two sayings no contradiction."""
        if "corrects" in other.marks or (apart.later is None and "since" in one.marks | other.marks):
            return True
        if apart.later is not None and apart.later.measure == "money" and " plus " in one.quote:
            return True
        if self._results.tell(apart, other, one.turn):
            return True
        return any(
            self._heard[turn].changes or self._gives_premise(turn, one, other, apart, reply)
            for turn in range(one.turn + 1, other.turn + 1)
        )

    def _gives_premise(
        self, turn: int, one: Saying, other: Saying, apart: Difference, reply: list[Saying]
    ) -> bool:
        """Whether the user spoke of something else before the later of two sayings."""
        heard, last = self._heard[turn], turn == other.turn
        new = heard.stems - one.words - one.terms.keys() - self._words.stems["empty"]
        bears = apart.later is None or apart.later.measure in _BEARING
        if (bears or heard.follows) and new & other.words and other.turn - turn <= 1:
            return True
        shared = one.words & other.words
        restates = len(shared) > 1 or bool(shared & (one.names | other.names))
        if bears and last and heard.follows and not restates:
            new -= self._words.lexicon.frame
            answered = self._results.words_of(turn).union(*(each.keys for each in reply if each is not other))
            if new and not new & answered:
                return True
        return _names_value(heard, one, apart, self._words, last=last)


def _names_value(heard: _Heard, one: Saying, apart: Difference, words: Vocabulary, *, last: bool) -> bool:
    """Whether the user gave a date or number that the new value may come from, or the new value."""
    new = [value for value in heard.values if not any(agreement(old, value) == "same" for old in one.values)]
    dated = any(isinstance(value.value, Moment) and value.value.kind != "time" for value in new)
    later = apart.later
    if later is None:
        return last and heard.follows and any(isinstance(value.value, Moment) for value in new)
    if later.measure == "clock" and dated:
        return True
    if later.measure == "money" and new and later.attribute not in words.stems["charges"]:
        return True
    given = later.measure in _BEARING or later.measure in words.tokens["labels"]
    return given and any(agreement(later, value) == "same" for value in new)


def _hear(user: str, words: Vocabulary) -> _Heard:
    text = normalise(user).text
    reading = parse_text(text, words.lexicon)
    said = [word.text for word in reading.tokens]
    if not said:
        return _Heard()
    folded = f" {' '.join(said)} "
    questions = words.lexicon.pack.question_words
    follows = len(said) <= MAX_FOLLOWING and words.tokens["verbs"].isdisjoint(said)
    begins = "?" in text and said[0] not in questions
    asks = text.rstrip().endswith("?") and len(said) <= MAX_QUESTION
    found: list[Quantity | Moment] = [*reading.quantities, *reading.moments, *reading.codes]
    return _Heard(
        frozenset(term.stem for term in reading.terms if not term.counted) - words.lexicon.opinion,
        tuple(Value("", _value(one, text), text[one.start : one.end], one.start, one.end) for one in found),
        words.has("changes", folded),
        (follows and (begins or len(said) <= MAX_BARE)) or words.has("follows", folded),
        text if asks else "",
    )


def _value(one: Quantity | Moment, text: str) -> Quantity | Moment | str:
    is_code = isinstance(one, Quantity) and one.dimension == "name"
    return text[one.start : one.end] if is_code else one
