"""Whether what a reply says is in the facts.

Source: seed 001, layers 1D and 2A. The robust profile reads claims and facts instead of comparing characters.
"""

from __future__ import annotations

from collections.abc import Coroutine, Mapping, Sequence
from typing import Any, get_args

import msgspec

from grice.checks.evidence.javascript import js_string, json_text
from grice.checks.evidence.report import Allowed, verdict_of
from grice.checks.evidence.sources import heard_of, known_of, told_of
from grice.checks.evidence.verifier import Verifier
from grice.checks.evidence.verifying import verified
from grice.checks.product_records import turns_up_to
from grice.checks.profiles import Profile, check_profile
from grice.claims.lexicon import Synonyms, lexicon_for
from grice.claims.overlap import overlap
from grice.claims.reading import read
from grice.claims.settling import settle
from grice.claims.store import FactStore, Heard
from grice.claims.terms import read_text
from grice.matching.context import Context
from grice.matching.matcher import ArgumentError, Arguments, matcher
from grice.matching.subjects import Speech, nothing_in, text_of
from grice.records import JsonValue, Verdict, failed, inconclusive, passed
from grice.text import did_you_mean, value_text

__all__ = ["be_supported_by", "check_reading", "seed_supports"]

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


def _check(
    facts: object = None,
    *,
    synonyms: object = None,
    allow: object = ("opinion",),
    verifier: object = None,
    language: object = None,
    profile: object = "robust",
) -> None:
    check_reading(profile, synonyms, verifier, language)
    if not isinstance(allow, list | tuple):
        raise ArgumentError(f"allow is a list of {' and '.join(_ALLOWED)}, found {value_text(allow)}")
    for one in allow:
        if one not in _ALLOWED:
            hint = did_you_mean(one, _ALLOWED) if isinstance(one, str) else ""
            raise ArgumentError(f"allow is a list of {' and '.join(_ALLOWED)}, found {value_text(one)}{hint}")


def check_reading(profile: object, synonyms: object, verifier: object, language: object) -> None:
    """Raise ArgumentError for what no rule that reads claims can be told."""
    check_profile(profile)
    check_synonyms(synonyms)
    check_verifier(verifier)
    check_language(language)


def check_synonyms(synonyms: object) -> None:
    """Raise ArgumentError for what is no table of synonyms."""
    if synonyms is None:
        return
    if not isinstance(synonyms, Mapping):
        raise ArgumentError(f"synonyms are words with those that say the same, found {value_text(synonyms)}")
    for key, said in synonyms.items():
        given = [said] if isinstance(said, str) else said
        if not isinstance(given, list | tuple) or not all(
            isinstance(one, str) and one.strip() for one in (key, *given)
        ):
            raise ArgumentError(
                f"synonyms[{value_text(key)}] is a text or a list of texts, found {value_text(said)}"
            )


def check_verifier(verifier: object) -> None:
    """Raise ArgumentError for what cannot be asked."""
    if verifier is None or callable(verifier) or callable(getattr(verifier, "bind", None)):
        return
    raise ArgumentError(
        "verifier is a function of a claim and facts, which only Python can give, "
        f"found {value_text(verifier)}"
    )


def check_language(language: object) -> None:
    """Raise ArgumentError for what is no language code."""
    if language is not None and (not isinstance(language, str) or not language):
        raise ArgumentError(f"language is an ISO 639 code, found {value_text(language)}")


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


def _describe(facts: JsonValue = None, **options: Any) -> str:
    words = "be supported by what tools returned" if facts is None else f"be supported by {value_text(facts)}"
    return words if options.get("profile", "robust") == "robust" else f"{words} (profile seed)"


@matcher("toBeSupportedBy", layer=2, describe=_describe, check=_check, read=_read, schema=_SCHEMA)
def be_supported_by(
    subject: Speech,
    ctx: Context,
    facts: JsonValue = None,
    *,
    synonyms: Synonyms | None = None,
    allow: Sequence[Allowed] = ("opinion",),
    verifier: Verifier | None = None,
    language: str | None = None,
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
    Source: seed 001, layer 1D.
    """
    text = text_of(subject)
    if profile == "seed":
        known = facts if facts is not None else _results(subject, ctx)
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
    passage = read(text, lexicon)
    if facts is None and not passage.claims:
        return verdict_of((), text, allow)
    store = FactStore(sources, lexicon)
    if not store.parts:
        return inconclusive(_NO_RESULTS if facts is None else "there are no facts to hold the text against")
    findings = settle(passage, store, heard=Heard(heard_of(turns), lexicon))
    close = overlap(read_text(passage.prose.text, lexicon).terms, passage.prose.text, store)
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


def _results(subject: object, ctx: Context) -> Any:
    return [value for _, value in told_of(turns_up_to(subject, ctx))]


def seed_supports(claim: str, record: Any) -> bool:
    """The seed's rule: the claim in lower case is part of the record's JSON text, or of the text of
    one of its fields.
    """
    sought = claim.lower()
    if sought in json_text(record).lower():
        return True
    fields = (
        record.values() if isinstance(record, Mapping) else record if isinstance(record, list | tuple) else ()
    )
    return any(sought in js_string(one).lower() for one in fields)
