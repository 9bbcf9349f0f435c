"""The assistant's model, behind any endpoint that speaks OpenAI Chat Completions."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, Protocol

import aiohttp

MODEL = "stand-in"
"""The name of the model where `VENUE_LLM_MODEL` gives none: the stand-in of this example, see `standins/`."""


class ModelError(Exception):
    """The endpoint gave no answer."""


class Model(Protocol):
    """Whatever answers the assistant's requests."""

    name: str

    async def complete(self, messages: Sequence[Any], tools: Sequence[Any]) -> dict[str, Any]:
        """The next message of the assistant, in the shape of OpenAI Chat. Raises ModelError."""
        ...


class Endpoint:
    """A model at `{url}/chat/completions`. The key may be empty."""

    def __init__(self, url: str, key: str = "", name: str = MODEL, timeout: float = 60) -> None:
        self.url = url.rstrip("/")
        self.name = name
        self.headers = {"Authorization": f"Bearer {key}"} if key else {}
        self.timeout = aiohttp.ClientTimeout(total=timeout)

    async def complete(self, messages: Sequence[Any], tools: Sequence[Any]) -> dict[str, Any]:
        """The next message of the assistant. Raises ModelError."""
        body = {"model": self.name, "messages": list(messages), "tools": list(tools)}
        try:
            async with (
                aiohttp.ClientSession(timeout=self.timeout, headers=self.headers) as session,
                session.post(f"{self.url}/chat/completions", json=body) as reply,
            ):
                if reply.status != 200:
                    raise ModelError(f"{self.url}: {reply.status} {(await reply.text())[:300]}")
                answer: dict[str, Any] = (await reply.json())["choices"][0]["message"]
                return answer
        except (aiohttp.ClientError, TimeoutError, ValueError, LookupError) as error:
            raise ModelError(f"{self.url}: {type(error).__name__}: {error}") from error


def endpoint_of_environment() -> Endpoint:
    """The endpoint that `VENUE_LLM_URL` names, with `VENUE_LLM_MODEL` and `VENUE_LLM_KEY` where they are set.

    Raises ModelError when there is none.
    """
    url = os.environ.get("VENUE_LLM_URL", "")
    if not url:
        raise ModelError(
            "set VENUE_LLM_URL to an OpenAI-compatible endpoint, such as http://127.0.0.1:11434/v1; "
            "the tests of this example need none, they replay cassettes"
        )
    return Endpoint(url, os.environ.get("VENUE_LLM_KEY", ""), os.environ.get("VENUE_LLM_MODEL", MODEL))
