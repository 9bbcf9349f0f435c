"""Values of slots in what a user says, and messages that answer nothing."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from decimal import Decimal
from functools import lru_cache
from itertools import pairwise

from grice.checks.questions.answer_patterns import CODE, EMAIL, NAMES, PHONE, patterns
from grice.checks.questions.slots import spoken_words
from grice.checks.questions.user_message import (
    Span,
    UserMessage,
    folded,
    is_inquiry,
    is_no_answer,
    is_told,
    sentence_words,
)
from grice.text import fold
from grice.text.money import money_in
from grice.text.packs import pack_of
from grice.text.packs.records import Slot, SlotKind
from grice.text.quantities import Quantity, quantities
from grice.text.times import Moment, moments

BRIEF = 12
"""The words up to which two capital words answer what somebody is called; in more they may be a street."""
SMALL = 20
"""From where on a bare limit, up to 40, is one of money."""
LARGE = 100
"""From where on a bare range of numbers is one of money, and not of sizes or people."""


def codes_in(said: UserMessage) -> list[Span]:
    """Find what looks like the number or code of something: an order, a booking, a user."""
    return [span for span, _ in _codes(said.text)]


def answer_in(said: UserMessage, slot: Slot, *, asked: bool, alone: bool = True) -> Span | None:
    """Find where the message gives a value of the slot, as a place in its prose; None when it gives none.

    `asked` says that the reply before asked for it, `alone` that it asked for nothing else: what would be
    too little in passing (a bare number, any words for a free slot) is then an answer.
    """
    if asked and (alone or len(said.words) <= 6) and _is_any(said):
        return 0, len(said.text)
    found = _FINDERS[slot.kind](said, slot, asked)
    if found is None and asked and slot.kind in ("free", "name", "place", "address", "words", "code"):
        found = _any_words(said, slot, alone=alone)
    return found


def _is_any(said: UserMessage) -> bool:
    text, known = folded(said.text), said.phrases
    if any(phrase in text for phrase in known.any_answer):
        return True
    doubtful = any(phrase in text for phrase in known.no_answer)  # no idea
    return not doubtful and not known.none.isdisjoint(said.words[:1])


def _any_words(said: UserMessage, slot: Slot, *, alone: bool) -> Span | None:
    """Any answer at all, to a question that wants words and was the only one."""
    if (
        not alone
        or is_no_answer(said)
        or said.phrases.affirming.issuperset(said.words)
        or (slot.kind in ("code", "address") and not any(map(str.isdigit, said.text)))
    ):
        return None
    if slot.kind == "name" and not _may_be_name(said):
        return None
    if slot.kind == "words" and slot.options and len(said.words) > 12:
        return None
    return 0, len(said.text)


def _may_be_name(said: UserMessage) -> bool:
    """Whether a message is short, and not made of words that say something else."""
    pack = pack_of(said.language) or pack_of("en")
    stops = pack.stop_words if pack is not None else frozenset()
    named = [word for word in said.words if word not in stops and word not in said.phrases.leads]
    return len(said.words) <= 8 and 2 * len(named) >= len(said.words)


def _is_cued(said: UserMessage, slot: Slot, place: int) -> bool:
    """Whether the sentence has one of the words without which the slot is not answered in passing."""
    return not slot.cues or not set(slot.cues).isdisjoint(sentence_words(said, place))


def _money(said: UserMessage, slot: Slot, asked: bool) -> Span | None:
    for one in money_in(said.text):
        words = set(sentence_words(said, one.start))
        if asked or (_is_range(one.low, one.high) and not slot.cues):
            return one.start, one.end
        if slot.cues:
            if words & set(slot.cues) and not is_inquiry(said, one.start):
                return one.start, one.end
            continue
        if (
            len(said.words) <= 4 or words & said.phrases.budget_words
        ) and not words & said.phrases.not_budget:
            return one.start, one.end
    for number in quantities(said.text, pack_of(said.language)):
        told = asked or (not slot.cues and _is_limit(said, number))
        if number.dimension == "" and not number.ordinal and told:
            return number.start, number.end
    return None


def _is_range(low: Decimal | None, high: Decimal | None) -> bool:
    return low is not None and high is not None and low != high


def _is_limit(said: UserMessage, number: Quantity) -> bool:
    """Whether a bare number is meant as money: it says so, or the message is nothing but a large range."""
    if said.phrases.limits & set(sentence_words(said, number.start)):
        return True
    bound = number.number
    after = said.text[number.end : number.end + 12]
    if (
        number.comparison == "<="
        and bound is not None
        and bound >= SMALL
        and patterns(said.language).ends.match(after)
    ):
        return not is_inquiry(said, number.start)
    wide = bool(number.comparison) or number.low != number.high
    return bound is not None and bound >= LARGE and wide and len(said.words) <= 5


def _size(said: UserMessage, slot: Slot, asked: bool) -> Span | None:
    found = patterns(said.language).size.search(said.text)
    if found is not None and is_told(said, found.span()):
        return found.span()
    return (_options(said, slot, asked) or _number(said, slot, asked)) if asked else None


def _options(said: UserMessage, slot: Slot, asked: bool) -> Span | None:
    if (not asked and not slot.volunteered) or said.forms.isdisjoint(_first_words(slot.options)):
        return None
    text = said.text.lower().replace("-", " ")
    if len(text) != len(said.text):
        return None  # lower case has grown, and places would shift
    endings = _endings(said)
    named = [
        option
        for option, first in zip(slot.options, _first_words(slot.options), strict=True)
        if first in said.forms
    ]
    places = {
        found.start(): found.end()
        for option in named
        for found in re.finditer(rf"(?<!\w){re.escape(option)}{endings}(?!\w)", text)
    }
    end = 0
    for start in sorted(places):
        if start < end:
            continue  # one of several that were looked at together
        span = start, _end_of_choice(text, places[start], slot.options, patterns(said.language).joint)
        end = span[1]
        cued = asked or (_is_cued(said, slot, start) and not _denied(text, start, said))
        if cued and (asked or is_told(said, span)):
            return span
    return None


@lru_cache(maxsize=512)
def _first_words(options: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(fold(option.partition(" ")[0]) for option in options)


def _endings(said: UserMessage) -> str:
    """What may end an option: rot, rote, roten. Nothing in English, where no adjective has forms."""
    return f"(?:{'|'.join(sorted(said.phrases.endings))})?" if said.phrases.compounds else ""


def _end_of_choice(text: str, end: int, options: tuple[str, ...], between: re.Pattern[str]) -> int:
    """Where the last of several options ends: black or navy."""
    for _ in options:
        joint = between.match(text, end)
        after = text[joint.end() :] if joint is not None else ""
        taken = [one for one in options if after.startswith(one) and not after[len(one) :][:1].isalnum()]
        if joint is None or not taken:
            break
        end = joint.end() + max(map(len, taken))
    return end


def _denied(text: str, place: int, said: UserMessage) -> bool:
    before = text[max(0, place - 20) : place].split()
    return not said.phrases.denying.isdisjoint(before[-3:])


@lru_cache(maxsize=8)
def _moments(text: str, language: str) -> tuple[Moment, ...]:
    return tuple(moments(text, pack_of(language)))


@lru_cache(maxsize=8)
def _dates(said: UserMessage) -> list[Span]:
    found = [
        (one.start, one.end)
        for one in _moments(said.text, said.language)
        if one.kind in ("date", "weekday") and _is_day(one)
    ]
    return sorted({*found, *(one.span() for one in patterns(said.language).day.finditer(said.text))})


def _is_day(one: object) -> bool:
    return getattr(one, "day", None) is not None or getattr(one, "weekday", None) is not None


def _date(said: UserMessage, slot: Slot, asked: bool) -> Span | None:
    found, known = _dates(said), patterns(said.language)
    if slot.name == "when" and asked:
        found = found or [span for span in (_time(said, slot, asked),) if span]
    if asked:
        return found[0] if found else None
    if slot.name in ("when", "date of birth"):
        cue = not said.phrases.born.isdisjoint(said.words)
        return found[0] if found and cue and slot.name == "date of birth" else None
    wanted = [span for span in found if not set(sentence_words(said, span[0])) & said.phrases.past]
    if slot.name == "return date":
        before = [said.text[max(0, start - 25) : start].lower() for start, _ in wanted]
        back = [span for span, near in zip(wanted, before, strict=True) if known.back.search(near)]
        two = [
            second
            for first, second in pairwise(wanted)
            if known.until.fullmatch(said.text[first[1] : second[0]])
        ]
        return next(iter(back or two), None)
    return wanted[0] if wanted and said.phrases.born.isdisjoint(said.words) else None


def _time(said: UserMessage, slot: Slot, asked: bool) -> Span | None:
    found = [
        (one.start, one.end)
        for one in _moments(said.text, said.language)
        if one.kind == "time" or getattr(one, "hour", None) is not None
    ]
    known = patterns(said.language)
    clock = known.clock.search(said.text) or (known.bare_clock.search(said.text) if asked else None)
    found += [clock.span()] if clock else []
    if slot.name == "end time" and not asked:
        return found[1] if len(found) > 1 else None
    if not asked:
        found = [span for span in found if not set(sentence_words(said, span[0])) & said.phrases.past]
    return found[0] if found else None


def _duration(said: UserMessage, slot: Slot, asked: bool) -> Span | None:
    known = patterns(said.language)
    found = (known.length if asked else known.for_length).search(said.text)
    if found is not None and (asked or said.phrases.ago.isdisjoint(said.words)):
        return found.span()
    return _number(said, slot, asked) if asked else None


def _people(said: UserMessage, slot: Slot, asked: bool) -> Span | None:
    found = patterns(said.language).people.search(said.text)
    if found is not None:
        return found.span()
    return _number(said, slot, asked) if asked else None


def _number(said: UserMessage, slot: Slot, asked: bool) -> Span | None:
    known = patterns(said.language)
    special = {"age": known.aged, "quantity": known.counted}.get(slot.name)
    if not asked and special is not None:
        found = special.search(said.text)
        if found is not None and not is_inquiry(said, found.start()):
            return found.span()
    cues = set(slot.cues)
    if not asked and not cues & set(said.words):
        return None
    for found in known.number.finditer(said.text):
        place = found.start()
        if asked or (cues & set(sentence_words(said, place)) and not is_inquiry(said, place)):
            return found.span()
    return None


def _place(said: UserMessage, slot: Slot, asked: bool) -> Span | None:
    known = patterns(said.language)
    before = known.prepositions.get(slot.preposition)
    if before is None:
        return None
    for found in re.finditer(rf"\b(?:{before})\s+{known.place}", said.text):
        if found["a"].split()[0].lower() in said.phrases.no_place:
            continue
        if (
            asked
            or slot.preposition == "in"
            or set(sentence_words(said, found.start())) & said.phrases.travel
        ):
            return found.span()
    lower = known.lower.get(slot.preposition)
    if lower is not None and not asked and said.text.islower():
        small = lower.search(said.text)
        return small.span() if small is not None else None
    if known.pair is None or asked or slot.preposition == "in" or "from" in said.words:
        return None
    pair = known.pair.search(said.text)
    return pair.span() if pair and set(said.words) & said.phrases.travel else None


def _name(said: UserMessage, slot: Slot, asked: bool) -> Span | None:
    known = patterns(said.language)
    for found in (known.called.search(said.text), known.i_am.search(said.text)):
        if found is not None and (slot.name != "full name" or " " in found["a"].strip()):
            return found.span()
    brief = asked and len(said.words) <= BRIEF
    whole = NAMES.search(said.text) if brief else None
    return whole.span() if whole is not None else None


def _phone(said: UserMessage, slot: Slot, asked: bool) -> Span | None:
    for found in PHONE.finditer(said.text):
        digits = sum(map(str.isdigit, found[0]))
        cue = (
            asked
            or found[0].startswith("+")
            or bool(said.phrases.phone_words & set(said.words))
            or patterns(said.language).own_number.search(said.text[: found.start()])
        )
        if 7 <= digits <= 15 and (cue or re.fullmatch(r"\(?\d{3}\)?[-. ]\d{3}[-. ]\d{4}", found[0])):
            return found.span()
    return None


@lru_cache(maxsize=8)
def _codes(text: str) -> tuple[tuple[Span, frozenset[str]], ...]:
    """What looks like a number or code, each with the words before it."""
    return tuple(
        (found.span(), frozenset(spoken_words(text[max(0, found.start() - 40) : found.start()])[-5:]))
        for found in CODE.finditer(text)
    )


def _code(said: UserMessage, slot: Slot, asked: bool) -> Span | None:
    keys = set(slot.cues) or {noun.partition(" ")[0] for noun in slot.nouns}
    return next((span for span, before in _codes(said.text) if asked or keys & before), None)


def _address(said: UserMessage, slot: Slot, asked: bool) -> Span | None:
    found = patterns(said.language).address.search(said.text)
    return found.span() if found is not None else None


def _email(said: UserMessage, slot: Slot, asked: bool) -> Span | None:
    found = EMAIL.search(said.text)
    return found.span() if found is not None else None


_FINDERS: Mapping[SlotKind, Callable[[UserMessage, Slot, bool], Span | None]] = {
    "money": _money,
    "size": _size,
    "words": _options,
    "date": _date,
    "time": _time,
    "duration": _duration,
    "people": _people,
    "number": _number,
    "place": _place,
    "address": _address,
    "name": _name,
    "email": _email,
    "phone": _phone,
    "code": _code,
    "free": _options,
}
