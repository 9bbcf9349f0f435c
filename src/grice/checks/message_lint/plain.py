"""The arrays that most requests have: texts of user and assistant in turn, in which nothing can be wrong."""

from __future__ import annotations

from grice.checks.message_lint.texts import needle_of
from grice.records import Exchange

__all__ = ["is_plain"]

_SYSTEM = ("system", "developer")
_MAY_BE_LABEL = "[<#Ss \n\t"
_PLAIN_KEYS = frozenset({"model", "messages", "system", "tools", "max_tokens", "temperature", "stream"})


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
    prompt = needle_of(system) if system else ""
    expected, text = "user", None
    for message in messages:
        if message.__class__ is not dict or len(message) != 2:
            return False
        role, text = message.get("role"), message.get("content")
        if text.__class__ is not str or not text or text.isspace():
            return False
        if role in _SYSTEM and message is messages[0] and exchange.dialect == "openai_chat":
            prompt = needle_of(text)
            continue
        if role != expected or (prompt and prompt in text):
            return False
        if role == "user" and text[0] in _MAY_BE_LABEL:
            return False
        expected = "assistant" if role == "user" else "user"
    return expected == "assistant" and text == user
