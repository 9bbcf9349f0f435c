"""Read the answer of a Chat Completions endpoint, whole or as a stream of deltas."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from grice.agents.errors import BadReturn
from grice.agents.event_stream import partial
from grice.agents.http_reply import body_text
from grice.agents.response import read_response
from grice.agents.sse import Event
from grice.identity import redact_text
from grice.records import AgentResponse, JsonValue, clean_json
from grice.text import value_text


def read_completion(body: JsonValue, hide: Callable[[str], str] = redact_text) -> AgentResponse:
    """The response in a completion: the first choice. Raises BadReturn when there is none."""
    choices = body.get("choices") if isinstance(body, Mapping) else None
    choice = choices[0] if isinstance(choices, list) and choices else None
    message = choice.get("message") if isinstance(choice, Mapping) else None
    if not isinstance(message, Mapping):
        raise BadReturn(f"the model's reply has no choices[0].message: {body_text(body, hide)}")
    metadata: dict[str, JsonValue] = {}
    if choice is not None and choice.get("finish_reason") in ("length", "content_filter"):
        metadata["finish_reason"] = choice["finish_reason"]
    text = message.get("content")
    if text is None and isinstance(message.get("refusal"), str):
        text = message["refusal"]
        metadata["refusal"] = True
    called = {name: message[name] for name in ("tool_calls", "function_call") if message.get(name)}
    read = read_response({"role": "assistant", "content": text, **called})
    return msgspec.structs.replace(read, metadata=metadata)


class Deltas:
    """Assembles a completion from its chunks. `ended` says whether the stream may end now."""

    def __init__(self) -> None:
        self.ended = False
        self._head: dict[str, JsonValue] = {}
        self._texts: list[str] = []
        self._refusals: list[str] = []
        self._calls: dict[int, dict[str, Any]] = {}
        self._finish: JsonValue = None
        self._usage: JsonValue = None

    @property
    def text(self) -> str:
        """The text so far."""
        return "".join(self._texts)

    @property
    def begun(self) -> bool:
        """Whether any of the answer has arrived."""
        return bool(self._texts or self._calls or self._refusals)

    @property
    def complete(self) -> bool:
        """Whether the model said that it has finished."""
        return self.ended or self._finish is not None

    def take(self, event: Event) -> None:
        """Take one event. Raises BadReturn for what is no chunk, and as `add` does."""
        if event.data.strip() == "[DONE]":
            self.ended = True
            return
        try:
            chunk = clean_json(msgspec.json.decode(event.data))
        except (msgspec.DecodeError, UnicodeError, RecursionError):
            chunk = None
        if not isinstance(chunk, dict):
            raise BadReturn(f"a chunk is no JSON object: {value_text(event.data)}{partial(self.text)}")
        self.add(chunk)

    def add(self, chunk: dict[str, Any]) -> None:
        """Take one chunk. Raises BadReturn for an error that it reports."""
        if chunk.get("error"):
            said = chunk["error"]
            said = said.get("message", said) if isinstance(said, dict) else said
            raise BadReturn(f"the stream reports an error: {value_text(said)}{partial(self.text)}")
        for name in ("id", "created", "model"):
            self._head.setdefault(name, chunk.get(name))
        self._usage = chunk.get("usage") or self._usage
        choices = chunk.get("choices") or []
        if choices and isinstance(choices[0], dict):
            self._finish = choices[0].get("finish_reason") or self._finish
            self._take_delta(choices[0].get("delta") or {})

    def _take_delta(self, delta: dict[str, Any]) -> None:
        if isinstance(delta.get("content"), str):
            self._texts.append(delta["content"])
        if isinstance(delta.get("refusal"), str):
            self._refusals.append(delta["refusal"])
        for part in delta.get("tool_calls") or ():
            function = part.get("function") or {}
            call = self._calls.setdefault(self._place_of(part), {"id": "", "name": "", "arguments": []})
            call["id"] = call["id"] or part.get("id") or ""
            call["name"] += function.get("name") or ""
            call["arguments"].append(function.get("arguments") or "")

    def _place_of(self, part: dict[str, Any]) -> int:
        """Which call a part belongs to; some servers number none, and then each id begins a new one."""
        index = part.get("index")
        if isinstance(index, int):
            return index
        last = len(self._calls) - 1
        begins = last < 0 or (part.get("id") and part["id"] != self._calls[last]["id"])
        return last + 1 if begins else last

    def body(self) -> dict[str, JsonValue]:
        """The completion as it would have come in one piece."""
        message: dict[str, JsonValue] = {"role": "assistant", "content": self.text or None}
        if self._refusals:
            message["refusal"] = "".join(self._refusals)
        calls = [
            {
                "id": call["id"],
                "type": "function",
                "function": {"name": call["name"], "arguments": "".join(call["arguments"])},
            }
            for _, call in sorted(self._calls.items())
        ]
        if calls:
            message["tool_calls"] = calls
        choice = {"index": 0, "message": message, "finish_reason": self._finish}
        head = {name: value for name, value in self._head.items() if value is not None}
        usage = {"usage": self._usage} if self._usage is not None else {}
        return {**head, "object": "chat.completion", "choices": [choice], **usage}
