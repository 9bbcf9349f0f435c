"""What completion says where conversations have no hard check: nothing in these could fail."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from grice.experiments.attempts import Attempt
from grice.experiments.comparison.records import Measure

__all__ = ["with_unchecked"]


def with_unchecked(measure: Measure, before: Sequence[Attempt], after: Sequence[Attempt]) -> Measure:
    """Completion without a rate where no attempt of a side has a hard check, and with how many have none.

    Other measures as they are. A side without a rate has no difference, and so nothing is decided.
    """
    if measure.family != "completion":
        return measure
    old, new = (sum(one.unchecked for one in side) for side in (before, after))
    if not old and not new:
        return measure
    never = old == len(before) > 0, new == len(after) > 0
    if not any(never):
        return replace(measure, unchecked=(old, new))
    return replace(
        measure,
        unchecked=(old, new),
        baseline=None if never[0] else measure.baseline,
        current=None if never[1] else measure.current,
        baseline_count=None if never[0] else measure.baseline_count,
        current_count=None if never[1] else measure.current_count,
        difference=None,
        alike=None,
        note="; ".join(part for part in (_never(*never), measure.note) if part),
    )


def _never(before: bool, after: bool) -> str:
    if before and after:
        return "never checked: no conversation has a hard check (expect)"
    side = "baseline" if before else "current experiment"
    return f"never checked in the {side}: no conversation there has a hard check (expect)"
