"""Whether what a reply says of products is in their records.

Every reason of every product is evidence in the record of the same id.
"""

from __future__ import annotations

from collections.abc import Coroutine, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from grice.checks.evidence.javascript import json_text
from grice.checks.evidence.report import counted
from grice.checks.evidence.sources import told_of, user_sources
from grice.checks.evidence.support import SpokenSynonyms, seed_supports
from grice.checks.evidence.verifier import Verifier
from grice.checks.evidence.verifying import verified
from grice.checks.product_records import Records, product_records, turns_up_to
from grice.checks.profiles import Profile
from grice.checks.structure.envelope_parts import (
    Envelope,
    EnvelopeShape,
    Product,
    Shape,
    envelope_of,
    read_shape,
)
from grice.claims.claim_findings import Finding
from grice.claims.claim_verdicts import settle
from grice.claims.fact_store import FactStore, UserStatements
from grice.claims.field_names import currency_in
from grice.claims.lexicon import Lexicon, Synonyms, lexicon_for
from grice.claims.passage_parsing import parse_passage
from grice.claims.value_agreement import agree
from grice.matching.argument_types import Language
from grice.matching.context import Context
from grice.matching.matcher import matcher
from grice.records import Evidence, JsonValue, Outcome, Reply, Turn, Verdict, failed, inconclusive, passed
from grice.text import did_you_mean, shorten, value_text
from grice.text.money import read_money
from grice.text.words import stem, words

MAX_RECORDS = 200
"""Records that are read beside those of the products shown, to know what values a field has."""

MAX_FINDINGS = 10

Subject = Reply | Turn | Mapping[str, Any] | str


@matcher(
    "toGroundProducts",
    layer=2,
    describe="ground every reason for a product in its record[ (profile {profile!s})]",
)
def ground_products(
    subject: Subject,
    ctx: Context,
    *,
    records: Records | None = None,
    shape: Shape | None = None,
    synonyms: SpokenSynonyms | None = None,
    verifier: Verifier | None = None,
    language: Language | None = None,
    profile: Profile = "robust",
) -> Verdict | Coroutine[Any, Any, Verdict]:
    """What the envelope says of each product is in the record of the same id: its reasons, title and
    price.

    `records` are those given, else all objects with an id that tools returned up to this turn. Robust:
    each reason is read as `be_supported_by` reads a text, with this record as what it speaks of;
    "cheapest" ranks, and no record says it: it counts as an opinion. A product without an id, with an id that
    no record has, or with another title or price than its record, `fail`s; an empty reason is an `error`; no
    envelope, no products, nothing to compare, and no record known at all are `inconclusive`. Opinions
    ("great choice") are neither.

    Seed: each reason in lower case is part of the record's JSON text or of one of its fields; without
    products it passes.
    """
    wanted = read_shape(shape)
    envelope = envelope_of(subject, wanted)
    if isinstance(envelope, str):
        return inconclusive(f"there are no products to look at: {envelope}")
    known = product_records(records, subject, ctx)
    if profile == "seed":
        return _by_seed(envelope, known)
    if not envelope.products:
        faults = f" ({'; '.join(envelope.faults[:3])})" if envelope.faults else ""
        return inconclusive(f"the envelope shows no products{faults}")
    if not known and records is None and not told_of(turns_up_to(subject, ctx)):
        return inconclusive("no records are given, and no tool returned any up to this turn")
    lexicon = _lexicon(envelope, language, synonyms)
    if isinstance(lexicon, str):
        return inconclusive(lexicon)
    user_statements = UserStatements(user_sources(turns_up_to(subject, ctx)), lexicon)
    return _ShownProducts(envelope.products, known, lexicon, wanted, user_statements).verdict(verifier, ctx)


def _lexicon(envelope: Envelope, language: str | None, synonyms: Synonyms | None) -> Lexicon | str:
    """The lexicon for the reasons, or why there is none: they may be too short to tell their language from
    them alone.
    """
    text = " ".join(reason for product in envelope.products for reason in product.reasons)
    lexicon = lexicon_for(text, language, synonyms)
    if isinstance(lexicon, str):
        return lexicon
    return lexicon_for(f"{envelope.lead or ''} {envelope.detail or ''} {text}", language, synonyms)


def _by_seed(envelope: Envelope, known: Mapping[str, Mapping[str, Any]]) -> Verdict:
    for product in envelope.products:
        record = known.get(product.id)
        if record is None:
            return failed(f"{product.path}: no record has the id {value_text(product.id)}")
        for place, reason in enumerate(product.reasons):
            if not seed_supports(reason, record):
                where = f"{product.path}.why[{place}]"
                said = f"{where} {value_text(reason)} is not in the text of the record {product.id}"
                return failed(said, evidence=(Evidence(reason, path=where),))
    return passed(f"{len(envelope.products)} products")


class _ShownProducts(msgspec.Struct, frozen=True):
    """Products of an envelope before the records."""

    products: Sequence[Product]
    known: Mapping[str, Mapping[str, Any]]
    lexicon: Lexicon
    shape: EnvelopeShape
    user_statements: UserStatements

    def verdict(self, verifier: Verifier | None, ctx: Context) -> Verdict | Coroutine[Any, Any, Verdict]:
        empty = [
            where for product in self.products for where, reason in _reasons(product) if not reason.strip()
        ]
        if empty:
            return Verdict(Outcome.ERROR, f"{', '.join(empty[:MAX_FINDINGS])}: the reason is empty")
        shown = [product.id for product in self.products if product.id in self.known]
        order = [*dict.fromkeys(shown), *(one for one in self.known if one not in shown)][:MAX_RECORDS]
        store = FactStore([("$", [self.known[one] for one in order])], self.lexicon)
        by_place = {one.path: one for one in store.records}
        by_id = {one: by_place[f"$[{place}]"] for place, one in enumerate(order) if f"$[{place}]" in by_place}
        findings: list[Finding] = []
        where: dict[int, str] = {}
        faults: list[Verdict] = []
        compares = 0
        for product in self.products:
            fault = self._fault(product)
            if fault is not None:
                faults.append(fault)
                continue
            differing, checked = self._differing(product)
            faults += differing
            compares += checked
            focus = frozenset((by_id[product.id],)) if product.id in by_id else frozenset()
            for place, reason in _reasons(product):
                found = settle(
                    parse_passage(reason, self.lexicon, strict=True),
                    store,
                    focus=focus,
                    user_statements=self.user_statements,
                )
                where.update((id(one), place) for one in found)
                findings += found
        places = [where[id(one)] for one in findings]
        return verified(
            findings, store, verifier, ctx, lambda settled: _conclusion(settled, places, faults, compares)
        )

    def _fault(self, product: Product) -> Verdict | None:
        """Why a product cannot be looked up."""
        if not product.id:
            title = f" {value_text(product.title)}" if product.title else ""
            return _fault(
                f"{product.path}{title} has no id: it cannot be looked up", product.title, product.path
            )
        if product.id in self.known:
            return None
        hint = did_you_mean(product.id, self.known)
        none = "" if self.known else ": there is no record at all"
        return _fault(
            f"{product.path}: no record has the id {value_text(product.id)}{hint}{none}",
            product.id,
            product.path,
        )

    def _differing(self, product: Product) -> tuple[list[Verdict], int]:
        """Where title and price on the card differ from the record, and how many of them could be
        compared.
        """
        record = self.known[product.id]
        found: list[Verdict] = []
        title = _field(record, self.shape.product_title)
        compares = 0
        if product.title and isinstance(title, str) and title.strip():
            compares += 1
            if not _same_title(product.title, title, record, self.lexicon):
                found.append(_other(product, "title", product.title, title))
        theirs = _field(record, self.shape.product_price)
        mine = read_money(product.price, currency_in(product.raw))
        other = read_money(theirs, currency_in(record))
        agreed = agree(mine.quantity, other.quantity) if mine and other else "not comparable"
        compares += agreed != "not comparable"
        if agreed == "different":
            found.append(_other(product, "price", product.price, theirs))
        return found, compares


def _conclusion(
    findings: Sequence[Finding], places: Sequence[str], faults: Sequence[Verdict], compares: int
) -> Verdict:
    detail = counted(findings)
    bad = list(_bad(findings, places))
    bad.sort(key=lambda one: " is contradicted: " not in one.reason)
    telling = [*faults, *bad]
    if telling:
        reasons = [one.reason for one in telling]
        shown = reasons[:MAX_FINDINGS] + (
            [f"... and {len(reasons) - MAX_FINDINGS} more"] if len(reasons) > MAX_FINDINGS else []
        )
        evidence = tuple(one for verdict in telling for one in verdict.evidence)[: MAX_FINDINGS * 2]
        return Verdict(Outcome.FAIL, "\n".join(shown), evidence, detail=detail)
    supported = detail["supported"]
    if supported or compares:
        opinions = f", {detail['opinion']} opinions" if detail["opinion"] else ""
        said = f"{supported} reasons are in the records{opinions}; {compares} titles and prices agree"
        return Verdict(Outcome.PASS, said, detail=detail)
    if findings:
        return Verdict(
            Outcome.INCONCLUSIVE, "the reasons are opinions: there is nothing to check", detail=detail
        )
    return inconclusive("the products have no reasons, and no title or price to compare")


def _bad(findings: Sequence[Finding], places: Sequence[str]) -> Iterator[Verdict]:
    for finding, place in zip(findings, places, strict=True):
        if finding.status in ("contradicted", "unsupported"):
            said = value_text(shorten(finding.said, 160))
            point = next((one for one in finding.points if one.status == finding.status), None)
            note = point.fact.line if point is not None and point.fact is not None else ""
            evidence = Evidence(finding.said, path=place, start=finding.start, end=finding.end, note=note)
            yield failed(f"{place} {said} is {finding.status}: {finding.reason}", evidence=(evidence,))


def _reasons(product: Product) -> list[tuple[str, str]]:
    return [(f"{product.path}.why[{place}]", reason) for place, reason in enumerate(product.reasons)]


def _other(product: Product, what: str, mine: JsonValue, theirs: JsonValue) -> Verdict:
    said = f"{product.path}: the {what} is {value_text(mine)}, in the record {value_text(theirs)}"
    return _fault(said, str(mine), product.path)


def _fault(reason: str, quote: str, path: str) -> Verdict:
    return failed(reason, evidence=(Evidence(shorten(quote, 160), path=path),))


def _field(record: Mapping[str, Any], names: Sequence[str]) -> JsonValue:
    return next((record[name] for name in names if record.get(name) is not None), None)


def _same_title(one: str, other: str, record: Mapping[str, Any], lexicon: Lexicon) -> bool:
    """Whether one title has all words of the other: cards shorten titles, and add the brand. What is added
    behind them makes another product (Pro, Max), unless the record says it.
    """
    mine = [stem(word.text, lexicon.pack) for word in words(one)]
    theirs = {stem(word.text, lexicon.pack) for word in words(other)}
    if theirs <= set(mine):
        last = max((place for place, word in enumerate(mine) if word in theirs), default=-1)
        known = {stem(word.text, lexicon.pack) for word in words(json_text(record))}
        return set(mine[last + 1 :]) - theirs - lexicon.frame - lexicon.pack.stop_words <= known
    return set(mine) <= theirs
