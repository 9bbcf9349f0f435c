"""Which open question a piece of advice is about, and for which side of it it speaks."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from grice.checks.contradiction.positions.advising import Advice
from grice.checks.contradiction.positions.matters import Matter, Question

__all__ = ["MAX_MATTERS", "Open", "tied"]

MAX_MATTERS = 60

Tie = tuple[Matter | None, int, float]
"""What advice is about, its sign there, and how sure that is."""


class Open(msgspec.Struct, frozen=True, gc=False):
    """What stands open when a reply is read.

    `current` is the matter that was last spoken of, `asked` the one that the user's message asks about,
    `questions` what it asks; `last` is the number of the reply's last sentence.
    """

    matters: Sequence[Matter]
    current: Matter | None
    asked: Matter | None
    questions: Sequence[Question]
    last: int


def tied(advice: Advice, seen: Open) -> Tie:
    """The matter that advice is about, None for none."""
    scored = [
        (score, matter.place, matter) for matter in seen.matters if (score := _score(advice, matter, seen))
    ]
    if scored:
        return _named(advice, max(scored, key=lambda one: one[:2])[2])
    texts = {word.text for word in advice.clause.words}
    stands_for = (
        seen.asked is not None and advice.kind == "advice" and advice.sentence == 0 and texts & _PRONOUNS
    )
    return _loose(advice, seen) if advice.walk.loose or stands_for else (None, 0, 0.0)


def _score(advice: Advice, matter: Matter, seen: Open) -> float:
    """How much of a matter advice names; 0 where that is not enough."""
    shared = matter.shared(advice.walk)
    if not shared:
        return 0.0
    here = matter is seen.asked or (matter is seen.current and not seen.questions)
    core = len(matter.keys) if matter.options is None else 1
    if advice.kind == "fragment":
        if (matter is not seen.asked or matter.options is None) and not _STILL.match(advice.clause.text):
            return 0.0
        here = True
    foreign = len(advice.walk.keys) - shared
    if shared < (1 if here and seen.last < _LONG else min(2, core)) or (not here and foreign > shared + 2):
        return 0.0
    return shared + 0.5 * here


def _named(advice: Advice, matter: Matter) -> Tie:
    shared = matter.shared(advice.walk)
    sure = shared >= 2 or len(matter.keys) == 1 or matter.options is not None
    sign = matter.sign_of(advice.walk)
    if "same" in matter.words.split() and _OTHERWISE & {word.text for word in advice.clause.words}:
        sign = -sign
    return matter, sign, 0.85 if sure else 0.7


def _loose(advice: Advice, seen: Open) -> Tie:
    """Advice that names nothing: about what was asked, or what stands open where nothing was."""
    still = "still" in {word.text for word in advice.clause.words}
    matter = seen.asked if seen.asked is not None else (seen.current if still or not seen.questions else None)
    if matter is None or matter.options is not None:
        return None, 0, 0.0
    texts = {word.text for word in advice.clause.words}
    if not (
        advice.own
        or advice.kind == "advice"
        or texts & {"it", "it's", "that", "that's"}
        or seen.asked is not None
    ):
        return None, 0, 0.0
    if (
        seen.asked is None
        and not still
        and (advice.kind != "advice" or not (texts & _PRONOUNS or (advice.own and advice.walk.advises)))
    ):
        return None, 0, 0.0
    if advice.sentence > 1 and advice.sentence != seen.last and not texts & _PRONOUNS:
        return None, 0, 0.0
    if not texts & _PRONOUNS and not (advice.walk.advises or advice.walk.judges):
        return None, 0, 0.0
    if _HOLDS.search(advice.clause.text) and not _HOLDS.search(matter.words):
        return matter, advice.walk.sign, 0.65  # to wait is not to do what was asked, whatever that is
    return matter, advice.walk.sign * matter.sign, 0.65


_STILL = re.compile(r"^(?:but |and |so )*(?:still|no|not|again)\b")
_HOLDS = re.compile(r"\b(?:wait|hold (?:off|on|back|fire)|think twice|not yet|rush|sit tight)\b")
_LONG = 6
"""A reply with this many sentences has to name more of what it speaks of."""
_OTHERWISE = frozenset({"different", "separate", "unique", "own"})
_PRONOUNS = frozenset({"it", "it's", "this", "that", "them", "one", "those", "these"})
