"""What explains that a value is another one now: what the user said, what tools told, what was corrected."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from decimal import Decimal

import msgspec

from grice.checks.contradiction.facts.pairs import admits
from grice.checks.contradiction.facts.stated_reading import Statement
from grice.checks.contradiction.facts.stated_results import Result, moment_key
from grice.checks.contradiction.facts.stated_words import StatedWords
from grice.checks.evidence.lexicon import Lexicon
from grice.checks.evidence.terms import Reading, read_text
from grice.text.normalised import normalise
from grice.text.quantities import Quantity
from grice.text.times import Moment

__all__ = ["VOLATILE", "Heard", "answered", "bounds", "corrects", "heard_in", "shifts", "tells", "touches"]

MAX_BEFORE = 160
"""Characters before a statement in which a correction is looked for."""

VOLATILE = frozenset(("money", "availability", "date", "time", "quantity count", "choice"))
"""Kinds of facts that change when something is booked, or when it is asked for another day."""


_CHANGE = re.compile(
    r"(?i)\b(?:what about|how about|what if|instead|another|different|other (?:one|option|date|day"
    r"|time|flight|room"
    r"|color|colour|size)s?|chang\w+|switch\w*|i'd rather (?:have|take|go|fly|book)|upgrad\w+"
    r"|downgrad\w+|cheaper|make (?:it|that)|add|remov\w+"
    r"|swap|mov\w+|resched\w+|next (?:day|week|month|one|flight|train|available|date|time)"
    r"|alternatives?|i'd like|i would like|(?<!do )i want|(?<!do )i need|i'll take"
    r"|give me|book|reserve|prefer|let's|try|without|cancel|now (?:it|the|i)|search"
    r"|look(?:ing)? for|for (?:the|a|my) \w+|with (?:the|a|my) \w+)\b"
)


_OTHER = re.compile(
    r"(?i)\b(?:another|different|other (?!than|hand|words|guests|people)\w+|instead|chang(?:e|ing)"
    r"|switch|swap|upgrad\w+|downgrad\w+"
    r"|resched\w+)\b"
)


_CHALLENGE = re.compile(
    r"(?i)\b(?:are you sure|you sure|i thought|earlier you|you said|you told|you mentioned|didn't you"
    r"|isn't it|wasn't it"
    r"|website|i (?:heard|read|saw)|confirm|double.?check|remind|wait|hold on|hang on|again"
    r"|contradict\w*)\b"
)


_INTRODUCTION = re.compile(
    r"(?i)\b(?:my (?:name|email|phone|number|user id|id|confirmation|booking|order)\b[^.?!]*|(?:i'm"
    r"|i am|this is) [A-Z]\w+[^.?!,]*)"
)


_CORRECTION = re.compile(
    r"(?i)\b(?:actually|correction|correct(?:ed|ing)? (?:that|my|myself|is|answer|value|information"
    r"|price)"
    r"|i was (?:wrong|mistaken|incorrect)|i made (?:a|an) (?:mistake|error)|mistake|mistaken(?:ly)?"
    r"|misspoke|misstated"
    r"|misread|mis-?informed|(?:my|the) (?:earlier|previous|initial|last) (?:message|answer|statement"
    r"|reply|response|quote"
    r"|information|figure)|for the confusion|for (?:the|that|my) (?:error|mix-?up|misunderstanding"
    r"|oversight|incorrect"
    r"|mistake|wrong)|any confusion|oversight|my (?:apologies|bad)|stand corrected|let me (?:correct"
    r"|clarify|fix)"
    r"|to clarify|i (?:said|told you|mentioned|stated|quoted)(?: earlier| before)?"
    r"|has (?:been |since )?(?:changed|updated|increased|decreased|moved|dropped|gone|risen)"
    r"|have (?:been )?(?:changed|updated)"
    r"|was (?:changed|moved|updated|rescheduled)|upon (?:checking|review|closer)|on second (?:look"
    r"|thought)"
    r"|(?:looks|turns out) (?:like|that)|turns out|just (?:sold|became|changed)|no longer|is now"
    r"|are now|now)\b"
)


_SORRY = re.compile(r"(?i)\b(?:sorry|apologi[sz]e|apologies)\b(?!,? but)")


class Heard(msgspec.Struct, frozen=True):
    """What the user said in a turn, and what of it is new."""

    known: frozenset[str]
    numbers: frozenset[Decimal]
    moments: frozenset[str]
    changes: bool
    other: bool
    asks: bool
    challenges: bool
    new_data: bool
    new_names: frozenset[str]
    answered: frozenset[str] = frozenset()


def shifts(heard: Heard, one: Statement, other: Statement) -> bool:
    """Whether the user changed what is spoken of."""
    value = other.value
    if not heard.challenges:
        if isinstance(value, Quantity) and value.number in heard.numbers:
            return True
        if isinstance(value, Moment) and moment_key(value) in heard.moments:
            return True
        if isinstance(value, frozenset) and value <= heard.known:
            return True
    named = other.names and other.topic == one.topic and not other.inherited and not other.listed
    asked = (
        heard.known
        - (heard.answered if named else frozenset())
        - one.topic
        - other.topic
        - frozenset(one.attribute.split("+"))
    )
    if heard.other and not heard.challenges:
        return True
    if other.inherited and not other.topic and heard.asks and asked:
        return True
    if heard.changes and not (heard.challenges and not heard.new_data) and asked:
        return True
    if heard.new_data and not heard.challenges and other.kind not in ("yes_no", "choice"):
        return True
    return bool(heard.new_names) and not named


def tells(result: Result, one: Statement) -> bool:
    """Whether a result has the value of a statement."""
    value = one.value
    if isinstance(value, Quantity):
        return any(each in result.numbers for each in (value.low, value.high) if each is not None)
    if isinstance(value, Moment):
        return moment_key(value) in result.moments
    if isinstance(value, frozenset):
        return value <= result.known
    told = any(other.key == one.key and other.value == value for other in result.statements)
    return told or bool(one.topic & result.known)


def touches(result: Result, one: Statement, other: Statement) -> bool:
    """Whether a call that changes something may have changed this."""
    if one.kind in VOLATILE and not (one.names | one.titles) & other.topic:
        return True
    return bool((one.topic | frozenset(one.attribute.split("+"))) & result.known)


def bounds(found: Iterable[Quantity]) -> Iterator[Decimal]:
    """The ends of quantities."""
    for one in found:
        yield from (bound for bound in (one.low, one.high) if bound is not None)


def heard_in(
    text: str,
    words: StatedWords,
    lexicon: Lexicon,
    *,
    numbers: set[Decimal],
    moments: set[str],
    seen: set[str],
) -> tuple[Heard, frozenset[str]]:
    """What the user says in a message, and the names in it.

    `numbers`, `moments` and `seen` are what was known before.
    """
    told = _INTRODUCTION.sub(lambda found: " " * len(found[0]), text)
    reading = read_text(told, lexicon)
    given = frozenset(bounds(one for one in reading.quantities if one.dimension != "name"))
    dated = frozenset(map(moment_key, reading.moments))
    names = _names(told, reading, words)
    heard = Heard(
        _content(reading, words),
        given,
        dated,
        _CHANGE.search(told) is not None,
        _OTHER.search(told) is not None,
        told.rstrip().endswith("?"),
        _CHALLENGE.search(told) is not None,
        not (given <= numbers and dated <= moments),
        names - seen,
    )
    return heard, names


def _names(text: str, reading: Reading, words: StatedWords) -> frozenset[str]:
    """The stems of what is written like a name, and begins no sentence."""
    return frozenset(
        one
        for word, one in zip(reading.tokens, reading.stems, strict=True)
        if word.start
        and text[word.start].isupper()
        and text[max(0, word.start - 2)] not in ".?!\n"
        and word.text not in words.pack.stop_words
        and "'" not in word.text
        and not any(each.start <= word.start < each.end for each in reading.moments)
    )


def _content(reading: Reading, words: StatedWords) -> frozenset[str]:
    return frozenset(
        words.attributes.get(word.text, one)
        for word, one in zip(reading.tokens, reading.stems, strict=True)
        if not (word.text in words.generic or word.text in words.pack.stop_words or "'" in word.text)
    )


def answered(
    heard: Heard, text: str, subjects: frozenset[str], words: StatedWords, lexicon: Lexicon
) -> Heard:
    """What was heard, with what of it the reply has; a name that the reply names only in passing is none."""
    read = read_text(normalise(text).text, lexicon)
    said = frozenset(read.stems) | {words.attributes.get(word.text, "") for word in read.tokens}
    passing = heard.new_names <= said and not heard.new_names & subjects
    names: frozenset[str] = frozenset() if passing else heard.new_names
    return msgspec.structs.replace(heard, answered=heard.known & said, new_names=names)


def corrects(one: Statement, text: str) -> bool:
    """Whether a reply says, with a statement or just before it, that something was wrong or is new."""
    if _CORRECTION.search(one.quote) or _CORRECTION.search(text[max(0, one.start - MAX_BEFORE) : one.start]):
        return True
    if admits(text, one.start, one.end):
        return True
    return one.kind not in ("yes_no", "availability") and _SORRY.search(one.quote) is not None
