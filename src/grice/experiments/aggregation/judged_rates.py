"""Pass rates of criteria that a judge with a calibration card gave, corrected by the errors of that judge."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import msgspec

from grice.matching.judged_by import heard
from grice.records import Outcome, Standing, Verdict
from grice.stats.correction import corrected_rate, why_uncorrectable
from grice.stats.estimates import Estimate

__all__ = ["CorrectedRate", "JudgedCount", "count_judged"]


class CorrectedRate(msgspec.Struct, frozen=True):
    """The pass rate that people would have given, as far as the card of the judge tells.

    `passed` of `n` is what the judge gave. `estimate` is None where that cannot be corrected, and `problem`
    says why. The judged conversations count as independent of each other.
    """

    passed: int
    n: int
    card: str
    estimate: Estimate | None = None
    problem: str = ""


@dataclass
class JudgedCount:
    """What one judge gave for one criterion; `standings` are the different ones that it had."""

    passed: int = 0
    n: int = 0
    others: int = 0
    """Verdicts of the criterion that no judge with a card gave."""
    standing: Standing | None = None
    is_mixed: bool = False

    def add(self, verdict: Verdict) -> None:
        """Count one more verdict."""
        standing = verdict.judgement.standing if verdict.judgement is not None else None
        answer = verdict.outcome in (Outcome.PASS, Outcome.FAIL)
        if standing is None or not standing.card or standing.problem or not answer:
            self.others += answer
            return
        self.is_mixed = self.is_mixed or (self.standing is not None and standing != self.standing)
        self.standing = standing
        self.n += 1
        self.passed += (verdict.outcome is Outcome.PASS) is not verdict.negated

    @property
    def corrected(self) -> CorrectedRate | None:
        """The corrected rate; None where no judge with a card answered, or more than one."""
        one = self.standing
        if one is None or self.is_mixed or self.others:
            return None
        sensitivity = one.passed_right, one.passed_right + one.passed_wrong
        specificity = one.failed_right, one.failed_right + one.failed_wrong
        errors = {"sensitivity": sensitivity, "specificity": specificity}
        estimate = corrected_rate(self.passed, self.n, **errors)
        problem = "" if estimate is not None else why_uncorrectable(self.passed, self.n, **errors) or ""
        return CorrectedRate(self.passed, self.n, one.card, estimate, problem)


def count_judged(counts: dict[str, JudgedCount], verdicts: Iterable[Verdict]) -> None:
    """Add the verdicts to the counts of their criteria."""
    for verdict in _single(verdicts):
        if verdict.criterion and verdict.judgement is not None and heard(verdict.judgement):
            counts.setdefault(verdict.criterion, JudgedCount()).add(verdict)


def _single(verdicts: Iterable[Verdict]) -> Iterator[Verdict]:
    """The verdicts of which these are made, as many as `check_rows` has."""
    for verdict in verdicts:
        parts = [part for part in verdict.parts if part.criterion]
        yield from parts or [verdict]
