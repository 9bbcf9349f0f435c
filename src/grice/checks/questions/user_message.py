"""A user's message prepared for the search for values of slots."""

from __future__ import annotations

import re
from functools import cached_property, lru_cache

import msgspec

from grice.checks.questions.phrases import begins_with, question_words
from grice.checks.questions.slots import spoken_words
from grice.text.normalised import Normalised, normalise
from grice.text.packs.records import QuestionWords
from grice.text.sentences import sentence_spans

Span = tuple[int, int]
MAX_TEXT = 20_000


class UserMessage(msgspec.Struct, frozen=True, eq=False, dict=True):
    """A user's message prepared for the search for values: its prose, sentence by sentence, and its words."""

    prose: Normalised
    sentences: tuple[Span, ...]
    words: tuple[str, ...]
    language: str = "en"

    @property
    def phrases(self) -> QuestionWords:
        """The phrases of its language."""
        return question_words(self.language)

    @cached_property
    def forms(self) -> frozenset[str]:
        """The words, and what they are without the endings of the language."""
        endings = self.phrases.endings if self.phrases.compounds else ()
        cut = (word[: -len(one)] for word in self.words for one in endings if word.endswith(one))
        return frozenset((*self.words, *cut))

    @property
    def text(self) -> str:
        """The prose."""
        return self.prose.text


def read_message(message: str, language: str = "en") -> UserMessage:
    """The message, ready to be searched; what is beyond 20,000 characters is not looked at."""
    return _read_message(message[:MAX_TEXT], language)


@lru_cache(maxsize=256)
def _read_message(message: str, language: str) -> UserMessage:
    prose = normalise(message)
    return UserMessage(prose, sentence_spans(prose.text, language), tuple(spoken_words(prose.text)), language)


def is_no_answer(said: UserMessage) -> bool:
    """Whether the message answers nothing by its form: asks back, does not know, puts off, or greets."""
    text, known = folded(said.text), said.phrases
    if any(phrase in text for phrase in known.no_answer):
        return True
    if not said.words or known.idle.issuperset(said.words):
        return True
    return all(_asks_back(said.text[start:end], known) for start, end in said.sentences)


def _asks_back(sentence: str, known: QuestionWords) -> bool:
    words = [word for word in spoken_words(sentence[:200]) if word not in known.asking_leads]
    return (
        not words
        or (words[0] in known.asking_back and sentence.rstrip().endswith("?"))
        or known.idle.issuperset(words)
    )


def folded(text: str) -> str:
    """The text in lower case, with one space between words."""
    return " ".join(text.lower().split())


def sentence_words(said: UserMessage, place: int) -> list[str]:
    """The words of the sentence at this place of the prose."""
    start, end = next((one for one in said.sentences if one[0] <= place < one[1]), (0, 0))
    return spoken_words(said.text[start:end][:500])


def is_inquiry(said: UserMessage, place: int) -> bool:
    """Whether the place stands in a question: is the $399 one waterproof? What is told before the question,
    in a clause of its own, does not: I'm flying with two bags, can I choose a seat?"""
    start, end = next((one for one in said.sentences if one[0] <= place < one[1]), (0, 0))
    if not said.text[start:end].rstrip().endswith("?"):
        return False
    asking = said.phrases.asking_back
    first = spoken_words(said.text[start : min(start + 40, place)])[:1]
    behind = _CLAUSE.finditer(said.text, place, min(end, place + 500))
    told = bool(first) and asking.isdisjoint(first) and any(one[1].lower() in asking for one in behind)
    return not told


_CLAUSE = re.compile(r"[,;]\s+(?:(?:and|but|so|und|aber)\s+)?([^\W\d_]+)", re.IGNORECASE)


def is_told(said: UserMessage, span: Span) -> bool:
    """Whether the value is told: in no question, or the only one in a question that wants it (do you have
    it in green?)."""
    if not is_inquiry(said, span[0]):
        return True
    if not said.phrases.alternatives.isdisjoint(said.text[slice(*span)].split()):
        return False
    asking = sentence_words(said, span[0])
    if any(begins_with(asking, place, said.phrases.seeking) for place in range(len(asking))):
        return True
    return said.phrases.asking_back.isdisjoint(asking)
