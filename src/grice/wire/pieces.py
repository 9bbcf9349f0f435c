"""What the dialects share: pieces of streamed text, arguments as text, estimated usage."""

from __future__ import annotations

import re
from collections.abc import Mapping

import msgspec

from grice.records import JsonValue
from grice.text import estimated_tokens
from grice.wire.replies import ModelReply

__all__ = ["arguments_text", "pieces", "used_tokens"]

MOST_PIECES = 200
_WORD = re.compile(r"\s*\S+|\s+")
_PROMPT = ("system", "instructions", "messages", "input", "tools")


def pieces(text: str) -> list[str]:
    """The text in the pieces in which it is streamed: words, of a long text several at a time."""
    words = _WORD.findall(text)
    step = -(-len(words) // MOST_PIECES)
    if step <= 1:
        return words
    return ["".join(words[place : place + step]) for place in range(0, len(words), step)]


def arguments_text(arguments: JsonValue) -> str:
    """The arguments of a call as JSON text; a text is sent as it is, malformed or not."""
    return arguments if isinstance(arguments, str) else msgspec.json.encode(arguments).decode()


def used_tokens(request: Mapping[str, JsonValue], reply: ModelReply) -> tuple[int, int]:
    """How many tokens the request and the reply have; what the script does not say is estimated."""
    told = reply.usage or {}
    asked, said = told.get("input_tokens"), told.get("output_tokens")
    if not isinstance(asked, int):
        asked = sum(_size(request[name]) for name in _PROMPT if name in request)
    if not isinstance(said, int):
        calls = (call.name + arguments_text(call.input) for call in reply.calls)
        said = estimated_tokens(reply.text) + sum(map(estimated_tokens, calls))
    return asked, said


def _size(value: JsonValue) -> int:
    return estimated_tokens(value if isinstance(value, str) else msgspec.json.encode(value))
