"""The shop's orders, and what the assistant's tools do with them."""

from __future__ import annotations

from collections.abc import Callable

STATES = ("packed", "sent on Monday", "with the carrier in Leeds", "delivered on Tuesday")


class Orders:
    """The orders of one conversation. There is one for every number of five digits."""

    def look_up_order(self, number: int) -> dict[str, object]:
        """Where it is."""
        return {"number": number, "state": STATES[number % len(STATES)]}

    def start_return(self, number: int) -> dict[str, object]:
        """Begin a return."""
        return {"number": number, "label": f"R-{number}"}

    def cancel_order(self, number: int) -> dict[str, object]:
        """Cancel it."""
        return {"number": number, "cancelled": True}

    def change_address(self, number: int) -> dict[str, object]:
        """Send it elsewhere."""
        return {"number": number, "address": "changed"}

    def tool(self, name: str) -> Callable[[int], dict[str, object]]:
        """The tool of that name."""
        found: Callable[[int], dict[str, object]] = getattr(self, name)
        return found
