"""What values of slots look like in English messages."""

from __future__ import annotations

import re

from grice.checks.questions.answer_patterns import Patterns

__all__ = ["PATTERNS"]

_COUNT = r"(?:\d{1,3}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|a couple|a dozen)"
_PEOPLE = (
    r"(?:people|persons?|guests?|adults?|passengers?|travell?ers?|attendees?|pax|kids?|"
    r"children|friends?|of us|ppl|others?)"
)
_PLACE = r"(?:the\s+)?(?P<a>[A-Z][\w.'-]+(?: [A-Z][\w.'-]+){0,3})"

PATTERNS = Patterns(
    count_word=re.compile(_COUNT, re.IGNORECASE),
    people=re.compile(
        rf"\b{_COUNT}\s+(?:\w+\s+)?{_PEOPLE}\b|\b(?:party|group|family|table|team)\s+(?:of|for)\s+{_COUNT}\b"
        r"|\bjust (?:me|myself|us)\b|\b(?:on my own|by myself|both of us|solo|alone)\b"
        r"|\b(?:for|the)\s+(?:two|three|four|five|six)(?:\s+of us)?(?=[.,!?]|$)",
        re.IGNORECASE,
    ),
    day=re.compile(
        r"\b(?:today|tonight|tomorrow|day after tomorrow|asap|as soon as possible|immediately)\b|"
        r"\b\d{1,2}(?:st|nd|rd|th)\b",
        re.IGNORECASE,
    ),
    clock=re.compile(
        r"\b(?:at|around|by|from|until)?\s*(?:noon|midday|midnight)\b|\b\d{1,2}\s*o'?clock\b", re.IGNORECASE
    ),
    bare_clock=re.compile(r"\b(?:at|around|by|about)\s+\d{1,2}\b|\A\s*\d{1,2}\s*\.?\s*\Z", re.IGNORECASE),
    size=re.compile(
        r"\bsize\s+(?:is\s+)?(?:an?\s+)?(?:us|uk|eu)?\s*(?:\d{1,3}(?:[.,]\d)?|[smlx]{1,3}|small|medium|large|"
        r"extra \w+)\b"
        r"|\b(?:us|uk|eu)\s*(?:men's|women's)?\s*\d{1,2}(?:\.5)?\b|\b\d{1,3}(?:\.\d)?\s*cm\b"
        r"|\b(?:wear|take|am|i'm)\s+an?\s+(?:\w+\s+)?(?:\d{1,2}(?:\.5)?|[sml]|x+[sl]|small|medium|large)\b",
        re.IGNORECASE,
    ),
    number=re.compile(
        rf"(?<![\w$\u20ac\u00a3.])(?:\d{{1,6}}(?:[.,]\d{{1,3}})*(?:k|[gtm]b|kg|lbs?|[cm]m)?|{_COUNT})\b(?!-)",
        re.IGNORECASE,
    ),
    length=re.compile(
        rf"\b(?:{_COUNT}|an?)\s*(?:-\s*)?(?:more\s+)?(?:nights?|days?|weeks?|hours?|months?|"
        r"minutes?|hrs?|years?)\b",
        re.IGNORECASE,
    ),
    address=re.compile(
        r"\b\d{1,6}\s+(?:\w[\w.'-]*\s+){1,4}(?:street|st|road|rd|avenue|ave|lane|ln|drive|dr|boulevard|blvd|"
        r"way|court|ct|"
        r"place|pl|square|sq|terrace|highway|hwy)\b",
        re.IGNORECASE,
    ),
    called=re.compile(
        r"\b(?:my name is|my name's|call me|name is|name's)\s+(?P<a>[^\W\d_][\w'-]*(?: [A-Z][\w'-]*){0,3})",
        re.IGNORECASE,
    ),
    i_am=re.compile(
        r"\b(?:I'm|I am|This is|It's)\s+(?P<a>[A-Z][a-z'-]+(?: [A-Z][\w'-]*){0,3})(?=[\s.,!?]|$)"
    ),
    aged=re.compile(r"\bI(?:'m| am) \d{1,2}(?=\s+(?:and|years|yo|y/o|but|so)\b|[.,;!]|$)", re.IGNORECASE),
    counted=re.compile(
        rf"\b(?:order|want|need|buy|get|like|take|for)\s+(?:about\s+|around\s+)?{_COUNT}\s+(?:[a-z-]+\s+)?[a-z]{{3,}}s\b",
        re.IGNORECASE,
    ),
    for_length=re.compile(
        rf"\b(?:{_COUNT}|an?)\s*(?:-\s*)?(?:more\s+)?nights?\b"
        rf"|\bfor\s+(?:{_COUNT}|an?)\s*(?:-\s*)?(?:more\s+)?(?:days?|weeks?|hours?|months?|minutes?|hrs?|years?)\b",
        re.IGNORECASE,
    ),
    place=_PLACE,
    prepositions={"in": "in|near|around|live in|based in", "from": "from", "to": "to"},
    # Places of people who write without capitals.
    lower={
        "from": re.compile(r"\bfrom (?P<a>[a-z]{3,})(?: [a-z]+)? to [a-z]{3,}"),
        "to": re.compile(
            r"\b(?:from [a-z]{3,}(?: [a-z]+)?|flights?|fly|flying|trains?|trip|tickets?|bus) to "
            r"(?!(?:the|see|visit|get|meet|be|do|my|book|change|attend|go|work)\b)(?P<a>[a-z]{3,})"
        ),
    },
    pair=re.compile(rf"\b{_PLACE}\s+to\s+[A-Z]"),
    back=re.compile("return|back|until|through|check(?:ing)? ?out"),
    until=re.compile(r"\W*(?:to|-|until|through|and back)?\W*"),
    joint=re.compile(r"\s*(?:,|/|\bor\b|\band\b|,\s*or\b)\s*(?:(?:maybe|even|an?|in|the)\s+){0,2}"),
    ends=re.compile(r"\s*(?:[.,;!]|$|max\b|please\b)"),
    clauses=re.compile(r"(?:(?!\b(?:but|and|while)\b)[^,;])+|.", re.IGNORECASE | re.DOTALL),
    own_number=re.compile(r"\bmy number(?:\s+is|'s)?\W*$", re.IGNORECASE),
)
