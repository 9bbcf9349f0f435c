"""The response validator: whether a reply speaks of its tools as it may."""

from __future__ import annotations

from grice.checks.profiles import PROFILES, Profile
from grice.checks.tool_flow.labels import Validation
from grice.checks.tool_flow.seed_validator import seed_validation
from grice.checks.tool_flow.status import STATUSES, ToolStatus
from grice.text import did_you_mean

__all__ = ["validate_response"]


def validate_response(
    text: str, tool_status: ToolStatus | None = None, *, profile: Profile = "seed"
) -> Validation:
    """Look for the bad patterns in what an assistant said after a tool had this status.

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
    if profile not in PROFILES:
        raise ValueError(f"profile is seed or robust, found {profile!r}")
    return seed_validation(text, status)
