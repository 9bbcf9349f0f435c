"""Whether what a reply says is in the facts.

The robust profile reads claims and facts instead of comparing characters.
"""

from __future__ import annotations

from collections.abc import Coroutine, Mapping, Sequence
from typing import Any, get_args

import msgspec

from grice.checks.evidence.report import Allowed, verdict_of
from grice.checks.evidence.sources import known_of, told_of, user_sources
from grice.checks.evidence.verifier import Verifier
from grice.checks.evidence.verifying import verified
from grice.checks.product_records import turns_up_to
from grice.checks.profiles import Profile
from grice.claims.claim_verdicts import settle
from grice.claims.fact_store import FactStore, UserStatements
from grice.claims.lexicon import lexicon_for
from grice.claims.passage_parsing import parse_passage
from grice.claims.terms import Term, parse_text
from grice.matching.argument_types import Language, SpokenText
from grice.matching.context import Context
from grice.matching.matcher import ArgumentError, Arguments, matcher
from grice.matching.subjects import Speech, nothing_in, text_of
from grice.records import JsonValue, Verdict, failed, inconclusive, passed
from grice.text import did_you_mean, value_text

_ALLOWED: tuple[Allowed, ...] = get_args(Allowed)
_FIELDS = {"facts", "synonyms", "allow", "verifier", "language", "profile"}
_SCHEMA: Mapping[str, Any] = {
    "type": ["object", "null"],
    "properties": {
        "facts": {},
        "synonyms": {"type": "object"},
        "allow": {"type": "array", "items": {"enum": list(_ALLOWED)}, "uniqueItems": True},
        "language": {"type": "string"},
        "profile": {"enum": ["seed", "robust"]},
    },
    "additionalProperties": False,
}

SpokenSynonyms = Mapping[SpokenText, SpokenText | Sequence[SpokenText]]
"""Words with those that say the same."""


def _read(expected: Any) -> Arguments:
    """An object with the arguments by name; null for none."""
    if expected is None:
        return (), {}
    if not isinstance(expected, dict):
        raise ArgumentError(f"expected is an object with facts, found {value_text(expected)}", "expected")
    for field in expected:
        if field not in _FIELDS:
            hint = did_you_mean(str(field), _FIELDS)
            raise ArgumentError(f"expected has an unknown field {value_text(field)}{hint}", "expected")
    named = dict(expected)
    return ((named.pop("facts"),) if "facts" in named else ()), named


@matcher(
    "toBeSupportedBy",
    layer=2,
    describe="be supported by [{facts}|what tools returned][ (profile {profile!s})]",
    read=_read,
    schema=_SCHEMA,
)
def be_supported_by(
    subject: Speech,
    ctx: Context,
    facts: JsonValue = None,
    *,
    synonyms: SpokenSynonyms | None = None,
    allow: Sequence[Allowed] = ("opinion",),
    verifier: Verifier | None = None,
    language: Language | None = None,
    profile: Profile = "robust",
) -> Verdict | Coroutine[Any, Any, Verdict]:
    """What the reply says is in the facts: a record, a list of records, or a text; without them, what
    tools returned.

    Robust: each sentence that claims something is cut into clauses, and each of these into quantities,
    dates, comparisons and words, which are looked up in the facts (`weight_g: 500` supports "0.5 kg").
    Contradicted or unsupported claims `fail`, and so do opinions ("great choice") where `allow` does not
    name them; with "unsupported" in `allow` only contradictions fail. Questions, offers and thanks claim
    nothing; a reply without a claim is `inconclusive`, as is one without facts to hold it against.
    Without `facts` those are the results of the tools up to this turn; what the user said repeats no
    fact, but is no invention when the reply says it back to the user. `verifier` is asked about claims
    that are in no fact. `detail` has the counts, `share`, how much of what is claimed is supported, and
    `support`, how close all its words are to the facts (for ranking replies), both from 0 to 1. What
    tools returned is not read for a reply without a claim.

    Seed: the whole text, in lower case, is part of the facts' JSON text or of one of their values.
    """
    text = text_of(subject)
    if profile == "seed":
        known = facts if facts is not None else [value for _, value in told_of(turns_up_to(subject, ctx))]
        if seed_supports(text, known):
            return passed("the facts have the text, character by character")
        return failed(f"the text of the facts does not have {value_text(text)}")
    nothing = nothing_in(text)
    if nothing is not None:
        return nothing
    turns = turns_up_to(subject, ctx)
    sources = [("$", facts)] if facts is not None else known_of(turns)
    if not sources:
        return inconclusive(_NO_RESULTS)
    lexicon = lexicon_for(text, language, synonyms)
    if isinstance(lexicon, str):
        return inconclusive(lexicon)
    passage = parse_passage(text, lexicon)
    if facts is None and not passage.claims:
        return verdict_of((), text, allow)
    store = FactStore(sources, lexicon)
    if not store.parts:
        return inconclusive(_NO_RESULTS if facts is None else "there are no facts to hold the text against")
    findings = settle(passage, store, user_statements=UserStatements(user_sources(turns), lexicon))
    close = _overlap(parse_text(passage.prose.text, lexicon).terms, store)
    return verified(
        findings, store, verifier, ctx, lambda found: with_figure(verdict_of(found, text, allow), close)
    )


_NO_RESULTS = "no tool returned anything up to this turn, and no facts to hold the text against"
AGAINST, MISSING = 0.2, 0.05
"""What the figure of a text loses by a claim that the facts contradict, and by one that they do not have."""


def with_figure(verdict: Verdict, close: float) -> Verdict:
    """The verdict with a figure for ranking texts: how close it is to the facts, less what is wrong
    with it.
    """
    figure = close
    figure -= AGAINST if verdict.detail.get("contradicted") else 0
    figure -= MISSING if verdict.detail.get("unsupported") else 0
    return msgspec.structs.replace(verdict, detail={**verdict.detail, "support": round(max(figure, 0), 4)})


def seed_supports(claim: str, record: Any) -> bool:
    """The rule of profile `seed`: the claim in lower case is part of the record's JSON text, or of the text
    of one of its fields.
    """
    from grice.formats.content import json_text  # a check of profile `robust` loads no format

    sought = claim.lower()
    if sought in json_text(record).lower():
        return True
    fields = (
        record.values() if isinstance(record, Mapping) else record if isinstance(record, list | tuple) else ()
    )
    return any(sought in one.lower() for one in fields if isinstance(one, str))


def _overlap(terms: Sequence[Term], store: FactStore) -> float:
    """The share of a text's words that the facts have, from 0 to 1; numbers are words too."""
    stems = {term.stem for term in terms}
    return sum(store.has_word(one) or store.has_key(one) for one in stems) / len(stems) if stems else 0.0
