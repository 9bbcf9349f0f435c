"""The LLMs that Grice uses for this example, judge and user: the endpoint of the assistant's model."""

from __future__ import annotations

import os

from grice import OpenAILLM

from .model import MODEL


def llm() -> OpenAILLM:
    """The LLM at `VENUE_LLM_URL`, which is read only when something is asked."""
    return OpenAILLM(
        os.environ.get("VENUE_LLM_MODEL", MODEL),
        base_url="${env:VENUE_LLM_URL}",
        api_key=os.environ.get("VENUE_LLM_KEY", ""),
    )
