"""What is missing on either side: what is missing is rarely missing by chance.

A conversation that never finished, or that broke off for a reason that says nothing about the agent, may well
be one that the agent would have failed. So gaps lower what a comparison is worth, by these thresholds.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Sequence

from grice.experiments.aggregation.matcher_use import python_matcher
from grice.experiments.attempts import Attempt, CheckTally
from grice.experiments.comparison.counting import of_both
from grice.experiments.comparison.pairing import Paired
from grice.experiments.comparison.records import Aspect, Grade
from grice.experiments.results import ExperimentResults
from grice.records import Outcome

__all__ = ["FEW_MISSING", "MANY_MISSING", "UNEQUAL", "completeness_aspects"]

FEW_MISSING = 0.05
"""Up to this share that does not count is only told, and more is flagged; more unfinished work weakens."""

MANY_MISSING = 0.2
"""A larger share weakens a comparison."""

UNEQUAL = 0.1
"""So does a share that differs by more than this between the two sides."""

_SHOWN = 3
_GRADES: tuple[Grade, ...] = ("same", "expected", "flagged", "weakens")

Part = tuple[int, int]
"""How many of how many."""


def completeness_aspects(
    baseline: ExperimentResults, current: ExperimentResults, paired: Paired
) -> Iterator[Aspect]:
    """The grade of each way in which results are missing, or in which the played user misbehaved."""
    yield _finished((("baseline", baseline), ("current", current)))
    yield _damaged(baseline.damaged, current.damaged)
    yield _parts(
        "Attempts that do not count", _not_counted(baseline.attempts), _not_counted(current.attempts)
    )
    before = [one for pair in paired.pairs for one in pair.baseline]
    after = [one for pair in paired.pairs for one in pair.current]
    yield _parts("Attempts without a verdict", _untold(before), _untold(after))
    yield _unanswered(before, after)
    shared = {pair.id for pair in (*paired.pairs, *paired.broken)}
    rules = _misconduct(baseline.attempts, shared), _misconduct(current.attempts, shared)
    if any(total for _, total in rules):
        yield _conduct(*rules)


def _finished(sides: Iterable[tuple[str, ExperimentResults]]) -> Aspect:
    grade: Grade = "same"
    told: list[str] = []
    for word, results in sides:
        missing = _missing(results)
        if missing is None:
            told.append(f"the {word} experiment does not say how much was planned")
            grade = "flagged" if grade == "same" else grade
        elif missing:
            whole = missing + len(results.attempts)
            told.append(f"the {word} experiment lacks {missing} of {whole} attempts")
            grade = "weakens" if missing > FEW_MISSING * whole or grade == "weakens" else "flagged"
    return Aspect("Finished", grade, "; ".join(told) or "both")


def _missing(results: ExperimentResults) -> int | None:
    """How many attempts were planned or begun and have no result; None where nobody can tell."""
    if results.planned is None:
        return len(results.unfinished) or None
    done = len(results.attempts) if results.done is None else results.done
    return max(results.planned - done, len(results.unfinished), 0)


def _damaged(before: int, after: int) -> Aspect:
    name = "Journals"
    if not before and not after:
        return Aspect(name, "same", "every line could be read")
    told = of_both(before, after, "line")
    return Aspect(name, "weakens", f"{told} cannot be read: results may be missing")


def _not_counted(attempts: Iterable[Attempt]) -> Part:
    """Skipped ones are no part of it: somebody chose to leave them out. See the scenarios that are shared."""
    held = [one for one in attempts if one.outcome is not Outcome.SKIPPED]
    return sum(not one.counts for one in held), len(held)


def _untold(attempts: Sequence[Attempt]) -> Part:
    """Those whose hard checks could not tell: they count as not passed."""
    return sum(one.outcome is Outcome.INCONCLUSIVE for one in attempts), len(attempts)


def _unanswered(before: Iterable[Attempt], after: Iterable[Attempt]) -> Aspect:
    """Graded by the worst kind of check: one criterion that broke is little of all checks."""
    name = "Checks without an answer"
    old, new = _answers(before), _answers(after)
    kinds = sorted({kind for kind, (missing, _) in (*old.items(), *new.items()) if missing})
    found = [_one_kind(kind, old.get(kind, (0, 0)), new.get(kind, (0, 0))) for kind in kinds]
    if not found:
        return Aspect(name, "same", "none")
    found.sort(key=lambda one: -_GRADES.index(one.grade))
    told = [f"{one.name} {one.reason}" for one in found[:_SHOWN]]
    told += [f"{len(found) - _SHOWN} more"] if len(found) > _SHOWN else []
    return Aspect(name, found[0].grade, "; ".join(told))


def _one_kind(kind: str, before: Part, after: Part) -> Aspect:
    """A single check that is missing says little: two are needed to weaken."""
    grade = _grade(before, after)
    few = before[0] + after[0] == 1 and grade == "weakens"
    return Aspect(kind, "flagged" if few else grade, _shares(before, after))


def _answers(attempts: Iterable[Attempt]) -> dict[str, Part]:
    """How many checks gave no answer, and how many there were: by criterion, soft ones without by matcher."""
    found: dict[str, Part] = {}
    for row in (row for one in attempts for row in one.checks):
        if row.criterion or row.mode == "soft":
            kind = row.criterion or python_matcher(row.matcher)
            missing, total = found.get(kind, (0, 0))
            lacks = row.times if row.outcome in ("error", "inconclusive") else 0
            found[kind] = missing + lacks, total + row.times
    return found


def _misconduct(attempts: Iterable[Attempt], shared: Container[str]) -> Part:
    """Of the rules for played users that were looked at in shared scenarios, those that were broken."""
    played = [one for one in attempts if one.id in shared]
    rows = [row for one in played for row in one.conduct if row.outcome in ("pass", "fail")]
    return _times(rows, lambda outcome: outcome == "fail"), _times(rows, lambda _: True)


def _times(rows: Iterable[CheckTally], wanted: Callable[[str], bool]) -> int:
    return sum(row.times for row in rows if wanted(row.outcome))


def _parts(name: str, before: Part, after: Part) -> Aspect:
    grade, told = _grade(before, after), _shares(before, after)
    if grade == "same":
        return Aspect(name, "same", "none")
    return Aspect(name, grade, f"{told}: rarely by chance" if grade == "weakens" else told)


def _grade(before: Part, after: Part) -> Grade:
    """By the larger share, and by how unequal the two are."""
    old, new = _share(before), _share(after)
    if not before[0] and not after[0]:
        return "same"
    if max(old, new) > MANY_MISSING or abs(new - old) > UNEQUAL:
        return "weakens"
    return "flagged" if max(old, new) > FEW_MISSING else "expected"


def _shares(before: Part, after: Part) -> str:
    return f"{_part(before)}, now {_part(after)}"


def _part(part: Part) -> str:
    return f"{part[0]} of {part[1]} ({_share(part):.0%})" if part[1] else "never made"


def _conduct(before: Part, after: Part) -> Aspect:
    name = "User conduct"
    if not before[1] or not after[1]:
        side = "baseline" if before[1] else "current"
        return Aspect(name, "flagged", f"rules for the played user were checked in the {side} only")
    old, new = _share(before), _share(after)
    told = f"rules broken: {_shares(before, after)}"
    if abs(new - old) > UNEQUAL:
        return Aspect(name, "weakens", f"{told}: the two agents met other users")
    return Aspect(name, "same" if before == after else "expected", told)


def _share(part: Part) -> float:
    return part[0] / part[1] if part[1] else 0.0
