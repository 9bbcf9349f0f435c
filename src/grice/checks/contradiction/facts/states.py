"""What a part of a sentence says is so or is not so."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from grice.checks.contradiction.facts.segments import Segment
from grice.checks.contradiction.facts.stated_words import StatedWords
from grice.checks.contradiction.facts.wording import STATES

__all__ = ["said_so"]

_HAS = re.compile(
    r"(?i)\b(?:includes?|comes? with|has|have|offers|features|is included|are included"
    r"|isn't included|aren't included|is not included|are not included|there(?:'s| is| are| isn't| aren't)"
    r"|doesn't have|does not have|don't have|doesn't include|does not include|don't include|isn't part of"
    r"|aren't part of|is part of|are part of)\b"
)
_NOUNLESS = re.compile(r"(?i)\s*(?:been|to\b|just|already|yet|not been|never|a look|had|\w+ed\b)")
_LATER = frozenset(["shipped", "delivered", "available", "paid"])
_PARTLY = re.compile(r"(?i)\bnot (?:all|every|always|everyone|only)\b")
_WILL = re.compile(r"(?i)\b(?:will|soon|going to|hope|want|can be|cannot be|can\'t be)\b")


@lru_cache(maxsize=1)
def _patterns() -> Sequence[tuple[re.Pattern[str], str, bool]]:
    return [(re.compile(pattern, re.IGNORECASE), name, value) for pattern, name, value in STATES]


def said_so(segment: Segment, words: StatedWords) -> Iterator[tuple[str, bool, int, int]]:
    """Attributes that are said to be so or not, each with the place of what says so."""
    text = segment.text
    if _WILL.search(text) or _PARTLY.search(text):
        return
    seen: set[str] = set()
    for pattern, name, value in _patterns():
        found = None if name in seen else pattern.search(text)
        if found is None:
            continue
        seen.add(name)
        start, end = segment.start + found.start(), segment.start + found.end()
        said = [token.denied for token in segment.tokens if start <= token.start < end]
        own = found[0].casefold().startswith(("non", "not ", "doesn't", "does not", "don't", "do not"))
        twice = own and segment.text[: found.start()].casefold().endswith(("not ", "n't "))
        denied = twice or bool(said and said[-1] and not own)
        if value == denied and name not in _LATER and re.search(r"(?i)\b(?:yet|still)\b", text):
            continue  # what is not so yet may be so soon
        yield name, value != denied, start, end
    if not seen - {"refund"}:
        yield from _has_it(segment)


def _has_it(segment: Segment) -> Iterator[tuple[str, bool, int, int]]:
    """Whether something has, includes or is part of something."""
    text = segment.text
    has = _HAS.search(text)
    if has is None or any(one.dimension == "money" for one in segment.quantities):
        return
    if has[0].casefold() in ("has", "have") and _NOUNLESS.match(text[has.end() :]):
        return
    start, end = segment.start + has.start(), segment.start + has.end()
    behind = [token for token in segment.tokens if token.start >= end]
    passive = "included" in has[0].casefold() or "part of" in has[0].casefold()
    negative = re.search(r"(?i)n't|\bnot\b", has[0]) is not None
    if not negative and passive:
        negative = any(token.denied for token in segment.tokens if start <= token.start < end)
    if not negative:
        negative = any(token.denied for token in behind[:4])
    lead = [token.text for token in segment.tokens if token.end <= start]
    if has[0].casefold() == "have" and not any(word not in ("i", "we", "you", "they") for word in lead):
        return
    yield "have", not negative, start, end
