"""Whether a reply recites machine phrases."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Annotated

from msgspec import Meta

from grice.checks.profiles import Profile
from grice.checks.tone.greetings import asks_who
from grice.checks.tone.speech import Said, evidence_at, judge_wording, nothing_said, prose, unquoted
from grice.matching.argument_types import Language
from grice.matching.context import Context
from grice.matching.matcher import ArgumentError, matcher
from grice.matching.subjects import Speech
from grice.records import Evidence, Verdict, failed, inconclusive, passed, skipped
from grice.text import fold, fold_with_offsets, value_text
from grice.text.languages import pack_for
from grice.text.normalised import Normalised
from grice.text.packs import remembered, vocabulary
from grice.text.packs.records import RoboticFamily, RoboticPhrases, expanded

MAX_SHOWN = 10
MAX_PHRASES = 1_000
_BEFORE = 60

SEED_PHRASES = (
    "as an ai",
    "i am unable to",
    "i cannot",
    "i don't have access",
    "i'm just a",
    "as a language model",
)
"""The substrings that profile `seed` forbids in the lower-cased text."""

_Family = tuple[RoboticFamily, re.Pattern[str]]

_CLAUSE_START = re.compile(
    r"(?i)(?:^|[^\w\s'/&]|\n|\b(?:but|and|so|because|since|sorry|that|unfortunately))\s*$"
)
_CONDITION = re.compile(
    r"(?i)(?:\b(?:if|in case|whether|when|whenever|unless|until|what|how|where|why|wenn|falls|ob|says?|said"
    r"|writes?|replies|not because)\b[^.!?;\n,]{0,40})$"
)


def _check_phrase(phrase: str) -> None:
    if not fold(phrase).strip():
        raise ArgumentError(f"expected a text that is not blank, found {value_text(phrase)}")


Phrases = Annotated[Sequence[Annotated[str, _check_phrase]], Meta(max_length=MAX_PHRASES)]


@matcher("toAvoidBoilerplate", layer=1, describe="avoid boilerplate[ and {phrases}]")
def avoid_boilerplate(
    subject: Speech,
    ctx: Context,
    *,
    phrases: Phrases = (),
    language: Language | None = None,
    profile: Profile = "robust",
) -> Verdict:
    """The reply has no boilerplate of a machine ("As an AI language model"), and none of `phrases`.

    `robust` knows families of them: "as an AI", speaking of its training or of "the data provided", canned
    inability ("I'm unable to assist with that"), canned apology ("for any inconvenience"). What a shop does
    not do ("we cannot ship batteries by air") and pleasantries are none; nor is what stands in quotation
    marks, in code or after "if", and "I'm just a bot" to a user who asked. `phrases` are looked for as they
    stand, without regard to case, apostrophes and white space, in quotes too. Without a pack for the
    language, and where there is nothing but code and quotes, it is `inconclusive`, unless one of `phrases`
    was found. `seed` has six substrings, and `phrases` as lower-cased substrings.
    """
    return judge_wording(subject, ctx, lambda told: _judged(told, ctx, phrases, language, profile))


def _judged(
    told: Said, ctx: Context, phrases: Sequence[str], language: str | None, profile: Profile
) -> Verdict:
    if profile == "seed":
        return _verdict(list(_substrings(told, (*SEED_PHRASES, *phrases))))
    own = list(_own(told, phrases))
    pack = pack_for(told.text, language)
    families = _patterns(pack.code) if not isinstance(pack, str) else ()
    if isinstance(pack, str) or not families:
        if own:
            return _verdict(own)
        return (
            inconclusive(pack)
            if isinstance(pack, str)
            else skipped(f"no robotic phrases of {pack.name} are known")
        )
    normal = prose(told.text)
    text = unquoted(normal.text)
    nothing = nothing_said(text) if not own else None
    if nothing is not None:
        return nothing
    return _verdict(
        [
            *_robotic(told, normal, text, families, asked=ctx.turn is not None and asks_who(ctx.turn.user)),
            *own,
        ]
    )


def _verdict(found: list[Evidence]) -> Verdict:
    if not found:
        return passed("found none")
    found.sort(key=lambda one: (one.start or 0, one.end or 0))
    shown = [f"{value_text(one.quote)} ({one.note})" if one.note else value_text(one.quote) for one in found]
    more = ", ..." if len(shown) > MAX_SHOWN else ""
    return failed(f"found {', '.join(shown[:MAX_SHOWN])}{more}", evidence=tuple(found[:MAX_SHOWN]))


def _substrings(told: Said, phrases: Sequence[str]) -> Iterator[Evidence]:
    lowered = told.text.lower()
    same = told.exact and len(lowered) == len(told.text)
    for phrase in phrases:
        place = lowered.find(phrase.lower())
        if place >= 0 and same:
            end = place + len(phrase)
            yield Evidence(told.text[place:end], told.turn, place, end)
        elif place >= 0:
            yield Evidence(phrase, told.turn)


def _own(told: Said, phrases: Sequence[str]) -> Iterator[Evidence]:
    """The phrases of the user's own that the text has, where they begin and end with whole words."""
    if not phrases:
        return
    folded, offsets = fold_with_offsets(told.text)
    for phrase in phrases:
        words = [re.escape(word) for word in fold(phrase).split()]
        pattern = r"\s+".join(words)
        found = re.search(rf"(?<!\w){pattern}(?!\w)" if phrase.strip()[-1].isalnum() else pattern, folded)
        if found is None:
            continue
        start, end = offsets[found.start()], offsets[found.end() - 1] + 1
        quote = told.text[start:end]
        first, last = (start, end) if told.exact else (None, None)
        yield Evidence(quote, told.turn, first, last, note="one of the phrases given")


def _robotic(
    told: Said, normal: Normalised, text: str, families: Sequence[_Family], *, asked: bool
) -> Iterator[Evidence]:
    taken: list[tuple[int, int]] = []
    for family, pattern in families:
        if family.about_itself and asked:
            continue
        for found in pattern.finditer(text):
            start, end = found.span()
            if not _counts(text, start, opens=family.opens):
                continue
            if any(start < other_end and other_start < end for other_start, other_end in taken[-MAX_SHOWN:]):
                continue  # two families meet in one phrase
            taken.append((start, end))
            yield evidence_at(told, normal, start, end, family.name)
            if len(taken) > MAX_SHOWN:
                return


def _counts(text: str, start: int, *, opens: bool) -> bool:
    """Whether a phrase that begins here is said by the reply itself, and as a fact."""
    before = text[max(0, start - _BEFORE) : start]
    if _CONDITION.search(before):
        return False
    return not opens or _CLAUSE_START.search(before) is not None


@remembered
def _patterns(language: str) -> tuple[_Family, ...]:
    """The families of a language, each with its pattern; none for one that has no words for them."""
    known = vocabulary(RoboticPhrases, language) or RoboticPhrases()
    return tuple(
        (one, re.compile(expanded(one.pattern, known.lists), re.IGNORECASE)) for one in known.families
    )
