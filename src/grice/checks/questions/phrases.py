"""The words by which questions, offers and answers are known: `phrases.en.json` and its likes beside this
file, one for a language."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import msgspec

__all__ = ["Phrases", "begins_with", "ends_with", "phrases"]

Words = frozenset[str]
Runs = tuple[str, ...]
"""Runs of words, casefolded, with one space between words."""


class Phrases(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Words and runs of words of a language, by what they tell.

    Runs that are looked for among words are written as `spoken_words` gives them (no \u00df), those that are
    looked for in a text (`no_answer`, `any_answer`, `failed`, `unavailable`, `over`, `refusing`) as `fold`
    does.
    """

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
    wh: Runs
    """A noun behind these is what is asked for: which color."""
    wanting: Runs
    """So is one behind these in a question: do you have a size in mind."""
    any_words: Words
    """So is one behind these near the beginning of a question: any allergies?"""
    anyone: Words
    having: Words
    """Behind one of `anyone`, these ask for what follows: does anyone have allergies?"""
    alternatives: Words
    """They stand between options: or."""
    joining: Words
    """They stand between two questions in one: and."""
    conditions: Words
    """Behind a request they begin something else than what is requested: let me know if."""
    promises: Runs
    """With these a request goes over into what the assistant does: and i will."""
    second_person: Words
    first_person: Words
    wishes: Runs
    """A question that begins so, and gives no choice, is an offer: would you like to."""
    pointing: Words
    """A question with these is about what is shown: these."""
    last_offers: Runs
    """A question that ends so is an offer: sound good?"""
    label_questions: Words
    """A clarifier that begins so is a question without its mark."""
    confirming: Words
    """A question that ends so has something confirmed: right?"""
    still: Words
    exact: Words
    refusing: Runs
    """A reply with these says that something cannot be had."""
    limits: Words
    """A bare number beside these is money."""
    born: Words
    ago: Words
    none: Words
    """A message that begins so answers any question."""
    denying: Words
    phone_words: Words
    asking_leads: Words
    """They may stand before a question of a user: sorry, what?"""
    number_of: Runs
    """Between the last word of a noun and the first: the number of your order."""
    endings: Words
    """What the forms of a noun or an option add to it."""
    fillers: Words = frozenset()
    """Words that may stand anywhere in a question and change nothing: denn."""
    inverted: Words = frozenset()
    """Verbs that stand before "you" in a question and behind it in an indirect one: when you were born."""
    unstressed: Words = frozenset()
    """Those of them that an indirect question leaves out: where you live."""
    compounds: bool = False
    """Whether words are written together, so that a noun may be the end of one: Wunschfarbe."""


@lru_cache(maxsize=8)
def phrases(language: str = "en") -> Phrases:
    """The phrases of a language, read once; those of English for one that has none."""
    path = Path(__file__).with_name(f"phrases.{language}.json")
    if not language.isalpha() or not path.is_file():
        return phrases("en")
    return msgspec.json.decode(path.read_bytes(), type=Phrases)


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
