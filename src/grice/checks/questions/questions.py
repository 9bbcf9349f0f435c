"""The questions of a reply: what it asks the user, in its envelope and in its prose."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice, pairwise

import msgspec

from grice.checks.questions.phrases import begins_with, ends_with, question_words
from grice.checks.questions.slots import RequestedSlot, SlotTable, focus_of, slots_asked, spoken_words
from grice.checks.structure.envelope_parts import (
    DEFAULT_SHAPE,
    Envelope,
    EnvelopeShape,
    envelope_of,
    spoken_text,
)
from grice.text.normalised import normalise
from grice.text.packs.records import QuestionWords

MAX_QUESTIONS = 100
MAX_LENGTH = 2_000
MAX_REMEMBERED = 10_000
SAME = 0.8
"""The share of common words from which two questions are the same one reworded."""

_CLAUSE_END = re.compile(
    r"(?<![.!])[.!]++(?=[\s\"')\]]|$)|(?<![?\u061f])[?\u061f]++(?![\w=&/%#-])|[\u3002\uff01\uff1f]|\n"
)
_WORD = re.compile(r"[^\W_]")
_ASKING = frozenset("?\u061f\uff1f")

_LAST_CLAUSE = re.compile(r"[,;:]\s|\s-\s")


class Question(msgspec.Struct, frozen=True):
    """One question, or a clarifier of the envelope.

    `start` and `end` are its place in the text that the user reads; None for a clarifier, which has a
    `path`. An `option` is a clarifier that is an answer to choose. An `offer` asks what to do next, not for
    anything about the user. `asked` are the slots that it asks for. It has `parts`: what is the model, and
    are you on Wi-Fi? `choice` are the stems of what it offers to choose from: a refund or a replacement?
    """

    text: str
    start: int | None = None
    end: int | None = None
    path: str | None = None
    option: bool = False
    offer: bool = False
    asked: tuple[RequestedSlot, ...] = ()
    key: tuple[str, ...] = ()
    parts: int = 1
    choice: frozenset[str] = frozenset()
    language: str = "en"


def questions_of(
    subject: object, table: SlotTable | None, shape: EnvelopeShape = DEFAULT_SHAPE
) -> list[Question]:
    """The questions of a reply, its clarifiers first."""
    found: list[Question] = []
    envelope = envelope_of(subject, shape)
    if isinstance(envelope, Envelope):
        chosen = [one for one in envelope.clarifiers if one.value not in shape.free_choice]
        found += [_of_label(one.label, one.path, table) for one in chosen]
    text = spoken_text(subject, shape)
    found += (
        _remembered(text, table)
        if len(text) <= MAX_REMEMBERED
        else islice(_in_text(text, table), MAX_QUESTIONS)
    )
    return found[:MAX_QUESTIONS]


def same_wording(one: Question, other: Question) -> bool:
    """Whether two questions say the same in nearly the same words."""
    if one.key == other.key:
        return bool(one.key)
    if one.choice and one.choice == other.choice:
        return True
    mine, theirs = set(one.key), set(other.key)
    joined = len(mine | theirs)
    if min(len(mine), len(theirs)) < 2:
        return False
    return len(mine & theirs) / joined >= SAME and not _numbers(mine) ^ _numbers(theirs)


def _numbers(words: set[str]) -> set[str]:
    return {word for word in words if any(map(str.isdigit, word))}


def _of_label(label: str, path: str, table: SlotTable | None) -> Question:
    words, language = spoken_words(label), _language(table)
    known = question_words(language)
    is_question = label.rstrip(" \u200b*_\"')").endswith(tuple(_ASKING)) or bool(
        words and words[0] in known.label_questions
    )
    asked = slots_asked(label, table, is_question=True) if table is not None else []
    option = not is_question and not asked
    key = _key(words, known)
    return Question(label, None, None, path, option, False, tuple(asked), key, language=language)


@lru_cache(maxsize=256)
def _remembered(text: str, table: SlotTable | None) -> tuple[Question, ...]:
    """The questions of a text: those of the turns before are wanted with every reply."""
    return tuple(_in_text(text, table))


def _in_text(text: str, table: SlotTable | None) -> Iterator[Question]:
    prose, language = normalise(text), _language(table)
    known = question_words(language)
    start = 0
    for end, mark in _ends(prose.text):
        piece = prose.text[start:end]
        lead = len(piece) - len(piece.lstrip())
        bare = piece.strip()
        if len(bare) <= MAX_LENGTH and _WORD.search(bare):
            is_question = mark[:1] in _ASKING
            asked = slots_asked(bare, table, is_question=is_question) if table is not None else []
            if is_question or asked:
                words = spoken_words(bare)
                first, last = prose.span(start + lead, start + lead + len(bare))
                offer = not asked and (
                    _is_offer(words, known) or _is_offer(spoken_words(_LAST_CLAUSE.split(bare)[-1]), known)
                )
                yield Question(
                    text[first:last],
                    first,
                    last,
                    None,
                    False,
                    offer,
                    tuple(asked),
                    _key(words, known),
                    _parts(words, known),
                    _choice(words, language),
                    language,
                )
        start = end


def _ends(text: str) -> Iterator[tuple[int, str]]:
    for found in _CLAUSE_END.finditer(text):
        yield found.end(), found[0]
    yield len(text), ""


def _language(table: SlotTable | None) -> str:
    return table.language if table is not None else "en"


def _is_offer(words: list[str], known: QuestionWords) -> bool:
    place = 0
    while place < len(words) and words[place] in known.leads:
        place += 1
    if any(begins_with(words, start, known.offers) for start in {0, place}):
        return True
    if not known.pointing.isdisjoint(words):
        return True  # about what is shown just now
    if known.alternatives.isdisjoint(words) and begins_with(words, place, known.offer_leads):
        return True
    return bool(words) and ends_with(words, len(words) - 1, known.last_offers)


def _parts(words: list[str], known: QuestionWords) -> int:
    """How many questions are joined by "and" in one."""
    after = pairwise(words)
    return 1 + sum(one in known.joining and two in known.asking_back for one, two in after)


def _choice(words: list[str], language: str) -> frozenset[str]:
    """The stems of the words on both sides of the one "or" of a question."""
    places = [place for place, word in enumerate(words) if word in question_words(language).alternatives]
    if len(places) != 1:
        return frozenset()
    [place] = places
    before = focus_of(words[max(0, place - 1) : place], language=language)
    after = focus_of(words[place + 1 : place + 3][-2:], language=language)
    return before | after if before and len(after) == 1 and before != after else frozenset()


def _key(words: list[str], known: QuestionWords) -> tuple[str, ...]:
    """The words by which a question is known, without those that only make it polite."""
    kept = tuple(word for word in words if word not in known.little and word not in known.leads)
    return kept or tuple(words)
