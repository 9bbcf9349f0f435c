"""The messages of a request in the form of providers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from grice.records import JsonValue


def with_schema(
    messages: Sequence[Mapping[str, Any]], schema: Mapping[str, JsonValue]
) -> list[dict[str, JsonValue]]:
    """The messages, with the schema of the answer at the end of the system prompt."""
    wanted = (
        "Answer with one JSON object and nothing else: no code fence, no words around it. It must fit this "
        f"JSON Schema:\n{msgspec.json.encode(schema).decode()}"
    )
    system, others = split_system(messages)
    return [{"role": "system", "content": f"{system}\n\n{wanted}" if system else wanted}, *others]


def split_system(messages: Sequence[Mapping[str, Any]]) -> tuple[str, list[dict[str, JsonValue]]]:
    """The texts of the system messages joined, and the other messages."""
    system = [str(message.get("content", "")) for message in messages if message.get("role") == "system"]
    return "\n\n".join(system), [dict(message) for message in messages if message.get("role") != "system"]
