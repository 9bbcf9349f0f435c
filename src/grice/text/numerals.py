"""Numbers as they are written: digits with any separators, and words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from functools import lru_cache

import msgspec

from grice.text.packs.pack import LanguagePack
from grice.text.words import Word

DIGITS = r"\d{1,3}(?:[ \u00a0\u202f\u2009'\u2019]\d{3})+(?:[.,]\d{1,2})?(?!\d)|\d+(?:[.,]\d+)*"
"""A number in digits. One with spaces may be two numbers: whoever reads it has to look."""

_GAPS = str.maketrans("", "", " \u00a0\u202f\u2009'\u2019")
_MAX_DIGITS = 40


class Numeral(msgspec.Struct, frozen=True, gc=False):
    """A number and its place; `only_before_unit` is a or one."""

    value: Decimal
    start: int
    end: int
    only_before_unit: bool = False


def read_digits(written: str, *, dot_groups: bool = False, comma_groups: bool = True) -> Decimal | None:
    """The number that digits with separators write; None where they are no number (4.13.5, 1,2,3).

    Of two kinds of separators the last is the decimal one. One kind that comes once, before exactly three
    digits, groups thousands if `dot_groups` or `comma_groups` says so.
    """
    plain = written.translate(_GAPS)
    if len(plain) > _MAX_DIGITS:
        return None
    dots, commas = plain.count("."), plain.count(",")
    if dots and commas:
        decimal = "." if plain.rfind(".") > plain.rfind(",") else ","
        group = "," if decimal == "." else "."
        whole, _, part = plain.rpartition(decimal)
        if decimal in whole or not _is_grouped(whole, group):
            return None
        return Decimal(f"{whole.replace(group, '')}.{part}")
    if not dots and not commas:
        return Decimal(plain)
    mark = "." if dots else ","
    if dots + commas > 1:
        return Decimal(plain.replace(mark, "")) if _is_grouped(plain, mark) else None
    grouping = dot_groups if mark == "." else comma_groups
    if grouping and _is_grouped(plain, mark):
        return Decimal(plain.replace(mark, ""))
    return Decimal(plain.replace(",", "."))


def _is_grouped(written: str, mark: str) -> bool:
    """Whether the parts between marks are groups of thousands: 1,299 or, as in India, 1,29,900."""
    first, *others = written.split(mark)
    if not others:
        return True
    return (
        len(others[-1]) == 3
        and 1 <= len(first) <= 3
        and (first != "0")
        and (all(len(one) == 3 for one in others) or all(len(one) == 2 for one in others[:-1]))
    )


def spelled_numbers(text: str, found: Sequence[Word], pack: LanguagePack) -> Iterator[Numeral]:
    """The numbers in words: twenty-five, two and a half, three hundred and five, a dozen, half, and a or
    one before a unit.
    """
    known = _number_words(pack)
    place = 0
    while place < len(found):
        if found[place].text not in known:
            place += 1
            continue
        length, numeral = _spelled(text, found, place, pack)
        if numeral is not None:
            yield numeral
        place += length


@lru_cache(maxsize=8)
def _number_words(pack: LanguagePack) -> frozenset[str]:
    """The words that a number can begin with."""
    return (
        frozenset(pack.number_words)
        | frozenset(pack.multipliers)
        | frozenset(pack.fractions)
        | pack.unit_articles
    )


def _spelled(text: str, found: Sequence[Word], place: int, pack: LanguagePack) -> tuple[int, Numeral | None]:
    """How many words the number at a place has, and the number."""
    total, current = Decimal(0), Decimal(-1)
    end = place
    article = found[place].text in pack.unit_articles and found[place].text not in pack.number_words
    if article:
        current, end = Decimal(1), place + 1
    while end < len(found) and _adjoins(text, found, end, place):
        word = found[end].text
        value = pack.number_words.get(word)
        if value is not None and _may_follow(current, value, first=end == place):
            current = value if current < 0 else current + value
        elif word in pack.multipliers and _may_multiply(current, total, pack.multipliers[word]):
            current, total = _multiplied(current, total, pack.multipliers[word])
        elif word in pack.number_joiners and current >= 100 and _small(found, end + 1, pack.number_words):
            pass
        else:
            break
        end += 1
    numbers = end - place
    half, length = _half(text, found, end, pack)
    if half is not None and (current >= 0 or numbers == 0):
        whole = Decimal(0) if numbers == 0 or (article and numbers == 1) else current
        parts = whole > 1 and found[end].text in pack.fractions  # two thirds of an hour
        value = whole * half if parts else total + whole + half
        return numbers + length, Numeral(value, found[place].start, found[end + length - 1].end)
    if current < 0:
        return 1, None
    lone = numbers == 1 and found[place].text in pack.unit_articles
    return numbers, Numeral(total + current, found[place].start, found[end - 1].end, lone)


def _multiplied(current: Decimal, total: Decimal, factor: Decimal) -> tuple[Decimal, Decimal]:
    """What is being counted and the total so far, behind hundred, thousand or dozen."""
    counted = Decimal(1) if current < 0 else current
    if factor > 100:
        return Decimal(0), total + counted * factor
    return counted * factor, total


def _may_multiply(current: Decimal, total: Decimal, factor: Decimal) -> bool:
    """Whether hundred or thousand goes on the number so far: five hundred does, a hundred hundred not."""
    if factor <= 100:
        return current < 100
    return current < 1000 and total % (factor * 1000) == 0


def _may_follow(current: Decimal, value: Decimal, *, first: bool) -> bool:
    """Whether a number word goes on the number so far: twenty five does, five six does not."""
    if first or current < 0:
        return True
    if current == 0 or (current >= 100 and current % 100 == 0):
        return True
    return current % 100 >= 20 and current % 10 == 0 and 0 < value < 10


def _small(found: Sequence[Word], place: int, number_words: Mapping[str, Decimal]) -> bool:
    return place < len(found) and found[place].text in number_words


def _adjoins(text: str, found: Sequence[Word], end: int, place: int) -> bool:
    return end == place or text[found[end - 1].end : found[end].start] in (" ", "-", "\u2011")


def _half(text: str, found: Sequence[Word], end: int, pack: LanguagePack) -> tuple[Decimal | None, int]:
    """The fraction behind a number ("and a half"), or one before a unit ("half an", "a quarter of a"):
    its value and length in words.
    """
    if (
        end < len(found)
        and found[end].text in pack.fractions
        and (end == 0 or _adjoins(text, found, end, -1))
    ):
        after = [one.text for one in found[end + 1 : end + 4]]
        joined = 1 if after[:1] == ["of"] and len(after) > 2 and after[2] in pack.units else 0
        following = after[joined] if after else ""
        article = 1 if following in pack.unit_articles else 0
        if following and (article or following in pack.units):
            return pack.fractions[found[end].text], 1 + joined + article
        return None, 0
    parts = [one.text for one in found[end : end + 3]]
    if len(parts) == 3 and parts[0] in pack.number_joiners and parts[1] in pack.unit_articles:
        value = pack.fractions.get(parts[2])
        if value is not None and all(_adjoins(text, found, end + step, -1) for step in range(3)):
            return value, 3
    return None, 0
