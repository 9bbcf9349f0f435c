"""The common part of the dialects: pieces of streamed text, arguments as text, estimated usage."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import msgspec

from grice.records import JsonValue
from grice.text import estimated_tokens
from grice.wire.replies import ModelReply

MOST_PIECES = 200
_WORD = re.compile(r"\s*\S+|\s+")


def pieces(text: str) -> list[str]:
    """Split a text into the pieces of a stream: words, several at a time for a long text."""
    words = _WORD.findall(text)
    step = -(-len(words) // MOST_PIECES)
    if step <= 1:
        return words
    return ["".join(words[place : place + step]) for place in range(0, len(words), step)]


def arguments_text(arguments: JsonValue) -> str:
    """The arguments of a call as JSON text; a text is sent as it is, malformed or not."""
    return arguments if isinstance(arguments, str) else msgspec.json.encode(arguments).decode()


def completed(usage: Mapping[str, Any] | None, estimate: dict[str, Any]) -> dict[str, Any]:
    """Complete a scripted `usage` with the estimate where it leaves a count out or has null."""
    if not usage:
        return estimate
    return estimate | {
        name: count for name, count in usage.items() if count is not None or name not in estimate
    }


def used_tokens(request: Mapping[str, JsonValue], reply: ModelReply) -> tuple[int, int]:
    """The tokens of the request and the reply; what the script does not give is estimated."""
    told = reply.usage or {}
    asked, said = told.get("input_tokens"), told.get("output_tokens")
    if not isinstance(asked, int):
        asked = estimated_tokens(msgspec.json.encode(request))
    if not isinstance(said, int):
        said = estimated_tokens(reply.text)
        for call in reply.calls:
            said += estimated_tokens(call.name + arguments_text(call.input))
    return asked, said
