"""The model behind the assistant: Anthropic's Messages API over HTTP."""

from __future__ import annotations

import json
import os
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.client import HTTPException
from typing import Any

Transport = Callable[[dict[str, Any]], dict[str, Any]]
"""Answers one request to the model with its reply. Raises ModelError when there is none."""

DEFAULT_BASE_URL = "https://api.anthropic.com"
API_VERSION = "2023-06-01"
EXCERPT_LENGTH = 500


class ModelError(Exception):
    """The model gave no usable reply."""


@dataclass(frozen=True)
class AnthropicModel:
    """A client for `POST {base_url}/v1/messages`. `timeout` is in seconds. It does not retry."""

    api_key: str = field(default="", repr=False)
    base_url: str = DEFAULT_BASE_URL
    timeout: float = 60.0

    @classmethod
    def from_env(cls, environ: Mapping[str, str] | None = None) -> AnthropicModel:
        """The client for `ANTHROPIC_BASE_URL` and `ANTHROPIC_API_KEY`."""
        environ = os.environ if environ is None else environ
        return cls(
            api_key=environ.get("ANTHROPIC_API_KEY", ""),
            base_url=environ.get("ANTHROPIC_BASE_URL") or DEFAULT_BASE_URL,
        )

    def __call__(self, request: dict[str, Any]) -> dict[str, Any]:
        return self.create(**request)

    def create(self, **request: Any) -> dict[str, Any]:
        """The model's reply. Raises ModelError with the status and the beginning of the body."""
        body = self._post(json.dumps(request).encode())
        try:
            reply = json.loads(body)
        except ValueError as error:
            raise ModelError(f"the model's reply is not JSON: {_excerpt(body)}") from error
        if not isinstance(reply, dict):
            raise ModelError(f"the model's reply is not a JSON object: {_excerpt(body)}")
        return reply

    def _post(self, body: bytes) -> bytes:
        url = self.base_url.rstrip("/") + "/v1/messages"
        if not url.startswith(("http://", "https://")):
            raise ModelError(f"the model's address must begin with http:// or https://: {url}")
        request = urllib.request.Request(url, data=body, headers=self._headers(), method="POST")
        try:
            with urllib.request.urlopen(request, timeout=self.timeout) as response:
                content: bytes = response.read()
                return content
        except urllib.error.HTTPError as error:
            with error:
                raise ModelError(f"the model answered {error.code}: {_excerpt(error.read())}") from error
        except (OSError, HTTPException) as error:
            raise ModelError(f"no answer from the model at {url}: {error}") from error

    def _headers(self) -> dict[str, str]:
        headers = {"content-type": "application/json", "anthropic-version": API_VERSION}
        return headers | ({"x-api-key": self.api_key} if self.api_key else {})


def _excerpt(body: bytes) -> str:
    text = body.decode("utf-8", errors="replace").strip()
    return text[:EXCERPT_LENGTH] + "…" if len(text) > EXCERPT_LENGTH else text or "(empty body)"
