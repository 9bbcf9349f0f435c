"""The four tools, as the model is told of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .database import AREAS, SERVICES, VenueError, Venues

_NUMBER = {"type": "integer"}
_DAY = {"type": "string", "description": "an ISO date"}
_AREA = {"type": "string", "enum": list(AREAS)}
_SERVICE = {"type": "string", "enum": list(SERVICES)}


def _tool(
    name: str, description: str, properties: Mapping[str, Any], optional: tuple[str, ...] = ()
) -> dict[str, Any]:
    parameters = {
        "type": "object",
        "properties": dict(properties),
        "required": [key for key in properties if key not in optional],
        "additionalProperties": False,
    }
    return {
        "type": "function",
        "function": {"name": name, "description": description, "parameters": parameters},
    }


TOOLS = [
    _tool(
        "search_suppliers",
        "The three cheapest venues that seat the guests, with their hire for a day in pounds.",
        {
            "guests": _NUMBER,
            "area": _AREA,
            "max_hire": _NUMBER,
            "services": {"type": "array", "items": _SERVICE},
        },
        optional=("area", "max_hire", "services"),
    ),
    _tool("get_venue", "Everything about one venue: address, prices, parking.", {"venue_id": _NUMBER}),
    _tool(
        "add_service",
        "Put a service on the order for a venue, before it is booked. Quantity: guests or rooms.",
        {"venue_id": _NUMBER, "service_type": _SERVICE, "quantity": _NUMBER},
        optional=("quantity",),
    ),
    _tool(
        "book_venue",
        "Book a venue that the user has chosen, with the services on its order.",
        {"venue_id": _NUMBER, "day": _DAY, "guests": _NUMBER},
    ),
]


def run_tool(venues: Venues, name: str, arguments: Mapping[str, Any]) -> Any:
    """What the tool gives. Raises VenueError when it does not, or when there is none of this name."""
    if name not in {tool["function"]["name"] for tool in TOOLS}:
        raise VenueError(f"there is no tool {name!r}")
    try:
        return getattr(venues, name)(**arguments)
    except TypeError as error:
        raise VenueError(f"wrong arguments: {error}") from error
