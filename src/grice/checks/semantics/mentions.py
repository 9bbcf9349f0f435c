"""Whether words say that a constraint is met."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from grice.checks.semantics.wanting import MONEY_FIELDS, Limit, Wanted, currency_of, inside, pack_of, stem_of
from grice.text.negation import negated
from grice.text.packs.pack import LanguagePack
from grice.text.quantities import Quantity, quantities
from grice.text.words import Word, words

__all__ = ["denied_words", "mention_in", "place_of"]

UNTOLD = ("", "data")
"""Dimensions of which only a name tells what is measured: RAM or disk. The number nearest to it counts."""


def mention_in(text: str, want: Wanted) -> tuple[int, int] | None:
    """Where a text says that the constraint is met, in the text; None where it does not."""
    pack = pack_of(text)
    said = words(text)
    denied = denied_words(text, said, pack)
    if want.limit is not None:
        return _range_in(text, want, said, denied, pack)
    stems = [stem_of(word.text, pack) for word in said]
    for phrase in want.right:
        place = place_of(phrase, said, stems, denied, wanted=False)
        if place is not None:
            return place
    for phrase in want.wrong:
        if place_of(phrase, said, stems, denied, wanted=False) is not None:
            return None
        place = place_of(phrase, said, stems, denied, wanted=True)
        if place is not None:
            return place
    return None


def place_of(
    phrase: tuple[str, ...],
    said: Sequence[Word],
    stems: Sequence[str],
    denied: Sequence[bool],
    *,
    wanted: bool,
) -> tuple[int, int] | None:
    """Where all words of the phrase stand, near one another, each denied or not as wanted."""
    places: list[int] = []
    for one in phrase:
        found = [at for at, other in enumerate(stems) if other == one and denied[at] is wanted]
        if not found:
            return None
        nearest = min(found, key=lambda at: abs(at - places[-1])) if places else found[0]
        places.append(nearest)
    return said[min(places)].start, said[max(places)].end


def _range_in(
    text: str, want: Wanted, said: Sequence[Word], denied: Sequence[bool], pack: LanguagePack | None
) -> tuple[int, int] | None:
    limit = want.limit
    assert limit is not None
    stems = [stem_of(word.text, pack) for word in said]
    named = next(
        (place for one in want.right if (place := place_of(one, said, stems, denied, wanted=False))), None
    )
    broken = False
    alike = [
        one for one in quantities(text, pack) if _is_alike(one, limit, named=bool(named or not want.right))
    ]
    if named is not None and limit.dimension in UNTOLD:
        alike = sorted(alike, key=lambda one: max(one.start - named[1], named[0] - one.end))[:1]
    for number in alike:
        within = inside(*_said_range(number, limit), currency_of(number), limit)
        if within and not any(
            denied[at] for at, word in enumerate(said) if number.start <= word.start < number.end
        ):
            return number.start, number.end
        broken = broken or within is False
    if broken or limit.dimension != "money":
        return None
    for at, word in enumerate(said):
        if word.text in MONEY_FIELDS and not denied[at] and _is_within(said, at):
            return word.start, word.end
    return None


def _is_alike(number: Quantity, limit: Limit, *, named: bool) -> bool:
    """Whether a number is of what is limited; of plain numbers and of data only the name tells."""
    if number.dimension == "name":
        return False
    if not limit.dimension:
        return named
    return number.dimension == limit.dimension and (named or limit.dimension not in UNTOLD)


def _said_range(number: Quantity, limit: Limit) -> tuple[Decimal | None, Decimal | None]:
    """The bounds of a number as a shop means them: "up to 14 hours" are 14, "from $99" is $99."""
    low, high = number.low, number.high
    if low is None and limit.low is not None and number.comparison == "<=":
        low = high
    if high is None and limit.high is not None and number.comparison == ">=":
        high = low
    return low, high


def _is_within(said: Sequence[Word], at: int) -> bool:
    """Whether words before a "budget" say that it is kept: under your budget, within it, fits it."""
    return any(
        word.text
        in ("under", "within", "below", "inside", "fits", "fit", "in", "on", "unter", "im", "innerhalb")
        for word in said[max(0, at - 4) : at]
    )


def denied_words(text: str, said: Sequence[Word], pack: LanguagePack | None) -> list[bool]:
    """For each word whether it is denied: by a negation before it, or as in leather-free and non-leather."""
    denied = list(negated(text, said, pack)) if pack is not None else [False] * len(said)
    for at, word in enumerate(said):
        if at + 1 < len(said) and _takes_away(text, word, said[at + 1]):
            denied[at] = not denied[at]
        if at and said[at - 1].text == "non":
            denied[at] = True
    return denied


def _takes_away(text: str, word: Word, after: Word) -> bool:
    """Whether the word after it says that it is not there: leather-free, and leather free at an end."""
    between, rest = text[word.end : after.start], text[after.end : after.end + 1]
    if after.text == "less":
        return between == "-"
    return after.text in ("free", "frei") and (
        between == "-" or (between == " " and rest in ("", ".", ",", ";", "!", ")"))
    )
