"""Requests to LLMs, and asking them from a test."""

import asyncio

import pytest

from grice import LLMError, LLMRequest

SCHEMA = {
    "type": "object",
    "properties": {
        "satisfied": {"type": "boolean"},
        "score": {"type": "integer", "minimum": 1, "maximum": 5, "description": "The points."},
    },
    "required": ["satisfied"],
}
MESSAGES = ({"role": "system", "content": "You judge."}, {"role": "user", "content": "Is it kind?"})
PLAIN = LLMRequest(MESSAGES, "user")
JUDGED = LLMRequest(MESSAGES, "criterion", "friendly", SCHEMA, "verdict")


class Waits(list):
    """Keeps how long was to be waited, and does not wait."""

    async def __call__(self, seconds):
        self.append(seconds)
        await asyncio.sleep(0)


def ask(llm, request=PLAIN):
    return asyncio.run(llm.ask(request))


def error_of(llm, request=PLAIN):
    with pytest.raises(LLMError) as caught:
        ask(llm, request)
    return str(caught.value)
