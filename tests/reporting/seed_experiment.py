"""An experiment with known figures, as attempts.

Its printed slips are left alone: the 284 evaluations of 6.3 are those of one criterion, all five have 918;
6.5 and 10.2 count 2,143, which then has other soft checks in it.
"""

from collections.abc import Iterator

from grice.experiments.attempts import Attempt, CheckTally
from grice.records import Outcome, TopicVisit

N = 47
FAILURES = ("none",) * 37 + ("assertion",) * 5 + ("max_turns",) * 3 + ("error",) * 2
TURNS = (3,) * 5 + (4,) * 10 + (5,) * 15 + (6,) * 8 + (8,) * 8 + (12,)
TOPICS = (2,) * 12 + (3,) * 20 + (4,) * 10 + (5,) * 4 + (6,)
BACKTRACKING = 6
CRITERIA = {
    "friendly": (268, 284),
    "helpful": (253, 284),
    "concise": (156, 189),
    "grounded_pricing": (87, 114),
    "acknowledges_change": (41, 47),
}
OTHER_SOFT = (1847 - 805, 2143 - 918)
GROUNDED = {"venues": 147, "pricing": 70, "availability": 44}
UNGROUNDED = {"venues": 9, "pricing": 19, "availability": 18}
CLAIMS = [(13, 46), (9, 47), *[(3, 20)] * 8, *[(0, 2)] * 27, *[(0, 0)] * 10]
"""Claims without a source and all of them, by scenario."""
OUTCOMES = {"none": Outcome.PASS, "error": Outcome.ERROR}


def _parts(total: int) -> list[int]:
    """The total in 47 parts that are as equal as they can be."""
    return [total // N + (number < total % N) for number in range(N)]


def _checks() -> list[tuple[CheckTally, ...]]:
    shown: list[list[CheckTally]] = [[] for _ in range(N)]
    rows = [("toSatisfy", name, counts) for name, counts in CRITERIA.items()]
    for matcher, criterion, (passed, total) in [*rows, ("toMatch", "", OTHER_SOFT)]:
        for checks, good, bad in zip(shown, _parts(passed), _parts(total - passed), strict=True):
            for outcome, times in (("pass", good), ("fail", bad)):
                if times:
                    checks.append(CheckTally(matcher, "soft", outcome, times, criterion))
    return [tuple(checks) for checks in shown]


def _hard(failure: str) -> CheckTally:
    outcome = {"none": "pass", "error": "error"}.get(failure, "fail")
    return CheckTally("toCallTool", "hard", outcome, 1)


def _claims() -> Iterator[dict[str, tuple[int, int]]]:
    good = [kind for kind, count in GROUNDED.items() for _ in range(count)]
    bad = [kind for kind, count in UNGROUNDED.items() for _ in range(count)]
    for missing, total in CLAIMS:
        without = [bad.pop() for _ in range(missing)]
        grounded = [good.pop() for _ in range(total - missing)]
        kinds = {*without, *grounded}
        yield {kind: (grounded.count(kind), (without + grounded).count(kind)) for kind in kinds}
    assert not good
    assert not bad


def _visits(topics: int, *, returns: bool) -> tuple[TopicVisit, ...]:
    names = [f"topic_{number}" for number in range(topics)]
    names += names[:1] if returns else []
    return tuple(TopicVisit(number, name, number, number) for number, name in enumerate(names, 1))


def seed_attempts(set_name: str = "venue_search") -> list[Attempt]:
    """The 47 attempts."""
    keys = ("urgent_booking", "complex_requirements", *(f"scenario_{number}" for number in range(3, N + 1)))
    checks, claims = _checks(), list(_claims())
    return [
        Attempt(
            f"example:{number}",
            keys[number],
            OUTCOMES.get(FAILURES[number], Outcome.FAIL),
            failure=FAILURES[number],
            set_name=set_name,
            turns=TURNS[number],
            visits=_visits(TOPICS[number], returns=number < BACKTRACKING),
            checks=(*checks[number], _hard(FAILURES[number])),
            claims=claims[number],
            simulated=True,
        )
        for number in range(N)
    ]
