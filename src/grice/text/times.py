"""Dates and times of day in a text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date
from functools import lru_cache
from typing import Literal

import msgspec

from grice.text.packs import pack_of
from grice.text.packs.pack import LanguagePack
from grice.text.words import Word, words

ABOUT = 15
"""Minutes that "around two" may be off."""

_NOON = 12
_MAX_PART = 4
"""Words of the longest part of a day: in the early afternoon."""


class Moment(msgspec.Struct, frozen=True, gc=False):
    """A date or a time of day; what the text leaves open is None.

    `weekday` is 0 (Monday) to 6. 03/04/2026 is a date whose day and month nobody knows: `ambiguous`, and so
    is 2:30. `approximate` is a time behind about, around, just before.
    """

    kind: Literal["date", "time", "weekday"]
    start: int
    end: int
    year: int | None = None
    month: int | None = None
    day: int | None = None
    hour: int | None = None
    minute: int | None = None
    weekday: int | None = None
    ambiguous: bool = False
    approximate: bool = False

    def agrees_with(self, other: Moment) -> bool | None:
        """Whether both can be the same moment; None when they say nothing about one another."""
        if "time" in (self.kind, other.kind):
            if self.kind != other.kind:
                return None
            slack = ABOUT if self.approximate or other.approximate else 0
            return self._minutes_to(other) <= slack
        if "weekday" in (self.kind, other.kind):
            mine, theirs = self._day_of_week(), other._day_of_week()
            return None if mine is None or theirs is None else mine == theirs
        if self.ambiguous or other.ambiguous:
            return self._same_date(other) or self._swapped()._same_date(other)
        return self._same_date(other)

    def _minutes_to(self, other: Moment) -> int:
        """How far two times are apart on the clock; 2:30 may be in the afternoon."""
        turn = 12 * 60 if self.ambiguous or other.ambiguous else 24 * 60
        mine, theirs = (one.minute or 0 for one in (self, other))
        apart = ((self.hour or 0) * 60 + mine - (other.hour or 0) * 60 - theirs) % turn
        return min(apart, turn - apart)

    def _same_date(self, other: Moment) -> bool | None:
        pairs = [
            (mine, theirs)
            for mine, theirs in ((self.year, other.year), (self.month, other.month), (self.day, other.day))
            if mine is not None and theirs is not None
        ]
        return all(mine == theirs for mine, theirs in pairs) if pairs else None

    def _swapped(self) -> Moment:
        return msgspec.structs.replace(self, month=self.day, day=self.month)

    def _day_of_week(self) -> int | None:
        if self.weekday is not None:
            return self.weekday
        if self.ambiguous or self.year is None or self.month is None or self.day is None:
            return None
        try:
            return date(self.year, self.month, self.day).weekday()
        except ValueError:
            return None


def moments(text: str, pack: LanguagePack | None = None) -> list[Moment]:
    """The dates and times of day of a text, in order.

    Read are 2026-03-04 (with a time behind it too), 3/4/2026 and 13.4.2026, written dates in the pack's
    language (March 3rd, 2026; 3 March; March 2026), weekdays, times (2pm, 2:30 p.m., 14:00, 14h30, 14 Uhr,
    noon, half past nine, at ten, 2 in the afternoon), and years behind words like in and since. Without a
    pack it is English. Dates that no calendar
    has are left out.
    """
    pack = pack or pack_of("en")
    return [] if pack is None else list(_moments(text, pack))


@lru_cache(maxsize=16)
def _moments(text: str, pack: LanguagePack) -> tuple[Moment, ...]:
    """The moments. They are remembered: whoever measures a text leaves them out."""
    found: list[Moment] = []
    end = 0
    for one in sorted(_all(text, pack), key=lambda one: (one.start, -one.end)):
        if one.start >= end:
            found.append(_about(one, text, pack) if one.kind == "time" else one)
            end = one.end
    return tuple(found)


def _about(one: Moment, text: str, pack: LanguagePack) -> Moment:
    """The time, approximate where a word before it says so."""
    before = text[max(0, one.start - _AHEAD) : one.start].rstrip().casefold()
    for word in pack.approximations:
        if before.endswith(word) and not before[: -len(word)][-1:].isalnum():
            return msgspec.structs.replace(one, approximate=True)
    return one


_NUMERIC = (
    r"(?=[\dT])(?:"  # which most places do not have: they are passed over quickly
    r"(?<![\w.\-/])(?P<iso_year>\d{4})-(?P<iso_month>\d{1,2})-(?P<iso_day>\d{1,2})(?![\d-])"
    r"|(?<![\w./-])(?P<one>\d{1,2})(?P<mark>[./-])(?P<two>\d{1,2})(?P=mark)(?P<year>\d{4}|\d{2})(?![\w/-]|\.\d)"
    r"|(?<![\w:.])(?P<hour>[01]?\d|2[0-4]):(?P<minute>[0-5]\d)(?::[0-5]\d(?:\.\d+)?)?(?:\s?(?P<half>[apAP])\.?\s?[mM]\b\.?)?(?![\w:])"
    r"|(?<![\w:.$])(?P<bare>1[0-2]|0?[1-9])\s?(?P<bare_half>[apAP])\.?\s?[mM]\b\.?"
    r"|(?<![\w:.$])(?P<first>1[0-2]|0?[1-9])(?=\s?(?:-|\u2013|to|and)\s?(?:1[0-2]|0?[1-9])(?::[0-5]\d)?\s?[apAP]\.?\s?[mM]\b)"
    r"|(?<![\w:.])(?P<french>[01]?\d|2[0-3])h(?P<french_minute>[0-5]\d)\b"
    r"|(?<![\w:.])(?P<uhr>[01]?\d|2[0-4])(?:[:.](?P<uhr_minute>[0-5]\d))?\s(?:Uhr|o'clock)\b"
    r"|(?<=[\dT])T(?P<t_hour>[01]\d|2[0-3]):(?P<t_minute>[0-5]\d)(?::[0-5]\d(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)"
)


@lru_cache(maxsize=8)
def _patterns(pack: LanguagePack) -> tuple[re.Pattern[str], re.Pattern[str]]:
    months = "|".join(sorted(map(re.escape, pack.months), key=len, reverse=True))
    days = "|".join(sorted(map(re.escape, pack.weekdays), key=len, reverse=True))
    noons = "|".join(map(re.escape, pack.day_times)) or r"(?!)"
    day = r"(?P<{}>3[01]|[12]\d|0?[1-9])(?:st|nd|rd|th|\.)?(?![\d/%]|:\d|\.\d|,\d)"
    year = r"(?:,?\s+(?:of\s+)?(?P<{}>(?:19|20)\d{{2}})(?!\d|[.,]\d))?"
    written = (
        rf"\b(?:(?P<month>{months})\b\.?(?:\s+(?:the\s+)?{day.format('day')}{year.format('year')}|,?\s+(?P<only_year>(?:19|20)\d{{2}})(?!\d|[.,]\d))"
        rf"|(?<![\w.,$/:-]){day.format('first_day')}\s+(?:of\s+)?(?P<second_month>{months})\b\.?{year.format('second_year')}"
        rf"|\b(?P<weekday>{days})\b"
        rf"|\b(?P<noon>{noons})\b"
        rf"|\b(?:in|since|by|until|from|year|of|during|before|after|seit|im Jahr)\s+"
        rf"(?P<lone_year>(?:19|20)\d{{2}})"
        r"(?!\d|[.,:/-]\d|\s+[a-z]+s\b|%))"
    )
    return re.compile(_NUMERIC), re.compile(written, re.IGNORECASE)


@lru_cache(maxsize=8)
def _named_times(pack: LanguagePack) -> frozenset[str]:
    """The words of a language without which no written date or time is in a text."""
    return frozenset(pack.months) | frozenset(pack.weekdays) | frozenset(pack.day_times)


def _all(text: str, pack: LanguagePack) -> Iterator[Moment]:
    numeric, written = _patterns(pack)
    has_digits = re.search(r"\d", text) is not None
    for found in numeric.finditer(text) if has_digits else ():
        one = _numeric(found, pack)
        if one is not None:
            yield _in_half(one, text, pack) if one.ambiguous and one.kind == "time" else one
    for spoken in _spoken_times(text, pack):
        yield Moment(
            *("time", spoken.start, spoken.end),
            hour=spoken.hour,
            minute=spoken.minute,
            ambiguous=spoken.ambiguous,
        )
    for start, end in _windows(text, pack, has_digits=has_digits):
        for found in written.finditer(text, start, end):
            one = _moment_of(found, pack)
            if one is not None:
                yield one


_LONE_YEAR = re.compile(r"(?<![\d.,$])(?:19|20)\d\d(?!\d)")
_AHEAD, _BEHIND = 40, 60
"""The characters that a written date has before the word that tells it, and from there on, at most."""


def _windows(text: str, pack: LanguagePack, *, has_digits: bool) -> Iterator[tuple[int, int]]:
    """Where written dates and times can be: around the names of months and the like, and around years."""
    known = _named_times(pack)
    told = [word.start for word in words(text) if word.text in known]
    if has_digits:
        told += [one.start() for one in _LONE_YEAR.finditer(text)]
    start = end = -1
    for place in sorted(told):
        if place - _AHEAD > end:
            if end >= 0:
                yield start, end
            start = max(0, place - _AHEAD)
        end = min(len(text), place + _BEHIND)
    if end >= 0:
        yield start, end


def _numeric(found: re.Match[str], pack: LanguagePack) -> Moment | None:
    if found["iso_year"]:
        return _date(found, int(found["iso_year"]), int(found["iso_month"]), int(found["iso_day"]))
    if found["one"]:
        return _parted(found, pack)
    for hour, minute, half in (
        ("hour", "minute", "half"),
        ("bare", "", "bare_half"),
        ("first", "", ""),
        ("french", "french_minute", ""),
        ("uhr", "uhr_minute", ""),
        ("t_hour", "t_minute", ""),
    ):
        if found[hour]:
            return _time(
                found, int(found[hour]), int((minute and found[minute]) or 0), (half and found[half]) or ""
            )
    return None


def _in_half(one: Moment, text: str, pack: LanguagePack) -> Moment:
    """The time in the half of the day that is named behind it: 2:30 in the afternoon."""
    half = _half_of_day(text, one.end, pack)
    if half is None:
        return one
    return msgspec.structs.replace(one, hour=(one.hour or 0) % 12 + half[0], end=half[1], ambiguous=False)


def _parted(found: re.Match[str], pack: LanguagePack) -> Moment | None:
    """A date of three numbers: the larger than 12 is the day; with dots the first is; else nobody knows."""
    one, two, year = int(found["one"]), int(found["two"]), int(found["year"])
    if year < 100:
        if found["mark"] == ".":
            return None if one > 31 or two > 12 else _date(found, 2000 + year, two, one)
        year += 2000
    if found["mark"] == "." or one > 12:
        return _date(found, year, two, one)
    if two > 12:
        return _date(found, year, one, two)
    if pack.code == "de":
        return _date(found, year, two, one)
    known = _date(found, year, one, two)
    return None if known is None else msgspec.structs.replace(known, ambiguous=one != two)


def _time(found: re.Match[str], hour: int, minute: int, half: str) -> Moment | None:
    ambiguous = not half and 0 < hour < 12 and not found[0].startswith("0") and "T" not in found[0]
    if half:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if half in "pP" else 0)
    if hour == 24:
        hour = 0
    end = found.end()
    if found[0].endswith(".") and not found[0][:-1].endswith("."):
        end -= 1 if found[0][-2:-1].lower() == "m" and "." not in found[0][:-1] else 0
    return Moment("time", found.start(), end, hour=hour, minute=minute, ambiguous=ambiguous)


def _date(found: re.Match[str], year: int | None, month: int | None, day: int | None) -> Moment | None:
    try:
        date(year or 2024, month or 1, day or 1)  # a leap year, when none is said
    except ValueError:
        return None
    end = found.end() - found[0].endswith(".")  # that of the sentence
    return Moment("date", found.start(), end, year=year, month=month, day=day)


def _moment_of(found: re.Match[str], pack: LanguagePack) -> Moment | None:
    if found["weekday"]:
        name = found["weekday"]
        known = pack.weekdays.get(name.casefold())
        if known is None or (len(name) < 5 and not (name[0].isupper() and name[1:].islower())):
            return None  # sun and sat are words; Sun and Sat are days
        return Moment("weekday", found.start(), found.end(), weekday=known)
    if found["noon"]:
        return Moment(
            "time", found.start(), found.end(), hour=pack.day_times.get(found["noon"].casefold()), minute=0
        )
    if found["lone_year"]:
        start, end = found.span("lone_year")
        return Moment("date", start, end, year=int(found["lone_year"]))
    name = found["month"] or found["second_month"]
    month = pack.months.get(name.casefold())
    if month is None or not (name[0].isupper() or len(name) > 3):
        return None
    day = found["day"] or found["first_day"]
    year = found["year"] or found["second_year"] or found["only_year"]
    return _date(found, int(year) if year else None, month, int(day) if day else None)


class _SpokenTime(msgspec.Struct, frozen=True, gc=False):
    """A time of day and its place; `ambiguous` where nothing says which half of the day is meant."""

    hour: int
    minute: int
    start: int
    end: int
    ambiguous: bool


def _spoken_times(text: str, pack: LanguagePack) -> Iterator[_SpokenTime]:
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
        total = hour % _NOON * 60 + minutes + (half[0] * 60 if half else 0)
        hour, minute = total // 60 % (2 * _NOON), total % 60
        yield _SpokenTime(
            hour if half or hour else _NOON,
            minute,
            found[place - length].start,
            half[1] if half else word.end,
            ambiguous=half is None,
        )


def _half_of_day(text: str, end: int, pack: LanguagePack) -> tuple[int, int] | None:
    """The hour from which the half of the day counts that is named right behind a place, and where that
    ends: (12, end) for "in the evening".
    """
    if not pack.day_parts:
        return None
    near = text[end : end + 30]
    gap = len(near) - len(near.lstrip())
    found = [one for one in words(near)[:_MAX_PART] if one.start >= gap]
    if not found or found[0].start != gap:
        return None
    return _part(found, 0, pack, end)


@lru_cache(maxsize=8)
def _tables(pack: LanguagePack) -> tuple[list[tuple[tuple[str, ...], int]], dict[str, int]]:
    """What stands before hours, and the hours as they are written."""
    steps = [(tuple(said.split()), minutes) for said, minutes in pack.clock_steps.items()]
    hours = {word: int(value) for word, value in pack.number_words.items() if value in range(1, _NOON + 1)}
    return steps, hours | {f"{hour}": hour for hour in range(1, _NOON + 1)}


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
    for length in range(_MAX_PART, 0, -1):
        said = " ".join(one.text for one in found[place : place + length])
        if said in pack.day_parts and len(found) >= place + length:
            return pack.day_parts[said], offset + found[place + length - 1].end
    return None
