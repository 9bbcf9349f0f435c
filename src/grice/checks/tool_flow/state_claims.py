"""Claims of a state that only an action brings about: the redirect is now in place, seat 4C is yours."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

import msgspec

from grice.checks.tool_flow.reply_sentences import ReplySentence
from grice.checks.tool_flow.vocabulary import states

MAX_CLAIMS = 50
_NOT_SO = re.compile(
    r"\b(?:if|unless|until|whether|once|before|when(?:ever)?|as soon as|after|still|should|could|would|might"
    r"|may|can|currently|remains?|already|yet)\b[^:]*$"
)
_CLAUSE = re.compile(r"(?:[^,;:.!?\u00a4]|\.(?=\w))+")


class StateClaim(msgspec.Struct, frozen=True, gc=False):
    """A state that a reply says holds: its place in the prose, and the lemmas of the actions that bring it
    about, first the one that it is the state of: published, for what is live. `fresh` says that it did not
    hold before.
    """

    start: int
    end: int
    word: str
    verbs: tuple[str, ...]
    fresh: bool


def state_claims(lines: Sequence[ReplySentence]) -> list[StateClaim]:
    """Find the states that a reply says hold, and does not deny, ask or suppose."""
    found: list[StateClaim] = []
    for line in lines:
        if not line.asks and len(found) < MAX_CLAIMS:
            found += _in(line)
    return found


@lru_cache(maxsize=1)
def _pattern() -> re.Pattern[str]:
    named = "|".join(sorted(states(), key=len, reverse=True))
    behind = "now|and|for|on|at|as|with|from|to|in|until|again|so|under|the|by|starting"
    return re.compile(
        r"(?:\b(?:is|are|am)|'s|'re|'m) (?:(?:now|officially|all|fully|safely) )*"
        rf"(?P<state>{named})(?=\s*(?:$|[.,!:;)\u00a4]|- |(?:{behind})\b))"
    )


def _in(line: ReplySentence) -> Iterator[StateClaim]:
    for clause in _CLAUSE.finditer(line.text):
        for found in _pattern().finditer(line.text, *clause.span()):
            first, last = line.index(found.start()), line.index(found.end())
            denied = any(one.start in line.denied for one in line.tokens[first:last])
            if not denied and not _NOT_SO.search(line.text[max(0, found.start() - 80) : found.start()]):
                fresh = " now" in f" {clause[0]}" or found["state"] == "yours"
                start, end = line.start + found.start(), line.start + found.end()
                yield StateClaim(start, end, found["state"], states()[found["state"]], fresh)
