"""Lists in pages, with a cursor for where the next page begins."""

from __future__ import annotations

import base64
import binascii
from datetime import UTC, datetime
from typing import Annotated, Any, TypeVar

import msgspec
from fastapi import Query

from grice.api.errors import ApiError

Limit = Annotated[int, Query(ge=1, le=200, description="How many there are in a page at most.")]
Cursor = Annotated[
    str, Query(max_length=2_000, description="`nextCursor` of the page before; without it the first page.")
]
_Position = TypeVar("_Position")


def cursor_of(position: tuple[str | int | datetime, ...] | None) -> str | None:
    """Make the cursor of a position in a list; None for None."""
    if position is None:
        return None
    return base64.urlsafe_b64encode(msgspec.json.encode(position)).decode().rstrip("=")


def position_in(cursor: str, type_: type[_Position]) -> _Position | None:
    """Read a cursor; None for an empty text. Raises ApiError for any other text."""
    if not cursor:
        return None
    try:
        raw = base64.b64decode(cursor + "=" * (-len(cursor) % 4), b"-_", validate=True)
        found = msgspec.json.decode(raw, type=type_)
        for one in found if isinstance(found, tuple) else ():
            _check_range(one)
        return found
    except (binascii.Error, ValueError, OverflowError):
        raise ApiError(
            400, "the request is wrong", [("cursor", "expected `nextCursor` of the page before")]
        ) from None


def _check_range(value: object) -> None:
    """Raise OverflowError for a number or moment that no column holds."""
    if isinstance(value, int) and not -(2**63) <= value < 2**63:
        raise OverflowError
    if isinstance(value, datetime):
        value.astimezone(UTC)


def sendable(value: Any) -> Any:
    """Make a value that UTF-8 can send: half a surrogate pair becomes U+FFFD."""
    try:
        msgspec.json.encode(value)
    except UnicodeEncodeError:
        return _whole(value)
    return value


def _whole(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, list):
        return [_whole(one) for one in value]
    if isinstance(value, dict):
        return {_whole(name): _whole(one) for name, one in value.items()}
    return value
