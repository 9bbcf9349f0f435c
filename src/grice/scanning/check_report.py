"""What a scan with checks says: the outcomes of each check, why, and the findings."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from grice.records import Outcome, Verdict
from grice.scanning.check_choice import LogCheck
from grice.scanning.report import (
    FileProblem,
    Finding,
    LogTally,
    MalformedLine,
    OrphanResults,
    keep_example,
)

_REASONS = 100
_LISTED_REASONS = 5
_LONGEST_REASON = 200
_CHANGING = re.compile(r"'[^']*'|\"[^\"]*\"|[0-9][0-9.,]*")
_SEVERAL = re.compile("…(?:, …)+")
_WITH_REASONS = (Outcome.INCONCLUSIVE, Outcome.SKIPPED, Outcome.ERROR)


class CheckFinding(Finding, frozen=True):
    """A reply or conversation on which a check failed.

    `label` names the check, `reason` is its reason and `claim` what was checked. `spans` are character
    offsets into the reply of the turn, its last answer; there are none where the check looked at something
    else. Secrets are replaced in `excerpt` and `reason`.
    """

    reason: str = ""
    claim: str = ""


class ReasonCount(msgspec.Struct, frozen=True):
    """How often a check gave a reason; what changes from one to the next in it is an ellipsis."""

    outcome: Outcome
    reason: str
    times: int


class CheckCount(msgspec.Struct, frozen=True):
    """What a check said of all that it looked at: `on` replies, their data or calls, or conversations.

    `rate` is the share of `fail` among those on which it could tell, `passed` and `failed`; None where it
    could not tell on any. `reasons` are the most frequent ones of the other three outcomes.
    """

    label: str
    matcher: str
    claim: str
    on: str
    examined: int
    passed: int
    failed: int
    inconclusive: int
    skipped: int
    error: int
    rate: float | None
    reasons: tuple[ReasonCount, ...] = ()
    examples: tuple[CheckFinding, ...] = ()


class CheckReport(msgspec.Struct, frozen=True):
    """What a scan with checks examined and found.

    Replies were examined in `turns_examined` of the `turns`. `not_whole` counts conversations so long that
    their early turns were let go, `ended_early` those that were ended to keep memory bounded. The rest is as
    ScanReport has it.
    """

    files: tuple[str, ...]
    unreadable: tuple[FileProblem, ...]
    lines: int
    conversations: int
    conversations_with_findings: int
    turns: int
    turns_examined: int
    checks: tuple[CheckCount, ...]
    malformed: int
    malformed_lines: tuple[MalformedLine, ...]
    malformed_messages: int
    not_whole: int
    ended_early: int
    left_out: tuple[str, ...] = ()
    orphan_results: tuple[OrphanResults, ...] = ()

    @property
    def found(self) -> bool:
        """Whether any check failed on anything."""
        return any(one.failed for one in self.checks)

    @property
    def decided(self) -> bool:
        """Whether any check could tell anything."""
        return any(one.passed or one.failed for one in self.checks)

    @property
    def broken(self) -> tuple[CheckCount, ...]:
        """The checks that broke somewhere."""
        return tuple(one for one in self.checks if one.error)

    @property
    def complete(self) -> bool:
        """Whether every file was read to its end, something could be told, and no check broke."""
        return self.decided and not self.unreadable and not self.broken


class CheckTally(LogTally):
    """The counts of a running scan with checks."""

    def __init__(self, checks: Sequence[LogCheck]) -> None:
        super().__init__()
        self.findings = 0
        self.not_whole = 0
        self.ended_early = 0
        self._checks = {one.label: _Counts(one) for one in checks}

    def said(self, label: str, verdict: Verdict) -> None:
        """Count what a check said."""
        self._checks[label].add(verdict)

    def found(self, finding: CheckFinding) -> None:
        """Count a finding, and keep the first ones of each check."""
        self.findings += 1
        keep_example(self._checks[finding.label].examples, finding)

    def report(self, left_out: tuple[str, ...] = ()) -> CheckReport:
        """The counts as they stand."""
        return CheckReport(
            **self.counts,
            checks=tuple(one.count() for one in self._checks.values()),
            not_whole=self.not_whole,
            ended_early=self.ended_early,
            left_out=left_out,
        )


class _Counts:
    """The outcomes of one check."""

    def __init__(self, check: LogCheck) -> None:
        self._check = check
        self._outcomes: dict[Outcome, int] = dict.fromkeys(Outcome, 0)
        self._reasons: dict[tuple[Outcome, str], int] = {}
        self.examples: list[CheckFinding] = []

    def add(self, verdict: Verdict) -> None:
        self._outcomes[verdict.outcome] += 1
        if verdict.outcome in _WITH_REASONS:
            reason = _CHANGING.sub("…", verdict.reason[:_LONGEST_REASON])
            key = verdict.outcome, _SEVERAL.sub("…", reason)
            if key not in self._reasons and len(self._reasons) >= _REASONS:
                key = verdict.outcome, "other reasons"
            self._reasons[key] = self._reasons.get(key, 0) + 1

    def count(self) -> CheckCount:
        outcomes, check = self._outcomes, self._check.check
        passed, failed = outcomes[Outcome.PASS], outcomes[Outcome.FAIL]
        frequent = sorted(self._reasons.items(), key=lambda one: -one[1])[:_LISTED_REASONS]
        return CheckCount(
            label=self._check.label,
            matcher=check.matcher.factory.name,
            claim=check.matcher.phrase,
            on=check.target.kind,
            examined=sum(outcomes.values()),
            passed=passed,
            failed=failed,
            inconclusive=outcomes[Outcome.INCONCLUSIVE],
            skipped=outcomes[Outcome.SKIPPED],
            error=outcomes[Outcome.ERROR],
            rate=failed / (passed + failed) if passed + failed else None,
            reasons=tuple(ReasonCount(outcome, reason, times) for (outcome, reason), times in frequent),
            examples=tuple(self.examples),
        )
