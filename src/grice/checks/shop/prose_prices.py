"""What the prose of a reply says that products cost."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from operator import attrgetter
from typing import Any

import msgspec

from grice.checks.shop.card_prices import Offer, disagreement, price_in
from grice.checks.shop.price_limit import PriceBudget
from grice.checks.structure.envelope_parts import EnvelopeShape, Product
from grice.claims.field_names import currency_in
from grice.claims.lexicon import plain_lexicon
from grice.claims.passage import Passage
from grice.claims.passage_parsing import parse_passage
from grice.claims.terms import parse_text
from grice.claims.value_agreement import agree, named
from grice.records import Evidence
from grice.text import fold, value_text
from grice.text.money import Money, money_in, read_money
from grice.text.packs import remembered, vocabulary
from grice.text.packs.records import PriceWords
from grice.text.words import words

MAX_TEXT = 100_000
MAX_OFFERS = 200
AROUND = 300
"""The characters around an amount that are looked at."""

MAX_CLAUSES = 8
"""The clauses before and behind that of an amount that may say more of it."""

_Span = tuple[int, int]
_by_start = attrgetter("start")

_STRUCK_OUT = re.compile(r"[\s*_]*(?:~~|</(?:s|del|strike)>)", re.IGNORECASE)  # what closes behind it


def _price_words() -> PriceWords:
    return vocabulary(PriceWords, "en") or PriceWords()


class _Amount(msgspec.Struct, frozen=True):
    """An amount of a text, with the words of its clause before and behind it.

    `sentence` is as much of its sentence as is looked at, `told` the words of the clauses about the same.
    """

    money: Money
    sentence: str
    before: Sequence[str]
    behind: Sequence[str]
    told: frozenset[str]


def spoken_offers(
    text: str,
    cards: Sequence[Product],
    known: Mapping[str, Mapping[str, Any]],
    limit: PriceBudget,
    shape: EnvelopeShape,
) -> Iterator[Offer]:
    """What the prose says that products cost, where no card says the same."""
    passage = parse_passage(text[:MAX_TEXT], plain_lexicon(text))
    shown = [price.quantity for card in cards if (price := read_money(card.price)) is not None]
    shown += [named(limit.limit), named(limit.least)]
    for one in islice(filter(_is_price, _amounts(passage)), MAX_OFFERS):
        money = one.money
        start, end = passage.span(money.start, money.end)
        told = any(agree(other, limit.amount(money)) == "same" for other in shown)
        if not told and money.period == limit.per and not _STRUCK_OUT.match(text, end):
            yield _offer(one, Evidence(text[start:end], start=start, end=end), cards, known, shape)


def _amounts(passage: Passage) -> Iterator[_Amount]:
    """The amounts of a text that are no bounds."""
    prose = passage.prose.text
    bounds = {one.end for one in parse_text(prose, plain_lexicon(prose)).quantities if one.comparison}
    for money in (*money_in(prose), *_bare_prices(prose)):
        if money.end in bounds:
            continue
        first, last = max(0, money.start - AROUND), money.end + AROUND
        sentence, clause, others = _clauses_at(passage, money)
        yield _Amount(
            money,
            prose[max(first, sentence[0]) : min(last, sentence[1])],
            _stems_of(prose[max(first, clause[0]) : money.start]),
            _stems_of(prose[money.end : min(last, clause[1])]),
            frozenset(
                word for start, end in others for word in _stems_of(prose[max(first, start) : min(last, end)])
            ),
        )


@remembered
def _bare_price() -> re.Pattern[str]:
    """What names no currency, and is a price by the word before it: "costs 9,000", "priced at just 9000"."""
    costs = "|".join(map(re.escape, sorted(_price_words().costs)))
    number = r"(?P<number>\d[\d.,]{0,15}\d)"
    ends = r"(?=\s*(?:$|[.,;:!?)\n]|(?:and|but|or|for|with)\b))"
    return re.compile(rf"(?i)\b(?:{costs})\b(?: (?:is|of|at|only|just|you|now)){{0,3}}:? {number}{ends}")


def _bare_prices(prose: str) -> Iterator[Money]:
    for found in _bare_price().finditer(prose):
        money = read_money(found["number"])
        if money is not None:
            yield msgspec.structs.replace(money, start=found.start("number"), end=found.end("number"))


def _clauses_at(passage: Passage, money: Money) -> tuple[_Span, _Span, Sequence[_Span]]:
    """Where the sentence of an amount stands, its clause, and those near by that are about the same; a row
    of a table is one.
    """
    prose = passage.prose.text
    place = bisect_right(passage.sentences, money.start, key=_by_start) - 1
    sentence = passage.sentences[place] if place >= 0 else None
    if sentence is None or sentence.end <= money.start:
        end = prose.find("\n", money.end)
        row = prose.rfind("\n", 0, money.start) + 1, end if end >= 0 else len(prose)
        return row, row, [row]
    whole = sentence.start, sentence.end
    place = bisect_right(sentence.clauses, money.start, key=_by_start) - 1
    if place < 0 or sentence.clauses[place].end <= money.start:
        return whole, whole, [whole]
    own = sentence.clauses[place]
    near = sentence.clauses[max(0, place - MAX_CLAUSES) : place + MAX_CLAUSES]
    same = [(one.start, one.end) for one in near if not one.subject or one.subject == own.subject]
    return whole, (own.start, own.end), same


def _stems_of(text: str) -> list[str]:
    return [word.text for word in words(text)]


def _is_price(one: _Amount) -> bool:
    """Whether an amount is what a product costs, and not what is saved, shipped, spent or too much."""
    if _is_refused(one):
        return False
    known = _price_words()
    if None not in (one.money.low, one.money.high) and one.money.low != one.money.high:
        return known.users.isdisjoint(one.before)
    before, behind = (
        next((word for word in side if word not in known.little), "")
        for side in (one.before[::-1], one.behind)
    )
    if before in known.former or one.before[-1:] == ["your"]:
        return False
    beside = known.no_price.isdisjoint((before, behind))
    return beside and known.services.isdisjoint((*one.before, behind))


def _is_refused(one: _Amount) -> bool:
    """Whether it is told, or asked, of an amount that it is too much."""
    known = _price_words()
    if not known.limits.isdisjoint(one.told):
        return not known.above.isdisjoint(one.told) or one.sentence.rstrip().endswith("?")
    return "too" in one.told and not known.too_dear.isdisjoint(one.told)


def _offer(
    one: _Amount,
    evidence: Evidence,
    cards: Sequence[Product],
    known: Mapping[str, Mapping[str, Any]],
    shape: EnvelopeShape,
) -> Offer:
    """A price in a sentence, with the product that it names."""
    money = msgspec.structs.replace(one.money, high=one.money.most)
    name = f"{value_text(evidence.quote)} in the text"
    meant = [card for card in cards if _names(one.sentence, card.title)]
    if len(meant) == 1:
        own = read_money(meant[0].price, currency_in(meant[0].raw))
        if own is not None and agree(money.quantity, own.quantity) == "different":
            fault = f"the card of {value_text(meant[0].title)} says {own.most}"
            return Offer(name, evidence, money, fields=meant[0].raw, fault=fault)
    titled = (record for record in known.values() if _names(one.sentence, _title(record)))
    record = next(titled, {})
    return Offer(name, evidence, money, fields=record, fault=disagreement(money, price_in(record, shape)))


def _title(record: Mapping[str, Any]) -> str:
    return str(record.get("title") or record.get("name") or "")


def _names(sentence: str, title: str) -> bool:
    return len(title) > 2 and fold(title) in fold(sentence)
