"""What a sentence asks for, and what it only names."""

from __future__ import annotations

from collections.abc import Sequence

from grice.checks.questions.phrases import begins_with, ends_with
from grice.text.packs.records import QuestionWords


def request_end(words: Sequence[str], known: QuestionWords) -> int | None:
    """The place behind the first words that request something; None without any."""
    for place in range(len(words)):
        end = begins_with(words, place, known.requests)
        if end and known.conditions.isdisjoint(words[end : end + 1]):
            return end
    return None


def is_asked(
    words: Sequence[str], place: int, request: int | None, known: QuestionWords, *, is_question: bool
) -> bool:
    """Whether a noun at this place is what the sentence asks for, and not only named in it."""
    request = request if request is not None and request <= place else None
    if is_question and place <= 4 and len(words) <= place + 5 and known.before_bare.issuperset(words[:place]):
        return True
    for back in range(place - 1, max(-1, place - 9), -1):
        if request is not None and back < request:
            return True
        if ends_with(words, back, known.wh):
            return True
        if words[back] in known.not_asked and place - back <= 4:
            return False
        if is_question and _is_wanted(words, back, known):
            return True
    return request is not None and place - request <= 25 and not _promises(words[request:place], known)


def _is_wanted(words: Sequence[str], place: int, known: QuestionWords) -> bool:
    """Whether the word at this place of a question asks for the noun behind it."""
    word = words[place]
    return (
        ends_with(words, place, known.wanting)
        or (word in known.any_words and place <= 4)
        or (word in known.having and not known.anyone.isdisjoint(words[:place]))
    )


def _promises(words: Sequence[str], known: QuestionWords) -> bool:
    """Whether a request goes over into what the assistant does: and I'll upgrade your cabin class."""
    return any(begins_with(words, place, known.promises) for place in range(len(words)))
