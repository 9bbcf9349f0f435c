"""Read the answer of an HTTP endpoint: by paths, or by the usual shapes."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from grice.agents.errors import BadReturn
from grice.agents.response import (
    CALL_ALIASES,
    CALL_FIELDS,
    read_response,
    read_tool_call,
    refuse_lookalikes,
)
from grice.identity import redact_text
from grice.matching.paths import PathError, compile_path, find
from grice.records import AgentResponse, JsonValue, ToolCall, clean_json
from grice.text import did_you_mean, shorten, value_text
from grice.wire.http import Answer, Request, excerpt

FIELDS = ("text", "tool_calls", "data")
TEXT_FIELDS = ("text", "reply", "response", "answer", "message", "content", "output", "output_text")
MAX_BODY_SHOWN = 500


def check_paths(paths: Mapping[str, Any], field: str, known: tuple[str, ...] = FIELDS) -> None:
    """Raise ValueError for paths that are none, or of fields that are not known."""
    if not isinstance(paths, Mapping):
        raise ValueError(f"{field}: expected paths such as {{'text': '$.reply'}}, found {value_text(paths)}")
    for name, path in paths.items():
        if name not in known:
            expected = ", ".join(known)
            raise ValueError(
                f"{field}: unknown field {name!r}{did_you_mean(name, known)}; known are {expected}"
            )
        if not isinstance(path, str):
            raise ValueError(f"{field}.{name}: expected a path, found {value_text(path)}")
        try:
            compile_path(path)
        except PathError as error:
            raise ValueError(f"{field}.{name}: {error}") from None


def parsed(request: Request, answer: Answer, hide: Callable[[str], str]) -> JsonValue:
    """The body as JSON; plain text as a text. Raises BadReturn for anything else."""
    value: JsonValue = None
    readable = True
    try:
        value = clean_json(json.loads(answer.body))  # it also takes NaN and lone surrogates, which some send
    except (ValueError, RecursionError):
        readable = False
    plain = answer.content_type.startswith("text/") and answer.content_type != "text/html"
    if plain and not isinstance(value, dict | list):
        return answer.body.decode("utf-8", "replace")
    if not readable:
        raise BadReturn(
            f"POST {request.shown} answered {answer.status} with {answer.content_type} that is not JSON: "
            f"{excerpt(answer, hide)}"
        )
    return value


def read_by_paths(
    body: JsonValue, paths: Mapping[str, str], hide: Callable[[str], str] = redact_text
) -> AgentResponse:
    """The response that the paths find. Raises BadReturn when they find neither a text nor a call."""
    wanted = {name: path for name, path in paths.items() if name in ("text", "tool_calls")}
    found = {name: find(path, body) for name, path in paths.items()}
    if wanted and not any(found[name] for name in wanted):
        named = " and ".join(f"{path!r} ({name})" for name, path in wanted.items())
        raise BadReturn(f"{named} found nothing in the body {body_text(body, hide)}")
    data = found.get("data", [])
    return AgentResponse(
        text=text_at(found.get("text", []), paths.get("text", "")),
        tool_calls=tuple(read_call(item) for item in _flat(found.get("tool_calls", []))),
        data=clean_json(data[0] if len(data) == 1 else data or None),
    )


def text_at(found: list[JsonValue], path: str) -> str:
    """The text at a path, several values one a line. Raises BadReturn for what is no text."""
    for value in found:
        if value is not None and not isinstance(value, str):
            raise BadReturn(f"{path!r} (text) found {value_text(value)}, expected a text")
    return "\n".join(value for value in found if value is not None)


def read_call(item: JsonValue) -> ToolCall:
    """Read a tool call in a body, whatever stands beside it. Raises BadReturn when it has no name."""
    if isinstance(item, Mapping):
        item = {name: item[name] for name in (*CALL_FIELDS, *CALL_ALIASES) if name in item} or item
    return read_tool_call(item)


def read_plain(body: JsonValue, hide: Callable[[str], str] = redact_text) -> AgentResponse:
    """Read the response in a body of a usual shape.

    That is a text; an object with one of `text`, `reply`, `response`, `answer`, `message`, `content` and
    `output`, perhaps with `tool_calls` and `data`; a message with `role` and `content`; or OpenAI's
    `choices`. Raises BadReturn for anything else, with the body.
    """
    if isinstance(body, str):
        return AgentResponse(body)
    if not isinstance(body, Mapping):
        raise BadReturn(_unreadable(body, hide))
    message = _message_of(body)
    if message is not None:
        return read_response(message)
    refuse_lookalikes(body, "the body")
    texts = {name: body[name] for name in TEXT_FIELDS if isinstance(body.get(name), str)}
    calls = body.get("tool_calls")
    if len(texts) != 1 and not (calls and not texts):
        raise BadReturn(_unreadable(body, hide))
    return AgentResponse(
        text=next(iter(texts.values()), ""),
        tool_calls=tuple(read_call(item) for item in _flat([calls] if calls else [])),
        data=clean_json(body.get("data")),
    )


def body_text(body: JsonValue, hide: Callable[[str], str]) -> str:
    """A body for a message; secrets are hidden before it is cut, which could leave half of one."""
    return shorten(hide(msgspec.json.encode(body).decode()), MAX_BODY_SHOWN)


def _message_of(body: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The message that the body is, or holds as Chat Completions and their relatives do."""
    choices = body.get("choices")
    if isinstance(choices, list) and choices and isinstance(choices[0], Mapping):
        body = choices[0]
    for one in (body.get("message"), body):
        if isinstance(one, Mapping) and "role" in one and ("content" in one or "tool_calls" in one):
            return {"content": None, **one}
    return None


def _flat(found: list[JsonValue]) -> list[JsonValue]:
    """The calls: a path may name the list, or its items. Raises BadReturn for what is neither."""
    if len(found) == 1 and (found[0] is None or isinstance(found[0], list)):
        found = found[0] or []
    for item in found:
        if not isinstance(item, Mapping):
            raise BadReturn(f"a tool call is an object with a name, found {value_text(item)}")
    return found


def _unreadable(body: JsonValue, hide: Callable[[str], str]) -> str:
    return (
        f"the body has no text that can be told from the rest: {body_text(body, hide)}; "
        'say where it is: in a file with response = {text = "$.reply.text"}, in Python with '
        'response={"text": "$.reply.text"}'
    )
