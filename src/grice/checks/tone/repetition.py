"""Whether a reply says the same words again and again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from grice.checks.profiles import Profile
from grice.checks.tone.gram_repeats import gram_repeats, is_written_without_spaces
from grice.checks.tone.repeats import (
    Repeat,
    passages_of,
    repeated_pairs,
    repeated_phrases,
    repeated_sentences,
    stutters,
)
from grice.checks.tone.seed_text import seed_words
from grice.checks.tone.speech import Said, evidence_at, judge_wording, prose
from grice.matching.argument_types import AtLeastOne, Language
from grice.matching.context import Context
from grice.matching.matcher import matcher
from grice.matching.subjects import Speech
from grice.records import Verdict, failed, inconclusive, passed
from grice.text import value_text
from grice.text.languages import pack_for
from grice.text.normalised import Normalised

MAX_SHOWN = 5
MAX_PLACES = 10


@matcher("toAvoidRepetition", layer=1, describe="say no pair of words more than {at_most:time}")
def avoid_repetition(
    subject: Speech,
    ctx: Context,
    *,
    at_most: AtLeastOne = 2,
    language: Language | None = None,
    profile: Profile = "robust",
) -> Verdict:
    """The reply says no pair of words more than `at_most` times, and nothing in a loop.

    `robust` fails a sentence that is said again, a phrase that follows upon itself ("the flight the flight
    the flight"), a row that stands in a list twice in a row, a phrase of six words or more said more than
    `at_most` times (once more for every 150 words), and a pair of content words said more than `at_most`
    times, and once more for every 15 words of content. Pairs with function words, numbers and
    names, and what rows of lists and tables have in common, are no repetition. Chinese, Japanese and the
    like are compared by characters. In a language without a pack loops fail, and anything else is
    `inconclusive`. `seed` counts pairs of words between white space, punctuation and all.
    """
    return judge_wording(subject, ctx, lambda told: _judged(told, at_most, language, profile))


def _judged(told: Said, at_most: int, language: str | None, profile: Profile) -> Verdict:
    if profile == "seed":
        return _seed_verdict(told, at_most)
    normal = prose(told.text)
    if is_written_without_spaces(normal.text):
        return _verdict(told, normal, list(gram_repeats(normal.text, at_most)))
    passages = passages_of(normal)
    if not passages:
        return inconclusive("the text has no words in prose")
    pack = pack_for(told.text, language)
    code = "en" if isinstance(pack, str) else pack.code
    found = [*repeated_sentences(passages, code), *stutters(passages, at_most)]
    if not isinstance(pack, str):
        found += repeated_phrases(passages, normal.text, pack, at_most)
        found += repeated_pairs(passages, normal.text, pack, at_most)
    elif not found:
        return inconclusive(f"no loop was found; {pack}")
    return _verdict(told, normal, found)


def _seed_verdict(told: Said, at_most: int) -> Verdict:
    counts = Counter(pairwise(seed_words(told.text)))
    found = [(count, " ".join(pair)) for pair, count in counts.items() if count > at_most]
    if not found:
        return passed(f"found no pair of words more than {at_most} times")
    shown = ", ".join(f"{value_text(pair)} {count} times" for count, pair in found[:MAX_SHOWN])
    return failed(f"found {shown}{', ...' if len(found) > MAX_SHOWN else ''}, expected at most {at_most}")


def _verdict(told: Said, normal: Normalised, found: Sequence[Repeat]) -> Verdict:
    told_once = _without_parts(found)
    if not told_once:
        return passed("found no repetition")
    shown = []
    for repeat in told_once[:MAX_SHOWN]:
        start, end = repeat.places[0]
        shown.append(f"{repeat.what} {value_text(normal.text[start:end])} {repeat.count} times")
    evidence = tuple(
        evidence_at(told, normal, *place) for repeat in told_once[:MAX_SHOWN] for place in repeat.places
    )
    more = ", ..." if len(told_once) > MAX_SHOWN else ""
    return failed(f"found {', '.join(shown)}{more}", evidence=evidence[:MAX_PLACES])


def _without_parts(found: Sequence[Repeat]) -> list[Repeat]:
    """The repeats without those whose places lie within another's."""
    kept: list[Repeat] = []
    for repeat in sorted(found, key=lambda one: one.places[0][0] - one.places[0][1]):
        start, end = repeat.places[0]
        inside = any(
            first <= start and end <= last for other in kept[:50] for first, last in other.places[:50]
        )
        if not inside:
            kept.append(repeat)
    return sorted(kept, key=lambda one: one.places[0])
