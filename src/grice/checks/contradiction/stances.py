"""What an assistant holds of a question: the records of self-contradiction."""

from __future__ import annotations

from typing import Literal, get_args

import msgspec

from grice.checks.profiles import Profile

__all__ = ["PAIRS", "Acknowledgement", "Consistency", "Pairs", "Position", "SelfContradiction", "Stance"]

Position = Literal["yes", "no", "mixed", "unclear"]
"""What a reply holds of a proposition; `mixed` is both in one reply, `unclear` what cannot be told."""

Consistency = Literal["contradiction", "acknowledged_change", "consistent", "undetermined"]
"""What becomes of the stances of a conversation."""

Pairs = Literal["first_two", "adjacent", "all"]
"""Which replies are held against each other."""

PAIRS: tuple[Pairs, ...] = get_args(Pairs)


class Stance(msgspec.Struct, frozen=True):
    """What one reply holds.

    `turn` counts from 1. `start` and `end` are character offsets into the text of the reply, of the words
    that say it; equal where none do. `confidence` is from 0 to 1. `proposition` is what is affirmed or
    denied, in a few words, "" where it could not be told. `rule` names what decided.
    """

    turn: int
    position: Position
    start: int = 0
    end: int = 0
    confidence: float = 0.0
    proposition: str = ""
    rule: str = ""


class Acknowledgement(msgspec.Struct, frozen=True):
    """Where a reply says that its speaker has changed its mind, or was wrong."""

    turn: int
    quote: str
    start: int
    end: int


class SelfContradiction(msgspec.Struct, frozen=True):
    """Whether an assistant contradicts itself; true exactly when it does.

    `stances` has one for each reply that was looked at. `pair` are the turns of the reversal that decided,
    where there is one; `acknowledgement` is what excuses it.
    """

    outcome: Consistency
    reason: str
    stances: tuple[Stance, ...] = ()
    pair: tuple[int, int] | None = None
    acknowledgement: Acknowledgement | None = None
    profile: Profile = "robust"

    def __bool__(self) -> bool:
        return self.outcome == "contradiction"
