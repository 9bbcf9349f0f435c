"""A matcher that is asked for again is made once."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import NoneType
from typing import Any

from grice.matching.matcher import Matcher, MatcherFactory

__all__ = ["prepared"]

MAX_TEXT = 1_000
_PURE = "grice.matching."
"""Where matchers depend on their arguments alone: the check of others may look into files."""
_PLAIN: frozenset[type] = frozenset((str, int, bool, NoneType))


def prepared(
    factory: MatcherFactory[Any, Any], args: tuple[Any, ...], named: Mapping[str, Any], *, negated: bool
) -> Matcher[Any]:
    """Make the matcher with these arguments; one with plain arguments is kept: a test asks for it every turn.

    Raises what the factory raises.
    """
    given = (*args, *named.values()) if named else args
    kinds = tuple(map(type, given))  # True is not 1
    if (
        factory.function.__module__.startswith(_PURE)
        and _PLAIN.issuperset(kinds)
        and (str not in kinds or not any(map(_is_long, given)))
    ):
        return _made(factory, args, kinds, tuple(named.items()) if named else (), negated)
    made = factory(*args, **named)
    return ~made if negated else made


def _is_long(value: Any) -> bool:
    return type(value) is str and len(value) > MAX_TEXT


@lru_cache(maxsize=512)
def _made(
    factory: MatcherFactory[Any, Any],
    args: tuple[Any, ...],
    kinds: tuple[type, ...],
    named: tuple[tuple[str, Any], ...],
    negated: bool,
) -> Matcher[Any]:
    made = factory(*args, **dict(named))
    return ~made if negated else made
