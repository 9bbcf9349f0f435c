"""`grice.lint_messages`: which dialect an array has, and one pass over it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, get_args

import msgspec

from grice.checks.context import MessageArray
from grice.checks.message_lint.anthropic import read_anthropic
from grice.checks.message_lint.asking import judge_asking
from grice.checks.message_lint.finding import Dialect, LintFinding
from grice.checks.message_lint.inputs import judge_nested
from grice.checks.message_lint.openai import read_chat, read_responses
from grice.checks.message_lint.order import judge_order, judge_pairs
from grice.checks.message_lint.scan import ForeignObject, Scan, kind_of
from grice.records import Exchange, JsonValue, clean_json
from grice.text import did_you_mean

__all__ = ["DIALECTS", "array_of", "lint", "lint_messages"]

DIALECTS: tuple[Dialect, ...] = get_args(Dialect)

_READERS = {"anthropic": read_anthropic, "openai_chat": read_chat, "openai_responses": read_responses}
_STORED = ("previous_response_id", "conversation", "prompt")
_ASKING = ("max_tokens", "max_completion_tokens", "max_output_tokens", "tools", "tool_choice", "stream")
_NO_REQUEST: dict[str, JsonValue] = {}


def lint_messages(
    subject: Exchange | Mapping[str, JsonValue] | MessageArray,
    *,
    dialect: Dialect | None = None,
    user: str | None = None,
) -> tuple[LintFinding, ...]:
    """What is wrong with a message array: what a provider rejects, and what misleads a model.

    `subject` is a request (an Exchange or its body, with `messages` or `input`) or the array alone, in the
    shape of Anthropic, OpenAI Chat or OpenAI Responses: `dialect` names it, else the content tells. `user` is
    what the user said in this turn; with it a request is also judged on whether the model sees that. Raises
    TypeError for another subject and ValueError for an unknown dialect.
    """
    if dialect is not None and dialect not in DIALECTS:
        hint = did_you_mean(dialect, DIALECTS) if isinstance(dialect, str) else ""
        raise ValueError(f"unknown dialect {dialect!r}{hint}; expected one of {', '.join(DIALECTS)}")
    return lint(subject, dialect, user)


def lint(
    subject: object,
    dialect: Dialect | None = None,
    user: str | None = None,
    calls: Collection[str] | None = None,
) -> tuple[LintFinding, ...]:
    """The same; `calls` are the ids of this turn's tool calls where they are known."""
    try:
        if isinstance(subject, Exchange):
            return _lint_exchange(subject, dialect, user, calls)
        if isinstance(subject, Mapping):
            return _lint_request(subject, dialect, user, calls, asks=_asks(subject))
        if isinstance(subject, Sequence) and not isinstance(subject, str | bytes):
            told = dialect or _told_by(subject) or "openai_chat"
            return _lint_array(subject, "", _NO_REQUEST, told, user, calls)
    except ForeignObject:
        if isinstance(subject, Exchange):
            subject = msgspec.structs.replace(subject, request=clean_json(subject.request))
            return _lint_exchange(subject, dialect, user, calls)
        return lint(clean_json(subject), dialect, user, calls)
    raise TypeError(f"a request or a list of messages is linted, found {type(subject).__name__}")


def _lint_exchange(
    exchange: Exchange, dialect: Dialect | None, user: str | None, calls: Collection[str] | None
) -> tuple[LintFinding, ...]:
    if exchange.dialect == "openai_embeddings":
        return ()
    named = dialect or _named(exchange.dialect)
    return _lint_request(exchange.request, named, user, calls, asks=True, fallback="anthropic")


def _named(dialect: str) -> Dialect | None:
    """The dialect that an exchange names; its default tells nothing against the content."""
    return next((one for one in DIALECTS if one == dialect != "anthropic"), None)


def _asks(request: Mapping[str, JsonValue]) -> bool:
    """Whether a mapping is a request for a reply, and not a logged conversation."""
    return any(key in request for key in _ASKING) or ("model" in request and "id" not in request)


def array_of(request: Mapping[str, JsonValue]) -> tuple[str, JsonValue]:
    """The message array of a request as it is, and the field that holds it."""
    base = "messages" if request.get("messages") is not None or "input" not in request else "input"
    held = request.get(base)
    return base, [{"role": "user", "content": held}] if base == "input" and isinstance(held, str) else held


def _lint_request(
    request: Mapping[str, JsonValue],
    dialect: Dialect | None,
    user: str | None,
    calls: Collection[str] | None,
    *,
    asks: bool,
    fallback: Dialect = "openai_chat",
) -> tuple[LintFinding, ...]:
    base, messages = array_of(request)
    if base == "input" and ("encoding_format" in request or "embedding" in str(request.get("model"))):
        return ()  # texts to embed
    if isinstance(messages, list | tuple) and messages:
        chosen = dialect or _dialect_of(request, base, messages) or fallback
        return _lint_array(messages, base, request, chosen, user, calls, asks=asks)
    scan = Scan(dialect or _dialect_of(request, base, ()) or fallback, base, request, user, calls)
    if messages is None or isinstance(messages, list | tuple):
        if not any(request.get(key) for key in _STORED):
            found = f"`{base}` is {kind_of(messages)}" if base in request else f"no `{base}`"
            scan.found("no-messages", None, base, found)
    else:
        scan.foreign(messages)
        scan.found("messages-not-list", None, base, kind_of(messages))
    return tuple(scan.findings)


def _lint_array(
    messages: Sequence[Any],
    base: str,
    request: Mapping[str, JsonValue],
    dialect: Dialect,
    user: str | None,
    calls: Collection[str] | None,
    *,
    asks: bool = False,
) -> tuple[LintFinding, ...]:
    base = base or ("input" if dialect == "openai_responses" else "messages")
    scan = Scan(dialect, base, request, user, calls)
    if not messages:
        scan.found("no-messages", None, base, "an empty list")
        return tuple(scan.findings)
    _READERS[dialect](scan, messages)
    begins = dialect != "openai_responses" or not _refers_back(request, messages)
    if scan.open or scan.loose_calls or scan.loose_results:
        judge_pairs(scan, begins=begins)
    if begins:
        judge_asking(scan, asks=asks)
    judge_order(scan, asks=asks, begins=begins)
    if scan.nested:
        judge_nested(scan)
    if not scan.findings:
        return ()
    return tuple(sorted(scan.findings, key=lambda one: -1 if one.index is None else one.index))


def _refers_back(request: Mapping[str, JsonValue], items: Sequence[Any]) -> bool:
    """Whether a Responses request has more before it than it says."""
    return any(request.get(key) for key in _STORED) or any(
        isinstance(item, dict) and item.get("type") in ("item_reference", "compaction") for item in items
    )


_BLOCKS: dict[object, Dialect] = {
    **dict.fromkeys(("tool_use", "tool_result", "server_tool_use", "mcp_tool_use"), "anthropic"),
    **dict.fromkeys(("thinking", "redacted_thinking", "document", "image"), "anthropic"),
    **dict.fromkeys(("input_text", "output_text", "input_image", "input_file"), "openai_responses"),
    **dict.fromkeys(("image_url", "input_audio", "file"), "openai_chat"),
}


def _told_by(messages: Sequence[Any]) -> Dialect | None:
    """The dialect that the first telling thing in the array is of."""
    for message in messages:
        if message.__class__ is not dict:
            continue
        content = message.get("content")
        if content.__class__ is list:
            for block in content:
                if block.__class__ is dict:
                    told = _BLOCKS.get(block["type"]) if block.get("type").__class__ is str else None
                    if told is not None:
                        return told
        if "tool_calls" in message or "tool_call_id" in message or message.get("role") == "tool":
            return "openai_chat"
        if "type" in message and isinstance(message["type"], str) and "stop_reason" not in message:
            return "openai_responses"
    return None


def _dialect_of(request: Mapping[str, JsonValue], base: str, messages: Sequence[Any]) -> Dialect | None:
    """The dialect of a request, from its array, else from its other fields."""
    if base == "input" or "instructions" in request:
        return "openai_responses"
    told = _told_by(messages)
    if told is None and ("system" in request or "stop_sequences" in request):
        return "anthropic"
    if told is None:
        tools = request.get("tools")
        for tool in tools if isinstance(tools, list) else ():
            if isinstance(tool, dict) and "input_schema" in tool:
                return "anthropic"
            if isinstance(tool, dict) and "function" in tool:
                return "openai_chat"
    return told
