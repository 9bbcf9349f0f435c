"""Pass rates of criteria that a judge with a calibration card gave, corrected by the errors of that judge."""

from __future__ import annotations

from dataclasses import dataclass

import msgspec

from grice.experiments.judge_tallies import JudgeTally
from grice.records import Standing
from grice.stats.correction import corrected_rate, why_uncorrectable
from grice.stats.estimates import Estimate

__all__ = ["CorrectedRate", "JudgedCount"]


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
    """Answers for the criterion that no judge with a card gave."""
    standing: Standing | None = None
    is_mixed: bool = False

    def add(self, tally: JudgeTally) -> None:
        """Count the answers of one more attempt."""
        if tally.standing is None:
            self.others += tally.n
            return
        self.is_mixed = self.is_mixed or (self.standing is not None and tally.standing != self.standing)
        self.standing = tally.standing
        self.n += tally.n
        self.passed += tally.passed

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
