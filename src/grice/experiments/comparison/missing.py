"""What comes of a comparison if all that is missing had come out the other way.

An attempt that does not count, or a check without an answer, may well be one that the agent would have
failed. So what is shown is counted once more with all of them against it. A check that an attempt never got
to, because it broke off or a hard check ended it, counts as failed then, on both sides: nobody is polite who
breaks off. There is no threshold in it: a few that are missing matter where few scenarios decide.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from grice.experiments.attempts import Attempt
from grice.experiments.comparison.counting import of_both
from grice.experiments.comparison.criteria import listed
from grice.experiments.comparison.deciding import decide
from grice.experiments.comparison.measuring import Figure, Kind, Sum, bounds_of, total
from grice.experiments.comparison.pairing import Pair, Paired
from grice.experiments.comparison.records import Aspect, Decision, Grade, Measure
from grice.stats.differences import Difference, PairedSums
from grice.stats.paired import paired_difference

__all__ = ["LEFT_OUT", "MOSTLY_LEFT_OUT", "missing_aspects"]

LEFT_OUT = 0.2
"""Where so many scenarios, or so many more of the attempts of one side, have no value, it is flagged."""

MOSTLY_LEFT_OUT = 0.5
"""From here on it weakens."""

_NAME = "What is missing"
_SHOWN = 5


class _Side(NamedTuple):
    """One side of one scenario: its attempts that count, and how many checks are missing.

    `unanswered` are those without an answer, `missing` they and those of the attempts that do not count,
    `unreached` those that attempts never got to. `ended` numbers these attempts, of which `without` have no
    check at all, though others of the scenario have one.
    """

    attempts: Sequence[Attempt]
    unanswered: int
    missing: int
    unreached: int
    ended: frozenset[int]
    without: int


class _Row(NamedTuple):
    """One scenario."""

    baseline: _Side
    current: _Side


_Counted = tuple[Measure, Figure, Sequence[_Row]]


def missing_aspects(
    measures: Sequence[Measure], figures: Sequence[Figure], paired: Paired
) -> Iterator[Aspect]:
    """Whether what is shown would still be, and what is not shown no regression; what was left out.

    `measures` are decided, by family, and `figures` those that they are of, in the same order. Efficiency is
    not decided, and so nothing of it is missing.
    """
    counted = [
        (one, figure, [] if figure.family == "efficiency" else _rows(figure, paired))
        for one, figure in zip(measures, figures, strict=True)
    ]
    again = decide([_recounted(*one) for one in counted])
    lost: list[_Counted] = []
    hidden: list[str] = []
    for before, after in zip(counted, again, strict=True):
        if _is_shown(before[0].decision) and after.decision != before[0].decision:
            lost.append(before)
        elif before[0].decision == "not shown" and after.decision == "regressed":
            hidden.append(after.name)
    told: list[str] = []
    if lost:
        names = listed(one.name for one, _, _ in lost)
        told.append(f"{names}: not shown if {' and '.join(_conditions(lost))}")
    if hidden:
        told.append(f"{listed(hidden)}: regressed if what is missing had failed")
    if told:  # one aspect: another of its name would take its place
        yield Aspect(_NAME, "weakens" if lost else "flagged", "; ".join(told))
    yield from _left_out(counted, len(paired.pairs))


def _is_shown(decision: Decision) -> bool:
    return decision in ("improved", "regressed")


def _rows(figure: Figure, paired: Paired) -> list[_Row]:
    """The shared scenarios, then those that broke on one side; those that one side skipped are no part."""
    return [_row(figure, pair) for pair in (*paired.pairs, *paired.broken)]


def _row(figure: Figure, pair: Pair) -> _Row:
    asked = [figure.asked(one) for one in (*pair.baseline, *pair.current)]
    sizes = _sizes(asked)
    first = len(pair.baseline)
    return _Row(
        _side(figure, pair.baseline, asked[:first], pair.lost_before, sizes),
        _side(figure, pair.current, asked[first:], pair.lost_now, sizes),
    )


def _sizes(asked: Iterable[Mapping[Kind, int]]) -> Mapping[Kind, int]:
    """How many checks of each kind an attempt has that got to one, on average, rounded up."""
    found: dict[Kind, list[int]] = {}
    for one in asked:
        for kind, count in one.items():
            found.setdefault(kind, []).append(count)
    return {kind: -(-sum(counts) // len(counts)) for kind, counts in found.items()}


def _side(
    figure: Figure,
    attempts: Sequence[Attempt],
    asked: Sequence[Mapping[Kind, int]],
    lost: int,
    sizes: Mapping[Kind, int],
) -> _Side:
    unanswered = sum(map(figure.unanswered, attempts)) if figure.unanswered else 0
    unreached = [_unreached(*one, sizes) for one in zip(attempts, asked, strict=True)]
    return _Side(
        attempts if sizes else (),
        unanswered,
        unanswered + lost * sum(sizes.values()),
        sum(unreached),
        frozenset(number for number, checks in enumerate(unreached) if checks),
        sum(not one for one in asked) if sizes else 0,
    )


def _unreached(attempt: Attempt, asked: Mapping[Kind, int], sizes: Mapping[Kind, int]) -> int:
    """How many checks it lacks that others of its scenario have.

    One that passed ran to its end: what it has not got of several kinds depends on its course.
    """
    if len(asked) == len(sizes) or (attempt.passed and asked):
        return 0
    return sum(size for kind, size in sizes.items() if kind not in asked)


def _recounted(measure: Measure, figure: Figure, rows: Sequence[_Row]) -> Measure:
    """The measure with all that is missing against what is shown of it, undecided.

    Where nothing is shown, attempts that ended before a check are left out: completion tells of these.
    """
    plain = replace(measure, note="", decision="not decided")
    if measure.baseline is None or measure.current is None:
        return plain
    ended = _is_shown(measure.decision)
    found = _difference(figure, rows, for_current=measure.decision == "regressed", ended=ended)
    return plain if found is None else replace(plain, difference=found, alike=None)


def _difference(figure: Figure, rows: Sequence[_Row], *, for_current: bool, ended: bool) -> Difference | None:
    """The difference with all that is missing passed on one side and failed on the other.

    With `ended`, checks that attempts never got to have failed on both. None where nothing is missing.
    """
    if not any(one.missing or (ended and one.unreached) for row in rows for one in row):
        return None
    sums = [
        PairedSums(
            *_with_missing(figure, row.baseline, passed=not for_current, ended=ended),
            *_with_missing(figure, row.current, passed=for_current, ended=ended),
        )
        for row in rows
    ]
    both = [one for one in sums if one.baseline_n and one.current_n]
    return paired_difference(both, bounds=bounds_of(figure))


def _with_missing(figure: Figure, side: _Side, *, passed: bool, ended: bool) -> Sum:
    """How many checks passed, of how many, with those that are missing."""
    known, count = total(one for attempt in side.attempts for one in figure.take(attempt).values())
    count += side.missing - (side.unanswered if figure.has_unanswered else 0)
    return known + (side.missing if passed else 0), count + (side.unreached if ended else 0)


def _conditions(lost: Iterable[_Counted]) -> Iterator[str]:
    """What would have to be so for nothing to be shown of any of these measures."""
    every = [rows for _, _, rows in lost]
    if any(side.missing for rows in every for row in rows for side in row):
        yield "what is missing had come out the other way"
    before, now = (
        len({(place, one) for rows in every for place, row in enumerate(rows) for one in row[side].ended})
        for side in (0, 1)
    )
    if before or now:
        yield f"{of_both(before, now, 'attempt')}, which ended without a check of it, had failed it"


def _left_out(counted: Iterable[_Counted], shared: int) -> Iterator[Aspect]:
    """What has values on one side only, or in a part of the attempts: told, and graded where it is shown."""
    told: list[str] = []
    worst = 0.0
    for measure, _, rows in counted:
        if measure.decision not in ("improved", "regressed", "not shown") or measure.difference is None:
            continue
        share, reason = _share_left_out(measure, rows[:shared])
        if share >= LEFT_OUT:
            told.append(reason)
            worst = max(worst, share if _is_shown(measure.decision) else 0.0)
    if told:
        grade: Grade = "expected" if worst < LEFT_OUT else "flagged"
        more = f"; and {len(told) - _SHOWN} more" if len(told) > _SHOWN else ""
        reason = f"{'; '.join(told[:_SHOWN])}{more}"
        yield Aspect("Values on both sides", "weakens" if worst >= MOSTLY_LEFT_OUT else grade, reason)


def _share_left_out(measure: Measure, rows: Sequence[_Row]) -> tuple[float, str]:
    """The share of scenarios with values on one side only, or by how much that of attempts without a value
    differs, whichever is larger, in words."""
    compared = measure.difference.n if measure.difference else 0
    few, whole = measure.left_out, measure.left_out + compared
    sides = [[row[side] for row in rows] for side in (0, 1)]
    (old, of_old), (new, of_new) = (
        (sum(one.without for one in side), sum(len(one.attempts) for one in side)) for side in sides
    )
    scenarios = few / whole if whole else 0.0
    attempts = abs(new / of_new - old / of_old) if of_old and of_new else 0.0
    if scenarios >= attempts:
        return scenarios, f"{measure.name}: {few} of {whole} scenarios have values on one side only"
    return attempts, f"{measure.name}: {old} of {of_old} attempts ended without it, now {new} of {of_new}"
