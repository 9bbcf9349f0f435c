"""The unit behind a number, or the noun it counts."""

from __future__ import annotations

import re
from decimal import Decimal
from functools import lru_cache

import msgspec

from grice.text.packs.pack import LanguagePack


class UnitFound(msgspec.Struct, frozen=True, gc=False):
    """A unit and where it ends in the text; `shared` says that another number stands between (10 x 20 cm)."""

    unit: str
    dimension: str
    factor: Decimal
    end: int
    shared: bool = False

    def base(self, value: Decimal) -> Decimal:
        """The value in the base unit of the dimension."""
        if self.unit == "\u00b0F":
            return (value - 32) * 5 / 9
        return value * self.factor


_AHEAD = re.compile(
    r"(?P<gap>[ \u00a0\u202f-]|- )?(?P<word>[^\W\d_]+[23\u00b2\u00b3]?)(?![\w])"
    r"(?P<rate>\s?/\s?(?:h|s|hr|sec)\b)?"
)
_SIGN = re.compile(
    r"\s?(?P<percent>%|\uff05)|\s?(?P<degree>\u00b0|\u00ba)\s?(?P<scale>[CF])?(?![^\W\d_])|\s?(?P<inch>\u2033|''|\")(?=\s*(?:x|\u00d7|[a-z)]|$|[.,;]))|(?P<foot>\u2032|')(?=\s?\d)"
    r"|\s?(?P<celsius>\u2103)|\s?(?P<fahrenheit>\u2109)"
)
_TIMES = re.compile(r"(?:\s?[x\u00d7*]\s?\d+(?:[.,]\d+)?){1,2}")
_AMBIGUOUS_IN = re.compile(
    r"\s*(?:[.,;)]|$|x\b|\u00d7|wide|tall|long|deep|high|diameter|thick|screen|display|waist|by\b)"
)
_LETTER_UNITS = frozenset("mglhsvwtj")


def unit_at(text: str, place: int, pack: LanguagePack) -> UnitFound | None:
    """The unit right behind a number that ends at a place, None without one."""
    if text[place : place + 1] == "+":
        place += 1
    sign = _SIGN.match(text, place)
    if sign is not None:
        return _of_sign(text, place, sign)
    times = _TIMES.match(text, place)
    if times is not None:
        unit = unit_at(text, times.end(), pack)
        return None if unit is None else msgspec.structs.replace(unit, shared=True)
    ahead = _AHEAD.match(text, place)
    if ahead is None:
        return None
    return _of_word(text, ahead, pack)


def _of_word(text: str, ahead: re.Match[str], pack: LanguagePack) -> UnitFound | None:
    word, end = ahead["word"], ahead.end("word")
    folded = word.casefold().replace("\u00b2", "2").replace("\u00b3", "3")
    attached = not ahead["gap"]
    if folded in pack.work_words or folded in pack.filling_words:
        return _behind_word(text, end, folded, pack)
    if ahead["rate"] and folded in ("km", "m", "mi"):
        name = f"{folded}/h" if "h" in ahead["rate"] else f"{folded}/s"
        factor = {"km/h": "0.2777777777777778", "m/s": "1", "mi/h": "0.44704"}.get(name)
        return None if factor is None else UnitFound(name, "speed", Decimal(factor), ahead.end())
    if folded in ("square", "sq", "cubic"):
        return _squared(text, end, folded)
    if folded in ("fl", "fluid"):
        ounces = re.match(r"\.?\s?(?:oz|ounces?)\b", text[end : end + 10])
        return (
            None
            if ounces is None
            else UnitFound("fl oz", "volume", Decimal("0.0295735295625"), end + ounces.end())
        )
    if folded in ("degree", "degrees"):
        return _degrees(text, end)
    known = pack.units.get(folded)
    if known is None or not _is_unit(text, word, folded, end, attached=attached):
        return None
    if text[end : end + 1] == "." and len(folded) <= 3 and text[end + 1 : end + 3].strip()[:1].islower():
        end += 1
    return UnitFound(_display_unit(known[0]), known[1], known[2], end)


def _display_unit(unit: str) -> str:
    return {"\u00b0c": "\u00b0C", "\u00b0f": "\u00b0F"}.get(unit, unit)


def _is_unit(text: str, word: str, folded: str, end: int, *, attached: bool) -> bool:
    """Whether a word that names a unit is one here: not "5 in stock", "5G", "5 t-shirts"."""
    if folded == "in":
        return (attached or text[end - 3 : end - 2] == "-") or _AMBIGUOUS_IN.match(text, end) is not None
    if len(folded) == 1:
        if folded not in _LETTER_UNITS or text[end : end + 1] in ("-", "'", "\u2019", "&"):
            return False
        return word.islower() or word in ("L", "W", "V", "J")
    return not (folded == "may" or (folded == "mo" and word == "MO"))


def _behind_word(text: str, place: int, word: str, pack: LanguagePack) -> UnitFound | None:
    """The unit behind "business" or "full"."""
    following = _AHEAD.match(text, place)
    if following is None or not following["gap"]:
        return None
    name = following["word"].casefold()
    if name in pack.work_words | pack.filling_words and name != word:
        return _behind_word(text, following.end("word"), name, pack)
    known = pack.units.get(name)
    if known is None or len(name) < 3:
        return None
    if word in pack.work_words and known[0] in ("day", "hour", "week"):
        return UnitFound(f"business {known[0]}", f"business {known[0]}", Decimal(1), following.end("word"))
    return UnitFound(known[0], known[1], known[2], following.end("word"))


def _squared(text: str, place: int, word: str) -> UnitFound | None:
    found = re.match(
        r"\.?[\s-](ft|feet|foot|meters?|metres?|m|miles?|inch(?:es)?|in)\b", text[place : place + 12]
    )
    if found is None or word == "cubic":
        return None
    length = {"f": "0.3048", "i": "0.0254"}.get(found[1][0], "1609.344" if found[1].startswith("mi") else "1")
    name = {"f": "sq ft", "i": "sq in"}.get(found[1][0], "sq mi" if found[1].startswith("mi") else "m2")
    return UnitFound(name, "area", Decimal(length) ** 2, place + found.end())


def _degrees(text: str, place: int) -> UnitFound:
    scale = re.match(r"\s?(c(?:elsius)?|f(?:ahrenheit)?)\b", text[place : place + 12], re.IGNORECASE)
    if scale is None:
        return UnitFound("\u00b0", "angle", Decimal(1), place)
    return UnitFound(f"\u00b0{scale[1][0].upper()}", "temperature", Decimal(1), place + scale.end())


def _of_sign(text: str, place: int, sign: re.Match[str]) -> UnitFound | None:
    one = Decimal(1)
    if sign["percent"]:
        return UnitFound("%", "percent", one, sign.end())
    if sign["degree"]:
        scale = sign["scale"]
        return UnitFound(f"\u00b0{scale or ''}", "temperature" if scale else "angle", one, sign.end())
    if sign["celsius"] or sign["fahrenheit"]:
        return UnitFound("\u00b0C" if sign["celsius"] else "\u00b0F", "temperature", one, sign.end())
    if sign["foot"]:
        return UnitFound("ft", "length", Decimal("0.3048"), sign.end())
    if sign["inch"] == '"' and text.count('"', max(0, place - 200), place) % 2:
        return None  # the quote ends here
    return UnitFound("in", "length", Decimal("0.0254"), sign.end())


_NOUN = re.compile(r"[ \u00a0-]([^\W\d_]+(?:['\u2019][^\W\d_]+)?)")
_MAX_ADJECTIVES = 3
_CAPITAL = re.compile(r"(?:^|[\s(])((?:[^\W\d_]+[ ])?)([^\W\d_][^\W_]*)[ ]$")


def counted_noun(text: str, start: int, end: int, value: Decimal, pack: LanguagePack) -> tuple[str, int]:
    """The singular of the noun that a number counts and where it ends, "" and the end of the number without
    one.

    A number behind a name or a label (iPhone 15, room 12) that counts nothing is a "name"; one behind size
    is a "size".
    """
    label = re.search(r"([^\W\d_]+)(?:[ ]is|:)?[ ]$", text[max(0, start - 20) : start])
    before = label[1] if label else ""
    if re.search(r"\bend(?:ing|s) in $", text[max(0, start - 12) : start]):
        return "name", end  # the last digits of a card
    if before.casefold() in ("size", "sizes", "gr\u00f6\u00dfe"):
        return "size", end
    before = before if label and label[0] == f"{before} " else ""
    if before.casefold() in pack.label_words:
        return "name", end
    noun, last = _plural_ahead(text, end, value, pack)
    if noun:  # "five times" measure no time
        return (f"{noun}s" if noun in _dimensions(pack) else noun), last
    if 1900 <= value <= 2100 and text[start:end].isdecimal() and end - start == 4:
        return "name", end  # a year, or the year of a model
    if text[end : end + 1] == "+":
        return "", end
    if before != before.lower() and _is_name(before, pack) and value >= 0:
        return "name", end
    attached = text[end : end + 1]
    return ("name", end) if attached.isalpha() else ("", end)


@lru_cache(maxsize=8)
def _dimensions(pack: LanguagePack) -> frozenset[str]:
    """What the units of a language measure."""
    return frozenset(dimension for _, dimension, _ in pack.units.values())


def _is_name(word: str, pack: LanguagePack) -> bool:
    folded = word.casefold()
    return not (
        folded in pack.stop_words
        or folded in pack.approximations
        or folded in pack.comparisons
        or folded in pack.units
        or folded in pack.opinion_words
        or folded in pack.first_person
    )


def _plural_ahead(text: str, place: int, value: Decimal, pack: LanguagePack) -> tuple[str, int]:
    """The first plural among the next words, else the next word where one thing is counted."""
    first = ""
    first_end = place
    for _ in range(_MAX_ADJECTIVES):
        found = _NOUN.match(text, place)
        if found is None:
            break
        word = found[1].casefold()
        if (word in pack.stop_words and word not in pack.filling_words) or word in pack.clause_verbs:
            break
        if word not in pack.filling_words:
            single = pack.singular(word) if pack.singular else word
            if single != word:
                return single, found.end()
            if not first or first.endswith(("ed", "ing")):
                first, first_end = word, found.end()
        place = found.end()
    if first and (value == 1 or pack.singular is None or text[first_end - len(first) - 1] == "-"):
        return first, first_end
    return "", place if not first else first_end
