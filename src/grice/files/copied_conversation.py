"""A conversation that was held, as the text of a golden or of a suite, to be pasted and gone on with.

Its replies are scripted as they came, and every turn has one check: that the reply is the same.
"""

from __future__ import annotations

import json
import re
from typing import Any

import msgspec
import yaml
from msgspec import UNSET

from grice.records import JsonValue, Message, Result, ToolCall, Turn

_NOT_ID = re.compile(r"[^A-Za-z0-9_-]+")


def as_golden(result: Result) -> str:
    """The conversation as a golden file, JSON."""
    turns = [_golden_turn(one) for one in result.conversation.turns]
    golden: dict[str, Any] = {"id": _id(result), "description": result.description, "turns": turns}
    return json.dumps(golden, indent=2, ensure_ascii=False) + "\n"


def as_suite(result: Result) -> str:
    """The conversation as a suite file, YAML."""
    scenario = {
        "id": _id(result),
        **({"description": result.description} if result.description else {}),
        "turns": [_suite_turn(one) for one in result.conversation.turns],
    }
    text = yaml.safe_dump({"scenarios": [scenario]}, sort_keys=False, allow_unicode=True, width=100)
    return str(text)


def _id(result: Result) -> str:
    return _NOT_ID.sub("-", result.key).strip("-")[:100] or "conversation"


def _replies(turn: Turn) -> list[Message]:
    """What the agent said, each with its calls; one without either stands for a turn without a reply."""
    said = [one for one in turn.messages if one.role == "assistant" and (one.content or one.tool_calls)]
    unsaid = [
        one for one in turn.tool_calls if one not in [call for each in said for call in each.tool_calls]
    ]
    if unsaid:
        said.insert(0, Message("assistant", "", tool_calls=tuple(unsaid)))
    return said or [Message("assistant", "")]


def _golden_turn(turn: Turn) -> dict[str, Any]:
    number, replies = 0, []
    results: list[dict[str, JsonValue]] = []
    for place, one in enumerate(_replies(turn)):
        blocks: list[dict[str, Any]] = [{"type": "text", "text": one.content}] if one.content else []
        answers: dict[str, JsonValue] = {}
        for call in one.tool_calls:
            number += 1
            id_ = call.id or f"call_{turn.number}_{number}"
            blocks.append({"type": "tool_use", "id": id_, "name": call.name, "input": call.arguments})
            answers[id_] = _answer(call)
        step = "chat" if place == 0 else "tool-result"
        stop = "tool_use" if one.tool_calls else "end_turn"
        replies.append({"step": step, "content": blocks, "stop_reason": stop})
        if answers:
            results.append(answers)
    return {
        "userMessage": turn.user,
        "mockLlmResponses": replies,
        **({"toolExecResult": results} if results else {}),
        "assertions": {"finalText": {"equals": turn.text}},
    }


def _answer(call: ToolCall) -> JsonValue:
    if call.error is not None:
        return {"success": False, "error": call.error}
    return {"success": True, "result": _plain(call.result)}


def _suite_turn(turn: Turn) -> dict[str, Any]:
    model, tools = [], {}
    for one in _replies(turn):
        calls = [{"tool": call.name, "arguments": call.arguments} for call in one.tool_calls]
        model.append([*([one.content] if one.content else []), *calls] if calls else one.content)
        for call in one.tool_calls:
            tools[call.name] = {"error": str(call.error)} if call.error else {"result": _plain(call.result)}
    return {
        "say": turn.user,
        "model": model,
        **({"tools": tools} if tools else {}),
        "expect": [{"on": "reply", "matcher": "toEqual", "expected": turn.text}],
    }


def _plain(value: object) -> Any:
    return None if value is UNSET else msgspec.to_builtins(value)
