"""Times of day in words: half past nine, at ten, six in the evening."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

import msgspec

from grice.text.packs.pack import LanguagePack
from grice.text.words import Word, words

NOON = 12
MAX_PART = 4
"""Words of the longest part of a day: in the early afternoon."""


class SpokenTime(msgspec.Struct, frozen=True, gc=False):
    """A time of day and its place; `ambiguous` where nothing says which half of the day is meant."""

    hour: int
    minute: int
    start: int
    end: int
    ambiguous: bool


def spoken_times(text: str, pack: LanguagePack) -> Iterator[SpokenTime]:
    """The times of day of a text whose hour is a word, or stands behind one: half past 9, at ten, from nine
    to five, 6 in the evening. A bare hour in words counts behind a word such as at, where nothing is counted
    with it.
    """
    steps, hours = _tables(pack)
    if not steps:
        return
    found = words(text)
    last = -2
    for place, word in enumerate(found):
        hour = hours.get(word.text)
        if hour is None:
            continue
        length, minutes = _step(found, place, steps)
        goes_on = last == place - 2 and found[place - 1].text in pack.range_words
        half = _part(found, place + 1, pack, 0)
        if not (half or length) and not (
            (goes_on or _is_led(found, place, pack)) and _stands_alone(text, found, place, pack)
        ):
            continue
        last = place
        total = hour % NOON * 60 + minutes + (half[0] * 60 if half else 0)
        hour, minute = total // 60 % (2 * NOON), total % 60
        yield SpokenTime(
            hour if half or hour else NOON,
            minute,
            found[place - length].start,
            half[1] if half else word.end,
            ambiguous=half is None,
        )


def half_of_day(text: str, end: int, pack: LanguagePack) -> tuple[int, int] | None:
    """The hour from which the half of the day counts that is named right behind a place, and where that
    ends: (12, end) for "in the evening".
    """
    if not pack.day_parts:
        return None
    near = text[end : end + 30]
    gap = len(near) - len(near.lstrip())
    found = [one for one in words(near)[:MAX_PART] if one.start >= gap]
    if not found or found[0].start != gap:
        return None
    return _part(found, 0, pack, end)


@lru_cache(maxsize=8)
def _tables(pack: LanguagePack) -> tuple[list[tuple[tuple[str, ...], int]], dict[str, int]]:
    """What stands before hours, and the hours as they are written."""
    steps = [(tuple(said.split()), minutes) for said, minutes in pack.clock_steps.items()]
    hours = {word: int(value) for word, value in pack.number_words.items() if value in range(1, NOON + 1)}
    return steps, hours | {f"{hour}": hour for hour in range(1, NOON + 1)}


def _step(found: Sequence[Word], place: int, steps: Sequence[tuple[tuple[str, ...], int]]) -> tuple[int, int]:
    """How many words of "half past" and the like stand before a place, and the minutes that they add."""
    for phrase, minutes in steps:
        length = len(phrase)
        if place >= length and tuple(one.text for one in found[place - length : place]) == phrase:
            return length, minutes
    return 0, 0


def _is_led(found: Sequence[Word], place: int, pack: LanguagePack) -> bool:
    """Whether a word that leads an hour stands before one in words."""
    return place > 0 and not found[place].text.isdigit() and found[place - 1].text in pack.clock_leads


def _stands_alone(text: str, found: Sequence[Word], place: int, pack: LanguagePack) -> bool:
    """Whether nothing is counted with a number: the text or the clause ends, or goes on with another word."""
    word = found[place]
    behind = found[place + 1] if place + 1 < len(found) else None
    if behind is None or text[word.end : behind.start].strip(" "):
        return text[word.end : word.end + 1] not in ("-", "%", "\u20ac")
    goes_on = pack.prepositions | pack.joining_words | pack.weekdays.keys() | pack.clock_leads
    return behind.text in goes_on and behind.text != "of"


def _part(found: Sequence[Word], place: int, pack: LanguagePack, offset: int) -> tuple[int, int] | None:
    """The half of the day that stands at a place of words, and where it ends."""
    for length in range(MAX_PART, 0, -1):
        said = " ".join(one.text for one in found[place : place + length])
        if said in pack.day_parts and len(found) >= place + length:
            return pack.day_parts[said], offset + found[place + length - 1].end
    return None
