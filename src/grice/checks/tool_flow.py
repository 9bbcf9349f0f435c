"""Tool-flow language: five ways in which a reply contradicts what its tools did.

Source: seed 000, layer 3. This is the `seed` profile: the documented rule, character by character, with what
it misses and what it flags wrongly. Labelled examples are in `tool_flow.examples.jsonl` beside this file.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Literal, NamedTuple, get_args

import msgspec

from grice.checks.context import events_of
from grice.matching.context import Context
from grice.matching.matcher import ArgumentError, Unsuitable, matcher
from grice.matching.subjects import Speech, nothing_in, text_of
from grice.records import (
    Evidence,
    Exchange,
    JsonValue,
    Reply,
    ToolCall,
    Verdict,
    clean_text,
    failed,
    passed,
)
from grice.text import did_you_mean, value_text

__all__ = [
    "LABELS",
    "Finding",
    "Label",
    "ToolStatus",
    "Validation",
    "be_free_of",
    "be_valid_response",
    "status_of_result",
    "tool_status_of",
    "validate_response",
]

ToolStatus = Literal["success", "pending", "error", "none"]
STATUSES: tuple[ToolStatus, ...] = get_args(ToolStatus)
MAX_JSON = 10_000_000
"""The characters up to which a result that is JSON text is read."""

Label = Literal[
    "CONTRADICTORY_PREACTION_AND_ASK",
    "UNEXPECTED_TRIGGER_LANGUAGE",
    "CONFIRMATION_LANGUAGE_ON_SUCCESS",
    "REDUNDANT_CONFIRMATION_ASK",
    "SELF_INTRODUCTION",
]
LABELS: tuple[Label, ...] = get_args(Label)
"""The five labels, in the order in which the validator reports them."""


class Finding(msgspec.Struct, frozen=True):
    """One bad pattern found in a text: its label and the spans (start, end) that triggered it."""

    label: Label
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


class _Pattern(NamedTuple):
    regex: re.Pattern[str]
    literals: tuple[str, ...]  # one of them is in the lower-cased text wherever the pattern matches

    def search(self, text: str, lowered: str) -> re.Match[str] | None:
        for literal in self.literals:  # finding literals is many times faster than the pattern
            if literal in lowered:
                return self.regex.search(text)
        return None


class _Rule(NamedTuple):
    label: Label
    patterns: tuple[_Pattern, ...]  # all of them must match somewhere
    status: ToolStatus | None = None  # the rule applies only under this status


def _pattern(source: str, *literals: str) -> _Pattern:
    # As JavaScript without its u flag: \b knows ASCII only, and no other letter folds to an ASCII one.
    return _Pattern(re.compile(source, re.IGNORECASE | re.ASCII), literals)


def _either(*literals: str) -> _Pattern:
    return _pattern("|".join(literals), *literals)


_RULES = (
    _Rule(
        "CONTRADICTORY_PREACTION_AND_ASK",
        (
            _pattern(r"\bnow[!.]", "now!", "now."),
            _either("would you like", "shall i", "want me to"),
        ),
    ),
    _Rule("UNEXPECTED_TRIGGER_LANGUAGE", (_either("triggered unexpectedly"),)),
    _Rule(
        "CONFIRMATION_LANGUAGE_ON_SUCCESS",
        (_either("confirm", "approve", "reject", "buttons below"),),
        status="success",
    ),
    _Rule("REDUNDANT_CONFIRMATION_ASK", (_either("would you like", "shall i"),), status="pending"),
    _Rule(
        "SELF_INTRODUCTION",
        (_pattern(r"\bi(?:'m| am) (?:wp ai|your ai|an ai)", "wp ai", "your ai", "an ai"),),
    ),
)


def validate_response(text: str, tool_status: ToolStatus | None = None) -> Validation:
    """Look for the five bad patterns in what an assistant said after a tool had this status.

    `tool_status` is success, pending, error or none (None is none). The patterns are fixed and linear-time.
    Raises TypeError for a text that is not a str, ValueError for another status. Source: seed 000, layer 3.
    """
    if not isinstance(text, str):
        raise TypeError(f"validate_response judges a text (str), found {type(text).__name__}")
    status = "none" if tool_status is None else tool_status
    if status not in STATUSES:
        raise ValueError(
            f"unknown tool status {status!r}{did_you_mean(str(status), STATUSES)}: {', '.join(STATUSES)}"
        )
    lowered = text.lower()
    findings: list[Finding] = []
    for label, patterns, needed in _RULES:
        if needed is not None and needed != status:
            continue
        spans: list[tuple[int, int]] = []
        for pattern in patterns:
            hit = pattern.search(text, lowered)
            if hit is None:
                break
            spans.append(hit.span())
        else:
            findings.append(Finding(label, tuple(spans)))
    return Validation(tuple(findings)) if findings else _CLEAN


_CLEAN = Validation()

_PENDING = (
    "pending",
    "pending_confirmation",
    "awaiting_confirmation",
    "requires_confirmation",
    "confirmation_required",
)
_FAILED = ("error", "failed", "failure", "rejected", "denied", "cancelled", "canceled")
_ASKING = ("requires_confirmation", "confirmation_required")
_HTTP_ERROR = 400
_JSON_OPENINGS = ("{", "[", '"')
_ERROR_TEXTS = ("error:", "failed:", "traceback (most recent call last)")


def tool_status_of(calls: Sequence[ToolCall]) -> ToolStatus:
    """The status of the last answered call of a turn: success, pending, error, or none without any."""
    for call in reversed(calls):
        if call.answered:
            return "error" if call.error is not None else status_of_result(call.result)
    return "none"


def status_of_result(result: JsonValue) -> ToolStatus:
    """The status that a tool's result speaks of: success, pending or error.

    A text that starts with `Error:` or `Failed:` (as tools of agents that know only text answer), `success`
    or `ok` that is false, `error` or `errors` that hold something, `isError: true`, a status such as rejected
    or a number from 400 is an error; a status such as pending and `requires_confirmation: true` are pending;
    any other result is a success. JSON text counts as what it says, text blocks as their texts. An object
    that says nothing itself may hold another as `result` or `data`, or blocks as `content` (MCP).
    """
    while not isinstance(result, list):
        if isinstance(result, str):
            parsed = _parsed(result)
            if parsed is None:
                return "error" if result[:60].lstrip().lower().startswith(_ERROR_TEXTS) else "success"
            result = parsed
        elif isinstance(result, dict):
            status = _status_in(result)
            if status is not None:
                return status
            result = _held_in(result)
        else:
            return "success"
    texts = (block.get("text") for block in result if isinstance(block, dict) and block.get("type") == "text")
    for text in texts:
        if isinstance(text, str) and (status := status_of_result(text)) != "success":
            return status
    return "success"


def _status_in(result: Mapping[str, JsonValue]) -> ToolStatus | None:
    """What an object says itself, without what it holds; None when that is nothing bad."""
    status = result.get("status")
    word = re.sub(r"[\s-]+", "_", status.strip().lower()) if isinstance(status, str) else ""
    if word in _PENDING or any(result.get(field) is True for field in _ASKING):
        return "pending"
    if word in _FAILED or (isinstance(status, int | float) and status >= _HTTP_ERROR):
        return "error"
    if any(result.get(field) for field in ("error", "errors")) or any(
        _is_false(result.get(field)) for field in ("success", "ok")
    ):
        return "error"
    return "error" if result.get("is_error") is True or result.get("isError") is True else None


def _is_false(value: JsonValue) -> bool:
    return value is False or (isinstance(value, str) and value.strip().lower() == "false")


def _held_in(result: Mapping[str, JsonValue]) -> JsonValue:
    """What an object holds that says nothing itself: an object before other values."""
    for field in ("result", "data"):
        if isinstance(result.get(field), dict):
            return result[field]
    return result["result"] if result.get("result") is not None else result.get("content")


def _parsed(text: str) -> JsonValue:
    """The object, list or text that JSON text stands for; None for any other text."""
    if not text[:60].lstrip().startswith(_JSON_OPENINGS) or len(text) > MAX_JSON:
        return None
    try:
        return msgspec.json.decode(text)
    except (ValueError, RecursionError):
        return None


def _status_for(subject: Speech, given: ToolStatus | None) -> ToolStatus:
    if given is not None:
        return given
    if isinstance(subject, str):
        return "none"
    turn = subject.turn if isinstance(subject, Reply) else subject
    if any(call.answered for call in turn.tool_calls):
        return tool_status_of(turn.tool_calls)
    return _status_sent(turn.exchanges)


def _status_sent(exchanges: Sequence[Exchange]) -> ToolStatus:
    """The status of the last tool result that the model was sent, for an agent that reports no calls.

    Only requests that end with a result count: others may carry results of earlier turns.
    """
    for exchange in reversed(exchanges):
        try:
            events = events_of(exchange.messages[-1:])
        except Unsuitable:
            continue
        results = [event for event in events if event.kind == "tool_result"]
        if results:
            return status_of_result(results[-1].said)
    return "none"


def _describe_free(
    labels: Sequence[Label] | Label | None = None, *, tool_status: ToolStatus | None = None
) -> str:
    listed = _listed(labels)
    named = "any of the five bad patterns" if listed == LABELS else ", ".join(map(str, listed))
    return f"be free of {named}{_under(tool_status)}"


def _listed(labels: object) -> tuple[object, ...]:
    if labels is None:
        return LABELS
    return tuple(labels) if isinstance(labels, Iterable) and not isinstance(labels, str) else (labels,)


def _under(tool_status: ToolStatus | None) -> str:
    return f" (tool status {tool_status})" if tool_status is not None else ""


def _check_free(labels: object = None, *, tool_status: object = None) -> None:
    named = _listed(labels)
    for label in named:
        if label not in LABELS:
            raise ArgumentError(f"unknown label {label!r}{did_you_mean(str(label), LABELS)}")
    if not named:
        raise ArgumentError("no label is named")
    _check_status(tool_status=tool_status)


def _check_status(*, tool_status: object = None) -> None:
    if tool_status is not None and tool_status not in STATUSES:
        hint = did_you_mean(str(tool_status), STATUSES)
        known = ", ".join(STATUSES)
        raise ArgumentError(f"tool_status is one of {known}, found {value_text(tool_status)}{hint}")


@matcher("toBeFreeOf", layer=1, describe=_describe_free, check=_check_free)
def be_free_of(
    subject: Speech,
    ctx: Context,
    labels: Sequence[Label] | Label | None = None,
    *,
    tool_status: ToolStatus | None = None,
) -> Verdict:
    """The text shows none of the named bad patterns; all five when no label is named.

    `tool_status` defaults to that of the turn's last answered tool call, none for a bare text. An unknown
    label is an `error`; text that is empty or white space only is `inconclusive`. Source: seed 000, layer 3.
    """
    named = _listed(labels)
    return _verdict(subject, tool_status, lambda finding: finding.label in named)


def _describe_valid(*, tool_status: ToolStatus | None = None) -> str:
    return f"pass the response validator{_under(tool_status)}"


@matcher("toBeValidResponse", layer=1, describe=_describe_valid, check=_check_status)
def be_valid_response(subject: Speech, ctx: Context, *, tool_status: ToolStatus | None = None) -> Verdict:
    """The response validator finds nothing in the text: `validate_response` as a matcher.

    `tool_status` defaults as in `be_free_of`. Source: seed 000, layers 3 and 4.
    """
    return _verdict(subject, tool_status, lambda _: True)


def _verdict(subject: Speech, given: ToolStatus | None, counts: Callable[[Finding], bool]) -> Verdict:
    text = clean_text(text_of(subject))
    nothing = nothing_in(text)
    if nothing is not None:
        return nothing
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
