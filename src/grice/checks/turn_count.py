"""How many turns a conversation took.

Source: seed 003, sections 5.2 and 10.1 (`turn_count`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from grice.checks.requests import turns_of
from grice.matching.context import Context
from grice.matching.matcher import ArgumentError, Arguments, matcher
from grice.records import Conversation, JsonValue, Verdict, failed, passed
from grice.text import did_you_mean, value_text

__all__ = ["have_turn_count"]

BOUNDS = ("max", "min", "exactly")
_COUNT = {"type": "integer", "minimum": 1}
_SCHEMA: Mapping[str, Any] = {
    "anyOf": [
        _COUNT,
        {
            "type": "object",
            "properties": dict.fromkeys(BOUNDS, _COUNT),
            "minProperties": 1,
            "additionalProperties": False,
        },
    ]
}


def _check(*, max: object = None, min: object = None, exactly: object = None) -> None:  # noqa: A002
    given = {"max": max, "min": min, "exactly": exactly}
    known = {name: count for name, count in given.items() if count is not None}
    for name, count in known.items():
        if isinstance(count, bool) or not isinstance(count, int) or count < 1:
            hint = ": without a turn there is nothing to look at" if count == 0 else ""
            raise ArgumentError(f"{name} is a whole number of turns from 1, found {value_text(count)}{hint}")
    if not known:
        raise ArgumentError("say how many turns: max=, min= or exactly=")
    if exactly is not None and len(known) > 1:
        raise ArgumentError("exactly is the number itself: max and min say nothing beside it")
    if isinstance(max, int) and isinstance(min, int) and min > max:
        raise ArgumentError(f"min={min} is more than max={max}")


def _describe(*, max: int | None = None, min: int | None = None, exactly: int | None = None) -> str:  # noqa: A002
    if exactly is not None:
        return f"have {_turns(exactly)}"
    if max is not None and min is not None:
        return f"have {min} to {_turns(max)}"
    return f"have at most {_turns(max)}" if max is not None else f"have at least {_turns(min or 0)}"


def _turns(count: int) -> str:
    return f"{count} turn{'' if count == 1 else 's'}"


def _read(expected: Any) -> Arguments:
    """A number, which is exact, or an object with `max`, `min` and `exactly`."""
    if not isinstance(expected, dict):
        return (), {"exactly": expected}
    for name in expected:
        if name not in BOUNDS:
            hint = did_you_mean(str(name), BOUNDS) or f"; known are {', '.join(BOUNDS)}"
            raise ArgumentError(f"expected has an unknown field {value_text(name)}{hint}")
    return (), dict(expected)


@matcher("toHaveTurnCount", layer=0, describe=_describe, check=_check, read=_read, schema=_SCHEMA)
def have_turn_count(
    subject: Conversation,
    ctx: Context,
    *,
    max: int | None = None,  # noqa: A002
    min: int | None = None,  # noqa: A002
    exactly: int | None = None,
) -> Verdict:
    """The conversation has at most `max` turns, at least `min`, or `exactly` so many.

    A turn is one message of the user and everything up to the next one; one in which the agent failed counts
    too, and so does what the agent said before the user. Source: seed 003, section 10.1.
    """
    actual = len(turns_of(subject))
    least = exactly if exactly is not None else min or 0
    most = exactly if exactly is not None else max
    detail: dict[str, JsonValue] = {"type": "turn_count"}
    detail |= {
        name: count for name, count in (("max", max), ("min", min), ("exactly", exactly)) if count is not None
    }
    fits = actual >= least and (most is None or actual <= most)
    said = f"it has {_turns(actual)}"
    return replace(passed(said) if fits else failed(said), detail={**detail, "actual": actual})
