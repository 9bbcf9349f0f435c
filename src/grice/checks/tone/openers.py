"""Whether a reply opens like one before it."""

from __future__ import annotations

import re
from itertools import pairwise

import msgspec

from grice.checks.profiles import Profile
from grice.checks.tone.greetings import after_greeting, greeting_in
from grice.checks.tone.seed_text import seed_opener
from grice.checks.tone.speech import (
    UNKNOWN_HISTORY,
    Said,
    earlier_said,
    evidence_at,
    judge_wording,
    prose,
)
from grice.matching.argument_types import AtLeastOne, Language
from grice.matching.context import Context
from grice.matching.matcher import matcher
from grice.matching.subjects import Speech
from grice.records import Evidence, Verdict, failed, inconclusive, passed, skipped
from grice.text import sentences, shorten, value_text
from grice.text.languages import pack_for
from grice.text.packs import known_packs, remembered, vocabulary
from grice.text.packs.pack import LanguagePack
from grice.text.packs.records import OpenerWords
from grice.text.words import Word, words

CONTENT_WORDS = 3
PLAIN_WORDS = 4
MIN_SHARED = 4
MAX_SHARED = 6
"""Two first sentences also open alike by so many words, by the fewer of the shorter one, or by a clause."""

LONGEST_HEAD = 3
LONGEST_UNSPACED_HEAD = 5
FAR_ENOUGH = 600
"""The characters of a reply in which its opener is looked for."""

_GREETING = "greeting"
# "No problem" and "Right away" answer nothing; "Yes we do" does.
_ANSWER = re.compile(
    r"(?:(?:yes|yep|nope|yeah|ja|nein)(?![\w'-])|(?:no|correct|right|exactly)(?=\s*(?:[,.!:;-]|\W*$)"
    r"|\s+(?:i|you|we|they|he|she|it|that|there|this)\b))[\s,.!:;-]*"
)
_STOPS = "\n,.!?:;\u060c\u061b\u061f\u0964\u3001\u3002\u2026"
_CLAUSE_ENDS = (",", ":", ";", "-")
_HEAD = re.compile(f"[^{_STOPS}-]{{1,60}}(?=[{_STOPS}]|\\s-\\s|$)")


@remembered
def _markers() -> tuple[list[str], re.Pattern[str]]:
    """What opens a reply without saying anything yet, in any language: names, and the pattern with a group
    for each. The first that fits is the opener.
    """
    known = [vocabulary(OpenerWords, code) or OpenerWords() for code in known_packs()]
    markers = {name: pattern for one in known for name, pattern in one.markers.items()}
    groups = (f"(?P<m{number}>(?:{one}))(?![\\w'-])" for number, one in enumerate(markers.values()))
    return list(markers), re.compile("|".join(groups))


class _Opener(msgspec.Struct, frozen=True, gc=False):
    """How a text opens: the key by which openers are compared, and its place in the normalised text.

    `words` are the first words of its first sentence, none where the key says all; `clause` are those before
    its first comma or colon. The key of a mere "yes" is empty, and like no other.
    """

    key: tuple[str, ...]
    start: int
    end: int
    words: tuple[str, ...] = ()
    clause: tuple[str, ...] = ()

    def is_like(self, other: _Opener) -> bool:
        """Whether a reader finds that both open alike."""
        if self.key == other.key:
            return self.key != ()
        if len(self.clause) >= MIN_SHARED and self.clause == other.clause:
            return True
        shared = min(len(self.words), len(other.words))
        return shared >= MIN_SHARED and self.words[:shared] == other.words[:shared]


@matcher("toOpenDifferently", layer=1, describe="open differently from the last {window:reply}")
def open_differently(
    subject: Speech,
    ctx: Context,
    *,
    window: AtLeastOne = 5,
    language: Language | None = None,
    profile: Profile = "robust",
) -> Verdict:
    """The reply opens differently from each of the last `window` replies.

    `robust` compares what opens without saying anything ("Sure!", "Great,", "Thank you for", a second
    greeting), else the first word and the first three words of content of the first sentence, or its clause
    of four words and more before the first comma, without regard to case, punctuation and Markdown. "Yes" and
    "no" are answers, and what follows them counts. `seed` compares first sentences, character by character.
    The first reply is `skipped`; one without words, or whose turns before are not known, is `inconclusive`.
    """
    return judge_wording(subject, ctx, lambda told: _judged(told, ctx, window, language, profile))


def _judged(told: Said, ctx: Context, window: int, language: str | None, profile: Profile) -> Verdict:
    earlier = earlier_said(ctx, told, window)
    if earlier is None:
        return inconclusive(UNKNOWN_HISTORY)
    if profile == "seed":
        return _seed_verdict(told, earlier)
    opener, evidence = _opener_of(told, language)
    if opener is None:
        return inconclusive("the reply has no words to open with")
    if not earlier:
        return skipped("it is the first reply, with none before it to open like")
    if opener.key == (_GREETING,) and _greets(ctx):
        opener, evidence = _opener_of(told, language, greeting=False)
    for other in reversed(earlier):
        found, place = _opener_of(other, language)
        if found is not None and opener is not None and found.is_like(opener):
            return failed(
                f"opens with {value_text(evidence.quote)}, like turn {other.turn}: {value_text(place.quote)}",
                evidence=(evidence, place),
            )
    return passed(f"opens with {value_text(evidence.quote)}", evidence=(evidence,))


def _seed_verdict(told: Said, earlier: list[Said]) -> Verdict:
    opener = seed_opener(told.text)
    for other in reversed(earlier):
        if seed_opener(other.text) == opener:
            shown = value_text(shorten(opener, 200))
            return failed(f"the first sentence {shown} is that of turn {other.turn}")
    return passed("the first sentence is new")


def _greets(ctx: Context) -> bool:
    """Whether the user greets in this turn: greeting back is no habit."""
    return ctx.turn is not None and greeting_in(ctx.turn.user[:FAR_ENOUGH].strip()) is not None


_NOTHING = Evidence()


def _opener_of(told: Said, language: str | None, *, greeting: bool = True) -> tuple[_Opener | None, Evidence]:
    """The opener of what was said and its place; None when it has no words."""
    normal = prose(told.text)
    head = normal.text[:FAR_ENOUGH]
    cut = words(head)
    if not cut:
        return None, _NOTHING
    pack = pack_for(told.text, language)
    opener = _opener(head, cut, None if isinstance(pack, str) else pack, greeting=greeting)
    if opener is None:
        return None, _NOTHING
    return opener, evidence_at(told, normal, opener.start, opener.end)


def _opener(head: str, cut: list[Word], pack: LanguagePack | None, *, greeting: bool) -> _Opener | None:
    lowered = head.casefold() if len(head.casefold()) == len(head) else head.lower()
    start = cut[0].start
    greeted = greeting_in(head, start)
    if greeted is not None:
        if greeting:
            return _Opener((_GREETING,), start, greeted[1])
        start = after_greeting(head, start)
    answer = _ANSWER.match(lowered, start)
    if answer is not None and answer.end() >= len(head.rstrip()):
        return _Opener((), start, answer.end())  # nothing but an answer
    start = answer.end() if answer is not None else start
    rest = [word for word in cut if word.start >= start]
    if not rest:
        return _Opener(tuple(word.text for word in cut[:PLAIN_WORDS]), cut[0].start, cut[0].end)
    start = rest[0].start
    names, pattern = _markers()
    marker = pattern.match(lowered, start)
    if marker is not None and marker.lastgroup is not None:
        name = names[int(marker.lastgroup[1:])]
        return _Opener((name,), start, marker.end())
    line_end = head.find("\n", start)
    line = head[start : line_end if line_end >= 0 else len(head)]
    sentence = next(iter(sentences(line, pack.code if pack is not None else "en")), line)
    return _short_head(head, rest, len(sentence)) or _first_words(head, rest, len(sentence), pack)


def _short_head(head: str, rest: list[Word], length: int) -> _Opener | None:
    """A first clause of one to three words, closed by punctuation: `Noted.`, `Here you go:`.

    `length` is that of the first sentence: the full stop of "Dr." closes nothing.
    """
    start = rest[0].start
    found = _HEAD.match(head, start)
    if found is None or (head.startswith(".", found.end()) and found.end() < start + length - 1):
        return None
    inside = [word for word in rest if word.start < found.end()]
    unspaced = all(len(word.text) == 1 and not word.text.isascii() for word in inside)
    if not inside or len(inside) > (LONGEST_UNSPACED_HEAD if unspaced else LONGEST_HEAD):
        return None
    if any(word.text[0].isdigit() for word in inside):
        return None
    return _Opener(tuple(word.text for word in inside), start, inside[-1].end)


def _first_words(head: str, rest: list[Word], length: int, pack: LanguagePack | None) -> _Opener:
    """The first word, and the first three that carry meaning, of the first sentence."""
    start = rest[0].start
    inside = [word for word in rest if word.start < start + max(length, 1)] or rest[:1]
    stop_words = pack.stop_words if pack is not None else frozenset()
    content = [word for word in inside if word.text not in stop_words][:CONTENT_WORDS]
    if pack is None or not content:
        content = inside[:PLAIN_WORDS]
    lead = inside[: 1 if len(content) == CONTENT_WORDS else 2]
    key = tuple(word.text for word in (*lead, *content))
    plain = tuple(word.text for word in inside[:MAX_SHARED])
    return _Opener(key, start, max(content[-1].end, inside[0].end), plain, _clause(head, inside))


def _clause(head: str, inside: list[Word]) -> tuple[str, ...]:
    """The words before the first comma or colon, () where the sentence has none."""
    for place, (word, following) in enumerate(pairwise(inside)):
        if head[word.end : following.start].strip(" *_")[:1] in _CLAUSE_ENDS:
            return tuple(one.text for one in inside[: place + 1])
    return ()
