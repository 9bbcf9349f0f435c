"""The values that a reply gives, each with its attribute and the words that tell of what it is."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal

import msgspec

from grice.checks.contradiction.facts.attributes import (
    Place,
    attribute_of,
    is_alternative,
    is_denied,
    is_price,
    kinds_of,
    name_of,
    noun_of,
    stems_of,
    values_beside,
)
from grice.checks.contradiction.facts.segments import Page, Segment, spans_of
from grice.checks.contradiction.facts.stated_amounts import names_subject
from grice.checks.contradiction.facts.stated_clauses import Token
from grice.checks.contradiction.facts.stated_reading import (
    BE,
    Statement,
    Value,
    is_generic,
    shown_of,
)
from grice.checks.contradiction.facts.stated_words import StatedWords
from grice.checks.contradiction.facts.states import said_so
from grice.checks.contradiction.facts.wording import (
    COLOURS,
    DAYS,
    HAVING,
    MEASURED,
    VARIANTS,
)
from grice.text.quantities import Quantity
from grice.text.times import Moment
from grice.text.words import stem
from grice.text.words import words as words_of

__all__ = ["Mention", "mentions_of"]

_PRONOUNS = frozenset(
    ["it", "it's", "its", "they", "they're", "their", "this", "that", "that's", "these", "them"]
)
_CODE = re.compile(r"\s*(?:(?:number|no\.?|#|is|:|to|will be|code)\s*)*([A-Z]{0,2}-?\d{1,4}[A-Z]?|[A-Z])\b")
_NAMED_LABELS = frozenset(["room", "desk", "version", "coach", "lane", "floor"])
_ON_PLAN = re.compile(
    r"\b(?:[Yy]ou(?:'re| are)|[Yy]our (?:site|account|team|workspace|subscription|organi[sz]ation) is)"
    r" (?:currently |still |now )?on (?:the |our |a )?([A-Z][a-z]+)\b"
)
_NO_COST = re.compile(
    r"(?i)\bfree of charge\b|\bat no (?:extra |additional )?(?:cost|charge)\b|\bfor free\b|\bwaived\b"
    r"|\b(?:doesn't|don't|does not|do not|won't) cost (?:you )?(?:a cent|a penny|anything)\b"
    r"|\b(?:is|are|comes?) free\b(?! of| from)"
)
_NO_FEE = re.compile(
    r"(?i)\b(?:no|any|without(?: a| any)?) ((?:[\w-]+ ){0,2}?)(fees?|charges?|deposit|surcharge|penalty)\b"
)
_DEFINITE = re.compile(r"(?i)\b(?:the|your|our)\s(?:[\w'-]+\s)?\Z")
MAX_WIDE = 80
_ARRIVES = re.compile(r"(?i)\b(?:arriv\w+|lands?|landing)\b")


class Mention(msgspec.Struct, frozen=True, gc=False):
    """A statement with what its place says of its subject.

    `modifier` are the words before the noun of the attribute (cleaning fee), `words` the stems of its
    segment that mean something, `variants` those that tell variants apart, `around` the other values there,
    `wide` the words of its sentence and of what it goes on from. `bound` is what stands before a moment.
    """

    statement: Statement
    modifier: frozenset[str] = frozenset()
    words: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset()
    variants: frozenset[str] = frozenset()
    around: frozenset[str] = frozenset()
    near: frozenset[str] = frozenset()
    wide: frozenset[str] = frozenset()
    denied: frozenset[str] = frozenset()
    bound: str = ""
    pronoun: bool = False
    definite: bool = False
    cell: bool = False
    listed: bool = False
    asked: frozenset[str] = frozenset()
    at: int = 0

    @property
    def key(self) -> tuple[str, str]:
        """What has to be the same for two to be compared."""
        return self.statement.key


def mentions_of(page: Page, turn: int, words: StatedWords, asked: Sequence[str] = ()) -> list[Mention]:
    """The values that a reply gives. `asked` are the words of what the user said, for short answers."""
    found: list[Mention] = []
    last: frozenset[str] = frozenset()
    sentence: list[Segment] = []
    user = frozenset(asked)
    whole: dict[int, list[Token]] = {}
    for segment in page.segments:
        whole.setdefault(segment.number, []).extend((*segment.lead, *segment.tokens))
    for segment in page.segments:
        if sentence and sentence[0].number != segment.number:
            last = stems_of((token for one in sentence for token in (*one.lead, *one.tokens)), words)
            sentence = []
        tokens = (*segment.lead, *segment.tokens)
        if segment.sure:
            near = stems_of(tokens if segment.cell else whole[segment.number][:MAX_WIDE], words)
            found += _of(Place(segment, tokens, sentence, page, words, turn, user, near, near | last))
        sentence = [*sentence[-12:], segment]
    return found


def _of(place: Place) -> Iterator[Mention]:
    segment = place.segment
    for quantity in segment.quantities:
        made = _quantity(quantity, place)
        if made is not None:
            yield made
    for moment in segment.moments:
        made = _moment(moment, place)
        if made is not None:
            yield made
    yield from _labels(place)
    yield from _nothing(place)
    for attribute, value, start, end in said_so(segment, place.words):
        if attribute == "need" and not stems_of(place.tokens, place.words):
            continue
        used = [token.stem for token in segment.tokens if start <= token.start < end]
        kind = "availability" if attribute in ("available", "open") else "yes_no"
        yield _mention(kind, attribute, value, place, start, frozenset(used), text=segment.text.strip())


def _quantity(one: Quantity, place: Place) -> Mention | None:
    words, segment = place.words, place.segment
    if one.ordinal or one.dimension in ("name", "size") or is_denied(one.start, segment):
        return None
    if is_alternative(one, place.page.text):
        return None
    counted = one.dimension not in MEASURED and one.dimension not in ("business day", "business hour")
    allowed = kinds_of(words).get(one.dimension, frozenset())
    attribute, at = attribute_of(one, place, allowed) if allowed or not counted else ("", -1)
    if not attribute and counted:
        return _count(one, place)
    if not attribute:
        attribute = {**words.defaults, "data": "data"}.get(one.dimension, "")
    if not attribute and one.dimension not in ("money", ""):
        attribute = noun_of(one, place)
    if not attribute or (attribute == "price" and at < 0 and not is_price(one, place)):
        return None
    kind = "money" if one.dimension == "money" else f"quantity {one.dimension}"
    if kind in ("quantity person", "quantity people", "quantity guest"):
        kind = "quantity "
    return _mention(kind, attribute, one, place, at)


def _count(one: Quantity, place: Place) -> Mention | None:
    """How many there are: you have 12 drafts."""
    segment = place.segment
    said = [token.text for token in segment.tokens]
    having = any(word in HAVING or word.endswith("'ve") for word in said)
    following = next((token for token in segment.tokens if token.start >= one.end), None)
    if not having or not one.dimension or one.comparison:
        return None
    noun = one.dimension
    counted = place.page.text[one.start : one.end]
    more = {stem(word.text, place.words.pack) for word in words_of(counted) if word.text.isalpha()} - {noun}
    if following is not None and following.start <= one.end + 2:
        more.add(following.stem)
    made = _mention("quantity count", noun, one, place, one.start)
    return msgspec.structs.replace(made, modifier=frozenset(more))


def _moment(one: Moment, place: Place) -> Mention | None:
    text, words = place.page.text, place.words
    if (
        is_denied(one.start, place.segment)
        or is_alternative(one, text)
        or names_subject(one, place.segment.tokens, text, words)
    ):
        return None
    text = place.page.text
    before = re.search(
        r"(?i)\b(from|until|till|til|to|by|before|after|between)\s*\Z",
        text[max(0, one.start - 9) : one.start],
    )
    bound = before[1].casefold() if before else ""
    allowed = kinds_of(place.words)["moment"]
    attribute, at = attribute_of(one, place, allowed)
    if attribute in ("appointment", "reservation", "meeting"):
        attribute = "event"
    if attribute == "open" and one.kind == "time" and bound in ("until", "till", "til", "to"):
        attribute, bound = "close", ""
    elif attribute in ("open", "close", "checkin", "checkout"):
        bound = ""
    if not attribute:
        return None
    kind = "time" if one.kind == "time" else "date"
    timed = one.kind == "weekday" and any(other.kind == "time" for other in place.segment.moments)
    if timed and attribute in ("checkin", "checkout", "start", "end"):
        return None
    if kind == "date" and attribute in ("open", "close", "breakfast", "lunch", "dinner"):
        return None
    return _mention(
        kind, attribute, one, place, at, bound={"till": "until", "til": "until"}.get(bound, bound)
    )


def _labels(place: Place) -> Iterator[Mention]:
    segment, text = place.segment, place.page.text
    for token in segment.tokens:
        if token.text not in place.words.labels or token.denied:
            continue
        code = _CODE.match(text, token.end, min(segment.end, token.end + 30))
        label = token.text.removesuffix("s")
        if _ARRIVES.search(segment.text):
            label = f"arrival {label}"
        if (
            code is None
            or label.rpartition(" ")[2] in _NAMED_LABELS
            or any(one.denied for one in segment.tokens)
        ):
            continue
        used = {label, token.stem, code[1].casefold()}
        yield _mention(
            "choice",
            label,
            frozenset((code[1].casefold(),)),
            place,
            token.start,
            frozenset(used),
            text=code[1],
        )
    plan = _ON_PLAN.search(segment.text)
    if plan is not None:
        value = frozenset((plan[1].casefold(),))
        yield _mention(
            "choice", "plan", value, place, segment.start, value | {"plan", "tier"}, text=plan[1], alone=True
        )


def _nothing(place: Place) -> Iterator[Mention]:
    """What costs nothing."""
    segment = place.segment
    if any(one.dimension == "money" for one in segment.quantities):
        return
    fee = _NO_FEE.search(segment.text)
    if fee is not None and (fee[0].casefold().startswith("no ") or _denies(segment, fee.start(2))):
        at = segment.start + fee.start(2)
        name = "deposit" if fee[2].casefold().startswith("deposit") else "fee"
        value = Quantity(Decimal(0), Decimal(0), "", "money", at, at + 1)
        one = _mention("money", name, value, place, at, text="none")
        yield one
        return
    found = _NO_COST.search(segment.text)
    if found is not None and not (found[0].casefold().endswith("free") and _denies(segment, found.end() - 4)):
        at = segment.start + found.start()
        value = Quantity(Decimal(0), Decimal(0), "", "money", at, at + 1)
        used = frozenset(t.stem for t in segment.tokens if at <= t.start < segment.start + found.end())
        yield _mention("money", "fee", value, place, at, used, text="nothing")


def _denies(segment: Segment, place: int) -> bool:
    return any(token.denied for token in segment.tokens if token.start == segment.start + place)


def _mention(
    kind: str,
    attribute: str,
    value: Value,
    place: Place,
    at: int,
    used: frozenset[str] = frozenset(),
    *,
    text: str = "",
    bound: str = "",
    alone: bool = False,
) -> Mention:
    segment, words, page = place.segment, place.words, place.page
    start, end = page.normal.span(*_trimmed(page.text, *segment.sentence))
    own = [
        token
        for token in _speaking(place)
        if not is_generic(token, words)
        and token.stem not in used
        and not (alone and token.start >= at)
        and name_of(token.text, words) != attribute
    ]
    stems = frozenset(token.stem for token in own)
    variants = frozenset(
        token.text for token in _speaking(place) if token.text in VARIANTS and token.stem not in used
    )
    days = {token.text for token in place.tokens if token.text in DAYS}
    names = frozenset(token.stem for token in own if token.name and token.text not in VARIANTS | COLOURS)
    if not text:
        text = page.text[value.start : value.end] if isinstance(value, Quantity | Moment) else shown_of(value)
    statement = Statement(
        kind,
        attribute,
        stems,
        names,
        frozenset(),
        value,
        text if not isinstance(value, bool) else shown_of(value),
        place.turn,
        start,
        end,
        page.normal.original[start:end],
    )
    first = next((token.text for token in segment.tokens), "")
    return Mention(
        statement,
        _modifier(at, segment, words)
        if text not in ("none", "nothing") or (attribute == "fee" and text == "none")
        else frozenset(),
        stems,
        names,
        variants,
        values_beside(value, segment) | days,
        place.near,
        place.wide,
        frozenset(token.stem for token in own if token.denied),
        bound,
        first in _PRONOUNS,
        at >= 0 and _DEFINITE.search(page.text[max(0, at - 24) : at]) is not None,
        segment.cell,
        segment.listed,
        place.asked,
        segment.start,
    )


def _speaking(place: Place) -> Sequence[Token]:
    """The words of a segment; one without a subject of its own goes on with what its sentence began with."""
    tokens, before = place.tokens, place.before
    if place.segment.cell or not before or not _subjectless(place):
        return tokens
    return [*tokens, *_spoken_of(place)]


def _subjectless(place: Place) -> bool:
    """Whether a segment has only verbs before its first amount: "which includes 25 users", "is $40"."""
    segment, words = place.segment, place.words
    starts = [start for start, _ in spans_of(segment.quantities, segment.moments)]
    first = min(starts, default=segment.end + 1)
    return all(
        is_generic(token, words) or token.text in HAVING or token.text in words.attributes
        for token in (*segment.lead, *segment.tokens)
        if token.start < first
    )


def _spoken_of(place: Place) -> Iterator[Token]:
    """What a part of a sentence without a subject goes on from: the part before "which", else the first."""
    start = place.segment.start
    joined = place.page.text[max(0, start - 6) : start].casefold().endswith(("which", "where"))
    if joined:
        yield from place.before[-1].tokens
    else:
        yield from _subject(place.before[0], place.words)


def _subject(segment: Segment, words: StatedWords) -> Iterator[Token]:
    """The words before the first verb of a segment, or its first amount."""
    first = min((start for start, _ in spans_of(segment.quantities, segment.moments)), default=segment.end)
    for token in segment.tokens:
        if token.start >= first or token.text in BE or token.text in HAVING or token.text in words.predicates:
            return
        yield token


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end - 1 and text[start].isspace():
        start += 1
    while end - 1 > start and text[end - 1].isspace():
        end -= 1
    return start, end


def _modifier(at: int, segment: Segment, words: StatedWords) -> frozenset[str]:
    """The word that makes one noun with that of the attribute: cleaning fee."""
    before = [token for token in segment.tokens if token.end <= at and at - token.end <= 1]
    found = before[-1:]
    return frozenset(token.stem for token in found if not is_generic(token, words) and not token.name)
