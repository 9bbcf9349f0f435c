"""A rule on wording that users write as data, with the examples that test it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import msgspec
from msgspec.structs import force_setattr

from grice.checks.tool_flow.status import ToolStatus

__all__ = ["PhraseRule", "RuleExample", "RuleWhen"]


def _settle(record: msgspec.Struct, *names: str) -> None:
    """One text or a list, as code and files have them, becomes a tuple."""
    for name in names:
        value = getattr(record, name)
        if isinstance(value, str) or (
            name in ("good", "bad") and isinstance(value, Mapping | msgspec.Struct)
        ):
            force_setattr(record, name, (value,))
        elif isinstance(value, list):
            force_setattr(record, name, tuple(value))


class RuleWhen(msgspec.Struct, frozen=True, kw_only=True):
    """When a rule applies: all that is given must hold; without any it always does.

    `tool_status` are statuses of the turn's last answered call, one of which it must be. `called` are tools
    of which one must have been called in the turn, `not_called` tools of which none may have been.
    """

    tool_status: tuple[ToolStatus, ...] = ()
    called: tuple[str, ...] = ()
    not_called: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        _settle(self, "tool_status", "called", "not_called")


class RuleExample(msgspec.Struct, frozen=True, kw_only=True):
    """A text that a rule is tried on, with the status and the calls of its turn."""

    text: str
    tool_status: ToolStatus | None = None
    called: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        _settle(self, "called")


class PhraseRule(msgspec.Struct, frozen=True, kw_only=True):
    """A bad pattern: a reply breaks it when all of `all_of` and one of `any_of` occur where `when` holds.

    Texts are found as words, without regard to case, apostrophes, white space, Markdown and invisible
    characters; `/.../` with the flags i, m, s, u is a pattern (RE2) on the text as it stands. What stands
    in a sentence with one of `none_of` is excused, and with `negated="ignore"` what is denied ("we have
    no slug"). `language` (ISO 639-1) leaves out replies in another. `why` is for the message. `good` and
    `bad` are its examples, of which every rule has at least one each: they test it before it is used.
    """

    id: str
    any_of: tuple[str, ...] = ()
    all_of: tuple[str, ...] = ()
    none_of: tuple[str, ...] = ()
    good: tuple[str | RuleExample, ...] = ()
    bad: tuple[str | RuleExample, ...] = ()
    when: RuleWhen = RuleWhen()
    negated: Literal["count", "ignore"] = "count"
    language: str | None = None
    why: str = ""

    def __post_init__(self) -> None:
        _settle(self, "any_of", "all_of", "none_of", "good", "bad")
        when: Any = self.when
        if isinstance(when, Mapping) and when.keys() <= set(RuleWhen.__struct_fields__):
            force_setattr(self, "when", RuleWhen(**when))
        for name in ("good", "bad"):
            made: Any = getattr(self, name)
            if isinstance(made, tuple):
                force_setattr(self, name, tuple(map(_example, made)))


def _example(given: Any) -> Any:
    known = (
        isinstance(given, Mapping) and "text" in given and given.keys() <= set(RuleExample.__struct_fields__)
    )
    return RuleExample(**given) if known else given
