"""Reading the part of a subject that a matcher judges."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from grice.matching.matcher import Unsuitable
from grice.records import Conversation, JsonValue, Reply, ToolCall, Turn, Verdict, inconclusive
from grice.text import is_blank, value_text

Speech = str | Reply | Turn
"""What has one text: a plain text, or the agent's side of a turn."""


def text_of(subject: object) -> str:
    """The text of the subject. Raises Unsuitable when it has none."""
    if isinstance(subject, str):
        return subject
    if isinstance(subject, (Reply, Turn)):
        return subject.text
    found = type(subject).__name__ if isinstance(subject, msgspec.Struct) else value_text(subject)
    raise Unsuitable(f"a text, a Reply or a Turn, found {found}")


def nothing_in(text: str, what: str = "the text") -> Verdict | None:
    """The verdict on a text that is empty or white space only, under both polarities; None for any other.

    `what` is how the reason names the text.
    """
    if not is_blank(text):
        return None
    return inconclusive(f"{what} is {'white space only' if text else 'empty'}: there is nothing to look at")


def calls_of(subject: object) -> Sequence[ToolCall]:
    """The tool calls of the subject. Raises Unsuitable when it cannot have any."""
    if isinstance(subject, (Reply, Turn, Conversation)):
        return subject.tool_calls
    raise Unsuitable(f"a Reply, a Turn or a Conversation, found {type(subject).__name__}")


def value_of(subject: object) -> JsonValue:
    """The subject as a value to compare: the text of a reply or turn, anything else as it is."""
    return subject.text if isinstance(subject, (Reply, Turn)) else subject
