"""Assemble the body of a streamed reply from its events."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import msgspec

from grice.wire.openai_chat import DONE

_END = re.compile(rb"\r?\n\r?\n")
_LAST = {"message_stop", "response.completed", "response.incomplete", "response.failed"}


class EventSplitter:
    """Cuts the bytes of a stream into its events, each with the blank line after it."""

    def __init__(self) -> None:
        self.rest = b""
        """What has no blank line behind it yet."""

    def add(self, chunk: bytes) -> Iterator[bytes]:
        """The events that are complete with this chunk."""
        self.rest += chunk
        begun = 0
        for found in _END.finditer(self.rest):
            yield self.rest[begun : found.end()]
            begun = found.end()
        self.rest = self.rest[begun:]


class Assembly:
    """The events of one stream in a dialect. `wrong` says what was wrong in it, "" when nothing was.

    `ended` says whether the event came with which the dialect ends a reply.
    """

    def __init__(self, dialect: str) -> None:
        self.wrong = ""
        self.ended = False
        self._events: list[dict[str, Any]] = []
        self._body = _BODIES[dialect]

    def add(self, event: bytes) -> None:
        """Read one event; comments and events without data say nothing."""
        lines = event.decode("utf-8", "replace").splitlines()
        data = "\n".join(line[5:].removeprefix(" ") for line in lines if line.startswith("data:"))
        if data.strip() == DONE:
            self.ended = True
        elif data:
            try:
                said = msgspec.json.decode(data)
            except (ValueError, RecursionError):
                self.wrong = self.wrong or "an event of the stream is not JSON"
                return
            if isinstance(said, dict):
                self._read(said)

    def _read(self, said: dict[str, Any]) -> None:
        self._events.append(said)
        self.ended = self.ended or said.get("type") in _LAST
        response = said.get("response")
        error = said.get("error") or (response.get("error") if isinstance(response, dict) else None)
        if error or said.get("type") == "error":
            told = error.get("message", error) if isinstance(error, dict) else error or said.get("message")
            self.wrong = self.wrong or f"the stream ended with an error: {told}"

    def body(self) -> dict[str, Any] | None:
        """The body of the whole reply; None when the stream broke off, or is not of the dialect."""
        try:
            return self._body(self._events)
        except (KeyError, IndexError, TypeError, AttributeError, ValueError):
            return None


def _chat(events: list[dict[str, Any]]) -> dict[str, Any] | None:
    choices: dict[int, dict[str, Any]] = {}
    usage = None
    for chunk in events:
        usage = chunk.get("usage") or usage
        for part in chunk.get("choices") or ():
            number = part.get("index", 0)
            choice = choices.setdefault(number, {"index": number, "message": {}, "finish_reason": None})
            _add_delta(choice["message"], part.get("delta") or {})
            if "logprobs" in part:
                choice["logprobs"] = _joined(choice.get("logprobs"), part["logprobs"])
            choice["finish_reason"] = part.get("finish_reason") or choice["finish_reason"]
    if not choices or any(choice["finish_reason"] is None for choice in choices.values()):
        return None
    for choice in choices.values():
        choice["message"].setdefault("role", "assistant")
        choice["message"].setdefault("content", None)
    head = {name: value for name, value in events[0].items() if name not in ("choices", "usage", "object")}
    body = {**head, "object": "chat.completion", "choices": [choices[one] for one in sorted(choices)]}
    return body | ({"usage": usage} if usage else {})


def _joined(known: dict[str, Any] | None, more: dict[str, Any] | None) -> dict[str, Any] | None:
    """The log probabilities of a reply with those of one more chunk."""
    if not known or not more:
        return known or more
    return known | {name: [*(known.get(name) or ()), *(told or ())] for name, told in more.items()}


def _add_delta(message: dict[str, Any], delta: Mapping[str, Any]) -> None:
    """Add what a chunk says: texts go behind the text that is there, calls to the call of their number."""
    for name, value in delta.items():
        if name == "tool_calls":
            calls = message.setdefault("tool_calls", [])
            for part in value or ():
                place = part.get("index", len(calls))
                while len(calls) <= place:
                    calls.append({"id": "", "type": "function", "function": {"name": "", "arguments": ""}})
                call, function = calls[place], part.get("function") or {}
                call["id"] = part.get("id") or call["id"]
                call["function"]["name"] += function.get("name") or ""
                call["function"]["arguments"] += function.get("arguments") or ""
        elif name == "role":
            message["role"] = value or message.get("role")
        elif isinstance(value, str):
            message[name] = (message.get(name) or "") + value
        elif value is not None or name not in message:
            message[name] = value


_PIECES = {
    "text_delta": "text",
    "thinking_delta": "thinking",
    "signature_delta": "signature",
    "input_json_delta": "partial_json",
}


def _anthropic(events: list[dict[str, Any]]) -> dict[str, Any] | None:
    body: dict[str, Any] = {}
    blocks: dict[int, dict[str, Any]] = {}
    whole = False
    for event in events:
        match event.get("type"):
            case "message_start":
                body = dict(event["message"])
            case "content_block_start":
                blocks[event["index"]] = dict(event["content_block"])
            case "content_block_delta":
                _add_piece(blocks[event["index"]], event["delta"])
            case "message_delta":
                body |= event["delta"]
                body["usage"] = {**body.get("usage", {}), **(event.get("usage") or {})}
            case "message_stop":
                whole = True
    content = [_finished(blocks[place]) for place in sorted(blocks)]
    return {**body, "content": content} if whole else None


def _add_piece(block: dict[str, Any], delta: Mapping[str, Any]) -> None:
    name = _PIECES.get(delta["type"])
    if name is not None:
        block[name] = block.get(name, "") + delta[name]
    elif delta["type"] == "citations_delta":
        block["citations"] = [*(block.get("citations") or ()), delta["citation"]]


def _finished(block: dict[str, Any]) -> dict[str, Any]:
    """A block whose input came in pieces; one that is no JSON stays a text."""
    text = block.pop("partial_json", None)
    if text:
        try:
            block["input"] = msgspec.json.decode(text)
        except (ValueError, RecursionError):
            block["input"] = text
    return block


def _responses(events: list[dict[str, Any]]) -> dict[str, Any] | None:
    last = events[-1]
    return last["response"] if last.get("type") in _LAST else None


_BODIES: dict[str, Callable[[list[dict[str, Any]]], dict[str, Any] | None]] = {
    "openai_chat": _chat,
    "anthropic": _anthropic,
    "openai_responses": _responses,
}
