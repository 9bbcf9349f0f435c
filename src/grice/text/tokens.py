"""A rough count of the tokens of a text."""

from __future__ import annotations

BYTES_A_TOKEN = 4


def estimated_tokens(text: str | bytes) -> int:
    """About how many tokens a model counts in the text: one for every four bytes of UTF-8, rounded up.

    No tokenizer is asked: they differ from model to model. English prose comes out within a fifth or so.
    """
    size = len(text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text)
    return -(-size // BYTES_A_TOKEN)
