"""Greetings at the beginning of what somebody says."""

from __future__ import annotations

import re

__all__ = ["after_greeting", "greeting_in"]

_GREETING = re.compile(
    r"(?i)\W{0,4}(?:hi|hello|hey|hiya|howdy|greetings|welcome|good (?:morning|afternoon|evening|day)"
    r"|hallo|servus|moin|gr\u00fc\u00df gott|guten (?:tag|morgen|abend)|hola|bonjour|ciao"
    r"|\u4f60\u597d|\u60a8\u597d)(?: there| again| back)?(?![\w'])"
)
_REST_OF_CLAUSE = re.compile(
    "[^\n,.!?:\u3002-]{0,30}"
    "(?:,\\s*(?:(?:Mr|Mrs|Ms|Dr|Prof)\\.?|Herr|Frau)?\\s*[A-Z]\\w{0,20}[\n,.!:]+|[\n,.!?:\u3002-]+)\\s*"
)


def greeting_in(text: str, start: int = 0) -> tuple[int, int] | None:
    """The place of the greeting that the text from `start` on begins with, None where it begins with none."""
    found = _GREETING.match(text, start)
    return found.span() if found is not None else None


def after_greeting(text: str, start: int = 0) -> int:
    """Where the clause of the greeting ends (`Hi Anna, ...`); `start` where there is none."""
    place = greeting_in(text, start)
    if place is None:
        return start
    clause = _REST_OF_CLAUSE.match(text, place[1])
    return clause.end() if clause is not None else place[1]
