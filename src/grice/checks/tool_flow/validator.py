"""The response validator: finds what is wrong in how a reply speaks of its tools."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from grice.checks.profiles import PROFILES, Profile
from grice.checks.tool_flow.labels import Validation
from grice.checks.tool_flow.seed_validator import seed_validation
from grice.checks.tool_flow.status import STATUSES, ToolStatus, tool_status_of
from grice.text import did_you_mean

if TYPE_CHECKING:
    from grice.checks.tool_flow.facts import Facts
    from grice.records import ToolCall


def validate_response(
    text: str,
    tool_status: ToolStatus | None = None,
    *,
    profile: Profile = "robust",
    calls: Sequence[ToolCall] | None = None,
) -> Validation:
    """Look for the bad patterns in what an assistant said after a tool had this status.

    `tool_status` is success, pending, error or none (None is none). `robust` goes by what the reply does
    (reports, announces, asks, offers, introduces itself), in English; for a text in another language the
    result is not `valid`, and `undetermined` says why. With `calls`, all that was called so far, it also
    holds the text against what the tools did, and their last status is the default. `seed` has five
    patterns, word by word. Linear in the length of the text. Raises TypeError for a text that is not a str,
    ValueError for another status or profile.
    """
    if not isinstance(text, str):
        raise TypeError(f"validate_response judges a text (str), found {type(text).__name__}")
    if tool_status is None and calls:
        tool_status = tool_status_of(calls)
    status = "none" if tool_status is None else tool_status
    if status not in STATUSES:
        raise ValueError(
            f"unknown tool status {status!r}{did_you_mean(str(status), STATUSES)}: {', '.join(STATUSES)}"
        )
    if profile == "seed":
        return seed_validation(text, status)
    if profile not in PROFILES:
        raise ValueError(f"profile is seed or robust, found {profile!r}")
    from grice.checks.tool_flow.facts import NO_FACTS, facts_of_calls

    return robust_response(text, status, facts_of_calls(calls) if calls is not None else NO_FACTS)


def robust_response(text: str, status: ToolStatus, facts: Facts, *, worded: bool = True) -> Validation:
    """Validate a text with the robust profile, given what is known of its tools; its wording if `worded`."""
    from grice.checks.tool_flow.robust_validator import robust_validation  # its patterns are many
    from grice.records import clean_text

    if not text.strip():
        return Validation(undetermined="the text is empty: there is nothing to look at")
    return robust_validation(clean_text(text), status, facts, worded=worded)
