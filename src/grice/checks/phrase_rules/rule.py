"""A rule on wording that users write as data, with the examples that test it."""

from __future__ import annotations

import msgspec

__all__ = ["PhraseRule"]


class PhraseRule(msgspec.Struct, frozen=True, kw_only=True):
    """A bad pattern: a reply breaks it when all of `all_of`, one of `any_of` and none of `none_of` occur.

    Texts are found as words, without regard to case, apostrophes and white space; `/.../` is a pattern (RE2).
    `good` and `bad` are its examples, which every rule has.
    """

    id: str
    all_of: tuple[str, ...] = ()
    any_of: tuple[str, ...] = ()
    none_of: tuple[str, ...] = ()
    good: tuple[str, ...] = ()
    bad: tuple[str, ...] = ()
    why: str = ""
