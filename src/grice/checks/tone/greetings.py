"""How people begin to talk: greetings, and the question who one talks to."""

from __future__ import annotations

import re

from grice.text.packs import known_packs, languages, remembered, vocabulary
from grice.text.packs.pack import Words
from grice.text.packs.records import RoboticPhrases

MAX_USER = 2_000
"""The characters of a message that are looked at."""

_REST_OF_CLAUSE = re.compile(
    "[^\n,.!?:\u3002-]{0,30}"
    "(?:,\\s*(?:(?:Mr|Mrs|Ms|Dr|Prof)\\.?|Herr|Frau)?\\s*[A-Z]\\w{0,20}[\n,.!:]+|[\n,.!?:\u3002-]+)\\s*"
)


@remembered
def greetings() -> str:
    """The greetings of all languages, as a part of a pattern."""
    words = (vocabulary(Words, code) or Words() for code in known_packs())
    known = {*languages().greetings, *(one for each in words for one in each.greetings)}
    return "|".join(map(re.escape, sorted(known, key=len, reverse=True)))


@remembered
def _greeting() -> re.Pattern[str]:
    return re.compile(rf"(?i)\W{{0,4}}(?:{greetings()})(?: there| again| back)?(?![\w'])")


@remembered
def _who_question() -> re.Pattern[str]:
    known = (vocabulary(RoboticPhrases, code) or RoboticPhrases() for code in known_packs())
    return re.compile("|".join(one.asks_who for one in known if one.asks_who), re.IGNORECASE)


def asks_who(user: str) -> bool:
    """Whether a user asks whom, or what, they talk to."""
    return _who_question().search(user[:MAX_USER]) is not None


def greeting_in(text: str, start: int = 0) -> tuple[int, int] | None:
    """The place of the greeting that the text from `start` on begins with, None where it begins with none."""
    found = _greeting().match(text, start)
    return found.span() if found is not None else None


def after_greeting(text: str, start: int = 0) -> int:
    """Where the clause of the greeting ends (`Hi Anna, ...`); `start` where there is none."""
    place = greeting_in(text, start)
    if place is None:
        return start
    clause = _REST_OF_CLAUSE.match(text, place[1])
    return clause.end() if clause is not None else place[1]
