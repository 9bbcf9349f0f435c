"""What comes of a comparison if all that is missing had come out the other way.

An attempt that does not count, or a check without an answer, may well be one that the agent would have
failed. So what is shown is counted once more with all of them against it. There is no threshold in it: a few
that are missing matter where few scenarios decide.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec.structs import replace

from grice.experiments.attempts import Attempt
from grice.experiments.comparison.criteria import listed
from grice.experiments.comparison.deciding import decide
from grice.experiments.comparison.measuring import Figure, Sum, bounds_of, total
from grice.experiments.comparison.pairing import Paired
from grice.experiments.comparison.records import Aspect, Measure
from grice.stats.differences import Difference, PairedSums
from grice.stats.paired import paired_difference

__all__ = ["LEFT_OUT", "MOSTLY_LEFT_OUT", "difference_with_missing", "missing_aspects"]

LEFT_OUT = 0.2
"""Where more of the scenarios than this have values on one side only, what is shown is flagged."""

MOSTLY_LEFT_OUT = 0.5
"""From here on it weakens."""

_NAME = "What is missing"


def difference_with_missing(figure: Figure, paired: Paired, *, for_current: bool) -> Difference | None:
    """The difference of a rate with all that is missing passed on one side and failed on the other.

    Missing are checks, and attempts of `COMPLETION`, that gave no answer, and attempts that do not count:
    each has as many checks as others of its scenario. Scenarios that one side skipped are not among them.
    None where nothing is missing, and for efficiency, which is not decided.
    """
    if figure.family == "efficiency":
        return None
    pairs = (*paired.pairs, *paired.broken)
    rows = [
        _with_missing(figure, pair.baseline, pair.lost_before, pair.current, pair.lost_now) for pair in pairs
    ]
    if not any(missing for side in rows for _, _, missing in side):
        return None
    sums = [
        PairedSums(
            before[0] + (0 if for_current else before[2]),
            before[1] + before[2],
            after[0] + (after[2] if for_current else 0),
            after[1] + after[2],
        )
        for before, after in rows
        if before[1] + before[2] and after[1] + after[2]
    ]
    return paired_difference(sums, bounds=bounds_of(figure))


_Counted = tuple[float, int, int]
"""How many passed, of how many that are known, and how many more are missing."""


def _with_missing(
    figure: Figure, baseline: Sequence[Attempt], lost_before: int, current: Sequence[Attempt], lost_now: int
) -> tuple[_Counted, _Counted]:
    before, after = _known(figure, baseline), _known(figure, current)
    size = max(_size(before, baseline), _size(after, current))
    return (
        (before[0], before[1], before[2] + lost_before * size),
        (after[0], after[1], after[2] + lost_now * size),
    )


def _known(figure: Figure, attempts: Iterable[Attempt]) -> _Counted:
    passed, count = _sum(figure, attempts)
    missing = sum(map(figure.unanswered, attempts)) if figure.unanswered else 0
    return passed, count - (missing if figure.has_unanswered else 0), missing


def _sum(figure: Figure, attempts: Iterable[Attempt]) -> Sum:
    return total(one for attempt in attempts for one in figure.take(attempt).values())


def _size(counted: _Counted, attempts: Sequence[Attempt]) -> int:
    """How many values an attempt of the scenario has, rounded up."""
    return -(-(counted[1] + counted[2]) // len(attempts)) if attempts else 0


def missing_aspects(
    measures: Sequence[Measure], figures: Sequence[Figure], paired: Paired
) -> Iterator[Aspect]:
    """Whether what is shown would still be, and what is not shown no regression; what was left out.

    `measures` are decided, by family, and `figures` those that they are of, in the same order.
    """
    again = decide([_recounted(*one, paired) for one in zip(measures, figures, strict=True)])
    lost: list[str] = []
    hidden: list[str] = []
    for before, after in zip(measures, again, strict=True):
        if before.decision in ("improved", "regressed") and after.decision != before.decision:
            lost.append(before.name)
        elif before.decision == "not shown" and after.decision == "regressed":
            hidden.append(before.name)
    if lost:
        reason = f"{listed(lost)}: not shown if what is missing had come out the other way"
        yield Aspect(_NAME, "weakens", reason)
    if hidden:
        yield Aspect(_NAME, "flagged", f"{listed(hidden)}: regressed if what is missing had failed")
    yield from _left_out(measures)


def _recounted(measure: Measure, figure: Figure, paired: Paired) -> Measure:
    """The measure with all that is missing against what is shown of it, undecided."""
    plain = replace(measure, note="", decision="not decided")
    if measure.baseline is None or measure.current is None:
        return plain
    found = difference_with_missing(figure, paired, for_current=measure.decision == "regressed")
    return plain if found is None else replace(plain, difference=found, alike=None)


def _left_out(measures: Iterable[Measure]) -> Iterator[Aspect]:
    shares = {
        one.name: (one.left_out, one.left_out + one.difference.n)
        for one in measures
        if one.decision in ("improved", "regressed") and one.left_out and one.difference is not None
    }
    many = {name: part for name, part in shares.items() if part[0] > LEFT_OUT * part[1]}
    if many:
        told = ", ".join(
            f"{name} ({few} of {whole} scenarios)" for name, (few, whole) in sorted(many.items())
        )
        most = any(few >= MOSTLY_LEFT_OUT * whole for few, whole in many.values())
        reason = f"{told}: no values on one of the sides, and so left out"
        yield Aspect("Values on both sides", "weakens" if most else "flagged", reason)
