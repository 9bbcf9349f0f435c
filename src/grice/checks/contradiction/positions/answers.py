"""The answer that a reply begins with: yes, no, both, or none."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Literal

import msgspec

from grice.checks.contradiction.positions.clauses import Reading
from grice.checks.contradiction.positions.stance_words import (
    ANSWER_FOLLOWERS,
    BEFORE_ANSWER,
    MIXED_ANSWERS,
    NO_ANSWERS,
    WEAK_ANSWERS,
    YES_ANSWERS,
)
from grice.text.words import Word, words

__all__ = ["Answer", "leading_answer"]

_SENTENCES = 3
_SKIPPED = 6
_LOOKED_AT = 400
_PAUSE = re.compile(r"[,.!?:;)\n]|\s-+\s|\u2026")
_POLITE = re.compile(
    r"\b(?:thank|thanks|question|hello|hi|hey|sorry|apolog\w+|understand|hear|happy|glad"
    r"|welcome|appreciate|good"
    r"|great|point|right|check\w*|see|sure|respect)\b"
)
_CLAIMS = re.compile(r"\b(?:not|\w+n't|should|must|cannot|never)\b")
_OF_WORDS = re.compile(
    r"\W*(?:(?:i'm|i am|we're|we are) not (?:saying|suggesting|claiming|arguing|implying)"
    r"|(?:i|we) (?:didn't|did not|don't|do not|never) (?:say|said|mean|meant|claim|claimed|suggest|suggested"
    r"|imply|implied))\b",
    re.IGNORECASE,
)
"""What goes on to tell what one's own words mean: the "no" before it answers how they were understood."""
_THUMBS = {"\U0001f44d": "yes", "\U0001f44e": "no"}


class Answer(msgspec.Struct, frozen=True, gc=False):
    """A leading answer. `start` and `end` are offsets into the prose; `strong` leaves no doubt that it
    answers something. `sentence` counts from 0.
    """

    position: Literal["yes", "no", "mixed"]
    start: int
    end: int
    strong: bool
    sentence: int


def leading_answer(reading: Reading) -> Answer | None:
    """The answer at the beginning of a reply, behind greetings and thanks.

    A particle that goes on to be something else is none: "no problem", "no doubt", "no refunds are given".
    """
    text = reading.text
    begins = text.lstrip(" \n\"'")
    if begins[:1] in _THUMBS:
        place = len(text) - len(begins)
        return Answer(_THUMBS[begins[0]], place, place + 1, False, 0)  # type: ignore[arg-type]
    for number, (start, end) in enumerate(reading.sentences[:_SENTENCES]):
        sentence = text[start : min(end, start + _LOOKED_AT)]
        found = _answer(sentence, start, number)
        if found is not None:
            return None if _OF_WORDS.match(text, found.end) else found
        lowered = sentence.lower()
        if len(sentence) > 90 or not _POLITE.search(lowered) or _CLAIMS.search(lowered):
            return None
    return None


def _answer(sentence: str, shift: int, number: int) -> Answer | None:
    found = words(sentence)
    for place in range(min(_SKIPPED + 1, len(found))):
        for phrase, position, strong in _answers().get(found[place].text, ()):
            end = place + len(phrase)
            if tuple(word.text for word in found[place:end]) == phrase and _ends(
                sentence, found, end, phrase
            ):
                start = shift + found[place].start
                return Answer(position, start, shift + found[end - 1].end, strong, number)
        if found[place].text not in BEFORE_ANSWER:
            return None
    return None


def _ends(sentence: str, found: Sequence[Word], end: int, phrase: tuple[str, ...]) -> bool:
    """Whether the words before `end` are an answer of their own."""
    if end == len(found) or phrase == ("yes",):
        return True
    between = sentence[found[end - 1].end : found[end].start]
    if phrase == ("no",) and between.startswith(".") and found[end].text.isdigit():
        return False  # No. 5
    return _PAUSE.search(between) is not None or found[end].text in ANSWER_FOLLOWERS


@lru_cache(maxsize=1)
def _answers() -> dict[str, list[tuple[tuple[str, ...], Literal["yes", "no", "mixed"], bool]]]:
    tables: dict[str, list[tuple[tuple[str, ...], Literal["yes", "no", "mixed"], bool]]] = {}
    weak = frozenset(WEAK_ANSWERS)
    named: tuple[tuple[tuple[str, ...], Literal["yes", "no", "mixed"]], ...] = (
        (MIXED_ANSWERS, "mixed"),
        (NO_ANSWERS, "no"),
        (YES_ANSWERS, "yes"),
    )
    for phrases, position in named:
        for phrase in phrases:
            parts = tuple(phrase.split())
            tables.setdefault(parts[0], []).append((parts, position, phrase not in weak))
    for entries in tables.values():
        entries.sort(key=lambda one: -len(one[0]))
    return tables
