"""Text that stands in a field which nothing reads: an answer that would be lost."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

from grice.records import JsonValue

_ANSWERS = frozenset(
    {
        "answer",
        "answers",
        "body",
        "candidates",
        "completion",
        "completions",
        "data",
        "delta",
        "generation",
        "generations",
        "message",
        "msg",
        "output",
        "outputs",
        "parts",
        "replies",
        "reply",
        "response",
        "responses",
        "result",
        "results",
        "text",
        "utterance",
    }
)
_OTHERS = frozenset({"error", "expected", "gold", "ideal", "input", "prompt", "reference", "system", "user"})
_HOLDERS = ("choices", "content", "contents", "value")
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")


def stray_texts(fields: Mapping[str, JsonValue], read: Collection[str] = ()) -> list[str]:
    """The fields, without those that are `read`, whose name speaks of an answer and that hold text.

    `reply`, `bot_response` and `outputText` are such names; `response_id` and `expected_output` are not.
    """
    return [
        name for name, value in fields.items() if name not in read and _is_answer(name) and _has_text(value)
    ]


def _is_answer(name: str) -> bool:
    words = [word.lower() for word in _WORD.findall(name[:100])]
    return bool(words) and words[-1] in _ANSWERS and _OTHERS.isdisjoint(words)


def _has_text(value: JsonValue) -> bool:
    waiting = [value]
    while waiting:
        match waiting.pop():
            case str() as text if text and not text.isspace():
                return True
            case list() as items:
                waiting += items
            case dict() as inner:
                waiting += [held for key, held in inner.items() if key in _HOLDERS or _is_answer(key)]
            case _:
                pass
    return False
