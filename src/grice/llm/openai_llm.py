"""LLMs behind OpenAI's Chat Completions, and the endpoints that are compatible with it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import msgspec

from grice.llm.client import ModelClient, Usage, token_count, with_schema
from grice.llm.strict_schema import schema_title, strict_schema
from grice.records import JsonValue, LLMMetadata, LLMRequest, LLMResponse
from grice.text import did_you_mean, value_text

OWN_ADDRESS = "https://api.openai.com/v1"
MAX_TOKENS_FIELDS = ("max_completion_tokens", "max_tokens")


@dataclass(eq=False, repr=False)
class OpenAILLM(ModelClient):
    """A model behind Chat Completions; see ModelClient for what all clients have.

    `structured` is "json_schema", the provider's own, or for servers that have none "json_object" or
    "prompt": then the schema is put into the messages. `max_tokens_field` is the field for the tokens that
    the answer may have: at OpenAI "max_completion_tokens", elsewhere "max_tokens".
    """

    base_url: str = OWN_ADDRESS
    max_tokens_field: str | None = None

    provider: ClassVar[str] = "openai"
    key_variable: ClassVar[str] = "OPENAI_API_KEY"
    ways: ClassVar[tuple[str, ...]] = ("json_schema", "json_object", "prompt")

    def __post_init__(self) -> None:
        super().__post_init__()
        found = self.max_tokens_field
        if found is not None and found not in MAX_TOKENS_FIELDS:
            expected = " or ".join(map(repr, MAX_TOKENS_FIELDS))
            hint = did_you_mean(str(found), MAX_TOKENS_FIELDS)
            raise ValueError(f"max_tokens_field: expected {expected}, found {value_text(found)}{hint}")

    def _path(self) -> str:
        return "/chat/completions"

    def _credentials(self, key: str) -> dict[str, str]:
        return {"Authorization": f"Bearer {key}"} if key else {}

    def _body(self, request: LLMRequest) -> dict[str, JsonValue]:
        own = MAX_TOKENS_FIELDS[0 if self.base_url.rstrip("/") == OWN_ADDRESS else 1]
        body: dict[str, JsonValue] = {
            "model": self.model,
            "messages": list(request.messages),
            self.max_tokens_field or own: self.max_tokens or request.max_tokens,
        }
        if self.sampling:
            chosen = {"temperature": request.temperature, "seed": request.seed}
            body |= {name: value for name, value in chosen.items() if value is not None}
        if request.schema is None:
            return body
        if self.structured == "json_schema":
            name = schema_title(request.schema_name or request.purpose)
            schema = {"name": name, "strict": True, "schema": strict_schema(request.schema)}
            return {**body, "response_format": {"type": "json_schema", "json_schema": schema}}
        body["messages"] = with_schema(request.messages, request.schema)
        if self.structured == "json_object":
            body["response_format"] = {"type": "json_object"}
        return body

    def _response(self, body: Mapping[str, Any]) -> LLMResponse:
        choices = body.get("choices")
        choice = choices[0] if isinstance(choices, list) and choices else None
        message = choice.get("message") if isinstance(choice, dict) else None
        if not isinstance(choice, dict) or not isinstance(message, dict):
            self._refuse(f"no choices[0].message: {self._shown(body)}")
        text = _text(message.get("content"))
        if text is None:
            self._refuse(f"a choices[0].message.content that is no text: {self._shown(message)}")
        stop_reason, refusal = choice.get("finish_reason"), message.get("refusal")
        if stop_reason == "content_filter" and not refusal:
            refusal = "the provider's content filter stopped the answer"
        metadata = LLMMetadata(
            stop_reason=stop_reason if isinstance(stop_reason, str) else "",
            refusal=refusal if isinstance(refusal, str) else "",
        )
        return LLMResponse(text, msgspec.UNSET, metadata)

    def _usage(self, body: Mapping[str, Any]) -> Usage:
        usage = body.get("usage")
        told = usage if isinstance(usage, dict) else {}
        return Usage(token_count(told.get("prompt_tokens")), token_count(told.get("completion_tokens")))


def _text(content: object) -> str | None:
    """The text of a message: a text, nothing, or a list of parts with texts; None for anything else."""
    if content is None or isinstance(content, str):
        return content or ""
    if not isinstance(content, list):
        return None
    texts = [part.get("text", "") for part in content if isinstance(part, dict)]
    return "".join(texts) if all(isinstance(text, str) for text in texts) else None
