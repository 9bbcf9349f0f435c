"""Small conversations, each with a finding of one kind, as lines of a log."""

from __future__ import annotations

from typing import Any

Messages = list[dict[str, Any]]


def user(text: str) -> dict[str, Any]:
    return {"role": "user", "content": text}


def assistant(text: str, **calls: Any) -> dict[str, Any]:
    """A message of the assistant; `tool=arguments` is a call, arguments that are a text are malformed."""
    made = [
        {"id": f"{name}_1", "type": "function", "function": {"name": name, "arguments": arguments}}
        for name, arguments in calls.items()
    ]
    return {"role": "assistant", "content": text, **({"tool_calls": made} if made else {})}


def tool(name: str, content: str) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": f"{name}_1", "content": content}


ASIDE = [user("Is it raining?"), assistant("It looks dry over there today.")]
MORE = [user("And in Rome?"), assistant("Rome has sunshine, as far as the forecast goes.")]

KINDS: dict[str, Messages] = {
    "similarity": [
        user("Update my plugin"),
        assistant("Which plugin should I update? There are several of them here."),
        user("Akismet"),
        assistant("Which plugin should I update? There are several of them here."),
    ],
    "openers": [
        user("Hi"),
        assistant("Thanks for that, here is the list of rooms."),
        *ASIDE,
        user("And prices?"),
        assistant("Thanks for that, here is the list of prices."),
    ],
    "tool-flow": [
        *ASIDE,
        user("Update Akismet"),
        assistant("", update_plugin='{"plugin": "akismet"}'),
        tool("update_plugin", '{"success": true, "log": "long", "version": "5.4"}'),
        assistant("Updating Akismet now! Would you like me to update it?"),
    ],
    "malformed-arguments": [
        *ASIDE,
        user("Update Akismet"),
        assistant("", update_plugin="{plugin: akismet"),
        tool("update_plugin", '{"success": false}'),
        assistant("It could not be updated."),
    ],
    "self-contradiction": [
        user("Do you ship to Canada?"),
        assistant("Yes, we ship to Canada."),
        *ASIDE,
        *MORE,
        user("Are you sure? Do you ship to Canada?"),
        assistant("No, we do not ship to Canada."),
    ],
    "factual-contradiction": [
        *ASIDE,
        user("What does the Blue Room cost?"),
        assistant("", get_price='{"room": "Blue Room"}'),
        tool("get_price", '{"room": "Blue Room", "price": "$40"}'),
        assistant("The price of the Blue Room is $40."),
        *MORE,
        user("Say that again?"),
        assistant("The price of the Blue Room is $55."),
    ],
}
