"""Runs of words in a text, and the words by which questions are known."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from grice.text.packs import vocabulary
from grice.text.packs.records import QuestionWords

Runs = tuple[str, ...]


def has_question_words(language: str) -> bool:
    """Whether the language has words of its own by which questions are known."""
    return vocabulary(QuestionWords, language) is not None


def question_words(language: str = "en") -> QuestionWords:
    """The words of a language; those of English for one that has none."""
    return vocabulary(QuestionWords, language) or vocabulary(QuestionWords, "en") or QuestionWords()


@lru_cache(maxsize=64)
def _by_first_word(runs: Runs) -> dict[str, list[tuple[str, ...]]]:
    index: dict[str, list[tuple[str, ...]]] = {}
    for run in runs:
        parts = tuple(run.split())
        index.setdefault(parts[0], []).append(parts)
    return index


def begins_with(words: Sequence[str], place: int, runs: Runs) -> int:
    """Where the first of these runs ends that stands at this place; 0 when none does."""
    for run in _by_first_word(runs).get(words[place], ()) if place < len(words) else ():
        if tuple(words[place : place + len(run)]) == run:
            return place + len(run)
    return 0


@lru_cache(maxsize=64)
def _by_last_word(runs: Runs) -> dict[str, list[tuple[str, ...]]]:
    index: dict[str, list[tuple[str, ...]]] = {}
    for run in runs:
        parts = tuple(run.split())
        index.setdefault(parts[-1], []).append(parts)
    return index


def ends_with(words: Sequence[str], place: int, runs: Runs) -> bool:
    """Whether one of these runs ends with the word at this place."""
    return any(
        len(run) <= place + 1 and tuple(words[place + 1 - len(run) : place + 1]) == run
        for run in _by_last_word(runs).get(words[place], ())
    )
