"""What completion is of, and what it does not show: conversations in which nothing could fail."""

from __future__ import annotations

from collections.abc import Sequence

from grice.experiments.attempts import Attempt
from grice.records import Outcome

__all__ = ["NEVER_CHECKED", "beside", "is_rated", "never_checked"]

NEVER_CHECKED = "was never checked: no conversation has a hard check"


def is_rated(attempt: Attempt) -> bool:
    """Whether completion may be of it: what passes without a hard check passes whatever was said.

    What could not be told stays in it, and has not passed.
    """
    return not (attempt.counted and attempt.unchecked and attempt.passed)


def never_checked(attempts: Sequence[Attempt]) -> bool:
    """Whether completion says nothing: conversations count, and none of them has a hard check."""
    counted = [one for one in attempts if one.counted]
    return bool(counted) and all(one.unchecked for one in counted)


def beside(attempts: Sequence[Attempt]) -> str:
    """What stands beside completion: `not in it: 2 without a hard check, 5 skipped`; "" for nothing.

    A test that passed without a check of Grice is in it: its own asserts may have held.
    """
    bare = sum(one.counted and one.passed and one.bare for one in attempts)
    unchecked = sum(not is_rated(one) for one in attempts)
    skipped = sum(one.outcome is Outcome.SKIPPED for one in attempts)
    left = [f"{n:,} {words}" for n, words in ((unchecked, "without a hard check"), (skipped, "skipped")) if n]
    said = [f"{bare:,} by plain asserts alone, if any"] if bare else []
    said += [f"not in it: {', '.join(left)}"] if left else []
    return "; ".join(said)
