"""Whether a reply repeats the one before it."""

from __future__ import annotations

from collections import Counter
from math import sqrt
from typing import NamedTuple

from grice.checks.profiles import Profile
from grice.checks.tone.gram_repeats import is_written_without_spaces
from grice.checks.tone.greetings import after_greeting
from grice.checks.tone.seed_text import seed_jaccard
from grice.checks.tone.speech import (
    UNKNOWN_HISTORY,
    Said,
    earlier_said,
    judge_wording,
    prose,
)
from grice.matching.argument_types import Language, Share
from grice.matching.context import Context
from grice.matching.matcher import matcher
from grice.matching.subjects import Speech
from grice.records import Evidence, Outcome, Verdict, failed, inconclusive, passed, skipped
from grice.text import shorten, value_text
from grice.text.languages import pack_for
from grice.text.packs.pack import LanguagePack
from grice.text.words import words

MIN_WORDS = 6
"""The words from which two texts are compared by what they share; shorter ones are the same or not."""

MIN_QUESTION = 3
"""The words from which what the user says, without a question mark, is taken for a request: not for "ok"."""

MIN_NEWS = 2
"""The words of content that a reply adds to the one before, from which on it says something new."""

MAX_SWAPPED = 2
FEW_WORDS = 25
"""Where so few words stand, one or two of content in place of others are what the reply is about."""

SHORT_ANSWER = 4
"""The words up to which what the user says after a question is taken for an answer; so is a number."""

FEWEST_WORDS = 3

LONGEST_COURTESY = 12

GRAM = 4
UNSPACED_GRAM = 2
SHOWN = 120


class _Text(NamedTuple):
    """A text made ready to compare."""

    folded: str
    words: tuple[str, ...]
    names: frozenset[str]
    unspaced: bool


@matcher("toDifferFromPrevious", layer=1, describe="be less than {below:g} like the reply before")
def differ_from_previous(
    subject: Speech,
    ctx: Context,
    *,
    below: Share = 0.8,
    allow_due: bool = False,
    language: Language | None = None,
    profile: Profile = "robust",
) -> Verdict:
    """The likeness of the reply to the one before it stays under `below`.

    `robust` compares words without case, punctuation, Markdown, contractions and greetings: the same words in
    the same order are 1, other texts of six words or more have the larger of the share of words in common and
    the cosine of their runs of four characters. Replies that differ in a number, a name or a negation, that
    put one word of content for another in a short text, or that add two, are no repeats, they say something
    else. An answer to the same question asked again is `skipped`. A paraphrase is out of its reach. In a
    language without a pack nobody knows its negations: what is alike there, but not the same, is
    `inconclusive`. `seed` is the Jaccard index of the words between white space. The first reply is
    `skipped`; where the turns before are not known it is `inconclusive`. With `allow_due`, which is for
    `robust`, a reply that may have to be the same is `skipped` too: after a tool's call in this turn, a
    courtesy or a word or two, and a question that the user may not have answered.
    """

    def judged(told: Said) -> Verdict:
        found = _judged(told, ctx, below, language, profile)
        due = _due(told, ctx, language) if allow_due and found.outcome is Outcome.FAIL else ""
        return skipped(f"{found.reason}; but {due}") if due else found

    return judge_wording(subject, ctx, judged)


def _judged(told: Said, ctx: Context, below: float, language: str | None, profile: Profile) -> Verdict:
    earlier = earlier_said(ctx, told, 1)
    if earlier is None:
        return inconclusive(UNKNOWN_HISTORY)
    if not earlier:
        return skipped("it is the first reply, with none before it to repeat")
    before = earlier[0]
    if profile == "seed":
        return _verdict(seed_jaccard(told.text, before.text), below, told, before)
    pack = pack_for(told.text, language)
    known = None if isinstance(pack, str) else pack
    one, other = _text(told.text, known), _text(before.text, known)
    if not one.words:
        return inconclusive("the reply has no words to compare")
    if not other.words:
        return skipped("the reply before has no words to compare with")
    return _robust_verdict(one, other, told, before, below=below, pack=pack, ctx=ctx)


def _robust_verdict(
    one: _Text,
    other: _Text,
    told: Said,
    before: Said,
    *,
    below: float,
    pack: LanguagePack | str,
    ctx: Context,
) -> Verdict:
    same = one.words == other.words
    likeness = 1.0 if same else _likeness(one, other)
    if likeness < below:
        return _verdict(likeness, below, told, before)
    if _asked_again(ctx, before):
        return skipped(f"the user said the same again; {_told(likeness, before)}")
    if same:
        return _verdict(likeness, below, told, before)
    difference = _difference(one, other, None if isinstance(pack, str) else pack)
    if difference:
        return passed(f"{_told(likeness, before)}, but {difference}", evidence=_evidence(told, before))
    if isinstance(pack, str):
        return inconclusive(f"{_told(likeness, before)}, and what differs may be a negation: {pack}")
    return _verdict(likeness, below, told, before)


def _due(told: Said, ctx: Context, language: str | None) -> str:
    """Why the reply may have to be the one before again, "" for no reason that is known."""
    turn = ctx.turn
    if turn is None or not turn.user:
        return ""
    if turn.tool_calls:
        return "a tool was called in this turn"
    pack = pack_for(told.text, language)
    if isinstance(pack, str):
        return ""
    said = [word.text for word in words(prose(told.text).text)]
    if len(said) < FEWEST_WORDS:
        return "it is too short to tell"
    if _is_courtesy(said, pack):
        return "it is a courtesy"
    if "?" not in told.text and "please" not in said:
        return ""
    answers = "?" not in turn.user and len(words(turn.user)) <= SHORT_ANSWER
    return "" if answers or any(map(str.isdigit, turn.user)) else "the user may not have answered it"


def _is_courtesy(said: list[str], pack: LanguagePack) -> bool:
    """Whether a reply only thanks, says goodbye or offers more help."""
    left = f" {' '.join(said)} "
    phrases = sorted((*pack.greetings, *pack.pleasantries, *pack.closings), key=len, reverse=True)
    for phrase in phrases:
        left = left.replace(f" {phrase} ", " ")
    news = [word for word in left.split() if word not in pack.stop_words]
    asks = any(word in pack.question_words for word in left.split())
    return len(left.split()) < len(said) <= LONGEST_COURTESY and len(news) <= 1 and not asks


def _verdict(likeness: float, below: float, told: Said, before: Said) -> Verdict:
    evidence = _evidence(told, before)
    if likeness < below:
        return passed(_told(likeness, before), evidence=evidence)
    wanted = f", expected less than {below:g}" if likeness < 1 else ""
    quoted = value_text(shorten(before.text, SHOWN))
    return failed(f"{_told(likeness, before)}{wanted}: {quoted}", evidence=evidence)


def _told(likeness: float, before: Said) -> str:
    if likeness == 1:
        return f"it has the same words as turn {before.turn}"
    return f"{likeness:.2f} like turn {before.turn}"


def _evidence(told: Said, before: Said) -> tuple[Evidence, ...]:
    return tuple(
        Evidence(one.text, one.turn, 0, len(one.text)) if one.exact else Evidence(one.text, one.turn)
        for one in (told, before)
    )


def _text(text: str, pack: LanguagePack | None) -> _Text:
    """The text ready to compare: without its greeting, contractions written out."""
    normal = prose(text).text
    greeted = after_greeting(normal)
    normal = normal[greeted:] if normal[greeted:].strip() else normal  # a greeting is no news
    cut = words(normal)
    stop_words = pack.stop_words if pack is not None else frozenset({"i"})  # "I" is capital, and no name
    names = frozenset(
        word.text
        for word in cut
        if normal[word.start].isupper()
        and word.text not in stop_words
        and not _opens_sentence(normal, word.start)
    )
    full = {short: long for long, short in reversed(pack.contractions)} if pack is not None else {}
    told = tuple(part for word in cut for part in full.get(word.text, word.text).split())
    unspaced = is_written_without_spaces(normal)
    return _Text(("" if unspaced else " ").join(told), told, names, unspaced)


def _opens_sentence(text: str, start: int) -> bool:
    before = text[max(0, start - 3) : start].strip(" \"'(*")
    return start == 0 or not before or before[-1] in ".!?:;\n-"


def _likeness(one: _Text, other: _Text) -> float:
    if one.unspaced or other.unspaced:
        return _cosine(one.folded, other.folded, UNSPACED_GRAM)
    if min(len(one.words), len(other.words)) < MIN_WORDS:
        return _jaccard(one, other) if len(one.words) > 2 < len(other.words) else 0.0
    return max(_jaccard(one, other), _cosine(one.folded, other.folded, GRAM))


def _jaccard(one: _Text, other: _Text) -> float:
    first, second = set(one.words), set(other.words)
    return len(first & second) / len(first | second)


def _cosine(one: str, other: str, size: int) -> float:
    first, second = _grams(one, size), _grams(other, size)
    shared = sum(count * second[gram] for gram, count in first.items() if gram in second)
    return shared / sqrt(sum(n * n for n in first.values()) * sum(n * n for n in second.values()))


def _grams(text: str, size: int) -> Counter[str]:
    return Counter(text[place : place + size] for place in range(max(len(text) - size + 1, 1)))


def _asked_again(ctx: Context, before: Said) -> bool:
    """Whether the user asks what they asked in the turn before, which makes the same answer right."""
    if ctx.turn is None or ctx.conversation is None or before.turn is None:
        return False
    earlier = next((turn for turn in ctx.earlier_turns() if turn.number == before.turn), None)
    if earlier is None:
        return False
    now, then = (tuple(word.text for word in words(turn.user)) for turn in (ctx.turn, earlier))
    question = len(now) >= MIN_QUESTION or "?" in ctx.turn.user
    return question and bool(now) and now == then


def _difference(one: _Text, other: _Text, pack: LanguagePack | None) -> str:
    """What the one says that the other does not, "" when they say the same."""
    first, second = Counter(one.words), Counter(other.words)
    added, removed = first - second, second - first
    changed = added + removed
    numbers = [word for word in changed if any(character.isdigit() for character in word)]
    if numbers:
        return f"they differ in the number {value_text(numbers[0])}"
    names = [word for word in changed if word in (one.names if word in added else other.names)]
    if names:
        return f"they differ in the name {value_text(names[0])}"
    if pack is None:
        return ""
    denials = [word for word in changed if _denies(word, pack)]
    if denials:
        return f"one denies what the other says ({value_text(denials[0])})"
    asks, asked = ([word for word in some if word in pack.question_words] for some in (added, removed))
    if asks and asked:
        return f"this one asks {value_text(asks[0])} instead of {value_text(asked[0])}"
    told = [word for word in added if word not in pack.stop_words]
    gone = [word for word in removed if word not in pack.stop_words]
    polite = {word for phrase in (*pack.pleasantries, *pack.closings) for word in phrase.split()}
    news = [word for word in told if word not in polite]
    if not gone and len(news) >= MIN_NEWS:
        return f"this one adds {' and '.join(map(value_text, news[:MIN_NEWS]))}"
    if told and gone and max(len(told), len(gone)) <= MAX_SWAPPED and len(first) < FEW_WORDS:
        return f"{value_text(told[0])} stands in place of {value_text(gone[0])}"
    return ""


def _denies(word: str, pack: LanguagePack) -> bool:
    return word in pack.negations or word.endswith("n't")
