"""Whether a reply speaks with contractions, where its language has them and there is a place for one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from grice.checks.profiles import Profile
from grice.checks.tone.speech import Said, evidence_at, judge_wording, prose, unquoted
from grice.matching.argument_types import Language
from grice.matching.context import Context
from grice.matching.matcher import matcher
from grice.matching.subjects import Speech
from grice.records import Evidence, Verdict, failed, inconclusive, passed, skipped
from grice.text import value_text
from grice.text.languages import pack_for
from grice.text.normalised import Normalised

SEED_CONTRACTIONS = (
    *("i'm", "you're", "we're", "they're", "it's", "that's", "what's", "i'll", "you'll", "we'll"),
    *("can't", "won't", "don't", "doesn't", "isn't", "aren't"),
)
"""The substrings of which profile `seed` wants one, in the lower-cased text."""

MAX_SHOWN = 5
WEAK_PLACES = 2
"""So many different words that only suggest a contraction ("cannot", "if you are") ask for one."""

# "the board's edge" and "digit's" are none, so 's counts after few words, and else only before one that
# no possessive has behind it: "the lift's out of order".
_USED = re.compile(
    r"(?i)(?<![\w'])(?:"
    r"(?:i|you|we|they|he|she|it|that|there|this|these|those|who|what|where|when|why|how|here)"
    r"'(?:m|re|ve|ll|d)"
    r"|(?:it|he|she|that|there|here|what|who|where|when|how|why|let|everything|everyone|something|nothing)'s"
    r"|[a-z]{2,20}'s(?=\s+(?:a|an|the|not|on|in|out|at|from|already|still|also|just|been|going|gone|your|my|our"
    r"|their|(?:due|ready|open|closed|available|included|booked|full|done|free|back|sold|good|set)\s+"
    r"(?:on|in|at|to|by|for|until|till|from|again|out|now|today|tonight|tomorrow|with)"
    r"|(?:due|ready|open|closed|available|included|booked|done|free)(?=[.,;!?]|$))(?![\w'-]))"
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
_PLACE = re.compile(
    r"(?i)(?<![\w'-])(?:"
    r"(?P<strong>i am|(?:i|you|we|they) will(?! not\b)|i would"
    rf"|(?:i|we) have(?=\s+{_PARTICIPLE})"
    r"|(?:i|you|we|they|he|she|it|that|there|this) "
    r"(?:do|does|did|is|are|was|were|have|has|had|would|could|should|will) not)"
    r"|(?P<leading>(?:you|we|they) are|(?:he|she|it|there|that|here) is)"
    r"|(?P<weak>can ?not|(?:you|we|they) would|(?:it|he|she|that|there) will(?! not\b)|(?:you|they) have"
    rf"(?=\s+{_PARTICIPLE})|(?:it|he|she) has(?=\s+{_PARTICIPLE})"
    r"|(?:do|does|did|is|are|was|were|have|has|had|would|could|should|will) not"
    r"|(?:what|where|who) is(?=\s+(?:the|your|my|our|this|that|it)\b))"
    r")(?![\w'-])"
)
_ENDS = re.compile(r"\s*(?:$|[.,;:!?)\]\u2026\u00a4\"\n]|-\s|and\b|or\b|but\b|than\b|as\b)")
_ASKED_BEFORE = re.compile(
    r"(?i)\b(?:what|who|where|how|which|whatever|wherever|as|than|whether|yes|no)[\s,]+"
    r"(?:(?:much|many|long|far|old|big)\s+)?$"
)
_SENTENCE_START = re.compile(r"(?i)(?:^|[^\w\s'/&(]|\n)\s*(?:please\s+|and\s+|but\s+|so\s+)?$")
_CLAUSE_START = re.compile(f"{_SENTENCE_START.pattern}|\\b(?:and|but|so)\\s+$", re.IGNORECASE)
_NEAR_START = re.compile(r"(?:^|[.!?:;\n])\W*(?:[\w']+,?\s+){0,2}$")
_BEFORE = 24


class _Place(NamedTuple):
    """Where a contraction could stand."""

    start: int
    end: int
    weak: bool


@matcher("toUseContractions", layer=1, describe="use contractions")
def use_contractions(
    subject: Speech, ctx: Context, *, language: Language | None = None, profile: Profile = "robust"
) -> Verdict:
    """The reply uses a contraction ("I'm", "don't"), where it has a place for one.

    `robust` knows any apostrophe and no possessive. A reply without a contraction fails when it has a place
    that asks for one ("I am happy to", "it does not fit") or two that suggest one ("cannot", "you would").
    No place are "yes, it is.", "do NOT" and instructions ("Do not unplug it"). Without a place, and in a
    language that has nothing to contract, it is `skipped`; in a language without a pack, `inconclusive`. What
    stands in quotes and code does not count. `seed` wants one of 16 substrings.
    """
    return judge_wording(subject, ctx, lambda told: _judged(told, language, profile))


def _judged(told: Said, language: str | None, profile: Profile) -> Verdict:
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
    suggested = {text[place.start : place.end].lower() for place in places if place.weak}
    asked = any(not place.weak for place in places)
    if not places:
        return skipped("the text has no place for a contraction")
    evidence: tuple[Evidence, ...] = tuple(
        evidence_at(told, normal, place.start, place.end) for place in places[:MAX_SHOWN]
    )
    shown = ", ".join(dict.fromkeys(value_text(one.quote) for one in evidence))
    if not asked and len(suggested) < WEAK_PLACES:
        return skipped(f"the text has no place that asks for a contraction, {shown} only suggests one")
    count = f"{len(places)} place{'' if len(places) == 1 else 's'}"
    more = ", ..." if len(places) > MAX_SHOWN else ""
    return failed(f"found no contraction, expected one at any of {count}: {shown}{more}", evidence=evidence)


def _places(told: Said, normal: Normalised, text: str) -> Iterator[_Place]:
    for found in _PLACE.finditer(text):
        before = text[max(0, found.start() - _BEFORE) : found.start()]
        if not _contractible(told, normal, text, found, before):
            continue
        weak = found.lastgroup == "weak"
        if (
            found.lastgroup == "leading"
        ):  # "it is" asks for one where it opens a clause, "if it is" suggests it
            weak = not _CLAUSE_START.search(before)
            if found[0].lower() in ("that is", "here is") and not _NEAR_START.search(before):
                continue
        yield _Place(*found.span(), weak=weak)


def _contractible(told: Said, normal: Normalised, text: str, found: re.Match[str], before: str) -> bool:
    """Whether a speaker could contract these words here."""
    words = found[0]
    if words.lower().endswith("not"):
        first, last = words.split()[0] if " " in words else words, words[-3:]
        if (last.isupper() and not first.isupper()) or _emphasised(told, normal, found.end() - 3):
            return False
        instruction = first.lower() in ("do", "don") and _SENTENCE_START.search(before)
        return not instruction and not text.startswith(" only", found.end())
    if _ENDS.match(text, found.end()) or _ASKED_BEFORE.search(before):
        return False
    return text.isupper() or not words.split()[-1].isupper()  # I AM sure: the stress would be lost


def _emphasised(told: Said, normal: Normalised, start: int) -> bool:
    """Whether "not" alone stands between Markdown marks: `do **not** open it`."""
    first, last = normal.span(start, start + 3)
    return told.text[max(0, first - 1) : first] in ("*", "_") and told.text[last : last + 1] in ("*", "_")
