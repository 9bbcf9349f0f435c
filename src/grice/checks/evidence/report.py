"""The verdict that the findings on a text's claims make."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec

from grice.claims.claim_findings import Finding, Point, Status
from grice.records import Evidence, JsonValue, Outcome, Verdict, inconclusive
from grice.text import shorten, value_text

Allowed = Literal["opinion", "unsupported"]
"""What a text may hold besides what facts support."""

MAX_FINDINGS = 10
MAX_SAID = 160


def verdict_of(findings: Sequence[Finding], text: str, allow: Sequence[Allowed] = ("opinion",)) -> Verdict:
    """Make the verdict on a text: a contradicted claim fails, and so does an unsupported one or an opinion
    unless it is allowed.
    """
    detail = counted(findings)
    bad: list[Finding] = [
        one
        for one in findings
        if one.status == "contradicted" or (one.status != "supported" and one.status not in allow)
    ]
    if bad:
        bad.sort(key=lambda one: one.status != "contradicted")
        shown = [_line(one) for one in bad[:MAX_FINDINGS]]
        shown += [f"... and {len(bad) - MAX_FINDINGS} more"] if len(bad) > MAX_FINDINGS else []
        reason = "\n".join([f"{_counts(detail)}:", *shown] if len(shown) > 1 else shown)
        return Verdict(Outcome.FAIL, reason, evidence_of(bad, text), detail=detail)
    good = [one for one in findings if one.status == "supported"]
    if good or (findings and any(one.status == "unsupported" for one in findings)):
        return Verdict(Outcome.PASS, _counts(detail), evidence_of(good, text), detail=detail)
    if findings:
        return msgspec.structs.replace(
            inconclusive("the text says nothing that facts could settle: there is no claim to check"),
            detail=detail,
        )
    return inconclusive("the text claims nothing: there is no claim to check")


def counted(findings: Sequence[Finding]) -> dict[str, JsonValue]:
    """How many claims have each status, and the mean share that is supported; null without claims."""
    statuses: tuple[Status, ...] = ("supported", "contradicted", "unsupported", "opinion")
    counts: dict[str, JsonValue] = {
        status: sum(one.status == status for one in findings) for status in statuses
    }
    shares = [one.share for one in findings if one.share is not None]
    counts["share"] = round(sum(shares) / len(shares), 4) if shares else None
    return counts


def evidence_of(findings: Sequence[Finding], text: str) -> tuple[Evidence, ...]:
    """List the places that decided, each with its fact."""
    found: list[Evidence] = []
    for finding in findings:
        telling = [point for point in finding.points if point.status == finding.status]
        found += [_evidence(point, text) for point in telling] or [
            Evidence(
                shorten(text[finding.start : finding.end], MAX_SAID), start=finding.start, end=finding.end
            )
        ]
    return tuple(dict.fromkeys(found))[: MAX_FINDINGS * 2]


def _evidence(point: Point, text: str) -> Evidence:
    note = point.note or (point.fact.line if point.fact is not None else "")
    path = point.fact.path if point.fact is not None else None
    said = shorten(text[point.start : point.end], MAX_SAID)
    return Evidence(said, start=point.start, end=point.end, path=path, note=note)


def _line(finding: Finding) -> str:
    said = value_text(shorten(finding.said.strip(), MAX_SAID))
    return (
        f"{said} is {finding.status}: {finding.reason}"
        if finding.status != "opinion"
        else f"{said} is an opinion"
    )


def _counts(detail: dict[str, JsonValue]) -> str:
    told = [f"{detail[one]} {one}" for one in ("contradicted", "unsupported", "supported") if detail[one]]
    told += (
        [f"{detail['opinion']} opinion{'' if detail['opinion'] == 1 else 's'}"] if detail["opinion"] else []
    )
    total = sum(value for value in detail.values() if isinstance(value, int))
    return f"of {total} claim{'' if total == 1 else 's'}: {', '.join(told)}"
