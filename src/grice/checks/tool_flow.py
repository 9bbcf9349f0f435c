"""Tool-flow language: five ways in which a reply contradicts what its tools did.

Source: seed 000, layer 3. The `seed` profile is the documented rule, character by character; labelled examples
are in `tool_flow.examples.jsonl` beside this file.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Literal, get_args

import msgspec

from grice.matching.context import Context
from grice.matching.matcher import matcher
from grice.matching.subjects import Speech, text_of
from grice.matching.transcript import value_text
from grice.records import (
    Evidence,
    Reply,
    ToolCall,
    Turn,
    Verdict,
    clean_text,
    errored,
    failed,
    inconclusive,
    passed,
)
from grice.text import did_you_mean

__all__ = [
    "LABELS",
    "ToolStatus",
    "Validation",
    "be_free_of",
    "be_valid_response",
    "tool_status_of",
    "validate_response",
]

ToolStatus = Literal["success", "pending", "error", "none"]
STATUSES: tuple[ToolStatus, ...] = get_args(ToolStatus)


class Finding(msgspec.Struct, frozen=True):
    """One bad pattern found in a text: its label and the spans (start, end) that triggered it."""

    label: str
    spans: tuple[tuple[int, int], ...]


class Validation(msgspec.Struct, frozen=True):
    """What the response validator found. `issues` holds the labels in the seed's order."""

    findings: tuple[Finding, ...] = ()

    @property
    def issues(self) -> list[str]:
        """The labels that were found, in the seed's order."""
        return [finding.label for finding in self.findings]

    @property
    def valid(self) -> bool:
        """Whether nothing was found."""
        return not self.findings


class _Rule(msgspec.Struct, frozen=True):
    label: str
    patterns: tuple[re.Pattern[str], ...]  # all of them must match somewhere
    status: ToolStatus | None = None  # the rule applies only under this status


def _rule(label: str, *patterns: str, status: ToolStatus | None = None) -> _Rule:
    # The flags are JavaScript's: \b and \w know ASCII only, and case folding must not pair i with U+0130.
    return _Rule(label, tuple(re.compile(p, re.IGNORECASE | re.ASCII) for p in patterns), status)


_RULES = (
    _rule("CONTRADICTORY_PREACTION_AND_ASK", r"\bnow[!.]", r"would you like|shall i|want me to"),
    _rule("UNEXPECTED_TRIGGER_LANGUAGE", r"triggered unexpectedly"),
    _rule("CONFIRMATION_LANGUAGE_ON_SUCCESS", r"confirm|approve|reject|buttons below", status="success"),
    _rule("REDUNDANT_CONFIRMATION_ASK", r"would you like|shall i", status="pending"),
    _rule("SELF_INTRODUCTION", r"\bi(?:'m| am) (?:wp ai|your ai|an ai)"),
)

LABELS: tuple[str, ...] = tuple(rule.label for rule in _RULES)
"""The five labels, in the order in which the validator reports them."""


def validate_response(text: str, tool_status: ToolStatus | None = None) -> Validation:
    """Look for the five bad patterns in what an assistant said after a tool had this status.

    `tool_status` is success, pending, error or none (None is none). The patterns are fixed and linear-time.
    Raises ValueError for another status. Source: seed 000, layer 3.
    """
    status = "none" if tool_status is None else tool_status
    if status not in STATUSES:
        raise ValueError(
            f"unknown tool status {status!r}{did_you_mean(str(status), STATUSES)}: {', '.join(STATUSES)}"
        )
    findings = []
    for rule in _RULES:
        if rule.status is not None and rule.status != status:
            continue
        hits = [pattern.search(text) for pattern in rule.patterns]
        spans = tuple(hit.span() for hit in hits if hit is not None)
        if len(spans) == len(rule.patterns):
            findings.append(Finding(rule.label, spans))
    return Validation(tuple(findings))


_PENDING = ("pending", "pending_confirmation", "awaiting_confirmation", "requires_confirmation")
_FAILED = ("error", "failed", "failure", "rejected", "denied", "cancelled", "canceled")


def tool_status_of(calls: Sequence[ToolCall]) -> ToolStatus:
    """The status of the last answered call of a turn: success, pending, error, or none without any.

    An error text, `success: false`, an `error` field or a status such as rejected is an error; a status
    pending or pending_confirmation is pending; any other result is a success.
    """
    for call in reversed(calls):
        if not call.answered:
            continue
        return "error" if call.error is not None else _status_of_result(call.result)
    return "none"


def _status_of_result(result: object) -> ToolStatus:
    if not isinstance(result, dict):
        return "success"
    status = result.get("status")
    if isinstance(status, str) and status.lower() in _PENDING:
        return "pending"
    if result.get("success") is False or result.get("error") or result.get("is_error") is True:
        return "error"
    if isinstance(status, str) and status.lower() in _FAILED:
        return "error"
    inner = result.get("result")
    return _status_of_result(inner) if isinstance(inner, dict) else "success"


def _status_for(subject: Speech, given: ToolStatus | None) -> ToolStatus:
    if given is not None:
        return given
    return tool_status_of(subject.tool_calls) if isinstance(subject, Reply | Turn) else "none"


def _describe_free(labels: Sequence[str] = LABELS, *, tool_status: ToolStatus | None = None) -> str:
    named = "any of the five bad patterns" if tuple(labels) == LABELS else ", ".join(map(str, labels))
    return f"be free of {named}{_under(tool_status)}"


def _under(tool_status: ToolStatus | None) -> str:
    return f" (tool status {tool_status})" if tool_status is not None else ""


@matcher("toBeFreeOf", describe=_describe_free, layer="tool-flow")
def be_free_of(
    subject: Speech,
    ctx: Context,
    labels: Sequence[str] = LABELS,
    *,
    tool_status: ToolStatus | None = None,
) -> Verdict:
    """The text shows none of the named bad patterns; all five when no label is named.

    `tool_status` defaults to that of the turn's last answered tool call, none for a bare text. An unknown
    label is an `error`, an empty text `inconclusive`. Source: seed 000, layer 3.
    """
    named = (labels,) if isinstance(labels, str) else tuple(labels)
    for label in named:
        if label not in LABELS:
            return errored(f"unknown label {label!r}{did_you_mean(str(label), LABELS)}")
    if not named:
        return errored("no label is named")
    return _verdict(subject, tool_status, lambda finding: finding.label in named)


def _describe_valid(*, tool_status: ToolStatus | None = None) -> str:
    return f"pass the response validator{_under(tool_status)}"


@matcher("toBeValidResponse", describe=_describe_valid, layer="tool-flow")
def be_valid_response(subject: Speech, ctx: Context, *, tool_status: ToolStatus | None = None) -> Verdict:
    """The response validator finds nothing in the text: `validate_response` as a matcher.

    `tool_status` defaults as in `be_free_of`. Source: seed 000, layers 3 and 4.
    """
    return _verdict(subject, tool_status, lambda finding: True)


def _verdict(subject: Speech, given: ToolStatus | None, counts: Callable[[Finding], bool]) -> Verdict:
    text = clean_text(text_of(subject))
    if not text.strip():
        return inconclusive("the text is empty: there is nothing to look at")
    status = _status_for(subject, given)
    found = [finding for finding in validate_response(text, status).findings if counts(finding)]
    if not found:
        return passed(f"none found (tool status {status})")
    evidence = tuple(
        Evidence(text[start:end], start=start, end=end, note=finding.label)
        for finding in found
        for start, end in finding.spans
    )
    named = "; ".join(
        f"{finding.label}: {' and '.join(value_text(text[start:end]) for start, end in finding.spans)}"
        for finding in found
    )
    return failed(f"{named} (tool status {status})", evidence=evidence)
