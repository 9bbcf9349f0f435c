"""What values of slots look like in English messages."""

from __future__ import annotations

import re

__all__ = [
    "ADDRESS",
    "AGED",
    "BARE_CLOCK",
    "CALLED",
    "CLOCK",
    "CODE",
    "COUNTED",
    "COUNT_WORD",
    "DAY",
    "EMAIL",
    "I_AM",
    "LENGTH",
    "LOWER_FROM",
    "LOWER_TO",
    "NAMES",
    "NUMBER",
    "PEOPLE",
    "PHONE",
    "PLACE",
    "SENTENCE",
    "SIZE",
]

SENTENCE = re.compile(r"[^.!?\n]*(?:\.(?=\S)[^.!?\n]*)*[.!?\n]?")
COUNT = r"(?:\d{1,3}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|a couple|a dozen)"
COUNT_WORD = re.compile(COUNT, re.IGNORECASE)
PEOPLE_WORD = (
    r"(?:people|persons?|guests?|adults?|passengers?|travell?ers?|attendees?|pax|kids?|"
    r"children|friends?|of us|ppl|others?)"
)
PEOPLE = re.compile(
    rf"\b{COUNT}\s+(?:\w+\s+)?{PEOPLE_WORD}\b|\b(?:party|group|family|table|team)\s+(?:of|for)\s+{COUNT}\b"
    r"|\bjust (?:me|myself|us)\b|\b(?:on my own|by myself|both of us|solo|alone)\b"
    r"|\b(?:for|the)\s+(?:two|three|four|five|six)(?:\s+of us)?(?=[.,!?]|$)",
    re.IGNORECASE,
)
DAY = re.compile(
    r"\b(?:today|tonight|tomorrow|day after tomorrow|asap|as soon as possible|immediately)\b|"
    r"\b\d{1,2}(?:st|nd|rd|th)\b",
    re.IGNORECASE,
)
CLOCK = re.compile(
    r"\b(?:at|around|by|from|until)?\s*(?:noon|midday|midnight)\b|\b\d{1,2}\s*o'?clock\b", re.IGNORECASE
)
BARE_CLOCK = re.compile(r"\b(?:at|around|by|about)\s+\d{1,2}\b|\A\s*\d{1,2}\s*\.?\s*\Z", re.IGNORECASE)
EMAIL = re.compile(r"[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}")
PHONE = re.compile(r"\+?\(?\d[\d().\- ]{5,18}\d")
SIZE = re.compile(
    r"\bsize\s+(?:is\s+)?(?:an?\s+)?(?:us|uk|eu)?\s*(?:\d{1,3}(?:[.,]\d)?|[smlx]{1,3}|small|medium|large|"
    r"extra \w+)\b"
    r"|\b(?:us|uk|eu)\s*(?:men's|women's)?\s*\d{1,2}(?:\.5)?\b|\b\d{1,3}(?:\.\d)?\s*cm\b"
    r"|\b(?:wear|take|am|i'm)\s+an?\s+(?:\w+\s+)?(?:\d{1,2}(?:\.5)?|[sml]|x+[sl]|small|medium|large)\b",
    re.IGNORECASE,
)
NUMBER = re.compile(
    rf"(?<![\w$\u20ac\u00a3.])(?:\d{{1,6}}(?:[.,]\d{{1,3}})*(?:k|[gtm]b|kg|lbs?|[cm]m)?|{COUNT})\b(?!-)",
    re.IGNORECASE,
)
LENGTH = re.compile(
    rf"\b(?:{COUNT}|an?)\s*(?:-\s*)?(?:more\s+)?(?:nights?|days?|weeks?|hours?|months?|"
    r"minutes?|hrs?|years?)\b",
    re.IGNORECASE,
)
ADDRESS = re.compile(
    r"\b\d{1,6}\s+(?:\w[\w.'-]*\s+){1,4}(?:street|st|road|rd|avenue|ave|lane|ln|drive|dr|boulevard|blvd|"
    r"way|court|ct|"
    r"place|pl|square|sq|terrace|highway|hwy)\b",
    re.IGNORECASE,
)
CALLED = re.compile(
    r"\b(?:my name is|my name's|call me|name is|name's)\s+(?P<a>[^\W\d_][\w'-]*(?: [A-Z][\w'-]*){0,3})",
    re.IGNORECASE,
)
I_AM = re.compile(r"\b(?:I'm|I am|This is|It's)\s+(?P<a>[A-Z][a-z'-]+(?: [A-Z][\w'-]*){0,3})(?=[\s.,!?]|$)")
NAMES = re.compile(r"\b[A-Z][\w'-]+(?: (?:[A-Z][\w.'-]*|van|de|der|von|la)){1,3}\b")
CODE = re.compile(r"#?\b(?=[A-Za-z_-]{0,30}\d)[A-Za-z0-9][\w-]{2,40}\b|\b[A-Z]{5,8}\b")
PLACE = r"(?:the\s+)?(?P<a>[A-Z][\w.'-]+(?: [A-Z][\w.'-]+){0,3})"
AGED = re.compile(r"\bI(?:'m| am) \d{1,2}(?=\s+(?:and|years|yo|y/o|but|so)\b|[.,;!]|$)", re.IGNORECASE)
COUNTED = re.compile(
    rf"\b(?:order|want|need|buy|get|like|take|for)\s+(?:about\s+|around\s+)?{COUNT}\s+(?:[a-z-]+\s+)?[a-z]{{3,}}s\b",
    re.IGNORECASE,
)
# Places of people who write without capitals.
LOWER_FROM = re.compile(r"\bfrom (?P<a>[a-z]{3,})(?: [a-z]+)? to [a-z]{3,}")
LOWER_TO = re.compile(
    r"\b(?:from [a-z]{3,}(?: [a-z]+)?|flights?|fly|flying|trains?|trip|tickets?|bus) to "
    r"(?!(?:the|see|visit|get|meet|be|do|my|book|change|attend|go|work)\b)(?P<a>[a-z]{3,})"
)
