"""Which words of a sentence are denied."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Literal

from grice.text.packs.pack import LanguagePack
from grice.text.words import Word

_Reach = Literal["", "clause", "noun", "word"]

_STOP = re.compile(r"[.!?;:\n()\[\]\u3002\uff01\uff1f\u061f\u0964\u2026]|\s[-\u2013]\s|\u2014")
_AHEAD = 4


def negated(text: str, found: Sequence[Word], pack: LanguagePack) -> list[bool]:
    """For each word of the text, whether it stands in the scope of a negation.

    A scope runs from the negation (not, n't, never, hardly, far from) to the end of its clause: a full
    stop, a comma or "and" before a clause of its own, "but". That of "no" and "without" ends with their
    noun, before a preposition or a comma, and that of "non-" with the next word. Two negations cancel. The
    negation itself is not in its scope. "not only", "no problem", "no more than" and a "no" that answers
    deny nothing.
    """
    denied = [False] * len(found)
    starts, endings = _beginnings(pack), pack.negation_endings
    scopes: list[_Reach] = []
    place = 0
    while place < len(found):
        word = found[place].text
        may = word in starts or (endings and word.endswith(endings))
        if not may and not scopes:  # most words
            place += 1
            continue
        if place and scopes:
            scopes = _still_open(scopes, text, found, place, pack)
        length, reach = _negation_at(text, found, place, pack) if may else (0, "")
        if length:
            for inside in range(place, place + length):
                denied[inside] = len(scopes) % 2 == 1
            place += length
            if reach and found[place - 1].text in pack.clause_words | {"nor"}:
                scopes = []
            if reach and scopes[-2:] == [reach, reach]:
                scopes.pop()  # two cancel: a thousand in a row are not kept
            elif reach:
                scopes.append(reach)
            continue
        denied[place] = len(scopes) % 2 == 1
        scopes = [reach for reach in scopes if reach != "word"]
        place += 1
    return denied


def negations(text: str, found: Sequence[Word], pack: LanguagePack) -> list[bool]:
    """For each word, whether it is (part of) a negation that denies something."""
    marks = [False] * len(found)
    place = 0
    while place < len(found):
        length, reach = _negation_at(text, found, place, pack)
        for inside in range(place, place + length):
            marks[inside] = bool(reach)
        place += length or 1
    return marks


def _negation_at(text: str, found: Sequence[Word], place: int, pack: LanguagePack) -> tuple[int, _Reach]:
    """How many words the negation at a place has, 0 without one, and how far it reaches; "" for nowhere."""
    word = found[place].text
    affirming, denying = _phrases(pack)
    for table, reach in ((affirming, ""), (denying, "clause")):
        for phrase in table.get(word, ()):
            if _is_phrase(text, found, place, phrase):
                return len(phrase), reach  # type: ignore[return-value]
    if word in pack.noun_negations:
        return (1, "") if _answers(text, found, place, pack) else (1, "noun")
    if word in pack.word_negations:
        return 1, "word"
    if word in pack.negations or (pack.negation_endings and word.endswith(pack.negation_endings)):
        return 1, "clause"
    return 0, ""


@lru_cache(maxsize=8)
def _beginnings(pack: LanguagePack) -> frozenset[str]:
    """The words with which a negation, or what looks like one, begins; some more by their endings."""
    affirming, denying = _phrases(pack)
    return frozenset({*affirming, *denying, *pack.noun_negations, *pack.word_negations, *pack.negations})


@lru_cache(maxsize=8)
def _phrases(pack: LanguagePack) -> tuple[dict[str, list[tuple[str, ...]]], dict[str, list[tuple[str, ...]]]]:
    tables: list[dict[str, list[tuple[str, ...]]]] = [{}, {}]
    for table, phrases in zip(tables, (pack.not_negations, pack.negation_phrases), strict=True):
        for phrase in sorted(phrases, key=len, reverse=True):
            parts = tuple(phrase.split())
            table.setdefault(parts[0], []).append(parts)
    return tables[0], tables[1]


def _is_phrase(text: str, found: Sequence[Word], place: int, phrase: tuple[str, ...]) -> bool:
    end = place + len(phrase)
    if end > len(found) or any(found[place + step].text != part for step, part in enumerate(phrase)):
        return False
    return text[found[place].end : found[end - 1].start].count("\n") == 0


def _answers(text: str, found: Sequence[Word], place: int, pack: LanguagePack) -> bool:
    """Whether a "no" is an answer of its own and no word about a noun: "No, it is", "No it isn't", "No."."""
    if place + 1 == len(found):
        return True
    between = text[found[place].end : found[place + 1].start]
    if between.strip(" \t*_\"'"):
        return "-" not in between
    following = found[place + 1].text
    return found[place].text in pack.no_words and following in pack.pronouns


def _still_open(
    scopes: list[_Reach], text: str, found: Sequence[Word], place: int, pack: LanguagePack
) -> list[_Reach]:
    """The scopes that go on over the gap before a word."""
    between = text[found[place - 1].end : found[place].start]
    word = found[place].text
    if _STOP.search(between) or word in pack.clause_words:
        return []
    comma = "," in between
    ends_noun = comma or word in _noun_ends(pack) or (word in pack.pronouns and place > 1)
    if "noun" in scopes and ends_noun:
        scopes = [reach for reach in scopes if reach != "noun"]
    if scopes and (comma or word in pack.joining_words) and _new_clause(text, found, place, pack):
        return []
    return scopes


@lru_cache(maxsize=8)
def _noun_ends(pack: LanguagePack) -> frozenset[str]:
    """Words that cannot stand inside the noun that "no" denies."""
    return (pack.prepositions | pack.clause_verbs) - {"of"}


def _new_clause(text: str, found: Sequence[Word], place: int, pack: LanguagePack) -> bool:
    """Whether the words from a place on are a clause of their own: a subject or a finite verb comes soon."""
    if found[place].text in pack.joining_words:
        place += 1
    for step, word in enumerate(found[place : place + _AHEAD]):
        if step and re.search(r"[,.!?;:\n]", text[found[place + step - 1].end : word.start]):
            return False
        if word.text in pack.clause_verbs or (step == 0 and word.text in pack.pronouns):
            return True
    return False
