"""The arrays that most requests have: texts of user and assistant in turn, in which nothing can be wrong."""

from __future__ import annotations

from grice.checks.message_lint.texts import MAY_BE_LABEL, is_label, joined_words, repeats
from grice.records import Exchange, JsonValue

_SYSTEM = ("system", "developer")
_PLAIN_KEYS = frozenset({"model", "messages", "system", "max_tokens", "temperature", "stream", "tools"})


def is_plain(exchange: Exchange, user: str) -> bool:
    """Whether a request holds nothing but such texts, and ends with what the user said.

    It is the quick way to say that the lint finds nothing; False says nothing.
    """
    request = exchange.request
    messages, system = request.get("messages"), request.get("system")
    if messages.__class__ is not list or not messages or not request.keys() <= _PLAIN_KEYS:
        return False
    if system is not None and system.__class__ is not str:
        return False
    if "tools" in request and not _are_sound(request["tools"]):
        return False
    prompt = joined_words(system) if system else ""
    expected, text = "user", None
    for message in messages:
        if message.__class__ is not dict or len(message) != 2:
            return False
        role, text = message.get("role"), message.get("content")
        if text.__class__ is not str or not text or text.isspace():
            return False
        if role in _SYSTEM and message is messages[0] and exchange.dialect == "openai_chat":
            prompt = joined_words(text)
            continue
        if role != expected or (prompt and repeats(prompt, text)):
            return False
        if text[0] in MAY_BE_LABEL and is_label(text):
            return False
        expected = "assistant" if role == "user" else "user"
    return expected == "assistant" and text == user


def _are_sound(tools: JsonValue) -> bool:
    """Whether the schema of every offered tool is an object, and so are its properties."""
    if tools.__class__ is not list:
        return False
    for tool in tools:
        if tool.__class__ is not dict:
            return False
        held = tool.get("function", tool)
        if held.__class__ is not dict:
            return False
        schema = held.get("input_schema", held.get("parameters"))
        if (
            schema is None
            or schema.__class__ is not dict
            or schema.get("properties", schema).__class__ is not dict
        ):
            return False
    return True
