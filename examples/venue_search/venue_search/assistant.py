"""The assistant: it asks its model, and runs the tools that the model calls."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from .database import TODAY, VenueError, Venues
from .model import Model
from .tools import TOOLS, run_tool

HOUSE_RULES = """A booking can be cancelled free of charge up to 14 days before the event.
After that the whole price is due, without exceptions."""

PROMPT = f"""You find and book venues for events in Cambridge. Today is {TODAY}, a Monday.
Before you search, ask how many guests come and on which day; area, budget and services are welcome.
Present what search_suppliers finds, never venues or prices of your own.
When the user has chosen, call add_service for every service that they want, then book_venue.
Say what you have done only after the tool has done it.
{HOUSE_RULES}"""

MAX_ROUNDS = 6


class VenueAssistant:
    """Finds and books venues of one database, for one conversation.

    `bug="first_call_only"` brings back a bug that it once had: of several tool calls that the model makes
    at once only the first is run, and the model is told that the others were done too.
    """

    def __init__(self, model: Callable[[], Model], venues: Venues, *, bug: str = "") -> None:
        self.model = model
        self.venues = venues
        self.bug = bug

    def metadata(self) -> dict[str, str]:
        """What runs, for reports."""
        return {"bug": self.bug or "none"}

    async def chat(
        self, messages: Sequence[Mapping[str, Any]], on_tool_call: Callable[..., object]
    ) -> dict[str, str]:
        """Answer the last message."""
        asked: list[Any] = [{"role": "system", "content": PROMPT}, *messages]
        model = self.model()
        for _ in range(MAX_ROUNDS):
            message = await model.complete(asked, TOOLS)
            calls = message.get("tool_calls") or []
            if not calls:
                return {"text": message.get("content") or ""}
            asked.append({"role": "assistant", "content": message.get("content"), "tool_calls": calls})
            for place, call in enumerate(calls):
                result = self._answer(call, on_tool_call, skip=self.bug == "first_call_only" and place > 0)
                asked.append({"role": "tool", "tool_call_id": call["id"], "content": json.dumps(result)})
        raise RuntimeError(f"the model called tools {MAX_ROUNDS} times and said nothing")

    def _answer(self, call: Mapping[str, Any], on_tool_call: Callable[..., object], *, skip: bool) -> Any:
        """What the model is told of one call; the call itself is reported."""
        if skip:
            return {"status": "ok"}
        name, text = call["function"]["name"], call["function"]["arguments"]
        try:
            arguments = json.loads(text)
        except ValueError:
            return {"error": f"the arguments are not JSON: {text}"}
        try:
            result = run_tool(self.venues, name, arguments)
        except VenueError as error:
            on_tool_call(name, arguments=arguments, id=call["id"], error=str(error))
            return {"error": str(error)}
        on_tool_call(name, arguments=arguments, id=call["id"], result=result)
        return result
