"""How often a label is right on one log, by what people say of its findings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal

import msgspec

from grice.scanning.kept_scan import FindingGroup
from grice.stats.rates import Rate, rate

Answer = Literal["right", "wrong", "unsure"]
ANSWERS: tuple[Answer, ...] = ("right", "wrong", "unsure")
"""What people say of a finding."""


class LogPrecision(msgspec.Struct, frozen=True):
    """What people say of the findings of a label. Replies that are the same are one.

    `disputed` are those of which one says right and another wrong, `left` those nobody looked at. `findings`
    counts the findings that were looked at, and `right_findings` those of them that are right.
    """

    right: int
    wrong: int
    unsure: int
    disputed: int
    left: int
    findings: int
    right_findings: int

    @property
    def rate(self) -> Rate | None:
        """The share that is right of those that are right or wrong; None where there is none yet."""
        return rate(self.right, self.right + self.wrong)

    @property
    def judged(self) -> int:
        """How many replies somebody looked at."""
        return self.right + self.wrong + self.unsure + self.disputed


def answer_on(said: Mapping[str, str]) -> str:
    """What all say together, by rater: `right`, `wrong`, `unsure`, `disputed`, "" where nobody looked."""
    told = {one for one in said.values() if one in ("right", "wrong")}
    if len(told) == 2:
        return "disputed"
    return next(iter(told), "unsure" if said else "")


def log_precision(groups: Iterable[FindingGroup], said: Mapping[str, Mapping[str, str]]) -> LogPrecision:
    """The precision on this log; `said` has what each rater says, by the key of the group."""
    counts: dict[str, int] = dict.fromkeys(("right", "wrong", "unsure", "disputed", ""), 0)
    findings = dict(counts)
    for one in groups:
        answer = answer_on(said.get(one.key, {}))
        counts[answer] += 1
        findings[answer] += len(one.findings)
    return LogPrecision(
        counts["right"],
        counts["wrong"],
        counts["unsure"],
        counts["disputed"],
        counts[""],
        sum(findings.values()) - findings[""],
        findings["right"],
    )
