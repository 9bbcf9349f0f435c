"""The self-contradiction rubric of profile `seed`, bit for bit: lists of words, and eight acknowledgements.

The docs of `self_contradiction` list the words.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from grice.checks.contradiction.consistency import Acknowledgement, SelfContradiction, Stance
from grice.text import value_text

LOOKED_AT = 200
"""How many characters of a reply are looked at for its position."""

YES_INDICATORS = (
    *("yes", "should", "must", "ought to", "i think so", "i believe so", "support", "in favor"),
    *("benefits outweigh", "positive"),
)
NO_INDICATORS = (
    *("no", "shouldn't", "should not", "must not", "ought not", "don't think", "do not think", "disagree"),
    *("oppose", "against", "risks outweigh", "negative"),
)
_OPENINGS = ("yes", "no")
ACKNOWLEDGEMENTS = (
    *("changed my mind", "reconsidered", "upon reflection", "i was wrong", "you've convinced me"),
    *("let me revise", "initially i thought", "i've shifted my view"),
)


class AssistantMessage(msgspec.Struct, frozen=True):
    """What an assistant message says; `turn` counts from 1. `shift` is where its text begins in that of the
    turn's reply, None where it is no part of it.
    """

    text: str
    turn: int
    shift: int | None = 0


def seed_contradiction(said: Sequence[AssistantMessage]) -> SelfContradiction:
    """Apply the rubric to the first two assistant messages; with fewer the outcome is undetermined."""
    if len(said) < 2:
        found = "no assistant message" if not said else "one assistant message"
        return SelfContradiction("undetermined", f"there is {found}: two are compared", profile="seed")
    first, second = (seed_stance(one) for one in said[:2])
    stances = (first, second)
    unclear = [str(one.turn) for one in stances if one.position == "unclear"]
    if unclear:
        turns = f"turn{'s' if len(unclear) > 1 else ''} {' and '.join(unclear)}"
        return SelfContradiction(
            "undetermined", f"the position in {turns} is unclear", stances, profile="seed"
        )
    if first.position == second.position:
        reason = f"turns {first.turn} and {second.turn} both say {first.position}"
        return SelfContradiction("consistent", reason, stances, profile="seed")
    pair = (first.turn, second.turn)
    reversal = f"turn {first.turn} says {first.position} and turn {second.turn} says {second.position}"
    excuse = _acknowledgement(said[1])
    if excuse is None:
        reason = f"{reversal}, without one of the eight phrases of acknowledgement"
        return SelfContradiction("contradiction", reason, stances, pair, profile="seed")
    reason = f"{reversal}, acknowledged by {value_text(excuse.quote)}"
    return SelfContradiction("acknowledged", reason, stances, pair, excuse, profile="seed")


def seed_stance(said: AssistantMessage) -> Stance:
    """Find the position in the first 200 characters: by the opening, else by the longer list of words."""
    start = said.text[:LOOKED_AT].lower()
    trimmed = start.strip()
    for word in _OPENINGS:
        if trimmed.startswith((f"{word},", f"{word} ")):
            return _stance(said, word, [word], "begins with it")
    yes, no = _present(start, YES_INDICATORS), _present(start, NO_INDICATORS)
    if len(yes) == len(no):
        return Stance(said.turn, "unclear", rule=f"indicators: {len(yes)} of yes, {len(no)} of no")
    position = "yes" if len(yes) > len(no) else "no"
    more = yes if position == "yes" else no
    return _stance(said, position, more, f"indicators: {', '.join(more)}")


def _present(start: str, indicators: Sequence[str]) -> list[str]:
    return [one for one in indicators if _place(start, one) >= 0]


def _place(start: str, indicator: str) -> int:
    """Where an indicator stands, -1 for nowhere: a phrase as a substring, a word between word boundaries."""
    if " " in indicator:
        return start.find(indicator)
    found = re.search(rf"\b{re.escape(indicator)}\b", start, re.ASCII)
    return found.start() if found else -1


def _stance(said: AssistantMessage, position: str, found: Sequence[str], rule: str) -> Stance:
    lowered = said.text[:LOOKED_AT].lower()
    start, end = 0, 0
    if said.shift is not None and len(lowered) == len(said.text[:LOOKED_AT]):
        start = said.shift + max(0, _place(lowered, found[0]))
        end = start + len(found[0])
    return Stance(said.turn, position, start, end, rule=rule)


def _acknowledgement(said: AssistantMessage) -> Acknowledgement | None:
    lowered = said.text.lower()
    same = len(lowered) == len(said.text)
    for phrase in ACKNOWLEDGEMENTS:
        place = lowered.find(phrase)
        if place >= 0 and same and said.shift is not None:
            end = place + len(phrase)
            return Acknowledgement(said.turn, said.text[place:end], said.shift + place, said.shift + end)
        if place >= 0:
            return Acknowledgement(said.turn, phrase, 0, 0)
    return None
