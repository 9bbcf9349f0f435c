"""Putting the assistant together."""

from __future__ import annotations

from typing import Any

from .assistant import VenueAssistant
from .database import Venues, open_database
from .model import endpoint_of_environment

BUGS = ("", "first_call_only")


def agent(context: Any) -> VenueAssistant:
    """An assistant with a database of its own, for one conversation.

    Its model is `context["llm"]`, else the endpoint that the environment names; its bug is `context["bug"]`,
    else none.
    """
    bug = context.extra.get("bug", "")
    if bug not in BUGS:
        raise ValueError(f"there is no bug {bug!r}; the only one is {BUGS[1]!r}")
    llm = context.extra.get("llm")
    return VenueAssistant((lambda: llm) if llm else endpoint_of_environment, Venues(open_database()), bug=bug)
