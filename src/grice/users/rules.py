"""Rules that a simulated user is given."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import msgspec

from grice.records import Conversation, clean_text
from grice.text import value_text
from grice.users.errors import UserConfigError

__all__ = ["RuleLike", "UserRule", "should", "should_not"]


class UserRule(msgspec.Struct, frozen=True):
    """A rule for a simulated user; `should` and `should_not` make one."""

    kind: Literal["should", "should_not"]
    text: str


RuleLike = UserRule | str | Callable[[Conversation], str | None]
"""A rule: a text says what the user should do; a function says it anew for each message, None for nothing."""


def should(text: str) -> UserRule:
    """A rule: what the simulated user should do. Raises UserConfigError for an empty text."""
    return _rule("should", text)


def should_not(text: str) -> UserRule:
    """A rule: what the simulated user should not do. Raises UserConfigError for an empty text."""
    return _rule("should_not", text)


def _rule(kind: Literal["should", "should_not"], text: object) -> UserRule:
    if not isinstance(text, str) or not text.strip():
        raise UserConfigError(f"{kind}: expected a text, found {value_text(text)}")
    return UserRule(kind, clean_text(text.strip()))
