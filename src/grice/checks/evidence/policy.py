"""Whether everything that a reply says of policy, each number included, is on the store card."""

from __future__ import annotations

from collections.abc import Coroutine, Mapping, Sequence
from typing import Annotated, Any

from grice.checks.evidence.javascript import json_text
from grice.checks.evidence.report import verdict_of
from grice.checks.evidence.sources import told_of, user_sources
from grice.checks.evidence.support import SpokenSynonyms
from grice.checks.evidence.verifier import Verifier
from grice.checks.evidence.verifying import verified
from grice.checks.product_records import turns_up_to
from grice.checks.profiles import Profile
from grice.checks.structure.envelope_parts import DEFAULT_SHAPE, envelope_of, spoken_text
from grice.checks.structure.sentence_count import counted_sentences
from grice.claims.claim_verdicts import settle
from grice.claims.fact_store import FactStore, UserStatements
from grice.claims.lexicon import Lexicon, Phrase, lexicon_for
from grice.claims.passage import Sentence
from grice.claims.passage_parsing import parse_passage
from grice.formats.turns import parse_result
from grice.matching.argument_types import Language, SpokenText
from grice.matching.context import Context
from grice.matching.matcher import ArgumentError, matcher
from grice.matching.subjects import Speech, nothing_in, text_of
from grice.records import Evidence, JsonValue, Reply, Turn, Verdict, failed, inconclusive, passed
from grice.text import value_text

SEED_WORDS = ("policy", "return", "warranty", "shipping", "days", "refund", "exchange", "guarantee")


def _check_card(card: JsonValue) -> None:
    if isinstance(card, bool | int | float):
        raise ArgumentError(f"card is an object or a text, found {value_text(card)}")


Card = Annotated[JsonValue, _check_card]


@matcher(
    "toFollowPolicy",
    layer=2,
    describe="follow [card?the store card|the policy that tools returned][ (profile {profile!s})]",
)
def follow_policy(
    subject: Speech,
    ctx: Context,
    card: Card = None,
    *,
    topics: Sequence[SpokenText] | None = None,
    synonyms: SpokenSynonyms | None = None,
    verifier: Verifier | None = None,
    language: Language | None = None,
    profile: Profile = "robust",
) -> Verdict | Coroutine[Any, Any, Verdict]:
    """What the reply says of policy is on the store card; without `card`, in what tools returned.

    Robust: the sentences on policy are those with a topic (return, warranty, shipping, fee and the like,
    the names of the card's fields, and `topics`) or two words of the card, and those behind them with
    another condition or number. They are read as `be_supported_by` reads a text: each number must be on the
    card, and most words of each clause, whatever the reply claims to have used. The rest of the reply is left
    alone; nothing on policy is `inconclusive`, and so is an empty card.

    Seed: passes unless `meta.store_card_used` is true; then each sentence of lead and detail that ends
    with a mark and has one of eight words stands in the card's JSON text, word for word; without a card
    it fails.
    """
    if profile == "seed":
        return _by_seed(subject, card)
    text = _spoken(subject)
    nothing = nothing_in(text)
    if nothing is not None:
        return nothing
    lexicon = lexicon_for(text, language, synonyms)
    if isinstance(lexicon, str):
        return inconclusive(lexicon)
    turns = turns_up_to(subject, ctx)
    store = FactStore([("$", card)] if card is not None else told_of(turns), lexicon)
    if not store.parts:
        said = (
            "the card is empty"
            if card is not None
            else "no card is given, and no tool returned anything up to this turn"
        )
        return inconclusive(f"{said}: there is no policy to hold the text against")
    passage = parse_passage(text, lexicon)
    claims = _on_policy(passage.claims, store, [lexicon.stems(one) for one in topics or ()])
    if not claims:
        return inconclusive("the text says nothing on policy")
    user_statements = UserStatements(user_sources(turns), lexicon)
    findings = settle(passage, store, only=claims, user_statements=user_statements)
    return verified(findings, store, verifier, ctx, lambda found: verdict_of(found, text))


def _spoken(subject: object) -> str:
    """The prose of the subject: lead and detail of an envelope, else its text."""
    text = text_of(subject)
    if isinstance(subject, Reply | Turn) and isinstance(subject.data, Mapping):
        return spoken_text(subject) or text
    return spoken_text(subject) if text.lstrip().startswith(("{", "```")) else text


def _on_policy(claims: Sequence[Sentence], store: FactStore, topics: Sequence[Phrase]) -> list[Sentence]:
    """The claims with a topic of policy, and those right behind one that go on with a condition or number."""
    lexicon = store.lexicon
    wanted = lexicon.topics.with_more([*topics, *_own_topics(store, lexicon)])
    found: list[Sentence] = []
    before = False
    for claim in claims:
        stems = [one for clause in claim.clauses for one in clause.stems]
        goes_on = before and (
            lexicon.conditions.within(stems)
            or lexicon.anaphors.begin(stems)
            or any(atom.kind != "state" for one in claim.clauses for atom in one.atoms)
        )
        before = wanted.within(stems) or goes_on or _shared(claim, store) >= SHARED
        if before:
            found.append(claim)
    return found


SHARED = 2
"""Words of the card that make a sentence one on policy."""


def _shared(claim: Sentence, store: FactStore) -> int:
    """How many words of a sentence are on the card."""
    lexicon = store.lexicon
    stems = {term.stem for clause in claim.clauses for term in clause.terms if term.stem.isalpha()}
    telling = stems - lexicon.frame - lexicon.opinion
    return sum(store.has_word(one) or store.has_key(one) for one in telling)


def _own_topics(store: FactStore, lexicon: Lexicon) -> set[Phrase]:
    keys = {one for fact in store.facts[:500] if not fact.prose for one in fact.keys}
    return {
        (one,) for one in keys if one not in lexicon.frame and one not in lexicon.opinion and len(one) > 2
    }


def _by_seed(subject: object, card: JsonValue) -> Verdict:
    payload = subject.data if isinstance(subject, Reply | Turn) else None
    if payload is None:
        parsed = parse_result(text_of(subject))
        payload = parsed if isinstance(parsed, Mapping) else None
    meta = payload.get("meta") if isinstance(payload, Mapping) else None
    if not isinstance(meta, Mapping) or not meta.get("store_card_used"):
        return passed("the reply does not claim to have used the store card")
    if card is None:
        return failed("the reply claims to have used the store card, and there is none")
    envelope = envelope_of(subject, DEFAULT_SHAPE)
    parts = ("", "") if isinstance(envelope, str) else (envelope.lead or "", envelope.detail or "")
    known = json_text(card).lower()
    for sentence in counted_sentences(" ".join(parts), "seed"):
        claim = sentence.lower()
        if any(word in claim for word in SEED_WORDS) and claim not in known:
            said = f"{value_text(sentence)} is not in the text of the card"
            return failed(said, evidence=(Evidence(sentence),))
    return passed("every sentence on policy is in the text of the card")
