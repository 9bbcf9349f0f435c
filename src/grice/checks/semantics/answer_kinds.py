"""Whether a question gets the kind of answer that it asks for: a price, a time, a number, a yes or no."""

from __future__ import annotations

import re
from functools import lru_cache

from grice.text.money import money_in
from grice.text.packs.pack import LanguagePack
from grice.text.times import moments
from grice.text.words import words

PRICE = "a price"

FAR_ENOUGH = 300
"""The characters of the reply in which the answer is looked for."""

_PRICE = re.compile(
    r"\b(?:how much|what(?:'s| is| are| does| do) .{0,40}\b(?:price|cost|fee|rate|charge)s?)\b"
)
_TIME = re.compile(r"\b(?:when|what time|how (?:long|soon|late|early)|which day|what day)\b")
_NUMBER = re.compile(r"\bhow (?:many|big|large|tall|heavy|far|old|wide)\b")
_CLOSED = re.compile(
    r"(?:^|[.!?;,]\s*|\band |\bso )"
    r"(?:is|are|was|were|do|does|did|can|could|may|will|would|should|has|have|must)(?:n't)? "
    r"(?:i|you|we|they|he|she|it|there|this|that|these|those|the|my|your|our|any|an?)\b"
)
_SPAN = re.compile(r"\b(?:minutes?|hours?|days?|weeks?|months?|years?|tomorrow|today|tonight|now)\b")


def answers_in_kind(question: str, reply: str, pack: LanguagePack) -> str:
    """What the reply gives of the kind that the question asks for, "" where it asks or gets none.

    English only; the question's own words say what it asks for.
    """
    if pack.code != "en":
        return ""
    asked, head = question.lower().replace("\u2019", "'"), reply[:FAR_ENOUGH]
    if _PRICE.search(asked):
        return PRICE if money_in(head) else ""
    if _TIME.search(asked):
        return "a time" if moments(head, pack) or (_SPAN.search(head) and _has_number(head)) else ""
    if _NUMBER.search(asked):
        return "a number" if _has_number(head) else ""
    if _CLOSED.search(asked) and "?" in asked:
        return "a yes or no" if _opens_with_answer(head, pack) else ""
    return ""


def _has_number(text: str) -> bool:
    return any(character.isdigit() for character in text)


def _opens_with_answer(head: str, pack: LanguagePack) -> bool:
    told = tuple(word.text for word in words(head)[:4])
    return any(told[: len(phrase)] == phrase for phrase in _answers(pack))


@lru_cache(maxsize=4)
def _answers(pack: LanguagePack) -> frozenset[tuple[str, ...]]:
    return frozenset(tuple(one.split()) for one in (*pack.yes_words, *pack.no_words) if len(one) > 1)
