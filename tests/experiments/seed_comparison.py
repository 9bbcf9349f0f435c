"""A comparison with known figures, as two experiments.

45 scenarios are shared, 2 added, 1 removed. Each was run 7 times: 76.5 % and 82.9 % of 45 are no whole
numbers, and of 315 they are 241 and 261. The soft checks are 2,000 a side, in such parts that every rate that
is printed is of whole numbers.
"""

from __future__ import annotations

from collections.abc import Iterator

from grice.experiments.attempts import Attempt, CheckTally
from grice.experiments.judge_requests import Judging
from grice.experiments.results import ExperimentResults
from grice.records import Outcome, TopicVisit
from grice.running.journal.experiment import Experiment

__all__ = ["REPEATS", "seed_comparison"]

REPEATS = 7

_CHANGED: dict[str, dict[str, tuple[int, int, int]]] = {
    "complex_requirements": {"grounded_pricing": (50, 18, 41), "concise": (50, 50, 50)},
    "large_conference": {"grounded_pricing": (40, 20, 36), "concise": (60, 52, 52)},
    "workshop_berlin": {"grounded_pricing": (60, 20, 51), "concise": (140, 120, 120)},
    "team_offsite": {"grounded_pricing": (30, 10, 25), "helpful": (60, 40, 49), "concise": (110, 90, 97)},
    "product_launch": {"concise": (200, 140, 171)},
    "budget_conscious": {"concise": (100, 85, 71)},
    "first_time_user": {"friendly": (20, 18, 16), "concise": (30, 27, 23)},
}
"""Soft checks by scenario and criterion: how many, how many passed in the baseline, and now."""

_OTHERS = ("corporate_munich", "urgent_booking", *(f"scenario_{n:02}" for n in range(1, 37)))
_REST = {"grounded_pricing": (320, 28), "helpful": (240, 16), "friendly": (180, 8), "concise": (310, 64)}
"""Soft checks of all the other scenarios together, and how many of these failed, both times."""

_FLIPPED = {"corporate_munich": (0, 7), "urgent_booking": (0, 7), "budget_conscious": (7, 0)}


def seed_comparison() -> tuple[ExperimentResults, ExperimentResults]:
    """The baseline "Prompt v2.2" and the current "Prompt v2.3"."""
    return _experiment(0), _experiment(1)


def _experiment(side: int) -> ExperimentResults:
    head = Experiment(
        ("exp_abc123", "exp_def456")[side],
        ("2025-01-15T14:30:00.000Z", "2025-01-16T14:30:00.000Z")[side],
        name=("Prompt v2.2", "Prompt v2.3")[side],
        git_commit=("abc123def", "def456abc")[side],
        git_branch="feature/grounding",
        git_dirty=False,
        topic_graph_hash="sha256:graph",
        grice_version="1.0",
        repeat=REPEATS,
        criteria={name: f"sha256:{name}" for name in _REST},
        planned=(46 if side == 0 else 47) * REPEATS,
    )
    attempts = [*_shared(side), *_unshared(("old_town",) if side == 0 else ("night_shift", "two_rooms"))]
    return ExperimentResults((head,), tuple(attempts))


def _shared(side: int) -> Iterator[Attempt]:
    checks, passes = _checks(side), _passes(side)
    turns, topics = _turns(side), iter(_spread((1197, 1008)[side], 45 * REPEATS))
    for place, key in enumerate((*_CHANGED, *_OTHERS)):
        spread = [_spread(count, REPEATS, place + row) for row, (_, _, count) in enumerate(checks[key])]
        passed = _spread(passes[key], REPEATS, 3 * place)
        for number in range(REPEATS):
            rows = tuple(
                CheckTally("toSatisfy", "soft", outcome, counts[number], criterion)
                for (criterion, outcome, _), counts in zip(checks[key], spread, strict=True)
                if counts[number]
            )
            length = (7, 10)[side] if key == "budget_conscious" else next(turns)
            yield _attempt(key, number, passed[number] == 1, length, next(topics), rows)


def _unshared(keys: tuple[str, ...]) -> Iterator[Attempt]:
    for key in keys:
        for number in range(REPEATS):
            yield _attempt(key, number, True, 6, 3, ())


def _attempt(
    key: str, number: int, passed: bool, turns: int, topics: int, checks: tuple[CheckTally, ...]
) -> Attempt:
    asked = sorted({row.criterion for row in checks})
    return Attempt(
        f"example:{key}",
        key,
        Outcome.PASS if passed else Outcome.FAIL,
        failure="none" if passed else "max_turns" if key == "budget_conscious" else "assertion",
        set_name="venue_search",
        fingerprint=key,
        repeat=number + 1,
        turns=turns,
        visits=tuple(TopicVisit(n, f"topic {n}", n, n) for n in range(1, topics + 1)),
        checks=checks,
        asks=dict.fromkeys(asked, "asked"),
        judged=tuple(Judging(name, "gpt-4o", "criterion", 1) for name in asked),
    )


def _checks(side: int) -> dict[str, list[tuple[str, str, int]]]:
    """Criterion, outcome and number of the checks of each scenario."""
    rows: dict[str, list[tuple[str, str, int]]] = {}
    for key, criteria in _CHANGED.items():
        for criterion, counts in criteria.items():
            _add(rows, key, criterion, counts[0], counts[1 + side])
    for criterion, (total, failed) in _REST.items():
        parts = zip(_OTHERS, _spread(total, 38), _spread(failed, 38), strict=True)
        for key, count, bad in parts:
            _add(rows, key, criterion, count, count - bad)
    return rows


def _add(
    rows: dict[str, list[tuple[str, str, int]]], key: str, criterion: str, total: int, passed: int
) -> None:
    rows.setdefault(key, []).extend([(criterion, "pass", passed), (criterion, "fail", total - passed)])


def _passes(side: int) -> dict[str, int]:
    """How many of its attempts each scenario passed: 13 passed once more, beside those that flipped."""
    rest = [key for key in (*_CHANGED, *_OTHERS) if key not in _FLIPPED]
    passes = dict(zip(rest, _spread(234, len(rest)), strict=True))
    for key in rest[:13]:
        passes[key] += side
    return {**passes, **{key: flipped[side] for key, flipped in _FLIPPED.items()}}


def _turns(side: int) -> Iterator[int]:
    """Those of all attempts but budget_conscious's, so that the means are 6.2 and 5.4."""
    own = (7, 10)[side] * REPEATS
    return iter(_spread((1953, 1701)[side] - own, 44 * REPEATS))


def _spread(total: int, parts: int, first: int = 0) -> list[int]:
    """The total in so many parts that are as equal as can be; the larger ones begin with number `first`."""
    return [total // parts + ((number - first) % parts < total % parts) for number in range(parts)]
