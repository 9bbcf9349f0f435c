"""A message array in a few lines, with the faulty messages marked."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from grice.records import JsonValue
from grice.text import shorten, value_text

_SHOWN = 12
_LENGTH = 80


def shown_array(messages: Sequence[Any], marked: Collection[int]) -> list[str]:
    """A line for each message, `>` before those marked; of a long array only what is around them."""
    total = len(messages)
    wanted = set(range(total))
    if total > _SHOWN:
        near = sorted({n for index in marked for n in (index - 1, index, index + 1) if 0 <= n < total})
        wanted = set(near[:_SHOWN] or range(total - _SHOWN, total))
    rows: list[str] = []
    left_out = 0
    for index, message in enumerate(messages):
        if index not in wanted:
            left_out += 1
            continue
        if left_out:
            rows.append(f"      ... {left_out} more")
        left_out = 0
        sign = ">" if index in marked else " "
        rows.append(f"{sign} {index:>3}  {_speaker(message):<10}  {_content(message)}")
    return rows + ([f"      ... {left_out} more"] if left_out else [])


def _speaker(message: JsonValue) -> str:
    if not isinstance(message, dict):
        return "?"
    known = message.get("role") or message.get("type")
    return value_text(known)[1:-1][:20] if isinstance(known, str) else "?"


def _content(message: JsonValue) -> str:
    if not isinstance(message, dict):
        return _short(message)
    content = message.get("content")
    blocks = content if isinstance(content, list | tuple) else [content] if content else []
    parts = [_block(block) for block in blocks]
    calls = message.get("tool_calls")
    parts += [_block(call) for call in calls] if isinstance(calls, list | tuple) else []
    if message.get("role") == "tool" or message.get("type") in ("function_call", "function_call_output"):
        parts = [_block(message)]
    return shorten(" ".join(parts), 2 * _LENGTH) if parts else "nothing"


def _block(block: JsonValue) -> str:
    if not isinstance(block, dict):
        return _short(block)
    text = block.get("text")
    if isinstance(text, str):
        return _short(text)
    held = block.get("function")
    named = held if isinstance(held, dict) else block
    answers = block.get("tool_use_id") or block.get("tool_call_id")
    if answers or block.get("type") == "function_call_output":
        said = block.get("content", block.get("output"))
        return f"result of {_id(answers or block.get('call_id'))}: {_short(said)}"
    if "name" in named:
        arguments = named.get("input", named.get("arguments"))
        return f"-> {_id(named['name'])} {_id(block.get('call_id') or block.get('id'))} {_short(arguments)}"
    return _short(block)


def _id(value: JsonValue) -> str:
    shown = shorten(value_text(value), 60)
    return shown[1:-1] if isinstance(value, str) and shown[:1] == shown[-1:] else shown


def _short(value: JsonValue) -> str:
    return (
        value_text(shorten(value, _LENGTH)) if isinstance(value, str) else shorten(value_text(value), _LENGTH)
    )
