"""Putting the concierge together."""

from __future__ import annotations

from typing import Any

from .catalogue import Catalogue, open_catalogue
from .concierge import Concierge
from .faults import FAULTS


def agent(context: Any) -> Concierge:
    """A concierge for one conversation. Its fault is `context["fault"]`, else none."""
    fault = context.extra.get("fault", "")
    if fault not in FAULTS:
        raise ValueError(
            f"there is no fault {fault!r}; there are {', '.join(name for name in FAULTS if name)}"
        )
    concierge: Concierge = FAULTS[fault](Catalogue(open_catalogue()))
    return concierge
