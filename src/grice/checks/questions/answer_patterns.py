"""What values of slots look like in messages, for each language."""

from __future__ import annotations

import re
from collections.abc import Mapping

import msgspec

from grice.text.packs import remembered, vocabulary
from grice.text.packs.records import SlotValuePatterns, expanded

EMAIL = re.compile(r"[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}")
PHONE = re.compile(r"\+?\(?\d[\d().\- ]{5,18}\d")
NAMES = re.compile(r"\b[A-Z][\w'-]+(?: (?:[A-Z][\w.'-]*|van|de|der|von|la)){1,3}\b")
CODE = re.compile(r"#?\b(?=[A-Za-z_-]{0,30}\d)[A-Za-z0-9][\w-]{2,40}\b|\b[A-Z]{5,8}\b")


class Patterns(msgspec.Struct, frozen=True, eq=False, kw_only=True):
    """The patterns of one language. Where one has a group `a`, that is the value."""

    count_word: re.Pattern[str]
    people: re.Pattern[str]
    day: re.Pattern[str]
    clock: re.Pattern[str]
    bare_clock: re.Pattern[str]
    """A time of day to a question for one: at 7."""
    size: re.Pattern[str]
    number: re.Pattern[str]
    length: re.Pattern[str]
    for_length: re.Pattern[str]
    """A length that is the one of a stay, whatever was asked: three nights, for two weeks."""
    address: re.Pattern[str]
    called: re.Pattern[str]
    i_am: re.Pattern[str]
    aged: re.Pattern[str]
    counted: re.Pattern[str]
    place: str
    """A place behind its preposition, as the source of a pattern."""
    prepositions: Mapping[str, str]
    """For the preposition of a slot, the words that stand before its places."""
    lower: Mapping[str, re.Pattern[str]]
    """Places of people who write without capitals, by preposition."""
    pair: re.Pattern[str] | None = None
    """Two places of a journey: Boston to Denver."""
    back: re.Pattern[str]
    """Before the day of the way back."""
    until: re.Pattern[str]
    """Between the first day and the last."""
    joint: re.Pattern[str]
    """Between two options."""
    ends: re.Pattern[str]
    """Behind a bare limit."""
    clauses: re.Pattern[str]
    own_number: re.Pattern[str]


@remembered
def patterns(language: str = "en") -> Patterns:
    """The patterns of a language; those of English for one that has none."""
    known = vocabulary(SlotValuePatterns, language) or vocabulary(SlotValuePatterns, "en")
    assert known is not None
    lists = known.lists
    return Patterns(
        place=lists["place"],
        prepositions=known.prepositions,
        lower={name: re.compile(expanded(one, lists)) for name, one in known.lower.items()},
        **{name: re.compile(expanded(one, lists)) for name, one in known.patterns.items()},
    )
