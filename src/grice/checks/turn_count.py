"""How many turns a conversation took."""

from __future__ import annotations

from msgspec.structs import replace

from grice.checks.model_requests import turns_of
from grice.matching.argument_types import AtLeastOne
from grice.matching.context import Context
from grice.matching.matcher import ArgumentError, matcher
from grice.records import Conversation, JsonValue, Verdict, failed, passed


def _check(exactly: int | None = None, *, max: int | None = None, min: int | None = None) -> None:  # noqa: A002
    if exactly is None and max is None and min is None:
        raise ArgumentError("say how many turns: max=, min= or exactly=")
    if exactly is not None and (max is not None or min is not None):
        raise ArgumentError("exactly is the number itself: max and min say nothing beside it")
    if max is not None and min is not None and min > max:
        raise ArgumentError(f"min={min} is more than max={max}")


def _describe(exactly: int | None = None, *, max: int | None = None, min: int | None = None) -> str:  # noqa: A002
    if exactly is not None:
        return f"have {_turns(exactly)}"
    if max is not None and min is not None:
        return f"have {min} to {_turns(max)}"
    return f"have at most {_turns(max)}" if max is not None else f"have at least {_turns(min or 0)}"


def _turns(count: int) -> str:
    return f"{count} turn{'' if count == 1 else 's'}"


@matcher("toHaveTurnCount", layer=0, describe=_describe, check=_check)
def have_turn_count(
    subject: Conversation,
    ctx: Context,
    exactly: AtLeastOne | None = None,
    *,
    max: AtLeastOne | None = None,  # noqa: A002
    min: AtLeastOne | None = None,  # noqa: A002
) -> Verdict:
    """The conversation has at most `max` turns, at least `min`, or `exactly` so many.

    A turn is one message of the user and everything up to the next one; one in which the agent failed counts
    too, and so does what the agent said before the user.
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
