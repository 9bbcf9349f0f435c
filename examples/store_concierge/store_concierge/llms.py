"""The LLM that judges: any endpoint that speaks Chat Completions. The concierge itself has no model."""

from __future__ import annotations

import os

from grice import OpenAILLM

MODEL = "stand-in"
"""The name of the judge where `STORE_JUDGE_MODEL` gives none: the rules in `standin_judge.py`."""


def llm() -> OpenAILLM:
    """The LLM at `STORE_JUDGE_URL`, which is read only when something is asked."""
    return OpenAILLM(
        os.environ.get("STORE_JUDGE_MODEL", MODEL),
        base_url="${env:STORE_JUDGE_URL}",
        api_key=os.environ.get("STORE_JUDGE_KEY", ""),
    )
