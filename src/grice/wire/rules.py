"""Rules for a model without a fixed script: its reply depends on the last message."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from grice.formats import FormatError, read_message
from grice.matching.patterns import compile_pattern, search
from grice.records import Exchange, JsonValue
from grice.wire.errors import UnscriptedRequest
from grice.wire.replies import Fault, ModelReply, ToolUse


class Rule(msgspec.Struct, frozen=True):
    """One rule: `reply` is given when it fits.

    `when` fits a last message of the user, `when_result` a last message with a tool's result, both as RE2
    patterns; a rule with neither fits everything. In the reply's texts `${user}` stands for what the user
    said last, `${result}` for the tool's result.
    """

    reply: ModelReply | Fault
    when: str | None = None
    when_result: str | None = None


ECHO = (
    Rule(ModelReply(("The tool said: ${result}",)), when_result=""),
    Rule(ModelReply(("You said: ${user}",))),
)
"""The rules of a model that repeats what it was told."""


def answer_by(rules: Sequence[Rule]) -> Callable[[Exchange], ModelReply | Fault]:
    """Make a function for `ScriptedModel(otherwise=...)` that gives the reply of the first rule that fits.

    Raises PatternError for a pattern that is none. The function raises UnscriptedRequest when none fits.
    """
    for rule in rules:
        for pattern in (rule.when, rule.when_result):
            if pattern is not None:
                compile_pattern(pattern, "i")

    def answer(exchange: Exchange) -> ModelReply | Fault:
        user, result = _last_said(exchange)
        for rule in rules:
            if _fits(rule, user, result):
                return _filled(rule.reply, user, result or "")
        what = "a tool's result" if result is not None else "a user message"
        raise UnscriptedRequest(f"no rule fits a request that ends with {what}")

    return answer


def _fits(rule: Rule, user: str, result: str | None) -> bool:
    if rule.when is None and rule.when_result is None:
        return True
    pattern, text = (rule.when, user) if result is None else (rule.when_result, result)
    return pattern is not None and search(pattern, "i", text) is not None


def _last_said(exchange: Exchange) -> tuple[str, str | None]:
    """The user's last message, and the result of a tool when that came after it."""
    user, result = "", None
    for raw in exchange.messages:
        try:
            messages = read_message(raw)
        except FormatError:
            continue
        for message in messages:
            if message.role == "user" and not message.metadata.get("beside_results"):
                user, result = message.content, None
            elif message.role == "tool":
                result = message.content
    return user, result


def _filled(reply: ModelReply | Fault, user: str, result: str) -> ModelReply | Fault:
    if isinstance(reply, Fault):
        return reply
    return msgspec.structs.replace(reply, parts=tuple(_part(part, user, result) for part in reply.parts))


def _part(part: Any, user: str, result: str) -> Any:
    if isinstance(part, ToolUse):
        return ToolUse(part.name, _value(part.input, user, result), part.id)
    return _value(part, user, result)


def _value(value: JsonValue, user: str, result: str) -> JsonValue:
    if isinstance(value, str):
        before, mark, after = value.partition("${user}")
        if mark:  # what was said is not read as a template again
            return str(_value(before, user, result)) + user + str(_value(after, user, result))
        return value.replace("${result}", result)
    if isinstance(value, dict):
        return {name: _value(held, user, result) for name, held in value.items()}
    return [_value(held, user, result) for held in value] if isinstance(value, list) else value
