"""The four tools of the assistant, as its model is told of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .rooms import BookingError, Calendar

_TEXT, _NUMBER = {"type": "string"}, {"type": "integer"}
_WHEN = {"room": _TEXT, "day": _TEXT, "start": _TEXT, "end": _TEXT, "people": _NUMBER}


def _tool(name: str, description: str, properties: Mapping[str, Any]) -> dict[str, Any]:
    parameters = {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }
    return {
        "type": "function",
        "function": {"name": name, "description": description, "parameters": parameters},
    }


TOOLS = [
    _tool("list_rooms", "All rooms with seats, price per hour in euros and equipment.", {}),
    _tool("check_availability", "Whether a room is free then and big enough, and its price.", _WHEN),
    _tool("book_room", "Book a room that the user has agreed to.", _WHEN),
    _tool("cancel_booking", "Cancel a booking by its number.", {"booking": _TEXT}),
]


def run_tool(calendar: Calendar, name: str, arguments: Mapping[str, Any]) -> Any:
    """What the tool gives. Raises BookingError when it does not, or when there is none of this name."""
    if name not in {tool["function"]["name"] for tool in TOOLS}:
        raise BookingError(f"there is no tool {name!r}")
    try:
        return getattr(calendar, name)(**arguments)
    except TypeError as error:
        raise BookingError(f"wrong arguments: {error}") from error
