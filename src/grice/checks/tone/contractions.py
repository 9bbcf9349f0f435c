"""Whether a reply speaks with contractions, where its language has them and there is a place for one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from grice.checks.profiles import Profile, check_profile
from grice.checks.tone.speech import Said, check_language, evidence_at, prose, said, unquoted
from grice.matching.context import Context
from grice.matching.matcher import matcher
from grice.matching.subjects import Speech, nothing_in
from grice.records import Evidence, Verdict, failed, inconclusive, passed, skipped
from grice.text import value_text
from grice.text.languages import pack_for
from grice.text.normalised import Normalised

__all__ = ["SEED_CONTRACTIONS", "use_contractions"]

SEED_CONTRACTIONS = (
    "i'm you're we're they're it's that's what's i'll you'll we'll can't won't don't doesn't isn't aren't"
).split()
"""The substrings of which the seed's rule wants one, in the lower-cased text."""

MAX_SHOWN = 5
WEAK_PLACES = 2
"""Places that only suggest a contraction ("cannot", "you would") ask for one when there are so many."""

# "the board's edge" and "digit's" are none, so 's counts after few words only.
_USED = re.compile(
    r"(?i)(?<![\w'])(?:"
    r"(?:i|you|we|they|he|she|it|that|there|this|these|those|who|what|where|when|why|how|here)"
    r"'(?:m|re|ve|ll|d)"
    r"|(?:it|he|she|that|there|here|what|who|where|when|how|why|let|everything|everyone|something|nothing)'s"
    r"|(?:can|won|don|doesn|didn|isn|aren|wasn|weren|haven|hasn|hadn|wouldn|couldn|shouldn|mustn|needn|ain"
    r"|mightn|daren|shan|oughtn)'t"
    r"|(?:could|would|should|might|must)'ve|y'all(?:'re)?|[a-z]{2,15}'(?:ll|re)|o'er|'tis|ma'am"
    r"|dont|doesnt|didnt|isnt|arent|wasnt|couldnt|wouldnt|shouldnt|havent|hasnt|youre|theyre|thats|whats|youll"
    r")(?![\w'])"
)
_PARTICIPLE = (
    r"(?:(?:already|just|also|now|recently|successfully|never|always|only|since)\s+)?"
    r"(?:[a-z]{2,20}ed|been|found|made|sent|got|gotten|done|had|seen|gone|taken|put|set|given|chosen|written"
    r"|shown|kept|left|lost|bought|brought|paid|sold|told|begun|run|come|become|read|cut|let|heard|held)\b"
)
_NOT = "do|does|did|is|are|was|were|have|has|had|would|could|should"
_STRONG = re.compile(
    r"(?i)(?<![\w'-])(?:"
    r"i am|(?:you|we|they) are|(?:he|she|it|there) is"
    r"|(?:i|you|we|they|he|she|it) will(?! not\b)"
    r"|i would"
    rf"|(?:i|we) have(?=\s+{_PARTICIPLE})"
    rf"|(?:{_NOT}|will) not"
    r")(?![\w'-])"
)
_OPENING = re.compile(r"(?i)(?:that is|here is)(?![\w'-])(?=\s+[a-z])")
_WEAK = re.compile(
    r"(?i)(?<![\w'-])(?:"
    r"can ?not|(?:you|we|they) would"
    rf"|(?:you|they) have(?=\s+{_PARTICIPLE})|(?:it|he|she) has(?=\s+{_PARTICIPLE})"
    r"|(?:what|where|who) is(?=\s+(?:the|your|my|our|this|that|it)\b)"
    r")(?![\w'-])"
)
_ENDS = re.compile(r"\s*(?:$|[.,;:!?)\]\u2026\u00a4\"\n]|-\s|and\b|or\b|but\b|than\b|as\b)")
_ASKED_BEFORE = re.compile(
    r"(?i)\b(?:what|who|where|how|which|whatever|wherever|as|than|whether|yes|no)[\s,]+"
    r"(?:(?:much|many|long|far|old|big)\s+)?$"
)
_SENTENCE_START = re.compile("(?:^|[.!?:;,)\\]\n\u2026\"-])\\s*(?:please\\s+|and\\s+|but\\s+|so\\s+)?$", re.IGNORECASE)
_BEFORE = 24


class _Place(NamedTuple):
    """Where a contraction could stand."""

    start: int
    end: int
    weak: bool


def _check(*, language: object = None, profile: object = "robust") -> None:
    check_profile(profile)
    check_language(language)


def _describe(*, language: str | None = None, profile: Profile = "robust") -> str:
    return "use contractions"


@matcher("toUseContractions", layer=1, describe=_describe, check=_check)
def use_contractions(
    subject: Speech, ctx: Context, *, language: str | None = None, profile: Profile = "robust"
) -> Verdict:
    """The reply uses a contraction ("I'm", "don't"), where it has a place for one.

    `robust` knows any apostrophe and no possessive. A reply without a contraction fails when it has a place
    that asks for one ("I am happy to", "it does not fit") or two that suggest one ("cannot", "you would").
    No place are "yes, it is.", "do NOT" and instructions ("Do not unplug it"). Without a place, and in a
    language that has nothing to contract, it is `skipped`; in a language without a pack, `inconclusive`. What
    stands in quotes and code does not count. `seed` wants one of 16 substrings. Source: seed 001, layer 1B.
    """
    told = said(subject, ctx)
    nothing = nothing_in(told.text)
    if nothing is not None:
        return nothing
    if profile == "seed":
        return _seed_verdict(told)
    pack = pack_for(told.text, language)
    if isinstance(pack, str):
        return inconclusive(pack)
    if pack.code != "en":
        return skipped(f"{pack.name} has no contractions to ask for")
    normal = prose(told.text)
    text = unquoted(normal.text)
    used = _USED.search(text)
    if used is not None:
        return passed(f"found {value_text(used[0])}", evidence=(evidence_at(told, normal, *used.span()),))
    return _on_places(told, normal, text)


def _seed_verdict(told: Said) -> Verdict:
    lowered = told.text.lower()
    found = next((one for one in SEED_CONTRACTIONS if one in lowered), None)
    if found is None:
        return failed("found none of the 16 contractions")
    return passed(f"found {found!r}")


def _on_places(told: Said, normal: Normalised, text: str) -> Verdict:
    places = sorted(_places(told, normal, text))
    weak = sum(place.weak for place in places)
    if not places:
        return skipped("the text has no place for a contraction")
    evidence: tuple[Evidence, ...] = tuple(
        evidence_at(told, normal, place.start, place.end) for place in places[:MAX_SHOWN]
    )
    shown = ", ".join(dict.fromkeys(value_text(one.quote) for one in evidence))
    if weak == len(places) and weak < WEAK_PLACES:
        return skipped(f"the text has no place that asks for a contraction, {shown} only suggests one")
    count = f"{len(places)} place{'' if len(places) == 1 else 's'}"
    more = ", ..." if len(places) > MAX_SHOWN else ""
    return failed(f"found no contraction, expected one at any of {count}: {shown}{more}", evidence=evidence)


def _places(told: Said, normal: Normalised, text: str) -> Iterator[_Place]:
    for found in _STRONG.finditer(text):
        if _contractible(told, normal, text, found):
            yield _Place(*found.span(), weak=False)
    for found in _OPENING.finditer(text):
        if _SENTENCE_START.search(text[max(0, found.start() - _BEFORE) : found.start()]):
            yield _Place(*found.span(), weak=False)
    for found in _WEAK.finditer(text):
        if _contractible(told, normal, text, found):
            yield _Place(*found.span(), weak=True)


def _contractible(told: Said, normal: Normalised, text: str, found: re.Match[str]) -> bool:
    """Whether a speaker could contract these words here."""
    words = found[0]
    before = text[max(0, found.start() - _BEFORE) : found.start()]
    if words.lower().endswith("not"):
        first, last = words.split()[0] if " " in words else words, words[-3:]
        if (last.isupper() and not first.isupper()) or _emphasised(told, normal, found.end() - 3):
            return False
        instruction = first.lower() == "do" and _SENTENCE_START.search(before)
        return not instruction and not text.startswith(" only", found.end())
    if _ENDS.match(text, found.end()) or _ASKED_BEFORE.search(before):
        return False
    return text.isupper() or not words.split()[-1].isupper()  # I AM sure: the stress would be lost


def _emphasised(told: Said, normal: Normalised, start: int) -> bool:
    """Whether "not" alone stands between Markdown marks: `do **not** open it`."""
    first, last = normal.span(start, start + 3)
    return told.text[max(0, first - 1) : first] in ("*", "_") and told.text[last : last + 1] in ("*", "_")

