"""How much of what the user wants a recommendation mentions, and how much its products really have."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, get_args

import msgspec

from grice.checks.product_records import Records, product_records
from grice.checks.profiles import Profile
from grice.checks.shop.constraint_terms import PRICES, PreparedConstraint, is_within, wanted
from grice.checks.shop.constraints import Constraint, Constraints, constraint_words, read_constraints
from grice.checks.structure.envelope_parts import Envelope, Product, Shape, envelope_of, read_shape
from grice.claims.facts import Fact, facts_in
from grice.claims.lexicon import Lexicon, Phrase, Synonyms, plain_lexicon
from grice.claims.terms import ParsedText, Term, parse_text
from grice.claims.value_agreement import holds
from grice.matching.argument_types import Share
from grice.matching.context import Context
from grice.matching.matcher import ArgumentError, Arguments, Unsuitable, matcher
from grice.records import Evidence, JsonValue, Outcome, Reply, Turn, Verdict, inconclusive
from grice.text import did_you_mean, shorten, value_text
from grice.text.normalised import normalise
from grice.text.quantities import Quantity
from grice.text.words import Word, words

CoveredBy = Literal["mentioned", "record", "both"]
WAYS: tuple[CoveredBy, ...] = get_args(CoveredBy)
SHARE = 0.6
MAX_SHOWN = 20
MAX_LENGTH = 200

_Place = tuple[int, int]
_UNTOLD = ("", "data")
"""Dimensions of which only a name tells what is measured: RAM or disk. The number nearest to it counts."""
_WITHIN = frozenset(
    ("under", "within", "below", "inside", "fits", "fit", "in", "on", "unter", "im", "innerhalb")
)

_MAX_TOLD = 2_000
"""The characters of a record that tell its language."""


class _Coverage(msgspec.Struct, frozen=True):
    """What is known of one constraint: where it is mentioned, and whether the products' records meet it."""

    constraint: Constraint
    mention: Evidence | None
    met: bool | None
    misses: tuple[str, ...] = ()

    def covered(self, by: CoveredBy) -> bool | None:
        """Whether it counts; None where no record says."""
        mentioned = self.mention is not None
        if by == "mentioned" or (by == "both" and not mentioned):
            return mentioned
        return self.met


def _check(
    constraints: object, *, by: CoveredBy = "mentioned", profile: Profile = "robust", **_: object
) -> None:
    if profile == "seed" and by != "mentioned":
        raise ArgumentError(f"profile seed looks at what is mentioned, found by={value_text(by)}")


def _describe(
    constraints: object, *, at_least: float = SHARE, by: CoveredBy = "mentioned", **_: object
) -> str:
    listed = read_constraints(constraints)
    names = ", ".join(value_text(constraint_words(one)) for one in listed[:MAX_SHOWN])
    names += ", ..." if len(listed) > MAX_SHOWN else ""
    how = {
        "mentioned": "",
        "record": " by the products' records",
        "both": " in words and by the products' records",
    }
    return f"cover at least {at_least:.0%} of the constraints {names}{how[by]}"


_TEXTS = {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]}
_ONE = {
    "anyOf": [
        {"type": "string", "minLength": 1},
        {
            "type": "object",
            "properties": {
                "name": {"type": "string"},
                "atLeast": {"type": ["number", "string"]},
                "atMost": {"type": ["number", "string"]},
                "equals": {"type": "string"},
                "oneOf": _TEXTS,
                "never": _TEXTS,
                "synonyms": _TEXTS,
            },
            "additionalProperties": False,
        },
    ]
}
_SCHEMA: Mapping[str, Any] = {
    "anyOf": [
        {"type": "string", "minLength": 1},
        {"type": "array", "items": _ONE},
        {
            "type": "object",
            "properties": {
                "constraints": {"type": "array", "items": _ONE},
                "atLeast": {"type": "number", "exclusiveMinimum": 0, "maximum": 1},
                "by": {"enum": list(WAYS)},
                "records": {"type": ["array", "object"]},
                "shape": {"type": "object"},
                "synonyms": {"type": "object"},
                "profile": {"enum": ["seed", "robust"]},
            },
            "required": ["constraints"],
            "additionalProperties": False,
        },
    ]
}
_FIELDS = {
    "constraints": "constraints",
    "atLeast": "at_least",
    "at_least": "at_least",
    "by": "by",
    "records": "records",
    "shape": "shape",
    "synonyms": "synonyms",
    "profile": "profile",
}


def _read(expected: Any) -> Arguments:
    """A list of constraints, or an object with `constraints` and the other arguments."""
    if not isinstance(expected, Mapping):
        return (expected,), {}
    named: dict[str, Any] = {}
    for field, value in expected.items():
        known = _FIELDS.get(field)
        if known is None:
            raise ArgumentError(
                f"expected has an unknown field {value_text(field)}{did_you_mean(str(field), _FIELDS)}"
            )
        if known in named:
            raise ArgumentError(f"{known} is given twice in expected")
        named[known] = value
    if "constraints" not in named:
        raise ArgumentError("constraints is missing in expected")
    return (named.pop("constraints"),), named


@matcher("toCoverConstraints", layer=4, describe=_describe, check=_check, read=_read, schema=_SCHEMA)
def cover_constraints(
    subject: Reply | Turn | str | Mapping[str, Any],
    ctx: Context,
    constraints: Constraints,
    *,
    at_least: Share = SHARE,
    by: CoveredBy = "mentioned",
    records: Records | None = None,
    shape: Shape | None = None,
    synonyms: Synonyms | None = None,
    profile: Profile = "robust",
) -> Verdict:
    """A recommendation covers at least that share of what the user wants.

    Two figures are counted. A constraint is *mentioned* where lead, detail, or a title, price or reason of a
    product says that it is met: as words, so that "men" is not in "women's", not denied ("not waterproof"), a
    number inside the range. It is met by the *record* where the records of all products that are shown have
    it; `records` are those given, else what tools returned. `by` says which figure has to reach the share;
    both are told. A text is a free constraint: words, a range ("under $400") or what is ruled out ("no
    leather"); `synonyms` are further words for some. No constraints, no envelope and no products are
    `inconclusive`, and so is what the records leave open, where they count. `seed` finds the constraint's
    name anywhere in a reason, letter by letter.
    """
    wants, names = read_constraints(constraints), read_shape(shape)
    envelope = envelope_of(subject, names)
    if isinstance(envelope, str):
        if not isinstance(subject, Reply | Turn | str | Mapping):
            raise Unsuitable(f"a Reply, a Turn, a text or an object, found {type(subject).__name__}")
        return inconclusive(f"there is no recommendation to look at: {envelope}")
    if profile == "seed":
        return _by_seed(wants, envelope, at_least)
    if not wants:
        return inconclusive("there are no constraints to cover")
    if not envelope.products:
        return inconclusive("the reply shows no products")
    known = product_records(records, subject, ctx)
    table = {word: (one,) if isinstance(one, str) else tuple(one) for word, one in (synonyms or {}).items()}
    shown = [
        (product, _known_of(known[product.id]) if product.id in known else None)
        for product in envelope.products
    ]
    passages = _passages(envelope)
    found = [_coverage_of(wanted(one, table), passages, shown) for one in wants]
    if by != "mentioned" and not any(record is not None for _, record in shown):
        return inconclusive(
            f"no record is known of {_products(envelope.products)}: give records=, or have tools return them"
        )
    return _verdict(found, at_least, by)


def _by_seed(wants: Sequence[Constraint], envelope: Envelope, at_least: float) -> Verdict:
    reasons = [reason.lower() for product in envelope.products for reason in product.reasons]
    missing = [one for one in wants if not any(one.name.lower() in reason for reason in reasons)]
    count = len(wants) - len(missing)
    share = count / len(wants) if wants else None
    told = f"{count} of {len(wants)} mentioned in {len(reasons)} reason{'' if len(reasons) == 1 else 's'}"
    if missing:
        told += f"; missing: {_constraint_list(missing)}"
    good = share is not None and share >= at_least
    return Verdict(
        Outcome.PASS if good else Outcome.FAIL, told, detail={"mentioned": share, "threshold": at_least}
    )


# -- what is mentioned, and what is met


def _passages(envelope: Envelope) -> list[tuple[str, str]]:
    """What the user reads: paths and texts, the reasons first."""
    found = [
        (f"{product.path}.why[{at}]", reason)
        for product in envelope.products
        for at, reason in enumerate(product.reasons)
    ]
    found += [(f"$.{name}", text) for name in ("lead", "detail") if (text := getattr(envelope, name))]
    found += [(f"{product.path}.title", product.title) for product in envelope.products if product.title]
    return found


def _coverage_of(
    want: PreparedConstraint,
    passages: Sequence[tuple[str, str]],
    shown: Sequence[tuple[Product, _RecordFacts | None]],
) -> _Coverage:
    mention = next((one for path, text in passages if (one := _mention(path, text, want))), None)
    if mention is None and want.limit is not None and want.limit.dimension == "money":
        mention = _price_shown(want, [product for product, _ in shown])
    answers = {product.id: record.meets(want) for product, record in shown if record is not None}
    misses = tuple(name for name, answer in answers.items() if answer is False)
    met = None if not answers or any(one is None for one in answers.values()) else not misses
    return _Coverage(want.constraint, mention, False if misses else met, misses)


def _mention(path: str, text: str, want: PreparedConstraint) -> Evidence | None:
    prose = normalise(text)
    place = _mention_in(prose.text, want)
    if place is None or place[0] >= place[1]:
        return None
    start, end = prose.span(*place)
    return Evidence(text[start:end], start=start, end=end, path=path)


def _price_shown(want: PreparedConstraint, products: Sequence[Product]) -> Evidence | None:
    """The price of a card as the user sees it, where every card's price is in the range."""
    priced = [product for product in products if product.price is not None]
    if not priced or not all(_known_of({"price": product.price}).meets(want) for product in priced):
        return None
    return Evidence(value_text(priced[0].price), path=f"{priced[0].path}.price")


# -- what is told


def _verdict(found: Sequence[_Coverage], at_least: float, by: CoveredBy) -> Verdict:
    total = len(found)
    mentioned = sum(one.mention is not None for one in found)
    met = sum(one.met is True for one in found)
    unknown = sum(one.met is None for one in found)
    records = f"{met} of {total} met by the records" + (f" ({unknown} unknown)" if unknown else "")
    records = records if unknown < total else "no record says"
    told = f"{mentioned} of {total} mentioned, {records}"
    count = sum(one.covered(by) is True for one in found)
    open_ = sum(one.covered(by) is None for one in found)
    outcome = Outcome.PASS if count / total >= at_least else Outcome.FAIL
    if outcome is Outcome.FAIL:
        told += f"; expected {at_least:.0%} {_NAMES[by]}, found {count / total:.0%}"
        if (count + open_) / total >= at_least:
            outcome = Outcome.INCONCLUSIVE
            told += f", and of {open_} more no record says"
    missing = [one.constraint for one in found if not one.covered(by)]
    if missing:
        told += f"; not {_NAMES[by]}: {_constraint_list(missing)}"
    broken = [
        f"{value_text(constraint_words(one.constraint))} by {', '.join(one.misses)}"
        for one in found
        if one.misses
    ]
    if broken:
        told += f"; the record contradicts {shorten(', '.join(broken), MAX_LENGTH)}"
    detail: dict[str, JsonValue] = {
        "mentioned": round(mentioned / total, 6),
        "record": None if unknown == total else round(met / total, 6),
        "threshold": at_least,
        "by": by,
    }
    evidence = tuple(one.mention for one in found if one.mention is not None)[:MAX_SHOWN]
    return Verdict(outcome, told, evidence, detail=detail)


_NAMES: Mapping[CoveredBy, str] = {
    "mentioned": "mentioned",
    "record": "met by the record",
    "both": "mentioned and met by the record",
}


def _constraint_list(wants: Sequence[Constraint]) -> str:
    shown = ", ".join(value_text(constraint_words(one)) for one in wants[:MAX_SHOWN])
    return shown + (", ..." if len(wants) > MAX_SHOWN else "")


def _products(products: Sequence[Product]) -> str:
    return shorten(", ".join(value_text(one.id or one.title) for one in products), MAX_LENGTH)


def _mention_in(text: str, want: PreparedConstraint) -> _Place | None:
    """Where a text says that the constraint is met, in the text; None where it does not."""
    reading = parse_text(text, plain_lexicon(text))
    said = [*reading.terms, *_little_words(reading)]
    place = next((found for one in want.right if (found := _place_of(one, said))), None)
    if want.limit is not None:
        return _range_in(reading, want, want.limit, place)
    if place is not None or any(_place_of(one, said) for one in want.wrong):
        return place
    return next((found for one in want.wrong if (found := _place_of(one, said, denied=True))), None)


def _little_words(reading: ParsedText) -> Iterator[Term]:
    """The words that carry no meaning of their own: a size may be "m"."""
    terms = {term.start for term in reading.terms}
    for word, stem in zip(reading.tokens, reading.stems, strict=True):
        if word.start not in terms:
            yield Term(stem, word.start, word.end)


def _place_of(phrase: Phrase, terms: Sequence[Term], *, denied: bool = False) -> _Place | None:
    """Where all words of the phrase stand, near one another, each denied or not as wanted."""
    places: list[Term] = []
    for one in phrase:
        found = [term for term in terms if term.stem == one and term.denied is denied]
        if not found:
            return None
        places.append(min(found, key=lambda term: abs(term.start - places[-1].start)) if places else found[0])
    return min(one.start for one in places), max(one.end for one in places)


def _range_in(
    reading: ParsedText, want: PreparedConstraint, limit: Quantity, named: _Place | None
) -> _Place | None:
    known = named is not None or not want.right
    alike = [one for one in reading.quantities if _is_alike(one, limit, named=known)]
    if named is not None and limit.dimension in _UNTOLD:
        start, end = named
        alike = sorted(alike, key=lambda one: max(one.start - end, start - one.end))[:1]
    answers = [is_within(one, limit) for one in alike]
    denied = [term.start for term in reading.terms if term.denied]
    for one, within in zip(alike, answers, strict=True):
        if within and not any(one.start <= start < one.end for start in denied):
            return one.start, one.end
    if False in answers or limit.dimension != "money":
        return None
    said = reading.tokens
    return next((place for at in range(len(said)) if (place := _in_budget(said, at))), None)


def _is_alike(number: Quantity, limit: Quantity, *, named: bool) -> bool:
    """Whether a number is of what is limited; of plain numbers and of data only the name tells."""
    if not limit.dimension:
        return named
    return number.dimension == limit.dimension and (named or limit.dimension not in _UNTOLD)


def _in_budget(said: Sequence[Word], at: int) -> _Place | None:
    """The place of a "budget" that words before it say is kept: under your budget, within it, fits it."""
    kept = said[at].text in PRICES and any(word.text in _WITHIN for word in said[max(0, at - 4) : at])
    return (said[at].start, said[at].end) if kept else None


class _RecordFacts(msgspec.Struct, frozen=True):
    """The record of a product as facts."""

    facts: Sequence[Fact]
    lexicon: Lexicon

    def meets(self, want: PreparedConstraint) -> bool | None:
        """Whether the product meets the constraint; None where its record does not say."""
        facts = [fact for fact in self.facts if self._is_field(fact, want)]
        if want.limit is not None:
            answers = [_within(fact, want, want.limit) for fact in facts]
            known = [one for one in answers if one is not None]
            return (all if want.field or want.priced else any)(known) if known else None
        if not facts:
            return None
        if want.wrong:
            return not any(self._says(fact, phrase) for fact in facts for phrase in want.wrong)
        if any(self._says(fact, phrase) for fact in facts for phrase in want.right):
            return True
        denied = any(self._denies(fact, phrase) for fact in facts for phrase in want.right)
        return False if denied or want.field else None

    def _is_field(self, fact: Fact, want: PreparedConstraint) -> bool:
        if want.priced:
            return any(one in fact.keys for name in PRICES for one in self.lexicon.stems(name))
        return fact.keys.issuperset(want.field)

    def _says(self, fact: Fact, phrase: Phrase) -> bool:
        """Whether a fact says a phrase, in its value or by its name, and its value does not deny it."""
        left = frozenset(phrase) - fact.keys
        if not left:
            return not self._is_denial(fact)
        return left <= fact.words or phrase == self.lexicon.stems(fact.shown)

    def _denies(self, fact: Fact, phrase: Phrase) -> bool:
        if fact.keys.issuperset(phrase):
            return self._is_denial(fact)
        return fact.denied.issuperset(phrase)

    def _is_denial(self, fact: Fact) -> bool:
        """Whether the value of a field says that what the field names is not there: no, none, 0."""
        if fact.truth is not None or fact.number is not None or fact.size:
            return not (fact.truth or fact.number)
        first = next((word.text for word in words(fact.shown)), "no")
        pack = self.lexicon.pack
        known = (self.lexicon.nothing, pack.negations, pack.noun_negations, pack.word_negations)
        return first in pack.no_words or any(first in one for one in known)


def _known_of(record: Mapping[str, Any]) -> _RecordFacts:
    """The facts of a record, read in the language of its texts."""
    told = [value for value in record.values() if isinstance(value, str)]
    lexicon = plain_lexicon(" ".join(told)[:_MAX_TOLD])
    return _RecordFacts(facts_in(record, lexicon), lexicon)


def _within(fact: Fact, want: PreparedConstraint, limit: Quantity) -> bool | None:
    """Whether a number of a record is in a range; None for what is no number, or of another kind.

    Where no field is named ("27-inch"), only a number with a unit of that kind says anything.
    """
    if fact.size:
        return None
    if limit.dimension == "money" and fact.number is not None and fact.number < 0:
        return None  # no price is below nothing
    alike = [one for one in fact.quantities if one.dimension == limit.dimension]
    if alike:
        return is_within(alike[0], limit)
    if fact.number is None or want.bare is None or (limit.dimension and not (want.field or want.priced)):
        return None
    return holds(want.bare, fact.number)
