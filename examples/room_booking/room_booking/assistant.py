"""The assistant: it asks its model, runs the tools that the model calls, and fills in prices."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from .rooms import CLOSES, OPENS, BookingError, Calendar
from .tools import TOOLS, run_tool

HOUSE_RULES = f"The house is open from {OPENS} to {CLOSES}. Cancelling is free until the day before."

PROMPT = f"""You book meeting rooms. Today is Monday, 9 March 2026.
Check a room before you offer it, and book only when the user has agreed.
Never write a price yourself: write {{price}} where it belongs, and it is filled in from the calendar.
{HOUSE_RULES}"""

LAST_YEARS_PRICES = {"Blue Room": 65, "Green Room": 95, "Red Room": 45}
"""What the bug "price" quotes, however long the meeting is."""

MAX_ROUNDS = 5


class Assistant:
    """Books rooms of one calendar. `client` looks like the OpenAI SDK's.

    `bug="price"` brings back a bug that it once had: prices are not the calendar's, but last year's.
    """

    def __init__(self, client: Any, calendar: Calendar, *, bug: str = "", model: str = "gpt-4o") -> None:
        self.client = client
        self.calendar = calendar
        self.bug = bug
        self.model = model

    def metadata(self) -> dict[str, str]:
        """What runs, for reports."""
        return {"model": self.model, "bug": self.bug or "none"}

    def chat(
        self, messages: Sequence[Mapping[str, Any]], on_tool_call: Callable[..., object]
    ) -> Iterator[dict[str, Any]]:
        """Answer the last message. What is said before a tool runs is a message of its own."""
        asked: list[Any] = [{"role": "system", "content": PROMPT}, *messages]
        results: list[tuple[str, Any]] = []
        for _ in range(MAX_ROUNDS):
            message = self._ask(asked)
            if not message.tool_calls:
                yield {"text": self._priced(message.content, results), "data": {"meta": _meta(results)}}
                return
            if message.content:
                yield {"text": message.content}
            asked.append(_plain(message))
            for call in message.tool_calls:
                result = self._run(call, on_tool_call)
                results.append((call.function.name, result))
                asked.append({"role": "tool", "tool_call_id": call.id, "content": json.dumps(result)})
        raise RuntimeError(f"the model called tools {MAX_ROUNDS} times and said nothing")

    def _ask(self, messages: list[Any]) -> Any:
        reply = self.client.chat.completions.create(model=self.model, tools=TOOLS, messages=messages)
        return reply.choices[0].message

    def _run(self, call: Any, on_tool_call: Callable[..., object]) -> Any:
        name, arguments = call.function.name, json.loads(call.function.arguments)
        on_tool_call(name, arguments=arguments, id=call.id)
        try:
            result = run_tool(self.calendar, name, arguments)
        except BookingError as error:
            on_tool_call(name, arguments=arguments, id=call.id, error=str(error))
            return {"error": str(error)}
        on_tool_call(name, arguments=arguments, id=call.id, result=result)
        return result

    def _priced(self, text: str, results: Sequence[tuple[str, Any]]) -> str:
        """The text with the price that the calendar named last."""
        priced = next((one for _, one in reversed(results) if "price" in one), None)
        if priced is None:
            return text.replace("{price}", "a price that I have to look up")
        price = LAST_YEARS_PRICES[priced["room"]] if self.bug == "price" else priced["price"]
        return text.replace("{price}", f"{price} EUR")


def _meta(results: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """What the assistant says of its own turn."""
    records = [
        record for _, result in results for record in (result if isinstance(result, list) else [result])
    ]
    ids = [str(record[name]) for record in records for name in ("name", "room", "booking") if name in record]
    return {
        "tools_used": [name for name, _ in results],
        "store_card_used": True,  # the house rules are in every prompt
        "retrieval_ids": list(dict.fromkeys(ids)),
        "reason_for_tools": "rooms and prices come from the calendar" if results else "nothing to look up",
    }


def _plain(message: Any) -> dict[str, Any]:
    """A message that calls tools, as it goes back to the model."""
    calls = [
        {
            "id": call.id,
            "type": "function",
            "function": {"name": call.function.name, "arguments": call.function.arguments},
        }
        for call in message.tool_calls
    ]
    return {"role": "assistant", "content": message.content, "tool_calls": calls}
