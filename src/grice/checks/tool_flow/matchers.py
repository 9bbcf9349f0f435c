"""The matchers of tool-flow language."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from grice.checks.tool_flow.labels import LABELS, Finding, Label
from grice.checks.tool_flow.status import STATUSES, ToolStatus, status_for
from grice.checks.tool_flow.validator import validate_response
from grice.matching.context import Context
from grice.matching.matcher import ArgumentError, matcher
from grice.matching.subjects import Speech, nothing_in, text_of
from grice.records import Evidence, Verdict, clean_text, failed, passed
from grice.text import did_you_mean, value_text

__all__ = ["be_free_of", "be_valid_response"]


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
    status = status_for(subject, given)
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
