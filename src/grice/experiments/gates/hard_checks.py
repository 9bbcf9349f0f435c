"""What completion does not show: conversations in which nothing could fail."""

from __future__ import annotations

from collections.abc import Sequence

from grice.experiments.attempts import Attempt
from grice.experiments.comparison.asking import OTHER_NUMBERS
from grice.records import Outcome

__all__ = ["aside_of", "why_not_the_same", "why_unchecked"]


def why_unchecked(attempts: Sequence[Attempt]) -> str:
    """Why completion says nothing, "" where it does: most that count have to have a hard check.

    What passes without one passes whatever was said, and so would keep any limit.
    """
    counted = [one for one in attempts if one.counted]
    unchecked = sum(one.unchecked for one in counted)
    if counted and unchecked == len(counted):
        return "was never checked: no conversation has a hard check"
    if 2 * unchecked > len(counted):
        return f"is hardly checked: {unchecked:,} of {len(counted):,} conversations have no hard check"
    return ""


def why_not_the_same(before: Sequence[Attempt], now: Sequence[Attempt]) -> str:
    """Why a drop of completion hides in scenarios that pass now because no hard check is left, "" if not.

    Both are attempts of the same scenarios. A check under a condition is made now and then, so a few may be
    without.
    """
    known = {one.id for one in now if one.counted}
    could_fail = {one.id for one in now if one.counted and not one.unchecked}
    checked = {one.id for one in before if one.counted and not one.unchecked} & known
    lost = len(checked - could_fail)
    if lost <= OTHER_NUMBERS * len(known):
        return ""
    return f"{lost:,} of {len(known):,} scenarios had a hard check in the baseline and have none now"


def aside_of(attempts: Sequence[Attempt]) -> str:
    """What stands beside completion: `2 without a hard check; 5 skipped`; "" for nothing."""
    counted = [one for one in attempts if one.counted]
    numbers = (
        (sum(one.unchecked for one in counted), "without a hard check"),
        (sum(one.passed and one.bare for one in counted), "by plain asserts alone, if any"),
        (sum(one.outcome is Outcome.SKIPPED for one in attempts), "skipped"),
    )
    return "; ".join(f"{number:,} {words}" for number, words in numbers if number)
