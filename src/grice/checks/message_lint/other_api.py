"""Find what has the form of another API: single blocks, or a whole array."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from grice.checks.message_lint.finding import Dialect
from grice.checks.message_lint.lint_state import Scan
from grice.formats import FormatError
from grice.formats.detection import detect_format
from grice.records import JsonValue

_TEXT = "a text has the type text"
_IMAGE = "an image has the type image_url"
_INPUT_TEXT = "a text has the type input_text of the user and output_text of the assistant"
_FORMS: dict[Dialect, dict[str, str]] = {
    "anthropic": {
        **dict.fromkeys(("input_text", "output_text"), _TEXT),
        **dict.fromkeys(("image_url", "input_image"), "an image has the type image, with a source"),
        **dict.fromkeys(("input_file", "file"), "a file has the type document, with a source"),
        "tool-call": "a call is a tool_use block",
        "tool-result": "a result is a tool_result block in a user message",
    },
    "openai_chat": {
        **dict.fromkeys(("input_text", "output_text"), _TEXT),
        **dict.fromkeys(("image", "input_image"), _IMAGE),
        **dict.fromkeys(("input_file", "document"), "a file has the type file"),
        **dict.fromkeys(("tool_use", "tool-call"), "a call is in `tool_calls` of its assistant message"),
        **dict.fromkeys(
            ("tool_result", "tool-result"), "a result is a message of role tool with a tool_call_id"
        ),
    },
    "openai_responses": {
        "text": _INPUT_TEXT,
        **dict.fromkeys(("image", "image_url"), "an image has the type input_image"),
        **dict.fromkeys(("document", "file"), "a file has the type input_file"),
        **dict.fromkeys(("tool_use", "tool-call"), "a call is an item of type function_call"),
        **dict.fromkeys(("tool_result", "tool-result"), "a result is an item of type function_call_output"),
    },
}
_FORMATS = {
    "adk": "ADK's (Gemini's)",
    "langchain": "LangChain's",
    "otel": "OpenTelemetry's",
    "tau2": "tau2's",
}
_PAIRED = frozenset({"missing-tool-call-id", "missing-tool-result-id"})


def borrowed_part(scan: Scan, index: int, path: str, part: dict[str, Any]) -> str:
    """Keep the finding that a part has the form of another API, and give its type; "" when it has not.

    Its calls and results are read for the pairing.
    """
    kind = part.get("type")
    form = _FORMS[scan.dialect].get(kind) if isinstance(kind, str) else None
    if form is None or not isinstance(kind, str):
        return ""
    scan.foreign_block(index, path, f"a block of type {kind}", form)
    if kind in ("tool_use", "tool-call"):
        scan.foreign_call(part.get("id", part.get("toolCallId")), index, -1)
    elif kind in ("tool_result", "tool-result"):
        scan.answer(part.get("tool_use_id", part.get("toolCallId")))
    return kind


def refuse_format(messages: Sequence[Any]) -> None:
    """Raise FormatError for an array in a format that is read from logs and sent to no API."""
    known = _FORMATS.get(detect_format(messages))
    if known is not None:
        raise FormatError(f"{known} shape; convert it: grice.to_openai_chat(grice.read_conversation(...))")


def judge_array(scan: Scan, messages: Sequence[Any], *, asks: bool) -> None:
    """One finding in place of many where the whole array has one fault."""
    likely = _likely_api(messages)
    if likely:
        scan.findings = [one for one in scan.findings if one.index is None]
        scan.found("foreign-messages", 0, scan.path(0), f"messages in the shape of {likely}")
    elif not asks and scan.loose_calls and not scan.open and not scan.answered:
        calls = [one for one in scan.findings if one.rule == "missing-tool-call-id"]
        if calls and not any(id_ for _, _, id_ in scan.loose_results):
            scan.findings = [one for one in scan.findings if one.rule not in _PAIRED]
            found = f"no id in any of the {len(calls)} calls" if len(calls) > 1 else calls[0].found
            scan.found("missing-tool-call-id", calls[0].index, calls[0].path, found)


def _likely_api(messages: Sequence[Any]) -> str:
    """Which other API the messages are of; "" when none of them tells."""
    for message in messages:
        if not isinstance(message, dict):
            continue
        parts, content = message.get("parts"), message.get("content")
        if isinstance(parts, list) and any(isinstance(one, dict) for one in parts):
            typed = any(isinstance(one, dict) and "type" in one for one in parts)
            return "the Vercel AI SDK (UIMessage)" if typed else "Gemini"
        for block in content if isinstance(content, list | tuple) else ():
            if isinstance(block, dict) and _is_vercel(block):
                return "the Vercel AI SDK (ModelMessage)"
    return "Bedrock Converse" if all(map(_is_of_bedrock, messages)) else ""


def _is_of_bedrock(message: object) -> bool:
    content = message.get("content") if isinstance(message, dict) else None
    if not isinstance(content, list) or not content:
        return False
    return all(isinstance(block, dict) and _is_bedrock(block) for block in content)


def _is_bedrock(block: dict[str, Any]) -> bool:
    keys = ("toolUse", "toolResult", "text", "image", "document", "reasoningContent", "cachePoint")
    return "type" not in block and len(block) == 1 and any(key in block for key in keys)


def _is_vercel(block: dict[str, Any]) -> bool:
    kind: JsonValue = block.get("type")
    return kind in ("tool-call", "tool-result") and "toolCallId" in block
