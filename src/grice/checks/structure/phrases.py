"""The words by which questions, offers and answers are known: `phrases.en.json` beside this file."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import msgspec

__all__ = ["Phrases", "begins_with", "phrases"]

Words = frozenset[str]
Runs = tuple[str, ...]
"""Runs of words, casefolded, with one space between words."""


class Phrases(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Words and runs of words of English, by what they tell."""

    no_answer: Runs
    """They say that a message answers nothing: not sure, can you repeat."""
    any_answer: Runs
    """They leave the choice to the assistant, which is an answer: no preference."""
    idle: Words
    """A message of these alone says nothing."""
    asking_back: Words
    """A sentence that begins so and ends in a question mark asks back."""
    not_budget: Words
    """An amount beside these is no budget: shipping, paid."""
    budget_words: Words
    """An amount beside these is one: under, spend."""
    past: Words
    """A date beside these is past: ordered, last."""
    no_place: Words
    """Capital words that are no place: Monday."""
    travel: Words
    """Beside these "to" and "from" are of a journey."""
    offers: Runs
    """A question that begins so asks what to do next: shall i."""
    leads: Words
    """Words before a question: great, and."""
    little: Words
    """Words that do not tell questions apart."""
    not_asked: Words
    """Before a noun they say that it is only named: within your budget."""
    before_bare: Words
    """A question of these and a noun asks for the noun: and your budget?"""
    requests: Runs
    """What follows is asked for: please provide."""
    generic: Words
    """Words that do not tell what a question is about."""
    failed: Runs
    """A reply with these asks again because what was given did not work."""
    unavailable: Runs
    """A reply with these asks again because what was wanted cannot be had: out of stock."""
    seeking: Runs
    """A user's question with these wants what it names: do you have it in green?"""
    affirming: Words
    """A message of these alone says yes, and gives no value: yes i did."""
    others: Words
    """They name somebody else than the user: whose size is it?"""
    new: Words
    """A question with these is for something else than before: another."""
    over: Runs
    """A message with these takes back what was said: start over."""
    opening: Words
    """With the name of a slot, these take it back: change the date."""
    yes_no: Words
    common_options: Words
    """Answers to choose that fit any question: show me more."""


@lru_cache(maxsize=1)
def phrases() -> Phrases:
    """The phrases, read once."""
    return msgspec.json.decode(Path(__file__).with_name("phrases.en.json").read_bytes(), type=Phrases)


@lru_cache(maxsize=4)
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
