"""The records of self-contradiction: stances, comparisons, acknowledgements, the outcome."""

from __future__ import annotations

from typing import Literal

import msgspec

from grice.checks.profiles import Profile
from grice.records import Judgement

Consistency = Literal["contradiction", "acknowledged", "consistent", "undetermined"]
"""What becomes of a conversation."""

Pairs = Literal["first_two", "adjacent", "all"]
"""Which replies are held against each other."""

Step = Literal["stated answers", "turned round", "facts", "argument", "entailment"]
"""The steps of the cascade, in order."""


class Stance(msgspec.Struct, frozen=True):
    """The position that one reply takes.

    `turn` counts from 1. `position` is `yes`, `no`, `unclear`, or the value that is said ("two dogs", "B").
    `start` and `end` are character offsets into the text of the reply, of the words that say it; equal where
    none do. `proposition` is what is affirmed, denied or given a value, "" where nothing says so. `rule`
    names what decided.
    """

    turn: int
    position: str
    start: int = 0
    end: int = 0
    proposition: str = ""
    rule: str = ""


class Comparison(msgspec.Struct, frozen=True):
    """Two stances on one thing, and whether the later is the opposite of the earlier. `score`, from 0 to 1,
    is that of a model, None for a rule.
    """

    step: Step
    earlier: Stance
    later: Stance
    opposed: bool
    score: float | None = None


class Acknowledgement(msgspec.Struct, frozen=True):
    """Where a reply says that its speaker has changed its mind, or was wrong."""

    turn: int
    quote: str
    start: int
    end: int


class SelfContradiction(msgspec.Struct, frozen=True, eq=False):
    """Whether an assistant contradicts itself: true exactly when it does, and `found == True` says the same.

    `step` names the step of the cascade that decided, "" where none did. `stances` are those it compared,
    `pair` the turns of the reversal that decided, where there is one; `acknowledgement` is what excuses it.
    `score` is that of the model where one was asked, `judgement` which model that was and what is known of
    its agreement with people.
    """

    outcome: Consistency
    reason: str
    stances: tuple[Stance, ...] = ()
    pair: tuple[int, int] | None = None
    acknowledgement: Acknowledgement | None = None
    step: Step | Literal[""] = ""
    score: float | None = None
    judgement: Judgement | None = None
    profile: Profile = "robust"

    def __bool__(self) -> bool:
        return self.outcome == "contradiction"

    def __eq__(self, other: object) -> bool:
        if isinstance(other, bool):
            return bool(self) is other
        if not isinstance(other, SelfContradiction):
            return NotImplemented
        return msgspec.structs.astuple(self) == msgspec.structs.astuple(other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = None  # type: ignore[assignment]  # some that equal True are not equal to each other
