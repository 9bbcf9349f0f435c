"""The system prompt: what the model was told before anybody spoke."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from difflib import SequenceMatcher, get_close_matches

from grice.checks.message_events import MessageArray, events_of
from grice.checks.model_requests import answering, judge_requests, refuse_embeddings
from grice.matching.argument_types import Text
from grice.matching.context import Context
from grice.matching.matcher import ArgumentError, Unsuitable, matcher
from grice.matching.subjects import nothing_in
from grice.records import Conversation, Evidence, Exchange, Verdict, failed, inconclusive, passed
from grice.text import fold, shorten, value_text

SHOWN_START = 120
SHOWN_MISSING = 10

_MAX_WORDS = 50
_MAX_CANDIDATES = 20
_MAX_VOCABULARY = 2_000
_MAX_WORD = 40
_WORD = re.compile(r"\S+")
_PUNCTUATION = ".,;:!?\"'()[]{}*_`#"


def _check(*texts: str, **_: object) -> None:
    if not texts:
        raise ArgumentError("name at least one text that the system prompt is to contain")


@matcher(
    "toHaveInSystemPrompt",
    layer=2,
    describe="have {texts} in the system prompt[ordered?, in this order][, after {after}]",
    check=_check,
)
def have_in_system_prompt(
    subject: str | Exchange | Conversation | MessageArray,
    ctx: Context,
    *texts: Text,
    ordered: bool = False,
    after: Text | None = None,
) -> Verdict:
    """The system prompt contains all of the texts.

    With `ordered` they follow one another in the order given, without overlap: otherwise `fail`. With
    `after`, only what comes after the first occurrence of that separator counts. Some texts there and some
    not, or no separator, is `inconclusive` under both polarities: `not_to_have_in_system_prompt` passes only
    where none of the texts is there. A text is the prompt itself. Of a request it is the `system` or
    `instructions` field and the system and developer messages that its array begins with (where there is
    neither, the first in the array); a request without system prompt does not contain the texts. A
    conversation is judged by all its requests, as by `offer_tool`, and only without any by its own `system`.
    A text that is empty, an empty array and a conversation without requests and prompt are `inconclusive`.
    """
    if isinstance(subject, str):
        nothing = nothing_in(subject, "the prompt")
        return _search(subject, texts, ordered, after, None) if nothing is None else nothing
    refuse_embeddings(subject)
    if isinstance(subject, Conversation) and not answering(subject):
        if not subject.system:
            return inconclusive("no request to the model and no system prompt is on record")
        return _search(subject.system, texts, ordered, after, "system")
    if isinstance(subject, Exchange | Conversation):
        return judge_requests(
            subject, lambda request: _search(request.system, texts, ordered, after, "system")
        )
    if not isinstance(subject, list | tuple):
        found = type(subject).__name__
        raise Unsuitable(f"a text, an Exchange, a Conversation or a list of messages, found {found}")
    if not events_of(subject):  # it also refuses what is no message
        return inconclusive("the message array is empty")
    request = Exchange({"messages": list(subject)})
    return _search(request.system, texts, ordered, after, "system")


def _search(prompt: str, texts: Sequence[str], ordered: bool, after: str | None, path: str | None) -> Verdict:
    empty = not prompt or prompt.isspace()
    if empty and after is None:
        return failed("there is no system prompt")
    start = 0
    if after is not None:
        separator = prompt.find(after)
        if separator < 0:
            why = "there is no system prompt" if empty else _why_missing(prompt, after, 0)
            return inconclusive(f"the separator is not there: {why}")
        start = separator + len(after)
    offsets = [prompt.find(text, start) for text in texts]
    if min(offsets) < 0:
        return _incomplete(prompt, texts, offsets, start, path)
    position = start
    for place, text in enumerate(texts if ordered else ()):
        offset = prompt.find(text, position)
        if offset < 0:
            return failed(_why_unordered(prompt, text, texts[place - 1], offsets[place - 1]))
        offsets[place] = offset
        position = offset + len(text)
    pairs = list(zip(texts, offsets, strict=True))
    places = ", ".join(f"{value_text(shorten(text, 60))} at character {offset}" for text, offset in pairs)
    return passed(f"found {places}", evidence=_evidence(pairs, path))


def _incomplete(
    prompt: str, texts: Sequence[str], offsets: Sequence[int], start: int, path: str | None
) -> Verdict:
    """The verdict when not all texts are there: neither the claim nor its negation is true of some only."""
    pairs = list(dict.fromkeys(zip(texts, offsets, strict=True)))
    missing = [text for text, offset in pairs if offset < 0]
    reasons = [_why_missing(prompt, text, start) for text in missing[:SHOWN_MISSING]]
    reasons += ["..."] * (len(missing) > SHOWN_MISSING)
    there = [pair for pair in pairs if pair[1] >= 0]
    if not there:
        return failed("\n".join(reasons))
    shown = [f"{value_text(shorten(text, 60))} is there, at character {at}" for text, at in there]
    more = ["..."] * (len(there) > SHOWN_MISSING)
    return inconclusive("\n".join(reasons + shown[:SHOWN_MISSING] + more), evidence=_evidence(there, path))


def _evidence(pairs: Sequence[tuple[str, int]], path: str | None) -> tuple[Evidence, ...]:
    return tuple(Evidence(text, None, offset, offset + len(text), path) for text, offset in pairs)


def _why_missing(prompt: str, text: str, start: int) -> str:
    """Why a text counts as missing: it comes before the separator, or something like it is there."""
    missing = f"{value_text(text)} is missing"
    earlier = prompt.find(text, 0, start)
    if earlier >= 0:
        return f"{missing}: it is only before the separator, at character {earlier}"
    near = nearest_passage(text, prompt[start:])
    if near is not None:
        first, last = near[0] + start, near[1] + start
        return f"{missing} (did you mean {value_text(prompt[first:last])}, at character {first}?)"
    where = "the prompt after the separator" if start else "the prompt"
    return f"{missing}: {where} has nothing like it, it begins {_beginning(prompt[start:])}"


def _beginning(text: str) -> str:
    return value_text(shorten(text.strip(), SHOWN_START))


def _why_unordered(prompt: str, text: str, before: str, offset: int) -> str:
    place = f"{value_text(before)}, which is at characters {offset} to {offset + len(before)}"
    return f"out of order: {value_text(text)} is last at character {prompt.rfind(text)}, not after {place}"


def nearest_passage(wanted: str, text: str) -> tuple[int, int] | None:
    """Find the passage that has most words in common with `wanted`; None when none has half of them.

    A passage has as many words as `wanted`, of which the first 50 count. Case, quotes, invisible characters,
    white space and punctuation do not matter. For a single word it is the one spelled most alike. The time
    grows with the length of the text only.
    """
    words = [_bare(word) for word in wanted.split()[:_MAX_WORDS]]
    spans = [found.span() for found in _WORD.finditer(text)]
    if not words or not spans:
        return None
    folded = [_bare(text[start:end]) for start, end in spans]
    size = min(len(words), len(folded))
    if len(words) == 1 and words[0] not in folded:
        place = _alike(words[0], folded)
    else:
        place = _most_shared(words, folded, size)
    return None if place is None else (spans[place][0], spans[place + size - 1][1])


def _bare(word: str) -> str:
    return fold(word).strip(_PUNCTUATION)


def _alike(word: str, folded: Sequence[str]) -> int | None:
    vocabulary = [one for one in dict.fromkeys(folded) if len(one) <= _MAX_WORD][:_MAX_VOCABULARY]
    found = get_close_matches(word, vocabulary, n=1) if len(word) <= _MAX_WORD else []
    return folded.index(found[0]) if found else None


def _most_shared(words: Sequence[str], folded: Sequence[str], size: int) -> int | None:
    """Where the run of `size` words begins that shares most with `words`, at least half of them."""
    wanted, inside = Counter(words), Counter[str]()
    best, shared, places = -(-len(words) // 2), 0, list[int]()
    for place, word in enumerate(folded):
        inside[word] += 1
        shared += inside[word] <= wanted[word]
        if place >= size:
            left = folded[place - size]
            shared -= inside[left] <= wanted[left]
            inside[left] -= 1
        if place < size - 1 or shared < best:
            continue
        if shared > best:
            best, places = shared, []
        if len(places) < _MAX_CANDIDATES:
            places.append(place - size + 1)
    return max(places, key=lambda place: _likeness(words, folded[place : place + size]), default=None)


def _likeness(words: Sequence[str], others: Sequence[str]) -> float:
    """How alike two runs of words are, letter by letter where they are short."""
    one, other = " ".join(words), " ".join(others)
    if len(one) > _MAX_WORD * 5 or len(other) > _MAX_WORD * 5:
        return SequenceMatcher(None, words, others).ratio()
    return SequenceMatcher(None, one, other).ratio()
