"""The OpenAI Embeddings dialect: vectors made of the words of a text, the same on every machine."""

from __future__ import annotations

import base64
import hashlib
import math
import re
import struct
from collections.abc import Mapping
from functools import lru_cache

from grice.records import JsonValue
from grice.text import estimated_tokens, fold

DIMENSIONS = 1_536
MOST_DIMENSIONS = 8_192
MOST_INPUTS = 2_048
_WORD = re.compile(r"\w+")


class BadEmbeddingRequest(ValueError):
    """An embeddings request that no provider would answer."""


def embeddings_body(request: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """The reply to an embeddings request.

    Each vector has length 1, and texts that share words lie close together. Texts of token ids are taken as
    they are. Raises BadEmbeddingRequest that says what is wrong.
    """
    inputs = _inputs(request.get("input"))
    dimensions = request.get("dimensions", DIMENSIONS)
    if (
        isinstance(dimensions, bool)
        or not isinstance(dimensions, int)
        or not 1 <= dimensions <= MOST_DIMENSIONS
    ):
        raise BadEmbeddingRequest(f"dimensions is from 1 to {MOST_DIMENSIONS}, found {dimensions!r}")
    as_text = request.get("encoding_format") == "base64"
    vectors = [_vector(text, dimensions) for text in inputs]
    tokens = sum(map(estimated_tokens, inputs))
    return {
        "object": "list",
        "model": request.get("model", "scripted"),
        "data": [
            {"object": "embedding", "index": index, "embedding": _packed(vector) if as_text else list(vector)}
            for index, vector in enumerate(vectors)
        ],
        "usage": {"prompt_tokens": tokens, "total_tokens": tokens},
    }


def _inputs(given: JsonValue) -> list[str]:
    items = given if isinstance(given, list) else [given]
    if items and all(isinstance(item, int) and not isinstance(item, bool) for item in items):
        items = [items]  # one text, as token ids
    texts = [" ".join(map(str, item)) if isinstance(item, list) else item for item in items]
    if not texts or len(texts) > MOST_INPUTS or not all(isinstance(text, str) and text for text in texts):
        raise BadEmbeddingRequest(f"input is a text, or 1 to {MOST_INPUTS} texts, none of them empty")
    return [text for text in texts if isinstance(text, str)]


def _packed(vector: tuple[float, ...]) -> str:
    return base64.b64encode(struct.pack(f"<{len(vector)}f", *vector)).decode()


@lru_cache(maxsize=1_024)
def _vector(text: str, dimensions: int) -> tuple[float, ...]:
    """Each word adds to the places that its hash names, with a sign; the sum is scaled to length 1."""
    sums = [0.0] * dimensions
    for word in _WORD.findall(fold(text)) or [text]:
        digest = hashlib.blake2b(word.encode("utf-8", "surrogatepass"), digest_size=16).digest()
        for place in range(0, 16, 4):
            value = int.from_bytes(digest[place : place + 4], "little")
            sums[(value >> 1) % dimensions] += 1.0 if value & 1 else -1.0
    length = math.hypot(*sums) or 1.0
    return tuple(value / length for value in sums)
