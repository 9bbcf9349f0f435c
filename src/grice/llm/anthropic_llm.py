"""LLMs behind Anthropic's Messages API."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import msgspec

from grice.llm.client import ModelClient, Usage, split_system, token_count, with_schema
from grice.llm.strict_schema import schema_title, strict_schema
from grice.records import JsonValue, LLMMetadata, LLMRequest, LLMResponse

OWN_ADDRESS = "https://api.anthropic.com"
VERSION = "2023-06-01"
_INPUT = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")


@dataclass(eq=False, repr=False)
class AnthropicLLM(ModelClient):
    """A model behind Messages; see ModelClient for what all clients have.

    `structured` is "json_schema", the output format that all current models have, "tool", a call that the
    model is forced to make, for older ones and gateways (models that always think refuse it), or "prompt":
    then the schema is put into the system prompt. There is no seed.
    """

    base_url: str = OWN_ADDRESS

    provider: ClassVar[str] = "anthropic"
    key_variable: ClassVar[str] = "ANTHROPIC_API_KEY"
    ways: ClassVar[tuple[str, ...]] = ("json_schema", "tool", "prompt")

    def _path(self) -> str:
        return "/messages" if self.base_url.rstrip("/").endswith("/v1") else "/v1/messages"

    def _credentials(self, key: str) -> dict[str, str]:
        return {"anthropic-version": VERSION} | ({"x-api-key": key} if key else {})

    def _body(self, request: LLMRequest) -> dict[str, JsonValue]:
        messages = request.messages
        if request.schema is not None and self.structured == "prompt":
            messages = tuple(with_schema(messages, request.schema))
        system, others = split_system(messages)
        if not others:  # there is no request without a message
            system, others = "", [{"role": "user", "content": system}]
        body: dict[str, JsonValue] = {
            "model": self.model,
            "max_tokens": self.max_tokens or request.max_tokens,
            "messages": others,
        }
        if system:
            body["system"] = system
        if self.sampling and request.temperature is not None:
            body["temperature"] = request.temperature
        return body if request.schema is None else {**body, **self._format(request, request.schema)}

    def _format(self, request: LLMRequest, schema: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
        if self.structured == "json_schema":
            return {"output_config": {"format": {"type": "json_schema", "schema": strict_schema(schema)}}}
        if self.structured == "prompt":
            return {}
        name = schema_title(request.schema_name or request.purpose)
        tool = {"name": name, "description": "Gives the answer.", "input_schema": strict_schema(schema)}
        return {"tools": [tool], "tool_choice": {"type": "tool", "name": name}}

    def _response(self, body: Mapping[str, Any]) -> LLMResponse:
        content = body.get("content")
        if not isinstance(content, list) or not all(isinstance(block, dict) for block in content):
            self._refuse(f"no content: {self._shown(body)}")
        texts = [block.get("text") for block in content if block.get("type") == "text"]
        if not all(isinstance(text, str) for text in texts):
            self._refuse(f"a text block without a text: {self._shown(content)}")
        text, parsed = "".join(texts), _tool_input(content)
        if parsed is not msgspec.UNSET:
            text = msgspec.json.encode(parsed).decode()
        stop_reason = body.get("stop_reason")
        metadata = LLMMetadata(
            stop_reason=stop_reason if isinstance(stop_reason, str) else "",
            refusal=_refusal(body, text) if stop_reason == "refusal" else "",
        )
        return LLMResponse(text, parsed, metadata)

    def _usage(self, body: Mapping[str, Any]) -> Usage:
        usage = body.get("usage")
        told = usage if isinstance(usage, dict) else {}
        asked = [token_count(told[name]) for name in _INPUT if told.get(name) is not None]
        known = [count for count in asked if count is not None]
        return Usage(sum(known) if known else None, token_count(told.get("output_tokens")))


def _tool_input(content: list[Any]) -> JsonValue | msgspec.UnsetType:
    """What the forced tool was called with; a list, which is no answer, where it was called several times."""
    inputs = [block.get("input") for block in content if block.get("type") == "tool_use"]
    return inputs if len(inputs) > 1 else inputs[0] if inputs else msgspec.UNSET


def _refusal(body: Mapping[str, Any], text: str) -> str:
    """What the model said, or else the provider, where it refused."""
    details = body.get("stop_details")
    explained = details.get("explanation") if isinstance(details, dict) else None
    return text or (explained if isinstance(explained, str) else "") or "the model refused to answer"
