"""What completion does not show: conversations in which nothing could fail, and those that were skipped."""

from __future__ import annotations

from collections.abc import Sequence

from grice.experiments.attempts import Attempt
from grice.records import Outcome

__all__ = ["NEVER_CHECKED", "beside", "never_checked"]

NEVER_CHECKED = "was never checked: no conversation has a hard check"


def never_checked(attempts: Sequence[Attempt]) -> bool:
    """Whether completion says nothing: conversations count, and none of them has a hard check."""
    counted = [one for one in attempts if one.counted]
    return bool(counted) and all(one.unchecked for one in counted)


def beside(attempts: Sequence[Attempt]) -> str:
    """What stands beside completion: `2 without a hard check, 5 skipped`; "" for nothing."""
    unchecked = sum(one.counted and one.unchecked for one in attempts)
    skipped = sum(one.outcome is Outcome.SKIPPED for one in attempts)
    told = [(unchecked, "without a hard check"), (skipped, "skipped")]
    return ", ".join(f"{number:,} {words}" for number, words in told if number)
