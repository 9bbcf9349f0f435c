"""The two profiles of a text rule."""

from __future__ import annotations

from typing import Literal, get_args

from grice.matching.matcher import ArgumentError
from grice.text import did_you_mean, value_text

Profile = Literal["seed", "robust"]
"""`seed` is the documented rule, character by character; `robust` is the rule made right."""

PROFILES: tuple[Profile, ...] = get_args(Profile)


def check_profile(profile: object) -> None:
    """Raise ArgumentError for anything but a profile."""
    if profile not in PROFILES:
        hint = did_you_mean(profile, PROFILES) if isinstance(profile, str) else ""
        raise ArgumentError(f"profile is seed or robust, found {value_text(profile)}{hint}")
